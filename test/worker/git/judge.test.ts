// Foreign trees and commits: what git lets through and a memory must not hold is refused with the path, at any depth; nothing is written before.
import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { formatCommit } from "../../../src/server/git/commit.ts";
import { judgePush, type Push } from "../../../src/server/git/judge-push.ts";
import { hashObject, type ObjectType } from "../../../src/server/git/oid.ts";
import { parsePack } from "../../../src/server/git/pack-read.ts";
import { KIND, packOf } from "./pack-builder.ts";
import { inRepository, land, MAIN, NEW_YEAR, type Repository } from "./repository.ts";

interface Obj {
  type: ObjectType;
  data: Uint8Array;
}
type Line = { mode?: string; name: string | Uint8Array; oid?: string };

const blob = (text: string): Obj => ({ type: "blob", data: Buffer.from(text) });
const idOf = ({ type, data }: Obj): string => hashObject(type, data);
const content = blob("- Content\n");
const CONTENT = idOf(content);

/** A tree exactly as given: order, modes and names are the test's business. */
const tree = (...lines: Line[]): Obj => ({
  type: "tree",
  data: Buffer.concat(
    lines.map(({ mode = "100644", name, oid = CONTENT }) =>
      Buffer.concat([Buffer.from(`${mode} `), Buffer.from(name as string), Buffer.from([0]), Buffer.from(oid, "hex")]),
    ),
  ),
});

const person = { name: "Ada", email: "ada@example.org", at: NEW_YEAR, tz: "+0000" };
const commitOf = (root: string, parents: string[], message = "own"): Obj => ({
  type: "commit",
  data: formatCommit({ tree: root, parents, author: person, committer: person, extra: [], message }),
});

function push({ store }: Repository, objects: Obj[], after: string, before = store.ref(MAIN)): Push {
  const pack = parsePack(packOf(objects.map(({ type, data }) => ({ kind: KIND[type as "blob"], data }))));
  return judgePush(store, pack, { ref: MAIN, before, after }, NEW_YEAR + 1000);
}

/** Pushes a tree as root or below folders; the commit stands on main. */
function pushTree(repository: Repository, hostile: Obj, depth: number, extra: Obj[] = [content]): Push {
  const objects = [...extra, hostile];
  let root = hostile;
  for (let i = 1; i < depth; i++) {
    root = tree({ mode: "40000", name: `d${i}`, oid: idOf(root) });
    objects.push(root);
  }
  const commit = commitOf(idOf(root), [repository.store.ref(MAIN)!]);
  return push(repository, [...new Map([...objects, commit].map((object) => [idOf(object), object])).values()], idOf(commit));
}

const names = [
  ".git",
  ".GIT",
  "git~1",
  "GIT~2",
  ".git ",
  ".git.",
  ".g\u200cit",
  ".git::$INDEX_ALLOCATION",
  ".git:x",
  "..",
  ".",
  "a/b",
  "../x",
  "..\\x",
  "a\\b",
  ".gitmodules",
  "gitmod~1",
  "GI7EBA~1",
  "CON",
  "aux.md",
  "com1.md",
  "a:b.md",
  "trailing ",
  "trailing.",
  "new\nline",
  "-rf",
  "right\u202eleft.md",
  "e\u0301.md",
  "x".repeat(300),
  "x".repeat(5000),
  "tab\there",
  "a<b",
  "a?b",
  "nul.md",
  "\u0085.md",
];
const trees: Record<string, Obj> = {
  ...Object.fromEntries(names.map((name) => [JSON.stringify(name.slice(0, 24)), tree({ name })])),
  "a folder .git": tree({ mode: "40000", name: ".git", oid: idOf(tree({ name: "config" })) }),
  "no name": tree({ name: "" }),
  "bytes that are not UTF-8": tree({ name: Buffer.from([0x61, 0xff, 0x62]) }),
  "a null id": tree({ name: "a.md", oid: "0".repeat(40) }),
  "a missing file": tree({ name: "a.md", oid: "1".repeat(40) }),
  "a missing folder": tree({ mode: "40000", name: "a", oid: "1".repeat(40) }),
  "a file as a folder": tree({ mode: "40000", name: "a", oid: CONTENT }),
  "a name twice": tree({ name: "a.md" }, { name: "a.md" }),
  "a file and a folder of one name": tree(
    { name: "a" },
    { name: "a-b" },
    { mode: "40000", name: "a", oid: idOf(tree({ name: "x.md" })) },
  ),
  "wrong order": tree({ name: "b.md" }, { name: "a.md" }),
  "a folder sorted as a file": tree({ mode: "40000", name: "a", oid: idOf(tree({ name: "x.md" })) }, { name: "a.md" }),
  "a zero-padded mode": tree({ mode: "040000", name: "a", oid: idOf(tree({ name: "x.md" })) }),
  "mode 100600": tree({ mode: "100600", name: "a.md" }),
  "mode 100664": tree({ mode: "100664", name: "a.md" }),
  "mode 777": tree({ mode: "777", name: "a.md" }),
  executable: tree({ mode: "100755", name: "a.md" }),
  "a symbolic link": tree({ mode: "120000", name: "a.md" }),
  "a submodule": tree({ mode: "160000", name: "a" }),
  ".gitmodules as a link": tree({ mode: "120000", name: ".gitmodules" }),
  "case twins": tree({ name: "Foo.md" }, { name: "foo.md" }),
  "case twins of a folder": tree({ mode: "40000", name: "Foo", oid: idOf(tree({ name: "x.md" })) }, { name: "foo" }),
  "spelling twins": tree({ name: "cafe\u0301.md" }, { name: "caf\u00e9.md" }),
  "cut off": { type: "tree", data: tree({ name: "a.md" }).data.subarray(0, 20) },
  "no tree at all": { type: "tree", data: Buffer.from("hello") },
  "an empty folder": tree({ mode: "40000", name: "a", oid: "4b825dc642cb6eb9a060e54bf8d69288fbee4904" }),
};
const extras = [
  content,
  tree({ name: "x.md" }),
  tree({ name: "config" }),
  { type: "tree", data: new Uint8Array() } satisfies Obj,
];

describe("a pushed tree", () => {
  it("is refused in every hostile shape, at the root and three folders down, and accepted in an honest one", () =>
    inRepository((repository) => {
      land(repository.store, { "MEMORY.md": "- One\n" });
      const rows = (): unknown[] => repository.sql.exec("SELECT id FROM git_objects").toArray();
      const before = rows();
      let refused = 0;
      for (const [name, hostile] of Object.entries(trees))
        for (const depth of [1, 3]) {
          let code = "";
          try {
            pushTree(repository, hostile, depth, extras);
          } catch (error) {
            code = String((error as { code?: string }).code);
            expect((error as Error).message).toMatch(/^[A-Z“].*\.$/s);
          }
          expect([name, depth, code]).toEqual([name, depth, expect.stringMatching(/^bad-(format|path)$/)]);
          refused++;
        }
      expect(rows()).toEqual(before);
      console.log(`${refused} hostile trees refused, 0 rows written`);
      for (const depth of [1, 3])
        expect(pushTree(repository, tree({ name: "a b.md" }, { name: "ok.md" }), depth).objects.length).toBe(2 + depth);
    }));

  it("is judged where it stands: an old folder under a new name is not trusted", () =>
    inRepository((repository) => {
      const long = "x".repeat(250);
      land(repository.store, { [`${long}/${long}/${long}/a.md`]: "deep\n" });
      const inner = repository.store.read(repository.store.ref(MAIN)!)!;
      const root = new TextDecoder().decode(inner.data.subarray(5, 45));
      const moved = tree({ mode: "40000", name: long, oid: idOf(tree({ mode: "40000", name: long, oid: root })) });
      const middle = tree({ mode: "40000", name: long, oid: root });
      const commit = commitOf(idOf(moved), [repository.store.ref(MAIN)!]);
      expect(() => push(repository, [middle, moved, commit], idOf(commit))).toThrowError(
        expect.objectContaining({ code: "bad-path" }),
      );
    }));
});

describe("a push", () => {
  it("with missing, extra or foreign objects is refused or taken without them", () =>
    inRepository((repository) => {
      const { store, transact } = repository;
      const first = land(store, { "MEMORY.md": "- One\n" }).commit;
      const root = tree({ name: "MEMORY.md" });
      const commit = commitOf(idOf(root), [first]);
      const bad = (objects: Obj[], after = idOf(commit), code = "bad-format"): void =>
        expect(() => push(repository, objects, after)).toThrowError(expect.objectContaining({ code }));
      bad([root, commit]);
      bad([content, commit]);
      bad([content, root]);
      bad([content, root, commit], CONTENT);
      bad([content, root, commit], idOf(root));
      bad([content, root, commit], "1".repeat(40));
      const orphan = commitOf(idOf(root), []);
      bad([content, root, orphan], idOf(orphan), "conflict");
      const lost = commitOf(idOf(root), ["1".repeat(40), first]);
      bad([content, root, lost], idOf(lost));
      const own = commitOf(idOf(root), [CONTENT, first]);
      bad([content, root, own], idOf(own));
      const extra = blob("nobody refers to me");
      const good = push(repository, [content, root, commit, extra], idOf(commit));
      expect(good.objects).toEqual([CONTENT, idOf(root), idOf(commit)]);
      expect(good.commits.map(({ oid }) => oid)).toEqual([idOf(commit)]);
      expect(store.has(CONTENT)).toBe(false);
      transact(() => {
        good.write();
        store.moveRef(MAIN, first, good.after, { kind: "push", actor: "user", at: NEW_YEAR });
      });
      expect([store.has(CONTENT), store.has(idOf(extra)), store.ref(MAIN)]).toEqual([true, false, idOf(commit)]);
    }));

  it("with a commit that git would not write is refused", () =>
    inRepository((repository) => {
      const first = land(repository.store, { "MEMORY.md": "- One\n" }).commit;
      const root = tree({ name: "MEMORY.md" });
      const who = "Ada <ada@example.org> 1767225600 +0000";
      const raw = (text: string): Obj => ({ type: "commit", data: Buffer.from(text, "latin1") });
      const head = `tree ${idOf(root)}\nparent ${first}\n`;
      const commits: Record<string, Obj> = {
        "no message part": raw(`${head}author ${who}\ncommitter ${who}\n`),
        "a NUL": raw(`${head}author ${who}\ncommitter ${who}\n\nan\0message\n`),
        "not UTF-8": raw(`${head}author ${who}\ncommitter ${who}\n\n\xff\n`),
        "a message of 1 MB": raw(`${head}author ${who}\ncommitter ${who}\n\n${"x".repeat(1_000_000)}\n`),
        "10,000 parents": raw(`tree ${idOf(root)}\n${`parent ${first}\n`.repeat(10_000)}author ${who}\ncommitter ${who}\n\nm\n`),
        "17 parents": raw(
          `tree ${idOf(root)}\n${Array.from({ length: 17 }, (_, i) => `parent ${i.toString(16).padStart(40, "0")}\n`).join("")}author ${who}\ncommitter ${who}\n\nm\n`,
        ),
        "a parent twice": raw(`${head}parent ${first}\nauthor ${who}\ncommitter ${who}\n\nm\n`),
        "a date with a leading zero": raw(`${head}author Ada <a@b> 01767225600 +0000\ncommitter ${who}\n\nm\n`),
        "a date beyond all years": raw(`${head}author Ada <a@b> 99999999999999999999 +0000\ncommitter ${who}\n\nm\n`),
        "a date next year": raw(`${head}author Ada <a@b> 1798761600 +0000\ncommitter ${who}\n\nm\n`),
        "a negative date": raw(`${head}author Ada <a@b> -5 +0000\ncommitter ${who}\n\nm\n`),
        "a zone in words": raw(`${head}author Ada <a@b> 1767225600 UTC\ncommitter ${who}\n\nm\n`),
        "no mail address": raw(`${head}author Ada 1767225600 +0000\ncommitter ${who}\n\nm\n`),
        "no author": raw(`${head}committer ${who}\n\nm\n`),
        "two authors": raw(`${head}author ${who}\nauthor ${who}\ncommitter ${who}\n\nm\n`),
        "a header nobody knows": raw(`${head}author ${who}\ncommitter ${who}\nwizard yes\n\nm\n`),
        "an encoding": raw(`${head}author ${who}\ncommitter ${who}\nencoding ISO-8859-1\n\nm\n`),
        "parents behind the author": raw(`tree ${idOf(root)}\nauthor ${who}\nparent ${first}\ncommitter ${who}\n\nm\n`),
        "an upper-case id": raw(`tree ${idOf(root).toUpperCase()}\nparent ${first}\nauthor ${who}\ncommitter ${who}\n\nm\n`),
        nothing: raw(""),
      };
      for (const [name, commit] of Object.entries(commits)) {
        let code = "";
        try {
          push(repository, [content, root, commit], idOf(commit));
        } catch (error) {
          code = String((error as { code?: string }).code);
        }
        expect([name, code]).toEqual([name, expect.stringMatching(/^(bad-format|too-large)$/)]);
      }
      const signed = raw(
        `${head}author ${who}\ncommitter ${who}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n\nm\n`,
      );
      expect(push(repository, [content, root, signed], idOf(signed)).commits).toHaveLength(1);
    }));
});

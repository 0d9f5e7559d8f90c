// G3: trees that no memory may hold, at the root and three folders deep. Refused with a sentence that a person can act on; nothing moves.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { call } from "../../lib/api.ts";
import { KIND, packOf } from "../../worker/git/pack-builder.ts";
import { clone, commit, fsck, git, gitOk, inFolder, openDoor, push, refused, writeObject, type Door } from "./door.ts";

let door: Door;
beforeAll(async () => {
  door = await openDoor();
  await door.remember({ text: "Stands here before and after" });
});
afterAll(() => door.stop());

type Entry = [mode: string, name: string | Buffer, oid: string];
interface Built {
  oid: string;
  kind: number;
  data: Buffer;
}

const TYPE: Record<number, string> = { [KIND.blob]: "blob", [KIND.tree]: "tree", [KIND.commit]: "commit" };
const built = (kind: number, data: Buffer): Built => ({
  kind,
  data,
  oid: createHash("sha1").update(`${TYPE[kind]} ${data.length}\0`).update(data).digest("hex"),
});
const treeOf = (entries: Entry[]): Built =>
  built(
    KIND.tree,
    Buffer.concat(
      entries.flatMap(([mode, name, oid]) => [
        Buffer.from(`${mode} `),
        Buffer.from(name as string),
        Buffer.from([0]),
        Buffer.from(oid, "hex"),
      ]),
    ),
  );

const TEXT = built(KIND.blob, Buffer.from("# A\n\n- Fine\n"));
const OTHER = built(KIND.blob, Buffer.from("# B\n\n- Fine, too\n"));
const LINK = built(KIND.blob, Buffer.from("/etc/passwd"));
const MODULES = built(KIND.blob, Buffer.from('[submodule "x"]\n\tpath = x\n\turl = -u./payload\n'));
const FOLDER = treeOf([["100644", "in.md", TEXT.oid]]);
const BLOBS = [TEXT, OTHER, LINK, MODULES, FOLDER];
const file = (name: string | Buffer): Entry[] => [["100644", name, TEXT.oid]];
const mode = (value: string, name = "a.md"): Entry[] => [[value, name, LINK.oid]];

const BAD: Record<string, Entry[]> = {
  ".git": file(".git"),
  ".GIT": file(".GIT"),
  "a .git folder": [["40000", ".git", FOLDER.oid]],
  "git~1": file("git~1"),
  ".git and a space": file(".git "),
  ".git and a dot": file(".git."),
  ".g‌it": file(".g\u200cit"),
  "an NTFS stream": file(".git::$INDEX_ALLOCATION"),
  ".git:x": file(".git:x"),
  "GIT~2": file("GIT~2"),
  ".gitmodules": [["100644", ".gitmodules", MODULES.oid]],
  "..": file(".."),
  ".": file("."),
  "a folder ..": [["40000", "..", FOLDER.oid]],
  "a/b": file("a/b"),
  "../x": file("../x"),
  "..\\x": file("..\\x"),
  "a\\b": file("a\\b.md"),
  "an empty name": file(""),
  CON: file("CON"),
  "aux.md": file("aux.md"),
  "a:b.md": file("a:b.md"),
  "a trailing space": file("a.md "),
  "a line end": file("a\nb.md"),
  "-rf": file("-rf"),
  "an override of direction": file("a\u202egnp.md"),
  "not UTF-8": file(Buffer.from([0x61, 0xff, 0x2e, 0x6d, 0x64])),
  "300 bytes": file(`${"a".repeat(297)}.md`),
  "5,000 bytes": file(`${"a".repeat(4997)}.md`),
  "Foo and foo": [...file("Foo.md"), ...file("foo.md")],
  NFD: file("e\u0301.md"),
  "NFC and NFD": [
    ["100644", "e\u0301.md", TEXT.oid],
    ["100644", "\u00e9.md", TEXT.oid],
  ],
  twice: [...file("a.md"), ["100644", "a.md", OTHER.oid]],
  "a file and a folder": [
    ["100644", "a", TEXT.oid],
    ["40000", "a", FOLDER.oid],
  ],
  "out of order": [...file("b.md"), ...file("a.md")],
  "a padded mode": mode("0100644"),
  100600: mode("100600"),
  777: mode("100777"),
  executable: mode("100755"),
  "a symbolic link": mode("120000"),
  "a submodule": [["160000", "sub", "1".repeat(40)]],
  "a .gitignore link": mode("120000", ".gitignore"),
  "a .gitattributes link": mode("120000", ".gitattributes"),
  "a .gitmodules link": mode("120000", ".gitmodules"),
  "no object at all": [["100644", "a.md", "0".repeat(40)]],
  "a missing blob": [["100644", "a.md", "2".repeat(40)]],
  "a missing folder": [["40000", "a", "3".repeat(40)]],
  "a file that is a folder": [["100644", "a.md", FOLDER.oid]],
};

/** The tree, and three folders above it. */
function nest(tree: Built, depth: number): Built[] {
  const trees = [tree];
  for (let at = 1; at < depth; at++) trees.unshift(treeOf([["40000", `d${at}`, trees[0]!.oid]]));
  return trees;
}

const person = `Ada <ada@example.org> ${Math.floor(Date.now() / 1000)} +0000`;
function commitOf(root: Built, head: string): Built {
  return built(KIND.commit, Buffer.from(`tree ${root.oid}\nparent ${head}\nauthor ${person}\ncommitter ${person}\n\nBy hand\n`));
}

/** What the server says to a pack that is sent without a client in between. */
async function send(head: string, tip: Built, objects: Built[]): Promise<string> {
  const command = `${head} ${tip.oid} refs/heads/main\0report-status`;
  const once = new Map([tip, ...objects].map((object) => [object.oid, object]));
  const response = await fetch(`${door.url}/git-receive-pack`, {
    method: "POST",
    headers: { "Content-Type": "application/x-git-receive-pack-request" },
    body: Buffer.concat([
      Buffer.from(`${(command.length + 4).toString(16).padStart(4, "0")}${command}0000`),
      packOf([...once.values()].map(({ kind, data }) => ({ kind, data }))),
    ]),
  });
  return response.text();
}

it("every tree of the table is refused at depth 1 and 3", async () => {
  const head = (await door.head())!;
  let cases = 0;
  for (const [name, entries] of Object.entries(BAD)) {
    for (const depth of [1, 3]) {
      const trees = nest(treeOf(entries), depth);
      const answer = await send(head, commitOf(trees[0]!, head), [...trees, ...BLOBS]);
      expect(answer, `${name} at depth ${depth}`).toMatch(/ng refs\/heads\/main \S.{15,}/);
      expect(answer, name).not.toMatch(/undefined|\[object|Error|MEMORY\.md is what/);
      cases++;
    }
  }
  expect(await door.head()).toBe(head);
  const check = await call<{ problems: string[]; objects: number }>(door.app.url, "GET", "/api/check");
  // Tree, file and commit of the one save: nothing of the refused ones was kept.
  expect([check.body.problems, check.body.objects]).toEqual([[], 3]);
  console.log(`G3: ${cases} hostile trees, 0 landed, 0 objects kept`);
}, 300_000);

it("native git prints the reason, and a sound tree at the same place lands", () =>
  inFolder(async (folder) => {
    const at = await clone(door, folder);
    const put = ({ kind, data, oid }: Built): void => expect(writeObject(at, TYPE[kind]!, data)).toBe(oid);
    BLOBS.forEach(put);
    const head = (await door.head())!;
    const says: Record<string, RegExp> = {
      ".GIT": /remote: .*\.GIT/,
      "a\\b": /remote: .*a\\b\.md/,
      CON: /remote: .*CON/,
      "Foo and foo": /remote: .*foo\.md.*case/,
      executable: /remote: .*executable file; a memory holds ordinary files only/,
      "a symbolic link": /remote: .*symbolic link/,
      "an override of direction": /remote: .*cannot be a path/,
      "-rf": /remote: .*-rf/,
      "a submodule": /remote: .*submodule/,
    };
    for (const [name, reason] of Object.entries(says)) {
      for (const depth of [1, 3]) {
        const trees = nest(treeOf(BAD[name]!), depth);
        trees.forEach(put);
        const tip = await gitOk(["-C", at, "commit-tree", trees[0]!.oid, "-p", head, "-m", "By hand"]);
        const ran = await git(["-C", at, "push", "origin", `${tip}:main`]);
        expect([ran.code !== 0, ran.err], name).toEqual([true, expect.stringMatching(reason)]);
      }
    }
    expect(await door.head()).toBe(head);
    const sound = nest(
      treeOf([
        ["100644", "MEMORY.md", OTHER.oid],
        ["100644", "ok.md", TEXT.oid],
      ]),
      1,
    )[0]!;
    put(sound);
    const tip = await gitOk(["-C", at, "commit-tree", sound.oid, "-p", head, "-m", "By hand"]);
    expect((await git(["-C", at, "push", "origin", `${tip}:main`])).code).toBe(0);
    expect(await door.text("ok.md")).toBe(TEXT.data.toString());
    expect(await fsck(await clone(door, folder, "fresh"))).toBe("");
  }));

const PERSONAL = [
  "sk-pro",
  "j-a3F0K7p4U1Z8e5J2O9t6Y3D0i7N4S1x8C5H2m9R6W3b0G7L4q1V8A5f2K9P6u3Z0E7j4O1T8T3BlbkFJt6Y3D0i7N4S1x8C5H2m9R6",
].join("");
it.each<[string, Record<string, string | Buffer>, RegExp]>([
  [
    "Latin-1",
    { "a.md": Buffer.from("# A\n\n- Caf\xe9 au lait\n", "latin1") },
    /a\.md, line 3: these bytes are not UTF-8\. Save the file as UTF-8/,
  ],
  ["UTF-16", { "a.md": Buffer.from("# A\n\n- Fine\n", "utf16le") }, /a\.md, line 1: .*(NUL|UTF-8)/],
  ["a NUL", { "a.md": "# A\n\n- x\0y\n" }, /a\.md, line 3: a NUL character is not text/],
  [
    "a conflict marker",
    { "a.md": "# A\n\n<<<<<<< mine\n- x\n=======\n- y\n>>>>>>> theirs\n" },
    /a\.md, line 3: a conflict marker/,
  ],
  ["a zero-width space", { "a.md": "# A\n\n- Fine\n- Hid\u200bden\n" }, /a\.md, line 4: .*nobody can see/],
  ["a tag block", { "a.md": "# A\n\n- Hello\u{e0041}\u{e0042}\n" }, /a\.md, line 3: .*nobody can see/],
  ["a secret", { "keys.md": `# Keys\n\n- The key is ${PERSONAL}\n` }, /keys\.md, line 3 holds a secret/],
  ["a secret in prose", { "keys.md": `# Keys\n\nThe key is ${PERSONAL}\n` }, /keys\.md, line 3, holds a secret/],
  ["an entry of 5 KB", { "a.md": `# A\n\n- ${"word ".repeat(1000)}\n` }, /a\.md, line 3: an entry has at most 4 KB/],
  ["a file of 600 KB", { "a.md": `# A\n\n${"A line of prose.\n".repeat(36_000)}` }, /a\.md .*at most 512 KB/],
  [
    "an id twice",
    { "a.md": "# A\n\n- One [id: abcd1234]\n- Two [id: abcd1234]\n" },
    /a\.md, line 4: the id abcd1234 stands twice/,
  ],
  ["a day that does not exist", { "a.md": "# A\n\n- Never [since: 2026-02-30]\n" }, /a\.md, line 3: .*is not a date/],
  [
    "a tombstone by hand",
    { "forgotten.md": "- (forgotten) [id: abcd1234; removed: 2026-01-01; match: k1.00]\n" },
    /forgotten\.md lists what was forgotten/,
  ],
])("a commit with %s is refused with file, line and remedy", async (_, files, says) =>
  inFolder(async (folder) => {
    const at = await clone(door, folder);
    await commit(at, files);
    const told = await refused(door, () => push(at), says);
    expect(told).toContain("remote: ");
    // Also when a later commit takes it back: what is in the history stays in it.
    await commit(at, Object.fromEntries(Object.keys(files).map((path) => [path, null])));
    const again = await refused(door, () => push(at), says);
    expect(again).toMatch(/This is in commit [0-9a-f]{8}/);
  }),
);

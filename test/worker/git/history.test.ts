// The rows against isomorphic-git as second opinion: same log, same trees, same merge bases, over random histories.
import fc from "fast-check";
import git from "isomorphic-git";
import { describe, expect, it } from "vitest";
import { GIT_DIR, readOnlyFs } from "../../../src/server/git/fs.ts";
import {
  commitAtTime,
  diffTrees,
  isAncestor,
  listFiles,
  log,
  mergeBase,
  readCommit,
  readFileAt,
  readTextAt,
} from "../../../src/server/git/repo.ts";
import type { ObjectStore } from "../../../src/server/git/store.ts";
import { commit, inRepository, land, MAIN, NEW_YEAR } from "./repository.ts";

/** Every file of a commit as isomorphic-git walks it. */
async function walked(store: ObjectStore, ref: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  await git.walk({
    fs: readOnlyFs(store),
    gitdir: GIT_DIR,
    trees: [git.TREE({ ref })],
    map: async (path, [entry]) => {
      if (entry && (await entry.type()) === "blob") files[path] = new TextDecoder().decode((await entry.content())!);
      return undefined;
    },
  });
  return files;
}

function ours(store: ObjectStore, oid: string): Record<string, string> {
  return Object.fromEntries([...listFiles(store, oid)].map(({ path }) => [path, readTextAt(store, oid, path)!]));
}

const part = fc.constantFrom("a", "a-b", "a.b", "ab", "b", "é", "z");
const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => `${parts.join("/")}.md`);

describe("history over rows", () => {
  it("gives the same files as a plain map and as isomorphic-git, for any series of changes", () =>
    inRepository(async ({ store }) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.dictionary(path, fc.option(fc.string(), { freq: 3 }), { minKeys: 1, maxKeys: 6 }), {
            minLength: 1,
            maxLength: 6,
          }),
          async (steps) => {
            const model = new Map<string, string>();
            let head: string | null = null;
            for (const step of steps) {
              for (const [name, text] of Object.entries(step))
                if (text === null) model.delete(name);
                else model.set(name, text);
              const before: string | null = head;
              const result = commit(store, head, step);
              head = result.commit;
              const changed = diffTrees(store, before, head);
              expect(changed.length > 0 || before === null).toBe(!result.unchanged);
              for (const change of changed) expect(change.after === null).toBe(!model.has(change.path));
            }
            expect(ours(store, head!)).toEqual(Object.fromEntries(model));
            const wellFormed = Object.fromEntries(
              [...model].map(([name, text]) => [name, new TextDecoder().decode(new TextEncoder().encode(text))]),
            );
            expect(await walked(store, head!)).toEqual(wellFormed);
          },
        ),
        { numRuns: 60 },
      );
    }));

  it("answers log, ancestry and merge base as isomorphic-git does, over random graphs", () =>
    inRepository(async ({ store }) => {
      const fs = readOnlyFs(store);
      let asked = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.nat(), fc.nat(), fc.boolean(), fc.nat(5)), { minLength: 2, maxLength: 14 }),
          async (steps) => {
            const made: string[] = [commit(store, null, { "MEMORY.md": "0" }).commit];
            for (const [i, [one, two, merge, later]] of steps.entries()) {
              const first = made[one % made.length]!;
              const second = made[two % made.length]!;
              const parents = merge && first !== second ? [first, second] : [first];
              made.push(commit(store, first, { "MEMORY.md": `${i}` }, { parents, at: NEW_YEAR + (i + later) * 1000 }).commit);
            }
            const tip = made.at(-1)!;
            const logged = [...log(store, tip, { firstParent: false })].map(({ oid }) => oid);
            // A set: their log names a commit twice that two merges lead to.
            const theirs = new Set((await git.log({ fs, gitdir: GIT_DIR, ref: tip })).map(({ oid }) => oid));
            expect([...logged].sort()).toEqual([...theirs].sort());
            const position = new Map(logged.map((oid, i) => [oid, i]));
            for (const oid of logged)
              for (const parent of readCommit(store, oid).parents)
                expect(position.get(parent)).toBeGreaterThan(position.get(oid)!);
            for (const oid of made) expect(isAncestor(store, oid, tip)).toBe(theirs.has(oid));
            for (const oid of made.slice(0, -1)) {
              const bases = await git.findMergeBase({ fs, gitdir: GIT_DIR, oids: [tip, oid] });
              const base = mergeBase(store, tip, oid);
              asked++;
              if (bases.length === 0) expect(base).toBeNull();
              else expect(bases).toContain(base);
            }
            const hidden = made[0]!;
            expect([...log(store, tip, { firstParent: false, hide: [hidden] })].map(({ oid }) => oid)).toEqual(
              logged.filter((oid) => oid !== hidden),
            );
          },
        ),
        { numRuns: 60 },
      );
      expect(asked).toBeGreaterThan(200);
    }));

  it("finds the commit of any instant over a long line, and logs by path and page", () =>
    inRepository(({ store }) => {
      const line: string[] = [];
      for (let i = 0; i < 300; i++) line.push(land(store, { [`people/p${i % 7}.md`]: `${i}` }, NEW_YEAR + i * 60_000).commit);
      const head = store.ref(MAIN)!;
      for (let i = 0; i < 300; i++) {
        expect(commitAtTime(store, head, NEW_YEAR + i * 60_000)).toBe(line[i]);
        expect(commitAtTime(store, head, NEW_YEAR + i * 60_000 + 59_999)).toBe(line[i]);
        expect(isAncestor(store, line[i]!, head)).toBe(true);
      }
      expect(commitAtTime(store, head, NEW_YEAR - 1)).toBeNull();
      const ofOne = [...log(store, head, { path: "people/p3.md" })].map(({ oid }) => oid);
      expect(ofOne).toEqual(line.filter((_, i) => i % 7 === 3).reverse());
      expect([...log(store, head, { limit: 5, until: NEW_YEAR + 100 * 60_000 })].map(({ oid }) => oid)).toEqual(
        line.slice(96, 101).reverse(),
      );
      expect(store.refLog(MAIN, { limit: 2 }).map(({ after }) => after)).toEqual([line[299], line[298]]);
      expect(store.refLog(MAIN, { limit: 1, before: 299 }).map(({ after, before }) => [before, after])).toEqual([
        [line[296], line[297]],
      ]);
    }));

  it("never lets a commit's time run backwards", () =>
    inRepository(({ store }) => {
      const first = commit(store, null, { "MEMORY.md": "one" }, { at: NEW_YEAR }).commit;
      const second = commit(store, first, { "MEMORY.md": "two" }, { at: NEW_YEAR - 86_400_000 }).commit;
      expect(readCommit(store, second).committer.at).toBe(NEW_YEAR);
      expect(readCommit(store, second).author.at).toBe(NEW_YEAR - 86_400_000);
    }));

  it("refuses a file where a folder stands and a folder where a file stands, and leaves what nobody named", () =>
    inRepository(({ store }) => {
      const { commit: base } = commit(store, null, { "a/b.md": "b", c: "c" });
      const clashes: Record<string, string>[] = [
        { a: "x" },
        { "c/d.md": "x" },
        { "a/b.md/e.md": "x" },
        { "../x": "x" },
        { "x//y": "x" },
        { ".GIT/config": "x" },
      ];
      for (const files of clashes)
        expect(() => commit(store, base, files)).toThrowError(expect.objectContaining({ code: "bad-path" }));
      expect(commit(store, base, { a: null, "c/d.md": null, "n/o/n/e.md": null }).unchanged).toBe(true);
      const swapped = commit(store, base, { "a/b.md": null, a: "now a file", c: null, "c/d.md": "now a folder" });
      expect(ours(store, swapped.commit)).toEqual({ a: "now a file", "c/d.md": "now a folder" });
      expect(commit(store, swapped.commit, { a: null, "c/d.md": null }).tree).toBe("4b825dc642cb6eb9a060e54bf8d69288fbee4904");
      expect(readFileAt(store, base, "a")).toBeNull();
    }));

  it("refuses every write through the adapter", () =>
    inRepository(async ({ store }) => {
      land(store, { "MEMORY.md": "one" });
      const fs = readOnlyFs(store);
      await expect(git.writeRef({ fs, gitdir: GIT_DIR, ref: MAIN, value: "0".repeat(40), force: true })).rejects.toThrow();
      await expect(git.writeBlob({ fs, gitdir: GIT_DIR, blob: new Uint8Array([1]) })).rejects.toThrow();
      expect(await git.listBranches({ fs, gitdir: GIT_DIR })).toEqual(["main"]);
    }));
});

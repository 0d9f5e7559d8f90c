import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashObject } from "./oid.ts";
import { compareEntries, DIR_MODE, editTree, FILE_MODE, findEntries, formatTree, parseTree, type TreeEntry } from "./tree.ts";

const OID: string = "257cc5642cb1a054f08cc83f2d943e56fd3ebe99";
const entry = (name: string, mode = FILE_MODE): TreeEntry => ({ mode, name, oid: OID });
const name = fc.string({ unit: fc.constantFrom("a", "b", "-", ".", "0", "é", "上"), minLength: 1, maxLength: 4 });
const entries = fc.uniqueArray(
  fc.record({ name, mode: fc.constantFrom(FILE_MODE, DIR_MODE), oid: fc.constant(OID) }, { noNullPrototype: true }),
  { selector: (e) => e.name, maxLength: 20 },
);

describe("trees", () => {
  it("are written in git's order, and hash as git hashes them", () => {
    const tree = formatTree([entry("foo.md"), entry("foo", DIR_MODE), entry("foo-bar"), entry("foo0")]);
    expect(parseTree(tree).map((e) => e.name)).toEqual(["foo-bar", "foo.md", "foo", "foo0"]);
    // git mktree with the same four entries.
    expect(hashObject("tree", tree)).toBe("7203206c94469e442456b77cfb78a0335700e624");
    expect(hashObject("tree", new Uint8Array())).toBe("4b825dc642cb6eb9a060e54bf8d69288fbee4904");
  });

  it("read back what was written", () => {
    fc.assert(fc.property(entries, (list) => void expect(parseTree(formatTree(list))).toEqual([...list].sort(compareEntries))));
  });

  it("edited at the bytes equal those written anew", () => {
    const edits = fc.uniqueArray(
      fc.record({
        name,
        put: fc.option(
          fc.record({ mode: fc.constantFrom(FILE_MODE, DIR_MODE), oid: fc.constant("f".repeat(40)) }, { noNullPrototype: true }),
        ),
      }),
      { selector: (e) => e.name, maxLength: 8 },
    );
    fc.assert(
      fc.property(entries, edits, (list, changes) => {
        const model = new Map(list.map((e) => [e.name, e]));
        for (const { name, put } of changes)
          if (put) model.set(name, { name, ...put });
          else model.delete(name);
        const tree = formatTree(list);
        expect(parseTree(editTree(tree, changes))).toEqual([...model.values()].sort(compareEntries));
        const names = changes.map((e) => e.name);
        expect(findEntries(tree, names)).toEqual(
          new Map(
            list
              .filter((e) => names.includes(e.name))
              .sort(compareEntries)
              .map((e) => [e.name, e]),
          ),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("that are cut off or no trees are refused", () => {
    const tree = formatTree([entry("a.md")]);
    for (let length = 1; length < tree.byteLength; length++)
      expect(() => parseTree(tree.subarray(0, length))).toThrowError(expect.objectContaining({ code: "bad-format" }));
    for (const text of ["100644 \0" + "x".repeat(20), " a\0" + "x".repeat(20), "no tree at all"])
      expect(() => parseTree(new TextEncoder().encode(text))).toThrowError(expect.objectContaining({ code: "bad-format" }));
  });
});

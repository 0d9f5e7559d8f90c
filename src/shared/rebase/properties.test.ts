// What must hold of every rebase, whatever the three sides hold.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDocument, type DocumentEntry } from "../document.ts";
import { metaValue } from "../entry.ts";
import { rebase, type FileSet } from "../rebase.ts";
import { sameFields } from "./fields.ts";
import { idOfEntry, matchEntries, nameOf } from "./match.ts";

const TODAY = "2026-10-08";
const RUNS = process.env["SOAK"] ? 20_000 : 300;

const word = fc.constantFrom("tea", "Pune", "red", "van", "C++", "-5", "住在", "[[people/x|X]]", "$&", "[10:30]");
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom("", "  ", "    ", "\t"),
        fc.constantFrom("-", "*"),
        word,
        fc.constantFrom(
          "",
          " [id: k001]",
          " [id: k002; since: 2025]",
          " [id: k003; source: note/a]",
          " [source: note/b; source: note/c]",
          " [id: k004; removed: 2026-01-01; replaces: k001]",
          "  ",
        ),
      )
      .map(([lead, bullet, text, meta]) => `${lead}${bullet} ${text}${meta}`),
  },
  { weight: 2, arbitrary: fc.constantFrom("# T", "# U", "## S", "## History", "## S") },
  { weight: 2, arbitrary: fc.constantFrom("", "", "  ") },
  { weight: 2, arbitrary: fc.constantFrom("prose", "more prose", "  indented", "> - quoted", "1. one", "---", "===") },
  { weight: 1, arbitrary: fc.constantFrom("```", "~~~", "  ```", "---", "<<<<<<< HEAD", "- ```") },
);
const lines = fc.array(line, { maxLength: 14 });
const text = fc
  .tuple(lines, fc.constantFrom("\n", "\n", "\r\n"), fc.boolean(), fc.constantFrom("", "", "\ufeff"))
  .map(([all, end, last, bom]) => bom + all.join(end) + (last && all.length > 0 ? end : ""));

/** A text near another one: some lines dropped, changed, moved, added. */
function near(base: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(fc.nat(3), fc.nat(40), line, fc.nat(40)), { maxLength: 5 }), fc.boolean())
    .map(([edits, crlf]) => {
      const all = base.split(/\r?\n/);
      for (const [kind, at, fresh, to] of edits) {
        const index = at % (all.length + 1);
        if (kind === 0) all.splice(index, 0, fresh);
        else if (kind === 1) all.splice(index, 1);
        else if (kind === 2) all.splice(index, 1, fresh);
        else all.splice(to % (all.length + 1), 0, ...all.splice(index, 1));
      }
      return all.join(crlf && base.includes("\r\n") ? "\r\n" : "\n");
    });
}

const PATHS = ["MEMORY.md", "a.md", "forgotten.md", "n.txt"] as const;
const files: fc.Arbitrary<FileSet> = fc
  .array(fc.tuple(fc.constantFrom(...PATHS), text), { maxLength: 3 })
  .map((list) => new Map(list));
function nearFiles(base: FileSet): fc.Arbitrary<FileSet> {
  const each = PATHS.map((path) =>
    fc.oneof(
      { weight: 2, arbitrary: fc.constant(base.get(path)) },
      { weight: 3, arbitrary: near(base.get(path) ?? "") },
      { weight: 1, arbitrary: base.has(path) ? fc.constant(undefined) : text },
    ),
  );
  return fc
    .tuple(...each)
    .map((all) => new Map(PATHS.flatMap((path, at) => (all[at] === undefined ? [] : [[path, all[at]] as const]))));
}
const triple = files.chain((base) => fc.tuple(fc.constant(base), nearFiles(base), nearFiles(base)));

interface Named {
  path: string;
  entry: DocumentEntry;
  parent: DocumentEntry | null;
  id: string | undefined;
}

function named(set: FileSet): Named[] {
  return [...set]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, content]) => {
      if (!path.endsWith(".md")) return [];
      const { entries } = parseDocument(content);
      return entries.map((entry) => ({
        path,
        entry,
        id: idOfEntry(entry),
        parent: entries.find((other) => other.line === entry.parent) ?? null,
      }));
    });
}
const matched = (before: readonly Named[], after: readonly Named[]) =>
  matchEntries(before, after, {
    entry: (one) => one.entry,
    path: (one) => one.path,
    section: (one) => one.entry.section,
    parent: (one) => one.parent,
  });

const sorted = (set: FileSet) => [...set].sort(([a], [b]) => (a < b ? -1 : 1));

describe("any rebase", () => {
  test("a side that changed nothing yields to the other, and equal sides are one", () => {
    fc.assert(
      fc.property(triple, ([base, mine]) => {
        expect(rebase(base, mine, base, TODAY)).toEqual({ files: new Map(sorted(mine)), conflicts: [] });
        expect(rebase(base, base, mine, TODAY)).toEqual({ files: new Map(sorted(mine)), conflicts: [] });
        expect(rebase(base, mine, mine, TODAY)).toEqual({ files: new Map(sorted(mine)), conflicts: [] });
      }),
      { numRuns: RUNS },
    );
  });

  test("is the same whatever the order of the files, and twice", () => {
    const turned = (set: FileSet) => new Map([...set].reverse());
    fc.assert(
      fc.property(triple, ([base, mine, theirs]) => {
        const result = rebase(base, mine, theirs, TODAY);
        expect(rebase(turned(base), turned(mine), turned(theirs), TODAY)).toEqual(result);
        expect([...result.files.keys()]).toEqual([...result.files.keys()].sort());
      }),
      { numRuns: RUNS },
    );
  });

  test("writes no conflict markers of its own, and no line that no side has", () => {
    fc.assert(
      fc.property(triple, ([base, mine, theirs]) => {
        const known = new Set(
          [base, mine, theirs].flatMap((set) =>
            [...set.values()].flatMap((content) => content.replace("\ufeff", "").split(/\r?\n/)),
          ),
        );
        for (const content of rebase(base, mine, theirs, TODAY).files.values()) {
          for (const one of content.replace("\ufeff", "").split(/\r?\n/)) {
            if (/^(?:<{7}|={7}|>{7}|\|{7})/.test(one)) expect(known).toContain(one);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  test("loses no entry that a side added or edited and the other did not remove, unless a conflict names it", () => {
    let checked = 0;
    fc.assert(
      fc.property(triple, ([base, mine, theirs]) => {
        const { files: result, conflicts } = rebase(base, mine, theirs, TODAY);
        const before = named(base);
        const after = named(result);
        const gone = new Set(
          after.flatMap((one) =>
            metaValue(one.entry.meta, "removed") === undefined
              ? []
              : one.entry.meta.flatMap(([key, value]) => (key === "replaces" ? [value] : [])),
          ),
        );
        const inConflict = new Set(conflicts.map((conflict) => conflict.entry));
        const here = new Set(after.map((one) => nameOf(one.entry)));
        // The same new fact may have been joined with an entry that a tombstone names.
        const goneTexts = new Set(
          [...named(mine), ...named(theirs)].flatMap((one) =>
            one.id !== undefined && gone.has(one.id) ? [nameOf(one.entry)] : [],
          ),
        );
        for (const [side, other] of [
          [mine, theirs],
          [theirs, mine],
        ] as const) {
          const own = named(side);
          const others = named(other);
          const otherMatch = new Set(matched(before, others));
          matched(before, own).forEach((index, at) => {
            const one = own[at] as Named;
            const old = before[index];
            if (old !== undefined && (!otherMatch.has(index) || sameFields(old.entry, one.entry))) return;
            if ((one.id !== undefined && gone.has(one.id)) || (old?.id !== undefined && gone.has(old.id))) return;
            if (goneTexts.has(nameOf(one.entry))) return;
            if (inConflict.has(one.id ?? nameOf(one.entry)) || inConflict.has(nameOf(one.entry))) return;
            if (old !== undefined && old.entry.text === one.entry.text) return;
            checked += 1;
            expect(here).toContain(nameOf(one.entry));
          });
        }
      }),
      { numRuns: RUNS * 2 },
    );
    console.log(`entries that had to stand: ${checked}`);
    expect(checked).toBeGreaterThan(RUNS);
  });

  test("an entry that a side edited and the other removed is in a conflict, or its removal was a forgetting", () => {
    fc.assert(
      fc.property(triple, ([base, mine, theirs]) => {
        const { files: result, conflicts } = rebase(base, mine, theirs, TODAY);
        const before = named(base);
        const gone = new Set(
          named(result).flatMap((one) => one.entry.meta.flatMap(([key, value]) => (key === "replaces" ? [value] : []))),
        );
        const inConflict = new Set(conflicts.map((conflict) => conflict.entry));
        for (const [side, other] of [
          [mine, theirs],
          [theirs, mine],
        ] as const) {
          const own = named(side);
          const otherMatch = new Set(matched(before, named(other)));
          matched(before, own).forEach((index, at) => {
            const one = own[at] as Named;
            const old = before[index];
            if (old?.id === undefined || otherMatch.has(index) || sameFields(old.entry, one.entry) || gone.has(old.id)) return;
            expect(inConflict).toContain(old.id);
          });
        }
      }),
      { numRuns: RUNS * 2 },
    );
  });
});

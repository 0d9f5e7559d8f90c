// Entry lines against the format's vectors, and the writer's form against its own reader.

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatEntryLine,
  metaValue,
  metaValues,
  parseEntryLine,
  setMeta,
  setMetaFields,
  setMetaValues,
  writerText,
  type EntryLine,
  type Meta,
} from "./entry.ts";

interface Vector {
  name: string;
  line: string;
  expect: EntryLine | null;
}
const vectors = JSON.parse(readFileSync(new URL("../../test/vectors/entries.json", import.meta.url), "utf8")) as Vector[];

const blank = fc.constantFrom("", " ", "  ", "\t");
const fragment = fc.constantFrom(
  ..."- * + [ ] [[ ]] ( ) ; : :// # a b id: source: x; until: 2026-01 [id: ab12] [x] [ ] [[people/x]] https://x.example/a;b=1;c:2".split(
    " ",
  ),
  " ",
  "\t",
  "; ",
  ": ",
  "é",
  "👩‍💻",
  "سلمى",
);
const noisyLine = fc.array(fragment, { maxLength: 30 }).map((parts) => parts.join(""));

describe("an entry line", () => {
  test.each(vectors)("$name", ({ line, expect: wanted }) => {
    const read = parseEntryLine(line);
    if (wanted === null) expect(read).toBeNull();
    else expect(read).toMatchObject(wanted);
  });

  test("a colon with // behind it makes no key, at the start of a group or after a semicolon", () => {
    expect(parseEntryLine("- See [https://x.example/a]")?.meta).toEqual([]);
    expect(parseEntryLine("- See [source: a; https://x.example]")?.meta).toEqual([["source", "a; https://x.example"]]);
  });

  test("a bullet needs white space or the end of the line", () => {
    expect(parseEntryLine("-")).toMatchObject({ text: "", meta: [] });
    expect(parseEntryLine("-x")).toBeNull();
    expect(parseEntryLine("-\u00a0x")).toBeNull();
  });

  test("what the writer formats is read back as the same entry", () => {
    fc.assert(
      fc.property(blank, fc.constantFrom("-", "*", "+"), noisyLine, noisyLine, (lead, bullet, text, tail) => {
        const first = parseEntryLine(`${lead}${bullet} ${text} [id: ab12; ${tail}`) as EntryLine;
        const again = parseEntryLine(formatEntryLine(first));
        expect(again).toEqual(first);
      }),
      { numRuns: 2_000 },
    );
  });

  test("no text or value that is written can bring in a key of its own", () => {
    fc.assert(
      fc.property(noisyLine, noisyLine, fc.constantFrom("", "\n", "\r\n- x"), (text, value, end) => {
        const line = formatEntryLine({ indent: 0, bullet: "-", text: text + end, meta: [["source", value + end]] });
        const read = parseEntryLine(line) as EntryLine;
        expect(line).not.toContain("\n");
        expect(read.meta.map(([key]) => key)).toEqual(["source"]);
        expect(formatEntryLine(read)).toBe(formatEntryLine(parseEntryLine(formatEntryLine(read)) as EntryLine));
        expect(read.text).toBe(writerText(text + end));
      }),
      { numRuns: 2_000 },
    );
  });

  test("brackets without end cost no more than their length", () => {
    const from = performance.now();
    for (const line of [
      `- ${"[".repeat(200_000)}`,
      `- ${"]".repeat(200_000)}`,
      `- ${"[a: ".repeat(50_000)}${"]".repeat(50_000)}`,
      `- x [k:${"; a".repeat(100_000)}]`,
      `- x${" [a: b]".repeat(50_000)}`,
    ]) {
      expect(parseEntryLine(line)?.bullet).toBe("-");
    }
    console.log(`five lines of up to 400,000 brackets: ${Math.round(performance.now() - from)} ms`);
  });
});

describe("metadata", () => {
  const meta: Meta = [
    ["id", "ab12"],
    ["mood", "calm"],
    ["source", "note/a"],
    ["source", "note/b"],
  ];

  test("of a key with one value the last counts, of a repeatable one all do", () => {
    expect(metaValue(meta, "source")).toBe("note/b");
    expect(metaValues(meta, "source")).toEqual(["note/a", "note/b"]);
    expect(metaValue(meta, "since")).toBeUndefined();
  });

  test("a present key is set in place, new ones come at the end in the order of the table", () => {
    expect(setMeta(meta, "mood", "glad")[1]).toEqual(["mood", "glad"]);
    expect(setMetaFields(meta, { why: "changed", zzz: "1", until: "2026-02", closed: "2026-03-01" }).slice(4)).toEqual([
      ["until", "2026-02"],
      ["closed", "2026-03-01"],
      ["why", "changed"],
      ["zzz", "1"],
    ]);
    expect(setMeta(meta, "source", null)).toEqual([
      ["id", "ab12"],
      ["mood", "calm"],
    ]);
  });

  test("the values of a repeatable key keep its place", () => {
    expect(setMetaValues(meta, "source", ["x", "y", "z"]).slice(2)).toEqual([
      ["source", "x"],
      ["source", "y"],
      ["source", "z"],
    ]);
    expect(setMetaValues(meta, "source", ["x"])).toEqual([
      ["id", "ab12"],
      ["mood", "calm"],
      ["source", "x"],
    ]);
    expect(setMetaValues(meta, "depends", ["[[home]]"]).slice(4)).toEqual([["depends", "[[home]]"]]);
  });

  test("a text becomes one line, with a full stop behind what would read as metadata", () => {
    expect(writerText("  two\n  lines \r\n here ")).toBe("two lines here");
    expect(writerText("Types [id: abcd]")).toBe("Types [id: abcd].");
    expect(writerText("Meets at [10:30]")).toBe("Meets at [10:30]");
  });
});

// Edits change the line that they mean and no other byte.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDocument, serialiseDocument, type Document } from "./document.ts";
import {
  insertEntry,
  moveAboveHistory,
  moveToHistory,
  moveToSection,
  newDocument,
  relinkDocument,
  removeEntries,
  replaceEntries,
  replaceEntry,
} from "./edit-document.ts";
import { linkIndex } from "./links.ts";

const doc = parseDocument;
const out = (document: Document) => serialiseDocument(document);
const words = (text: string) => ({ text, meta: [["id", "ab12"]] as const });

describe("inserting an entry", () => {
  test.each([
    ["a new file", "# T\n", null, "# T\n\n- x [id: ab12]\n"],
    ["an empty file", "", null, "- x [id: ab12]\n"],
    ["behind the last entry", "# T\n\n- a\n  - b\n\n## S\n\n- c\n", null, "# T\n\n- a\n  - b\n- x [id: ab12]\n\n## S\n\n- c\n"],
    [
      "behind what an entry holds",
      "- a\n  ```\n  - code\n  ```\n\nProse\n",
      null,
      "- a\n  ```\n  - code\n  ```\n- x [id: ab12]\n\nProse\n",
    ],
    ["into a section", "# T\n\n- a\n\n## S\n\n* c\n\n## U\n", "S", "# T\n\n- a\n\n## S\n\n* c\n* x [id: ab12]\n\n## U\n"],
    ["into an empty section", "# T\n\n## S\n\n## U\n", "S", "# T\n\n## S\n\n- x [id: ab12]\n\n## U\n"],
    ["into a section of prose", "# T\n## S\nProse\n## U\n", "S", "# T\n## S\nProse\n\n- x [id: ab12]\n\n## U\n"],
    [
      "into a new section, before History",
      "# T\n\n## History\n\n- h\n",
      "S",
      "# T\n\n## S\n\n- x [id: ab12]\n\n## History\n\n- h\n",
    ],
    ["before History", "# T\n\n## History\n\n- h\n", null, "# T\n\n- x [id: ab12]\n\n## History\n\n- h\n"],
    ["without a last newline", "# T\n\n- a", null, "# T\n\n- a\n- x [id: ab12]"],
    ["with CRLF", "# T\r\n\r\n- a\r\n", null, "# T\r\n\r\n- a\r\n- x [id: ab12]\r\n"],
    ["behind front matter", "---\na: b\n---\n", null, "---\na: b\n---\n\n- x [id: ab12]\n"],
    ["before code that nobody closed", "# T\n\n```\ncode\n", null, "# T\n\n\n- x [id: ab12]\n\n```\ncode\n"],
  ])("%s", (_, before, section, after) => {
    const edited = insertEntry(doc(before), words("x"), { section });
    expect(out(edited.document)).toBe(after);
    expect(edited.document.entries.find((entry) => entry.line === edited.line)?.text).toBe("x");
  });

  test("under a parent it takes the indent of its siblings", () => {
    expect(out(insertEntry(doc("- a\n    - b\n      more\n- c\n"), words("x"), { parent: 1 }).document)).toBe(
      "- a\n    - b\n      more\n    - x [id: ab12]\n- c\n",
    );
    expect(out(insertEntry(doc("\t- a\n- c\n"), words("x"), { parent: 1 }).document)).toBe("\t- a\n\t\t- x [id: ab12]\n- c\n");
  });

  test("a new file has its title", () => {
    expect(out(insertEntry(newDocument("Priya\nN."), words("x"), { section: null }).document)).toBe(
      "# Priya N.\n\n- x [id: ab12]\n",
    );
  });
});

describe("replacing, removing and moving", () => {
  test("a replaced entry keeps indent, bullet and line end", () => {
    expect(out(replaceEntry(doc("- a\r\n\t* b [k: v]\r\n"), 2, { text: "c [id: zz]" }))).toBe(
      "- a\r\n\t* c [id: zz]. [k: v]\r\n",
    );
    const odd = doc("-   a   [ID:x]  \n");
    expect(out(replaceEntry(odd, 1, { text: "a" }))).toBe("-   a   [ID:x]  \n");
  });

  test("children of a removed entry are outdented with what they hold", () => {
    const text = "- a\n  - b\n    text of b\n      - c\n- d\n";
    expect(out(removeEntries(doc(text), new Set([1])))).toBe("- b\n  text of b\n    - c\n- d\n");
    expect(out(removeEntries(doc(text), new Set([1, 2])))).toBe("    text of b\n- c\n- d\n");
    expect(out(removeEntries(doc(text), new Set([1, 2]), true))).toBe("- c\n- d\n");
  });

  test("closing moves an entry and its children to History and reopening brings them back", () => {
    const text = "# T\n\n- a\n- b\n  - c\n\n  text of b\n- d\n";
    const closed = moveToHistory(doc(text), 4);
    expect(out(closed.document)).toBe("# T\n\n- a\n- d\n\n## History\n\n- b\n  - c\n\n  text of b\n");
    const again = moveAboveHistory(closed.document, closed.line);
    expect(out(again.document)).toBe("# T\n\n- a\n- d\n- b\n  - c\n\n  text of b\n\n## History\n\n");
    expect(again.document.entries.find((entry) => entry.line === again.line)?.text).toBe("b");
  });

  test("a move to another section takes the indent off", () => {
    expect(out(moveToSection(doc("- a\n  - b\n    - c\n## S\n- d\n"), 2, "S").document)).toBe("- a\n## S\n- d\n- b\n  - c\n");
  });

  test("links of a moved file are rewritten outside code", () => {
    const before = linkIndex(["people/sam.md", "MEMORY.md"]);
    const after = linkIndex(["family/sam.md", "MEMORY.md"]);
    expect(
      out(
        relinkDocument(
          doc("- [[sam]] [depends: [[people/sam]]]\n```\n[[sam]]\n```\n"),
          "people/sam.md",
          "family/sam.md",
          before,
          after,
        ),
      ),
    ).toBe("- [[family/sam]] [depends: [[family/sam]]]\n```\n[[sam]]\n```\n");
  });
});

const piece = fc.constantFrom(
  "- a",
  "* b [id: ab12]",
  "  - c",
  "    + d",
  "\t- e",
  "# T",
  "## S",
  "## History",
  "```",
  "text",
  "  more",
  "",
);
const anyText = fc
  .tuple(fc.array(piece, { maxLength: 25 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, end, last]) => lines.join(end) + (last ? end : ""));

describe("any edit of any document", () => {
  test("an insertion keeps every line and adds exactly one entry", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(null, "S", "History", "New"), (text, section) => {
        const before = doc(text);
        const { document, line } = insertEntry(before, words("zzz"), { section });
        const lines = document.lines.map((one) => one.text);
        expect(document.entries.find((entry) => entry.line === line)?.text).toBe("zzz");
        expect(document.entries.length).toBe(before.entries.length + 1);
        const rest = lines.filter((one) => one !== "" && !one.includes("zzz"));
        const expected = before.lines.map((one) => one.text).filter((one) => one !== "");
        if (rest.length > expected.length) rest.splice(rest.indexOf(`## ${section}`), 1);
        expect([...rest].sort()).toEqual([...expected].sort());
        if (section !== null) expect(document.entries.find((entry) => entry.line === line)?.section).toBe(section);
      }),
      { numRuns: 1_500 },
    );
  });

  test("a removal takes one entry, and a move to History and back loses none", () => {
    fc.assert(
      fc.property(anyText, fc.nat(), (text, pick) => {
        const before = doc(text);
        const entry = before.entries[pick % Math.max(1, before.entries.length)];
        if (entry === undefined) return;
        const texts = (document: Document) => document.entries.map((one) => one.text).sort();
        const without = removeEntries(before, new Set([entry.line]));
        expect(texts(without)).toEqual(texts({ ...before, entries: before.entries.filter((one) => one !== entry) }));
        const closed = moveToHistory(before, entry.line);
        expect(texts(closed.document)).toEqual(texts(before));
        expect(closed.document.entries.find((one) => one.line === closed.line)).toMatchObject({
          text: entry.text,
          section: "History",
        });
        expect(texts(moveAboveHistory(closed.document, closed.line).document)).toEqual(texts(before));
      }),
      { numRuns: 1_500 },
    );
  });
});

test("many lines at once read as the same lines one by one, and ten thousand cost no more than one pass", () => {
  const text = (count: number) => `# T\n\n${Array.from({ length: count }, (_, n) => `- Fact ${n}\n`).join("")}`;
  const words = (count: number) =>
    new Map(Array.from({ length: count }, (_, n) => [n + 3, { meta: [["id", `k${n}`]] as const }]));
  const small = parseDocument(text(20));
  let single = small;
  for (const [line, word] of words(20)) single = replaceEntry(single, line, word);
  expect(replaceEntries(small, words(20))).toEqual(single);
  expect(replaceEntries(small, new Map())).toBe(small);
  expect(() => replaceEntries(small, new Map([[1, { text: "no entry" }]]))).toThrow(RangeError);
  const from = performance.now();
  const large = replaceEntries(parseDocument(text(10_000)), words(10_000));
  console.log(`keys for 10,000 lines: ${Math.round(performance.now() - from)} ms`);
  expect(large.entries.at(-1)?.meta).toEqual([["id", "k9999"]]);
});

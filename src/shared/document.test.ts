// Documents against the format's vectors, and byte for byte against themselves.

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDocument, serialiseDocument, subjectOf } from "./document.ts";

interface Vector {
  name: string;
  text: string;
  expect: { entries: { line: number; text: string; section: string | null; parent: number | null }[] };
}
const vectors = JSON.parse(readFileSync(new URL("../../test/vectors/documents.json", import.meta.url), "utf8")) as Vector[];

const entryTexts = (text: string) => parseDocument(text).entries.map((entry) => entry.text);

const piece = fc.constantFrom(
  "- ",
  "* a",
  "+ b [id: ab12]",
  "  - ",
  "    ",
  "\t",
  "# T",
  "## History",
  "```",
  "~~~~",
  "---",
  "===",
  "1. x",
  "> - q",
  "-",
  "#",
  "\n",
  "\r\n",
  "\r",
  "\n\n",
  "\ufeff",
  "\u2028",
  "\0",
  "<<<<<<<",
  "text ",
  "[[x]]",
  " ",
);
const markdownish = fc.array(piece, { maxLength: 60 }).map((parts) => parts.join(""));

describe("a document", () => {
  test.each(vectors)("$name", ({ text, expect: wanted }) => {
    const document = parseDocument(text);
    const entries = document.entries.map(({ line, text: words, section, parent }) => ({ line, text: words, section, parent }));
    expect(entries).toEqual(wanted.entries);
    expect(serialiseDocument(document)).toBe(text);
  });

  test("any text comes back byte for byte", () => {
    fc.assert(
      fc.property(fc.oneof(markdownish, fc.string({ unit: "binary", maxLength: 200 })), (text) => {
        const document = parseDocument(text);
        expect(serialiseDocument(document)).toBe(text);
        for (const entry of document.entries) {
          expect(document.lines[entry.line - 1]?.kind).toBe("entry");
          if (entry.parent !== null) expect(entry.parent).toBeLessThan(entry.line);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test("a fence inside a list item ends with its item", () => {
    expect(entryTexts("- a\n  ```\n  - hidden\n- b\n  - c\n")).toEqual(["a", "b", "c"]);
    expect(entryTexts("1. a\n   ```\n   - hidden\nplain\n- b\n")).toEqual(["b"]);
    expect(entryTexts("- ```\n  - hidden\n- b\n")).toEqual(["```", "b"]);
    expect(entryTexts("- a\n\n  ~~~\n  - hidden\n\n  - hidden too\n  ~~~\n  - c\n")).toEqual(["a", "c"]);
  });

  test("four spaces do not close a fence, and a fence may be shorter than its content", () => {
    expect(entryTexts("```\n    ```\n- hidden\n```\n- a\n")).toEqual(["a"]);
    expect(entryTexts("```\n``` x\n- hidden\n")).toEqual([]);
    expect(entryTexts("    ```\n- a\n")).toEqual(["a"]);
  });

  test("headings are ATX as in CommonMark", () => {
    const headings = (text: string) => parseDocument(text).headings.map((heading) => heading.text);
    expect(headings("# a\n   ## b ##\n### c#\n#\tt\n####### no\n#no\n    # no\n\\# no\n## ##\n")).toEqual([
      "a",
      "b",
      "c#",
      "t",
      "",
    ]);
    expect(headings("Title\n=====\nTitle\n---\n")).toEqual([]);
    expect(entryTexts("Title\n-\n- a\n")).toEqual(["a"]);
  });

  test("front matter needs its second mark", () => {
    expect(entryTexts("---\n- a\n# b\n")).toEqual(["a"]);
    expect(entryTexts("---\r\n- hidden\r\n---\r\n- a\r\n")).toEqual(["a"]);
    expect(entryTexts("\ufeff---\n- hidden\n---\n- a\n")).toEqual(["a"]);
    expect(entryTexts("\n---\n- a\n---\n")).toEqual(["a"]);
  });

  test("the subject is the first heading or the base name in three folders, else the user", () => {
    expect(subjectOf("people/priya.md", parseDocument("## Priya N.\n"))).toBe("Priya N.");
    expect(subjectOf("people/priya.md", parseDocument("- x\n"))).toBe("priya");
    expect(subjectOf("MEMORY.md", parseDocument("# Memory\n"))).toBeNull();
    expect(subjectOf("preferences/food.md", parseDocument("# Food\n"))).toBeNull();
    expect(subjectOf("people/me.md", parseDocument("# Me\n"), new Set(["people/me.md"]))).toBeNull();
  });
});

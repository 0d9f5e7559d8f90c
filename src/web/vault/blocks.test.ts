import { describe, expect, test } from "vitest";
import type { EntryView } from "../../shared/protocol.ts";
import { parseDocument } from "../../shared/document.ts";
import { blocksOf, withLine } from "./blocks.ts";

const TEXT = `---
kind: person
---
# Ana

Mara's sister.

## Family
- Has a daughter
  - Called Inês
## History
- Lives in Braga
`;

const entries = parseDocument(TEXT).entries.map((entry): EntryView => ({
  id: null,
  path: "people/ana.md",
  line: entry.line,
  section: entry.section,
  text: entry.text,
  meta: [],
  state: "open",
  since: null,
  until: null,
  added: null,
  closed: null,
  why: null,
  on: null,
  expires: null,
  slot: null,
  scope: null,
  sources: [],
  replaces: null,
  pin: false,
  toCheck: false,
  uses: 0,
  lastUsed: null,
  chain: "",
}));

describe("a file as blocks", () => {
  test("title, prose, sections and children in their order, History apart, front matter away", () => {
    const { title, sections, history } = blocksOf(TEXT, entries);
    expect(title).toBe("Ana");
    expect(
      sections.map((section) => [
        section.heading,
        section.blocks.map((block) => (block.kind === "line" ? `${block.depth} ${block.entry.text}` : block.text)),
      ]),
    ).toEqual([
      [null, ["Mara's sister."]],
      ["Family", ["0 Has a daughter", "1 Called Inês"]],
    ]);
    expect(history.map((block) => (block.kind === "line" ? block.entry.text : block.text))).toEqual(["Lives in Braga"]);
  });

  test("one line is replaced and no other byte is touched, line ends included", () => {
    const crlf = TEXT.replace(/\n/g, "\r\n");
    const line = entries[0]?.line ?? 0;
    expect(withLine(crlf, line, (old) => `${old}!`)).toBe(crlf.replace("- Has a daughter", "- Has a daughter!"));
    expect(withLine("no end", 1, () => "x")).toBe("x");
    expect(withLine("a\n", 5, () => "x")).toBeNull();
    expect(withLine("a\n", 1, () => null)).toBeNull();
  });
});

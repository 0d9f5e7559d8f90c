import { describe, expect, test } from "vitest";
import type { Root } from "mdast";
import { readWikilink, wikilinks } from "./wikilinks.ts";

describe("links between files", () => {
  test("path, heading and label are trimmed; without a label the last part of the path stands", () => {
    expect(readWikilink(" people/ana | Ana ")).toEqual({ path: "people/ana", heading: null, label: "Ana" });
    expect(readWikilink("people/ana.md")).toEqual({ path: "people/ana.md", heading: null, label: "ana" });
    expect(readWikilink("people/ana#Work|her job")).toEqual({ path: "people/ana", heading: "Work", label: "her job" });
  });

  test("text is split around links, code and other links are left alone", () => {
    const tree: Root = {
      type: "root",
      children: [
        {
          type: "paragraph",
          children: [
            { type: "text", value: "See [[a b]] and [[c|C]]." },
            { type: "inlineCode", value: "[[d]]" },
            { type: "link", url: "https://x.test", children: [{ type: "text", value: "[[e]]" }] },
          ],
        },
      ],
    };
    wikilinks()(tree);
    const paragraph = tree.children[0] as { children: { type: string; url?: string; value?: string }[] };
    expect(paragraph.children.map((child) => child.url ?? child.value)).toEqual([
      "See ", "vault:a%20b", " and ", "vault:c", ".", "[[d]]", "https://x.test",
    ]);
  });
});

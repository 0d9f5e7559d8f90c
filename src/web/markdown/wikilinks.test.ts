import { describe, expect, test } from "vitest";
import type { Root } from "mdast";
import { parseLink } from "../../shared/links.ts";
import { labelOf, wikilinks } from "./wikilinks.ts";

describe("links between files", () => {
  test("without a label the last part of the path stands", () => {
    expect(["a|Ana ", "people/ana", "people/ana.md", "people/ana#Work"].map((inside) => labelOf(parseLink(inside)))).toEqual([
      "Ana",
      "ana",
      "ana",
      "ana",
    ]);
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
      "See ",
      "vault:a%20b",
      " and ",
      "vault:c",
      ".",
      "[[d]]",
      "https://x.test",
    ]);
  });
});

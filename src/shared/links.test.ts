// Links against the format's vectors, and moves that keep every link on its file.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findLinks, linkIndex, resolveLink, rewriteLinks, type ResolvedLink } from "./links.ts";

interface Vector {
  name: string;
  files: string[];
  link: string;
  expect: ResolvedLink;
}
const vectors = JSON.parse(readFileSync(new URL("../../test/vectors/links.json", import.meta.url), "utf8")) as Vector[];

describe("a link", () => {
  test.each(vectors)("$name", ({ files, link, expect: wanted }) => {
    expect(resolveLink(link, files)).toEqual(wanted);
    expect(resolveLink(link, linkIndex([...files].reverse()))).toEqual(wanted);
  });

  test("is found with its place and its trimmed parts", () => {
    const text = "Works with [[ people/omar # Work | Omar ]], not [omar] [depends: [[home]]]";
    const [first, second] = findLinks(text);
    expect(first).toEqual({ from: 11, to: 42, path: "people/omar", heading: "Work", label: "Omar" });
    expect(second && text.slice(second.from, second.to)).toBe("[[home]]");
    expect(findLinks("[[a\nb]] [[[[c]] d]]").map((link) => link.path)).toEqual(["c"]);
  });

  test("ten thousand files and ten thousand links take no walk each", () => {
    const paths = Array.from({ length: 10_000 }, (_, n) => `area-${n % 100}/sub-${n % 7}/topic ${n}.md`);
    const index = linkIndex(paths);
    for (let n = 0; n < 10_000; n += 1) expect(index.resolve(`Topic ${n}`)).toBe(paths[n]);
  });

  test("a path of many parts costs no more than its suffixes", () => {
    const deep = `${"a/".repeat(500)}b.md`;
    expect(linkIndex([deep]).resolve("a/b")).toBe(deep);
  });
});

describe("a move", () => {
  const files = ["MEMORY.md", "people/sam.md", "oven.md"];
  const before = linkIndex(files);

  test("rewrites the links that meant the file, whatever they looked like", () => {
    const after = linkIndex(["MEMORY.md", "family/sam.md", "oven.md"]);
    expect(
      rewriteLinks(
        "[[people/sam.md]] [[Sam#Work|my $& brother]] [[oven]] [[nobody]]",
        "people/sam.md",
        "family/sam.md",
        before,
        after,
      ),
    ).toBe("[[family/sam]] [[family/sam#Work|my $& brother]] [[oven]] [[nobody]]");
  });

  test("keeps the links of other files that the new name would lead astray", () => {
    const after = linkIndex(["MEMORY.md", "people/sam.md", "pets/sam.md"]);
    expect(rewriteLinks("[[Sam]] and [[oven]]", "oven.md", "pets/sam.md", before, after)).toBe("[[people/sam]] and [[pets/sam]]");
  });

  test("keeps .md where the short form means another file", () => {
    const after = linkIndex(["notes", "notes.md"]);
    expect(rewriteLinks("[[old]]", "old.md", "notes.md", linkIndex(["notes", "old.md"]), after)).toBe("[[notes.md]]");
  });
});

import { describe, expect, test } from "vitest";
import { formatSource, isSource, parseSource, sourceWord } from "./source.ts";

describe("sources of the format", () => {
  test.each([
    ["thread/ab12cd34#m9", { kind: "thread", id: "ab12cd34", message: "m9" }, "chat"],
    ["thread/ab12cd34", { kind: "thread", id: "ab12cd34", message: null }, "chat"],
    ["note/n8f2k1x0", { kind: "note", id: "n8f2k1x0" }, "note"],
    ["import/k2#14", { kind: "import", id: "k2", item: "14" }, "import"],
    ["agent/laptop helper", { kind: "agent", name: "laptop helper" }, "laptop helper"],
    ["dream/9f8e7d6c", { kind: "dream", id: "9f8e7d6c" }, "dream"],
    ["https://www.example.org/a;b=1;c:2", { kind: "url", url: "https://www.example.org/a;b=1;c:2" }, "example.org"],
    ["https://ann@shop.example.org:8080/x", { kind: "url", url: "https://ann@shop.example.org:8080/x" }, "shop.example.org"],
  ])("%s", (value, ref, word) => {
    expect(parseSource(value)).toEqual(ref);
    expect(parseSource(` ${value} `)).toEqual(ref);
    expect(formatSource(parseSource(value)!)).toBe(value);
    expect(sourceWord(value)).toBe(word);
    expect(isSource(value)).toBe(true);
  });

  test.each([
    "",
    "thread/",
    "thread/../etc#m1",
    "thread/ab12cd34#",
    "thread/ab12cd34#m9#m10",
    "note/a b",
    "note/ab/cd",
    "agent/",
    "agent/x\u0000",
    "said in the pub",
    "javascript:alert(1)",
    "javascript://x%0Aalert(1)",
    "data://text",
    "https://",
    "https://exa mple.org",
    "https://example.org/]x[",
    `https://example.org/${"a".repeat(3000)}`,
  ])("%j is none", (value) => {
    expect(parseSource(value)).toBeNull();
  });

  test("what is no source says itself in the margin, cut short", () => {
    expect(sourceWord("said in the pub by somebody at night")).toBe("said in the pub by someb");
  });
});

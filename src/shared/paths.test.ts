// Paths and collisions against the format's vectors, and case folding against the engine's own tables.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkPath, findCollisions, foldCase, pathKey } from "./paths.ts";

const read = <T>(name: string) =>
  JSON.parse(readFileSync(new URL(`../../test/vectors/${name}.json`, import.meta.url), "utf8")) as T;
const paths = read<{ name: string; path: string; ok: boolean }[]>("paths");
const collisions = read<{ name: string; paths: string[]; ok: boolean }[]>("collisions");

describe("a path", () => {
  test.each(paths)("$name", ({ path, ok }) => {
    expect(checkPath(path).ok).toBe(ok);
  });

  test.each([
    "git~2",
    "x/GITMOD~4/a.md",
    "gi7eba~9",
    ".gitmodules",
    ".GitModules ",
    ".git\u200d",
    "com¹.md",
    "LPT³",
    "conin$",
    "CONOUT$.md",
    "con .md",
    "a\u0085b.md",
    "a\u2067b.md",
    "x/-y.md",
    "a\ud800.md",
    "people/.",
    "e\u0301.md",
  ])("refuses %j and says why", (path) => {
    const check = checkPath(path);
    expect(check.ok).toBe(false);
    if (!check.ok) expect(check.rule).toMatch(/^["A-Z].*\.$/s);
  });

  test.each(["git~3", "gitmod~5", "gi7eba~10", "com0.md", "a-b.md", "com¹x.md", "xcon.md", ".gitignore", "x.git"])(
    "allows %j",
    (path) => {
      expect(checkPath(path)).toEqual({ ok: true });
    },
  );
});

describe("collisions", () => {
  test.each(collisions)("$name", ({ paths: set, ok }) => {
    expect(findCollisions(set).length === 0).toBe(ok);
  });

  test("folders count, and a file is no folder", () => {
    expect(findCollisions(["People/a.md", "people/b.md"])).toHaveLength(1);
    expect(findCollisions(["people", "people/b.md"])).toHaveLength(1);
    expect(findCollisions(["PEOPLE", "people/b.md"])).toHaveLength(1);
  });

  test("case folding is more than lower case", () => {
    for (const [a, b] of [
      ["Straße", "STRASSE"],
      ["ẞ", "ss"],
      ["ΣΊΣΥΦΟΣ", "σίσυφος"],
      ["ﬁn", "FIN"],
      ["K", "k"],
      ["Ꭰ", "ꭰ"],
      ["ſ", "S"],
    ] as const) {
      expect(pathKey(a)).toBe(pathKey(b));
    }
    expect(pathKey("ı")).not.toBe(pathKey("i"));
  });

  test("a letter and its other cases fold to one form, whatever the letter", () => {
    let count = 0;
    for (let code = 0x80; code < 0x1f000; code += 1) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const char = String.fromCodePoint(code);
      for (const other of [char.toLowerCase(), char.toUpperCase()]) {
        // The engine's own simple folding is the second opinion.
        if (other === char || [...other].length > 1 || !new RegExp(`^${char}$`, "iu").test(other)) continue;
        expect(foldCase(other)).toBe(foldCase(char));
        count += 1;
      }
      expect(foldCase(foldCase(char))).toBe(foldCase(char));
    }
    expect(count).toBeGreaterThan(2_000);
  });
});

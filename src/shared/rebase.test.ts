// The rebase against the format's vectors.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { rebase } from "./rebase.ts";

interface Vector {
  name: string;
  base: Record<string, string>;
  mine: Record<string, string>;
  theirs: Record<string, string>;
  expect: { files?: Record<string, string>; contains?: Record<string, string[]>; lacks?: Record<string, string[]> };
  conflicts: { path: string; entry: string | null; kind: string }[];
}
const vectors = JSON.parse(readFileSync(new URL("../../test/vectors/rebase.json", import.meta.url), "utf8")) as Vector[];
const set = (files: Record<string, string>) => new Map(Object.entries(files));
const linesOf = (text: string | undefined) => (text ?? "").split(/\r?\n/);

describe("the vectors", () => {
  test.each(vectors)("$name", (vector) => {
    const { files, conflicts } = rebase(set(vector.base), set(vector.mine), set(vector.theirs), "2026-10-08");
    if (vector.expect.files) expect(Object.fromEntries(files)).toEqual(vector.expect.files);
    for (const [path, lines] of Object.entries(vector.expect.contains ?? {})) {
      for (const line of lines) expect(linesOf(files.get(path))).toContain(line);
    }
    for (const [path, lines] of Object.entries(vector.expect.lacks ?? {})) {
      for (const line of lines) expect(linesOf(files.get(path))).not.toContain(line);
    }
    const named = (list: { path: string; entry: string | null; kind: string }[]) =>
      new Set(list.map(({ path, entry, kind }) => JSON.stringify([path, entry, kind])));
    expect(named(conflicts)).toEqual(named(vector.conflicts));
  });
});

// The parsed files that are kept: within one budget for all memories of a process, and never one memory's for another.
import { expect, test } from "vitest";
import { parseDocument } from "../../shared/document.ts";
import { keptInAll, ParsedFiles } from "./documents.ts";

const fileOf = (text: string) => ({ text, document: parseDocument(text) });

test("a hundred memories keep no more between them than one", () => {
  const memories = Array.from({ length: 100 }, () => new ParsedFiles());
  for (let version = 0; version < 40; version += 1)
    for (const [n, memory] of memories.entries())
      memory.put(`blob${version}`, fileOf(`# Birds\n\n${"- Saw a bird in the garden\n".repeat(version + 1)}- Garden ${n}\n`));
  const { files, chars } = keptInAll();
  expect(files).toBeLessThanOrEqual(256);
  expect(files).toBeGreaterThan(100);
  expect(chars).toBeLessThanOrEqual(2 * 1024 * 1024);
  // What was used last is there for each of them, and is their own.
  for (const [n, memory] of memories.entries()) expect(memory.get("blob39")?.text).toContain(`Garden ${n}\n`);
});

test("a file of the same name in another memory is not given out", () => {
  const [ana, ben] = [new ParsedFiles(), new ParsedFiles()];
  ana.put("b1", fileOf("- Plays the oboe\n"));
  expect(ben.get("b1")).toBeUndefined();
  ben.put("b1", fileOf("- Plays the cello\n"));
  expect(ana.get("b1")!.text).toContain("oboe");
  expect(ben.get("b1")!.text).toContain("cello");
});

test("one large file pushes out nobody else's", () => {
  const [ana, ben] = [new ParsedFiles(), new ParsedFiles()];
  ana.put("small", fileOf("- Plays the oboe\n"));
  ben.put("large", fileOf(`- ${"x".repeat(600_000)}\n`));
  expect(ben.get("large")).toBeUndefined();
  expect(ana.get("small")).toBeDefined();
});

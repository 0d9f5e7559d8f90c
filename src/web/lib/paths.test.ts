import { expect, test } from "vitest";
import { folderOf, leafName, pathName, summaryText, vaultPath, vaultUrl } from "./paths.ts";

test("the address of a file leads back to it, whatever its name holds", () => {
  for (const path of [
    "MEMORY.md",
    "people/mãe.md",
    "notes/a=b & c.md",
    "notes/100% sure.md",
    "notes/%41.md",
    "notes/#1.md",
    "notes/what.txt",
    "日本/上海.md",
  ]) {
    expect(vaultPath(vaultUrl(path))).toBe(pathName(path));
  }
  expect(vaultPath("/vault")).toBe("");
  expect(vaultPath("/vault/%E0%A4%A")).toBe("%E0%A4%A");
});

test("names as people read them", () => {
  expect([leafName("people/ana.md"), folderOf("people/ana.md"), folderOf("MEMORY.md")]).toEqual(["ana", "people", ""]);
  expect(summaryText("2 lines added, 1 line closed in people/ana.md")).toBe("Two lines added, one closed in people/ana");
});

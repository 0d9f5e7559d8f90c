import { expect, test } from "vitest";
import { treeOf } from "./tree-data.ts";

const files = ["people/ana.md", "forgotten.md", "notes.md", "MEMORY.md", "places/porto.md", "people/mãe.md"].map((path, at) => ({
  path,
  bytes: 1,
  entries: at + 1,
}));

test("MEMORY first, folders, files, forgotten last; a folder counts the lines below it", () => {
  const tree = treeOf(files);
  expect(tree.get("")?.children).toEqual(["MEMORY.md", "people/", "places/", "notes.md", "forgotten.md"]);
  expect(tree.get("people/")).toMatchObject({ name: "people", entries: 7, children: ["people/ana.md", "people/mãe.md"] });
});

test("a filter keeps what it finds and the folders above", () => {
  expect([...treeOf(files, "POR").keys()]).toEqual(["", "places/", "places/porto.md"]);
});

import { expect, test } from "vitest";
import { readPatch } from "./patch.ts";

test("rows carry the numbers of their own side, hunks are parted, heads are left out", () => {
  const patch =
    "--- a/x.md\n+++ b/x.md\n@@ -14,2 +14,2 @@ Home\n - Translates\n-- Lives in Lyon\n+- Lives in Ghent\n@@ -40 +40 @@\n-a\n+b\n\\ No newline at end of file\n";
  expect(readPatch(patch)).toEqual([
    { kind: "same", old: 14, new: 14, text: "- Translates" },
    { kind: "minus", old: 15, new: null, text: "- Lives in Lyon" },
    { kind: "plus", old: null, new: 15, text: "- Lives in Ghent" },
    { kind: "gap", old: null, new: null, text: "" },
    { kind: "minus", old: 40, new: null, text: "a" },
    { kind: "plus", old: null, new: 40, text: "b" },
  ]);
});

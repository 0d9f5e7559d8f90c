// The diff by entry, and the diffs for the eye.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffEntries, diffWords, unifiedDiff, type EntryDiff } from "./diff.ts";

const set = (files: Record<string, string>) => new Map(Object.entries(files));
const counts = (diff: EntryDiff) =>
  Object.fromEntries(Object.entries(diff).flatMap(([kind, list]) => (list.length > 0 ? [[kind, list.length]] : [])));

describe("the diff by entry", () => {
  test("names what was added, changed, closed, reopened, removed and moved", () => {
    const before = set({
      "a.md":
        "# A\n\n- One [id: k001; since: 2025]\n- Two [id: k002]\n- Three [id: k003]\n- Four [id: k004]\n- No id\n\n## History\n\n- Five [id: k005; closed: 2026-01-01; why: changed]\n",
    });
    const after = set({
      "a.md":
        "# A\n\n- One [id: k001; since: 2026; slot: home]\n- Five [id: k005]\n- New [id: k006]\n- no id. [id: k007]\n\n## History\n\n- Two [id: k002; until: 2026-02; closed: 2026-03-01; why: changed]\n",
      "b.md": "- Four [id: k004]\n",
    });
    const diff = diffEntries(before, after);
    expect(counts(diff)).toEqual({ added: 1, changed: 2, closed: 1, reopened: 1, removed: 1, moved: 1 });
    expect(diff.changed[0]).toMatchObject({ text: false, keys: ["since", "slot"], moved: false });
    expect(diff.changed[1]).toMatchObject({ text: true, keys: ["id"] });
    expect(diff.closed[0]).toMatchObject({ keys: ["until", "closed", "why"], moved: true });
    expect(diff.removed[0]?.before?.id).toBe("k003");
    expect(diff.moved[0]?.after?.path).toBe("b.md");
  });

  test("files without a change give nothing, whatever they hold", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("- a", "- a [id: k001]", "## S", "```", "text"), { maxLength: 20 }), (lines) => {
        const text = lines.join("\n");
        expect(counts(diffEntries(set({ "a.md": text }), set({ "a.md": text.replace(/\n/g, "\r\n") })))).toEqual({});
      }),
    );
  });
});

describe("diffs for the eye", () => {
  test("words", () => {
    expect(diffWords("Lives in Paris", "Lives in London")).toEqual([
      { kind: "same", text: "Lives in " },
      { kind: "removed", text: "Paris" },
      { kind: "added", text: "London" },
    ]);
  });

  test("lines, also where the files share nothing", () => {
    expect(unifiedDiff("a.md", "one\ntwo\n", "one\nthree\n")).toContain("-two\n+three\n");
    expect(unifiedDiff("a.md", null, "one\n")).toContain("--- /dev/null");
    const long = (mark: string) => Array.from({ length: 3_000 }, (_, n) => `${mark} ${n}\n`).join("");
    expect(unifiedDiff("a.md", long("a"), long("b"))).toContain("@@ -1,3000 +1,3000 @@\n-a 0\n");
  });
});

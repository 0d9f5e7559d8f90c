import { expect, test } from "vitest";
import type { EntryView } from "../../shared/protocol.ts";
import { differences } from "./past.ts";

const entry = (id: string, text: string, fields: Partial<EntryView> = {}): EntryView => ({
  id,
  path: "MEMORY.md",
  line: 1,
  section: null,
  text,
  meta: [],
  state: "open",
  since: null,
  until: null,
  added: null,
  closed: null,
  why: null,
  on: null,
  expires: null,
  slot: null,
  scope: null,
  sources: [],
  replaces: null,
  pin: false,
  toCheck: false,
  uses: 0,
  lastUsed: null,
  chain: "",
  ...fields,
});

test("what was replaced, closed, reworded, added and forgotten since", () => {
  const lyon = entry("a001", "Lives in Lyon");
  const then = [
    lyon,
    entry("a002", "Reads for Maison Orne"),
    entry("a003", "Swims on Thursday"),
    entry("a004", "Weighs a secret"),
    entry("a005", "Has a cat"),
  ];
  const now = [
    { ...lyon, state: "closed" as const, until: "2026-09", closed: "2026-09-14", why: "changed" },
    entry("b001", "Lives in Braga", { state: "closed", replaces: "a001", until: "2026-10", why: "changed" }),
    entry("b002", "Lives in Ghent", { replaces: "b001", since: "2026-10" }),
    entry("a002", "Reads for Maison Orne", { state: "closed", since: "2022-03", until: "2026-05", why: "changed" }),
    entry("a003", "Swims on Thursdays"),
    entry("a005", "Has a cat"),
    entry("c001", "Looks for a dentist"),
  ];
  expect(
    differences(then, now).map((one) => [
      one.kind,
      "after" in one ? one.after.text : one.before.text,
      "margin" in one ? one.margin : "",
    ]),
  ).toEqual([
    ["changed", "Lives in Ghent", "since Oct 2026"],
    ["closed", "Reads for Maison Orne", "closed May 2026"],
    ["changed", "Swims on Thursdays", "reworded"],
    ["gone", "Weighs a secret", ""],
    ["added", "Looks for a dentist", "added"],
  ]);
});

import { expect, test } from "vitest";
import type { EntryChange, EntryView } from "../../shared/protocol.ts";
import { planRevert } from "./revert-plan.ts";

const change = (fields: Partial<EntryChange>): EntryChange => ({
  verb: "added",
  id: "a001",
  path: "people/ana.md",
  fromPath: null,
  section: null,
  before: null,
  after: "Lives in Porto",
  metaBefore: [],
  metaAfter: [["id", "a001"]],
  state: "open",
  heldBack: false,
  ...fields,
});
const entry = (fields: Partial<EntryView>): EntryView => ({
  id: "a001",
  path: "people/ana.md",
  line: 3,
  section: null,
  text: "Lives in Porto",
  meta: [["id", "a001"]],
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
const plan = (changes: EntryChange[], now: EntryView[], kind: "chat" | "forget" = "chat") =>
  planRevert({ changes, kind }, now).map(({ does, margin }) => `${does}: ${margin}`);

test("a line that came goes away, unless it was changed later or is gone", () => {
  expect(plan([change({})], [entry({})])).toEqual(["back: goes away"]);
  expect(plan([change({})], [entry({ text: "Lives in Lisbon" })])).toEqual(["stays: stays: it was changed later"]);
  expect(plan([change({})], [])).toEqual(["stays: is not there any more"]);
});

test("a later change of another field does not keep a close from going back", () => {
  const closed = change({
    verb: "closed",
    before: "Lives in Porto",
    metaBefore: [["id", "a001"]],
    metaAfter: [
      ["id", "a001"],
      ["closed", "2026-10-02"],
    ],
  });
  const pinned = entry({
    meta: [
      ["id", "a001"],
      ["closed", "2026-10-02"],
      ["pin", "yes"],
    ],
  });
  expect(plan([closed], [pinned])).toEqual(["back: open again"]);
  expect(plan([closed], [entry({})])).toEqual(["stays: stays: it was changed later"]);
});

test("moved lines go back from where they are, forgotten ones never", () => {
  const moved = change({ verb: "moved", before: "Lives in Porto", fromPath: "MEMORY.md", metaBefore: [["id", "a001"]] });
  expect(plan([moved], [entry({})])).toEqual(["back: back to MEMORY"]);
  expect(plan([moved], [entry({ path: "places/porto.md" })])).toEqual(["stays: stays: it was moved later"]);
  expect(plan([change({ heldBack: true })], [entry({})])).toEqual(["held: held back: you asked to forget it"]);
  const removed = change({ verb: "removed", before: "Lives in Porto", after: null, metaAfter: [] });
  expect(plan([removed], [])).toEqual(["back: comes back"]);
  expect(plan([removed], [], "forget")).toEqual(["held: held back: you asked to forget it"]);
});

import { describe, expect, test } from "vitest";
import type { EntryView } from "../../shared/protocol.ts";
import { intervalText, lineState, stateOn, trueOn } from "./line.ts";

const entry = (fields: Partial<EntryView>): EntryView => ({
  id: "k3f9",
  path: "people/ana.md",
  line: 1,
  section: null,
  text: "",
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

describe("a line's state and margin", () => {
  test("wrong outweighs closed, to be checked outweighs open", () => {
    expect(lineState(entry({ state: "closed", why: "wrong" }))).toBe("wrong");
    expect(lineState(entry({ state: "closed", toCheck: true }))).toBe("closed");
    expect(lineState(entry({ toCheck: true }))).toBe("check");
    expect(lineState(entry({ state: "removed" }))).toBe("held");
  });

  test("the margin says dates as exactly as they are known", () => {
    const margins: [Partial<EntryView>, string | null][] = [
      [{ since: "2024-05" }, "since May 2024"],
      [{ state: "upcoming", since: "2027-01" }, "from Jan 2027"],
      [{ state: "upcoming", on: "2026-12-23" }, "on 23 Dec 2026"],
      [{ until: "2027-01-01" }, "until 1 Jan 2027"],
      [{ state: "closed", since: "2019-02", until: "2026-09", closed: "2026-09-14", why: "changed" }, "Feb 2019 – Sep 2026"],
      [{ state: "closed", closed: "2026-09-14", why: "changed" }, "closed 14 Sep 2026"],
      [{ state: "closed", closed: "2026-10-12", why: "wrong" }, "was wrong, 12 Oct 2026"],
      [{ expires: "2027-03" }, "lapses Mar 2027"],
      [{}, null],
    ];
    for (const [fields, text] of margins) expect(intervalText(entry(fields))).toBe(text);
  });

  test("true on a day: from its since, up to but without its until, and never where it was wrong", () => {
    const home = entry({ since: "2024-05", until: "2026-09" });
    expect(["2024-04-30", "2024-05-01", "2026-08-31", "2026-09-01"].map((day) => trueOn(home, day))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(trueOn(entry({ why: "wrong" }), "2026-01-01")).toBe(false);
    expect(trueOn(entry({ closed: "2026-03-01" }), "2026-03-01")).toBe(false);
  });

  test("on another day a line is upcoming, open, past or closed as it was then", () => {
    expect(stateOn(entry({ since: "2027-01" }), "2026-12-31")).toBe("upcoming");
    expect(stateOn(entry({ state: "closed", until: "2026-09", why: "changed" }), "2026-08-31")).toBe("open");
    expect(stateOn(entry({ on: "2026-09" }), "2026-09-30")).toBe("open");
    expect(stateOn(entry({ on: "2026-09" }), "2026-10-01")).toBe("past");
  });
});

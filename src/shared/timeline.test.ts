import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyPlan, timelineOf } from "./apply-plan.ts";
import { firstDay, intervalOf, stateOf, trueOn } from "./clock.ts";
import { HISTORY, type Document, parseDocument, serialiseDocument } from "./document.ts";
import { metaValue, metaValues } from "./entry.ts";
import { normalText } from "./normal.ts";
import { type NewFact, type Plan, type Revision, planClose, planReopen, planRevise, planSave, planTidy } from "./timeline.ts";

const TODAY = "2026-10-05";

interface Vector {
  name: string;
  today: string;
  file: string;
  save?: NewFact & { saidOn: string; newId: string; source?: string };
  revise?: Revision & { id: string; saidOn: string; newId: string };
  reopen?: string;
  expectOpen?: string[];
  expectHistory?: { text: string; since: string | null; until: string | null; why: string | null }[];
  asOf?: { date: string; expect: string[] }[];
}

function planOf(document: Document, { save, revise, reopen, today }: Vector): Plan | null {
  const entries = timelineOf(document);
  if (save) return planSave(entries, save, { saidOn: save.saidOn, today, newId: save.newId, source: save.source ?? null });
  if (revise) return planRevise(entries, revise.id, revise, { saidOn: revise.saidOn, today, newId: revise.newId });
  return reopen ? planReopen(entries, reopen, today) : null;
}

describe("the vectors of the format", () => {
  const vectors = JSON.parse(readFileSync(new URL("../../test/vectors/clocks.json", import.meta.url), "utf8")) as Vector[];
  test.each(vectors)("$name", (vector) => {
    const before = parseDocument(vector.file);
    const plan = planOf(before, vector);
    const after = plan === null ? before : applyPlan(before, plan);
    const texts = (list: { text: string }[]): string[] => list.map(({ text }) => text).sort();
    const inState = (state: string) => after.entries.filter(({ meta }) => stateOf(meta, vector.today) === state);
    if (vector.expectOpen) expect(texts(inState("open"))).toEqual([...vector.expectOpen].sort());
    if (vector.expectHistory) {
      const closed = inState("closed").map(({ text, meta }) => ({
        text,
        since: metaValue(meta, "since") ?? null,
        until: metaValue(meta, "until") ?? null,
        why: metaValue(meta, "why") ?? null,
      }));
      const sorted = (list: typeof closed): string[] => list.map((one) => JSON.stringify(one)).sort();
      expect(sorted(closed)).toEqual(
        sorted(vector.expectHistory.map(({ text, since, until, why }) => ({ text, since, until, why }))),
      );
    }
    for (const { date, expect: expected } of vector.asOf ?? []) {
      expect([date, texts(after.entries.filter(({ meta }) => trueOn(meta, date)))]).toEqual([date, [...expected].sort()]);
    }
    // Nothing is lost, and what the plan closed stands in History.
    for (const { text } of before.entries) expect(texts(after.entries)).toContain(text);
    if (plan && plan.kind !== "refused") {
      for (const { name, move } of plan.patches) {
        const line = timelineOf(after).find((entry) => entry.name === name)!.line;
        const { section } = after.entries.find((entry) => entry.line === line)!;
        if (move !== null) expect(section === HISTORY).toBe(move === "history");
      }
    }
  });
});

// A small memory of one file, for stories.
class Story {
  document: Document;
  private ids = 0;
  constructor(file = "# Ada\n") {
    this.document = parseDocument(file);
  }
  private context(saidOn: string, today: string) {
    return { saidOn, today, newId: `n${String(++this.ids).padStart(3, "0")}`, source: `thread/aa11bb22#m${this.ids}` };
  }
  private apply(plan: Plan): Plan {
    this.document = applyPlan(this.document, plan);
    return plan;
  }
  save(fact: NewFact, saidOn = TODAY, today = saidOn > TODAY ? saidOn : TODAY): Plan {
    return this.apply(planSave(timelineOf(this.document), fact, this.context(saidOn, today)));
  }
  revise(name: string, revision: Revision, saidOn = TODAY): Plan {
    return this.apply(planRevise(timelineOf(this.document), name, revision, this.context(saidOn, TODAY)));
  }
  reopen(name: string): Plan {
    return this.apply(planReopen(timelineOf(this.document), name, TODAY));
  }
  nameOf(text: string): string {
    return timelineOf(this.document).findLast((entry) => entry.text === text)!.name;
  }
  lines(): string[] {
    return this.document.entries.map(({ text, meta }) => {
      const value = (key: string) => metaValue(meta, key) ?? "";
      return `${text} ${value("since")}..${value("until")} ${stateOf(meta, TODAY)}${value("why") && ` ${value("why")}`}`;
    });
  }
}

const home = (text: string, rest: Partial<NewFact> = {}): NewFact => ({ text, slot: "home", ...rest });

describe("saving", () => {
  test("the same fact again adds a source, not a line", () => {
    const story = new Story();
    story.save({ text: "Plays the oboe" });
    const again = story.save({ text: "plays the oboe!" });
    expect(again.kind).toBe("same");
    expect(story.document.entries).toHaveLength(1);
    expect(metaValues(story.document.entries[0]!.meta, "source")).toEqual(["thread/aa11bb22#m1", "thread/aa11bb22#m2"]);
    story.save({ text: "Plays the oboe", on: "2026-10-09" });
    story.save({ text: "Plays the oboe", scope: "band" });
    expect(story.document.entries).toHaveLength(3);
  });

  test("keys stand in the order of the format's table", () => {
    const story = new Story();
    story.save(home("Lives in Linz"), "2026-09-01");
    story.save(home("Lives in Graz", { scope: "", depends: ["[[job]]"] }));
    expect(serialiseDocument(story.document).trimEnd()).toBe(
      "# Ada\n\n- Lives in Graz [id: n002; source: thread/aa11bb22#m2; added: 2026-10-05; since: 2026-10-05; replaces: n001; slot: home; depends: [[job]]]\n\n## History\n\n" +
        "- Lives in Linz [id: n001; source: thread/aa11bb22#m1; added: 2026-09-01; slot: home; until: 2026-10-05; closed: 2026-10-05; why: changed]",
    );
  });

  test("a start that was missing is taken over from the same value, an earlier end too", () => {
    const story = new Story();
    story.save(home("Lives in Linz"));
    story.save(home("Lives in Linz", { since: "2019" }));
    expect(story.lines()).toEqual(["Lives in Linz 2019.. open"]);
    story.save(home("Lives in Linz", { since: "2020", until: "2027" }));
    expect(story.lines()).toEqual(["Lives in Linz 2019..2027 open"]);
    story.save(home("Lives in Linz", { until: "2026-10-01" }));
    expect(story.lines()).toEqual(["Lives in Linz 2019..2026-10-01 closed changed"]);
  });

  test("a fact that gets a slot later is the same fact", () => {
    const story = new Story();
    story.save({ text: "Lives in Linz" });
    expect(story.save(home("Lives in Linz")).kind).toBe("same");
    story.save(home("Lives in Graz", { since: "2026-10-01" }));
    expect(story.lines()).toEqual(["Lives in Graz 2026-10-01.. open", "Lives in Linz ..2026-10-01 closed changed"]);
  });

  test("what ended before it was spoken of goes in front, and the present value stays", () => {
    const story = new Story();
    story.save(home("Lives in Malaga"), "2026-09-01");
    story.save(home("Lived in Cadiz", { until: "2018-07" }));
    expect(story.lines()).toEqual(["Lives in Malaga 2018-07.. open", "Lived in Cadiz ..2018-07 closed changed"]);
    story.save(home("Lived in Jerez", { until: "2011" }));
    expect(story.lines()).toContain("Lived in Cadiz 2011..2018-07 closed changed");
    expect(story.lines()).toContain("Lived in Jerez ..2011 closed changed");
    story.save(home("Lived in Ronda", { until: "2015" }));
    expect(story.lines()).toContain("Lives in Malaga 2018-07.. open");
  });

  test("an end ahead is no close", () => {
    const story = new Story();
    story.save(home("Stays at the guest house", { since: "2026-10-01", until: "2026-11-15" }));
    expect(metaValue(story.document.entries[0]!.meta, "closed")).toBeUndefined();
  });

  test("dates that do not exist and an end before the start are refused, nothing changes", () => {
    const story = new Story("# Ada\n\n- Lives in Linz [id: a1b2; added: 2026-01-01; slot: home]\n");
    for (const dates of [{ since: "2026-02-30" }, { since: "2027", until: "2026" }, { on: "soon" }, { expires: "2026-13" }]) {
      expect(story.save(home("Lives in Graz", dates))).toMatchObject({ kind: "refused", refusal: { code: "bad-format" } });
    }
    expect(story.lines()).toEqual(["Lives in Linz .. open"]);
  });

  test("two open values from other hands are set right by the next save", () => {
    const story = new Story(
      "# Ada\n\n- Lives in Linz [id: a1b2; added: 2020-01-01; since: 2020; slot: home]\n- Lives in Wels [id: c3d4; added: 2022-01-01; since: 2022; slot: home]\n",
    );
    story.save(home("Lives in Graz", { since: "2024" }));
    expect(story.lines()).toEqual([
      "Lives in Graz 2024.. open",
      "Lives in Linz 2020..2022 closed changed",
      "Lives in Wels 2022..2024 closed changed",
    ]);
  });
});

describe("revising", () => {
  test("an announced change that is called off brings back only the end that it gave", () => {
    const story = new Story();
    story.save(home("Lives in Turku", { since: "2024" }));
    story.save(home("Lives in Espoo", { since: "2026-12-01" }));
    story.revise(story.nameOf("Lives in Turku"), { why: "changed", since: "2026-10-01" });
    story.revise(story.nameOf("Lives in Espoo"), { why: "changed" });
    expect(story.lines()).toEqual(["Lives in Turku 2024..2026-10-01 closed changed", "Lives in Espoo 2026-12-01.. closed wrong"]);
  });

  test("an announced change that is corrected and then called off brings back what held before", () => {
    const story = new Story();
    story.save(home("Lives in Turku", { since: "2024" }));
    story.save(home("Lives in Espoo", { since: "2026-12-01" }));
    story.revise(story.nameOf("Lives in Espoo"), { why: "wrong", text: "Lives in Vantaa" });
    expect(story.lines()).toContain("Lives in Vantaa 2026-12-01.. upcoming");
    story.revise(story.nameOf("Lives in Vantaa"), { why: "wrong" });
    expect(story.lines().filter((line) => line.includes("open"))).toEqual(["Lives in Turku 2024.. open"]);
  });

  test("a change on the day it began says that it never was so", () => {
    const story = new Story();
    story.save({ text: "Guitar lessons on Tuesdays", since: "2026-10-05" });
    story.revise("n001", { why: "changed", text: "Guitar lessons on Thursdays" });
    expect(story.lines()).toEqual([
      "Guitar lessons on Thursdays 2026-10-05.. open",
      "Guitar lessons on Tuesdays 2026-10-05.. closed wrong",
    ]);
  });

  test("a correction takes dates, scope, day and pin along; a given date wins", () => {
    const story = new Story(
      "# Ada\n\n- Flies to Oslo [id: a1b2; added: 2026-09-01; scope: trip; pin: yes; on: 2026-11-12; expires: 2026-11-13]\n",
    );
    story.revise("a1b2", { why: "wrong", text: "Flies to Bergen" });
    const { meta } = story.document.entries.find(({ text }) => text === "Flies to Bergen")!;
    expect(["scope", "pin", "on", "expires", "replaces"].map((key) => metaValue(meta, key))).toEqual([
      "trip",
      "yes",
      "2026-11-12",
      "2026-11-13",
      "a1b2",
    ]);
    story.revise(story.nameOf("Flies to Bergen"), { why: "wrong", text: "Flies to Bodø", on: "2026-11-14" });
    expect(metaValue(story.document.entries.find(({ text }) => text === "Flies to Bodø")!.meta, "on")).toBe("2026-11-14");
  });

  test("a correction of an ended value is stored ended", () => {
    const story = new Story();
    story.save(home("Lives in Linz", { since: "2020" }));
    story.save(home("Lives in Graz", { since: "2024" }));
    story.revise(story.nameOf("Lives in Linz"), { why: "wrong", text: "Lives in Leonding" });
    expect(story.lines()).toContain("Lives in Leonding 2020..2024 closed changed");
    expect(story.lines()).toContain("Lives in Graz 2024.. open");
  });

  test("ids that do not exist, entries that were wrong or are closed are refused", () => {
    const story = new Story(
      "# Ada\n\n- A [id: a1b2; why: wrong]\n- B [id: c3d4; until: 2020; closed: 2026-01-01; why: changed]\n",
    );
    expect(story.revise("zzzz", { why: "changed" })).toMatchObject({ refusal: { code: "not-found" } });
    expect(story.revise("a1b2", { why: "changed" })).toMatchObject({ refusal: { code: "conflict" } });
    expect(story.revise("c3d4", { why: "changed" })).toMatchObject({ refusal: { code: "conflict" } });
    expect(planClose(timelineOf(story.document), "c3d4", { saidOn: TODAY, today: TODAY, newId: "n" }).kind).toBe("refused");
  });

  test("an end that was known and comes earlier stays", () => {
    const story = new Story("# Ada\n\n- Rents the plot [id: a1b2; until: 2026-10-07]\n");
    story.revise("a1b2", { why: "changed", since: "2026-11" });
    expect(metaValue(story.document.entries[0]!.meta, "until")).toBe("2026-10-07");
  });
});

describe("reopening", () => {
  test("goes past a correction of the entry that replaced it", () => {
    const story = new Story();
    story.save(home("Lives in Linz", { since: "2020" }));
    story.save(home("Lives in Graz", { since: "2026-09" }));
    story.revise(story.nameOf("Lives in Graz"), { why: "wrong", text: "Lives in Gratkorn" });
    story.reopen(story.nameOf("Lives in Linz"));
    expect(story.lines().sort()).toEqual([
      "Lives in Gratkorn 2026-09.. closed wrong",
      "Lives in Graz 2026-09.. closed wrong",
      "Lives in Linz 2020.. open",
    ]);
  });

  test("of what was wrong cuts the value that had taken its time", () => {
    const story = new Story();
    story.save(home("Lives in Turku", { since: "2026-01" }));
    story.save(home("Lives in Tampere", { since: "2026-05" }));
    story.revise(story.nameOf("Lives in Tampere"), { why: "wrong" });
    story.save(home("Lives in Vaasa", { since: "2026-03" }));
    story.reopen(story.nameOf("Lives in Tampere"));
    expect(story.lines().sort()).toEqual([
      "Lives in Tampere 2026-05.. open",
      "Lives in Turku 2026-01..2026-03 closed changed",
      "Lives in Vaasa 2026-03..2026-05 closed changed",
    ]);
  });

  test("of an open entry, or of none, is refused", () => {
    const story = new Story("# Ada\n\n- A [id: a1b2]\n");
    expect(story.reopen("a1b2")).toMatchObject({ refusal: { code: "conflict" } });
    expect(story.reopen("zzzz")).toMatchObject({ refusal: { code: "not-found" } });
  });

  test("undoes a close", () => {
    const story = new Story("# Ada\n\n- Coaches [id: a1b2; added: 2023-04-01; since: 2023-04]\n");
    const before = serialiseDocument(story.document);
    story.revise("a1b2", { why: "changed" });
    story.reopen("a1b2");
    expect(serialiseDocument(story.document).replace("## History", "").trimEnd()).toBe(before.trimEnd());
  });
});

// The timeline of every slot, as the format promises it.
function checkTimelines(document: Document, today: string): void {
  const timelines = new Map<string, { start: string; end: string }[]>();
  const open = new Map<string, number>();
  for (const { meta } of document.entries) {
    const slot = metaValue(meta, "slot");
    const interval = intervalOf(meta);
    if (slot === undefined || interval === null) continue;
    const key = `${slot} ${metaValue(meta, "scope") ?? ""}`;
    timelines.set(key, [...(timelines.get(key) ?? []), { start: interval.start ?? "", end: interval.end ?? "~" }]);
    if (stateOf(meta, today) === "open") open.set(key, (open.get(key) ?? 0) + 1);
  }
  for (const [key, list] of timelines) {
    list.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.end < b.end ? -1 : 1));
    list.forEach(({ start, end }, at) => {
      expect([key, start <= end]).toEqual([key, true]);
      const next = list[at + 1];
      if (next) expect([key, end, end <= next.start]).toEqual([key, end, true]);
    });
    expect([key, (open.get(key) ?? 0) <= 1]).toEqual([key, true]);
  }
}

describe("whatever is saved, in whatever order", () => {
  const date = fc.constantFrom(
    null,
    null,
    "2018",
    "2020-05",
    "2021-06-15",
    "2024",
    "2024-05-01",
    "2026-10-05",
    "2026-10-06",
    "2026-12",
    "2027",
  );
  const day = fc.constantFrom("2019-02-03", "2024-05-01", "2026-09-30", "2026-10-05");
  const step = fc.record({
    act: fc.constantFrom("save", "save", "save", "changed", "wrong", "end", "never", "reopen"),
    value: fc.constantFrom("Linz", "Graz", "Wels", "Porto"),
    slot: fc.constantFrom("home", "home", "home", "work", null),
    scope: fc.constantFrom(null, null, null, "trip"),
    since: date,
    until: date,
    saidOn: day,
    which: fc.nat(30),
  });

  test("intervals never overlap, at most one value is open, no entry disappears, names stay", () => {
    let acts = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 14 }), (steps) => {
        const story = new Story();
        for (const { act, value, slot, scope, since, until, saidOn, which } of steps) {
          const before = timelineOf(story.document);
          const target = before[which % Math.max(before.length, 1)]?.name ?? "none";
          const dates = { since, until };
          const plan =
            act === "save"
              ? story.save({ text: `Is in ${value}`, slot, scope, ...dates }, saidOn)
              : act === "reopen"
                ? story.reopen(target)
                : story.revise(
                    target,
                    {
                      why: act === "wrong" || act === "never" ? "wrong" : "changed",
                      text: act === "end" || act === "never" ? null : `Is in ${value}`,
                      ...dates,
                    },
                    saidOn,
                  );
          if (plan.kind !== "refused") acts++;
          checkTimelines(story.document, TODAY);
          const after = timelineOf(story.document);
          for (const { name, text } of before) expect(after.some((one) => one.name === name && one.text === text)).toBe(true);
          expect(after.length - before.length).toBe(plan.kind === "new" ? 1 : 0);
          for (const { meta, section } of story.document.entries) {
            if (section === HISTORY) expect(stateOf(meta, TODAY)).toBe("closed");
          }
        }
      }),
      { numRuns: 800 },
    );
    expect(acts).toBeGreaterThan(800);
  });

  test("dated values give one timeline whatever the order in which they are learned", () => {
    const starts = ["2018", "2020-05", "2021-06-15", "2024-05", "2026-09"];
    fc.assert(
      fc.property(fc.shuffledSubarray(starts, { minLength: 2 }), (order) => {
        const story = new Story();
        for (const since of order) story.save(home(`Home of ${since}`, { since }));
        for (const since of order) {
          const values = story.document.entries.filter(({ meta }) => trueOn(meta, firstDay(since)!));
          expect(values.map(({ text }) => text)).toEqual([`Home of ${since}`]);
        }
      }),
    );
  });

  test("what other hands wrote is set right, and then nothing is left to do", () => {
    const entry = fc.record({
      since: date,
      until: date,
      closed: fc.boolean(),
      slot: fc.constantFrom("home", "work"),
      added: day,
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 7 }), (list) => {
        const lines = list
          .filter(({ since, until }) => !since || !until || firstDay(since)! <= firstDay(until)!)
          .map(({ since, until, closed, slot, added }, at) => {
            const keys = [
              `id: e${String(at).padStart(3, "0")}`,
              `added: ${added}`,
              since && `since: ${since}`,
              until && `until: ${until}`,
              closed && `closed: ${added}`,
              `slot: ${slot}`,
            ];
            return `- Value ${at} [${keys.filter(Boolean).join("; ")}]`;
          });
        let document = parseDocument(`# Ada\n\n${lines.join("\n")}\n`);
        const patches = planTidy(timelineOf(document), TODAY);
        document = applyPlan(document, { kind: "changed", name: "", patches });
        expect(document.entries).toHaveLength(lines.length);
        checkTimelines(document, TODAY);
        expect(planTidy(timelineOf(document), TODAY)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test("reopening the value that was just replaced brings the file's facts back", () => {
    fc.assert(
      fc.property(fc.constantFrom("2018", null), fc.constantFrom("2024", "2026-10-01", null), (since, next) => {
        const story = new Story();
        story.save(home("Lives in Linz", { since }), "2023-01-01");
        story.save(home("Lives in Graz", { since: next }));
        story.reopen(story.nameOf("Lives in Linz"));
        expect(story.lines()[0]).toBe(`Lives in Linz ${since ?? ""}.. open`);
        expect(normalText(story.lines()[1]!)).toContain("closed wrong");
      }),
    );
  });
});

// A model that means harm, or is broken: whatever it does, the user's facts stand, forgotten ones stay out, the cost is bounded, and what
// it did not work off waits for the next dream.
import { describe, expect, it } from "vitest";
import { DREAM_MAX_STEPS, DREAM_MAX_TOKENS, DREAM_MAX_USD } from "../../shared/limits.ts";
import { answer, FINISH, fakeWorld, line, type FakeWorld, type Script } from "../../../test/lib/dream-fakes.ts";
import { BEHAVIOURS, FORGOTTEN, LINES, PINNED, SAID, THREAD_REF as T, TYPED } from "../../../test/lib/hostile-dreams.ts";
import { coverage, dropped } from "./grounds.ts";
import { Dreams } from "./dreams.ts";
import { dreamLimit, weekLimit } from "./land.ts";

function world(script: Script): FakeWorld {
  const made = fakeWorld(script);
  made.memory.lines = LINES.map(({ id, path, text, source, slot }) =>
    line(id, path, text, { typed: TYPED.includes(id), pin: id === PINNED, sources: [source], ...(slot ? { slot } : {}) }),
  );
  made.memory.forgotten = [FORGOTTEN];
  const at = Date.UTC(2026, 9, 4, 18);
  SAID.forEach(({ text, pasted }, n) =>
    made.inbox.say(`${T}#m${2 * n + 1}`, text, at + n * 60_000, pasted ? { untyped: [pasted] } : {}),
  );
  return made;
}

async function dreamOnce(made: FakeWorld, dreams: Dreams): Promise<string> {
  const { id } = dreams.request({ trigger: "user" });
  await dreams.idle();
  made.clock.now += 3_600_000;
  return id;
}

function check(made: FakeWorld): void {
  for (const id of TYPED) expect(made.memory.entry(id), `the typed line ${id}`).toMatchObject({ state: "open" });
  expect(made.memory.entry("pppp0001")).toMatchObject({ state: "open", path: "MEMORY.md", text: "Blood type is 0 negative" });
  const originals = world(() => answer([FINISH])).memory.lines;
  const now = made.memory.lines.map(({ text }) => text);
  for (const old of originals) {
    expect(dropped([old.text], now), `what “${old.text}” says`).toEqual([]);
    const same = made.memory.lines.find(({ id }) => id === old.id);
    if (same) for (const source of old.sources) expect(same.sources).toContain(source);
  }
  for (const one of made.memory.lines) expect(coverage(FORGOTTEN, [one.text]), one.text).toBeLessThan(0.8);
  for (const one of made.memory.lines.filter(({ path }) => path === "MEMORY.md"))
    expect(one.text).not.toMatch(/evil|every reply/i);
}

describe("a hostile model", () => {
  it.each(Object.entries(BEHAVIOURS))("%s", async (_, { script, waits }) => {
    const made = world(script);
    made.inbox.messages.push({
      ref: `${T}#m90`,
      role: "assistant",
      at: 0,
      zone: "UTC",
      text: "You love walnuts.",
      untyped: [],
      learn: true,
    });
    const dreams = new Dreams(made.deps);
    const id = await dreamOnce(made, dreams);
    const view = dreams.view(id);
    expect(view.endedAt).not.toBeNull();
    expect(view.calls).toBeLessThanOrEqual(DREAM_MAX_STEPS);
    check(made);
    if (waits) {
      const states = ["m1", "m3", "m5", "m7"].map((m) => made.store.item(`${T}#${m}`)!);
      expect(
        states.every(
          ({ state, outcome }) => state === "new" || (state === "settled" && outcome === "landed") || outcome === "proposed",
        ),
        JSON.stringify(states),
      ).toBe(true);
    }
    // And again until nothing waits: what a batch does three times is set aside and shown, never lost.
    for (let n = 0; n < 8; n += 1) await dreamOnce(made, dreams);
    check(made);
    for (const m of ["m1", "m3", "m5", "m7"]) expect(made.store.item(`${T}#${m}`)).not.toBeNull();
    const calls = made.calls.length;
    await dreamOnce(made, dreams);
    expect(made.calls.length, "an unchanged inbox costs nothing").toBe(calls);
  });

  it("has at least thirty behaviours", () => expect(Object.keys(BEHAVIOURS).length).toBeGreaterThanOrEqual(30));

  it("is stopped before the money or the tokens of a dream are spent twice over", async () => {
    for (const name of ["reports a huge price", "uses up the tokens"]) {
      const made = world(BEHAVIOURS[name]!.script);
      const dreams = new Dreams(made.deps);
      const view = dreams.view(await dreamOnce(made, dreams));
      expect(view.calls).toBeLessThanOrEqual(name === "reports a huge price" ? 1 : Math.ceil(DREAM_MAX_TOKENS / 60_000));
      expect(DREAM_MAX_USD).toBeLessThan(1);
    }
  });

  it("that takes a tenth in every dream for a month takes at most a fifth a week, and nothing that the user typed", async () => {
    const made = world(() => answer([FINISH]));
    let day = 0;
    made.script = (_, n) => {
      const open = made.memory.lines.filter(({ state, typed, pin }) => state === "open" && !typed && !pin);
      return answer(
        n % 2 === 1
          ? open
              .slice(0, Math.max(1, Math.floor(open.length * 0.1)))
              .map(({ id }): [string, unknown] => ["retire", { id, reason: "Old." }])
          : [FINISH],
      );
    };
    const dreams = new Dreams(made.deps);
    for (; day < 30; day += 1) {
      const before = made.memory.openCount();
      for (let n = 0; n < 3; n += 1) {
        made.inbox.say(`${T}#m${1000 + day * 10 + n}`, `Nothing much on day ${day}, part ${n}.`, made.clock.now);
        await dreamOnce(made, dreams);
      }
      expect(before - made.memory.openCount()).toBeLessThanOrEqual(3 * dreamLimit(before));
      made.clock.now += 21 * 3_600_000;
      const weekAgo = made.clock.now - 7 * 86_400_000;
      const taken = made.store
        .dreams(500)
        .filter(({ startedAt }) => startedAt >= weekAgo)
        .reduce((sum, row) => sum + row.taken, 0);
      expect(taken).toBeLessThanOrEqual(weekLimit(26));
    }
    check(made);
  });
});

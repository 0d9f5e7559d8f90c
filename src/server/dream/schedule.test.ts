import { describe, expect, it } from "vitest";
import { answer, FINISH, fakeWorld, line } from "../../../test/lib/dream-fakes.ts";
import { Dreams } from "./dreams.ts";
import { nextDue, retryWait } from "./schedule.ts";

const settings = { mode: "automatic" as const, everyHours: 4, nightly: true, zone: "Europe/Brussels" };
const at = (iso: string): number => Date.parse(iso);
const due = (last: string, more: Partial<typeof settings> = {}, fails = 0, failedAt = 0): string =>
  new Date(nextDue({ last: at(last), fails, failedAt }, { ...settings, ...more })).toISOString();

describe("when a dream is due", () => {
  it("comes every so many hours", () => expect(due("2026-10-05T10:00:00Z")).toBe("2026-10-05T14:00:00.000Z"));
  it("and at the user's 03:00", () => expect(due("2026-10-05T23:30:00Z")).toBe("2026-10-06T01:00:00.000Z"));
  it("in the user's zone", () =>
    expect(due("2026-10-05T10:00:00Z", { everyHours: 168, zone: "Asia/Kolkata" })).toBe("2026-10-05T21:30:00.000Z"));
  it("across the night in which the clock goes forward", () =>
    expect(due("2026-03-28T20:00:00Z", { everyHours: 168 })).toBe("2026-03-29T01:00:00.000Z"));
  it("across the night in which the clock goes back", () =>
    expect(due("2026-10-24T20:00:00Z", { everyHours: 168 })).toBe("2026-10-25T02:00:00.000Z"));
  it("once in that night, though 02:30 comes twice", () =>
    expect(due("2026-10-25T02:00:00Z", { everyHours: 168 })).toBe("2026-10-26T02:00:00.000Z"));
  it("only every so many hours where the night is switched off", () =>
    expect(due("2026-10-05T23:30:00Z", { nightly: false })).toBe("2026-10-06T03:30:00.000Z"));
  it("once a day, to let proposals lapse, where dreams are off", () =>
    expect(due("2026-10-05T10:00:00Z", { mode: "off" as never })).toBe("2026-10-06T10:00:00.000Z"));
  it("later after a failure, and later still after several", () => {
    expect([0, 1, 2, 3, 4, 5, 6, 20].map((n) => retryWait(n) / 3_600_000)).toEqual([0, 1, 2, 4, 8, 16, 24, 24]);
    expect(due("2026-10-05T10:00:00Z", {}, 5, at("2026-10-05T10:01:00Z"))).toBe("2026-10-06T02:01:00.000Z");
  });
});

describe("the alarm", () => {
  it("calls the model at most once an hour while every call fails, and shows the failure", async () => {
    const world = fakeWorld(() => {
      throw new Error("nobody expects this");
    });
    const quiet = console.error;
    console.error = () => undefined;
    const dreams = new Dreams(world.deps);
    dreams.recover();
    const calls: number[] = [];
    for (let n = 0; n < 100; n += 1) {
      world.inbox.say(`thread/ab12cd34#m${n * 2 + 1}`, `Something new, number ${n}.`, world.clock.now);
      const before = world.calls.length;
      dreams.tick();
      await dreams.idle();
      if (world.calls.length > before) calls.push(world.clock.now);
      world.clock.now = Math.max(world.wakes.at(-1)!, world.clock.now + 1);
    }
    console.error = quiet;
    expect(calls.length).toBeGreaterThan(50);
    expect(calls.slice(1).every((time, n) => time - calls[n]! >= 3_600_000)).toBe(true);
    expect(dreams.list({ limit: 1 }).items[0]).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("Nothing was changed") },
    });
    expect(world.wakes.at(-1)).toBeGreaterThan(world.clock.now - 1);
  });

  it("never throws, and arms itself again, when the rows themselves fail", () => {
    const world = fakeWorld();
    const quiet = console.error;
    console.error = () => undefined;
    const dreams = new Dreams({
      ...world.deps,
      store: new Proxy(world.store, {
        get: () => () => {
          throw new Error("disk");
        },
      }),
    });
    for (let n = 0; n < 100; n += 1) expect(() => dreams.tick()).not.toThrow();
    console.error = quiet;
    expect(world.wakes).toHaveLength(100);
    expect(world.wakes.every((time) => time >= world.clock.now + 3_600_000)).toBe(true);
  });

  it("stays quiet when nothing is new, and begins once something is", async () => {
    const world = fakeWorld(() => answer([FINISH]));
    const dreams = new Dreams(world.deps);
    dreams.recover();
    for (let n = 0; n < 20; n += 1) {
      world.clock.now = world.wakes.at(-1)!;
      dreams.tick();
      await dreams.idle();
    }
    expect([world.calls.length, world.store.dreams(5).length, world.memory.commits.length]).toEqual([0, 0, 0]);
    world.inbox.say("thread/ab12cd34#m1", "I moved to Ghent.", world.clock.now);
    world.clock.now = world.wakes.at(-1)!;
    dreams.tick();
    await dreams.idle();
    expect(world.calls.length).toBe(1);
    expect(world.store.dreams(1)[0]).toMatchObject({ trigger: "alarm" });
  });

  it("stays quiet where the rules want what the gate refuses", async () => {
    const world = fakeWorld();
    world.memory.lines = [line("aaaa0001", "MEMORY.md", "Likes tea"), line("aaaa0002", "MEMORY.md", "likes tea")];
    world.memory.judge = () => ({ outcome: { ok: false, code: "too-large", message: "The file is full." }, changes: [] });
    const dreams = new Dreams(world.deps);
    dreams.recover();
    for (let n = 0; n < 20; n += 1) {
      world.clock.now = world.wakes.at(-1)!;
      dreams.tick();
      await dreams.idle();
    }
    expect(world.store.dreams(5)).toHaveLength(0);
  });

  it("is due again after a clock that was ahead for a day, or for a year, has been set back", async () => {
    for (const days of [1, 365]) {
      const world = fakeWorld(() => answer([FINISH]));
      const dreams = new Dreams(world.deps);
      const right = world.clock.now;
      world.clock.now = right + days * 86_400_000;
      dreams.recover();
      world.store.set("fails", "3");
      world.store.set("failed-at", String(world.clock.now));
      world.clock.now = right;
      world.inbox.say("thread/ab12cd34#m1", "I moved to Ghent.", right);
      dreams.tick();
      for (let looks = 0; looks < 10 && world.calls.length === 0; looks += 1) {
        world.clock.now = Math.max(world.wakes.at(-1)!, world.clock.now + 60_000);
        dreams.tick();
        await dreams.idle();
      }
      expect(world.calls.length).toBe(1);
      expect(world.clock.now - right).toBeLessThanOrEqual(4 * 3_600_000 + 60_000);
    }
  });

  it("stays the user's 03:00 over a whole year of clock changes, once each night", () => {
    for (const zone of ["Europe/Brussels", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"]) {
      let last = Date.parse("2026-01-01T12:00:00Z");
      const nights = new Set<string>();
      for (let n = 0; n < 365; n += 1) {
        const next = nextDue({ last, fails: 0, failedAt: 0 }, { ...settings, everyHours: 168, zone });
        const shown = new Intl.DateTimeFormat("en-GB", { timeZone: zone, dateStyle: "short", timeStyle: "short" }).format(next);
        expect(shown, zone).toMatch(/, 03:/);
        nights.add(shown.split(",")[0]!);
        last = next;
      }
      expect(nights.size).toBe(365);
    }
  });

  it("does nothing while dreams are off or memory is not written to", async () => {
    const world = fakeWorld();
    world.inbox.say("thread/ab12cd34#m1", "I moved to Ghent.", world.clock.now);
    const dreams = new Dreams(world.deps);
    dreams.recover();
    for (const change of [{ mode: "off" as const }, { mode: "automatic" as const, memory: "read-only" as const }]) {
      Object.assign(world.settings, change);
      world.clock.now += 2 * 86_400_000;
      dreams.tick();
      await dreams.idle();
    }
    expect(world.store.dreams(5)).toHaveLength(0);
    expect(() => dreams.request({ trigger: "user" })).toThrow(/not being written/);
  });
});

// A dream that is killed at any of its steps comes to the same end as one that is not, and pays for no stored answer twice.
import { describe, expect, it } from "vitest";
import { answer, FINISH, fakeWorld, line, type FakeWorld } from "../../../test/lib/dream-fakes.ts";
import { Dreams } from "./dreams.ts";
import type { DreamDeps } from "./types.ts";

const T = "thread/ab12cd34";

function build(): FakeWorld {
  const world = fakeWorld((call) => {
    const step = call.messages.filter(({ role }) => role === "assistant").length;
    if (step === 0)
      return answer([
        ["search", { query: "Ana Porto" }],
        ["read", { path: "people/ana.md" }],
      ]);
    if (step === 1)
      return answer([
        ["add", { path: "people/ana.md", text: "Ana sings in a choir", sources: [`${T}#m1`] }],
        ["move", { id: "aaaa0002", path: "health.md" }],
      ]);
    if (step === 2)
      return answer([
        ["retire", { id: "aaaa0003", reason: "Sold.", sources: [`${T}#m3`] }],
        ["add", { path: "a.md", text: "Nobody said this", sources: [`${T}#m1`] }],
      ]);
    return answer([FINISH]);
  });
  world.memory.lines = [
    line("aaaa0001", "people/ana.md", "Ana lives in Porto"),
    line("aaaa0002", "MEMORY.md", "Allergic to walnuts"),
    line("aaaa0003", "MEMORY.md", "Owns a red bicycle", { typed: true }),
    line("aaaa0004", "MEMORY.md", "Likes rye bread", { sources: [`${T}#m8`] }),
    line("aaaa0005", "MEMORY.md", "Likes rye bread", { sources: [`${T}#m9`] }),
  ];
  world.inbox.say(`${T}#m1`, "Ana sings in a choir now.", Date.UTC(2026, 9, 4, 8));
  world.inbox.say(`${T}#m3`, "I sold the red bicycle.", Date.UTC(2026, 9, 4, 9));
  return world;
}

class Killed extends Error {}

/** The same world, seen by an object that dies at its k-th write; `before` = the write is lost with it. */
function mortal(world: FakeWorld, k: number, before: boolean): { deps: DreamDeps; writes: string[]; dead: () => boolean } {
  let dead = false;
  const writes: string[] = [];
  const mutates = /^(?:save|set$|add|drop|write|replace)/;
  const guard = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, name) {
        const value = Reflect.get(object, name) as unknown;
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (dead) throw new Killed();
          const writing = mutates.test(String(name));
          if (writing) writes.push(String(name));
          if (writing && writes.length === k && before) {
            dead = true;
            throw new Killed();
          }
          const result = (value as (...all: unknown[]) => unknown).apply(object, args);
          if (writing && writes.length === k) {
            dead = true;
            throw new Killed();
          }
          return result;
        };
      },
    });
  const deps: DreamDeps = {
    ...world.deps,
    store: guard(world.store),
    memory: guard(world.memory),
    model: (call) => (dead ? new Promise(() => undefined) : world.deps.model(call)),
  };
  return { deps, writes, dead: () => dead };
}

function outcome(world: FakeWorld): unknown {
  const lines = world.memory.lines
    .map(({ id: _id, meta, ...rest }) => ({ ...rest, meta: meta.filter(([key]) => key !== "id") }))
    .sort((a, b) => a.text.localeCompare(b.text));
  return {
    lines,
    commits: world.memory.commits.length,
    items: ["m1", "m3"].map((m) => world.store.item(`${T}#${m}`)!).map(({ state, outcome: what }) => ({ state, what })),
  };
}

describe("a dream that is killed and resumed", () => {
  it("ends as the one that was not, at every one of its writes", async () => {
    const quiet = console.error;
    console.error = () => undefined;
    try {
      const plain = build();
      const whole = mortal(plain, -1, false);
      const dreams = new Dreams(whole.deps);
      dreams.request({ trigger: "user" });
      await dreams.idle();
      const expected = outcome(plain);
      const calls = plain.calls.length;
      expect(plain.memory.commits).toHaveLength(1);
      expect(whole.writes.length).toBeGreaterThanOrEqual(12);

      let points = 0;
      for (let k = 1; k <= whole.writes.length; k += 1) {
        for (const before of [true, false]) {
          const world = build();
          const first = mortal(world, k, before);
          const dying = new Dreams(first.deps);
          try {
            dying.request({ trigger: "user" });
          } catch (error) {
            expect(error).toBeInstanceOf(Killed);
          }
          await dying.idle();
          expect(first.dead(), `write ${k} was reached`).toBe(true);
          const row = world.store.dreams(1)[0];
          // Only an answer that was not stored yet may be asked for again.
          const lost = row && row.endedAt === null ? world.calls.length - world.store.steps(row.id).length : 0;
          const next = new Dreams(world.deps);
          next.recover();
          if (!world.store.active() && world.store.dreams(1).length === 0) next.request({ trigger: "user" });
          for (let look = 0; look < 3; look += 1) {
            next.tick();
            await next.idle();
          }
          const where = `${before ? "before" : "after"} write ${k} (${first.writes[k - 1]})`;
          expect(outcome(world), where).toEqual(expected);
          expect(lost).toBeLessThanOrEqual(1);
          expect(world.calls.length, where).toBe(calls + lost);
          points += 1;
        }
      }
      console.log(`killed at ${points} points, each resumed to the same end`);
    } finally {
      console.error = quiet;
    }
  });

  it("asks the model again only where its answer had not come", async () => {
    const world = build();
    const script = world.script;
    let hang = true;
    world.script = (call, n) => (hang && n === 2 ? new Promise(() => undefined) : script(call, n));
    const dying = new Dreams(world.deps);
    dying.request({ trigger: "user" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(world.calls).toHaveLength(2);
    hang = false;
    // The object is gone; a new one finds the dream, whose lease was the old one's.
    const next = new Dreams(world.deps);
    next.recover();
    next.tick();
    await next.idle();
    expect(world.memory.commits).toHaveLength(1);
    expect(world.calls).toHaveLength(5);
  });

  it("runs once, however often its alarm rings", async () => {
    for (const rings of [2, 5]) {
      const world = build();
      const dreams = new Dreams(world.deps);
      dreams.dueAt();
      world.clock.now += 5 * 3_600_000;
      for (let n = 0; n < rings; n += 1) dreams.tick();
      await dreams.idle();
      for (let n = 0; n < rings; n += 1) {
        dreams.tick();
        await dreams.idle();
      }
      expect(world.memory.commits).toHaveLength(1);
      expect(world.store.dreams(10)).toHaveLength(1);
      expect(world.calls).toHaveLength(4);
    }
  });

  it("hands over to its next alarm before a shift ends, and goes on there", async () => {
    const world = build();
    const script = world.script;
    world.script = (call, n) => {
      world.clock.now += 4 * 60_000;
      return script(call, n);
    };
    const dreams = new Dreams(world.deps);
    const { id } = dreams.request({ trigger: "user" });
    await dreams.idle();
    expect(dreams.view(id).status).toBe("running");
    expect(world.wakes.at(-1)).toBeLessThanOrEqual(world.clock.now);
    dreams.tick();
    await dreams.idle();
    expect(dreams.view(id).status).toBe("landed");
    expect(world.calls).toHaveLength(4);
  });
});

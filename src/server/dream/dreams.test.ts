import { describe, expect, it } from "vitest";
import { answer, FINISH, fakeWorld, line } from "../../../test/lib/dream-fakes.ts";
import { Dreams } from "./dreams.ts";

const T = "thread/ab12cd34";

describe("a dream", () => {
  it("lands what the messages say and the memory does not, in one commit that cites them", async () => {
    const world = fakeWorld((_, n) =>
      n === 1
        ? answer([
            ["add", { path: "people/ana.md", text: "Ana is a nurse in Porto", sources: [`${T}#m1`], reason: "Said in passing." }],
          ])
        : answer([FINISH]),
    );
    world.inbox.say(`${T}#m1`, "My sister Ana is a nurse, she works in Porto.", Date.UTC(2026, 9, 4, 20));
    const dreams = new Dreams(world.deps);
    const { id } = dreams.request({ trigger: "user" });
    await dreams.idle();
    const detail = dreams.detail(id);
    expect(detail.status).toBe("landed");
    expect(world.memory.commits).toHaveLength(1);
    expect(world.memory.lines.find(({ path }) => path === "people/ana.md")).toMatchObject({
      text: "Ana is a nurse in Porto",
      sources: [`${T}#m1`],
      added: "2026-10-04",
    });
    expect(detail.items).toMatchObject([{ ref: `${T}#m1`, state: "settled", outcome: "landed" }]);
    expect(detail.calls).toBe(2);
    expect(detail.changes[0]).toMatchObject({ status: "landed", reason: "Said in passing.", evidence: [`${T}#m1`] });
  });

  it("costs nothing and commits nothing when nothing is new, however often it is asked", async () => {
    const world = fakeWorld();
    world.memory.lines = [line("aaaa1111", "MEMORY.md", "Lives in Lyon")];
    const dreams = new Dreams(world.deps);
    for (let n = 0; n < 10; n += 1) {
      const { id } = dreams.request({ trigger: "user" });
      await dreams.idle();
      expect(dreams.view(id).status).toBe("nothing");
    }
    expect(world.calls).toHaveLength(0);
    expect(world.memory.commits).toHaveLength(0);
  });

  it.each([
    ["the same words", "Is allergic to walnuts", "changed"],
    ["other small words", "Allergic to walnuts", "changed"],
    ["what was never true", "Is allergic to walnuts", "wrong"],
  ] as const)("never brings back what was closed after it was said: %s", async (_, text, why) => {
    const world = fakeWorld((_, n) =>
      n === 1 ? answer([["add", { path: "MEMORY.md", text, sources: [`${T}#m1`], reason: "" }]]) : answer([FINISH]),
    );
    world.memory.lines = [
      line("aaaa1111", "MEMORY.md", "Is allergic to walnuts", {
        sources: [`${T}#m1`, `${T}#m3`],
        added: "2026-10-04",
        state: "closed",
        closed: "2026-10-04",
        why,
      }),
    ];
    world.inbox.say(`${T}#m1`, "I'm allergic to walnuts.", Date.UTC(2026, 9, 4, 19));
    world.inbox.say(`${T}#m3`, "I'm not allergic to walnuts anymore.", Date.UTC(2026, 9, 4, 20));
    const dreams = new Dreams(world.deps);
    const { id } = dreams.request({ trigger: "user" });
    await dreams.idle();
    expect(dreams.view(id).status).toBe("nothing");
    expect(world.memory.lines).toHaveLength(1);
  });

  it("adds what is said anew after it was closed", async () => {
    const world = fakeWorld((_, n) =>
      n === 1
        ? answer([["add", { path: "MEMORY.md", text: "Is allergic to walnuts", sources: [`${T}#m5`], reason: "" }]])
        : answer([FINISH]),
    );
    world.memory.lines = [
      line("aaaa1111", "MEMORY.md", "Is allergic to walnuts", { sources: [`${T}#m1`], state: "closed", closed: "2026-10-02" }),
    ];
    world.inbox.say(`${T}#m5`, "I'm allergic to walnuts again.", Date.UTC(2026, 9, 4, 20));
    const dreams = new Dreams(world.deps);
    dreams.request({ trigger: "user" });
    await dreams.idle();
    expect(world.memory.lines.filter(({ state }) => state !== "closed")).toMatchObject([{ text: "Is allergic to walnuts" }]);
  });

  it("joins equal lines without a model", async () => {
    const world = fakeWorld();
    world.memory.lines = [
      line("aaaa1111", "MEMORY.md", "Allergic to walnuts", { sources: [`${T}#m1`], added: "2026-02-01" }),
      line("bbbb2222", "about/health.md", "allergic to walnuts!", { sources: [`${T}#m9`], added: "2026-01-01" }),
      line("cccc3333", "MEMORY.md", "[[about/health]]"),
    ];
    const dreams = new Dreams(world.deps);
    const { id } = dreams.request({ trigger: "user" });
    await dreams.idle();
    expect(dreams.view(id)).toMatchObject({ status: "landed", calls: 0, counts: { merged: 1 } });
    expect(world.memory.entry("bbbb2222")?.sources).toEqual([`${T}#m9`, `${T}#m1`]);
    expect(world.memory.entry("aaaa1111")).toBeNull();
    dreams.request({ trigger: "user" });
    await dreams.idle();
    expect(world.memory.commits).toHaveLength(1);
  });

  it("gives a second request the dream that runs", async () => {
    let release = (): void => undefined;
    const world = fakeWorld(async (_, n) => {
      if (n === 1) await new Promise<void>((resolve) => (release = resolve));
      return answer([FINISH]);
    });
    world.inbox.say(`${T}#m1`, "I moved to Ghent.", world.clock.now);
    const dreams = new Dreams(world.deps);
    const first = dreams.request({ trigger: "user" });
    await Promise.resolve();
    await Promise.resolve();
    expect(dreams.request({ trigger: "user" }).id).toBe(first.id);
    dreams.tick();
    dreams.tick();
    await new Promise((resolve) => setImmediate(resolve));
    release();
    await dreams.idle();
    expect(world.calls).toHaveLength(1);
  });
});

import { describe, expect, it } from "vitest";
import type { ModelAnswer } from "../model/types.ts";
import { answer, FINISH, fakeWorld, line, type FakeWorld } from "../../../test/lib/dream-fakes.ts";
import { Dreams } from "./dreams.ts";
import { dreamLimit, weekLimit } from "./land.ts";
import type { DreamEntry } from "./types.ts";

const T = "thread/ab12cd34";

function world(lines: DreamEntry[], calls: [string, unknown][]): FakeWorld {
  const made = fakeWorld((_, n): ModelAnswer => answer(n === 1 ? calls : [FINISH]));
  made.memory.lines = lines;
  made.inbox.say(`${T}#m1`, "We talked about kites, boats and cars. I sold the red bicycle.", Date.UTC(2026, 9, 4, 8));
  return made;
}

const many = (count: number, more: Partial<DreamEntry> = {}): DreamEntry[] =>
  Array.from({ length: count }, (_, at) =>
    line(`bbbb${String(at).padStart(4, "0")}`, "imported.md", `Fact with word${at}`, { added: "2026-10-01", ...more }),
  ).concat(line("iiii0001", "MEMORY.md", "[[imported]]"));

async function dream(made: FakeWorld, mode?: "automatic" | "review") {
  const dreams = new Dreams(made.deps);
  const { id } = dreams.request({ trigger: "user", ...(mode ? { mode } : {}) });
  await dreams.idle();
  return { dreams, id, detail: dreams.detail(id) };
}

const retire = (...ids: string[]): [string, unknown][] => ids.map((id) => ["retire", { id, reason: "Old." }]);

describe("limits of a dream", () => {
  it.each([
    [0, 1, 1],
    [9, 1, 1],
    [20, 2, 4],
    [199, 19, 39],
    [500, 50, 100],
    [10_000, 50, 2_000],
  ])("with %i open lines it may take %i, and %i in a week", (open, one, week) => {
    expect(dreamLimit(open)).toBe(one);
    expect(weekLimit(open)).toBe(week);
  });

  it("lets two of twenty go, and holds three for the user", async () => {
    const two = await dream(world(many(20), retire("bbbb0000", "bbbb0001")));
    expect(two.detail).toMatchObject({ status: "landed", counts: { closed: 2 } });

    const made = world(many(20), [
      ...retire("bbbb0000", "bbbb0001", "bbbb0002"),
      ["add", { path: "toys.md", text: "Talked about kites", sources: [`${T}#m1`] }],
    ]);
    const three = await dream(made);
    expect(three.detail.status).toBe("proposed");
    expect(made.memory.lines.filter(({ state }) => state === "closed")).toHaveLength(0);
    expect(three.detail.changes.filter(({ status }) => status === "proposed").map(({ n }) => n)).toEqual([1, 2, 3]);
    expect(
      made.memory.lines.some(({ text }) => text === "Talked about kites"),
      "what takes nothing away lands",
    ).toBe(true);
  });

  it("counts the week over all dreams that were not asked for or undone", async () => {
    const made = world(many(20), []);
    made.script = (call) => {
      const first = call.messages.every(({ role }) => role !== "assistant");
      const open = made.memory.lines.filter(({ state, path }) => state === "open" && path === "imported.md");
      return answer(first ? retire(open[0]!.id!) : [FINISH]);
    };
    const dreams = new Dreams(made.deps);
    const statuses: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      made.inbox.say(`${T}#m${10 + n}`, `More talk ${n}`, made.clock.now);
      const { id } = dreams.request({ trigger: "user" });
      await dreams.idle();
      statuses.push(dreams.view(id).status);
      made.clock.now += 3_600_000;
    }
    // Three went, 17 are left, and of those three may go in a week: the fourth waits, and is not asked for again.
    expect(statuses).toEqual(["landed", "landed", "landed", "proposed", "nothing"]);
    expect(made.store.dreams(10).reduce((sum, row) => sum + row.taken, 0)).toBeLessThanOrEqual(weekLimit(20));
  });

  it("never touches a pinned line, and says that it was held back", async () => {
    const made = world([line("pppp0001", "MEMORY.md", "Blood type is zero", { pin: true })], retire("pppp0001"));
    const { detail } = await dream(made);
    expect(detail.status).toBe("nothing");
    expect(detail.changes).toMatchObject([{ status: "held-back", heldBack: expect.stringContaining("pinned") }]);
    expect(made.memory.entry("pppp0001")).toMatchObject({ state: "open" });
  });

  it("closes a line that the user typed only with a message that contradicts it", async () => {
    const lines = () => [line("aaaa0001", "MEMORY.md", "Owns a red bicycle", { typed: true }), ...many(20)];
    const without = await dream(world(lines(), retire("aaaa0001")));
    expect(without.detail.status).toBe("proposed");
    const cited = await dream(world(lines(), [["retire", { id: "aaaa0001", reason: "Sold.", sources: [`${T}#m1`] }]]));
    expect(cited.detail.status).toBe("landed");
  });

  it("does not count lines that were joined", async () => {
    const lines = Array.from({ length: 8 }, (_, at) =>
      line(`cccc000${at}`, "MEMORY.md", "Likes rye bread", { sources: [`${T}#m${20 + at}`] }),
    );
    const { detail } = await dream(world(lines, []));
    expect(detail).toMatchObject({ status: "landed", counts: { merged: 1 } });
  });
});

describe("landing on a head that moved", () => {
  it("drops what the user changed meanwhile, and lands the rest", async () => {
    const made = world(many(30), []);
    made.script = (_, n) => {
      if (n === 1) return answer([...retire("bbbb0000"), ["move", { id: "bbbb0001", path: "other.md" }]]);
      made.memory.lines.find(({ id }) => id === "bbbb0000")!.text = "Fact with word0, and the user added this";
      return answer([FINISH]);
    };
    const { detail } = await dream(made);
    expect(detail.status).toBe("landed");
    expect(made.memory.entry("bbbb0000")).toMatchObject({ state: "open" });
    expect(made.memory.entry("bbbb0001")).toMatchObject({ path: "other.md" });
    expect(detail.changes.find(({ status }) => status === "held-back")).toMatchObject({
      change: { verb: "closed", id: "bbbb0000" },
    });
    expect(made.store.changes(detail.id).find(({ n }) => n === 1)).toMatchObject({
      status: "held-back",
      heldBack: expect.stringContaining("meanwhile"),
    });
  });

  it("lands all its other changes while a chat writes after every step", async () => {
    for (let round = 0; round < 20; round += 1) {
      const made = world(many(30), []);
      let said = 0;
      made.script = (_, n) => {
        made.memory.write({
          base: null,
          edits: [{ op: "add", path: "MEMORY.md", text: `The chat says thing ${(said += 1)} in round ${round}` }],
          kind: "chat",
          source: null,
          actor: "model",
          at: made.clock.now,
          zone: "UTC",
          typed: true,
        });
        if (n === 1) return answer([["move", { id: "bbbb0001", path: "other.md" }]]);
        if (n === 2) return answer([["add", { path: "toys.md", text: "Talked about kites", sources: [`${T}#m1`] }]]);
        return answer([FINISH]);
      };
      const { detail } = await dream(made);
      expect(detail.status).toBe("landed");
      expect(made.memory.entry("bbbb0001")).toMatchObject({ path: "other.md" });
      expect(made.memory.lines.filter(({ text }) => text.startsWith("The chat says"))).toHaveLength(said);
    }
  });
});

describe("a proposal", () => {
  it("is what review mode makes of everything, and is accepted and rejected change by change", async () => {
    const made = world(many(20), [
      ...retire("bbbb0000"),
      ["move", { id: "bbbb0001", path: "other.md" }],
      ["add", { path: "toys.md", text: "Talked about kites", sources: [`${T}#m1`] }],
    ]);
    const { dreams, id, detail } = await dream(made, "review");
    expect(detail.status).toBe("proposed");
    expect(made.memory.commits).toHaveLength(0);
    expect(detail.changes.map(({ change }) => change.verb)).toEqual(["closed", "moved", "added"]);
    expect(detail.items[0]).toMatchObject({ state: "settled", outcome: "proposed" });

    dreams.accept(id, [2]);
    expect(made.memory.entry("bbbb0001")).toMatchObject({ path: "other.md" });
    expect(dreams.view(id).status).toBe("proposed");
    dreams.reject(id, [1]);
    const after = dreams.accept(id);
    expect(after.status).toBe("landed");
    expect(made.memory.commits.map(({ actor }) => actor)).toEqual(["user", "user"]);
    expect(made.memory.entry("bbbb0000")).toMatchObject({ state: "open" });
    expect(() => dreams.accept(id)).toThrow(/Nothing of this dream waits/);
  });

  it("does not come twice while it waits, nor after it was turned down, until something new is said", async () => {
    const made = world(many(20), []);
    made.script = (call) =>
      answer(
        call.messages.some(({ role }) => role === "assistant")
          ? [FINISH]
          : [["retire", { id: "bbbb0000", reason: "Old.", sources: [`${T}#${newest}`] }]],
      );
    let newest = "m1";
    made.settings.mode = "review";
    const dreams = new Dreams(made.deps);
    const run = async (m: string): Promise<string> => {
      newest = m;
      if (m !== "m1") made.inbox.say(`${T}#${m}`, `About word0 once more, it is over.`, made.clock.now);
      const { id } = dreams.request({ trigger: "user" });
      await dreams.idle();
      made.clock.now += 60_000;
      return id;
    };
    const first = await run("m1");
    expect(dreams.view(first).status).toBe("proposed");
    expect(dreams.view(await run("m3")).status).toBe("nothing");
    dreams.reject(first);
    made.clock.now += 60_000;
    newest = "m1";
    made.inbox.say(`${T}#m5`, "Something else entirely.", made.clock.now);
    const { id: second } = dreams.request({ trigger: "user" });
    await dreams.idle();
    expect(dreams.view(second).status).toBe("nothing");
    made.clock.now += 60_000;
    expect(dreams.view(await run("m7")).status).toBe("proposed");
  });

  it("is shown and accepted on the memory as it is now", async () => {
    const made = world(many(20), [...retire("bbbb0000"), ["move", { id: "bbbb0001", path: "other.md" }]]);
    const { dreams, id } = await dream(made, "review");
    made.memory.lines.find((one) => one.id === "bbbb0000")!.text = "Reworded by the user";
    made.memory.lines.find((one) => one.id === "bbbb0001")!.sources.push(`${T}#m77`);
    expect(dreams.detail(id).changes.find(({ n }) => n === 1)!.heldBack).toMatch(/changed since/);
    expect(dreams.accept(id).status).toBe("landed");
    expect(made.memory.entry("bbbb0000")).toMatchObject({ state: "open", text: "Reworded by the user" });
    expect(made.memory.entry("bbbb0001")).toMatchObject({ path: "other.md" });
  });

  it("lapses after thirty days", async () => {
    const made = world(many(20), retire("bbbb0000"));
    const { dreams, id } = await dream(made, "review");
    made.clock.now += 29 * 86_400_000;
    dreams.tick();
    expect(dreams.view(id).status).toBe("proposed");
    made.clock.now += 2 * 86_400_000;
    dreams.tick();
    expect(dreams.view(id).status).toBe("nothing");
    expect(() => dreams.accept(id)).toThrow();
  });
});

describe("undo and cancel", () => {
  it("takes a dream back, keeps later edits, and does not repeat it", async () => {
    const lines = () => [
      ...many(20),
      line("cccc0001", "MEMORY.md", "Likes rye bread"),
      line("cccc0002", "MEMORY.md", "likes rye bread"),
    ];
    const made = world(lines(), []);
    made.script = (call) =>
      answer(
        call.messages.some(({ role }) => role === "assistant")
          ? [FINISH]
          : [["add", { path: "toys.md", text: "Talked about kites", sources: [`${T}#m1`] }]],
      );
    const { dreams, id } = await dream(made);
    expect(made.memory.lines.filter(({ text }) => /rye bread/.test(text))).toHaveLength(1);
    made.memory.write({
      base: null,
      edits: [{ op: "add", path: "MEMORY.md", text: "Said later" }],
      kind: "chat",
      source: null,
      actor: "model",
      at: 0,
      zone: "UTC",
      typed: true,
    });
    expect(dreams.undo(id).undone).toBe(true);
    expect(made.memory.lines.some(({ text }) => text === "Said later")).toBe(true);
    expect(made.memory.lines.some(({ text }) => text === "Talked about kites")).toBe(false);
    expect(made.memory.lines.filter(({ text }) => /rye bread/.test(text))).toHaveLength(2);
    made.inbox.say(`${T}#m3`, "Hello again.", made.clock.now);
    const again = dreams.request({ trigger: "user" });
    await dreams.idle();
    expect(dreams.view(again.id).status).toBe("nothing");
    expect(made.store.item(`${T}#m1`)).toMatchObject({ state: "settled" });
    expect(() => dreams.undo(id)).toThrow(/already/);
  });

  it("stops at once, lands nothing, and gives the inbox back with log and cost kept", async () => {
    const made = world(many(20), []);
    let stop = (): void => undefined;
    made.script = (_, n) => {
      if (n === 1) return answer(retire("bbbb0000"));
      stop();
      return new Promise(() => undefined);
    };
    const dreams = new Dreams(made.deps);
    const { id } = dreams.request({ trigger: "user" });
    stop = () => void dreams.cancel(id);
    await dreams.idle();
    expect(dreams.detail(id)).toMatchObject({ status: "cancelled", calls: 1, items: [{ state: "new" }], commit: null });
    expect(dreams.detail(id).log.length).toBeGreaterThan(1);
    expect(made.memory.commits).toHaveLength(0);
    expect(made.store.item(`${T}#m1`)).toMatchObject({ state: "new", tries: 0 });
    expect(() => dreams.cancel(id)).toThrow(/ended/);
  });

  it("leaves no words of a forgotten fact in what dreams keep", async () => {
    const made = world(many(20), [
      ["add", { path: "toys.md", text: "Talked about kites", sources: [`${T}#m1`], reason: "They love kites." }],
    ]);
    const { dreams, id } = await dream(made, "review");
    const clean = <V>(value: V): V | null => {
      const text = JSON.stringify(value);
      return /kites/.test(text) ? (JSON.parse(text.replace(/[^"]*kites[^"]*/g, "[forgotten]")) as V) : null;
    };
    dreams.redact(clean);
    expect(JSON.stringify([made.store.changes(id), made.store.dream(id), made.store.rejections(0)])).not.toContain("kites");
    expect(() => dreams.accept(id)).toThrow();
  });
});

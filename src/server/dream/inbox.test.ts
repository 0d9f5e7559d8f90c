import { describe, expect, it } from "vitest";
import { estimateTokenCount } from "tokenx";
import { answer, FINISH, fakeWorld } from "../../../test/lib/dream-fakes.ts";
import { DREAM_INBOX_TOKENS, INBOX_MAX_TRIES } from "../../shared/limits.ts";
import { Dreams } from "./dreams.ts";
import { chooseItems, giveBack, pullInbox, takeItems } from "./inbox.ts";

const T = "thread/ab12cd34";
const words = (n: number): string =>
  `Message ${n} tells of the garden, the attic and the long way to the harbour, at some length and with care.`;

describe("the inbox", () => {
  it("works 10,000 imported messages off over several dreams, oldest first, each once", async () => {
    const world = fakeWorld(() => answer([FINISH]));
    // An import brings the newest conversation first.
    for (let n = 9_999; n >= 0; n -= 1) world.inbox.say(`${T}#m${n + 1}`, words(n), Date.UTC(2020, 0, 1) + n * 60_000);
    const dreams = new Dreams(world.deps);
    const seen: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { id } = dreams.request({ trigger: "user" });
      await dreams.idle();
      expect(dreams.view(id).inbox).toBeGreaterThan(20);
      const prompt = world.calls.at(-1)!.messages[1]!.content!;
      const block = /<inbox [a-z0-9]+>([\s\S]*?)<\/inbox/.exec(prompt)![1]!;
      expect(estimateTokenCount(block)).toBeLessThan(DREAM_INBOX_TOKENS * 1.25);
      seen.push(...[...block.matchAll(/#m(\d+) /g)].map((match) => Number(match[1])));
      world.clock.now += 60_000;
    }
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, n) => n + 1));
    expect(world.store.count("new")).toBe(10_000 - seen.length);
    expect(world.store.count("settled")).toBe(seen.length);
  });

  it("takes one message that is larger than its budget whole", () => {
    const world = fakeWorld();
    world.inbox.say(`${T}#m1`, "walnuts and figs ".repeat(4_000), 1);
    world.inbox.say(`${T}#m3`, words(3), 2);
    pullInbox(world.store, world.inbox);
    expect(chooseItems(world.store, world.inbox).map(({ item }) => item.ref)).toEqual([`${T}#m1`]);
  });

  it("takes fewer of what failed before, so that one bad message does not set its neighbours aside", () => {
    const world = fakeWorld();
    for (let n = 0; n < 100; n += 1) world.inbox.say(`${T}#m${n + 1}`, words(n), n);
    pullInbox(world.store, world.inbox);
    const sizes: number[] = [];
    for (let tries = 0; tries < INBOX_MAX_TRIES; tries += 1) {
      const taken = chooseItems(world.store, world.inbox);
      sizes.push(taken.length);
      takeItems(world.store, "d0000001", taken);
      for (const { item } of taken) giveBack(world.store, { ...item, state: "taken" }, true, "It failed.");
    }
    expect(sizes[0]).toBeGreaterThan(sizes[1]! * 2);
    expect(sizes[1]).toBeGreaterThan(sizes[2]! * 2);
    expect(world.store.count("set-aside")).toBe(sizes[2]);
    expect(world.store.items("set-aside", 9)[0]).toMatchObject({ tries: 3, outcome: "It failed." });
  });

  it("never holds what was said while memory was off, or by the assistant, or what is gone by now", () => {
    const world = fakeWorld();
    world.inbox.say(`${T}#m1`, words(1), 1, { learn: false });
    world.inbox.say(`${T}#m2`, words(2), 2, { role: "assistant" });
    world.inbox.say(`${T}#m3`, "[forgotten]", 3);
    world.inbox.say(`${T}#m5`, words(5), 4);
    pullInbox(world.store, world.inbox);
    world.inbox.messages = world.inbox.messages.filter(({ ref }) => ref !== `${T}#m5`);
    expect(chooseItems(world.store, world.inbox)).toEqual([]);
    expect([`${T}#m3`, `${T}#m5`].map((ref) => world.store.item(ref)?.outcome)).toEqual(["gone", "gone"]);
    expect(world.store.item(`${T}#m1`)).toBeNull();
  });

  it("reads a note again when it was saved again, also while a dream read it", async () => {
    const world = fakeWorld(() => answer([FINISH]));
    const note = {
      ref: "note/abcd1234",
      role: "note" as const,
      at: 1,
      zone: "UTC",
      text: "Buy figs",
      untyped: [] as [number, number][],
      version: 1,
      read: 0,
    };
    world.inbox.noteRows.push(note);
    const dreams = new Dreams(world.deps);
    const run = async (): Promise<string> => {
      const { id } = dreams.request({ trigger: "user" });
      await dreams.idle();
      world.clock.now += 1_000;
      return `${dreams.view(id).inbox} ${note.read}`;
    };
    expect(await run()).toBe("1 1");
    expect(await run()).toBe("0 1");
    note.version = 2;
    world.script = () => {
      // Saved while the model reads it: what it read is not what stands.
      note.version = 3;
      return answer([FINISH]);
    };
    expect(await run()).toBe("1 1");
    world.script = () => answer([FINISH]);
    expect(await run()).toBe("1 3");
    expect(await run()).toBe("0 3");
  });

  it("says beforehand what a dream would read and cost, by the code that reads it", async () => {
    const world = fakeWorld(() => answer([FINISH]));
    for (let n = 0; n < 3; n += 1) world.inbox.say(`${T}#m${n * 2 + 1}`, words(n), n + 1);
    world.inbox.noteRows.push({
      ref: "note/abcd1234",
      role: "note",
      at: 9,
      zone: "UTC",
      text: "Buy figs",
      untyped: [],
      version: 1,
      read: 0,
    });
    const dreams = new Dreams(world.deps);
    const before = dreams.estimate();
    expect(before).toMatchObject({ messages: 3, notes: 1 });
    expect(world.calls).toHaveLength(0);
    dreams.request({ trigger: "user" });
    await dreams.idle();
    const sent = world.calls[0]!.messages.reduce((sum, { content }) => sum + estimateTokenCount(content ?? ""), 0);
    expect(before.tokens).toBeGreaterThan(sent);
    expect(before.usd).toBeGreaterThan(0);
    expect(dreams.estimate()).toEqual({ messages: 0, notes: 0, tokens: 0, usd: 0 });
  });
});

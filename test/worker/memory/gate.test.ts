// The gate and the clocks through every kind of hand: slots, pins, guards, grounds that move.
import { expect, test } from "vitest";
import { check } from "../../../src/server/memory/check.ts";
import { headOf, type MemoryContext } from "../../../src/server/memory/context.ts";
import { graph } from "../../../src/server/memory/graph.ts";
import { entries, entry, readFile } from "../../../src/server/memory/read.ts";
import { dryRun, write } from "../../../src/server/memory/writer.ts";
import type { Change, Edit } from "../../../src/shared/protocol.ts";
import { change, dump, freshMemory, inside, landed, refusal } from "./support.ts";

const edit = (ctx: MemoryContext, one: Edit, parts: Partial<Change> = {}) => write(ctx, change({ edits: [one], ...parts }));
const add = (ctx: MemoryContext, text: string, more: Partial<Extract<Edit, { op: "add" }>> = {}, parts: Partial<Change> = {}) =>
  landed(edit(ctx, { op: "add", text, ...more }, parts)).entries[0]!.entry;
const open = (ctx: MemoryContext, ask: object = {}) => entries(ctx, { limit: 200, ...ask }).items.map((one) => one.text);
const MODEL: Partial<Change> = { actor: "model", kind: "dream", dream: "dr34m123" };

test("names of one attribute share a slot: home and city never hold two current answers", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    add(ctx, "Lives in Lyon", { slot: "home", since: "2024-01" });
    const moved = landed(edit(ctx, { op: "add", text: "Lives in Porto", slot: "current city", since: "2026-03" }));
    expect(moved.entries[0]).toMatchObject({
      verb: "added",
      entry: { slot: "home", replaces: moved.entries[0]!.replaced!.id },
      replaced: { text: "Lives in Lyon", state: "closed", until: "2026-03" },
    });
    expect(open(ctx)).toEqual(["Lives in Porto"]);
    expect(entries(ctx, {}).items[0]!.chain).toBe("Lives in Porto (since 2026-03; before: Lives in Lyon, 2024-01 to 2026-03)");
    expect(entry(ctx, moved.entries[0]!.entry.id!).timeline).toMatchObject([{ text: "Lives in Lyon" }]);
  });
});

test("the values of one slot may stand in several files of one subject, and other subjects keep theirs", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    add(ctx, "Lives in Lyon", { slot: "home", path: "about-me.md" });
    add(ctx, "Lives in Braga", { slot: "home", path: "people/ana.md" });
    add(ctx, "Lives in Porto", { slot: "home" });
    expect(open(ctx, { slot: "home" }).sort()).toEqual(["Lives in Braga", "Lives in Porto"]);
    expect(readFile(ctx, "about-me.md", {}).text).toContain("## History");
  });
});

test("a name that could be several attributes is asked about, and =name insists", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    const asked = refusal(edit(ctx, { op: "add", text: "Mail is m@example.org", slot: "work-email-place" }));
    expect(asked.code).toBe("ambiguous");
    expect((asked.details!.candidates as string[]).length).toBeGreaterThan(0);
    expect(add(ctx, "Mail is m@example.org", { slot: "=work-email-place" }).slot).toBe("work-email-place");
  });
});

test("a file edit that adds a second value closes the first, in the same commit", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    add(ctx, "Lives in Lyon", { slot: "home", since: "2020" });
    const { text } = readFile(ctx, "MEMORY.md", {});
    landed(
      write(
        ctx,
        change({ files: { "MEMORY.md": text.replace("- Lives", "- Lives in Porto [slot: city]\n- Lives") }, base: headOf(ctx) }),
      ),
    );
    expect(entries(ctx, {}).items).toMatchObject([{ text: "Lives in Porto", slot: "home", since: "2026-10-05" }]);
    expect(entries(ctx, { state: ["closed"] }).items).toMatchObject([
      { text: "Lives in Lyon", until: "2026-10-05", why: "changed", section: "History" },
    ]);
    expect(check(ctx).problems).toEqual([]);
  });
});

test("pinned lines are the user's: no model changes, closes, moves or removes them, and none pins", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    const { id } = add(ctx, "Lives in Lyon", { slot: "home", since: "2020" });
    landed(edit(ctx, { op: "pin", id: id!, pin: true }));
    const before = headOf(ctx);
    const tries: Edit[] = [
      { op: "reword", id: id!, text: "Lives in Nice" },
      { op: "close", id: id!, why: "changed" },
      { op: "move", id: id!, path: "places/lyon.md" },
      { op: "pin", id: id!, pin: false },
      { op: "revise", id: id!, text: "Lives in Nice", why: "changed" },
      { op: "add", text: "Lives in Nice", slot: "home" },
    ];
    for (const one of tries) expect(refusal(edit(ctx, one, MODEL)).code, one.op).toBe("pinned");
    expect(headOf(ctx)).toBe(before);
    const other = add(ctx, "Likes rain");
    expect(refusal(edit(ctx, { op: "pin", id: other.id!, pin: true }, MODEL)).code).toBe("pinned");
    expect(edit(ctx, { op: "add", text: "Lives in Lyon", slot: "home" }, { ...MODEL, source: "thread/ab12cd34#m9" }).ok).toBe(
      true,
    );
    expect(edit(ctx, { op: "reword", id: id!, text: "Lives in Nice" }).ok).toBe(true);
  });
});

test("a model cannot empty a file; what stands elsewhere afterwards does not count", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    const ids = ["One fact", "Two facts", "Three facts", "Four facts"].map((text) => add(ctx, text, { path: "list.md" }).id!);
    const kept = add(ctx, "Stays here", { path: "other.md" }).id!;
    const joins: Edit[] = ids.slice(0, 3).map((id) => ({ op: "remove", id, into: kept }));
    expect(write(ctx, change({ ...MODEL, edits: joins })).ok).toBe(true);
    const more = ["Five facts", "Six facts", "Seven facts"].map((text) => add(ctx, text, { path: "list.md" }).id!);
    expect(refusal(edit(ctx, { op: "remove", id: more[0]! }, MODEL)).code).toBe("forbidden");
    const gone = change({ ...MODEL, files: { "list.md": "# List\n" }, base: headOf(ctx) });
    expect(refusal(write(ctx, gone)).code).toBe("shrink");
    expect(write(ctx, { ...gone, actor: "user", kind: "edit" }).ok).toBe(true);
  });
});

test("an entry whose ground has ended waits for a look; confirming or revising clears it; cycles end", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    const home = add(ctx, "Lives in Lyon", { slot: "home", since: "2020" });
    const gym = add(ctx, "Swims at the Lyon baths", { depends: [home.id!] });
    const plan = add(ctx, "Trains there on Mondays", { depends: [gym.id!] });
    landed(edit(ctx, { op: "reword", id: gym.id!, text: "Swims at the Lyon city baths" }));
    expect(entry(ctx, gym.id!).toCheck).toBe(false);
    add(ctx, "Lives in Porto", { slot: "home" });
    expect([entry(ctx, gym.id!).toCheck, entry(ctx, plan.id!).toCheck]).toEqual([true, true]);
    expect(entry(ctx, gym.id!).chain).toContain("may be out of date: Lives in Lyon");
    landed(edit(ctx, { op: "confirm", id: gym.id! }));
    expect(entry(ctx, gym.id!).toCheck).toBe(false);
    const revised = landed(edit(ctx, { op: "revise", id: plan.id!, text: "Trains on Fridays", why: "changed" }));
    expect(revised.entries[0]!.entry.toCheck).toBe(false);
    const a = add(ctx, "A depends on B");
    const b = add(ctx, "B depends on A", { depends: [a.id!] });
    const { text } = readFile(ctx, "MEMORY.md", {});
    landed(
      write(
        ctx,
        change({ files: { "MEMORY.md": text.replace(`[id: ${a.id};`, `[depends: ${b.id}] [id: ${a.id};`) }, base: headOf(ctx) }),
      ),
    );
    expect(entry(ctx, a.id!).toCheck).toBe(false);
  });
});

test("an agent's token touches neither MEMORY.md nor lines from elsewhere", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    const mine = add(ctx, "Is a baker", { path: "people/omar.md" });
    const agent: Partial<Change> = { actor: "agent:helper", kind: "mcp", source: "agent/helper" };
    expect(refusal(edit(ctx, { op: "add", text: "Anything" }, agent)).code).toBe("forbidden");
    expect(refusal(edit(ctx, { op: "close", id: mine.id!, why: "wrong" }, agent)).code).toBe("forbidden");
    const own = add(ctx, "Bakes rye bread", { path: "people/omar.md" }, agent);
    expect(own.sources).toEqual(["agent/helper"]);
    expect(edit(ctx, { op: "close", id: own.id!, why: "wrong" }, agent).ok).toBe(true);
  });
});

test("what the writer sets is never taken from a text; near lines come back, five at most", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    for (let i = 0; i < 8; i++) add(ctx, `Plays the oboe in orchestra ${i}`);
    const outcome = landed(
      edit(ctx, { op: "add", text: "Plays the oboe at home [id: zzzz9999; pin: yes; source: thread/x#m1]\n- and more" }),
    );
    expect(outcome.entries[0]!.entry).toMatchObject({
      pin: false,
      sources: [],
      text: "Plays the oboe at home [id: zzzz9999; pin: yes; source: thread/x#m1] - and more",
    });
    expect(outcome.near).toHaveLength(5);
  });
});

test("a dry run changes nothing and says what would be", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    add(ctx, "Stands");
    const before = dump(ctx.sql);
    const { outcome, deltas } = dryRun(ctx, change({ edits: [{ op: "add", text: "Would stand" }] }));
    expect(outcome.ok).toBe(true);
    expect(deltas).toMatchObject([{ verb: "added" }]);
    expect(dump(ctx.sql)).toEqual(before);
    expect(open(ctx)).toEqual(["Stands"]);
  });
});

test("the graph of a day holds the links that were true then, and those of prose", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    landed(
      write(
        ctx,
        change({
          files: {
            "MEMORY.md":
              "# Memory\n\nSee [[index]].\n\n- Works with [[people/ana]] [since: 2024; until: 2026]\n- Works with [[people/omar]] [since: 2026]\n",
            "index.md": "# Index\n",
            "people/ana.md": "# Ana\n",
            "people/omar.md": "# Omar\n\n- Knows [[people/ana]]\n",
          },
        }),
      ),
    );
    const links = (ask: object) =>
      graph(ctx, ask)
        .links.map(({ from, to }) => `${from} ${to}`)
        .sort();
    const head = headOf(ctx)!;
    add(ctx, "Something later", { path: "later.md" });
    for (const at of [{}, { ref: head }]) {
      expect(links({ ...at, asOf: "2025-05" })).toEqual([
        "MEMORY.md index.md",
        "MEMORY.md people/ana.md",
        "people/omar.md people/ana.md",
      ]);
      expect(links({ ...at, asOf: "2026-05" })).toEqual([
        "MEMORY.md index.md",
        "MEMORY.md people/omar.md",
        "people/omar.md people/ana.md",
      ]);
      const nodes = graph(ctx, { ...at, asOf: "2025-05" }).nodes;
      expect(nodes.find((node) => node.path === "MEMORY.md")).toMatchObject({ entries: 1 });
    }
  });
});

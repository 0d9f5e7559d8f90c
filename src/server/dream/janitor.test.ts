import { describe, expect, it } from "vitest";
import { estimateTokenCount } from "tokenx";
import { answer, FINISH, fakeWorld, line } from "../../../test/lib/dream-fakes.ts";
import { MEMORY_FILE_TOKENS } from "../../shared/limits.ts";
import { Dreams } from "./dreams.ts";
import { linkOnly, relink, tidy } from "./janitor.ts";
import type { DreamEntry, JanitorView } from "./types.ts";

const EMPTY: JanitorView = { equal: [], overdue: [], broken: [], orphans: [], memory: [], title: null, indexed: [] };
const edits = (view: Partial<JanitorView>) => tidy({ ...EMPTY, ...view }).map(({ edit }) => edit);

describe("joining equal lines", () => {
  const a = line("aaaa0001", "MEMORY.md", "Likes tea", { added: "2026-03-01" });
  const b = line("aaaa0002", "about/food.md", "likes tea", { added: "2026-02-01" });
  it("keeps the one that was added first", () =>
    expect(edits({ equal: [[a, b]] })).toEqual([{ op: "merge", ids: ["aaaa0002", "aaaa0001"] }]));
  it("leaves the same words about two people apart", () =>
    expect(
      edits({ equal: [[line("aaaa0003", "people/ana.md", "Likes tea"), line("aaaa0004", "people/luc.md", "Likes tea"), a]] }),
    ).toEqual([]));
  it("leaves lines that differ in a date or a slot apart", () =>
    expect(edits({ equal: [[a, line("aaaa0005", "MEMORY.md", "Likes tea", { since: "2020" })]] })).toEqual([]));
  it("leaves pinned lines and lines without an id alone", () =>
    expect(edits({ equal: [[a, { ...b, pin: true }, { ...b, id: null }]] })).toEqual([]));
});

describe("other rules", () => {
  it("moves what has ended to History", () =>
    expect(
      edits({
        overdue: [
          line("aaaa0001", "MEMORY.md", "Rents a garage", { until: "2026-09" }),
          line("aaaa0002", "MEMORY.md", "Is pinned", { until: "2026-09", pin: true }),
        ],
      }),
    ).toEqual([{ op: "close", id: "aaaa0001", until: "2026-09", why: "changed" }]));
  it("mends links that moved, all of a line at once, and leaves those that nobody can", () => {
    const entry = line("aaaa0001", "MEMORY.md", "See [[old/ana|Ana]], [[old/ana#work]] and [[gone]]");
    expect(
      edits({
        broken: [
          { entry, link: "old/ana", to: "people/ana.md" },
          { entry, link: "gone", to: null },
        ],
      }),
    ).toEqual([{ op: "reword", id: "aaaa0001", text: "See [[people/ana|Ana]], [[people/ana#work]] and [[gone]]" }]);
  });
  it("takes a dollar sign in a path as it is", () => expect(relink("[[a]]", "a", "b/$&$$.md")).toBe("[[b/$&$$]]"));
  it("lists a few orphans in MEMORY.md", () =>
    expect(edits({ orphans: ["people/ana.md"] })).toEqual([
      { op: "add", path: "MEMORY.md", section: "Index", text: "[[people/ana]]", sources: [] },
    ]));
  it("lists many in an index of their folder, and only that in MEMORY.md", () => {
    const orphans = Array.from({ length: 40 }, (_, n) => `people/p${n}.md`);
    const found = edits({ orphans });
    expect(found).toHaveLength(41);
    expect(found.filter((edit) => edit.op === "add" && edit.path === "MEMORY.md")).toEqual([
      { op: "add", path: "MEMORY.md", section: "Index", text: "[[people/index]]", sources: [] },
    ]);
  });
  it("knows a line that is nothing but a link", () =>
    expect(["[[a/b]]", "[[a|b]]", "see [[a]]", "[[a]] [[b]]"].map(linkOnly)).toEqual(["a/b", "a", null, null]));
});

describe("the budget of MEMORY.md", () => {
  const words = (n: number): string =>
    `Line number ${n} says that something quite particular about the garden and the house is so`;
  const memory = (count: number): DreamEntry[] =>
    Array.from({ length: count }, (_, n) =>
      line(`aaaa${String(n).padStart(4, "0")}`, "MEMORY.md", words(n), {
        section: n % 2 ? "The house" : "Memory",
        uses: count - n,
        pin: n >= count - 3,
      }),
    );
  it("leaves a file within it alone", () => expect(edits({ memory: memory(10) })).toEqual([]));
  it("moves the least used lines to files of their section, never a pinned one, and leaves a link", () => {
    const found = edits({ memory: memory(60), title: "Memory" });
    const moved = found.filter((edit) => edit.op === "move");
    expect(moved.length).toBeGreaterThan(10);
    // Uses fall with the number: the last lines are the least used, but for the three that are pinned.
    expect(moved[0]).toEqual({ op: "move", id: "aaaa0056", path: "about/more.md" });
    expect(moved[1]).toEqual({ op: "move", id: "aaaa0055", path: "about/the-house.md" });
    expect(moved.some((edit) => edit.op === "move" && edit.id >= "aaaa0057")).toBe(false);
    expect(found.filter((edit) => edit.op === "add").map((edit) => edit.op === "add" && edit.text)).toEqual([
      "[[about/more]]",
      "[[about/the-house]]",
    ]);
    const left = 60 - moved.length;
    expect(estimateTokenCount(Array.from({ length: left }, (_, n) => `- ${words(n)}`).join("\n"))).toBeLessThanOrEqual(
      MEMORY_FILE_TOKENS * 1.05,
    );
  });

  it("and a second run of all rules changes nothing", async () => {
    const world = fakeWorld(() => answer([FINISH]));
    world.memory.lines = [
      ...memory(60),
      ...Array.from({ length: 12 }, (_, n) => line(`bbbb${String(n).padStart(4, "0")}`, `people/p${n}.md`, `Is person ${n}`)),
      line("cccc0001", "MEMORY.md", "Likes tea", { uses: 99 }),
      line("cccc0002", "food.md", "likes tea", { uses: 99 }),
      line("cccc0003", "food.md", "Was vegan", { until: "2026-01-01" }),
    ];
    const dreams = new Dreams(world.deps);
    const runs: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const { id } = dreams.request({ trigger: "user" });
      await dreams.idle();
      runs.push(dreams.view(id).status);
    }
    expect(runs).toEqual(["landed", "nothing", "nothing"]);
    expect(world.memory.commits).toHaveLength(1);
    expect(world.calls).toHaveLength(0);
  });

  it("comes before the inbox where there is much to tidy", async () => {
    const world = fakeWorld(() => answer([FINISH]));
    world.memory.lines = Array.from({ length: 120 }, (_, n) =>
      line(`bbbb${String(n).padStart(4, "0")}`, `about/a${n % 3}.md`, `Fact ${Math.floor(n / 2)} about the garden`),
    );
    world.inbox.say("thread/ab12cd34#m1", "Hello there.", world.clock.now);
    const dreams = new Dreams(world.deps);
    const { id } = dreams.request({ trigger: "user" });
    await dreams.idle();
    expect(dreams.view(id)).toMatchObject({ status: "landed", calls: 0, inbox: 0, counts: { merged: 60 } });
    const [behind] = dreams.list({ limit: 1 }).items;
    expect(behind).toMatchObject({ trigger: "user", inbox: 1, calls: 1 });
    expect(dreams.list({ limit: 9 }).items).toHaveLength(2);
  });
});

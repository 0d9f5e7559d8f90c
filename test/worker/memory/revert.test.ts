// Every commit can be taken back, or says why not; taking back the taking back gives the same bytes.
import { expect, test } from "vitest";
import { check } from "../../../src/server/memory/check.ts";
import type { MemoryContext } from "../../../src/server/memory/context.ts";
import { entries, files, readFile } from "../../../src/server/memory/read.ts";
import { revert } from "../../../src/server/memory/revert.ts";
import { write } from "../../../src/server/memory/writer.ts";
import type { Edit } from "../../../src/shared/protocol.ts";
import { change, freshMemory, inside, NOW } from "./support.ts";

const COMMITS = 60;

function texts(ctx: MemoryContext): Record<string, string> {
  return Object.fromEntries(files(ctx, {}).files.map(({ path }) => [path, readFile(ctx, path, {}).text]));
}

/** A repeatable source of chance. */
function rng(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

test("revert of each of many commits in random order, and back", async () => {
  let done = 0;
  let refused = 0;
  await inside(freshMemory(), ({ memory: ctx }) => {
    const random = rng(7);
    const commits: string[] = [];
    for (let i = 0; i < COMMITS; i++) {
      const open = entries(ctx, { limit: 200 }).items;
      const one = open[Math.floor(random() * open.length)];
      const dice = random();
      const path = `topics/t${Math.floor(random() * 4)}.md`;
      const made: Edit =
        !one || dice < 0.5
          ? { op: "add", text: `Fact ${i} about things`, path }
          : dice < 0.65
            ? { op: "reword", id: one.id!, text: `Reworded ${i}` }
            : dice < 0.8
              ? { op: "close", id: one.id!, why: "changed" }
              : dice < 0.9
                ? { op: "move", id: one.id!, path }
                : { op: "revise", id: one.id!, text: `Revised ${i}`, why: "changed" };
      const outcome = write(ctx, change({ edits: [made], at: NOW + i * 86_400_000 }));
      if (outcome.ok && outcome.commit) commits.push(outcome.commit);
    }
    const order = commits.map((commit) => ({ commit, key: random() })).sort((a, b) => a.key - b.key);
    for (const { commit } of order) {
      const before = texts(ctx);
      const ask = { actor: "user" as const, at: NOW + COMMITS * 86_400_000, zone: "UTC" };
      const back = revert(ctx, commit, ask);
      if (!back.ok) {
        refused++;
        expect(["conflict", "not-found", "bad-format"]).toContain(back.code);
        expect(back.message.length).toBeGreaterThan(20);
        expect(texts(ctx)).toEqual(before);
        continue;
      }
      done++;
      const again = revert(ctx, back.commit!, ask);
      expect(again.ok, JSON.stringify(again).slice(0, 300)).toBe(true);
      const after = texts(ctx);
      for (const path of Object.keys(before))
        expect(linesOf(after[path] ?? ""), `${path} after ${commit}`).toEqual(linesOf(before[path]!));
    }
    expect(check(ctx).problems).toEqual([]);
  });
  console.log(`reverts: ${done} there and back, ${refused} refused with a sentence, half applied: 0`);
  expect(done).toBeGreaterThan(COMMITS / 3);
});

/** The entries of a file as a set: where a line comes back to is beside its neighbours, which may have moved. */
const linesOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("- "))
    .sort();

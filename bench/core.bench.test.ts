// `npm run bench -- core`: what a save, a read and a merge cost as the memory grows, beside the clone-add-commit way in the same run.
import { env } from "cloudflare:workers";
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import type { MemoryAgent } from "../src/server/memory/agent.ts";
import { commitDetail } from "../src/server/memory/commit-detail.ts";
import type { MemoryContext } from "../src/server/memory/context.ts";
import { graph } from "../src/server/memory/graph.ts";
import { historyPage } from "../src/server/memory/log-view.ts";
import { entries, files, readFile } from "../src/server/memory/read.ts";
import { write } from "../src/server/memory/writer.ts";
import { rebase } from "../src/shared/rebase.ts";
import { cloneAddCommit } from "./clone-add-commit.ts";
import { countWrites, fillMemory, median, nameOfFile, p95, rng, row, sentence, timeOf } from "./support.ts";

interface Size {
  files: number;
  commits: number;
  saves: number;
}
const SIZES: Size[] = [
  { files: 100, commits: 1_000, saves: 200 },
  { files: 1_000, commits: 1_000, saves: 200 },
  { files: 10_000, commits: 1_000, saves: 200 },
  { files: 10_000, commits: 10_000, saves: 200 },
];

const measured: { size: Size; save: number; p95: number; rows: number; bytes: number; clone: number }[] = [];

test.each(SIZES)(
  "$files files, $commits commits",
  async (size) => {
    const stub = env.MemoryAgent.getByName(`bench-${size.files}`);
    const filled = await timeOf(() => fillMemory(stub, size.files, size.commits));
    const save = await runInDurableObject(stub, (agent: MemoryAgent) => measureSaves(agent.memory, size));
    const reads = await runInDurableObject(stub, (agent: MemoryAgent) => measureReads(agent.memory, size));
    const cold: number[] = [];
    for (let i = 0; i < 5; i++) {
      await evictDurableObject(stub);
      cold.push(await timeOf(() => stub.entries({ limit: 20 })));
    }
    const clone = await runInDurableObject(stub, (agent: MemoryAgent) => cloneAddCommit(agent.memory, nameOfFile(3)));
    measured.push({ size, save: save.median, p95: save.p95, rows: save.rows, bytes: save.bytes, clone });
    console.log(
      [
        `\n${size.files} files, ${size.commits} commits (filled in ${(filled / 1000).toFixed(1)} s)`,
        row("save, median", save.median, "ms"),
        row("save, p95", save.p95, "ms", 25),
        row("rows a save, most", save.rows, "", 30),
        row("bytes a save, most", save.bytes / 1024, "KB", 16),
        row("clone-add-commit", clone, "ms"),
        row("  times slower than a save", clone / save.median, "×"),
        row("cold to first answer", Math.max(...cold), "ms", 50),
        ...Object.entries(reads).map(([name, [ms, limit]]) => row(name, ms, "ms", limit)),
      ].join("\n"),
    );
    expect(save.p95).toBeLessThanOrEqual(25);
    expect(save.rows).toBeLessThanOrEqual(30);
    expect(save.bytes).toBeLessThanOrEqual(16 * 1024);
    for (const [name, [ms, limit]] of Object.entries(reads)) expect(ms, name).toBeLessThanOrEqual(limit);
    expect(Math.max(...cold)).toBeLessThanOrEqual(50);
  },
  1_800_000,
);

test("ratios between the sizes", () => {
  const small = measured.find((one) => one.size.files === 100);
  const large = measured.filter((one) => one.size.files === 10_000);
  if (!small || large.length === 0) return;
  for (const one of large) {
    console.log(
      row(`save at ${one.size.files} files, ${one.size.commits} commits over save at 100`, one.save / small.save, "×", 5),
    );
    console.log(row("  clone-add-commit over save", one.clone / one.save, "×"));
    expect(one.save / small.save).toBeLessThanOrEqual(5);
    expect(one.clone / one.save).toBeGreaterThanOrEqual(40);
  }
});

function measureSaves(ctx: MemoryContext, size: Size) {
  const times: number[] = [];
  let rows = 0;
  let bytes = 0;
  const random = rng(7);
  for (let i = 0; i < size.saves; i++) {
    const path = nameOfFile(Math.floor(random() * size.files));
    const counted = countWrites(ctx);
    const started = performance.now();
    const outcome = write(counted.ctx, {
      base: null,
      edits: [{ op: "add", path, text: `${sentence(random)} number ${size.commits}.${i}` }],
      kind: "chat",
      source: `thread/bench001#m${i + 1}`,
      actor: "model",
      at: Date.parse("2026-10-05T12:00:00Z") + i * 1000,
      zone: "Europe/Lisbon",
      typed: true,
    });
    times.push(performance.now() - started);
    if (!outcome.ok) throw new Error(outcome.message);
    rows = Math.max(rows, counted.rows());
    bytes = Math.max(bytes, counted.bytes());
  }
  return { median: median(times), p95: p95(times), rows, bytes };
}

function measureReads(ctx: MemoryContext, size: Size): Record<string, [number, number]> {
  const random = rng(11);
  const times = (count: number, run: () => unknown) => {
    const list: number[] = [];
    // Once to warm it up: what a first call of a fresh isolate costs is measured as "cold to first answer".
    run();
    for (let i = 0; i < count; i++) {
      const started = performance.now();
      run();
      list.push(performance.now() - started);
    }
    return Math.max(...list);
  };
  const commits = historyPage(ctx, { limit: 200 }).items.map((commit) => commit.commit);
  const old = historyPage(ctx, { limit: 1, cursor: String(Math.floor(size.commits / 2)) }).items[0]!.commit;
  return {
    "log page of 200": [times(5, () => historyPage(ctx, { limit: 200 })), 30],
    "log page of 200, old": [times(5, () => historyPage(ctx, { limit: 200, cursor: String(Math.floor(size.commits / 2)) })), 30],
    "diff of one commit": [times(20, () => commitDetail(ctx, commits[Math.floor(random() * commits.length)]!)), 10],
    "tree, today": [times(5, () => files(ctx, {})), 150],
    "tree, at a commit": [times(5, () => files(ctx, { ref: old })), 150],
    "graph, today": [times(5, () => graph(ctx, {})), 150],
    "graph, at a commit": [times(5, () => graph(ctx, { ref: old })), 150],
    "graph, true on a day": [times(5, () => graph(ctx, { asOf: "2026-09" })), 150],
    "read a file": [times(20, () => readFile(ctx, nameOfFile(Math.floor(random() * size.files)), {})), 50],
    "page of 50 entries": [times(5, () => entries(ctx, { limit: 50 })), 50],
    search: [times(20, () => entries(ctx, { q: `${sentence(random)}`, limit: 20 })), 150],
  };
}

const idOf = (i: number) => `[id: ${`e${i}`.padStart(8, "x")}; added: 2026-01-01]`;

/** What 2,000 entries of one file can be like. */
const CONTENTS: Record<string, (i: number, random: () => number) => string> = {
  "with ids": (i, random) => `- ${sentence(random)} ${i} ${idOf(i)}`,
  "blank lines between": (i, random) => `- ${sentence(random)} ${i} ${idOf(i)}\n`,
  "without ids": (i, random) => `- ${sentence(random)} ${i}`,
  "equal texts, with ids": (i) => `- The same words ${idOf(i)}`,
  "equal texts, without ids": () => "- The same words",
  "long texts, without ids": (i, random) => `- ${i} ${[1, 2, 3, 4].map(() => sentence(random)).join(", ")}`,
  "Chinese, without ids": (i) => `- 我住在上海浦东第${i}号大街的旁边，喜欢喝茶看书`,
  "emoji, without ids": (i, random) => `- 👩‍👩‍👧 ${i} 🚀🚀 ${sentence(random)}`,
  "many keys": (i, random) =>
    `- ${sentence(random)} ${i} [id: ${`e${i}`.padStart(8, "x")}; source: note/abcd1234; source: thread/ab12cd34#m9; added: 2026-10-05; since: 2026-10; slot: home; scope: work; depends: [[people/x]]; depends: abcd1234]`,
  "deep nesting": (i, random) => `${"  ".repeat(i % 40)}- ${sentence(random)} ${i} ${idOf(i)}`,
  "a section every two": (i, random) => `${i % 2 ? "" : `\n## Part ${i}\n\n`}- ${sentence(random)} ${i} ${idOf(i)}`,
  "prose inside each": (i, random) => `- ${sentence(random)} ${i} ${idOf(i)}\n  Told at ${i}.`,
  "brackets, without ids": (i) => `- ${"[".repeat(40)} ${i} ${"]".repeat(40)}`,
};

test.each(Object.entries(CONTENTS))("rebase of a 2,000-entry file with 100 changes on each side: %s", (name, line) => {
  const random = rng(5);
  const lines = Array.from({ length: 2_000 }, (_, i) => line(i, random));
  const file = (list: string[]) => new Map([["people/big.md", `# Big\n\n${list.join("\n")}\n`]]);
  const changed = (text: string, words: string) =>
    text.replace(/^([ \t]*- .*?)( \[id: .*)?$/m, (_, said: string, meta = "") => `${said} and ${words}${meta}`);
  const side = (seed: number) => {
    const chance = rng(seed);
    return lines.map((text, i) => (i % 20 === seed % 20 ? changed(text, sentence(chance)) : text));
  };
  const [base, mine, theirs] = [file(lines), file(side(3)), file(side(8))];
  const list: number[] = [];
  let conflicts = -1;
  for (let i = 0; i < 9; i++) {
    const started = performance.now();
    conflicts = rebase(base, mine, theirs, "2026-10-05").conflicts.length;
    list.push(performance.now() - started);
  }
  console.log(row(`rebase, 2,000 entries, ${name}`, median(list), "ms", 50));
  expect(conflicts).toBe(0);
  expect(median(list)).toBeLessThanOrEqual(50);
});

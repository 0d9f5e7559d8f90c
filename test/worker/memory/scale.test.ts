// L5 and L6: a long history and a large database cost no more than short ones. Whole with SOAK; times are asserted there alone, rows always.
import { Buffer } from "node:buffer";
import { evictDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { openDreams } from "../../../src/server/dreaming.ts";
import { commitChanges } from "../../../src/server/git/repo.ts";
import { commitDetail } from "../../../src/server/memory/commit-detail.ts";
import { headOf, MAIN, type MemoryContext } from "../../../src/server/memory/context.ts";
import { historyPage } from "../../../src/server/memory/log-view.ts";
import { openMemory } from "../../../src/server/memory/open.ts";
import { projectCommit, projectionHead } from "../../../src/server/memory/project.ts";
import { ensureProjected } from "../../../src/server/memory/rebuild.ts";
import { write } from "../../../src/server/memory/writer.ts";
import { change, freshMemory, inside, landed, NOW } from "./support.ts";

const SOAK = Boolean(process.env.SOAK);
const SHORT = SOAK ? 1_000 : 100;
const COMMITS = SOAK ? 100_000 : 400;
const PAGE = SOAK ? 200 : 40;
const MEGABYTES = SOAK ? 500 : 20;
const FILES = 50;
const ENTRIES = 10;
const APP = { name: "Reverie", email: "app@reverie.invalid", at: NOW, tz: "+0000" };

const nameOf = (n: number) => `topics/f${String(n % FILES).padStart(2, "0")}.md`;
const textOf = (n: number, said: number) =>
  `# Topic ${n}\n\n${Array.from({ length: ENTRIES }, (_, i) => `- Fact ${i} of ${n}${i === said % ENTRIES ? `, said again in ${said}` : ""} [id: t${String(n).padStart(3, "0")}e${String(i).padStart(3, "0")}]`).join("\n")}\n`;

/** Commits as a hand would make them, without the gate: what is measured afterwards is the length of the history. */
function grow(ctx: MemoryContext, from: number, to: number): void {
  ctx.transact(() => {
    let head = headOf(ctx);
    let at = projectionHead(ctx);
    for (let n = from; n < to; n++) {
      const who = { ...APP, at: NOW + n * 1000 };
      const { commit } = commitChanges(ctx.store, {
        parent: head,
        changes: new Map([[nameOf(n), Buffer.from(textOf(n % FILES, n))]]),
        author: who,
        committer: who,
        message: `edit: commit ${n}`,
      });
      ctx.store.moveRef(MAIN, head, commit, { kind: "edit", actor: "user", at: who.at });
      at = projectCommit(ctx, at, commit);
      head = commit;
    }
  });
}

/** The context with its rows counted. */
function counted(ctx: MemoryContext): { ctx: MemoryContext; read: () => number } {
  const cursors: { rowsRead: number }[] = [];
  const exec = (query: string, ...bindings: never[]) => {
    const cursor = ctx.sql.exec(query, ...bindings);
    cursors.push(cursor);
    return cursor;
  };
  const sql = { exec } as unknown as MemoryContext["sql"];
  return {
    ctx: { ...ctx, sql, store: ctx.reopen(sql), cache: {} },
    read: () => cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
  };
}

const NOISE_BYTES = 15 * 60 * 1024;
/** Bytes that nothing makes smaller; the source of chance gives 64 KB at a time. */
function noiseOf(bytes: number): Uint8Array {
  const noise = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at += 60 * 1024) crypto.getRandomValues(noise.subarray(at, at + 60 * 1024));
  return noise;
}

const median = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]!;

function measure(ctx: MemoryContext, run: (ctx: MemoryContext, n: number) => unknown, times = 31): { ms: number; rows: number } {
  const list: number[] = [];
  let rows = 0;
  for (let n = 0; n < times; n++) {
    const once = counted(ctx);
    const started = performance.now();
    run(once.ctx, n);
    list.push(performance.now() - started);
    rows = Math.max(rows, once.read());
  }
  return { ms: median(list), rows };
}

function costs(ctx: MemoryContext, commits: number): Record<string, { ms: number; rows: number }> {
  const middle = String(Math.floor(commits / 2));
  const old = historyPage(ctx, { limit: 31, cursor: middle }).items.map((one) => one.commit);
  const some = [...old, ...historyPage(ctx, { limit: 31 }).items.map((one) => one.commit)];
  return {
    [`log page of ${PAGE}`]: measure(ctx, (one) => historyPage(one, { limit: PAGE })),
    [`log page of ${PAGE} in the middle`]: measure(ctx, (one) => historyPage(one, { limit: PAGE, cursor: middle })),
    "diff of a commit": measure(ctx, (one, n) => commitDetail(one, some[n % some.length]!)),
    save: measure(ctx, (one, n) =>
      landed(
        write(
          one,
          change({ edits: [{ op: "add", path: nameOf(n), text: `Saved at ${commits}, ${n}` }], at: NOW + commits * 1000 + n }),
        ),
      ),
    ),
  };
}

test(`L5: ${COMMITS} commits cost no more than ${SHORT}`, async () => {
  const memory = freshMemory();
  // In slices, as anything long is: one call of an object is not to hold it for minutes.
  for (let from = 0; from < SHORT; from += 500)
    await inside(memory, ({ memory: ctx }) => grow(ctx, from, Math.min(from + 500, SHORT)));
  const before = await inside(memory, ({ memory: ctx }) => costs(ctx, SHORT));
  for (let from = SHORT; from < COMMITS; from += 500)
    await inside(memory, ({ memory: ctx }) => grow(ctx, from, Math.min(from + 500, COMMITS)));
  const after = await inside(memory, ({ memory: ctx }) => costs(ctx, COMMITS));
  for (const [name, was] of Object.entries(before)) {
    const is = after[name]!;
    console.log(
      `L5: ${name.padEnd(30)} ${was.ms.toFixed(2)} ms at ${SHORT}, ${is.ms.toFixed(2)} ms at ${COMMITS} (${(is.ms / was.ms).toFixed(2)} ×), rows read ${was.rows} → ${is.rows}`,
    );
    expect(is.rows, name).toBeLessThanOrEqual(was.rows * 1.5 + 20);
    if (SOAK) expect(is.ms, name).toBeLessThanOrEqual(was.ms * 1.5);
  }
}, 3_600_000);

test(`L6: a database of ${MEGABYTES} MB opens as fast as an empty one`, async () => {
  const memory = freshMemory();
  await inside(memory, ({ memory: ctx }) => grow(ctx, 0, 200));
  for (let written = 0; written < MEGABYTES * 1024 * 1024; written += 16 * NOISE_BYTES)
    await inside(memory, ({ memory: ctx }) =>
      ctx.transact(() => {
        for (let n = 0; n < 16; n++) ctx.store.write("blob", noiseOf(NOISE_BYTES));
      }),
    );
  const times: number[] = [];
  for (let n = 0; n < 7; n++) {
    await evictDurableObject(memory);
    const started = performance.now();
    const page = (await memory.entries({ limit: 20 })) as unknown as { value?: { items: unknown[] } };
    times.push(performance.now() - started);
    expect(JSON.stringify(page)).toContain("said again");
  }
  const { woke, size } = await inside(memory, (agent) => {
    const { sql } = agent.memory;
    const once = counted(agent.memory);
    const ctx = openMemory({ sql: once.ctx.sql, transact: agent.memory.transact, now: Date.now, secrets: [], landed: () => {} });
    expect(ensureProjected(ctx)).toBe("current");
    openDreams({ ctx, model: undefined as never, price: undefined as never, tell: () => {}, wakeAt: () => {} });
    return { woke: once.read(), size: (sql as unknown as SqlStorage).databaseSize };
  });
  console.log(
    `L6: ${(size / 1024 / 1024).toFixed(0)} MB, cold start to first answer ${median(times).toFixed(1)} ms (median of ${times.length}), rows read on wake ${woke}`,
  );
  expect(size).toBeGreaterThan(MEGABYTES * 1024 * 1024 * 0.95);
  expect(woke).toBeLessThanOrEqual(50);
  if (SOAK) expect(median(times)).toBeLessThanOrEqual(50);
}, 3_600_000);

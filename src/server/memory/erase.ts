// Erasing: rewrites the history without what was forgotten, beside the one that is read and written meanwhile; one transaction puts it in its
// place; then what is left over is overwritten. In slices, each of them whole or not at all, so that it goes on wherever it was stopped.
import { oidToBytes, type Oid } from "../git/oid.ts";
import { rewriteCommit } from "../git/rewrite.ts";
import { dropFiller, LOG_BYTES, overwriteFree, rewriteTable } from "../git/scrub.ts";
import { reach } from "../git/reach.ts";
import type { Sql } from "../git/sql.ts";
import { AppError } from "../../shared/errors.ts";
import { replaceSecrets } from "../../shared/secrets.ts";
import { headOf, type MemoryContext } from "./context.ts";
import { addJob, currentJob, endJob, memoOf, saveJob, STAGES, type EraseJob, type Stage } from "./erase-job.ts";
import { eraseFile, eraseMessage } from "./erase-file.ts";
import { replacedObjects, swap } from "./erase-swap.ts";
import { judgeOf } from "./forget-judge.ts";
import { lineBetween } from "./main-line.ts";
import { projectCommit, projectionHead } from "./project.ts";
import { keepReceipt, keptReceipt } from "./receipts.ts";
import { createProjection, dropProjection } from "./schema.ts";
import { erasedHash } from "./tombstone-key.ts";

/** What an erase needs beside the memory. */
export interface Erasing {
  ctx: MemoryContext;
  /** Bytes that the database uses now, free pages not counted. */
  size(): number;
  /** Overwrites what the object of a conversation left behind. */
  scrubThread(thread: string): Promise<void>;
}

const PREFIX = "clean_";
/** Commits that one slice rewrites or projects, and objects that it drops: some hundred milliseconds. Counted, because no clock runs inside a turn of the event loop. */
const COMMITS_A_SLICE = 60;
/** Entries that the commits of one slice touch: a commit of an import touches thousands. */
const ENTRIES_A_SLICE = 1_000;
const DROPS_A_SLICE = 2_000;
/** Objects that one statement reads while it is found out what nothing leads to any more. */
const ROWS_A_SCAN = 500;
/** Tables that held words, beside the index, which is made anew. */
const WORDY =
  /^(?:messages|threads|notes|idempotency|facts|settings|forgotten_facts|receipts|conflicts|erase_jobs|erase_map|dreams|dream_.*|imports?|import_.*)$/;

/** What stays wherever an erase cannot reach. */
export const STAYS = [
  "Clones made before that day still hold it, and so do the platform’s own backups for 30 days. We cannot reach those.",
  "The ids of commits have changed: a push from an older clone is refused. Clone again.",
];

/** Begins an erase of tombstones. The work is done by `eraseSlice`. */
export function startErase(
  ctx: MemoryContext,
  job: Pick<EraseJob, "receipt" | "stones" | "matches" | "paths" | "threads" | "at"> & { secrets?: boolean },
): void {
  addJob(ctx.sql, { secrets: false, ...job, stage: "rewrite", done: 0, head: null });
}

/** Whether an erase is under way. */
export function isErasing(sql: Sql): boolean {
  return currentJob(sql) !== null;
}

type Step = (erasing: Erasing, job: EraseJob) => boolean;

/** The work of each stage: true once the stage is done. Each slice is one transaction. */
const STEPS: Record<Stage, Step> = {
  rewrite: rewriteSlice,
  clean: (erasing) => {
    overwriteFree(erasing.ctx.sql, freeBytes(erasing));
    return true;
  },
  project: projectSlice,
  sweep: ({ ctx }, job) => {
    dropFiller(ctx.sql);
    ctx.sql.exec("DELETE FROM erase_drop");
    const kept = reachable(
      ctx,
      ctx.store.refs().map(({ oid }) => oid),
    );
    for (let after = 0, rows = ROWS_A_SCAN; rows === ROWS_A_SCAN;) {
      // No statement stays open behind the next one: a table that is read cannot be dropped.
      const slice = [...ctx.store.scan(after, ROWS_A_SCAN)];
      for (const { key } of slice) if (!kept.hasBytes(key)) ctx.sql.exec("INSERT INTO erase_drop (oid) VALUES (?)", key);
      rows = slice.length;
      after = slice.at(-1)?.id ?? after;
    }
    const ring = ctx.keyring();
    for (const oid of replacedObjects(ctx.sql))
      ctx.sql.exec("INSERT OR IGNORE INTO erased_objects (hash) VALUES (?)", erasedHash(ring.current.bytes, oid));
    job.head = headOf(ctx);
    return true;
  },
  drop: dropSlice,
  scrub: ({ ctx }, job) => {
    const tables = ctx.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .toArray()
      .map(({ name }) => name)
      .filter((name) => WORDY.test(name));
    if (job.done === 0) ctx.sql.exec("DELETE FROM erase_map");
    const name = tables[job.done];
    if (name !== undefined) rewriteTable(ctx.sql, name);
    job.done++;
    return job.done >= tables.length;
  },
  // Each filling is a transaction of its own: pages that it lets go of are filled by the next, and the log is lapped from its beginning.
  lap: (erasing, job) => {
    if (job.done % 2 === 0) overwriteFree(erasing.ctx.sql, Math.max(freeBytes(erasing), LOG_BYTES) + job.done * (LOG_BYTES / 4));
    else dropFiller(erasing.ctx.sql);
    job.done++;
    return job.done >= LAPS * 2;
  },
};

/** Fillings at the end: the first reaches the pages that were just freed, the others lap the log. */
const LAPS = 3;

function freeBytes({ ctx, size }: Erasing): number {
  const highest = Math.max(
    size(),
    Number(ctx.sql.exec<{ value: string }>("SELECT value FROM facts WHERE name = 'high-water'").toArray()[0]?.value ?? 0),
  );
  return Math.max(0, highest - size()) + 1024 * 1024;
}

/** Notes how large the database has been: what is below that and not in use any more is free pages. */
export function noteHighWater(sql: Sql, size: number): void {
  const known = Number(sql.exec<{ value: string }>("SELECT value FROM facts WHERE name = 'high-water'").toArray()[0]?.value ?? 0);
  if (size > known + 256 * 1024) sql.exec("INSERT OR REPLACE INTO facts (name, value) VALUES ('high-water', ?)", String(size));
}

/** One slice of the erase that runs; true once none is left. Safe to repeat after a crash. */
export async function eraseSlice(erasing: Erasing): Promise<boolean> {
  const { ctx } = erasing;
  const found = currentJob(ctx.sql);
  if (!found) return true;
  const { id, job } = found;
  noteHighWater(ctx.sql, erasing.size());
  const last = job.stage === STAGES.at(-1);
  const head = headOf(ctx);
  const step = (): boolean => {
    if (!STEPS[job.stage](erasing, job)) {
      saveJob(ctx.sql, id, job);
      return false;
    }
    if (last) return true;
    job.stage = STAGES[STAGES.indexOf(job.stage) + 1]!;
    job.done = 0;
    saveJob(ctx.sql, id, job);
    return false;
  };
  // All that a slice reads, it reads inside: behind a transaction that ended well, nothing may fail.
  const { ended, moved } = ctx.transact(() => ({ ended: step(), moved: headOf(ctx) }));
  if (moved !== null && moved !== head) ctx.landed?.({ commit: moved, kind: "forget", paths: [] });
  if (!ended) return false;
  for (const thread of job.threads) await erasing.scrubThread(thread);
  ctx.transact(() => {
    const kept = keptReceipt(ctx.sql, job.receipt);
    if (kept) keepReceipt(ctx, job.receipt, kept.at, { ...kept.receipt, done: true });
    endJob(ctx.sql, id);
  });
  return currentJob(ctx.sql) === null;
}

function rewriting(ctx: MemoryContext, job: EraseJob) {
  const judge = judgeOf(ctx.keyring(), job.matches, job.paths);
  const memo = memoOf(ctx.sql);
  if (!job.secrets)
    return {
      file: (path: string, data: Uint8Array) => eraseFile(path, data, judge),
      message: (text: string) => eraseMessage(text, judge),
      memo,
    };
  const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
  return {
    file: (_: string, data: Uint8Array) => {
      const text = utf8.decode(data);
      const next = replaceSecrets(text);
      return next === text ? data : new TextEncoder().encode(next);
    },
    message: (text: string) => replaceSecrets(text),
    memo,
  };
}

/** The next commits of the main line, as many as one slice takes; `ended`: none are left behind them. */
function nextCommits(sql: Sql, after: number): { rows: { seq: number; oid: ArrayBuffer }[]; ended: boolean } {
  const rows = sql
    .exec<{ seq: number; oid: ArrayBuffer; work: number }>(
      "SELECT seq, oid, added + changed + closed + removed + moved AS work FROM commits WHERE seq > ? ORDER BY seq LIMIT ?",
      after,
      COMMITS_A_SLICE,
    )
    .toArray();
  let work = 0;
  const over = rows.findIndex((row) => (work += row.work) > ENTRIES_A_SLICE);
  const taken = over < 0 ? rows : rows.slice(0, Math.max(1, over));
  return { rows: taken, ended: taken.length === rows.length && rows.length < COMMITS_A_SLICE };
}

function rewriteSlice({ ctx }: Erasing, job: EraseJob): boolean {
  if (job.done === 0) ctx.sql.exec("DELETE FROM erase_map");
  const rewrite = rewriting(ctx, job);
  const { rows, ended } = nextCommits(ctx.sql, job.done);
  for (const { seq, oid } of rows) {
    rewriteCommit(ctx.store, hex(oid), rewrite);
    job.done = seq;
  }
  return ended;
}

const hex = (oid: ArrayBuffer): Oid => Array.from(new Uint8Array(oid), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Makes the index of the new history beside the one that is read; catches up with what was saved meanwhile, and in the same breath swaps. */
function projectSlice({ ctx }: Erasing, job: EraseJob): boolean {
  const { sql } = ctx;
  if (job.done === 0) {
    dropProjection(sql, PREFIX);
    const generation =
      Number(sql.exec<{ value: string }>("SELECT value FROM facts WHERE name = 'generation'").toArray()[0]?.value ?? 0) + 1;
    sql.exec("INSERT OR REPLACE INTO facts (name, value) VALUES ('generation', ?)", String(generation));
    createProjection(sql, PREFIX, `_${generation}`);
    job.done = 1;
  }
  const target = { ...ctx, cache: {} as MemoryContext["cache"], prefix: PREFIX };
  const rewrite = rewriting(ctx, job);
  let at = projectionHead(target);
  const { rows, ended } = nextCommits(sql, at?.seq ?? 0);
  for (const { oid } of rows) at = projectCommit(target, at, rewriteCommit(ctx.store, hex(oid), rewrite));
  if (!ended) return false;
  const head = headOf(ctx);
  if (head !== null && projectionHead(ctx)?.oid !== head)
    throw new AppError("unavailable", "The index stands behind the head. The erase goes on once it has caught up.");
  if (head !== null) swap(ctx, job, PREFIX);
  return true;
}

/** Everything that some commits lead to. */
function reachable(ctx: MemoryContext, wants: Oid[], haves: Oid[] = []) {
  const walk = reach(ctx.store, { wants, haves });
  for (;;) {
    const step = walk.next();
    if (step.done) return step.value;
  }
}

function dropSlice({ ctx }: Erasing, job: EraseJob): boolean {
  const { sql } = ctx;
  const head = headOf(ctx);
  // Something that was saved meanwhile may use an object that lay about.
  if (head !== job.head && head !== null) {
    const fresh = job.head !== null && lineBetween(ctx.store, job.head, head) !== null ? [job.head] : [];
    for (const oid of reachable(ctx, [head], fresh)) sql.exec("DELETE FROM erase_drop WHERE oid = ?", oidToBytes(oid));
    job.head = head;
  }
  const rows = sql.exec<{ oid: ArrayBuffer }>("SELECT oid FROM erase_drop LIMIT ?", DROPS_A_SLICE).toArray();
  ctx.store.drop(rows.map(({ oid }) => hex(oid)));
  for (const { oid } of rows) sql.exec("DELETE FROM erase_drop WHERE oid = ?", oid);
  return rows.length < DROPS_A_SLICE;
}

/** Which of some object ids were erased from this memory. */
export function erasedAmong(ctx: Pick<MemoryContext, "sql" | "keyring">, oids: readonly Oid[]): Oid[] {
  if (ctx.sql.exec("SELECT 1 FROM erased_objects LIMIT 1").toArray().length === 0) return [];
  const keys = [...ctx.keyring().keys.values()];
  return oids.filter((oid) =>
    keys.some((key) => ctx.sql.exec("SELECT 1 FROM erased_objects WHERE hash = ?", erasedHash(key, oid)).toArray().length > 0),
  );
}

/** What a push is told that brings erased objects back. */
export const ERASED_PUSH =
  "This push holds what was erased from the memory. The clone that it comes from was made before: commits have other ids now. Clone again, and move your own lines over.";

/** Milliseconds that a request waits for an erase that it began; a long one goes on behind it. */
export const ERASE_WAIT_MS = 8_000;
/** Seconds after which an erase that was stopped is taken up again. */
export const ERASE_AGAIN_S = 5;

/** Runs slices until none is left. Other requests are answered between any two. */
export async function eraseAll(erasing: Erasing, told: () => void): Promise<void> {
  for (;;) {
    const ended = await eraseSlice(erasing);
    told();
    if (ended) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

// Points of system time: from a commit or a day to the number of a commit on the main line.
import { Buffer } from "node:buffer";
import { AppError } from "../../shared/errors.ts";
import { midnightAfter } from "../../shared/zone.ts";
import { oidToBytes } from "../git/oid.ts";
import type { At } from "./api.ts";
import { headOf, type MemoryContext } from "./context.ts";

/** Where a read looks. `seq` null: now, in the tables of what is current. `commit` null: before the first commit. */
export interface Point {
  seq: number | null;
  commit: string | null;
}

const DAY_MS = 86_400_000;

/** The number of a commit of the main line, or null where it is none. */
export function seqOf(sql: MemoryContext["sql"], commit: string): number | null {
  return sql.exec<{ seq: number }>("SELECT seq FROM commits WHERE oid = ?", oidToBytes(commit)).toArray()[0]?.seq ?? null;
}

/** The commit of a number. */
export function commitOf(sql: MemoryContext["sql"], seq: number): string {
  return Buffer.from(sql.exec<{ oid: ArrayBuffer }>("SELECT oid FROM commits WHERE seq = ?", seq).one().oid).toString("hex");
}

/** The last commit made at or before an instant; 0 when all are later. Times never run backwards, so halving finds it. */
export function seqAtTime(sql: MemoryContext["sql"], ms: number): number {
  let low = 0;
  let high = sql.exec<{ seq: number | null }>("SELECT max(seq) AS seq FROM commits").one().seq ?? 0;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const { at } = sql.exec<{ at: number }>("SELECT at FROM commits WHERE seq = ?", middle).one();
    if (at <= ms) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The instant (ms) at which a day is over in a zone. */
function endOfDay(day: string, zone: string): number {
  const noon = Date.parse(`${day}T12:00:00Z`);
  if (!Number.isFinite(noon) || new Date(noon).toISOString().slice(0, 10) !== day) {
    throw new AppError("bad-format", `${day} is not a day. Write one like 2026-03-14.`, { day });
  }
  // A zone is at most 14 hours off: the midnight that ends the day lies within a day and a half of its first instant anywhere.
  let end = midnightAfter(noon - DAY_MS, zone);
  while (end <= noon - DAY_MS / 2) end = midnightAfter(end, zone);
  return end;
}

/** Resolves a point of system time. Throws `not-found` for a commit that is not on the main line, `bad-format` for a day that does not exist. */
export function pointOf(ctx: Pick<MemoryContext, "sql" | "store" | "zone">, at: At): Point {
  const head = headOf(ctx);
  let seq: number | null = null;
  if (at.ref !== undefined) {
    seq = seqOf(ctx.sql, at.ref);
    if (seq === null) throw new AppError("not-found", "There is no such commit in the history of this memory.", { ref: at.ref });
  } else if (at.knownAt !== undefined) {
    seq = seqAtTime(ctx.sql, endOfDay(at.knownAt, ctx.zone()) - 1);
  }
  if (seq === null) return { seq: null, commit: head };
  if (seq === 0) return { seq: 0, commit: null };
  const commit = commitOf(ctx.sql, seq);
  return commit === head ? { seq: null, commit } : { seq, commit };
}

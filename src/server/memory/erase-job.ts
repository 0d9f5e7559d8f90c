// The work of an erase as rows: what is to be erased, how far it is, and what became of each object. Survives whatever happens to the object it runs in.
import { Buffer } from "node:buffer";
import { oidFromBytes, oidToBytes, type Oid } from "../git/oid.ts";
import type { RewriteMemo } from "../git/rewrite.ts";
import type { Sql } from "../git/sql.ts";
import type { StoneRow } from "./forget-judge.ts";
import { overwriteRow } from "./forget-places.ts";

/** In this order; each is done in slices, and each slice is safe to repeat. */
export const STAGES = ["rewrite", "clean", "project", "sweep", "drop", "scrub", "lap"] as const;
export type Stage = (typeof STAGES)[number];

/** One erase. Holds fingerprints, ids and counters; `paths` names files that go as a whole, and goes itself with the row. */
export interface EraseJob {
  receipt: string;
  stones: string[];
  matches: StoneRow[];
  paths: string[];
  /** Conversations whose own objects held the words, too. */
  threads: string[];
  /** Replace secrets by their mark, instead of taking lines out. */
  secrets: boolean;
  at: number;
  stage: Stage;
  /** Of the stage: what is done, counted as that stage counts. */
  done: number;
  /** Head when the list of what is to be dropped was made. */
  head: Oid | null;
}

export function createErase(sql: Sql): void {
  sql.exec("CREATE TABLE erase_jobs (id INTEGER PRIMARY KEY AUTOINCREMENT, doc TEXT NOT NULL)");
  sql.exec("CREATE TABLE erase_map (key BLOB PRIMARY KEY, old BLOB NOT NULL, next BLOB) WITHOUT ROWID");
  sql.exec("CREATE TABLE erase_drop (oid BLOB PRIMARY KEY) WITHOUT ROWID");
  // What was erased is remembered by a keyed hash: a push that brings it back is refused, and the list tells nobody which it was.
  sql.exec("CREATE TABLE erased_objects (hash BLOB PRIMARY KEY) WITHOUT ROWID");
}

/** Puts an erase behind those that wait. */
export function addJob(sql: Sql, job: EraseJob): void {
  sql.exec("INSERT INTO erase_jobs (doc) VALUES (?)", JSON.stringify(job));
}

/** The erase that runs, or null. */
export function currentJob(sql: Sql): { id: number; job: EraseJob } | null {
  const row = sql.exec<{ id: number; doc: string }>("SELECT id, doc FROM erase_jobs ORDER BY id LIMIT 1").toArray()[0];
  return row ? { id: row.id, job: JSON.parse(row.doc) as EraseJob } : null;
}

/** Keeps how far it is. */
export function saveJob(sql: Sql, id: number, job: EraseJob): void {
  sql.exec("UPDATE erase_jobs SET doc = ? WHERE id = ?", JSON.stringify(job), id);
}

/** Ends it, and lets go of all that was kept for it. */
export function endJob(sql: Sql, id: number): void {
  overwriteRow(sql, "erase_jobs", ["doc"], "id = ?", id);
  sql.exec("DELETE FROM erase_jobs WHERE id = ?", id);
}

/** What became of each object, kept in rows and, for one slice, in memory. */
export function memoOf(sql: Sql): RewriteMemo {
  const known = new Map<string, Oid | null>();
  const name = (key: Uint8Array): string => Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString("latin1");
  return {
    get(key) {
      const inMemory = known.get(name(key));
      if (inMemory !== undefined) return inMemory;
      const row = sql.exec<{ next: ArrayBuffer | null }>("SELECT next FROM erase_map WHERE key = ?", key).toArray()[0];
      if (!row) return undefined;
      const next = row.next === null ? null : oidFromBytes(row.next);
      known.set(name(key), next);
      return next;
    },
    set(key, old, next) {
      known.set(name(key), next);
      sql.exec(
        "INSERT OR REPLACE INTO erase_map (key, old, next) VALUES (?, ?, ?)",
        key,
        oidToBytes(old),
        next === null ? null : oidToBytes(next),
      );
    },
  };
}

/** The new id of a commit; itself where it was not rewritten. */
export function mapped(sql: Sql, oid: Oid): Oid {
  const row = sql.exec<{ next: ArrayBuffer | null }>("SELECT next FROM erase_map WHERE key = ?", oidToBytes(oid)).toArray()[0];
  return row?.next ? oidFromBytes(row.next) : oid;
}

// Deletes all that one user has: memory, conversations, notes, dreams, ledger, settings, tombstones and their key. Counts before, drops, overwrites.
import { dropFiller, LOG_BYTES, overwriteFree } from "../git/scrub.ts";
import type { Sql, Transact } from "../git/sql.ts";
import { AppError } from "../../shared/errors.ts";
import type { Receipt } from "./receipts.ts";

/** What has to be said. */
export const DELETE_EVERYTHING = "delete everything";

/** What is counted, in the words of the receipt. */
const COUNTED: readonly [place: string, table: string, where?: string][] = [
  ["Lines of the memory", "entries", "removed = 0"],
  ["Files", "files"],
  ["Commits", "commits"],
  ["Objects in git", "git_objects"],
  ["Conversations", "threads"],
  ["Messages and replies", "messages"],
  ["Notes", "notes"],
  ["Dreams", "dreams"],
  ["Calls on the ledger", "ledger"],
  ["Tombstones", "tombstones"],
  ["Receipts", "receipts"],
  ["Settings", "settings"],
];

const STAYS = [
  "Clones, mirrors and exports that were made before still hold it, and so do the platform’s own backups for 30 days. We cannot reach those.",
];

export interface Deleting {
  sql: Sql;
  transact: Transact;
  now(): number;
  randomId(): string;
  size(): number;
  /** The tables are gone: whoever holds on to something of theirs lets go, and makes new ones. */
  dropped(): void;
  /** Lets an event pass: the log of the database is written out between two, not within one. */
  rest(): Promise<void>;
}

const tables = (sql: Sql): { name: string; sql: string }[] =>
  sql
    .exec<{ name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND name NOT LIKE 'cf\\_%' ESCAPE '\\'",
    )
    .toArray();

function count(sql: Sql): Map<string, number> {
  const there = new Set(tables(sql).map(({ name }) => name));
  return new Map(
    COUNTED.map(([place, table, where]) => [
      place,
      there.has(table)
        ? sql.exec<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}${where ? ` WHERE ${where}` : ""}`).one().n
        : 0,
    ]),
  );
}

/**
 * Drops every table of the user in one transaction, and overwrites what they leave. Whoever calls makes the tables anew. Throws `bad-format`
 * where it was not confirmed in so many words.
 */
export async function deleteEverything(deleting: Deleting, confirm: string): Promise<{ receipt: Receipt; threads: string[] }> {
  if (confirm !== DELETE_EVERYTHING)
    throw new AppError("bad-format", `Nothing was deleted. To delete everything, send confirm: "${DELETE_EVERYTHING}".`);
  const { sql, transact, size, rest } = deleting;
  const before = count(sql);
  const threads = sql
    .exec<{ id: string }>("SELECT id FROM threads")
    .toArray()
    .map(({ id }) => id);
  const used = size();
  const at = new Date(deleting.now()).toISOString();
  const id = deleting.randomId();
  transact(() => {
    const all = tables(sql);
    // The tables behind a full text go with it.
    for (const { name } of all.filter((table) => /^CREATE VIRTUAL/i.test(table.sql))) sql.exec(`DROP TABLE "${name}"`);
    for (const { name } of tables(sql)) sql.exec(`DROP TABLE "${name}"`);
  });
  const now = count(sql);
  deleting.dropped();
  for (const bytes of [used + 1024 * 1024, LOG_BYTES, LOG_BYTES]) {
    transact(() => overwriteFree(sql, bytes));
    await rest();
    transact(() => dropFiller(sql));
    await rest();
  }
  const rows = [...before].map(([place, many]) => ({ place, before: many, now: now.get(place) ?? 0 }));
  return { receipt: { id, at, kind: "delete", rows, stays: STAYS, done: true }, threads };
}

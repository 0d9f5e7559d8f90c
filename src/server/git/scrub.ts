// Overwrites what SQLite leaves behind: a deleted row's bytes stay in its page, a page's in the free list, both in the write-ahead log, until
// something else is written there. `secure_delete`, VACUUM and checkpoints are refused in a Durable Object, so it is done by writing.
import type { Sql } from "./sql.ts";

/** Bytes of one filler row: a chain of whole pages. */
const FILLER_BYTES = 256 * 1024;
/** The log is written to the database after 4 MB (SQLite's 1,000 pages); one transaction larger than the log laps it from its beginning. */
export const LOG_BYTES = 12 * 1024 * 1024;

/** Writes filler over free pages, as many bytes as are asked for, in the caller's transaction, and lets go of it again. */
export function overwriteFree(sql: Sql, bytes: number): void {
  sql.exec("DROP TABLE IF EXISTS scrub_filler");
  sql.exec("CREATE TABLE scrub_filler (id INTEGER PRIMARY KEY, data BLOB NOT NULL)");
  for (let left = bytes; left > 0; left -= FILLER_BYTES)
    sql.exec("INSERT INTO scrub_filler (data) VALUES (zeroblob(?))", FILLER_BYTES);
}

/** Lets go of the filler; a transaction of its own, so that the pages are free before they are filled again. */
export function dropFiller(sql: Sql): void {
  sql.exec("DROP TABLE IF EXISTS scrub_filler");
}

const quoted = (name: string): string => `"${name.replace(/"/g, '""')}"`;

/** Writes a table anew: copies of rows that moved about in its pages stay behind in the old ones. Indexes, triggers and counters are as before. */
export function rewriteTable(sql: Sql, name: string): void {
  const made = sql
    .exec<{ sql: string }>("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", name)
    .toArray()[0]?.sql;
  if (made === undefined || /^CREATE VIRTUAL/i.test(made)) return;
  const behind = sql
    .exec<{ sql: string }>(
      "SELECT sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND tbl_name = ? AND sql IS NOT NULL ORDER BY type",
      name,
    )
    .toArray();
  const counter = /AUTOINCREMENT/i.test(made)
    ? sql.exec<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = ?", name).toArray()[0]?.seq
    : undefined;
  const fresh = `scrub_${name}`;
  sql.exec(`DROP TABLE IF EXISTS ${quoted(fresh)}`);
  sql.exec(made.replace(/^CREATE TABLE\s+(?:"[^"]*"|\S+?)(?=\s*\()/i, () => `CREATE TABLE ${quoted(fresh)}`));
  sql.exec(`INSERT INTO ${quoted(fresh)} SELECT * FROM ${quoted(name)}`);
  sql.exec(`DROP TABLE ${quoted(name)}`);
  sql.exec(`ALTER TABLE ${quoted(fresh)} RENAME TO ${quoted(name)}`);
  for (const one of behind) sql.exec(one.sql);
  if (counter !== undefined) sql.exec("UPDATE sqlite_sequence SET seq = ? WHERE name = ?", counter, name);
}

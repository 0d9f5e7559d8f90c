// How often each entry was put into a prompt or opened by a tool: the dreamer's usage signal. The app's own data, not a projection.
import type { Sql } from "../git/sql.ts";

export function createUsage(sql: Sql): void {
  sql.exec("CREATE TABLE uses (entry TEXT PRIMARY KEY, uses INTEGER NOT NULL, last INTEGER NOT NULL) WITHOUT ROWID");
}

/** Counts one use of each entry. */
export function recordUses(sql: Sql, ids: readonly (string | null)[], at: number): void {
  const known = [...new Set(ids.filter((id) => id !== null))];
  if (known.length === 0) return;
  sql.exec(
    "INSERT INTO uses (entry, uses, last) SELECT value, 1, ? FROM json_each(?) WHERE true ON CONFLICT (entry) DO UPDATE SET uses = uses + 1, last = MAX(last, excluded.last)",
    at,
    JSON.stringify(known),
  );
}

/** Uses of some entries; those never used are absent. */
export function usesOf(sql: Sql, ids: readonly string[]): Map<string, { uses: number; lastUsed: string }> {
  const rows = sql.exec<{ entry: string; uses: number; last: number }>(
    "SELECT entry, uses, last FROM uses WHERE entry IN (SELECT value FROM json_each(?))",
    JSON.stringify(ids),
  );
  return new Map([...rows].map(({ entry, uses, last }) => [entry, { uses, lastUsed: new Date(last).toISOString() }]));
}

/** Takes the counts of an entry away: it was erased. */
export function dropUses(sql: Sql, ids: readonly string[]): void {
  sql.exec("DELETE FROM uses WHERE entry IN (SELECT value FROM json_each(?))", JSON.stringify(ids));
}

// How often each entry was put into a prompt or opened by a tool: the dreamer's usage signal. The app's own data, not a projection.
import type { Sql } from "../git/sql.ts";

/** Counts one use of each entry. */
export function recordUses(sql: Sql, ids: readonly (string | null)[], at: number): void {
  const known = [...new Set(ids.filter((id) => id !== null))];
  if (known.length === 0) return;
  sql.exec(
    "INSERT INTO entry_uses (id, uses, last) SELECT value, 1, ? FROM json_each(?) WHERE true ON CONFLICT (id) DO UPDATE SET uses = uses + 1, last = MAX(last, excluded.last)",
    at,
    JSON.stringify(known),
  );
}

/** Uses of some entries; those never used are absent. */
export function usesOf(sql: Sql, ids: readonly string[]): Map<string, { uses: number; lastUsed: string }> {
  const rows = sql.exec<{ id: string; uses: number; last: number }>(
    "SELECT id, uses, last FROM entry_uses WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(ids),
  );
  return new Map([...rows].map(({ id, uses, last }) => [id, { uses, lastUsed: new Date(last).toISOString() }]));
}

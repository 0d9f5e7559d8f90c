// The one transaction of an erase that anybody sees: the ref moves to the rewritten history, the new index takes its place, and every reference to an old commit follows.
import { Buffer } from "node:buffer";
import { oidFromBytes, type Oid } from "../git/oid.ts";
import type { Sql } from "../git/sql.ts";
import { headOf, MAIN, type MemoryContext } from "./context.ts";
import { mapped, type EraseJob } from "./erase-job.ts";
import { overwriteRow } from "./forget-places.ts";
import { holdBackAll } from "./hold-back.ts";
import { dropProjection, swapProjection } from "./schema.ts";

/** Tables that name commits, by the column that does. The rooms' own documents are JSON or plain ids. */
const REFERRING: readonly [table: string, column: string][] = [
  ["messages", "actions"],
  ["idempotency", "answer"],
  ["conflicts", "head"],
  ["dreams", "doc"],
  ["dream_changes", "doc"],
  ["dream_steps", "doc"],
  ["dream_values", "value"],
];

const OID = /(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])/g;

/** Moves the memory to its rewritten history. In the caller's transaction. */
export function swap(ctx: MemoryContext, job: EraseJob, prefix: string): Oid {
  const { sql, store } = ctx;
  const old = headOf(ctx)!;
  const next = mapped(sql, old);
  holdBackAll({ ...ctx, cache: {}, prefix });
  if (next !== old) store.moveRef(MAIN, old, next, { kind: "forget", actor: "user", at: job.at });
  for (const { name, oid } of store.refs())
    if (name !== MAIN && /^(?:refs\/heads\/)?dream\//.test(name))
      store.moveRef(name, oid, null, { kind: "forget", actor: "user", at: job.at });
  mapLog(sql);
  swapProjection(sql, prefix);
  // A rebuild that was under way walked the old history; what it was making stands here now.
  dropProjection(sql, "next_");
  sql.exec("DROP TABLE IF EXISTS next_line");
  sql.exec("DELETE FROM facts WHERE name = 'rebuild'");
  for (const [table, column] of REFERRING) mapReferences(sql, table, column);
  sql.exec(
    "UPDATE forgotten_facts SET sealed = CASE WHEN sealed IS NULL THEN NULL ELSE printf('%.*c', length(sealed), 'x') END WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(job.stones),
  );
  sql.exec(
    "UPDATE forgotten_facts SET sealed = NULL, erased_at = ? WHERE id IN (SELECT value FROM json_each(?))",
    job.at,
    JSON.stringify(job.stones),
  );
  delete ctx.cache.parsed;
  return next;
}

/** The log of the ref tells the same moves under the new ids. */
function mapLog(sql: Sql): void {
  sql.exec(
    "DELETE FROM git_ref_log WHERE name <> ? AND NOT EXISTS (SELECT 1 FROM git_refs r WHERE r.repo = git_ref_log.repo AND r.name = git_ref_log.name)",
    MAIN,
  );
  for (const column of ["before", "after"]) {
    sql.exec(
      `UPDATE git_ref_log SET ${column} = (SELECT next FROM erase_map WHERE key = git_ref_log.${column}) WHERE EXISTS (SELECT 1 FROM erase_map WHERE key = git_ref_log.${column} AND next IS NOT NULL)`,
    );
  }
}

const hasTable = (sql: Sql, name: string): boolean =>
  sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", name).toArray().length > 0;

function mapReferences(sql: Sql, table: string, column: string): void {
  if (!hasTable(sql, table)) return;
  const keys = sql
    .exec<{ name: string }>("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", table)
    .toArray()
    .map(({ name }) => name);
  const rows = sql
    .exec<Record<string, string | number>>(`SELECT ${[...keys, `${column} AS words`].join(", ")} FROM ${table}`)
    .toArray();
  for (const row of rows) {
    const text = String(row.words ?? "");
    const next = text.replace(OID, (oid) => mapped(sql, oid));
    if (next === text) continue;
    const where = keys.map((key) => `${key} = ?`).join(" AND ");
    const values = keys.map((key) => row[key]!);
    overwriteRow(sql, table, [column], where, ...values);
    sql.exec(`UPDATE ${table} SET ${column} = ? WHERE ${where}`, next, ...values);
  }
}

/** Ids of objects that the rewriting replaced: they hold what was erased, or lead to what does. */
export function replacedObjects(sql: Sql): Oid[] {
  return sql
    .exec<{ old: ArrayBuffer }>("SELECT DISTINCT old FROM erase_map WHERE next IS NULL OR next <> old")
    .toArray()
    .map(({ old }) => oidFromBytes(Buffer.from(old)));
}

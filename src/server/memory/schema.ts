// The tables of a MemoryAgent, in numbered steps. A step once released never changes; the next one follows it.
import type { Sql, Transact } from "../git/sql.ts";

/** One step: runs inside a transaction, once. Other rooms add theirs at the end of MIGRATIONS. */
export type Migration = (sql: Sql) => void;

/** Brings the tables up to date: one row read where nothing is to do. Each step is whole or not at all. */
export function migrate(sql: Sql, transact: Transact, steps: readonly Migration[]): void {
  sql.exec("CREATE TABLE IF NOT EXISTS schema_version (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL)");
  const at = sql.exec<{ version: number }>("SELECT version FROM schema_version WHERE id = 1").toArray()[0]?.version ?? 0;
  for (let version = at + 1; version <= steps.length; version++) {
    transact(() => {
      steps[version - 1]!(sql);
      sql.exec("INSERT OR REPLACE INTO schema_version (id, version) VALUES (1, ?)", version);
    });
  }
}

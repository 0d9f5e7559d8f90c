// The tables of the git room. They name the repository in each row: a user may have several.
import type { Sql } from "./sql.ts";

/** Creates the tables; safe to repeat. */
export function createTables(sql: Sql): void {
  // A row id beside the unique index: content of about a page in the key's own b-tree makes that tree deep and its pages random.
  sql.exec(`CREATE TABLE IF NOT EXISTS git_objects (
    id INTEGER PRIMARY KEY, repo INTEGER NOT NULL, oid BLOB NOT NULL, type INTEGER NOT NULL, size INTEGER NOT NULL, data BLOB NOT NULL,
    UNIQUE (repo, oid))`);
  sql.exec(
    `CREATE TABLE IF NOT EXISTS git_refs (repo INTEGER NOT NULL, name TEXT NOT NULL, oid BLOB NOT NULL, PRIMARY KEY (repo, name)) WITHOUT ROWID`,
  );
  sql.exec(`CREATE TABLE IF NOT EXISTS git_ref_log (
    repo INTEGER NOT NULL, name TEXT NOT NULL, seq INTEGER NOT NULL, before BLOB, after BLOB, kind TEXT NOT NULL, actor TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (repo, name, seq)) WITHOUT ROWID`);
  sql.exec(`CREATE TABLE IF NOT EXISTS git_commits (
    id INTEGER PRIMARY KEY, parent INTEGER, jump INTEGER, depth INTEGER NOT NULL, generation INTEGER NOT NULL, at INTEGER NOT NULL)`);
}

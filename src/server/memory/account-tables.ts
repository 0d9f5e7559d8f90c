// The tables of an account: who may open this memory. They stand beside the memory, in the same object.
import type { Sql } from "../git/sql.ts";

export function createAccount(sql: Sql): void {
  sql.exec(`CREATE TABLE account (
    id INTEGER PRIMARY KEY CHECK (id = 1), made_at INTEGER NOT NULL, owner INTEGER NOT NULL,
    recovery_at INTEGER, wrong INTEGER NOT NULL DEFAULT 0, locked_until INTEGER NOT NULL DEFAULT 0)`);
  sql.exec(`CREATE TABLE passkeys (
    id TEXT PRIMARY KEY, public_key BLOB NOT NULL, counter INTEGER NOT NULL, transports TEXT NOT NULL, rp_id TEXT NOT NULL,
    name TEXT NOT NULL, made_at INTEGER NOT NULL, used_at INTEGER, backed_up INTEGER NOT NULL) WITHOUT ROWID`);
  // Challenges that were answered, until they would have expired: none is answered twice.
  sql.exec("CREATE TABLE spent_challenges (challenge TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID");
  sql.exec(`CREATE TABLE sessions (
    id TEXT PRIMARY KEY, device TEXT NOT NULL, made_at INTEGER NOT NULL, seen_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
    fresh_at INTEGER, may_add_until INTEGER) WITHOUT ROWID`);
  // Conversations whose objects hold open sockets of a session: they are told when it ends.
  sql.exec(
    "CREATE TABLE session_threads (session TEXT NOT NULL, thread TEXT NOT NULL, PRIMARY KEY (session, thread)) WITHOUT ROWID",
  );
  sql.exec(`CREATE TABLE tokens (
    id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL, kind TEXT NOT NULL, access TEXT NOT NULL,
    made_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, used_at INTEGER) WITHOUT ROWID`);
  sql.exec("CREATE TABLE recovery_codes (hash TEXT PRIMARY KEY) WITHOUT ROWID");
  sql.exec(`CREATE TABLE own_model (
    id INTEGER PRIMARY KEY CHECK (id = 1), url TEXT NOT NULL, sealed TEXT NOT NULL, chat_model TEXT NOT NULL, dream_model TEXT)`);
}

/** Whether somebody's account is here. Reads no table that might not exist. */
export function hasAccount(sql: Sql): boolean {
  const made = sql
    .exec<{ n: number }>("SELECT COUNT(*) AS n FROM sqlite_master WHERE type = 'table' AND name = 'account'")
    .one().n;
  return made > 0 && sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM account").one().n > 0;
}

// The sessions of an account: begun by a passkey or a recovery code, listed, ended. A signed cookie names one; whether it still stands is asked here.
import { Buffer } from "node:buffer";
import { FRESH_MS, SESSION_MS, SESSIONS_MAX } from "../../shared/limits.ts";
import type { SessionView } from "../../shared/protocol.ts";
import type { Sql } from "../git/sql.ts";

type Row = {
  id: string;
  device: string;
  made_at: number;
  seen_at: number;
  expires_at: number;
  fresh_at: number | null;
  may_add_until: number | null;
};

/** A session that stands. */
export interface Session {
  id: string;
  /** Milliseconds until which what cannot be undone may be done; null = the passkey has to be looked at again. */
  freshUntil: number | null;
  /** Milliseconds until which a passkey may be added without one: after a recovery code. */
  mayAddUntil: number | null;
  expiresAt: number;
}

const ID_BYTES = 18;
const SEEN_EVERY_MS = 5 * 60_000;

/** Begins a session. `by`: a passkey makes it fresh, a recovery code lets it add one passkey and nothing more. */
export function beginSession(
  sql: Sql,
  { device, by, now, random }: { device: string; by: "passkey" | "code"; now: number; random: (bytes: number) => Uint8Array },
): { id: string; expiresAt: number } {
  const id = Buffer.from(random(ID_BYTES)).toString("base64url");
  const expiresAt = now + SESSION_MS;
  sql.exec(
    "INSERT INTO sessions (id, device, made_at, seen_at, expires_at, fresh_at, may_add_until) VALUES (?, ?, ?, ?, ?, ?, ?)",
    id,
    device.slice(0, 80),
    now,
    now,
    expiresAt,
    by === "passkey" ? now : null,
    by === "code" ? now + FRESH_MS : null,
  );
  return { id, expiresAt };
}

/** Sessions over the limit, the longest unseen first: they make room for a new one. */
export function crowdedOut(sql: Sql): string[] {
  return sql
    .exec<{ id: string }>("SELECT id FROM sessions ORDER BY seen_at DESC, made_at DESC LIMIT -1 OFFSET ?", SESSIONS_MAX)
    .toArray()
    .map(({ id }) => id);
}

/** The session under an id, or null where it ended or never was. */
export function sessionAt(sql: Sql, id: string, now: number): Session | null {
  const row = sql.exec<Row>("SELECT * FROM sessions WHERE id = ? AND expires_at > ?", id, now).toArray()[0];
  if (!row) return null;
  if (now - row.seen_at > SEEN_EVERY_MS) sql.exec("UPDATE sessions SET seen_at = ? WHERE id = ?", now, id);
  const fresh = row.fresh_at === null ? null : row.fresh_at + FRESH_MS;
  return {
    id,
    freshUntil: fresh !== null && fresh > now ? fresh : null,
    mayAddUntil: row.may_add_until !== null && row.may_add_until > now ? row.may_add_until : null,
    expiresAt: row.expires_at,
  };
}

export function freshen(sql: Sql, id: string, now: number): void {
  sql.exec("UPDATE sessions SET fresh_at = ?, may_add_until = NULL WHERE id = ?", now, id);
}

export function listSessions(sql: Sql, current: string, now: number): SessionView[] {
  const iso = (ms: number): string => new Date(ms).toISOString();
  return sql
    .exec<Row>("SELECT * FROM sessions WHERE expires_at > ? ORDER BY seen_at DESC, id", now)
    .toArray()
    .map((row) => ({
      id: row.id,
      device: row.device,
      createdAt: iso(row.made_at),
      lastSeen: iso(row.seen_at),
      expiresAt: iso(row.expires_at),
      current: row.id === current,
    }));
}

/** Remembers that a conversation's object holds a socket of this session. */
export function noteThread(sql: Sql, session: string, thread: string): void {
  sql.exec("INSERT INTO session_threads (session, thread) VALUES (?, ?) ON CONFLICT DO NOTHING", session, thread);
}

/** An ended session, and the conversations whose objects still hold its sockets. */
export interface Ended {
  session: string;
  threads: string[];
}

/** Ends sessions. Their rows are gone when this returns; closing their sockets is the caller's. */
export function endSessions(sql: Sql, ids: readonly string[]): Ended[] {
  return ids.flatMap((session) => {
    const there = sql.exec("DELETE FROM sessions WHERE id = ? RETURNING id", session).toArray();
    if (there.length === 0) return [];
    const threads = sql
      .exec<{ thread: string }>("DELETE FROM session_threads WHERE session = ? RETURNING thread", session)
      .toArray()
      .map(({ thread }) => thread);
    return [{ session, threads }];
  });
}

/** All sessions with the conversations that hold their sockets, as they stand before everything is deleted. */
export function allOpen(sql: Sql): Ended[] {
  return sessionIds(sql, "all").map((session) => ({
    session,
    threads: sql
      .exec<{ thread: string }>("SELECT thread FROM session_threads WHERE session = ?", session)
      .toArray()
      .map(({ thread }) => thread),
  }));
}

/** Sessions that stand, or all whose time is over. */
export function sessionIds(sql: Sql, which: "all" | { expiredAt: number }): string[] {
  const rows =
    which === "all"
      ? sql.exec<{ id: string }>("SELECT id FROM sessions")
      : sql.exec<{ id: string }>("SELECT id FROM sessions WHERE expires_at <= ?", which.expiredAt);
  return rows.toArray().map(({ id }) => id);
}

/** When the next session ends by itself, in milliseconds. */
export function nextEnd(sql: Sql): number | null {
  return sql.exec<{ at: number | null }>("SELECT MIN(expires_at) AS at FROM sessions").one().at;
}

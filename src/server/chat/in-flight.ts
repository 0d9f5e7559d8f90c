// What a ChatAgent keeps in its own rows: the answer that is being written, messages that wait behind it, and temporary conversations. Nothing else, so that forgetting has one place to redact.
import type { Action, MessageView, Recalled, ThreadView, TurnStart, Usage, WindowMessage } from "../../shared/protocol.ts";

/** The part of SqlStorage that is used. */
export interface Rows {
  exec<T extends Record<string, string | number | null | ArrayBuffer>>(
    query: string,
    ...bindings: (string | number | null)[]
  ): { toArray(): T[] };
}

/** What a ChatAgent is asked to do, one after the other. */
export type Job = { do: "send"; start: Omit<TurnStart, "thread"> } | { do: "again"; reply: string; how: "resume" | "regenerate" };

/** An answer while it is written, with what an eviction must not lose. */
export interface Draft {
  /** Name of the user's message and of the answer. */
  message: string;
  reply: string;
  /** Milliseconds: the clock of the turn. */
  at: number;
  zone: string;
  text: string;
  actions: Action[];
  recalled: Recalled[];
  usage: Usage | null;
}

export function createInFlight(rows: Rows): void {
  rows.exec("CREATE TABLE IF NOT EXISTS draft (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL)");
  rows.exec("CREATE TABLE IF NOT EXISTS waiting (n INTEGER PRIMARY KEY AUTOINCREMENT, job TEXT NOT NULL)");
  rows.exec(
    "CREATE TABLE IF NOT EXISTS temporary (id INTEGER PRIMARY KEY CHECK (id = 1), thread TEXT NOT NULL, next INTEGER NOT NULL)",
  );
  rows.exec("CREATE TABLE IF NOT EXISTS kept (n INTEGER PRIMARY KEY, view TEXT NOT NULL)");
}

export function readDraft(rows: Rows): Draft | null {
  const row = rows.exec<{ value: string }>("SELECT value FROM draft").toArray()[0];
  return row ? (JSON.parse(row.value) as Draft) : null;
}

export function writeDraft(rows: Rows, draft: Draft): void {
  rows.exec("INSERT OR REPLACE INTO draft (id, value) VALUES (1, ?)", JSON.stringify(draft));
}

/** Takes the draft away, its words first: a DELETE alone leaves them in the file. */
export function dropDraft(rows: Rows): void {
  rows.exec("UPDATE draft SET value = printf('%.*c', length(CAST(value AS BLOB)), 'x')");
  rows.exec("DELETE FROM draft");
}

/** Puts a job at the end of the queue and returns its number. */
export function addWaiting(rows: Rows, job: Job): number {
  return rows.exec<{ n: number }>("INSERT INTO waiting (job) VALUES (?) RETURNING n", JSON.stringify(job)).toArray()[0]!.n;
}

export function countWaiting(rows: Rows): number {
  return rows.exec<{ n: number }>("SELECT COUNT(*) AS n FROM waiting").toArray()[0]!.n;
}

/** The job that is next, or null. It stays until `dropWaiting`: one that was begun and not finished is begun again under its nonce. */
export function nextWaiting(rows: Rows): { n: number; job: Job } | null {
  const row = rows.exec<{ n: number; job: string }>("SELECT n, job FROM waiting ORDER BY n LIMIT 1").toArray()[0];
  return row ? { n: row.n, job: JSON.parse(row.job) as Job } : null;
}

export function dropWaiting(rows: Rows, n: number): void {
  rows.exec("UPDATE waiting SET job = printf('%.*c', length(CAST(job AS BLOB)), 'x') WHERE n = ?", n);
  rows.exec("DELETE FROM waiting WHERE n = ?", n);
}

/** The temporary conversation that this object is, or null. */
export function temporaryThread(rows: Rows): { thread: ThreadView; next: number } | null {
  const row = rows.exec<{ thread: string; next: number }>("SELECT thread, next FROM temporary").toArray()[0];
  return row ? { thread: JSON.parse(row.thread) as ThreadView, next: row.next } : null;
}

export function startTemporary(rows: Rows, thread: ThreadView): void {
  rows.exec("INSERT OR IGNORE INTO temporary (id, thread, next) VALUES (1, ?, 1)", JSON.stringify(thread));
}

/** Keeps a message of a temporary conversation. */
export function keepView(rows: Rows, view: MessageView): void {
  const n = Number(view.id.slice(1));
  rows.exec("INSERT OR REPLACE INTO kept (n, view) VALUES (?, ?)", n, JSON.stringify(view));
  rows.exec("UPDATE temporary SET next = MAX(next, ?)", n + 1);
}

/** Drops a message of a temporary conversation and all after it. */
export function dropViews(rows: Rows, from: number): void {
  rows.exec("DELETE FROM kept WHERE n >= ?", from);
}

export function keptViews(rows: Rows): MessageView[] {
  return rows
    .exec<{ view: string }>("SELECT view FROM kept ORDER BY n")
    .toArray()
    .map(({ view }) => JSON.parse(view) as MessageView);
}

/** Messages of a temporary conversation as its prompt holds them: the last ones. */
export function keptWindow(views: readonly MessageView[], most: number): WindowMessage[] {
  return views.slice(-most).map(({ id, role, text, pasted, status }) => ({ id, role, text, pasted, status }));
}

/** Takes everything away: the conversation was deleted. */
export function clearInFlight(rows: Rows): void {
  for (const [table, column] of [
    ["draft", "value"],
    ["waiting", "job"],
    ["temporary", "thread"],
    ["kept", "view"],
  ] as const) {
    rows.exec(`UPDATE ${table} SET ${column} = printf('%.*c', length(CAST(${column} AS BLOB)), 'x')`);
    rows.exec(`DELETE FROM ${table}`);
  }
}

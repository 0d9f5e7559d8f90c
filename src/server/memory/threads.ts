// The conversations of a user: their titles, pins and scopes. Messages are in transcripts.ts.
import type { ThreadPatch, ThreadView } from "../../shared/protocol.ts";
import type { Sql } from "../git/sql.ts";
import { AppError } from "../../shared/errors.ts";
import type * as z from "zod/mini";

export function createThreads(sql: Sql): void {
  sql.exec(`CREATE TABLE threads (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, titled_by TEXT NOT NULL DEFAULT 'app',
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, pinned INTEGER NOT NULL DEFAULT 0,
    scope TEXT, next INTEGER NOT NULL DEFAULT 1, messages INTEGER NOT NULL DEFAULT 0,
    summary TEXT, summary_to INTEGER NOT NULL DEFAULT 0, window_from INTEGER NOT NULL DEFAULT 1) WITHOUT ROWID`);
  sql.exec("CREATE INDEX threads_by_time ON threads (pinned DESC, updated_at DESC, id)");
}

export interface ThreadRow extends Record<string, string | number | null> {
  id: string;
  title: string;
  titled_by: string;
  created_at: number;
  updated_at: number;
  pinned: number;
  scope: string | null;
  next: number;
  messages: number;
  summary: string | null;
  /** Number of the last message that the summary speaks of. */
  summary_to: number;
  /** Number of the first message of the prompt's window. */
  window_from: number;
}

const iso = (ms: number): string => new Date(ms).toISOString();

export function threadView(row: ThreadRow): ThreadView {
  return {
    id: row.id,
    title: row.title,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    messages: row.messages,
    pinned: row.pinned === 1,
    scope: row.scope,
    temporary: false,
    answering: false,
  };
}

/** A conversation's row, or null. */
export function findThread(sql: Sql, id: string): ThreadRow | null {
  return sql.exec<ThreadRow>("SELECT * FROM threads WHERE id = ?", id).toArray()[0] ?? null;
}

/** A conversation's row. Throws `not-found`. */
export function threadRow(sql: Sql, id: string): ThreadRow {
  const row = findThread(sql, id);
  if (!row) throw new AppError("not-found", "There is no such conversation. It may have been deleted.");
  return row;
}

/** Makes a conversation without messages. Its title comes with the first message. */
export function createThread(sql: Sql, thread: { id: string; at: number; scope: string | null; title?: string }): ThreadRow {
  sql.exec(
    "INSERT INTO threads (id, title, titled_by, created_at, updated_at, scope) VALUES (?, ?, ?, ?, ?, ?)",
    thread.id,
    thread.title ?? "",
    thread.title === undefined ? "app" : "user",
    thread.at,
    thread.at,
    thread.scope,
  );
  return threadRow(sql, thread.id);
}

/** Conversations, pinned first, then by their last message; those without a message stay out. `q` looks into titles. */
export function listThreads(
  sql: Sql,
  query: { q?: string; limit: number; offset: number },
): { items: ThreadView[]; more: boolean } {
  const like = query.q ? `%${query.q.normalize("NFC").replace(/[\\%_]/g, (sign) => `\\${sign}`)}%` : "%";
  const rows = sql
    .exec<ThreadRow>(
      "SELECT * FROM threads WHERE messages > 0 AND title LIKE ? ESCAPE '\\' ORDER BY pinned DESC, updated_at DESC, id LIMIT ? OFFSET ?",
      like,
      query.limit + 1,
      query.offset,
    )
    .toArray();
  return { items: rows.slice(0, query.limit).map(threadView), more: rows.length > query.limit };
}

/** Renames, pins, or gives a scope. Throws `not-found`. */
export function patchThread(sql: Sql, id: string, patch: z.infer<typeof ThreadPatch>): ThreadView {
  threadRow(sql, id);
  if (patch.title !== undefined)
    sql.exec("UPDATE threads SET title = ?, titled_by = 'user' WHERE id = ?", patch.title.normalize("NFC"), id);
  if (patch.pinned !== undefined) sql.exec("UPDATE threads SET pinned = ? WHERE id = ?", patch.pinned ? 1 : 0, id);
  if (patch.scope !== undefined) sql.exec("UPDATE threads SET scope = ? WHERE id = ?", patch.scope, id);
  return threadView(threadRow(sql, id));
}

/** Graphemes of a title that the app makes from the first message. */
const TITLE_MAX_GRAPHEMES = 60;
const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** A title out of what the user typed first: one line, cut between words where there are some. */
export function titleOf(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const parts = [...graphemes.segment(line)].map(({ segment }) => segment);
  if (parts.length <= TITLE_MAX_GRAPHEMES) return line;
  const cut = parts.slice(0, TITLE_MAX_GRAPHEMES).join("");
  const space = cut.lastIndexOf(" ");
  return `${space > TITLE_MAX_GRAPHEMES / 2 ? cut.slice(0, space) : cut}…`;
}

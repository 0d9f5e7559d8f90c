// The one store of messages of all conversations but temporary ones. A user's message is stored before the model is called, its answer when it is complete.
import type { MessageView, TurnEnd } from "../../shared/protocol.ts";
import type { Sql, SqlBinding } from "../git/sql.ts";
import { AppError } from "../../shared/errors.ts";
import { addPostings, dropPostings } from "./postings.ts";
import { redactText, redactValue, shiftRanges, type States } from "./redact.ts";
import { threadRow, titleOf } from "./threads.ts";

/** Cuts a text into the words of the index. */
export type Tokenize = (text: string) => string[];

export function createTranscripts(sql: Sql): void {
  sql.exec(`CREATE TABLE messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, thread TEXT NOT NULL, n INTEGER NOT NULL, role TEXT NOT NULL,
    text TEXT NOT NULL, at INTEGER NOT NULL, zone TEXT NOT NULL, pasted TEXT NOT NULL DEFAULT '[]',
    actions TEXT NOT NULL DEFAULT '[]', recalled TEXT NOT NULL DEFAULT '[]', usage TEXT, status TEXT NOT NULL,
    error TEXT, secrets TEXT NOT NULL DEFAULT '[]', learn INTEGER NOT NULL, redacted INTEGER NOT NULL DEFAULT 0,
    nonce TEXT, UNIQUE (thread, n))`);
  sql.exec("CREATE UNIQUE INDEX messages_nonce ON messages (thread, nonce) WHERE nonce IS NOT NULL");
}

export interface MessageRow extends Record<string, string | number | null> {
  /** Order over all conversations, never used again. */
  seq: number;
  thread: string;
  n: number;
  role: "user" | "assistant";
  text: string;
  at: number;
  zone: string;
  pasted: string;
  actions: string;
  recalled: string;
  usage: string | null;
  status: MessageView["status"];
  error: string | null;
  secrets: string;
  /** 0: said while memory was read only or off; no dream reads it. */
  learn: number;
  redacted: number;
}

/** `m3` → 3. Throws `bad-format`. */
export function messageNumber(id: string): number {
  const match = /^m([1-9][0-9]{0,6})$/.exec(id);
  if (!match) throw new AppError("bad-format", "A message is named m1, m2, …");
  return Number(match[1]);
}

export function messageView(row: MessageRow): MessageView {
  return {
    id: `m${row.n}`,
    role: row.role,
    text: row.text,
    at: new Date(row.at).toISOString(),
    zone: row.zone,
    pasted: JSON.parse(row.pasted),
    actions: JSON.parse(row.actions),
    recalled: JSON.parse(row.recalled),
    usage: row.usage === null ? null : JSON.parse(row.usage),
    status: row.status,
    error: row.error === null ? null : JSON.parse(row.error),
    secrets: JSON.parse(row.secrets),
  };
}

/** A message's row. Throws `not-found`. */
export function messageRow(sql: Sql, thread: string, n: number): MessageRow {
  const row = sql.exec<MessageRow>("SELECT * FROM messages WHERE thread = ? AND n = ?", thread, n).toArray()[0];
  if (!row) throw new AppError("not-found", "There is no such message. It may have been deleted.");
  return row;
}

/** Messages of a conversation in their order, from the one numbered `from`. */
export function messagesOf(sql: Sql, thread: string, from = 1): MessageRow[] {
  return sql.exec<MessageRow>("SELECT * FROM messages WHERE thread = ? AND n >= ? ORDER BY n", thread, from).toArray();
}

export interface UserMessage {
  thread: string;
  text: string;
  at: number;
  zone: string;
  pasted: [number, number][];
  secrets: string[];
  learn: boolean;
  /** Names the request, so that a repeated one stores nothing twice. */
  nonce: string | null;
}

/** The number of the message that a request stored, or null. */
export function messageByNonce(sql: Sql, thread: string, nonce: string): number | null {
  return sql.exec<{ n: number }>("SELECT n FROM messages WHERE thread = ? AND nonce = ?", thread, nonce).toArray()[0]?.n ?? null;
}

/** Stores what the user said and names its answer. The text is clean by now: no secrets, no invisible characters. */
export function addUserMessage(sql: Sql, message: UserMessage, tokenize: Tokenize): { view: MessageView; reply: string } {
  const thread = threadRow(sql, message.thread);
  const n = thread.next;
  sql.exec(
    "INSERT INTO messages (thread, n, role, text, at, zone, pasted, status, secrets, learn, nonce) VALUES (?, ?, 'user', ?, ?, ?, ?, 'done', ?, ?, ?)",
    message.thread,
    n,
    message.text,
    message.at,
    message.zone,
    JSON.stringify(message.pasted),
    JSON.stringify(message.secrets ?? []),
    message.learn ? 1 : 0,
    message.nonce,
  );
  // Both numbers are taken now: an answer that comes late still stands behind its question.
  sql.exec(
    "UPDATE threads SET next = next + 2, messages = messages + 1, updated_at = MAX(updated_at, ?) WHERE id = ?",
    message.at,
    message.thread,
  );
  if (thread.messages === 0 && thread.titled_by === "app")
    sql.exec("UPDATE threads SET title = ? WHERE id = ?", titleOf(message.text), message.thread);
  const row = messageRow(sql, message.thread, n);
  addPostings(sql, "message", row.seq, tokenize(row.text));
  return { view: messageView(row), reply: `m${n + 1}` };
}

/** Stores an answer. Told twice it changes nothing; an answer that had broken off is replaced by its second try. */
export function putReply(sql: Sql, end: TurnEnd, learn: boolean, tokenize: Tokenize): MessageView | null {
  const n = messageNumber(end.reply);
  const thread = sql.exec<{ next: number }>("SELECT next FROM threads WHERE id = ?", end.thread).toArray()[0];
  const asked = sql.exec<{ n: number }>("SELECT n FROM messages WHERE thread = ? AND n = ?", end.thread, n - 1).toArray()[0];
  // The conversation, or the question, was deleted while it was being answered.
  if (!thread || !asked) return null;
  const old = sql.exec<MessageRow>("SELECT * FROM messages WHERE thread = ? AND n = ?", end.thread, n).toArray()[0];
  if (old?.status === "done") return messageView(old);
  if (old) dropRow(sql, old, tokenize);
  sql.exec(
    "INSERT INTO messages (thread, n, role, text, at, zone, actions, recalled, usage, status, error, learn) VALUES (?, ?, 'assistant', ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    end.thread,
    n,
    end.text,
    end.at,
    end.zone,
    JSON.stringify(end.actions),
    JSON.stringify(end.recalled),
    end.usage === null ? null : JSON.stringify(end.usage),
    end.status,
    end.error === null ? null : JSON.stringify(end.error),
    learn ? 1 : 0,
  );
  sql.exec("UPDATE threads SET messages = messages + 1, updated_at = MAX(updated_at, ?) WHERE id = ?", end.at, end.thread);
  const row = messageRow(sql, end.thread, n);
  addPostings(sql, "message", row.seq, tokenize(row.text));
  return messageView(row);
}

/** Replaces the actions of an answer: a card was answered, an outcome came later. */
export function putActions(sql: Sql, thread: string, n: number, actions: MessageView["actions"]): void {
  sql.exec("UPDATE messages SET actions = ? WHERE thread = ? AND n = ?", JSON.stringify(actions), thread, n);
}

// Equal bytes over the old ones first: a plain DELETE leaves the words in the file.
function overwrite(sql: Sql, seq: number): void {
  sql.exec(
    `UPDATE messages SET text = printf('%.*c', length(CAST(text AS BLOB)), 'x'), actions = printf('%.*c', length(CAST(actions AS BLOB)), 'x'),
     recalled = printf('%.*c', length(CAST(recalled AS BLOB)), 'x') WHERE seq = ?`,
    seq,
  );
}

function dropRow(sql: Sql, row: MessageRow, tokenize: Tokenize): void {
  dropPostings(sql, "message", row.seq, tokenize(row.text));
  overwrite(sql, row.seq);
  sql.exec("DELETE FROM messages WHERE seq = ?", row.seq);
  sql.exec("UPDATE threads SET messages = messages - 1 WHERE id = ?", row.thread);
}

/** Takes a message and all after it away and returns what they were. Their names are never used again. */
export function dropMessages(sql: Sql, thread: string, from: number, tokenize: Tokenize): MessageRow[] {
  const rows = messagesOf(sql, thread, from);
  for (const row of rows) dropRow(sql, row, tokenize);
  // A summary that speaks of a dropped message would keep saying it.
  sql.exec("UPDATE threads SET summary = NULL, summary_to = 0, window_from = 1 WHERE id = ? AND summary_to >= ?", thread, from);
  return rows;
}

/** Deletes a conversation with all its messages. Throws `not-found`. */
export function deleteThread(sql: Sql, id: string, tokenize: Tokenize): void {
  threadRow(sql, id);
  for (const row of messagesOf(sql, id)) dropRow(sql, row, tokenize);
  sql.exec(
    "UPDATE threads SET title = printf('%.*c', length(CAST(title AS BLOB)), 'x'), summary = printf('%.*c', length(CAST(ifnull(summary, '') AS BLOB)), 'x') WHERE id = ?",
    id,
  );
  sql.exec("DELETE FROM threads WHERE id = ?", id);
}

/** What a redaction changed. */
export interface Redaction {
  messages: number;
  titles: number;
  summaries: number;
}

/**
 * Replaces, in all conversations, each sentence that states what was forgotten by `[forgotten]`: in messages, replies, the actions shown
 * beside them, titles and summaries. `seqs` narrows it to messages that may hold one. Time grows with the messages looked at.
 */
export function redactTranscripts(sql: Sql, states: States, tokenize: Tokenize, seqs?: readonly number[]): Redaction {
  const done: Redaction = { messages: 0, titles: 0, summaries: 0 };
  const rows = seqs
    ? seqs.flatMap((seq) => sql.exec<MessageRow>("SELECT * FROM messages WHERE seq = ?", seq).toArray())
    : sql.exec<MessageRow>("SELECT * FROM messages ORDER BY seq").toArray();
  for (const row of rows) if (redactRow(sql, row, states, tokenize)) done.messages++;
  for (const thread of sql
    .exec<{ id: string; title: string; summary: string | null }>("SELECT id, title, summary FROM threads")
    .toArray()) {
    const title = redactText(thread.title.replace(/…$/, ""), states);
    if (title) {
      sql.exec("UPDATE threads SET title = printf('%.*c', length(CAST(title AS BLOB)), 'x') WHERE id = ?", thread.id);
      sql.exec("UPDATE threads SET title = ? WHERE id = ?", title.text, thread.id);
      done.titles++;
    }
    const summary = thread.summary === null ? null : redactText(thread.summary, states);
    if (summary) {
      sql.exec("UPDATE threads SET summary = printf('%.*c', length(CAST(summary AS BLOB)), 'x') WHERE id = ?", thread.id);
      sql.exec("UPDATE threads SET summary = ? WHERE id = ?", summary.text, thread.id);
      done.summaries++;
    }
  }
  return done;
}

function redactRow(sql: Sql, row: MessageRow, states: States, tokenize: Tokenize): boolean {
  const text = redactText(row.text, states);
  const actions = row.actions === "[]" ? null : redactValue(JSON.parse(row.actions) as unknown[], states);
  const recalled = JSON.parse(row.recalled) as MessageView["recalled"];
  const kept = recalled.filter((entry) => !states(entry.text) && !states(entry.chain));
  if (!text && !actions && kept.length === recalled.length) return false;
  const pasted = text ? JSON.stringify(shiftRanges(JSON.parse(row.pasted), text.cut)) : row.pasted;
  const values: SqlBinding[] = [
    text?.text ?? row.text,
    pasted,
    actions ? JSON.stringify(actions) : row.actions,
    JSON.stringify(kept),
    row.seq,
  ];
  if (text) dropPostings(sql, "message", row.seq, tokenize(row.text));
  overwrite(sql, row.seq);
  sql.exec("UPDATE messages SET text = ?, pasted = ?, actions = ?, recalled = ?, redacted = 1 WHERE seq = ?", ...values);
  if (text) addPostings(sql, "message", row.seq, tokenize(text.text));
  return true;
}

/** A message with its neighbours, as a source look-up shows it; null where it was deleted. */
export function sourceMessages(sql: Sql, thread: string, n: number, around = 1): MessageRow[] | null {
  const rows = sql
    .exec<MessageRow>("SELECT * FROM messages WHERE thread = ? AND n BETWEEN ? AND ? ORDER BY n", thread, n - around, n + around)
    .toArray();
  return rows.some((row) => row.n === n) ? rows : null;
}

/** A message out of an import, cleaned. */
export interface ImportedMessage {
  role: "user" | "assistant";
  at: number;
  text: string;
  /** Kinds of the secrets that were taken out of it. */
  secrets?: string[];
  /** Its number, larger than those before; absent: the next one. */
  n?: number;
  zone?: string;
  pasted?: [number, number][];
  /** False: no dream reads it. */
  learn?: boolean;
}

/** Messages of one conversation out of an import: numbered m1, m2, … in their order. */
export interface ImportedMessages {
  thread: string;
  zone: string;
  messages: readonly ImportedMessage[];
  learn: boolean;
}

/** One conversation out of an import. */
export interface ImportedThread extends Omit<ImportedMessages, "thread"> {
  id: string;
  title: string;
  scope: string | null;
  pinned?: boolean;
}

/** Stores an imported conversation. Throws `conflict` where its id is taken. */
export function importThread(sql: Sql, thread: ImportedThread, tokenize: Tokenize): void {
  if (sql.exec("SELECT 1 AS one FROM threads WHERE id = ?", thread.id).toArray().length > 0) {
    throw new AppError("conflict", "A conversation with this id is here already.", { thread: thread.id });
  }
  const first = thread.messages[0]?.at ?? 0;
  sql.exec(
    "INSERT INTO threads (id, title, titled_by, created_at, updated_at, pinned, scope, next, messages) VALUES (?, ?, 'user', ?, ?, ?, ?, 1, 0)",
    thread.id,
    thread.title,
    first,
    first,
    thread.pinned ? 1 : 0,
    thread.scope,
  );
  addImported(sql, { ...thread, thread: thread.id }, tokenize);
}

/** Stores further messages of an imported conversation behind those that stand. */
export function addImported(sql: Sql, { thread, zone, messages, learn }: ImportedMessages, tokenize: Tokenize): void {
  let { next } = threadRow(sql, thread);
  for (const message of messages) {
    const n = Math.max(next, message.n ?? 0);
    next = n + 1;
    const { seq } = sql
      .exec<{ seq: number }>(
        "INSERT INTO messages (thread, n, role, text, at, zone, pasted, status, secrets, learn) VALUES (?, ?, ?, ?, ?, ?, ?, 'done', ?, ?) RETURNING seq",
        thread,
        n,
        message.role,
        message.text,
        message.at,
        message.zone ?? zone,
        JSON.stringify(message.pasted ?? []),
        JSON.stringify(message.secrets ?? []),
        learn && message.learn !== false ? 1 : 0,
      )
      .one();
    addPostings(sql, "message", seq, tokenize(message.text));
  }
  sql.exec(
    "UPDATE threads SET next = ?, messages = messages + ?, updated_at = MAX(updated_at, ?) WHERE id = ?",
    next,
    messages.length,
    messages.reduce((latest, { at }) => Math.max(latest, at), 0),
    thread,
  );
}

// The user's own notes: free text beside the memory, and input of the next dream.
import type { NoteView, Page } from "../../shared/protocol.ts";
import type { Sql } from "../git/sql.ts";
import { AppError } from "../../shared/errors.ts";
import { addPostings, dropPostings } from "./postings.ts";
import { redactText, type States } from "./redact.ts";
import { titleOf } from "./threads.ts";
import type { Tokenize } from "./transcripts.ts";

export function createNotes(sql: Sql): void {
  sql.exec(`CREATE TABLE notes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, text TEXT NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, read_at INTEGER)`);
}

export interface NoteRow extends Record<string, string | number | null> {
  seq: number;
  id: string;
  title: string;
  text: string;
  created_at: number;
  updated_at: number;
  read_at: number | null;
}

const iso = (ms: number): string => new Date(ms).toISOString();

function view(row: NoteRow): NoteView {
  return {
    id: row.id,
    title: row.title,
    text: row.text,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    readByDream: row.read_at === null || row.read_at < row.updated_at ? null : iso(row.read_at),
  };
}

function rowOf(sql: Sql, id: string): NoteRow {
  const row = sql.exec<NoteRow>("SELECT * FROM notes WHERE id = ?", id).toArray()[0];
  if (!row) throw new AppError("not-found", "There is no such note. It may have been deleted.");
  return row;
}

/** A note. Throws `not-found`. */
export function readNote(sql: Sql, id: string): NoteView {
  return view(rowOf(sql, id));
}

/** Writes a note: a new one, or the one with this id anew. Its title is its first words where it has none. */
export function putNote(sql: Sql, note: { id: string; title?: string; text: string; at: number }, tokenize: Tokenize): NoteView {
  const title = note.title?.trim() || titleOf(note.text) || "Note";
  const old = sql.exec<NoteRow>("SELECT * FROM notes WHERE id = ?", note.id).toArray()[0];
  if (old) {
    dropPostings(sql, "note", old.seq, tokenize(`${old.title}\n${old.text}`));
    // A dream read it at `read_at`; an edit in the same millisecond has still not been read.
    const at = Math.max(note.at, (old.read_at ?? 0) + 1);
    sql.exec("UPDATE notes SET title = ?, text = ?, updated_at = ? WHERE id = ?", title, note.text, at, note.id);
  } else {
    sql.exec(
      "INSERT INTO notes (id, title, text, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
      note.id,
      title,
      note.text,
      note.at,
      note.at,
    );
  }
  const row = rowOf(sql, note.id);
  addPostings(sql, "note", row.seq, tokenize(`${row.title}\n${row.text}`));
  return view(row);
}

// Equal bytes over the old ones first: a plain DELETE leaves the words in the file.
function overwrite(sql: Sql, seq: number): void {
  sql.exec(
    "UPDATE notes SET title = printf('%.*c', length(CAST(title AS BLOB)), 'x'), text = printf('%.*c', length(CAST(text AS BLOB)), 'x') WHERE seq = ?",
    seq,
  );
}

/** Deletes a note. Throws `not-found`. Facts that a dream learned from it stay. */
export function deleteNote(sql: Sql, id: string, tokenize: Tokenize): void {
  const row = rowOf(sql, id);
  dropPostings(sql, "note", row.seq, tokenize(`${row.title}\n${row.text}`));
  overwrite(sql, row.seq);
  sql.exec("DELETE FROM notes WHERE seq = ?", row.seq);
}

/** Notes, last changed first. */
export function listNotes(sql: Sql, query: { limit: number; cursor?: string }): Page<NoteView> {
  const offset = Math.max(0, Number(query.cursor ?? 0) || 0);
  const rows = sql
    .exec<NoteRow>("SELECT * FROM notes ORDER BY updated_at DESC, seq DESC LIMIT ? OFFSET ?", query.limit + 1, offset)
    .toArray();
  return { items: rows.slice(0, query.limit).map(view), next: rows.length > query.limit ? String(offset + query.limit) : null };
}

/** Notes that no dream has read as they stand, oldest first. */
export function unreadNotes(sql: Sql, limit: number): NoteView[] {
  return sql
    .exec<NoteRow>("SELECT * FROM notes WHERE read_at IS NULL OR read_at < updated_at ORDER BY updated_at, seq LIMIT ?", limit)
    .toArray()
    .map(view);
}

/** A dream has read a note as it stood at `updatedAt`; one that was edited meanwhile waits again. */
export function markNoteRead(sql: Sql, id: string, updatedAt: string): void {
  sql.exec("UPDATE notes SET read_at = updated_at WHERE id = ? AND updated_at = ?", id, Date.parse(updatedAt));
}

/** Replaces each sentence that states what was forgotten, in titles and texts. Returns how many notes changed. */
export function redactNotes(sql: Sql, states: States, tokenize: Tokenize): number {
  let changed = 0;
  for (const row of sql.exec<NoteRow>("SELECT * FROM notes").toArray()) {
    const title = redactText(row.title.replace(/…$/, ""), states);
    const text = redactText(row.text, states);
    if (!title && !text) continue;
    dropPostings(sql, "note", row.seq, tokenize(`${row.title}\n${row.text}`));
    overwrite(sql, row.seq);
    sql.exec("UPDATE notes SET title = ?, text = ? WHERE seq = ?", title?.text ?? row.title, text?.text ?? row.text, row.seq);
    addPostings(sql, "note", row.seq, tokenize(`${title?.text ?? row.title}\n${text?.text ?? row.text}`));
    changed++;
  }
  return changed;
}

// Looks for secrets in a memory that is there already (an import, a time before a rule): where they stand, never what they are; and erases them everywhere.
import { oidFromBytes } from "../git/oid.ts";
import { readBlob } from "../git/read.ts";
import { findSecrets, replaceSecrets } from "../../shared/secrets.ts";
import { searchTokens } from "../../shared/words.ts";
import type { MemoryContext } from "./context.ts";
import { startErase, STAYS } from "./erase.ts";
import { overwriteRow } from "./forget-places.ts";
import { isForgottenName } from "./gate-files.ts";
import { addPostings, dropPostings } from "./postings.ts";
import { keepReceipt, type KeptReceipt } from "./receipts.ts";
import { filesAt } from "./rows.ts";

/** A secret that was found: its kind and its place. `line` null: only in earlier versions of the file. */
export interface FoundSecret {
  path: string;
  line: number | null;
  id: string | null;
  kind: string;
}

/** Earlier versions that one look reads; more come with the next. */
const PAST_A_LOOK = 2_000;
const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const ID = /\[(?:[^\]]*; )?id: ([a-z0-9]{4,12})[;\]]/;

function inText(path: string, text: string, past: boolean): FoundSecret[] {
  return findSecrets(text).map(({ from, kind }) => {
    const start = text.lastIndexOf("\n", from - 1) + 1;
    const end = text.indexOf("\n", from);
    const id = ID.exec(text.slice(start, end < 0 ? text.length : end))?.[1] ?? null;
    return { path, line: past ? null : text.slice(0, from).split("\n").length, id, kind };
  });
}

/** Secrets in the files as they stand, and behind them in earlier versions. The cursor goes through the latter. */
export function scanSecrets(
  ctx: Pick<MemoryContext, "sql" | "store">,
  cursor?: string,
): { items: FoundSecret[]; next: string | null } {
  const after = Number(cursor ?? 0) || 0;
  const items: FoundSecret[] = [];
  if (after === 0)
    for (const { path, blob } of filesAt(ctx.sql, null))
      if (!isForgottenName(path)) items.push(...inText(path, utf8.decode(readBlob(ctx.store, blob)), false));
  const rows = ctx.sql
    .exec<{ path: string; blob: ArrayBuffer; first: number }>(
      "SELECT path, blob, first FROM file_past ORDER BY path, first LIMIT ? OFFSET ?",
      PAST_A_LOOK,
      after,
    )
    .toArray();
  const seen = new Set(items.map(({ path, kind, id }) => `${path} ${kind} ${id}`));
  for (const { path, blob } of rows) {
    if (isForgottenName(path)) continue;
    for (const found of inText(path, utf8.decode(readBlob(ctx.store, oidFromBytes(blob))), true)) {
      const key = `${path} ${found.kind} ${found.id}`;
      if (seen.has(key)) continue;
      seen.add(key);
      items.push(found);
    }
  }
  return { items, next: rows.length === PAST_A_LOOK ? String(after + PAST_A_LOOK) : null };
}

/** How many texts hold a secret, by place. */
export function countSecrets(ctx: MemoryContext): { place: string; count: number }[] {
  const standing: FoundSecret[] = [];
  const past: FoundSecret[] = [];
  for (let cursor: string | undefined = "0"; cursor !== undefined;) {
    const look = scanSecrets(ctx, cursor);
    for (const found of look.items) (found.line === null ? past : standing).push(found);
    cursor = look.next ?? undefined;
  }
  const texts = (table: string, column: string) =>
    ctx.sql
      .exec<{ text: string }>(`SELECT ${column} AS text FROM ${table}`)
      .toArray()
      .filter(({ text }) => findSecrets(text).length > 0).length;
  return [
    { place: "Files of the memory", count: standing.length },
    { place: "Earlier versions", count: past.length },
    { place: "Conversations", count: texts("messages", "text") + texts("threads", "title") },
    { place: "Notes", count: texts("notes", "text") + texts("notes", "title") },
  ];
}

/** Begins to erase every secret: its mark stands in its place, in every commit, message and note. Gives back the receipt's id; null where there is none to erase. */
export function eraseSecrets(ctx: MemoryContext, at: number): string | null {
  return ctx.transact(() => {
    const before = countSecrets(ctx);
    if (before.every(({ count }) => count === 0)) return null;
    const threads = replaceInRows(ctx);
    const receipt: KeptReceipt = {
      kind: "erase",
      secrets: true,
      stones: [],
      matches: [],
      cited: [],
      citedNotes: [],
      asked: null,
      threads,
      before,
      stays: STAYS,
      done: false,
    };
    const id = ctx.randomId();
    keepReceipt(ctx, id, at, receipt);
    startErase(ctx, { receipt: id, stones: [], matches: [], paths: [], threads, at, secrets: true });
    return id;
  });
}

function replaceInRows({ sql }: MemoryContext): string[] {
  const threads = new Set<string>();
  for (const row of sql.exec<{ seq: number; thread: string; text: string }>("SELECT seq, thread, text FROM messages").toArray()) {
    const text = replaceSecrets(row.text);
    if (text === row.text) continue;
    dropPostings(sql, "message", row.seq, searchTokens(row.text));
    overwriteRow(sql, "messages", ["text"], "seq = ?", row.seq);
    sql.exec("UPDATE messages SET text = ?, redacted = 1 WHERE seq = ?", text, row.seq);
    addPostings(sql, "message", row.seq, searchTokens(text));
    threads.add(row.thread);
  }
  for (const { id, title } of sql.exec<{ id: string; title: string }>("SELECT id, title FROM threads").toArray()) {
    const next = replaceSecrets(title);
    if (next === title) continue;
    overwriteRow(sql, "threads", ["title"], "id = ?", id);
    sql.exec("UPDATE threads SET title = ? WHERE id = ?", next, id);
  }
  for (const row of sql.exec<{ seq: number; title: string; text: string }>("SELECT seq, title, text FROM notes").toArray()) {
    const [title, text] = [replaceSecrets(row.title), replaceSecrets(row.text)];
    if (title === row.title && text === row.text) continue;
    dropPostings(sql, "note", row.seq, searchTokens(`${row.title}\n${row.text}`));
    overwriteRow(sql, "notes", ["title", "text"], "seq = ?", row.seq);
    sql.exec("UPDATE notes SET title = ?, text = ? WHERE seq = ?", title, text, row.seq);
    addPostings(sql, "note", row.seq, searchTokens(`${title}\n${text}`));
  }
  return [...threads];
}

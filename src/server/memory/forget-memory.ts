// Forgotten words in the memory itself: its lines and prose today, the index over them, earlier versions, and git behind it.
import { Buffer } from "node:buffer";
import { parseDocument, subjectOf, type Document } from "../../shared/document.ts";
import type { Meta } from "../../shared/entry.ts";
import { isMarkdown } from "../../shared/paths.ts";
import { readBlob } from "../git/repo.ts";
import type { SqlValue } from "../git/sql.ts";
import type { MemoryContext } from "./context.ts";
import { findText } from "./fulltext.ts";
import { subjectAt } from "./forget-find.ts";
import type { Look } from "./forget-places.ts";
import { keyTokens } from "./forget-talk.ts";
import { isForgottenName } from "./gate-files.ts";
import { sentencesOf } from "./redact.ts";
import { currentByRids, filesAt, versionsAt, type Version } from "./rows.ts";

type Ctx = Pick<MemoryContext, "sql" | "store" | "cache">;

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** Hits of the full text that one look takes: more rows than a memory of 50,000 entries has with one word. */
const HITS_MAX = 100_000;

function tokensOf({ sql }: Pick<MemoryContext, "sql">, look: Look, table: "entries_fts" | "past_fts"): string[] | null {
  return keyTokens(
    look.texts,
    (token) =>
      sql.exec<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table} WHERE ${table} MATCH ?`, `"${token.replace(/"/g, '""')}"`).one()
        .n,
  );
}

/** Entries that stand today and state it. */
export function standingEntries(ctx: Ctx, look: Look): Version[] {
  const tokens = tokensOf(ctx, look, "entries_fts");
  const live = (version: Version) => version.removed === 0 && version.held === 0 && !isForgottenName(version.path);
  const versions =
    tokens === null
      ? [...versionsAt(ctx.sql, null, [])]
      : currentByRids(
          ctx.sql,
          findText(ctx.sql, "entries_fts", tokens, { limit: HITS_MAX }).map(({ rowid }) => rowid),
        );
  const subjects = new Map<string, string | null>();
  return versions.filter((version) => {
    if (!live(version)) return false;
    if (!subjects.has(version.path)) subjects.set(version.path, subjectAt(ctx, version.path));
    return look.judge.isForgotten({ text: version.text, meta: JSON.parse(version.meta) as Meta }, subjects.get(version.path)!);
  });
}

/** A line of a file that is no entry. */
export interface ProseLine {
  path: string;
  line: number;
  text: string;
}

/** What stands before the words of a line that is no entry: a heading's marks, a number, a quotation's bar. */
const LEAD = /^\s*(?:#{1,6}\s+|\d{1,9}[.)]\s+|(?:>\s*)+|\|\s*)?/;

/** The words of such a line. */
export const proseWords = (line: string): string => line.replace(LEAD, "").trim();

/** Lines of a document that are no entries and state it. */
export function proseStating(document: Document, path: string, look: Pick<Look, "judge">): ProseLine[] {
  const subject = subjectOf(path, document);
  return document.lines.flatMap((line, at) => {
    if (line.kind === "entry" || line.kind === "blank") return [];
    const words = proseWords(line.text);
    if (words === "" || !sentencesOf(words).some(({ text }) => look.judge.states(text, subject))) return [];
    return [{ path, line: at + 1, text: line.text }];
  });
}

/** Prose that stands today and states it. Reads the files that hold one of its words. */
export function standingProse(ctx: Ctx, look: Look): ProseLine[] {
  const tokens = tokensOf(ctx, look, "entries_fts");
  const beginnings = tokens?.map((token) => (token.length > 4 ? token.slice(0, -1) : token)) ?? null;
  const found: ProseLine[] = [];
  for (const { path, blob } of filesAt(ctx.sql, null)) {
    if (isForgottenName(path)) continue;
    const text = utf8.decode(readBlob(ctx.store, blob));
    // Folding a whole memory costs more than parsing what may be meant: only plain letters are looked up like this.
    const plain = beginnings?.every((token) => /^[a-z]+$/.test(token));
    if (plain && !/[^\x00-\x7f]/.test(text)) {
      const lower = text.toLowerCase();
      if (!beginnings!.some((token) => lower.includes(token))) continue;
    }
    if (!isMarkdown(path)) {
      text.split("\n").forEach((line, at) => {
        if (sentencesOf(line).some((sentence) => look.judge.states(sentence.text)))
          found.push({ path, line: at + 1, text: line });
      });
      continue;
    }
    found.push(...proseStating(parseDocument(text), path, look));
  }
  return found;
}

/** A version that stands no longer. */
export interface PastRow extends Record<string, SqlValue> {
  pid: number;
  rid: number;
  id: string | null;
  path: string;
  text: string;
  meta: string;
  first: number;
  ended: number;
  held: number;
}

/** Earlier versions of forgotten lines, and others that state it; held back ones too, by their id. */
export function pastVersions(ctx: Pick<MemoryContext, "sql">, look: Look): PastRow[] {
  const { sql } = ctx;
  const columns = "pid, rid, id, path, text, meta, first, ended, held";
  const tokens = tokensOf(ctx, look, "past_fts");
  const rids = sql
    .exec<{ rid: number }>(
      "SELECT rid FROM ids WHERE id IN (SELECT value FROM json_each(?))",
      JSON.stringify([...look.judge.ids]),
    )
    .toArray()
    .map(({ rid }) => rid);
  const rows = new Map<number, PastRow>();
  const add = (list: PastRow[]) => list.forEach((row) => rows.set(row.pid, row));
  add(
    sql
      .exec<PastRow>(`SELECT ${columns} FROM entry_past WHERE rid IN (SELECT value FROM json_each(?))`, JSON.stringify(rids))
      .toArray(),
  );
  if (tokens === null) add(sql.exec<PastRow>(`SELECT ${columns} FROM entry_past`).toArray());
  else {
    // A text is indexed once for all versions that say the same, so the hit leads to the entry and from there to each of them.
    const hits = findText(sql, "past_fts", tokens, { limit: HITS_MAX }).map(({ rowid }) => rowid);
    const now = findText(sql, "entries_fts", tokens, { limit: HITS_MAX }).map(({ rowid }) => rowid);
    add(
      sql
        .exec<PastRow>(
          `SELECT ${columns} FROM entry_past WHERE rid IN (SELECT rid FROM entry_past WHERE pid IN (SELECT value FROM json_each(?))) OR rid IN (SELECT value FROM json_each(?))`,
          JSON.stringify(hits),
          JSON.stringify(now),
        )
        .toArray(),
    );
  }
  const subjects = new Map<string, string | null>();
  const subject = (path: string) => {
    if (!subjects.has(path)) subjects.set(path, pastSubject(ctx, path));
    return subjects.get(path)!;
  };
  return [...rows.values()].filter(
    (row) =>
      !isForgottenName(row.path) &&
      ((row.id !== null && look.judge.ids.has(row.id)) || (row.held === 0 && look.judge.states(row.text, subject(row.path)))),
  );
}

/** The subject of a file, also of one that stands no longer. */
export function pastSubject({ sql }: Pick<MemoryContext, "sql">, path: string): string | null {
  const title =
    sql
      .exec<{ title: string | null }>(
        "SELECT title FROM files WHERE path = ? UNION ALL SELECT title FROM file_past WHERE path = ? LIMIT 1",
        path,
        path,
      )
      .toArray()[0]?.title ?? null;
  return subjectOf(path, { title });
}

/** Files in git, each version counted once, in which one of these lines stands or stood. */
export function countObjects(ctx: Ctx, look: Look): number {
  const spans = [
    ...pastVersions(ctx, look),
    ...standingEntries(ctx, look).map(({ path, first }) => ({ path, first, ended: Number.MAX_SAFE_INTEGER })),
  ];
  const blobs = new Set<string>();
  for (const { path, first, ended } of spans) {
    const rows = ctx.sql.exec<{ blob: ArrayBuffer }>(
      "SELECT blob FROM file_past WHERE path = ? AND first < ? AND ended > ? UNION SELECT blob FROM files WHERE path = ? AND first < ?",
      path,
      ended,
      first,
      path,
      ended,
    );
    for (const { blob } of rows) blobs.add(Buffer.from(blob).toString("hex"));
  }
  return blobs.size;
}

// Forgotten words in the memory itself: its lines and prose today, the index over them, earlier versions, and git behind it.
import { Buffer } from "node:buffer";
import { HISTORY, parseDocument, subjectOf, type Document } from "../../shared/document.ts";
import type { Meta } from "../../shared/entry.ts";
import { isMarkdown } from "../../shared/paths.ts";
import { readBlob } from "../git/repo.ts";
import { oidFromBytes } from "../git/oid.ts";
import type { SqlValue } from "../git/sql.ts";
import type { MemoryContext } from "./context.ts";
import { subjectAt } from "./forget-find.ts";
import { keysOf, needlesOf, rowsOfText } from "./forget-keys.ts";
import type { Look } from "./forget-places.ts";
import { isForgottenName } from "./gate-files.ts";
import { sentencesOf } from "./redact.ts";
import { currentByRids, versionsAt, type Version } from "./rows.ts";

type Ctx = Pick<MemoryContext, "sql" | "store" | "cache">;

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** Entries that stand today and state it. Within one count they are found once. */
export function standingEntries(ctx: Ctx, look: Look): Version[] {
  if (look.standing) return look.standing;
  const keys = keysOf(look.texts);
  const live = (version: Version) => version.removed === 0 && version.held === 0 && !isForgottenName(version.path);
  const versions =
    keys === null ? [...versionsAt(ctx.sql, null, [])] : currentByRids(ctx.sql, rowsOfText(ctx.sql, "entries_fts", keys));
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

/** Whether a file holds nothing but its title, entries and the heading of History: then there is no prose to look at. */
function isPlain(document: Document): boolean {
  return document.lines.every(
    ({ kind, text }, at) =>
      kind === "entry" ||
      kind === "blank" ||
      (kind === "heading" && (at + 1 === document.headings[0]?.line || proseWords(text) === HISTORY)),
  );
}

/** Prose that stands today and states it. Files without any are remembered by their content, so that they are read once. */
export function standingProse(ctx: Ctx, look: Look): ProseLine[] {
  const { sql } = ctx;
  const keys = keysOf(look.texts);
  const needles = keys && needlesOf(keys);
  const found: ProseLine[] = [];
  const plain: string[] = [];
  const rows = sql
    .exec<{ path: string; blob: ArrayBuffer; title: string | null; plain: number | null }>(
      "SELECT f.path, f.blob, f.title, p.plain FROM files f LEFT JOIN prose_seen p ON p.blob = f.blob ORDER BY f.path",
    )
    .toArray();
  for (const { path, blob: raw, title, plain: known } of rows) {
    if (isForgottenName(path)) continue;
    if (known === 1 && (title === null || !look.judge.states(title, null))) continue;
    const blob = oidFromBytes(raw);
    const text = utf8.decode(readBlob(ctx.store, blob));
    if (!isMarkdown(path)) {
      text.split("\n").forEach((line, at) => {
        if (sentencesOf(line).some((sentence) => look.judge.states(sentence.text)))
          found.push({ path, line: at + 1, text: line });
      });
      continue;
    }
    // Folding a whole memory costs more than parsing what may be meant: only plain letters are looked up like this.
    if (known === 0 && needles && !/[^\x00-\x7f]/.test(text)) {
      const lower = text.toLowerCase();
      if (!needles.some((token) => lower.includes(token))) continue;
    }
    const document = parseDocument(text);
    if (known === null) {
      const value = isPlain(document);
      plain.push(JSON.stringify([blob, value ? 1 : 0]));
    }
    found.push(...proseStating(document, path, look));
  }
  if (plain.length > 0) {
    sql.exec(
      "INSERT OR IGNORE INTO prose_seen (blob, plain) SELECT unhex(value ->> 0), value ->> 1 FROM json_each(?)",
      `[${plain.join()}]`,
    );
    sql.exec("DELETE FROM prose_seen WHERE blob NOT IN (SELECT blob FROM files)");
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
  const keys = keysOf(look.texts);
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
  if (keys === null) add(sql.exec<PastRow>(`SELECT ${columns} FROM entry_past`).toArray());
  else {
    // A text is indexed once for all versions that say the same, so the hit leads to the entry and from there to each of them.
    const hits = rowsOfText(sql, "past_fts", keys);
    const now = rowsOfText(sql, "entries_fts", keys);
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

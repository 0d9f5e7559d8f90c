// Reading versions of entries and files out of the projection: current ones, or those that stood at a commit.
import { Buffer } from "node:buffer";
import type { SqlBinding, SqlValue } from "../git/sql.ts";
import type { MemoryContext } from "./context.ts";
import { VERSION_COLUMNS, type EntryColumns } from "./entry-row.ts";

type Sql = MemoryContext["sql"];

/** A version of an entry. `ended` null = it stands in head. */
export type Version = EntryColumns & { rid: number; first: number; ended: number | null } & Record<string, SqlValue>;

const COLUMNS = VERSION_COLUMNS.join(", ");
const CURRENT = `SELECT rid, first, NULL AS ended, ${COLUMNS} FROM entries`;
const PAST = `SELECT rid, first, ended, ${COLUMNS} FROM entry_past`;

/** A condition with its bindings. */
export interface Where {
  sql: string;
  bindings: SqlBinding[];
}

function all(parts: Where[]): Where {
  return { sql: parts.map((part) => `(${part.sql})`).join(" AND ") || "1", bindings: parts.flatMap((part) => part.bindings) };
}

/** Versions that stood at `seq` (null = head) and fit the conditions, in the order of their paths; lazily. */
export function* versionsAt(sql: Sql, seq: number | null, where: Where[]): Generator<Version> {
  if (seq === null) {
    yield* currentInOrder(sql, where);
    return;
  }
  const then = all([...where, { sql: "first <= ? AND ended > ?", bindings: [seq, seq] }]);
  const past = sql.exec<Version>(`${PAST} WHERE ${then.sql} ORDER BY path, rid`, ...then.bindings).toArray();
  let at = 0;
  for (const row of currentInOrder(sql, [...where, { sql: "first <= ?", bindings: [seq] }])) {
    while (at < past.length && (past[at]!.path < row.path || (past[at]!.path === row.path && past[at]!.rid < row.rid)))
      yield past[at++]!;
    yield row;
  }
  while (at < past.length) yield past[at++]!;
}

/** Rows that the first statement reads, and the most that a later one does: a list that is left half-way must leave no open statement behind, which would lock its table. */
const FIRST_CHUNK_ROWS = 100;
const CHUNK_ROWS = 3_000;

function* currentInOrder(sql: Sql, where: Where[]): Generator<Version> {
  let after: Where[] = [];
  for (let limit = FIRST_CHUNK_ROWS; ; limit = CHUNK_ROWS) {
    const { sql: text, bindings } = all([...where, ...after]);
    const rows = sql.exec<Version>(`${CURRENT} WHERE ${text} ORDER BY path, rid LIMIT ?`, ...bindings, limit).toArray();
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < limit) return;
    after = [{ sql: "(path, rid) > (?, ?)", bindings: [last.path, last.rid] }];
  }
}

/** The row number that an id names, also of an entry that is gone. */
export function ridOf(sql: Sql, id: string): number | null {
  return sql.exec<{ rid: number }>("SELECT rid FROM ids WHERE id = ?", id).toArray()[0]?.rid ?? null;
}

/** The current version of an entry, or null. */
export function currentByRid(sql: Sql, rid: number): Version | null {
  return sql.exec<Version>(`${CURRENT} WHERE rid = ?`, rid).toArray()[0] ?? null;
}

/** The current version under an id, or null. */
export function currentById(sql: Sql, id: string): Version | null {
  const rid = ridOf(sql, id);
  const version = rid === null ? null : currentByRid(sql, rid);
  return version?.id === id ? version : null;
}

/** Current versions of row numbers, in their order; those that are gone are left out. */
export function currentByRids(sql: Sql, rids: readonly number[]): Version[] {
  const rows = new Map(
    sql
      .exec<Version>(`${CURRENT} WHERE rid IN (SELECT value FROM json_each(?))`, JSON.stringify(rids))
      .toArray()
      .map((row) => [row.rid, row]),
  );
  return rids.flatMap((rid) => rows.get(rid) ?? []);
}

/** The version of an entry that stood at `seq`, or null. */
export function versionOf(sql: Sql, rid: number, seq: number | null): Version | null {
  const now = currentByRid(sql, rid);
  if (seq === null || (now && now.first <= seq)) return now && (seq === null || now.first <= seq) ? now : null;
  return sql.exec<Version>(`${PAST} WHERE rid = ? AND first <= ? AND ended > ?`, rid, seq, seq).toArray()[0] ?? null;
}

/** All versions of an entry, oldest first. */
export function versionsOf(sql: Sql, rid: number): Version[] {
  const past = sql.exec<Version>(`${PAST} WHERE rid = ? ORDER BY first`, rid).toArray();
  const now = currentByRid(sql, rid);
  return now ? [...past, now] : past;
}

/** A file as it stood at a commit. */
export interface FileVersion {
  path: string;
  blob: string;
  bytes: number;
  entries: number;
  title: string | null;
  links: [link: string, closed: boolean][];
}

interface FileRow extends Record<string, SqlValue> {
  path: string;
  blob: ArrayBuffer;
  bytes: number;
  entries: number;
  title: string | null;
  links: string | null;
}

/** A row as a file. What costs time is made when it is asked for: a tree of ten thousand files needs neither ids nor links. */
class FileOfRow implements FileVersion {
  readonly path: string;
  readonly bytes: number;
  readonly entries: number;
  readonly title: string | null;
  readonly #row: FileRow;
  constructor(row: FileRow) {
    this.path = row.path;
    this.bytes = row.bytes;
    this.entries = row.entries;
    this.title = row.title;
    this.#row = row;
  }
  get blob(): string {
    return Buffer.from(this.#row.blob).toString("hex");
  }
  get links(): FileVersion["links"] {
    return this.#row.links === null ? [] : (JSON.parse(this.#row.links) as FileVersion["links"]);
  }
}

const fileOf = (row: FileRow): FileVersion => new FileOfRow(row);

/** Path, bytes and entries of every file at `seq` (null = head), by path: what a tree shows. */
export function treeAt(sql: Sql, seq: number | null): { path: string; bytes: number; entries: number }[] {
  const cursor =
    seq === null
      ? sql.exec("SELECT path, bytes, entries FROM files ORDER BY path")
      : sql.exec(
          "SELECT path, bytes, entries FROM files WHERE first <= ? UNION ALL SELECT path, bytes, entries FROM file_past WHERE first <= ? AND ended > ? ORDER BY path",
          seq,
          seq,
          seq,
        );
  const tree = [];
  for (const row of cursor.raw()) {
    const [path, bytes, entries] = row as [string, number, number];
    tree.push({ path, bytes, entries });
  }
  return tree;
}

/** All files at `seq` (null = head), by path. */
export function filesAt(sql: Sql, seq: number | null): FileVersion[] {
  const columns = "path, blob, bytes, entries, title, links";
  const cursor =
    seq === null
      ? sql.exec(`SELECT ${columns} FROM files ORDER BY path`)
      : sql.exec(
          `SELECT ${columns} FROM files WHERE first <= ? UNION ALL SELECT ${columns} FROM file_past WHERE first <= ? AND ended > ? ORDER BY path`,
          seq,
          seq,
          seq,
        );
  const files = [];
  for (const row of cursor.raw()) {
    const [path, blob, bytes, entries, title, links] = row as [string, ArrayBuffer, number, number, string | null, string | null];
    files.push(fileOf({ path, blob, bytes, entries, title, links }));
  }
  return files;
}

/** One file at `seq` (null = head). */
export function fileAt(sql: Sql, seq: number | null, path: string): FileVersion | null {
  const columns = "path, blob, bytes, entries, title, links";
  const now = sql.exec<FileRow & { first: number }>(`SELECT ${columns}, first FROM files WHERE path = ?`, path).toArray()[0];
  if (now && (seq === null || now.first <= seq)) return fileOf(now);
  if (seq === null) return null;
  const then = sql
    .exec<FileRow>(`SELECT ${columns} FROM file_past WHERE path = ? AND first <= ? AND ended > ?`, path, seq, seq)
    .toArray()[0];
  return then ? fileOf(then) : null;
}

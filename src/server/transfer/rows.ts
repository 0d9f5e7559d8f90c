// The staging of an import: what an archive held, in rows, until it is applied, thrown away or too old. Nothing else reads them.
import { AppError } from "../../shared/errors.ts";
import type { ImportView } from "../../shared/protocol.ts";
import type { Sql } from "../git/sql.ts";

export type RowType = "file" | "talk" | "note" | "pack" | "json";

export interface StagedRow {
  seq: number;
  n: number;
  name: string;
  data: Uint8Array;
}

/** An import as it is kept: its view without the head of the moment. */
export type KeptImport = Omit<ImportView, "head">;

export function keepImport(sql: Sql, view: KeptImport, at: number): void {
  sql.exec("INSERT OR REPLACE INTO imports (id, at, doc) VALUES (?, ?, ?)", view.id, at, JSON.stringify(view));
}

/** Tells on what becomes of an import; one that was thrown away meanwhile stays away. */
export function tellImport(sql: Sql, view: KeptImport, at: number): void {
  sql.exec("UPDATE imports SET at = ?, doc = ? WHERE id = ?", at, JSON.stringify(view), view.id);
}

/** An import. Throws `not-found`. */
export function keptImport(sql: Sql, id: string): KeptImport {
  const row = sql.exec<{ doc: string }>("SELECT doc FROM imports WHERE id = ?", id).toArray()[0];
  if (!row) throw new AppError("not-found", "There is no such import. It was thrown away after a day; bring the archive again.");
  return JSON.parse(row.doc) as KeptImport;
}

/** Imports in one of some states, or older than an instant. */
export function importsWhere(sql: Sql, pick: (view: KeptImport, at: number) => boolean): KeptImport[] {
  return sql
    .exec<{ doc: string; at: number }>("SELECT doc, at FROM imports")
    .toArray()
    .flatMap(({ doc, at }) => {
      const view = JSON.parse(doc) as KeptImport;
      return pick(view, at) ? [view] : [];
    });
}

export function addRow(sql: Sql, id: string, type: RowType, n: number, name: string, data: Uint8Array): void {
  sql.exec("INSERT INTO import_rows (import, type, n, name, data) VALUES (?, ?, ?, ?, ?)", id, type, n, name, data);
}

/** Staged rows of a kind in their order, one at a time. */
export function* stagedRows(sql: Sql, id: string, type: RowType): Generator<StagedRow> {
  for (let after = 0; ;) {
    const row = sql
      .exec<{ seq: number; n: number; name: string; data: ArrayBuffer }>(
        "SELECT seq, n, name, data FROM import_rows WHERE import = ? AND type = ? AND seq > ? ORDER BY seq LIMIT 1",
        id,
        type,
        after,
      )
      .toArray()[0];
    if (!row) return;
    after = row.seq;
    yield { ...row, data: new Uint8Array(row.data) };
  }
}

/** Names and sizes of staged rows. */
export function stagedNames(sql: Sql, id: string, type: RowType): { n: number; name: string; bytes: number }[] {
  return sql
    .exec<{ n: number; name: string; bytes: number }>(
      "SELECT n, name, length(data) AS bytes FROM import_rows WHERE import = ? AND type = ? ORDER BY seq",
      id,
      type,
    )
    .toArray();
}

/** The text of a part of an export that was staged whole, or null. */
export function stagedText(sql: Sql, id: string, name: string): string | null {
  const decoder = new TextDecoder();
  let text: string | null = null;
  for (const row of stagedRows(sql, id, "json"))
    if (row.name === name) text = (text ?? "") + decoder.decode(row.data, { stream: true });
  return text === null ? null : text + decoder.decode();
}

/** A staged JSON document, or null. */
export function stagedJson<T>(sql: Sql, id: string, name: string): T | null {
  const text = stagedText(sql, id, name);
  if (text === null) return null;
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new AppError("bad-format", `${name} in this archive is no JSON. Make the export again.`);
  }
}

/** Throws staged rows away, their bytes overwritten first: a plain DELETE leaves them in the file. */
export function dropRows(sql: Sql, id: string): void {
  sql.exec("UPDATE import_rows SET data = zeroblob(length(data)) WHERE import = ?", id);
  sql.exec("DELETE FROM import_rows WHERE import = ?", id);
}

/** Rows of archives whose reading was cut off: nobody can name them any more. Only while none is being read. */
export function dropDrafts(sql: Sql): void {
  sql.exec("UPDATE import_rows SET data = zeroblob(length(data)) WHERE import LIKE 'draft-%'");
  sql.exec("DELETE FROM import_rows WHERE import LIKE 'draft-%'");
}

/** Staged rows under another id: while an archive streams in, nobody knows its name. */
export function renameRows(sql: Sql, from: string, to: string): void {
  dropRows(sql, to);
  sql.exec("UPDATE import_rows SET import = ? WHERE import = ?", to, from);
}

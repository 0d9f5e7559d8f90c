// Keeps forgotten words out of the app's own reads of the past: versions lose their text, old files show a line in their place.
import { parseDocument, serialiseDocument, subjectOf } from "../../shared/document.ts";
import { leadOf, metaValue } from "../../shared/entry.ts";
import type { SqlValue } from "../git/sql.ts";
import type { MemoryContext } from "./context.ts";
import { parsedFile } from "./documents.ts";
import { columnsOf } from "./entry-row.ts";
import { dropText, indexText } from "./fulltext.ts";
import { fileAt, versionOf } from "./rows.ts";
import { stonesOf } from "./stones.ts";
import { HELD_BACK } from "./view.ts";

type Ctx = Pick<MemoryContext, "sql" | "keyring" | "cache"> & { prefix?: string };

/** An old text with `(held back …)` in the place of each line that was forgotten. */
export function holdBackText(ctx: Ctx, path: string, text: string): string {
  const stones = stonesOf(ctx);
  if (stones.size === 0) return text;
  const document = parseDocument(text);
  const subject = subjectOf(path, document);
  let changed = false;
  for (const entry of document.entries) {
    const id = metaValue(entry.meta, "id");
    if (!(id !== undefined && stones.replaced(id)) && stones.covering({ text: entry.text, subject }).length === 0) continue;
    document.lines[entry.line - 1]!.text = `${leadOf(entry)}${entry.bullet} ${HELD_BACK}`;
    changed = true;
  }
  return changed ? serialiseDocument(document) : text;
}

/** Holds back past versions. */
export function holdBackRows(ctx: Ctx, pids: Iterable<number>): void {
  for (const pid of pids) hold(ctx, "entry_past", pid);
}

/** Takes the words of a version out of its row and out of the index. */
function hold(ctx: Ctx, table: "entries" | "entry_past", rowid: number): void {
  const p = ctx.prefix ?? "";
  const key = table === "entries" ? "rid" : "pid";
  ctx.sql.exec(`UPDATE ${p}${table} SET text = '', name = 0, linked = 0, held = 1 WHERE ${key} = ?`, rowid);
  dropText(ctx.sql, table === "entries" ? `${p}entries_fts` : `${p}past_fts`, rowid);
}

/** Holds back every past version of the forgotten ids, and every other one that a tombstone covers. Looks at all past versions. */
export function holdBackAll(ctx: Ctx): number {
  const stones = stonesOf(ctx);
  if (stones.size === 0) return 0;
  const p = ctx.prefix ?? "";
  let held = 0;
  const titles = new Map<string, string | null>();
  const subjectAt = (path: string) => {
    const known = titles.get(path);
    if (known !== undefined) return known;
    const title =
      ctx.sql
        .exec<{ title: string | null } & Record<string, SqlValue>>(
          `SELECT title FROM ${p}files WHERE path = ? UNION ALL SELECT title FROM ${p}file_past WHERE path = ? LIMIT 1`,
          path,
          path,
        )
        .toArray()[0]?.title ?? null;
    const subject = subjectOf(path, { title });
    titles.set(path, subject);
    return subject;
  };
  const rows = ctx.sql
    .exec<{ pid: number; rid: number; id: string | null; path: string; text: string } & Record<string, SqlValue>>(
      `SELECT pid, rid, id, path, text FROM ${p}entry_past WHERE held = 0`,
    )
    .toArray();
  for (const row of rows) {
    if (
      !(row.id !== null && stones.replaced(row.id)) &&
      stones.covering({ text: row.text, subject: subjectAt(row.path) }).length === 0
    )
      continue;
    hold(ctx, "entry_past", row.pid);
    held++;
  }
  return held;
}

/** Gives back the words of versions that were held back and that no tombstone names any more; read from git, as a rebuild would. */
export function releaseHeld(ctx: Pick<MemoryContext, "sql" | "store" | "keyring" | "cache">): number {
  const stones = stonesOf(ctx);
  const { sql } = ctx;
  const rows = sql
    .exec<
      { pid: number; rid: number; id: string | null; path: string; meta: string; first: number; ended: number } & Record<
        string,
        SqlValue
      >
    >("SELECT pid, rid, id, path, meta, first, ended FROM entry_past WHERE held = 1 ORDER BY pid")
    .toArray();
  let released = 0;
  for (const { pid, rid, id, path, meta, first, ended } of rows) {
    if (id !== null && stones.replaced(id)) continue;
    const file = fileAt(sql, first, path);
    const document = file ? parsedFile(ctx, file.blob).document : null;
    const entry = document?.entries.find(
      (one) => JSON.stringify(one.meta) === meta && (id === null || metaValue(one.meta, "id") === id),
    );
    if (!document || !entry || stones.covering({ text: entry.text, subject: subjectOf(path, document) }).length > 0) continue;
    const { text, name, linked } = columnsOf(path, entry);
    sql.exec("UPDATE entry_past SET text = ?, name = ?, linked = ?, held = 0 WHERE pid = ?", text, name, linked, pid);
    // The index holds a text once, under the last version that said it.
    const next = versionOf(sql, rid, ended);
    if (!next || next.first !== ended || next.held === 1 || next.text !== text) indexText(sql, "past_fts", pid, text);
    released++;
  }
  return released;
}

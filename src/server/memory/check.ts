// Verifies what is stored: every object's hash, every ref, and the projection against git. In slices, and names what is wrong.
import { Buffer } from "node:buffer";
import { parseDocument } from "../../shared/document.ts";
import { AppError, refusalOf } from "../../shared/errors.ts";
import { isMarkdown } from "../../shared/paths.ts";
import type { CheckView } from "../../shared/protocol.ts";
import { hashObject } from "../git/oid.ts";
import { inflateObject } from "../git/store.ts";
import { listFiles, readBlob } from "../git/repo.ts";
import { headOf, type MemoryContext } from "./context.ts";
import { columnsOf, VERSION_COLUMNS, type EntryColumns } from "./entry-row.ts";
import { mainLine } from "./main-line.ts";
import { projectionHead } from "./project.ts";
import { rebuildState } from "./rebuild.ts";

type Ctx = Pick<MemoryContext, "sql" | "store">;

/** Bytes that one slice inflates: some hundred milliseconds. */
const SLICE_BYTES = 32 * 1024 * 1024;
const SLICE_OBJECTS = 50_000;
const SLICE_FILES = 4_000;
/** Problems that one slice names before it ends: a ruined store need not be listed to its last row. */
const PROBLEMS_MAX = 100;

/** One slice of the check. The cursor is where the slice before ended; `next` null = all is checked. */
export function check(ctx: Ctx, cursor?: string): CheckView {
  const [stage = "objects", at = ""] = cursor === undefined ? ["objects", "0"] : cursor.split(/:(.*)/s);
  const problems: string[] = [];
  const objects = ctx.sql.exec<{ n: number }>("SELECT count(*) AS n FROM git_objects WHERE repo = 1").one().n;
  let checked = 0;
  let next: string | null = null;
  if (stage === "objects") {
    const slice = checkObjects(ctx, Number(at), problems);
    checked = slice.checked;
    next = slice.next === null ? "refs:" : `objects:${slice.next}`;
  }
  if ((stage === "objects" && next === "refs:") || stage === "refs") {
    checkRefs(ctx, problems);
    next = "files:";
  }
  if (next === "files:" || stage === "files") next = checkFiles(ctx, stage === "files" ? at : "", problems);
  else if (stage !== "objects" && stage !== "refs")
    throw new AppError("bad-format", "That cursor is not one of the check. Start again without it.");
  return { ok: problems.length === 0, head: headOf(ctx), objects, checked, next, problems: problems.slice(0, PROBLEMS_MAX) };
}

function checkObjects(ctx: Ctx, after: number, problems: string[]): { checked: number; next: number | null } {
  let checked = 0;
  let bytes = 0;
  let last = after;
  if (!Number.isSafeInteger(after) || after < 0)
    throw new AppError("bad-format", "That cursor is not one of the check. Start again without it.");
  // A row whose kind is ruined stops the store's own reader, so the ids are walked here and each is read by itself.
  const ids = ctx.sql
    .exec<{ id: number; oid: ArrayBuffer }>(
      "SELECT id, oid FROM git_objects WHERE id > ? AND +repo = 1 ORDER BY id LIMIT ?",
      after,
      SLICE_OBJECTS + 1,
    )
    .toArray();
  for (const { id, oid: raw } of ids) {
    if (checked === SLICE_OBJECTS || bytes > SLICE_BYTES || problems.length >= PROBLEMS_MAX) return { checked, next: last };
    const oid = Buffer.from(raw).toString("hex");
    checked++;
    last = id;
    try {
      const packed = ctx.store.readPacked(oid);
      if (!packed) throw new AppError("unavailable", `Object ${oid} cannot be found under its own name.`);
      const data = inflateObject(packed);
      bytes += data.byteLength;
      if (hashObject(packed.type, data) !== oid)
        problems.push(`Object ${oid} (${packed.type}) is damaged: its bytes have another hash.`);
    } catch (error) {
      problems.push(refusalOf(error)?.message ?? `Object ${oid} cannot be read: ${String(error)}`);
    }
  }
  return { checked, next: null };
}

function checkRefs(ctx: Ctx, problems: string[]): void {
  for (const { name, oid } of ctx.store.refs()) {
    if (ctx.store.typeOf(oid) !== "commit") problems.push(`${name} points to ${oid}, which is no commit of this store.`);
    const logged = ctx.store.refLog(name, { limit: 1 })[0];
    if (logged && logged.after !== oid)
      problems.push(`${name} stands at ${oid}, but its log ends at ${logged.after ?? "nothing"}.`);
  }
  if (rebuildState(ctx.sql).rebuilding) return;
  const head = headOf(ctx);
  const projected = projectionHead(ctx);
  if ((projected?.oid ?? null) !== head) {
    problems.push(`The index stands for ${projected?.oid ?? "nothing"}, but the head is ${head ?? "nothing"}. Rebuild it.`);
    return;
  }
  let line: string[];
  try {
    line = mainLine(ctx.store);
  } catch (error) {
    problems.push(refusalOf(error)?.message ?? `The history cannot be walked: ${String(error)}`);
    return;
  }
  const logged = ctx.sql.exec<{ oid: ArrayBuffer }>("SELECT oid FROM commits ORDER BY seq").toArray();
  const differs = logged.findIndex(({ oid }, at) => line[at] !== Buffer.from(oid).toString("hex"));
  if (differs >= 0) problems.push(`The log of the index differs from git at its commit ${differs + 1}. Rebuild it.`);
  else if (logged.length !== line.length)
    problems.push(`The log of the index has ${logged.length} commits, git has ${line.length}. Rebuild it.`);
}

function checkFiles(ctx: Ctx, after: string, problems: string[]): string | null {
  const head = headOf(ctx);
  if (rebuildState(ctx.sql).rebuilding) return null;
  let seen = 0;
  let last = after;
  const inGit = new Set<string>();
  let complete = true;
  try {
    // By path as text, so that a slice goes on where the last one ended whatever order the trees have.
    const files = head === null ? [] : [...listFiles(ctx.store, head)].sort((a, b) => (a.path < b.path ? -1 : 1));
    for (const { path, oid } of files) {
      inGit.add(path);
      if (path <= after || !complete) continue;
      if (seen === SLICE_FILES || problems.length >= PROBLEMS_MAX) {
        complete = false;
        continue;
      }
      seen++;
      last = path;
      checkFile(ctx, path, oid, problems);
    }
  } catch (error) {
    problems.push(refusalOf(error)?.message ?? `The files of the head cannot be read: ${String(error)}`);
    return null;
  }
  if (!complete) return `files:${last}`;
  for (const { path } of ctx.sql.exec<{ path: string }>("SELECT path FROM files ORDER BY path")) {
    if (!inGit.has(path)) problems.push(`The index holds ${path}, which is not in the head. Rebuild it.`);
  }
  for (const { path } of ctx.sql.exec<{ path: string }>("SELECT DISTINCT path FROM entries")) {
    if (!inGit.has(path)) problems.push(`The index holds entries of ${path}, which is not in the head. Rebuild it.`);
  }
  return null;
}

function checkFile(ctx: Ctx, path: string, oid: string, problems: string[]): void {
  const row = ctx.sql
    .exec<{ blob: ArrayBuffer; entries: number; bytes: number }>("SELECT blob, entries, bytes FROM files WHERE path = ?", path)
    .toArray()[0];
  const rebuild = (what: string) => problems.push(`The index of ${path} ${what}. Rebuild it.`);
  if (!row) return void rebuild("is missing");
  if (Buffer.from(row.blob).toString("hex") !== oid) return void rebuild("stands for another version");
  const bytes = readBlob(ctx.store, oid);
  if (bytes.byteLength !== row.bytes) return void rebuild("has another size");
  if (!isMarkdown(path)) return;
  const keyOf = (columns: EntryColumns) =>
    JSON.stringify(VERSION_COLUMNS.map((column) => (column === "held" ? 0 : columns[column])));
  const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
  const wanted = parseDocument(text)
    .entries.map((entry) => keyOf(columnsOf(path, entry)))
    .sort();
  const found = ctx.sql
    .exec<Record<string, never>>(`SELECT ${VERSION_COLUMNS.join(", ")} FROM entries WHERE path = ?`, path)
    .toArray()
    .map((columns) => keyOf(columns as unknown as EntryColumns))
    .sort();
  if (wanted.length !== row.entries || wanted.length !== found.length || wanted.some((key, at) => key !== found[at]))
    rebuild("differs from its lines");
  const lost = ctx.sql
    .exec<{ n: number }>(
      "SELECT count(*) AS n FROM entries e WHERE e.path = ? AND e.held = 0 AND NOT EXISTS (SELECT 1 FROM entries_fts f WHERE f.rowid = e.rid)",
      path,
    )
    .one().n;
  if (lost > 0) rebuild(`has no full text for ${lost} of its lines`);
}

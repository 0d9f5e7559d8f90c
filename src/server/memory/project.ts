// Brings the projection from one commit to the next. Reads git and its own rows and nothing else, so that a rebuild gives the same rows.
import { Buffer } from "node:buffer";
import { subjectOf, type Document } from "../../shared/document.ts";
import { metaValue, type Meta } from "../../shared/entry.ts";
import { findLinks } from "../../shared/links.ts";
import { normalText } from "../../shared/normal.ts";
import { isForgottenFile, isMarkdown, pathKey } from "../../shared/paths.ts";
import { diffTrees, type FileChange } from "../git/diff.ts";
import { readCommit } from "../git/log.ts";
import { oidToBytes } from "../git/oid.ts";
import type { SqlBinding, SqlValue } from "../git/sql.ts";
import { describeCommit, type CommitCounts } from "./commit-message.ts";
import type { MemoryContext } from "./context.ts";
import { parsedFile, type ParsedFile } from "./documents.ts";
import { linesOf, type DiffLine } from "./entry-diff.ts";
import { columnsOf, inheritNames, refersTo, VERSION_COLUMNS, type EntryColumns } from "./entry-row.ts";
import { dropText, indexText } from "./fulltext.ts";
import { pairEntries } from "./pairing.ts";
import { NewRows, standingRows, type StandingRow } from "./project-rows.ts";

/** Which set of tables a commit is projected into: the one that is read, or the one that a rebuild fills. */
export interface Ctx extends Pick<MemoryContext, "sql" | "store" | "cache"> {
  prefix?: string;
}

/** The last commit that the projection stands for. */
export interface ProjectionHead {
  seq: number;
  oid: string;
  files: number;
  bytes: number;
  entries: number;
  rid: number;
}

/** Where the projection stands, or null when it is empty. */
export function projectionHead({ sql, prefix = "" }: Pick<Ctx, "sql" | "prefix">): ProjectionHead | null {
  const row = sql
    .exec<{ seq: number; oid: ArrayBuffer; files: number; bytes: number; entries: number; rid: number }>(
      `SELECT seq, oid, files, bytes, entries, rid FROM ${prefix}commits ORDER BY seq DESC LIMIT 1`,
    )
    .toArray()[0];
  return row ? { ...row, oid: Buffer.from(row.oid).toString("hex") } : null;
}

interface ChangedFile extends FileChange {
  file: ParsedFile | null;
  lines: DiffLine[];
}

function openChanged(ctx: Ctx, change: FileChange, known: ReadonlyMap<string, ParsedFile>): ChangedFile {
  const older = change.before === null ? undefined : ctx.cache.parsed?.get(change.before);
  const file = change.after === null ? null : (known.get(change.path) ?? parsedFile(ctx, change.after));
  if (older && file) inheritNames(older.document, file.document);
  return { ...change, file, lines: file ? linesOf(change.path, file.text, file.document) : [] };
}

/** The subject of a file as slots compare it; empty = the user. */
export function subjectKey(path: string, document: Pick<Document, "title">): string {
  const subject = subjectOf(path, document);
  return subject === null ? "" : normalText(subject);
}

const COLUMNS = VERSION_COLUMNS.join(", ");
const SET_COLUMNS = VERSION_COLUMNS.map((column) => `${column} = ?`).join(", ");
const valuesOf = (columns: EntryColumns): SqlBinding[] => VERSION_COLUMNS.map((column) => columns[column]);
const isEnded = (columns: Pick<EntryColumns, "closed" | "wrong">) => columns.closed !== null || columns.wrong === 1;

function endVersion(ctx: Ctx, row: StandingRow, seq: number, textGoes: boolean): void {
  const p = ctx.prefix ?? "";
  ctx.sql.exec(
    `INSERT INTO ${p}entry_past (rid, ended, first, ${COLUMNS}) SELECT rid, ?, first, ${COLUMNS} FROM ${p}entries WHERE rid = ?`,
    seq,
    row.rid,
  );
  if (!textGoes || row.held === 1) return;
  const { pid } = ctx.sql.exec<{ pid: number }>("SELECT last_insert_rowid() AS pid").one();
  indexText(ctx.sql, `${p}past_fts`, pid, row.text);
}

function setReferences(ctx: Ctx, rid: number, before: string[], after: string[]): void {
  const p = ctx.prefix ?? "";
  for (const target of before)
    if (!after.includes(target)) ctx.sql.exec(`DELETE FROM ${p}depends WHERE target = ? AND rid = ?`, target, rid);
  for (const target of after)
    if (!before.includes(target)) ctx.sql.exec(`INSERT OR IGNORE INTO ${p}depends (target, rid) VALUES (?, ?)`, target, rid);
}

function setTombstone(ctx: Ctx, before: Meta | null, after: { path: string; meta: Meta } | null): void {
  const p = ctx.prefix ?? "";
  const old = before && metaValue(before, "id");
  const id = after && metaValue(after.meta, "id");
  if (old && old !== id) ctx.sql.exec(`DELETE FROM ${p}tombstones WHERE id = ?`, old);
  if (!after || !id || metaValue(after.meta, "removed") === undefined) return;
  ctx.sql.exec(
    `INSERT OR REPLACE INTO ${p}tombstones (id, path, replaces, removed, match) VALUES (?, ?, ?, ?, ?)`,
    id,
    after.path,
    metaValue(after.meta, "replaces") ?? null,
    metaValue(after.meta, "removed") ?? "",
    metaValue(after.meta, "match") ?? "",
  );
}

/** What whoever made the commit knows already: which files differ, by path, and what stands in them. The same as git would say. */
export interface Done {
  changes?: FileChange[];
  files?: ReadonlyMap<string, ParsedFile>;
}
const NOTHING: ReadonlyMap<string, ParsedFile> = new Map();

/** Projects one commit. `before` must be the commit that the projection stands for. Writes rows only for what changed. */
export function projectCommit(
  ctx: Ctx,
  before: ProjectionHead | null,
  oid: string,
  done: Done = {},
): ProjectionHead & CommitCounts {
  const { sql, prefix: p = "" } = ctx;
  const seq = (before?.seq ?? 0) + 1;
  const differing = done.changes ?? diffTrees(ctx.store, before?.oid ?? null, oid);
  const changes = differing.map((change) => openChanged(ctx, change, done.files ?? NOTHING));
  const head = {
    seq,
    oid,
    files: before?.files ?? 0,
    bytes: before?.bytes ?? 0,
    entries: before?.entries ?? 0,
    rid: before?.rid ?? 0,
  };
  const counts: CommitCounts = { added: 0, changed: 0, closed: 0, removed: 0, moved: 0 };

  const rows = changes.flatMap((change) => (change.before === null ? [] : standingRows(sql, p, change.path)));
  const fresh = changes.flatMap((change) => change.lines);
  const subjects = new Map(changes.flatMap(({ path, file }) => (file ? [[path, subjectKey(path, file.document)] as const] : [])));
  const subjectFor = (columns: EntryColumns) => (columns.slot === null ? null : subjects.get(columns.path)!);
  const { pairs, gone } = pairEntries(rows, fresh);

  for (const row of gone) {
    endVersion(ctx, row, seq, true);
    sql.exec(`DELETE FROM ${p}entries WHERE rid = ?`, row.rid);
    if (row.held === 0) dropText(sql, `${p}entries_fts`, row.rid);
    const meta = JSON.parse(row.meta) as Meta;
    setReferences(ctx, row.rid, refersTo(meta), []);
    if (isForgottenFile(row.path)) setTombstone(ctx, meta, null);
    head.entries--;
    counts.removed++;
  }

  const renamed = (line: DiffLine) => line.id !== null && pairs.get(line)?.id !== line.id;
  const added = new NewRows(
    sql,
    p,
    fresh.flatMap((line) => (renamed(line) ? [line.id!] : [])),
  );
  for (const line of fresh) {
    const { text, meta: pairsOfLine } = line.entry;
    const row = pairs.get(line);
    if (!row) {
      const columns = columnsOf(line.path, line.entry);
      const rid = (line.id === null ? null : added.goneRid(line.id)) ?? ++head.rid;
      if (line.id !== null) added.name(line.id, rid);
      added.entry(rid, seq, subjectFor(columns), columns, refersTo(pairsOfLine));
      if (isForgottenFile(line.path)) setTombstone(ctx, null, { path: line.path, meta: pairsOfLine });
      head.entries++;
      counts.added++;
      continue;
    }
    const sameText = row.text === text && row.held === 0;
    const meta = JSON.stringify(pairsOfLine);
    if (sameText && row.meta === meta && row.section === line.section && row.path === line.path) {
      const subject = row.slot === null ? null : subjects.get(line.path)!;
      if (row.subject !== subject) sql.exec(`UPDATE ${p}entries SET subject = ? WHERE rid = ?`, subject, row.rid);
      continue;
    }
    const columns = columnsOf(line.path, line.entry);
    endVersion(ctx, row, seq, !sameText);
    sql.exec(
      `UPDATE ${p}entries SET first = ?, subject = ?, ${SET_COLUMNS} WHERE rid = ?`,
      seq,
      subjectFor(columns),
      ...valuesOf(columns),
      row.rid,
    );
    if (!sameText) {
      dropText(sql, `${p}entries_fts`, row.rid);
      indexText(sql, `${p}entries_fts`, row.rid, text);
    }
    if (line.id !== null && row.id !== line.id) added.name(line.id, row.rid);
    const oldMeta = JSON.parse(row.meta) as Meta;
    setReferences(ctx, row.rid, refersTo(oldMeta), refersTo(pairsOfLine));
    if (isForgottenFile(row.path))
      setTombstone(ctx, oldMeta, isForgottenFile(line.path) ? { path: line.path, meta: pairsOfLine } : null);
    if (isEnded(columns) && !isEnded(row)) counts.closed++;
    else if (sameText && row.meta === meta) counts.moved++;
    else counts.changed++;
  }

  added.flush();
  for (const change of changes) projectFile(ctx, head, seq, change);
  const about = describeCommit(readCommit(ctx.store, oid));
  // A pushed commit may be dated before its parents; looking a day up needs times that never run backwards.
  const { at } = ctx.store.commitInfo(oid);
  sql.exec(
    `INSERT INTO ${p}commits (seq, oid, at, kind, actor, ref, summary, added, changed, closed, removed, moved, files, bytes, entries, rid)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    seq,
    oidToBytes(oid),
    at,
    about.kind,
    about.actor,
    about.ref,
    about.summary,
    counts.added,
    counts.changed,
    counts.closed,
    counts.removed,
    counts.moved,
    head.files,
    head.bytes,
    head.entries,
    head.rid,
  );
  return { ...head, ...counts };
}

interface FileLine extends Record<string, SqlValue> {
  fid: number;
  bytes: number;
  links: string | null;
}

function projectFile(ctx: Ctx, head: ProjectionHead, seq: number, change: ChangedFile): void {
  const { sql, prefix: p = "" } = ctx;
  const { path, after, file } = change;
  const document = file && isMarkdown(path) ? file.document : null;
  const old = sql.exec<FileLine>(`SELECT fid, bytes, links FROM ${p}files WHERE path = ?`, path).toArray()[0];
  const links = document ? linksOfDocument(document) : [];
  if (old) {
    sql.exec(
      `INSERT INTO ${p}file_past (path, first, ended, blob, bytes, entries, title, links) SELECT path, first, ?, blob, bytes, entries, title, links FROM ${p}files WHERE fid = ?`,
      seq,
      old.fid,
    );
    head.bytes -= old.bytes;
  }
  const linksText = links.length > 0 ? JSON.stringify(links) : null;
  if (after === null || file === null) {
    if (old) sql.exec(`DELETE FROM ${p}files WHERE fid = ?`, old.fid);
    head.files -= old ? 1 : 0;
  } else {
    const bytes = Buffer.byteLength(file.text);
    head.bytes += bytes;
    const values: SqlBinding[] = [oidToBytes(after), bytes, change.lines.length, document?.title ?? null, linksText, seq];
    if (old)
      sql.exec(
        `UPDATE ${p}files SET blob = ?, bytes = ?, entries = ?, title = ?, links = ?, first = ? WHERE fid = ?`,
        ...values,
        old.fid,
      );
    else {
      sql.exec(
        `INSERT INTO ${p}files (blob, bytes, entries, title, links, first, path, fold, base) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...values,
        path,
        pathKey(path),
        linkBase(path),
      );
      head.files++;
    }
  }
  if (linksText === (old?.links ?? null)) return;
  const before = old?.links ? (JSON.parse(old.links) as [string, boolean][]).map(([link]) => link) : [];
  const now = links.map(([link]) => link);
  for (const link of before)
    if (!now.includes(link))
      sql.exec(`DELETE FROM ${p}links WHERE base = ? AND path = ? AND link = ?`, linkBase(link), path, link);
  for (const link of now)
    if (!before.includes(link))
      sql.exec(`INSERT OR IGNORE INTO ${p}links (base, path, link) VALUES (?, ?, ?)`, linkBase(link), path, link);
}

/** The link paths of a file, each once, without headings and labels; whether only closed entries hold it. */
export function linksOfDocument(document: Document): [link: string, closed: boolean][] {
  const found = new Map<string, boolean>();
  const ended = new Set(document.entries.filter((entry) => isEndedMeta(entry.meta)).map((entry) => entry.line));
  document.lines.forEach((line, at) => {
    if (line.kind === "fence" || line.kind === "front" || !line.text.includes("[[")) return;
    const closed = ended.has(at + 1);
    for (const { path } of findLinks(line.text)) found.set(path, closed && (found.get(path) ?? true));
  });
  return [...found];
}

function isEndedMeta(meta: Meta): boolean {
  return metaValue(meta, "closed") !== undefined || metaValue(meta, "why") === "wrong";
}

/** What a link's target is called without folders and `.md`, case folded: every file that it can resolve to has this base name. */
export function linkBase(linkPath: string): string {
  const name = pathKey(linkPath.slice(linkPath.lastIndexOf("/") + 1));
  return name.endsWith(".md") ? name.slice(0, -3) : name;
}

// Commits as the history shows them: pages of the log, by file, entry, kind, or by words that came or went.
import { Buffer } from "node:buffer";
import { AppError } from "../../shared/errors.ts";
import { PAGE_DEFAULT, PAGE_MAX } from "../../shared/limits.ts";
import type { CommitView, Kind, Page } from "../../shared/protocol.ts";
import { searchTokens } from "../../shared/words.ts";
import { commitLinks } from "../git/commit.ts";
import type { SqlBinding, SqlValue } from "../git/sql.ts";
import type { HistoryAsk } from "./api.ts";
import type { MemoryContext } from "./context.ts";
import { findText } from "./fulltext.ts";
import { ridOf, versionsOf } from "./rows.ts";

type Ctx = Pick<MemoryContext, "sql" | "store" | "costOf">;

export interface CommitRow extends Record<string, SqlValue> {
  seq: number;
  oid: ArrayBuffer;
  at: number;
  kind: string;
  actor: string;
  ref: string | null;
  summary: string;
  added: number;
  changed: number;
  closed: number;
  removed: number;
  moved: number;
}

/** A row of the log as a view. */
export function commitView(ctx: Ctx, row: CommitRow): CommitView {
  const commit = Buffer.from(row.oid).toString("hex");
  const object = ctx.store.read(commit);
  const { added, changed, closed, removed, moved } = row;
  return {
    commit,
    parents: object ? commitLinks(object.data).parents : [],
    at: new Date(row.at).toISOString(),
    kind: row.kind as Kind,
    ref: row.ref,
    summary: row.summary,
    entries: { added, changed, closed, removed, moved },
    costUsd: row.ref === null ? null : (ctx.costOf?.(row.ref) ?? null),
  };
}

/** Versions whose words are looked at for one page: more hits than this say that the words are too common. */
const TEXT_HITS_MAX = 5_000;

/** Numbers of the commits in which words came or went. */
function seqsOfText(sql: Ctx["sql"], text: string): Set<number> {
  const tokens = searchTokens(text);
  const seqs = new Set<number>();
  if (tokens.length === 0) return seqs;
  const now = findText(sql, "entries_fts", tokens, { limit: TEXT_HITS_MAX, all: true }).map((hit) => hit.rowid);
  const gone = findText(sql, "past_fts", tokens, { limit: TEXT_HITS_MAX, all: true }).map((hit) => hit.rowid);
  for (const { rid, text: current } of sql.exec<{ rid: number; text: string }>(
    "SELECT rid, text FROM entries WHERE rid IN (SELECT value FROM json_each(?))",
    JSON.stringify(now),
  )) {
    seqs.add(cameAt(sql, rid, current));
  }
  for (const row of sql.exec<{ rid: number; ended: number; text: string; first: number }>(
    "SELECT rid, ended, text, first FROM entry_past WHERE pid IN (SELECT value FROM json_each(?))",
    JSON.stringify(gone),
  )) {
    seqs.add(row.ended);
    seqs.add(cameAt(sql, row.rid, row.text, row.first));
  }
  return seqs;
}

/** The commit in which an entry got this text: versions that differ in metadata alone do not count. */
function cameAt(sql: Ctx["sql"], rid: number, text: string, before = Number.MAX_SAFE_INTEGER): number {
  const versions = versionsOf(sql, rid).filter((version) => version.first <= before);
  let at = versions.length - 1;
  while (at > 0 && versions[at - 1]!.text === text && versions[at - 1]!.ended === versions[at]!.first) at--;
  return versions[at]?.first ?? 0;
}

function seqsOfPath(sql: Ctx["sql"], path: string): Set<number> {
  const rows = sql.exec<{ seq: number }>(
    "SELECT first AS seq FROM files WHERE path = ? UNION SELECT first FROM file_past WHERE path = ? UNION SELECT ended FROM file_past WHERE path = ?",
    path,
    path,
    path,
  );
  return new Set([...rows].map((row) => row.seq));
}

function seqsOfEntry(sql: Ctx["sql"], id: string): Set<number> {
  const rid = ridOf(sql, id);
  if (rid === null) throw new AppError("not-found", "No entry has ever had that id.", { id });
  return new Set(
    versionsOf(sql, rid).flatMap((version) => (version.ended === null ? [version.first] : [version.first, version.ended])),
  );
}

/** A page of the log, newest first. The cursor is the number of the last commit of the page before. */
export function historyPage(ctx: Ctx, ask: HistoryAsk): Page<CommitView> {
  const limit = Math.min(ask.limit ?? PAGE_DEFAULT, PAGE_MAX);
  const before = ask.cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(ask.cursor);
  if (!Number.isSafeInteger(before) || before < 0)
    throw new AppError("bad-format", "That cursor is not one of this list. Start again without it.");
  const filters: Set<number>[] = [];
  if (ask.path !== undefined) filters.push(seqsOfPath(ctx.sql, ask.path));
  if (ask.entry !== undefined) filters.push(seqsOfEntry(ctx.sql, ask.entry));
  if (ask.text !== undefined) filters.push(seqsOfText(ctx.sql, ask.text));
  const where = ["seq < ?"];
  const bindings: SqlBinding[] = [before];
  if (ask.kind !== undefined) {
    where.push("kind = ?");
    bindings.push(ask.kind);
  }
  const [first, ...others] = filters;
  if (first) {
    const seqs = [...first].filter((seq) => others.every((other) => other.has(seq)));
    where.push("seq IN (SELECT value FROM json_each(?))");
    bindings.push(JSON.stringify(seqs));
  }
  const rows = ctx.sql
    .exec<CommitRow>(`SELECT * FROM commits WHERE ${where.join(" AND ")} ORDER BY seq DESC LIMIT ?`, ...bindings, limit + 1)
    .toArray();
  const page = rows.slice(0, limit);
  return { items: page.map((row) => commitView(ctx, row)), next: rows.length > limit ? String(page.at(-1)!.seq) : null };
}

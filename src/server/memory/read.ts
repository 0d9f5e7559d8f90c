// Files and entries as they are read: now or at a point of system time, by path and line, or by score.
import { parseDocument } from "../../shared/document.ts";
import { AppError } from "../../shared/errors.ts";
import { PAGE_DEFAULT, PAGE_MAX } from "../../shared/limits.ts";
import { findLinks } from "../../shared/links.ts";
import { isMarkdown } from "../../shared/paths.ts";
import type { EntryView, FileContent, MemoryView, Page } from "../../shared/protocol.ts";
import { queryTokens } from "../../shared/words.ts";
import { estimateTokenCount } from "tokenx";
import type { At, EntriesAsk, EntryDetail } from "./api.ts";
import { pointOf } from "./at.ts";
import { asOfWhere, stateWhere } from "./clock-sql.ts";
import { todayOf, type MemoryContext } from "./context.ts";
import { parsedFile } from "./documents.ts";
import { isForgottenName } from "./gate-files.ts";
import { searchText } from "./fulltext.ts";
import { holdBackText } from "./hold-back.ts";
import { linkResolver } from "./link-resolver.ts";
import { historyPage } from "./log-view.ts";
import { linkBase } from "./project.ts";
import {
  currentById,
  currentByRids,
  fileAt,
  filesAt,
  ridOf,
  treeAt,
  versionOf,
  versionsAt,
  type Version,
  type Where,
} from "./rows.ts";
import { timelineVersions } from "./timeline.ts";
import { linesOfVersions, viewsOf } from "./view.ts";

/** The tree of files. */
export function files(ctx: MemoryContext, at: At): MemoryView {
  const { seq, commit } = pointOf(ctx, at);
  if (commit === null) return { head: null, files: [] };
  return { head: commit, files: treeAt(ctx.sql, seq) };
}

/** A file with its entries, its links and what links to it. Throws `not-found`. */
export function readFile(ctx: MemoryContext, path: string, at: At): FileContent {
  const { seq, commit } = pointOf(ctx, at);
  const file = commit === null ? null : fileAt(ctx.sql, seq, path);
  if (!file)
    throw new AppError("not-found", `There is no file “${path.slice(0, 200)}”${at.ref || at.knownAt ? " at that point" : ""}.`, {
      path,
    });
  const { text: stored, document } = parsedFile(ctx, file.blob);
  const text = seq === null || isForgottenName(path) ? stored : holdBackText(ctx, path, stored);
  const versions = [...versionsAt(ctx.sql, seq, [{ sql: "path = ?", bindings: [path] }])];
  const lines = linesOfVersions(ctx, versions, seq);
  versions.sort((a, b) => (lines.get(a) ?? 0) - (lines.get(b) ?? 0));
  const links: FileContent["links"] = [];
  const resolve = linkResolver(ctx.sql, seq);
  const shown = text === stored ? document : parseDocument(text);
  shown.lines.forEach((line, at) => {
    if (line.kind === "fence" || line.kind === "front") return;
    for (const link of findLinks(line.text)) {
      links.push({ link: link.path, label: link.label ?? "", path: resolve(link.path), line: at + 1 });
    }
  });
  return {
    path,
    head: commit,
    text,
    tokens: estimateTokenCount(text),
    entries: isMarkdown(path) ? viewsOf(ctx, versions, seq, lines) : [],
    backlinks: backlinks(ctx, path, seq),
    links,
  };
}

/** Lines of other files that link to a file. Only files with a link that ends in its name are opened. */
function backlinks(ctx: MemoryContext, path: string, seq: number | null): FileContent["backlinks"] {
  const base = linkBase(path);
  const resolve = linkResolver(ctx.sql, seq);
  const linking =
    seq === null
      ? ctx.sql.exec<{ path: string; link: string }>("SELECT path, link FROM links WHERE base = ?", base).toArray()
      : filesAt(ctx.sql, seq).flatMap((file) =>
          file.links.filter(([link]) => linkBase(link) === base).map(([link]) => ({ path: file.path, link })),
        );
  const from = new Set(linking.flatMap((one) => (one.path !== path && resolve(one.link) === path ? [one.path] : [])));
  if (from.size === 0) return [];
  return [...from].sort().flatMap((other) => {
    const file = fileAt(ctx.sql, seq, other);
    if (!file) return [];
    const parsed = parsedFile(ctx, file.blob);
    const document = seq === null ? parsed.document : parseDocument(holdBackText(ctx, other, parsed.text));
    return document.lines.flatMap((line, at) => {
      if (line.kind === "fence" || line.kind === "front") return [];
      if (!findLinks(line.text).some((link) => resolve(link.path) === path)) return [];
      const entry = document.entries.find((one) => one.line === at + 1);
      return [{ path: other, line: at + 1, text: entry ? entry.text : line.text.trim() }];
    });
  });
}

function conditions(ctx: MemoryContext, ask: EntriesAsk): Where[] {
  const where: Where[] = [];
  if (ask.asOf !== undefined) where.push(asOfWhere(ask.asOf));
  if (ask.state !== undefined) where.push(stateWhere(ask.state, todayOf(ctx)));
  else if (ask.asOf === undefined) where.push(stateWhere(["open", "upcoming"], todayOf(ctx)));
  if (ask.ids !== undefined) where.push({ sql: "id IN (SELECT value FROM json_each(?))", bindings: [JSON.stringify(ask.ids)] });
  if (ask.path !== undefined) {
    // A folder names all below it.
    where.push({
      sql: "path = ? OR (path > ? AND path < ?)",
      bindings: [ask.path, `${ask.path.replace(/\/$/, "")}/`, `${ask.path.replace(/\/$/, "")}0`],
    });
  }
  if (ask.slot !== undefined) where.push({ sql: "slot = ?", bindings: [ask.slot] });
  if (ask.scope !== undefined) where.push({ sql: "scope = ?", bindings: [ask.scope] });
  return where;
}

/** Entries by path and line, or with `q` by score. */
export function entries(ctx: MemoryContext, ask: EntriesAsk): Page<EntryView> {
  const limit = Math.min(ask.limit ?? PAGE_DEFAULT, PAGE_MAX);
  const { seq, commit } = pointOf(ctx, ask);
  const where = conditions(ctx, ask);
  if (ask.q !== undefined && ask.q.trim() !== "") return searchPage(ctx, ask, seq, where, limit);
  const [afterPath = "", afterCount = "0"] = ask.cursor === undefined ? [] : readCursor(ask.cursor);
  if (commit === null) return { items: [], next: null };
  const skip = Number(afterCount);
  if (ask.cursor !== undefined) where.push({ sql: "path >= ?", bindings: [afterPath] });
  // A file is read to its end before the page is cut: its entries come in the order of their lines, which only the file knows.
  const found: Version[] = [];
  let more = false;
  for (const version of versionsAt(ctx.sql, seq, where)) {
    const last = found.at(-1);
    if (last && last.path !== version.path && found.length - (found[0]!.path === afterPath ? skip : 0) >= limit) {
      more = true;
      break;
    }
    found.push(version);
  }
  const lines = linesOfVersions(ctx, found, seq);
  found.sort((a, b) => (a.path === b.path ? (lines.get(a) ?? 0) - (lines.get(b) ?? 0) : 0));
  const from = ask.cursor !== undefined && found[0]?.path === afterPath ? Math.min(skip, found.length) : 0;
  const page = found.slice(from, from + limit);
  const end = page.at(-1);
  const next =
    end && (more || from + limit < found.length)
      ? writeCursor(end.path, found.slice(0, from + limit).filter((one) => one.path === end.path).length)
      : null;
  return { items: viewsOf(ctx, page, seq, lines), next };
}

function writeCursor(path: string, count: number): string {
  return encodeURIComponent(JSON.stringify([path, count]));
}

function readCursor(cursor: string): [string, string] {
  try {
    const [path, count] = JSON.parse(decodeURIComponent(cursor)) as [unknown, unknown];
    if (typeof path === "string" && Number.isSafeInteger(count) && (count as number) >= 0) return [path, String(count)];
  } catch {
    // Falls through to the refusal.
  }
  throw new AppError("bad-format", "That cursor is not one of this list. Start again without it.");
}

/** Versions that one search looks at: past this many hits the words are too common to rank anything. */
const SEARCH_HITS_MAX = 2_000;

/** Entries that hold the words, best first, as they stood at `seq`. */
export function searchVersions(
  ctx: Pick<MemoryContext, "sql">,
  query: string,
  seq: number | null,
): { version: Version; score: number }[] {
  const tokens = queryTokens(query);
  const hits = searchText(ctx.sql, "entries_fts", tokens, SEARCH_HITS_MAX);
  const scores = new Map(hits.map((hit) => [hit.rowid, hit.score]));
  if (seq === null) {
    return currentByRids(
      ctx.sql,
      hits.map((hit) => hit.rowid),
    ).map((version) => ({ version, score: scores.get(version.rid)! }));
  }
  const past = searchText(ctx.sql, "past_fts", tokens, SEARCH_HITS_MAX);
  const pastScores = new Map(past.map((hit) => [hit.rowid, hit.score]));
  for (const row of ctx.sql.exec<{ pid: number; rid: number }>(
    "SELECT pid, rid FROM entry_past WHERE pid IN (SELECT value FROM json_each(?))",
    JSON.stringify(past.map((hit) => hit.rowid)),
  )) {
    scores.set(row.rid, Math.max(scores.get(row.rid) ?? 0, pastScores.get(row.pid)!));
  }
  const wanted = new Set(tokens);
  const found: { version: Version; score: number }[] = [];
  for (const [rid, score] of scores) {
    const version = versionOf(ctx.sql, rid, seq);
    // The hit may be of another version: this one must hold a word, too.
    if (version && version.held === 0 && queryTokens(version.text).some((token) => wanted.has(token)))
      found.push({ version, score });
  }
  return found.sort((a, b) => b.score - a.score);
}

function searchPage(ctx: MemoryContext, ask: EntriesAsk, seq: number | null, where: Where[], limit: number): Page<EntryView> {
  const offset = ask.cursor === undefined ? 0 : Number(ask.cursor);
  if (!Number.isSafeInteger(offset) || offset < 0)
    throw new AppError("bad-format", "That cursor is not one of this list. Start again without it.");
  const hits = searchVersions(ctx, ask.q!, seq);
  const rids = JSON.stringify(hits.map((hit) => hit.version.rid));
  const allowed = new Set<number>();
  for (const version of versionsAt(ctx.sql, seq, [
    ...where,
    { sql: "rid IN (SELECT value FROM json_each(?))", bindings: [rids] },
  ]))
    allowed.add(version.rid);
  const fit = hits.filter((hit) => allowed.has(hit.version.rid)).map((hit) => hit.version);
  const page = fit.slice(offset, offset + limit);
  return { items: viewsOf(ctx, page, seq), next: fit.length > offset + limit ? String(offset + limit) : null };
}

/** One entry with the values of its slot over time and its commits. Throws `not-found`. */
export function entry(ctx: MemoryContext, id: string): EntryDetail {
  const version = currentById(ctx.sql, id);
  if (!version) {
    const stone = ctx.sql.exec("SELECT 1 FROM tombstones WHERE replaces = ?", id).toArray().length > 0;
    const known = ridOf(ctx.sql, id) !== null;
    throw new AppError(
      "not-found",
      stone
        ? "That line was forgotten."
        : known
          ? "That line stands no longer in the memory; its history does."
          : "There is no entry with that id.",
      { id },
    );
  }
  const [view] = viewsOf(ctx, [version]);
  const timeline = timelineVersions(ctx, version).filter((one) => one.rid !== version.rid);
  return { ...view!, timeline: viewsOf(ctx, timeline), history: historyPage(ctx, { entry: id, limit: PAGE_DEFAULT }).items };
}

// The memory as dreams see it: reads over the projection, dry runs and writes through the one writer. Knows nothing of how a dream works.
import { Buffer } from "node:buffer";
import { baseName, parseDocument, subjectOf } from "../../shared/document.ts";
import { stateOf } from "../../shared/clock.ts";
import { metaValue } from "../../shared/entry.ts";
import { findLinks, linkIndex, type LinkIndex } from "../../shared/links.ts";
import { normalText } from "../../shared/normal.ts";
import { isMarkdown, pathKey } from "../../shared/paths.ts";
import type { Change, EntryChange, EntryView, Outcome } from "../../shared/protocol.ts";
import { foldText, queryTokens } from "../../shared/words.ts";
import { stateWhere } from "./clock-sql.ts";
import { readBlob } from "../git/repo.ts";
import { commitBefore, commitRow, changesBetween, filesBetween } from "./commit-detail.ts";
import { headOf, todayOf, type MemoryContext } from "./context.ts";
import type { EntryDelta } from "./entry-diff.ts";
import { isForgottenName, MEMORY_FILE } from "./gate-files.ts";
import { findText } from "./fulltext.ts";
import { revert } from "./revert.ts";
import { currentById, currentByRids, fileAt, filesAt, versionsAt, type Version, type Where } from "./rows.ts";
import { stonesOf } from "./stones.ts";
import { unseal } from "./tombstone-key.ts";
import { viewsOf } from "./view.ts";
import { dryRun, write } from "./writer.ts";

/** An entry, and whether it is of the user's own hand: typed into the app, or saved in a chat from typed words. */
type Line = EntryView & { typed: boolean };

/** Groups, files and lines that one look of the janitor brings at most: more is put in order over several dreams. */
const GROUPS_MAX = 300;
const BROKEN_MAX = 200;
const ORPHANS_MAX = 5_000;
/** Hits looked at for each that is wanted: closed lines are hits, too. */
const SEARCH_SPARE = 8;
/** Lines with the same words that are looked at for one that ended. */
const ENDED_MAX = 40;
/** Bytes of a file that may be nothing but headings. */
const HOLLOW_MAX_BYTES = 2_000;
/** Words of a text that are looked up as names of files. */
const NAME_WORDS_MAX = 60;

const ENDED: Where = { sql: "removed = 0 AND held = 0 AND (wrong = 1 OR closed IS NOT NULL)", bindings: [] };
const LIVE: Where = { sql: "removed = 0 AND wrong = 0 AND closed IS NULL AND held = 0", bindings: [] };

/** Everything that a dream asks of the memory. */
export function memoryForDreams(ctx: MemoryContext) {
  const { sql } = ctx;

  const lines = (versions: readonly Version[]): Line[] => {
    const views = viewsOf(ctx, versions);
    return views.map((view, at) => ({ ...view, typed: isTyped(ctx, versions[at]!) }));
  };
  const live = (...where: Where[]): Version[] =>
    [...versionsAt(sql, null, [LIVE, ...where])].filter((version) => !isForgottenName(version.path));

  // Resolving links takes all paths; they change with the head alone.
  let links: { head: string | null; index: LinkIndex } | null = null;
  const linkIndexNow = (): LinkIndex => {
    const head = headOf(ctx);
    if (links?.head !== head) links = { head, index: linkIndex(filesAt(sql, null).map(({ path }) => path)) };
    return links.index;
  };

  // Messages of one conversation come together: their entries are looked for once.
  const citing = (of: Where): ((source: string) => Version[]) => {
    let cited: { key: string; versions: Version[] } | null = null;
    return (source) => {
      const thread = source.split("#", 1)[0]!;
      const key = `${headOf(ctx)} ${thread}`;
      if (cited?.key !== key) {
        const found = [...versionsAt(sql, null, [of, { sql: "instr(meta, ?) > 0", bindings: [`"${thread}`] }])];
        cited = { key, versions: found.filter(({ path }) => !isForgottenName(path)) };
      }
      return cited.versions.filter(({ meta }) => meta.includes(JSON.stringify(["source", source])));
    };
  };
  const citingLive = citing(LIVE);
  const citingEnded = citing(ENDED);

  return {
    head: () => headOf(ctx),

    openCount(): number {
      const where = stateWhere(["open", "upcoming"], todayOf(ctx));
      return sql
        .exec<{ n: number }>(
          `SELECT COUNT(*) AS n FROM entries WHERE (${where.sql}) AND NOT (text LIKE '[[%]]' AND instr(substr(text, 3), '[[') = 0)`,
          ...where.bindings,
        )
        .one().n;
    },

    entry(id: string): Line | null {
      const version = currentById(sql, id);
      return version && !isForgottenName(version.path) ? (lines([version])[0] ?? null) : null;
    },

    file(path: string): { path: string; title: string | null; entries: Line[] } | null {
      const file = isForgottenName(path) ? null : fileAt(sql, null, path);
      if (!file) return null;
      const entries = lines(live({ sql: "path = ?", bindings: [path] })).sort((a, b) => a.line - b.line);
      return { path, title: file.title, entries };
    },

    search(query: string, limit: number): Line[] {
      const today = todayOf(ctx);
      const hits = findText(sql, "entries_fts", queryTokens(query), { limit: limit * SEARCH_SPARE });
      const standing = currentByRids(
        sql,
        hits.map(({ rowid }) => rowid),
      ).filter(
        (version) =>
          version.held === 0 &&
          !isForgottenName(version.path) &&
          ["open", "upcoming", "past"].includes(stateOf(JSON.parse(version.meta), today)),
      );
      return lines(standing.slice(0, limit));
    },

    filesNamed: (text: string, limit: number): string[] => filesNamed(ctx, text, limit),

    linksOf(path: string): string[] {
      const index = linkIndexNow();
      return [
        ...new Set(
          (fileAt(sql, null, path)?.links ?? []).flatMap(([link, closed]) => (closed ? [] : (index.resolve(link) ?? []))),
        ),
      ].filter((to) => to !== path);
    },

    entriesFrom: (source: string): Line[] => lines(citingLive(source)),

    endedFrom: (source: string): Line[] => lines(citingEnded(source)),

    endedLike(text: string): Line[] {
      const hits = findText(sql, "entries_fts", queryTokens(text), { limit: ENDED_MAX, all: true });
      const found = currentByRids(
        sql,
        hits.map(({ rowid }) => rowid),
      );
      const today = todayOf(ctx);
      return lines(
        found.filter(
          ({ held, path, meta }) => held === 0 && !isForgottenName(path) && stateOf(JSON.parse(meta), today) === "closed",
        ),
      );
    },

    janitor: () => janitorView(ctx, lines, live, linkIndexNow()),

    unused(before: string, limit: number): Line[] {
      const today = todayOf(ctx);
      const open = stateWhere(["open"], today);
      // An entry counts as used on the day it was learned: what is new has had no time to be used.
      const rids = sql
        .exec<{ rid: number }>(
          `SELECT e.rid FROM (SELECT rid, id, first FROM entries WHERE id IS NOT NULL AND pin = 0 AND held = 0 AND (${open.sql})) e
           LEFT JOIN entry_uses u ON u.id = e.id JOIN commits c ON c.seq = e.first
           WHERE MAX(COALESCE(u.last, 0), c.at) < ? ORDER BY MAX(COALESCE(u.last, 0), c.at), e.rid LIMIT ?`,
          ...open.bindings,
          Date.parse(`${before}T00:00:00Z`),
          limit,
        )
        .toArray();
      const rows = currentByRids(
        sql,
        rids.map(({ rid }) => rid),
      );
      return lines(rows);
    },

    passed(after: string, limit: number): Line[] {
      const today = todayOf(ctx);
      return lines(live({ sql: "ends >= ? AND ends < ?", bindings: [after, today] }).slice(0, limit));
    },

    nearForgotten: (text: string, path: string): string[] => nearForgotten(ctx, text, path),

    judge(change: Change): { outcome: Outcome; changes: EntryChange[] } {
      const { outcome, deltas } = dryRun(ctx, change);
      return { outcome, changes: deltas.map((delta) => changeOf(delta, todayOf(ctx))) };
    },

    write: (change: Change): Outcome => write(ctx, change),

    changesOf: (commit: string): EntryChange[] =>
      changesBetween(ctx, filesBetween(ctx, commitBefore(ctx, commitRow(ctx, commit)), commit)),

    revert: (commit: string): Outcome => revertWhatStands(ctx, commit),

    commitOfDream(id: string): string | null {
      const row = sql
        .exec<{ oid: ArrayBuffer }>(
          "SELECT oid FROM commits WHERE kind = 'dream' AND ref = ? ORDER BY seq DESC LIMIT 1",
          `dream/${id}`,
        )
        .toArray()[0];
      return row ? Buffer.from(row.oid).toString("hex") : null;
    },

    markDream(id: string, commit: string): void {
      const name = `refs/heads/dream/${id}`;
      const before = ctx.store.ref(name);
      if (before !== commit) ctx.store.moveRef(name, before, commit, { kind: "dream", actor: "model", at: ctx.now() });
    },

    dreamOfCommit(commit: string): string | null {
      const row = sql
        .exec<{ ref: string }>(
          "SELECT ref FROM commits WHERE kind = 'dream' AND oid = ? AND ref IS NOT NULL",
          Buffer.from(commit, "hex"),
        )
        .toArray()[0];
      return row?.ref.replace(/^dream\//, "") ?? null;
    },
  };
}

/** Forgotten texts that share much of a text without covering it; those that were erased nobody can read any more. */
function nearForgotten(ctx: MemoryContext, text: string, path: string): string[] {
  const stones = stonesOf(ctx);
  if (stones.size === 0) return [];
  const near = stones.near({ text, subject: subjectOf(path, { title: fileAt(ctx.sql, null, path)?.title ?? null }) });
  if (near.length === 0) return [];
  const ring = ctx.keyring();
  return ctx.sql
    .exec<{ sealed: string }>(
      "SELECT sealed FROM forgotten_facts WHERE sealed IS NOT NULL AND id IN (SELECT value FROM json_each(?))",
      JSON.stringify(near),
    )
    .toArray()
    .flatMap(({ sealed }) => unseal(ring, sealed)?.text ?? []);
}

/** Whether the words of an entry came by the user's own hand: the kind of the commit in which this text first stood decides. */
function isTyped(ctx: Pick<MemoryContext, "sql">, version: Version): boolean {
  const row = ctx.sql
    .exec<{ kind: string; actor: string }>(
      `SELECT kind, actor FROM commits WHERE seq = (SELECT MIN(first) FROM (
         SELECT first FROM entries WHERE rid = ? AND text = ? UNION ALL SELECT first FROM entry_past WHERE rid = ? AND text = ?))`,
      version.rid,
      version.text,
      version.rid,
      version.text,
    )
    .toArray()[0];
  if (!row) return false;
  // A chat saves only what typed words or a pressed button ask for; a dream's change that the user accepted is the user's.
  return row.kind === "chat" || (row.actor === "user" && (row.kind === "edit" || row.kind === "dream"));
}

function changeOf({ verb, before, after }: EntryDelta, today: string): EntryChange {
  const line = (after ?? before)!;
  return {
    verb,
    id: line.id,
    path: line.path,
    fromPath: before && after && before.path !== after.path ? before.path : null,
    section: line.section,
    before: before?.entry.text ?? null,
    after: after?.entry.text ?? null,
    metaBefore: (before?.entry.meta ?? []).map(([key, value]) => [key, value]),
    metaAfter: (after?.entry.meta ?? []).map(([key, value]) => [key, value]),
    state: stateOf(line.entry.meta, today),
    heldBack: false,
  };
}

/** Files of people, places and projects whose whole name stands in the text. A file is found by the first word of its name. */
function filesNamed(ctx: Pick<MemoryContext, "sql">, text: string, limit: number): string[] {
  const words = [...new Set(foldText(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])]
    .filter((word) => word.length >= 2)
    .slice(0, NAME_WORDS_MAX);
  const there = new Set(words);
  const found = new Set<string>();
  for (const word of words) {
    for (const folder of ["people/", "places/", "projects/"]) {
      const from = pathKey(`${folder}${word}`);
      for (const { path } of ctx.sql.exec<{ path: string }>(
        "SELECT path FROM files WHERE fold >= ? AND fold < ? LIMIT 5",
        from,
        `${from}\uffff`,
      )) {
        const name = foldText(baseName(path)).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
        if (name.length > 0 && name.every((part) => there.has(part))) found.add(path);
      }
      if (found.size >= limit) return [...found].slice(0, limit);
    }
  }
  return [...found];
}

/** What the janitor's rules look at. One pass over indexes; rows are read only where something may need work. */
function janitorView(
  ctx: MemoryContext,
  lines: (versions: readonly Version[]) => Line[],
  live: (...where: Where[]) => Version[],
  index: LinkIndex,
) {
  const { sql } = ctx;
  const today = todayOf(ctx);
  const names = sql
    .exec<{ name: number }>(
      `SELECT name FROM entries WHERE ${LIVE.sql} GROUP BY name, scope, begins HAVING COUNT(*) > 1 LIMIT ?`,
      GROUPS_MAX,
    )
    .toArray()
    .map(({ name }) => name);
  const twins = new Map<string, Version[]>();
  for (const version of live({ sql: "name IN (SELECT value FROM json_each(?))", bindings: [JSON.stringify(names)] })) {
    const key = JSON.stringify([normalText(version.text), version.scope, metaValue(JSON.parse(version.meta), "on") ?? null]);
    const list = twins.get(key);
    if (list) list.push(version);
    else twins.set(key, [version]);
  }

  // Where links lead: one look at each distinct link of the memory.
  const targets = new Set<string>();
  const dead: { path: string; link: string }[] = [];
  const hollow = hollowFiles(ctx);
  for (const { path, link } of sql.exec<{ path: string; link: string }>("SELECT path, link FROM links").toArray()) {
    const to = index.resolve(link);
    if (to === null || hollow.has(to)) dead.push({ path, link });
    else if (to !== path) targets.add(to);
  }
  const broken = dead.slice(0, BROKEN_MAX).flatMap(({ path, link }) => {
    const holding = live({ sql: "path = ? AND linked = 1 AND instr(text, ?) > 0", bindings: [path, link] }).filter((version) =>
      findLinks(version.text).some((one) => one.path === link),
    );
    const to = holding.length > 0 ? movedTo(ctx, link) : null;
    return lines(holding).map((entry) => ({ entry, link, to }));
  });
  const orphans = sql
    .exec<{ path: string }>("SELECT path FROM files WHERE entries > 0 ORDER BY path")
    .toArray()
    .map(({ path }) => path)
    .filter((path) => isMarkdown(path) && path !== MEMORY_FILE && !isForgottenName(path) && !targets.has(path))
    .slice(0, ORPHANS_MAX);

  return {
    equal: [...twins.values()].filter((group) => group.length > 1).map(lines),
    overdue: lines([
      ...versionsAt(sql, null, [
        { sql: "removed = 0 AND wrong = 0 AND held = 0 AND closed IS NULL AND until <= ?", bindings: [today] },
      ]),
    ]),
    broken,
    orphans,
    memory: lines(live({ sql: "path = ?", bindings: [MEMORY_FILE] })).sort((a, b) => a.line - b.line),
    title: fileAt(sql, null, MEMORY_FILE)?.title ?? null,
    // Whose hand they are of is nobody's question here, and an index may be long.
    indexed: viewsOf(ctx, live({ sql: "path = 'index.md' OR path LIKE '%/index.md'", bindings: [] })).map((view) => ({
      ...view,
      typed: false,
    })),
  };
}

/** Files of which nothing is left but headings: their lines have moved away. */
function hollowFiles(ctx: Pick<MemoryContext, "sql" | "store">): Set<string> {
  const rows = ctx.sql
    .exec<{ path: string; blob: ArrayBuffer }>(
      "SELECT path, blob FROM files WHERE entries = 0 AND bytes <= ? AND path <> ?",
      HOLLOW_MAX_BYTES,
      MEMORY_FILE,
    )
    .toArray();
  const empty = rows.filter(({ path, blob }) => {
    if (!isMarkdown(path)) return false;
    const text = new TextDecoder().decode(readBlob(ctx.store, Buffer.from(blob).toString("hex")));
    return parseDocument(text).lines.every(({ kind }) => kind === "heading" || kind === "blank");
  });
  return new Set(empty.map(({ path }) => path));
}

/** Where the entries of a file went that stands no longer, or stands empty: the one file that now holds most of them. */
function movedTo(ctx: Pick<MemoryContext, "sql" | "store">, link: string): string | null {
  const { sql } = ctx;
  const gone = sql
    .exec<{ path: string; ended: number }>(
      "SELECT path, MAX(ended) AS ended FROM file_past WHERE path = ? OR path = ? GROUP BY path ORDER BY ended DESC LIMIT 1",
      link,
      `${link}.md`,
    )
    .toArray()[0];
  if (!gone) return null;
  const heirs = sql
    .exec<{ path: string; n: number }>(
      `SELECT path, COUNT(*) AS n FROM entries WHERE path <> ? AND rid IN (SELECT rid FROM entry_past WHERE path = ?) GROUP BY path ORDER BY n DESC LIMIT 2`,
      gone.path,
      gone.path,
    )
    .toArray();
  const [best, second] = heirs;
  if (best && best.n > (second?.n ?? 0)) return best.path;
  // A file that was renamed as a whole keeps its words though its entries may have no ids.
  const twin = sql
    .exec<{ path: string }>(
      "SELECT f.path FROM file_past p JOIN files f ON f.blob = p.blob WHERE p.path = ? AND p.ended = ? LIMIT 1",
      gone.path,
      gone.ended,
    )
    .toArray()[0];
  return twin?.path ?? null;
}

/** Takes a commit back; where later edits touched some of its lines, those stay and the others go back. */
function revertWhatStands(ctx: MemoryContext, commit: string): Outcome {
  const ask = { actor: "user" as const, at: ctx.now(), zone: ctx.zone() };
  const whole = revert(ctx, commit, ask);
  if (whole.ok || whole.code !== "conflict") return whole;
  const files = filesBetween(ctx, commitBefore(ctx, commitRow(ctx, commit)), commit);
  const now = (id: string) => currentById(ctx.sql, id);
  const untouched = changesBetween(ctx, files).flatMap((change) => {
    if (change.id === null) return [];
    const standing = now(change.id);
    if (change.after === null) return standing === null ? [change.id] : [];
    return standing && standing.text === change.after && standing.meta === JSON.stringify(change.metaAfter) ? [change.id] : [];
  });
  return untouched.length === 0 ? whole : revert(ctx, commit, { ...ask, entries: untouched });
}

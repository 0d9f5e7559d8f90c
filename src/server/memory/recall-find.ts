// Where recall looks: entries that hold a word of the turn, files that it names, slots that it asks for. Nothing is judged here.
import { pathKey } from "../../shared/paths.ts";
import { foldText, searchTokens } from "../../shared/words.ts";
import type { Sql } from "../git/sql.ts";
import type { Version } from "./rows.ts";

/** Candidates that are ranked at most: more of them would only cost time. */
const CANDIDATES = 240;
/** Rows that one word may bring; a word of more entries is looked at only together with others. */
const ROWS_PER_WORD = 160;
/** Below so many candidates the words that stand for the asked ones are looked up, too. */
const FEW = 24;
/** Words of a turn that are looked up at most, the rarest first. */
const LOOKED_UP = 12;
/** Files that the words of a turn may name, entries taken from all of them, and from one at most. */
const NAMED_FILES = 6;
const NAMED_ENTRIES = 72;
const ENTRIES_PER_FILE = 24;
/** Folders in which a name is looked up by its beginning, and files that one beginning may bring. */
const NAME_FOLDERS = ["people/", "places/", "projects/", ""];
const FILES_PER_NAME = 4;
/** Above so many files a name is looked up by its beginning; below, all names are looked at. */
const FILES_SCAN_MAX = 300;

/** A word to look for: how much it counts, and which word of the turn it is or stands for. */
export interface Term {
  weight: number;
  asked: string;
}

/** Files whose name or title holds a word of the turn. */
export function namedFiles(sql: Sql, text: string): { path: string; words: string[] }[] {
  const words = [...new Set(foldText(text).match(/[\p{L}\p{N}\p{M}]{2,}/gu) ?? [])].slice(0, 40);
  if (words.length === 0) return [];
  const tokens = new Set(searchTokens(words.join(" ")));
  const total = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM files").one().n;
  const rows =
    total <= FILES_SCAN_MAX
      ? sql.exec<{ path: string; title: string | null }>("SELECT path, title FROM files").toArray()
      : sql
          .exec<{ path: string; title: string | null }>(
            `SELECT f.path, f.title FROM json_each(?) j JOIN files f ON f.path IN (SELECT path FROM files WHERE fold >= j.value AND fold < j.value || char(65535) LIMIT ${FILES_PER_NAME})`,
            JSON.stringify(words.flatMap((word) => NAME_FOLDERS.map((folder) => pathKey(`${folder}${word}`)))),
          )
          .toArray();
  const found = new Map<string, string[]>();
  for (const { path, title } of rows) {
    if (path === "MEMORY.md" || path === "forgotten.md" || path.startsWith("forgotten/")) continue;
    const name = new Set(searchTokens(`${path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/, "")} ${title ?? ""}`));
    const hit = [...name].filter((token) => tokens.has(token));
    if (hit.length > 0) found.set(path, hit);
  }
  return [...found]
    .map(([path, hit]) => ({ path, words: hit }))
    .sort((a, b) => b.words.length - a.words.length)
    .slice(0, NAMED_FILES);
}

/** Entries of named files, the newest of each first: of many files fewer. */
export function entriesIn(sql: Sql, named: readonly { path: string }[]): number[] {
  const each = Math.min(ENTRIES_PER_FILE, Math.ceil(NAMED_ENTRIES / named.length));
  return named.flatMap(({ path }) =>
    sql
      .exec<{ rid: number }>("SELECT rid FROM entries WHERE path = ? AND removed = 0 ORDER BY rid DESC LIMIT ?", path, each)
      .toArray()
      .map(({ rid }) => rid),
  );
}

const quoted = (term: string): string => `"${term.replace(/"/g, '""')}"`;

/** In how many entries a word stands. */
function countOf(sql: Sql, term: string): number {
  return sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM entries_fts WHERE entries_fts MATCH ?", quoted(term)).one().n;
}

function rowsWith(sql: Sql, query: string, limit: number): number[] {
  // The newest first: of many that fit alike, what was learned last.
  return sql
    .exec<{ rowid: number }>("SELECT rowid FROM entries_fts WHERE entries_fts MATCH ? ORDER BY rowid DESC LIMIT ?", query, limit)
    .toArray()
    .map(({ rowid }) => rowid);
}

/** Rows that hold words of the turn, found from the rare words; ranking by FTS5 would visit every entry that holds a common one. */
export function candidates(sql: Sql, terms: ReadonlyMap<string, Term>): { rids: Set<number>; idf: (word: string) => number } {
  const total = Math.max(
    1,
    sql.exec<{ n: number | null }>("SELECT entries AS n FROM commits ORDER BY seq DESC LIMIT 1").toArray()[0]?.n ?? 1,
  );
  const asked = [...terms].filter(([term, { asked: word }]) => term === word).slice(0, LOOKED_UP * 2);
  const counts = new Map(asked.map(([term]) => [term, countOf(sql, term)]));
  const present = asked
    .map(([term]) => term)
    .filter((term) => counts.get(term)! > 0)
    .sort((a, b) => counts.get(a)! - counts.get(b)!)
    .slice(0, LOOKED_UP);
  const rids = new Set<number>();
  const take = (query: string): void => {
    if (rids.size < CANDIDATES)
      for (const rid of rowsWith(sql, query, Math.min(ROWS_PER_WORD, CANDIDATES - rids.size))) rids.add(rid);
  };
  if (present.length > 1) take(present.map(quoted).join(" AND "));
  const common = present.filter((term) => counts.get(term)! > ROWS_PER_WORD);
  for (const term of present) if (counts.get(term)! <= ROWS_PER_WORD) take(quoted(term));
  for (let at = 0; at < common.length; at++)
    for (const other of common.slice(at + 1, at + 3)) take(`${quoted(common[at]!)} AND ${quoted(other)}`);
  if (rids.size < FEW && common[0]) take(quoted(common[0]));
  if (rids.size < FEW) {
    const relatives = [...terms]
      .filter(([term, { asked: word }]) => term !== word)
      .sort((a, b) => b[1].weight - a[1].weight)
      .slice(0, LOOKED_UP);
    for (const [term] of relatives) if (rids.size < FEW * 3) for (const rid of rowsWith(sql, quoted(term), FEW)) rids.add(rid);
  }
  return { rids, idf: (word) => Math.log(1 + (total - (counts.get(word) ?? 0) + 0.5) / ((counts.get(word) ?? 0) + 0.5)) };
}

const CANDIDATE_COLUMNS = [
  "rid",
  "id",
  "path",
  "text",
  "meta",
  "slot",
  "scope",
  "pin",
  "since",
  "until",
  "closed",
  "begins",
  "ends",
  "wrong",
  "removed",
  "held",
] as const;
/** What ranking looks at of an entry: of hundreds that are looked at a few are shown. */
export type Candidate = Pick<Version, Exclude<(typeof CANDIDATE_COLUMNS)[number], "rid">> & { rid: number; uses: number };

// A cross join keeps the order of the left side.
const CANDIDATES_SQL = `SELECT ${CANDIDATE_COLUMNS.map((name) => `e.${name}`).join(", ")}, coalesce(u.uses, 0) FROM json_each(?) j CROSS JOIN entries e ON e.rid = j.value LEFT JOIN entry_uses u ON u.id = e.id`;

/** Entries by their row numbers, in that order; those that are gone are left out. */
export function candidatesByRids(sql: Sql, rids: Iterable<number>): Candidate[] {
  const found: Candidate[] = [];
  for (const row of sql.exec(CANDIDATES_SQL, JSON.stringify([...rids])).raw()) {
    const candidate: Record<string, unknown> = { uses: row[CANDIDATE_COLUMNS.length] };
    for (const [at, name] of CANDIDATE_COLUMNS.entries()) candidate[name] = row[at];
    found.push(candidate as unknown as Candidate);
  }
  return found;
}

/** The slots in use that some words name. */
export function slotsNamed(sql: Sql, words: { has(token: string): boolean }): string[] {
  return sql
    .exec<{ slot: string }>("SELECT DISTINCT slot FROM entries WHERE slot IS NOT NULL")
    .toArray()
    .map(({ slot }) => slot)
    .filter((slot) => searchTokens(slot.replace(/-/g, " ")).some((token) => words.has(token)));
}

/** One-valued attributes that the words of the turn name. */
export function slotCandidates(sql: Sql, words: ReadonlyMap<string, Term>): { rid: number }[] {
  const hit = slotsNamed(sql, words);
  if (hit.length === 0) return [];
  return sql
    .exec<{ rid: number }>(
      "SELECT rid FROM entries WHERE slot IN (SELECT value FROM json_each(?)) AND removed = 0 ORDER BY rid DESC LIMIT ?",
      JSON.stringify(hit),
      ENTRIES_PER_FILE,
    )
    .toArray();
}

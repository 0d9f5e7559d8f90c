// Recall without a model call: words of the turn against the entries, the files that they name, link neighbours, pins, uses, recency. At most six entries.
import { estimateTokenCount } from "tokenx";
import type { EntryView } from "../../shared/protocol.ts";
import { RECALL_MAX_ENTRIES, RECALL_MAX_TOKENS } from "../../shared/limits.ts";
import { pathKey } from "../../shared/paths.ts";
import { foldText, queryTokens, searchTokens } from "../../shared/words.ts";
import type { Sql } from "../git/sql.ts";
import { linkBase } from "./project.ts";
import { currentByRids, type Version } from "./rows.ts";
import { withRelatives } from "./word-forms.ts";

export interface RecallAsk {
  /** What was typed now. */
  text: string;
  /** What was typed before it: looked at where the new words point back or say little. */
  before?: string;
  scope: string | null;
  /** Today in the user's zone. */
  today: string;
  /** Ids that the prompt holds already. */
  exclude?: ReadonlySet<string>;
  maxEntries?: number;
  maxTokens?: number;
}

export interface RecallDeps {
  sql: Sql;
  /** Views of current entries, in the order asked for; those that are gone are left out. */
  views(rids: readonly number[]): EntryView[];
}

/** Candidates that are ranked at most: more of them would only cost time. */
const CANDIDATES = 240;
/** Rows that one word may bring; a word of more entries is looked at only together with others. */
const ROWS_PER_WORD = 160;
/** Below so many candidates the words that stand for the asked ones are looked up, too. */
const FEW = 24;
/** Words of a turn that are looked up at most, the rarest first. */
const LOOKED_UP = 12;
/** Files that the words of a turn may name, and entries taken from each. */
const NAMED_FILES = 6;
const ENTRIES_PER_FILE = 24;
/** Above so many files a name is looked up by its beginning; below, all names are looked at. */
const FILES_SCAN_MAX = 300;
/** Entries below this share of the best one's score are noise. */
const NOISE_SHARE = 0.3;

/** A word to look for: how much it counts, and which word of the turn it is or stands for. */
interface Term {
  weight: number;
  asked: string;
}

/** Words of a turn that are looked at: what is pasted is longer, and says less. */
const TOKENS_MAX = 60;

const POINTS_BACK =
  /\b(?:it|that|this|them|those|these|he|she|him|her|his|hers|they|their|there|then|one|ones|also|too|else|more|er|sie|es|ihn|ihm|il|elle|lui|él|ella|lo|la)\b/iu;
const SHORT_TOKENS = 3;

/** What a turn is about: its own words, and those before it at less weight where it points back. */
function termsOf(ask: RecallAsk): Map<string, Term> {
  const own = queryTokens(ask.text).slice(0, TOKENS_MAX);
  const terms = new Map<string, Term>();
  const add = (list: ReturnType<typeof withRelatives>, factor: number) => {
    for (const { term, weight, asked } of list) {
      const known = terms.get(term);
      if (!known || known.weight < weight * factor) terms.set(term, { weight: weight * factor, asked });
    }
  };
  add(withRelatives(own), 1);
  if (ask.before && (own.length <= SHORT_TOKENS || POINTS_BACK.test(ask.text))) add(withRelatives(queryTokens(ask.before)), 0.4);
  return terms;
}

/** Files whose name or title holds a word of the turn. */
function namedFiles(sql: Sql, text: string): { path: string; words: string[] }[] {
  const words = [...new Set(foldText(text).match(/[\p{L}\p{N}\p{M}]{2,}/gu) ?? [])].slice(0, 40);
  if (words.length === 0) return [];
  const tokens = new Set(searchTokens(words.join(" ")));
  const total = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM files").one().n;
  const rows =
    total <= FILES_SCAN_MAX
      ? sql.exec<{ path: string; title: string | null }>("SELECT path, title FROM files").toArray()
      : words.flatMap((word) =>
          ["people/", "places/", "projects/", ""].flatMap((folder) => {
            const from = pathKey(`${folder}${word}`);
            return sql
              .exec<{ path: string; title: string | null }>(
                "SELECT path, title FROM files WHERE fold >= ? AND fold < ? LIMIT 4",
                from,
                `${from}\uffff`,
              )
              .toArray();
          }),
        );
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
function candidates(sql: Sql, terms: ReadonlyMap<string, Term>): { rids: Set<number>; idf: (word: string) => number } {
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

type State = "open" | "upcoming" | "past" | "closed";

function stateOf(row: Version, today: string): State {
  if (row.wrong === 1 || (row.until !== null && row.until <= today) || (row.until === null && row.closed !== null))
    return "closed";
  if ((row.since !== null && row.since > today) || (row.begins !== null && row.begins > today)) return "upcoming";
  return row.ends !== null && row.ends < today ? "past" : "open";
}

/** A closed entry stands for itself only where nothing has replaced it; else the one that did speaks, with its chain. */
function successorOf(sql: Sql, row: Version): Version | null {
  if (row.id === null) return null;
  const rids = sql
    .exec<{ rid: number }>("SELECT rid FROM depends WHERE target = ? ORDER BY rid DESC", `>${row.id}`)
    .toArray()
    .map(({ rid }) => rid);
  return currentByRids(sql, rids).find((one) => one.removed === 0 && one.wrong === 0) ?? null;
}

interface Ranked {
  row: Version;
  score: number;
}

/** Rids of the entries that a turn should see, best first, with their scores. Never an entry of another scope, never a wrong one. */
export function rankEntries(sql: Sql, ask: RecallAsk): { rid: number; score: number }[] {
  const terms = termsOf(ask);
  if (terms.size === 0) return [];
  const asked = [...terms].filter(([term, { asked: word }]) => term === word).map(([term]) => term);
  const { rids, idf } = candidates(sql, terms);
  const named = namedFiles(sql, `${ask.text} ${ask.before && asked.length <= SHORT_TOKENS ? ask.before : ""}`);
  for (const { path } of named) {
    for (const { rid } of sql.exec<{ rid: number }>(
      "SELECT rid FROM entries WHERE path = ? AND removed = 0 ORDER BY rid DESC LIMIT ?",
      path,
      ENTRIES_PER_FILE,
    ))
      rids.add(rid);
  }
  for (const { rid } of slotCandidates(sql, terms)) rids.add(rid);
  if (rids.size === 0) return [];
  const whole = [...new Set([...terms.values()].map(({ asked: word }) => word))].reduce(
    (sum, word) => sum + idf(word) * (terms.get(word)?.weight ?? 1),
    0,
  );
  const rows = currentByRids(sql, [...rids]);
  const uses = usesOf(sql, rows);
  const namedWords = new Map(named.map(({ path, words }) => [path, words]));
  const ranked = new Map<number, Ranked>();
  for (const found of rows) {
    if (found.removed === 1 || found.wrong === 1 || found.held === 1) continue;
    if (found.scope !== null && found.scope !== ask.scope) continue;
    let row = found;
    let factor = 1;
    if (stateOf(row, ask.today) === "closed") {
      const successor = successorOf(sql, row);
      if (successor) row = successor;
      factor = successor ? 0.95 : 0.7;
      if (successor && successor.scope !== null && successor.scope !== ask.scope) continue;
    } else if (stateOf(row, ask.today) === "past") factor = 0.9;
    const score = scoreOf(found, terms, idf, whole, namedWords.get(found.path) ?? []) * factor * boostOf(row, uses, ask.today);
    const known = ranked.get(row.rid);
    if (score > 0 && (!known || known.score < score)) ranked.set(row.rid, { row, score });
  }
  const list = [...ranked.values()].sort(byScore);
  return addNeighbours(sql, list, ask).map(({ row, score }) => ({ rid: row.rid, score }));
}

const byScore = (a: Ranked, b: Ranked): number => b.score - a.score || b.row.rid - a.row.rid;

/** One-valued attributes that the words of the turn name. */
function slotCandidates(sql: Sql, words: ReadonlyMap<string, Term>): { rid: number }[] {
  const slots = sql.exec<{ slot: string }>("SELECT DISTINCT slot FROM entries WHERE slot IS NOT NULL").toArray();
  const hit = slots
    .map(({ slot }) => slot)
    .filter((slot) => searchTokens(slot.replace(/-/g, " ")).some((token) => words.has(token)));
  if (hit.length === 0) return [];
  return sql
    .exec<{ rid: number }>(
      "SELECT rid FROM entries WHERE slot IN (SELECT value FROM json_each(?)) AND removed = 0 ORDER BY rid DESC LIMIT ?",
      JSON.stringify(hit),
      ENTRIES_PER_FILE,
    )
    .toArray();
}

/** Weights of the places in which a word may stand: the line, its file's name, its slot. */
const PATH_WEIGHT = 0.9;
const SLOT_WEIGHT = 0.5;

function scoreOf(
  row: Version,
  terms: ReadonlyMap<string, { weight: number; asked: string }>,
  idf: (term: string) => number,
  whole: number,
  namedBy: readonly string[],
): number {
  const tokens = searchTokens(row.text);
  const text = new Set(tokens);
  const slot = new Set(row.slot === null ? [] : searchTokens(row.slot.replace(/-/g, " ")));
  const name = new Set(namedBy);
  const length = 1 / (0.7 + 0.3 * (tokens.length / 10));
  // Of a word and those that stand for it, the best counts once.
  const best = new Map<string, number>();
  for (const [term, { weight, asked }] of terms) {
    const place = text.has(term)
      ? Math.max(0.6, Math.min(1, length))
      : name.has(term)
        ? PATH_WEIGHT
        : slot.has(term)
          ? SLOT_WEIGHT
          : 0;
    if (place === 0) continue;
    const value = weight * idf(asked) * place;
    if (value > (best.get(asked) ?? 0)) best.set(asked, value);
  }
  const sum = [...best.values()].reduce((total, value) => total + value, 0);
  return sum * (0.5 + 0.5 * Math.min(1, sum / Math.max(whole, 1e-9)));
}

function usesOf(sql: Sql, rows: readonly Version[]): ReadonlyMap<string, number> {
  const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]));
  return new Map(
    sql
      .exec<{ id: string; uses: number }>(
        "SELECT id, uses FROM entry_uses WHERE id IN (SELECT value FROM json_each(?))",
        JSON.stringify(ids),
      )
      .toArray()
      .map(({ id, uses }) => [id, uses]),
  );
}

/** What decides between entries whose words fit alike: pinned, used, learned lately. At most some 20 % together. */
function boostOf(row: Version, uses: ReadonlyMap<string, number>, today: string): number {
  const added = /\["added","(\d{4}-\d{2}-\d{2})"\]/.exec(row.meta)?.[1];
  const days = added ? Math.max(0, (Date.parse(today) - Date.parse(added)) / 86_400_000) : 365;
  return 1 + (row.pin === 1 ? 0.08 : 0) + Math.min(0.06, Math.log1p(uses.get(row.id ?? "") ?? 0) * 0.02) + 0.06 / (1 + days / 30);
}

/** Entries that the best ones link to, or that link to their files, at a share of their score. */
function addNeighbours(sql: Sql, list: Ranked[], ask: RecallAsk): Ranked[] {
  const top = list.slice(0, 3);
  const have = new Set(list.map(({ row }) => row.rid));
  const more: Ranked[] = [];
  for (const { row, score } of top) {
    const bases = [...row.text.matchAll(/\[\[([^[\]|#]+)[^[\]]*\]\]/g)].map((match) => linkBase(match[1]!.trim()));
    for (const base of bases.slice(0, 3)) {
      const paths = sql
        .exec<{ path: string }>(
          "SELECT path FROM files WHERE path = ? OR path LIKE ? ESCAPE '\\' LIMIT 2",
          `${base}.md`,
          `%/${base.replace(/[\\%_]/g, (sign) => `\\${sign}`)}.md`,
        )
        .toArray();
      for (const { path } of paths) {
        const rids = sql
          .exec<{ rid: number }>(
            "SELECT rid FROM entries WHERE path = ? AND removed = 0 AND wrong = 0 AND closed IS NULL ORDER BY pin DESC, rid DESC LIMIT 4",
            path,
          )
          .toArray();
        for (const neighbour of currentByRids(
          sql,
          rids.map(({ rid }) => rid),
        )) {
          if (
            have.has(neighbour.rid) ||
            (neighbour.scope !== null && neighbour.scope !== ask.scope) ||
            stateOf(neighbour, ask.today) === "closed"
          )
            continue;
          have.add(neighbour.rid);
          more.push({ row: neighbour, score: score * 0.4 });
        }
      }
    }
  }
  return [...list, ...more].sort(byScore);
}

/** The entries that a turn should see: at most six, at most 400 tokens, best first. Empty for a greeting. */
export function recallEntries(deps: RecallDeps, ask: RecallAsk): EntryView[] {
  const ranked = rankEntries(deps.sql, ask);
  const best = ranked[0]?.score ?? 0;
  const wanted = ranked.filter(({ score }) => score >= best * NOISE_SHARE).slice(0, (ask.maxEntries ?? RECALL_MAX_ENTRIES) * 3);
  const maxTokens = ask.maxTokens ?? RECALL_MAX_TOKENS;
  const taken: EntryView[] = [];
  let tokens = FENCE_TOKENS;
  for (const view of deps.views(wanted.map(({ rid }) => rid))) {
    if (taken.length >= (ask.maxEntries ?? RECALL_MAX_ENTRIES)) break;
    if (view.id !== null && ask.exclude?.has(view.id)) continue;
    const cost = lineTokens(view);
    if (tokens + cost > maxTokens) continue;
    tokens += cost;
    taken.push(view);
  }
  return taken;
}

/** Tokens of the fence around recalled lines. */
const FENCE_TOKENS = 10;

/** Tokens of a recalled line as the prompt writes it. */
export function lineTokens(view: Pick<EntryView, "path" | "chain" | "id">): number {
  return estimateTokenCount(`${view.path.replace(/\.md$/, "")}: upcoming: ${view.chain} {${view.id ?? ""}}\n`);
}

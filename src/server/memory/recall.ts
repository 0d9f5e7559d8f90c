// Recall without a model call: words of the turn against the entries, the files that they name, link neighbours, pins, uses, recency. At most six entries.
import { estimateTokenCount } from "tokenx";
import type { EntryView } from "../../shared/protocol.ts";
import { RECALL_MAX_ENTRIES, RECALL_MAX_TOKENS } from "../../shared/limits.ts";
import { queryTokens, searchTokens } from "../../shared/words.ts";
import type { Sql } from "../git/sql.ts";
import { linkBase } from "./project.ts";
import { candidates, candidatesByRids, entriesIn, namedFiles, slotCandidates, type Candidate, type Term } from "./recall-find.ts";
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

/** Entries below this share of the best one's score are noise. */
const NOISE_SHARE = 0.3;

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

type State = "open" | "upcoming" | "past" | "closed";

function stateOf(row: Candidate, today: string): State {
  if (row.wrong === 1 || (row.until !== null && row.until <= today) || (row.until === null && row.closed !== null))
    return "closed";
  if ((row.since !== null && row.since > today) || (row.begins !== null && row.begins > today)) return "upcoming";
  return row.ends !== null && row.ends < today ? "past" : "open";
}

/** A closed entry stands for itself only where nothing has replaced it; else the one that did speaks, with its chain. */
function successorOf(sql: Sql, row: Candidate): Candidate | null {
  if (row.id === null) return null;
  const rids = sql
    .exec<{ rid: number }>("SELECT rid FROM depends WHERE target = ? ORDER BY rid DESC", `>${row.id}`)
    .toArray()
    .map(({ rid }) => rid);
  return candidatesByRids(sql, rids).find((one) => one.removed === 0 && one.wrong === 0) ?? null;
}

interface Ranked {
  row: Candidate;
  score: number;
}

/** Rids of the entries that a turn should see, best first, with their scores. Never an entry of another scope, never a wrong one. */
export function rankEntries(sql: Sql, ask: RecallAsk): { rid: number; id: string | null; score: number }[] {
  const terms = termsOf(ask);
  if (terms.size === 0) return [];
  const asked = [...terms].filter(([term, { asked: word }]) => term === word).map(([term]) => term);
  const { rids, idf } = candidates(sql, terms);
  const named = namedFiles(sql, `${ask.text} ${ask.before && asked.length <= SHORT_TOKENS ? ask.before : ""}`);
  for (const rid of entriesIn(sql, named)) rids.add(rid);
  for (const { rid } of slotCandidates(sql, terms)) rids.add(rid);
  if (rids.size === 0) return [];
  const whole = [...new Set([...terms.values()].map(({ asked: word }) => word))].reduce(
    (sum, word) => sum + idf(word) * (terms.get(word)?.weight ?? 1),
    0,
  );
  const rows = candidatesByRids(sql, rids);
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
    const score = scoreOf(found, terms, idf, whole, namedWords.get(found.path) ?? []) * factor * boostOf(row, ask.today);
    const known = ranked.get(row.rid);
    if (score > 0 && (!known || known.score < score)) ranked.set(row.rid, { row, score });
  }
  const list = [...ranked.values()].sort(byScore);
  return addNeighbours(sql, list, ask).map(({ row, score }) => ({ rid: row.rid, id: row.id, score }));
}

const byScore = (a: Ranked, b: Ranked): number => b.score - a.score || b.row.rid - a.row.rid;

/** Weights of the places in which a word may stand: the line, its file's name, its slot. */
const PATH_WEIGHT = 0.9;
const SLOT_WEIGHT = 0.5;

function scoreOf(
  row: Candidate,
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

/** What decides between entries whose words fit alike: pinned, used, learned lately. At most some 20 % together. */
function boostOf(row: Candidate, today: string): number {
  const added = /\["added","(\d{4}-\d{2}-\d{2})"\]/.exec(row.meta)?.[1];
  const days = added ? Math.max(0, (Date.parse(today) - Date.parse(added)) / 86_400_000) : 365;
  return 1 + (row.pin === 1 ? 0.08 : 0) + Math.min(0.06, Math.log1p(row.uses) * 0.02) + 0.06 / (1 + days / 30);
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
        for (const neighbour of candidatesByRids(
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
  const most = ask.maxEntries ?? RECALL_MAX_ENTRIES;
  const wanted = ranked
    .filter(({ score, id }) => score >= best * NOISE_SHARE && (id === null || !ask.exclude?.has(id)))
    .slice(0, most * 3);
  const maxTokens = ask.maxTokens ?? RECALL_MAX_TOKENS;
  const taken: EntryView[] = [];
  let tokens = FENCE_TOKENS;
  // A view costs more than its rank: as many as can be taken at once, and more only where one did not fit.
  for (let next = 0; next < wanted.length && taken.length < most;) {
    const some = wanted.slice(next, next + most - taken.length);
    next += some.length;
    for (const view of deps.views(some.map(({ rid }) => rid))) {
      const cost = lineTokens(view);
      if (tokens + cost > maxTokens) continue;
      tokens += cost;
      taken.push(view);
    }
  }
  return taken;
}

/** Tokens of the fence around recalled lines. */
const FENCE_TOKENS = 10;

/** Tokens of a recalled line as the prompt writes it. */
export function lineTokens(view: Pick<EntryView, "path" | "chain" | "id">): number {
  return estimateTokenCount(`${view.path.replace(/\.md$/, "")}: upcoming: ${view.chain} {${view.id ?? ""}}\n`);
}

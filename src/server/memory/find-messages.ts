// Search over conversations and notes: BM25 over the word index, weighed by how much of the question is there, and by the messages beside.
import type { SearchHit } from "../../shared/protocol.ts";
import { foldText, queryTokens, searchTokens } from "../../shared/words.ts";
import type { Sql } from "../git/sql.ts";
import { scoreDocs, type QueryTerm, type Scored } from "./postings.ts";
import { sayingWeights } from "./speakers.ts";
import { withRelatives } from "./word-forms.ts";

/** Messages whose surroundings are looked at; more than a page ever shows. */
const POOL = 300;
/** How much a word counts that stands so many messages before or behind: an answer often holds none of the question's words. */
const BEFORE = [1, 0.7, 0.5, 0.4, 0.32, 0.25, 0.2, 0.15];
const BEHIND = [1, 0.5, 0.35, 0.25, 0.15];
/** Share of a message's own words, beside those around it. */
const OWN_SHARE = 0.45;
/** A message that asks is rarely one that answers. */
const ASKING_FACTOR = 0.75;
/** A message that holds what kind of thing was asked for: a name, a place, a time, a number. */
const KIND_FACTOR = 1.25;
/** Characters of a hit's text and of its neighbours. */
const EXCERPT_CHARS = 400;
const NEIGHBOUR_CHARS = 160;

interface Place extends Record<string, string | number> {
  seq: number;
  thread: string;
  n: number;
  role: string;
  text: string;
  at: number;
}

function termsOf(query: string): { terms: QueryTerm[]; groups: Map<string, string> } {
  const all = withRelatives(queryTokens(query));
  return {
    terms: all.map(({ term, weight, asked }) => ({ term, weight, group: asked })),
    groups: new Map(all.map(({ term, asked }) => [term, asked])),
  };
}

/** BM25 times the share of the question's words that are there. */
function covered(scored: Map<number, Scored>, groups: ReadonlyMap<string, string>): Map<number, number> {
  const asked = new Set(groups.values()).size;
  return new Map(
    [...scored].map(([doc, { score, terms }]) => {
      const hit = new Set([...terms.keys()].map((term) => groups.get(term))).size;
      return [doc, score * (0.4 + (0.6 * hit) / Math.max(1, asked))];
    }),
  );
}

const WEEKDAY = String.raw`(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber|christmas|easter`;
const TIMED = new RegExp(
  String.raw`\d|\b(?:${WEEKDAY}|today|tomorrow|yesterday|tonight|morning|noon|evening|night|weeks?|months?|years?|days?|hours?|minutes?|spring|summer|autumn|fall|winter|birthday|since|until|ago|next|last)\b`,
  "iu",
);
const COUNTED =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|eighty|ninety|hundred|thousand|half|third|quarter|dozen|couple|both|once|twice|second)\b/iu;
const NAMED =
  /(?<=[\p{L}\p{N},;:'’"”)]\s+(?:["“(])?)\p{Lu}[\p{L}\p{M}]+|\b(?:mother|father|mum|mom|dad|sister|brother|aunt|uncle|cousin|niece|nephew|neighbour|neighbor|colleague|friend|boss|teacher|wife|husband|partner|son|daughter|grandmother|grandfather|doctor|man|woman|somebody|someone)s?\b/u;
const PLACED =
  /\b(?:in|at|on|to|from|near|by|behind|under|above|into|between|next to|upstairs|downstairs|there|home|street|road|lane)\b/iu;
const REASON = /\b(?:because|since|as|so|for|due|to|wants?|need(?:s|ed)?|too|not|never|no)\b/iu;

/** What kind of thing a question asks for, as a test of texts that may hold it; null where any will do. */
function kindOf(query: string): RegExp | null {
  if (
    /\b(?:when|what (?:day|date|time|year|month)|which (?:day|days|date|month|year)|how long|how old|by when|since when|until when|deadline)\b/iu.test(
      query,
    )
  )
    return TIMED;
  if (
    /\b(?:how (?:many|much|often|far|large|big|heavy|tall)|what (?:price|number|size|strength|grade)|cost|weigh)\b/iu.test(query)
  )
    return COUNTED;
  if (/\b(?:who|whom|whose|with whom)\b/iu.test(query)) return NAMED;
  if (/\b(?:where|which (?:city|town|place|country|street))\b/iu.test(query)) return PLACED;
  if (/\bwhy\b/iu.test(query)) return REASON;
  return null;
}

/** Rows of messages in the order in which they answer a question: its words in them and around them, and whether they hold what was asked for. */
export function rankMessages(sql: Sql, query: string, limit: number): { seq: number; score: number }[] {
  const { terms, groups } = termsOf(query);
  if (terms.length === 0) return [];
  const scored = scoreDocs(sql, "message", terms);
  const own = covered(scored, groups);
  const pool = [...own].sort((a, b) => b[1] - a[1] || b[0] - a[0]).slice(0, POOL);
  if (pool.length === 0) return [];
  const hits = placesOf(sql, "seq IN (SELECT value FROM json_each(?))", JSON.stringify(pool.map(([seq]) => seq)));
  // The messages around a hit, whether they hold a word or not.
  const wanted = new Map<string, [thread: string, n: number]>();
  for (const { thread, n } of hits) {
    for (let at = Math.max(1, n - BEHIND.length + 1); at < n + BEFORE.length; at++) wanted.set(`${thread}#${at}`, [thread, at]);
  }
  const known = new Map(hits.map((place) => [`${place.thread}#${place.n}`, place]));
  const missing = [...wanted].filter(([key]) => !known.has(key)).map(([, place]) => place);
  const around = placesOf(sql, "(thread, n) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))", JSON.stringify(missing));
  const places = [...hits, ...around];
  const parts = new Map(hits.map((place) => [`${place.thread}#${place.n}`, byWord(scored.get(place.seq)!, groups)]));
  const kind = kindOf(query);
  const asked = [...new Set(groups.values())];
  const said = sayingWeights(query, hits);
  const ranked = places.map((place) => {
    const { seq, thread, n, text } = place;
    // Of each word of the question the best place nearby counts.
    let context = 0;
    let words = 0;
    for (const word of asked) {
      let best = 0;
      BEFORE.forEach((share, back) => (best = Math.max(best, (parts.get(`${thread}#${n - back}`)?.get(word) ?? 0) * share)));
      BEHIND.forEach((share, ahead) => (best = Math.max(best, (parts.get(`${thread}#${n + ahead}`)?.get(word) ?? 0) * share)));
      context += best;
      if (best > 0) words++;
    }
    context *= 0.4 + (0.6 * words) / Math.max(1, asked.length);
    const score = (own.get(seq) ?? 0) * OWN_SHARE + context * (1 - OWN_SHARE);
    return {
      seq,
      score: score * said(place) * (/[?？]\s*$/u.test(text) ? ASKING_FACTOR : 1) * (kind?.test(text) ? KIND_FACTOR : 1),
    };
  });
  return ranked.sort((a, b) => b.score - a.score || b.seq - a.seq).slice(0, limit);
}

function placesOf(sql: Sql, where: string, list: string): Place[] {
  return sql
    .exec<Place>(`SELECT seq, thread, n, role, at, substr(text, 1, 2000) AS text FROM messages WHERE ${where}`, list)
    .toArray();
}

/** What each word of the question brought to a message. */
function byWord({ terms }: Scored, groups: ReadonlyMap<string, string>): Map<string, number> {
  const parts = new Map<string, number>();
  for (const [term, part] of terms) {
    const word = groups.get(term)!;
    parts.set(word, Math.max(part, parts.get(word) ?? 0));
  }
  return parts;
}

/** Ranges of the words of a text that a query asks for. */
export function marksOf(text: string, query: string): [number, number][] {
  const wanted = new Set(
    withRelatives(queryTokens(query))
      .filter(({ weight }) => weight > 0.5)
      .map(({ term }) => term),
  );
  const marks: [number, number][] = [];
  for (const match of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)) {
    if (searchTokens(foldText(match[0])).some((token) => wanted.has(token)))
      marks.push([match.index, match.index + match[0].length]);
  }
  return marks;
}

/** A part of a text around the words asked for, with dots where it was cut. */
export function excerpt(text: string, query: string, length = EXCERPT_CHARS): string {
  if (text.length <= length) return text;
  const first = marksOf(text, query)[0]?.[0] ?? 0;
  let from = Math.max(0, Math.min(first - Math.floor(length / 3), text.length - length));
  if (from > 0) from = Math.max(text.lastIndexOf(" ", from) + 1, from - 20);
  // Never between the halves of a character.
  const part = Array.from(text.slice(from, from + length))
    .filter((char) => !/^[\ud800-\udfff]$/.test(char))
    .join("");
  return `${from > 0 ? "…" : ""}${part}${from + length < text.length ? "…" : ""}`;
}

interface Shown extends Record<string, string | number | null> {
  seq: number;
  thread: string;
  n: number;
  role: string;
  text: string;
  at: number;
  title: string;
}

/** Messages that answer a question, best first, each with the ones beside it. */
export function searchMessages(sql: Sql, query: string, limit: number): SearchHit[] {
  const ranked = rankMessages(sql, query, limit);
  const rows = new Map(
    sql
      .exec<Shown>(
        "SELECT m.seq AS seq, m.thread AS thread, m.n AS n, m.role AS role, m.text AS text, m.at AS at, t.title AS title FROM messages m JOIN threads t ON t.id = m.thread WHERE m.seq IN (SELECT value FROM json_each(?))",
        JSON.stringify(ranked.map(({ seq }) => seq)),
      )
      .toArray()
      .map((row) => [row.seq, row]),
  );
  return ranked.flatMap(({ seq, score }): SearchHit[] => {
    const row = rows.get(seq);
    if (!row) return [];
    const beside = (n: number): string | null => {
      const text = sql
        .exec<{ text: string }>("SELECT text FROM messages WHERE thread = ? AND n = ?", row.thread, n)
        .toArray()[0]?.text;
      return text === undefined ? null : excerpt(text, query, NEIGHBOUR_CHARS);
    };
    const text = excerpt(row.text, query);
    const thread = {
      id: row.thread,
      title: row.title,
      message: `m${row.n}`,
      at: new Date(row.at).toISOString(),
      role: row.role,
      before: beside(row.n - 1),
      after: beside(row.n + 1),
    };
    return [{ in: "conversations", score, text, marks: marksOf(text, query), entry: null, thread, note: null }];
  });
}

/** Notes that answer a question, best first. */
export function searchNotes(sql: Sql, query: string, limit: number): SearchHit[] {
  const { terms, groups } = termsOf(query);
  const ranked = [...covered(scoreDocs(sql, "note", terms), groups)].sort((a, b) => b[1] - a[1] || b[0] - a[0]).slice(0, limit);
  return ranked.flatMap(([seq, score]): SearchHit[] => {
    const row = sql
      .exec<{ id: string; title: string; text: string }>("SELECT id, title, text FROM notes WHERE seq = ?", seq)
      .toArray()[0];
    if (!row) return [];
    const text = excerpt(row.text, query);
    return [
      {
        in: "notes",
        score,
        text,
        marks: marksOf(text, query),
        entry: null,
        thread: null,
        note: { id: row.id, title: row.title },
      },
    ];
  });
}

// Search over conversations and notes: BM25 over the word index, weighed by how much of the question is there, and by the messages beside.
import type { SearchHit } from "../../shared/protocol.ts";
import { foldText, queryTokens, searchTokens } from "../../shared/words.ts";
import type { Sql } from "../git/sql.ts";
import { scoreDocs, type QueryTerm, type Scored } from "./postings.ts";
import { withRelatives } from "./word-forms.ts";

/** Messages that are ranked with their neighbours; more than a page ever shows. */
const POOL = 300;
/** What a message owes to the one before it and the one after: an answer often holds none of the question's words. */
const BEFORE_SHARE = 0.35;
const AFTER_SHARE = 0.2;
/** Messages without a word of the question may stand beside so many of the best. */
const EXPAND = 12;
/** Characters of a hit's text and of its neighbours. */
const EXCERPT_CHARS = 400;
const NEIGHBOUR_CHARS = 160;

interface Place extends Record<string, string | number> {
  seq: number;
  thread: string;
  n: number;
}

function termsOf(query: string): { terms: QueryTerm[]; groups: Map<string, string> } {
  const all = withRelatives(queryTokens(query));
  return { terms: all.map(({ term, weight }) => ({ term, weight })), groups: new Map(all.map(({ term, asked }) => [term, asked])) };
}

/** BM25 times the share of the question's words that are there. */
function covered(scored: Map<number, Scored>, groups: ReadonlyMap<string, string>): Map<number, number> {
  const asked = new Set(groups.values()).size;
  return new Map(
    [...scored].map(([doc, { score, terms }]) => {
      const hit = new Set([...terms].map((term) => groups.get(term))).size;
      return [doc, score * (0.4 + (0.6 * hit) / Math.max(1, asked))];
    }),
  );
}

/** Rows of messages in the order in which they answer a question. */
export function rankMessages(sql: Sql, query: string, limit: number): { seq: number; score: number }[] {
  const { terms, groups } = termsOf(query);
  if (terms.length === 0) return [];
  const own = covered(scoreDocs(sql, "message", terms), groups);
  const pool = [...own].sort((a, b) => b[1] - a[1] || b[0] - a[0]).slice(0, POOL);
  if (pool.length === 0) return [];
  const places = sql
    .exec<Place>("SELECT seq, thread, n FROM messages WHERE seq IN (SELECT value FROM json_each(?))", JSON.stringify(pool.map(([seq]) => seq)))
    .toArray();
  const key = (thread: string, n: number): string => `${thread}#${n}`;
  const byPlace = new Map(places.map(({ seq, thread, n }) => [key(thread, n), { seq, score: own.get(seq)! }]));
  const best = new Set(pool.slice(0, EXPAND).map(([seq]) => seq));
  for (const { seq, thread, n } of places) {
    if (!best.has(seq)) continue;
    for (const beside of [n - 1, n + 1]) {
      if (byPlace.has(key(thread, beside))) continue;
      const row = sql.exec<{ seq: number }>("SELECT seq FROM messages WHERE thread = ? AND n = ?", thread, beside).toArray()[0];
      if (row) byPlace.set(key(thread, beside), { seq: row.seq, score: 0 });
    }
  }
  const ranked = [...byPlace].map(([place, { seq, score }]) => {
    const at = place.lastIndexOf("#");
    const thread = place.slice(0, at);
    const n = Number(place.slice(at + 1));
    const before = byPlace.get(key(thread, n - 1))?.score ?? 0;
    const after = byPlace.get(key(thread, n + 1))?.score ?? 0;
    return { seq, score: score + before * BEFORE_SHARE + after * AFTER_SHARE };
  });
  return ranked.sort((a, b) => b.score - a.score || b.seq - a.seq).slice(0, limit);
}

/** Ranges of the words of a text that a query asks for. */
export function marksOf(text: string, query: string): [number, number][] {
  const wanted = new Set(withRelatives(queryTokens(query)).filter(({ weight }) => weight > 0.5).map(({ term }) => term));
  const marks: [number, number][] = [];
  for (const match of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)) {
    if (searchTokens(foldText(match[0])).some((token) => wanted.has(token))) marks.push([match.index, match.index + match[0].length]);
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
  const part = [...text.slice(from, from + length)].filter((char) => !/^[\ud800-\udfff]$/.test(char)).join("");
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
      const text = sql.exec<{ text: string }>("SELECT text FROM messages WHERE thread = ? AND n = ?", row.thread, n).toArray()[0]?.text;
      return text === undefined ? null : excerpt(text, query, NEIGHBOUR_CHARS);
    };
    const text = excerpt(row.text, query);
    const thread = { id: row.thread, title: row.title, message: `m${row.n}`, at: new Date(row.at).toISOString(), role: row.role, before: beside(row.n - 1), after: beside(row.n + 1) };
    return [{ in: "conversations", score, text, marks: marksOf(text, query), entry: null, thread, note: null }];
  });
}

/** Notes that answer a question, best first. */
export function searchNotes(sql: Sql, query: string, limit: number): SearchHit[] {
  const { terms, groups } = termsOf(query);
  const ranked = [...covered(scoreDocs(sql, "note", terms), groups)].sort((a, b) => b[1] - a[1] || b[0] - a[0]).slice(0, limit);
  return ranked.flatMap(([seq, score]): SearchHit[] => {
    const row = sql.exec<{ id: string; title: string; text: string }>("SELECT id, title, text FROM notes WHERE seq = ?", seq).toArray()[0];
    if (!row) return [];
    const text = excerpt(row.text, query);
    return [{ in: "notes", score, text, marks: marksOf(text, query), entry: null, thread: null, note: { id: row.id, title: row.title } }];
  });
}

// Which rows of an index can hold a forgotten fact at all: a tombstone covers no text in which more than a fifth of its words, or one of its names, is missing.
import { readings } from "../../shared/tombstone.ts";
import { searchTokens } from "../../shared/words.ts";
import type { Sql } from "../git/sql.ts";
import { termNumber } from "./postings.ts";

const NUMBER = 1;
const NAME = 2;
/** Conditions of one query: past this many words the rarest stand for all. */
const OMITTING_MAX = 12;

/** What a row must hold to be looked at: all of `required`, and all of `others` but `missing`. */
export interface TextKey {
  required: string[];
  others: string[];
  missing: number;
}

/** The keys of some texts; null where one of them has no word to be found by, or where nobody has the words: then all rows are looked at. */
export function keysOf(texts: readonly string[] | null): TextKey[] | null {
  if (texts === null) return null;
  const keys: TextKey[] = [];
  for (const text of texts) {
    const { words } = readings({ text })[0]!;
    const required = new Set<string>();
    const others = new Set<string>();
    for (const [word, marks] of words) {
      // A number may be written as a word, so no index finds it.
      if ((marks & NUMBER) !== 0) continue;
      for (const token of searchTokens(word)) ((marks & NAME) !== 0 ? required : others).add(token);
    }
    // A text without content is covered by nothing but itself.
    if (words.size === 0) for (const token of searchTokens(text)) required.add(token);
    if (required.size + others.size === 0) return null;
    keys.push({
      required: [...required],
      others: [...others].filter((token) => !required.has(token)),
      missing: words.size < 2 ? 0 : Math.floor(words.size / 5),
    });
  }
  return keys;
}

const quoted = (token: string): string => `"${token.replace(/"/g, '""')}"`;
const all = (tokens: readonly string[]): string => tokens.map(quoted).join(" AND ");

/** A key as a query of the full text. */
function matchOf(sql: Sql, table: "entries_fts" | "past_fts", { required, others, missing }: TextKey): string {
  const need = required.length > 0 ? [`(${all(required)})`] : [];
  if (others.length > missing) {
    if (missing === 0) need.push(`(${all(others)})`);
    else if (missing === 1 && others.length <= OMITTING_MAX)
      need.push(`(${others.map((_, omitted) => `(${all(others.filter((__, at) => at !== omitted))})`).join(" OR ")})`);
    else {
      // One of any `missing` + 1 of them is there; of the rarest, few rows hold one.
      const often = new Map(
        others.map((token) => [
          token,
          sql.exec<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table} WHERE ${table} MATCH ?`, quoted(token)).one().n,
        ]),
      );
      const rare = [...others].sort((a, b) => often.get(a)! - often.get(b)! || (a < b ? -1 : 1));
      need.push(
        `(${rare
          .slice(0, missing + 1)
          .map(quoted)
          .join(" OR ")})`,
      );
    }
  }
  return need.join(" AND ");
}

/** Rows of a full text that some keys lead to. */
export function rowsOfText(sql: Sql, table: "entries_fts" | "past_fts", keys: readonly TextKey[]): number[] {
  const found = new Set<number>();
  for (const key of keys) {
    const match = matchOf(sql, table, key);
    if (match === "") continue;
    for (const { rowid } of sql.exec<{ rowid: number }>(`SELECT rowid FROM ${table} WHERE ${table} MATCH ?`, match).toArray())
      found.add(rowid);
  }
  return [...found];
}

/** Documents of the word index (messages, notes) that some keys lead to. */
export function docsOfText(sql: Sql, kind: "message" | "note", keys: readonly TextKey[]): number[] {
  const found = new Set<number>();
  for (const { required, others, missing } of keys) {
    const terms = [...required, ...others].map(termNumber);
    const least = Math.max(1, required.length + others.length - missing);
    const rows = sql
      .exec<{ doc: number }>(
        "SELECT doc FROM postings WHERE kind = ? AND term IN (SELECT value FROM json_each(?)) GROUP BY doc HAVING COUNT(*) >= ?",
        kind,
        JSON.stringify(terms),
        least,
      )
      .toArray();
    for (const { doc } of rows) found.add(doc);
  }
  return [...found];
}

/** Whether folded words can hold one of the keys. */
export function fits(keys: readonly TextKey[], tokens: ReadonlySet<string>): boolean {
  return keys.some(
    ({ required, others, missing }) =>
      required.every((token) => tokens.has(token)) && others.filter((token) => !tokens.has(token)).length <= missing,
  );
}

/**
 * Beginnings of words of which a text must hold one, in lower case, to be looked at more closely. Null where they are not all plain letters: then
 * nothing is left out. A stem may lose its last letter to its word.
 */
export function needlesOf(keys: readonly TextKey[]): string[] | null {
  const longest = (tokens: readonly string[]) => [...tokens].sort((a, b) => b.length - a.length);
  const needles = keys.flatMap(({ required, others, missing }) =>
    required.length > 0 ? longest(required).slice(0, 1) : longest(others).slice(0, missing + 1),
  );
  return needles.every((token) => /^[a-z]+$/.test(token))
    ? needles.map((token) => (token.length > 4 ? token.slice(0, -1) : token))
    : null;
}

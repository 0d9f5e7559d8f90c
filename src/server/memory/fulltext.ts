// Full text of entries over our own tokens (folded, stemmed, bigrams where a script has no spaces). What is current and what is past have an index each.
import type { Sql } from "../git/sql.ts";
import { searchTokens } from "../../shared/words.ts";

/** Current or past entries; a rebuild fills tables under a prefix. */
export type TextTable = `${string}entries_fts` | `${string}past_fts`;

/** Every token in quotes, so that none of them is an operator. */
function quoted(token: string): string {
  return `"${token.replace(/"/g, '""')}"`;
}

/** Indexes a text under a row id. */
export function indexText(sql: Sql, table: TextTable, rowid: number, text: string): void {
  sql.exec(`INSERT INTO ${table} (rowid, words) VALUES (?, ?)`, rowid, searchTokens(text).join(" "));
}

/** Takes a text out of the index; nothing happens where it is not in it. */
export function dropText(sql: Sql, table: TextTable, rowid: number): void {
  sql.exec(`DELETE FROM ${table} WHERE rowid = ?`, rowid);
}

export interface TextHit {
  rowid: number;
  /** Higher is better. */
  score: number;
}

/** Rows that hold any of the tokens (or, with `all`, all of them), best first. */
export function findText(
  sql: Sql,
  table: TextTable,
  tokens: readonly string[],
  options: { limit: number; all?: boolean },
): TextHit[] {
  const unique = [...new Set(tokens)].slice(0, TOKENS_MAX);
  if (unique.length === 0) return [];
  const query = unique.map(quoted).join(options.all ? " AND " : " OR ");
  return sql
    .exec<{ rowid: number; score: number }>(
      `SELECT rowid, -bm25(${table}) AS score FROM ${table} WHERE ${table} MATCH ? ORDER BY rank LIMIT ?`,
      query,
      options.limit,
    )
    .toArray();
}

/** Tokens of one query: what a person types is shorter, what is pasted is cut. */
const TOKENS_MAX = 64;

/** Rows above which a word is common: to rank by it costs more than it says. */
const COMMON_ROWS = 2_000;

/** Whether more rows hold a token than are worth ranking. Stops counting there. */
function isCommon(sql: Sql, table: TextTable, token: string): boolean {
  const { n } = sql
    .exec<{ n: number }>(
      `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ?)`,
      quoted(token),
      COMMON_ROWS + 1,
    )
    .one();
  return n > COMMON_ROWS;
}

/**
 * The rows that a reader looks for, best first: those that hold all tokens, else any of the telling ones. What a question costs does not
 * follow from how many entries say "the" or "lives"; where it holds nothing but such words, rows must hold all of them.
 */
export function searchText(sql: Sql, table: TextTable, tokens: readonly string[], limit: number): TextHit[] {
  const unique = [...new Set(tokens)].slice(0, TOKENS_MAX);
  const telling = unique.filter((token) => !isCommon(sql, table, token));
  if (telling.length === 0) return findText(sql, table, unique, { limit, all: true });
  const hits = new Map(findText(sql, table, telling, { limit }).map((hit) => [hit.rowid, hit]));
  if (telling.length < unique.length) {
    // Among the same telling words, those rows come first that hold the common ones, too.
    for (const { rowid, score } of findText(sql, table, unique, { limit, all: true }))
      hits.set(rowid, { rowid, score: score + (hits.get(rowid)?.score ?? 0) });
  }
  return [...hits.values()].sort((a, b) => b.score - a.score).slice(0, limit);
}

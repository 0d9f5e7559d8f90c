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
export function findText(sql: Sql, table: TextTable, tokens: readonly string[], options: { limit: number; all?: boolean }): TextHit[] {
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

// Every place in which a forgotten fact can stand, in one list: how it is counted there, and how it is taken out. Receipts and redaction read the same list.
import type { Sql } from "../git/sql.ts";
import type { MemoryContext } from "./context.ts";
import type { Judge } from "./forget-judge.ts";
import type { Version } from "./rows.ts";

/** A message of a conversation. */
export interface Spot {
  thread: string;
  n: number;
}

/** What is looked for, and where it came from. */
export interface Look {
  judge: Judge;
  /** Texts that are known, to narrow the look by their words; null where nobody has them any more. */
  texts: readonly string[] | null;
  /** Messages from which the facts were learned: what they say in other words is the fact, too. */
  cited: readonly Spot[];
  /** Notes from which they were learned, by id. */
  citedNotes: readonly string[];
  /** The message that asked to forget. */
  asked: Spot | null;
  /** Filled by a redaction: conversations out of which words were taken. */
  touched: Set<string>;
  /** Entries that state it, while they are counted in several places. */
  standing?: Version[];
}

/** A place. Counting reads; redacting writes and gives back how many rows it changed. */
export interface Place {
  name: string;
  count(ctx: MemoryContext, look: Look): number;
  /** Absent where the commit itself takes the words out, or where they stay until an erase. */
  redact?(ctx: MemoryContext, look: Look): number;
}

/** Puts equal bytes over the texts of a row before they are changed: an UPDATE alone may leave the old ones in the page. */
export function overwriteRow(
  sql: Sql,
  table: string,
  columns: readonly string[],
  where: string,
  ...key: (string | number)[]
): void {
  sql.exec(
    `UPDATE ${table} SET ${columns.map((column) => `${column} = CASE WHEN ${column} IS NULL THEN NULL ELSE printf('%.*c', length(CAST(${column} AS BLOB)), 'x') END`).join(", ")} WHERE ${where}`,
    ...key,
  );
}

// The part of SQLite that the git room needs. Cloudflare's SqlStorage fits it as it is; tests wrap it to make it fail.

/** What a statement takes. */
export type SqlBinding = string | number | null | ArrayBuffer | Uint8Array;
/** What a row holds. */
export type SqlValue = string | number | null | ArrayBuffer;

/** The rows of one statement, read lazily: do not keep one open across an `await`. */
export interface SqlCursor<T> extends Iterable<T> {
  toArray(): T[];
  /** Rows as arrays in the order of the columns: several times faster than objects over many rows. */
  raw(): IterableIterator<SqlValue[]>;
  /** The only row; throws when there are none or several. */
  one(): T;
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

/** A synchronous connection to one SQLite database. */
export interface Sql {
  exec<T extends Record<string, SqlValue>>(query: string, ...bindings: SqlBinding[]): SqlCursor<T>;
}

/** Runs a function in one transaction: all that it wrote stays, or, when it throws, nothing (`ctx.storage.transactionSync`). */
export type Transact = <T>(fn: () => T) => T;

/** The first row of a statement, or null when there is none. */
export function firstRow<T extends Record<string, SqlValue>>(sql: Sql, query: string, ...bindings: SqlBinding[]): T | null {
  return sql.exec<T>(query, ...bindings).toArray()[0] ?? null;
}

// The rows that a commit is compared with, read as arrays, and those that it adds, written together: over many rows a statement each costs more
// than the rows.
import type { SqlBinding } from "../git/sql.ts";
import { searchTokens } from "../../shared/words.ts";
import type { MemoryContext } from "./context.ts";
import { VERSION_COLUMNS, type EntryColumns } from "./entry-row.ts";

type Sql = MemoryContext["sql"];
type Row = (string | number | null)[];

/** Characters of one statement's rows: a value that is bound has at most 2 MB, and a character up to four bytes. */
const ROWS_MAX_CHARS = 200_000;
/** Rows below which one statement each is as quick. */
const FEW_ROWS = 3;

/** What of a current entry a commit is compared with. */
const STANDING_COLUMNS = ["id", "name", "section", "text", "meta", "closed", "wrong", "slot", "held"] as const;
export type StandingRow = Pick<EntryColumns, "path" | (typeof STANDING_COLUMNS)[number]> & {
  rid: number;
  subject: string | null;
};

/** The current entries of a file, in the order of their rows. As arrays out of the database: a file of a thousand lines is read at each change of one. */
export function standingRows(sql: Sql, prefix: string, path: string): StandingRow[] {
  const rows: StandingRow[] = [];
  for (const row of sql
    .exec<never>(`SELECT rid, subject, ${STANDING_COLUMNS.join(", ")} FROM ${prefix}entries WHERE path = ? ORDER BY rid`, path)
    .raw()) {
    const [rid, subject, id, name, section, text, meta, closed, wrong, slot, held] = row as [
      number,
      string | null,
      string | null,
      number,
      string | null,
      string,
      string,
      string | null,
      number,
      string | null,
      number,
    ];
    rows.push({ path, rid, subject, id, name, section, text, meta, closed, wrong, slot, held });
  }
  return rows;
}

/** Inserts rows, in their order. `into` names a table and its columns. */
function insert(sql: Sql, into: string, rows: readonly Row[]): void {
  const width = rows[0]?.length ?? 0;
  const one = (row: Row) => sql.exec(`INSERT ${into} VALUES (${row.map(() => "?").join(", ")})`, ...(row as SqlBinding[]));
  if (rows.length <= FEW_ROWS) return void rows.forEach(one);
  const columns = Array.from({ length: width }, (_, at) => `value ->> ${at}`).join(", ");
  let parts: string[] = [];
  let chars = 0;
  const flush = () => {
    if (parts.length > 0) sql.exec(`INSERT ${into} SELECT ${columns} FROM json_each(?)`, `[${parts.join()}]`);
    parts = [];
    chars = 0;
  };
  for (const row of rows) {
    const json = JSON.stringify(row);
    // SQLite's JSON ends a text at a NUL.
    if (json.includes("\\u0000")) {
      flush();
      one(row);
      continue;
    }
    if (chars + json.length > ROWS_MAX_CHARS) flush();
    parts.push(json);
    chars += json.length;
  }
  flush();
}

/** What an id names: a row number, and whether an entry stands there. */
interface Named {
  rid: number;
  lives: boolean;
}

/** The new entries of one commit. Nothing is written before `flush`; what was asked for and what was added is known at once. */
export class NewRows {
  readonly #sql: Sql;
  readonly #p: string;
  readonly #ids: Map<string, Named>;
  readonly #entries: Row[] = [];
  readonly #named: Row[] = [];
  readonly #texts: Row[] = [];
  readonly #references: Row[] = [];

  /** `ids`: all that are going to be asked for. */
  constructor(sql: Sql, prefix: string, ids: readonly string[]) {
    this.#sql = sql;
    this.#p = prefix;
    const known =
      ids.length === 0
        ? []
        : sql
            .exec<{ id: string; rid: number; lives: number }>(
              `SELECT id, rid, EXISTS (SELECT 1 FROM ${prefix}entries WHERE rid = i.rid) AS lives FROM ${prefix}ids i WHERE id IN (SELECT value FROM json_each(?))`,
              JSON.stringify(ids),
            )
            .toArray();
    this.#ids = new Map(known.map(({ id, rid, lives }) => [id, { rid, lives: lives === 1 }]));
  }

  /** The row number that an id has of an entry that is gone; null where it names none, or one that stands. */
  goneRid(id: string): number | null {
    const named = this.#ids.get(id);
    return named && !named.lives ? named.rid : null;
  }

  /** Gives an id to a row, unless it names one already. */
  name(id: string, rid: number): void {
    const named = this.#ids.get(id);
    if (named) {
      if (named.rid === rid) named.lives = true;
      return;
    }
    this.#ids.set(id, { rid, lives: true });
    this.#named.push([id, rid]);
  }

  /** A new entry with its words and what it refers to. */
  entry(rid: number, seq: number, subject: string | null, columns: EntryColumns, refersTo: readonly string[]): void {
    this.#entries.push([rid, seq, subject, ...VERSION_COLUMNS.map((column) => columns[column])]);
    this.#texts.push([rid, searchTokens(columns.text).join(" ")]);
    for (const target of refersTo) this.#references.push([target, rid]);
  }

  flush(): void {
    const [sql, p] = [this.#sql, this.#p];
    insert(sql, `INTO ${p}entries (rid, first, subject, ${VERSION_COLUMNS.join(", ")})`, this.#entries);
    insert(sql, `INTO ${p}ids (id, rid)`, this.#named);
    insert(sql, `INTO ${p}entries_fts (rowid, words)`, this.#texts);
    insert(sql, `OR IGNORE INTO ${p}depends (target, rid)`, this.#references);
  }
}

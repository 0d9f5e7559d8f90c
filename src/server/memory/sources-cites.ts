// Which messages and notes the entries of head cite: counted, and kept up to date by what changed since, so that the cost follows the news.
import { metaValues, type Meta } from "../../shared/entry.ts";
import { checkPath } from "../../shared/paths.ts";
import { parseSource } from "../../shared/source.ts";
import type { Sql } from "../git/sql.ts";
import { oidToBytes } from "../git/oid.ts";
import type { MemoryContext } from "./context.ts";
import { projectionHead } from "./project.ts";

/** The commit for which the counts stand. */
interface Counted {
  seq: number;
  oid: string;
  generation: string;
}

const FACT = "sources-counted";
/** Rows of one statement. */
const CHUNK_ROWS = 1_000;

const fact = (sql: Sql, name: string): string | null =>
  sql.exec<{ value: string }>("SELECT value FROM facts WHERE name = ?", name).toArray()[0]?.value ?? null;

/** The files that a line's sources name, with the anchor in them. */
export function citesOf(meta: Meta): { name: string; part: string }[] {
  const cites = metaValues(meta, "source").flatMap((value) => {
    const ref = parseSource(value);
    if (ref?.kind === "thread") return [{ name: `thread/${ref.id}`, part: ref.message ?? "" }];
    if (ref?.kind === "note") return [{ name: `note/${ref.id}`, part: "" }];
    return [];
  });
  // A line by another hand may name what cannot be a file.
  return cites.filter(({ name }) => checkPath(`${name}.md`).ok);
}

function count(sql: Sql, metas: Iterable<string>, by: 1 | -1): void {
  for (const meta of metas) {
    for (const { name, part } of citesOf(JSON.parse(meta) as Meta)) {
      sql.exec(
        "INSERT INTO source_cites (name, part, n) VALUES (?, ?, ?) ON CONFLICT (name, part) DO UPDATE SET n = n + excluded.n",
        name,
        part,
        by,
      );
      sql.exec("INSERT OR IGNORE INTO source_dirty (name) VALUES (?)", name);
    }
  }
}

/** Metadata with sources, in chunks: a list must leave no statement open while rows are written. */
function* metasOf(
  sql: Sql,
  table: "entries" | "entry_past",
  key: "rid" | "pid",
  where: string,
  ...bindings: number[]
): Generator<string> {
  for (let after = 0; ;) {
    const rows = sql
      .exec<{ key: number; meta: string }>(
        `SELECT ${key} AS key, meta FROM ${table} WHERE ${key} > ? AND removed = 0 AND ${where} AND instr(meta, '"source"') > 0 ORDER BY ${key} LIMIT ${CHUNK_ROWS}`,
        after,
        ...bindings,
      )
      .toArray();
    for (const { meta } of rows) yield meta;
    if (rows.length < CHUNK_ROWS) return;
    after = rows.at(-1)!.key;
  }
}

/** Brings the counts up to head, and marks each file whose citations changed. Inside a transaction. */
export function countCites({ sql }: Pick<MemoryContext, "sql">): void {
  const head = projectionHead({ sql });
  const generation = fact(sql, "generation") ?? "0";
  const stored = fact(sql, FACT);
  const at = stored === null ? null : (JSON.parse(stored) as Counted);
  if (at && at.generation === generation && at.seq === (head?.seq ?? 0) && at.oid === (head?.oid ?? "")) return;
  const follows =
    at !== null &&
    at.generation === generation &&
    sql.exec("SELECT 1 FROM commits WHERE seq = ? AND oid = ?", at.seq, oidToBytes(at.oid)).toArray().length > 0;
  if (follows) {
    // A version that came and went in between is in neither of the two.
    count(sql, metasOf(sql, "entries", "rid", "first > ?", at.seq), 1);
    count(sql, metasOf(sql, "entry_past", "pid", "first <= ? AND ended > ?", at.seq, at.seq), -1);
  } else {
    sql.exec(
      "INSERT OR IGNORE INTO source_dirty (name) SELECT DISTINCT name FROM source_cites UNION SELECT name FROM source_files",
    );
    sql.exec("DELETE FROM source_cites");
    count(sql, metasOf(sql, "entries", "rid", "1"), 1);
  }
  sql.exec("DELETE FROM source_cites WHERE n <= 0");
  sql.exec(
    "INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)",
    FACT,
    JSON.stringify({ seq: head?.seq ?? 0, oid: head?.oid ?? "", generation } satisfies Counted),
  );
}

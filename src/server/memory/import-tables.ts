// The tables of imports: what an archive held, until it is applied, thrown away or too old. src/server/transfer reads and writes them.
import type { Sql } from "../git/sql.ts";

export function createImports(sql: Sql): void {
  sql.exec("CREATE TABLE imports (id TEXT PRIMARY KEY, at INTEGER NOT NULL, doc TEXT NOT NULL) WITHOUT ROWID");
  sql.exec(
    "CREATE TABLE import_rows (seq INTEGER PRIMARY KEY AUTOINCREMENT, import TEXT NOT NULL, type TEXT NOT NULL, n INTEGER NOT NULL, name TEXT NOT NULL, data BLOB NOT NULL)",
  );
  sql.exec("CREATE INDEX import_rows_of ON import_rows (import, type, seq)");
}

/** Lets go of all that was staged and told of imports: what is forgotten may stand in it. One that is just landing is judged as it lands. */
export function dropStaged(sql: Sql): void {
  const kept = "(SELECT id FROM imports WHERE json_extract(doc, '$.status') = 'applying')";
  sql.exec(`UPDATE import_rows SET data = zeroblob(length(data)) WHERE import NOT IN ${kept}`);
  sql.exec(`DELETE FROM import_rows WHERE import NOT IN ${kept}`);
  sql.exec(
    `UPDATE imports SET doc = json_object('status', 'gone', 'x', printf('%.*c', length(CAST(doc AS BLOB)), 'x')) WHERE id NOT IN ${kept}`,
  );
  sql.exec(`DELETE FROM imports WHERE id NOT IN ${kept}`);
}

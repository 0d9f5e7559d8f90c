// The tables of the dream room, over SQLite: dreams, their steps, logs and changes, the inbox, what was turned down, a few values.
import type { DreamLogLine } from "../../shared/protocol.ts";
import type { DreamRow, DreamStore, InboxItem, ItemState, Rejection, Step, StoredChange } from "./types.ts";

/** The part of SQLite that this room needs; `ctx.storage.sql` fits. */
export interface DreamSql {
  exec<T extends Record<string, string | number | null | ArrayBuffer>>(
    query: string,
    ...bindings: (string | number | null)[]
  ): { toArray(): T[] };
}

/** Creates the tables: one step of the object's migrations. */
export function createDreamTables(sql: DreamSql): void {
  sql.exec(
    "CREATE TABLE dreams (id TEXT PRIMARY KEY, status TEXT NOT NULL, started_at INTEGER NOT NULL, doc TEXT NOT NULL) WITHOUT ROWID",
  );
  sql.exec("CREATE INDEX dreams_by_time ON dreams (started_at DESC, id)");
  sql.exec("CREATE INDEX dreams_by_status ON dreams (status)");
  sql.exec(
    "CREATE TABLE dream_steps (dream TEXT NOT NULL, n INTEGER NOT NULL, doc TEXT NOT NULL, PRIMARY KEY (dream, n)) WITHOUT ROWID",
  );
  sql.exec("CREATE TABLE dream_log (id INTEGER PRIMARY KEY, dream TEXT NOT NULL, doc TEXT NOT NULL)");
  sql.exec("CREATE INDEX dream_log_by_dream ON dream_log (dream, id)");
  sql.exec(
    "CREATE TABLE dream_changes (dream TEXT NOT NULL, n INTEGER NOT NULL, doc TEXT NOT NULL, PRIMARY KEY (dream, n)) WITHOUT ROWID",
  );
  sql.exec(`CREATE TABLE dream_inbox (ref TEXT PRIMARY KEY, at INTEGER NOT NULL, version INTEGER NOT NULL, state TEXT NOT NULL,
    tries INTEGER NOT NULL, dream TEXT, outcome TEXT) WITHOUT ROWID`);
  sql.exec("CREATE INDEX dream_inbox_by_state ON dream_inbox (state, at, ref)");
  sql.exec("CREATE INDEX dream_inbox_by_dream ON dream_inbox (dream)");
  sql.exec("CREATE TABLE dream_rejections (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, doc TEXT NOT NULL)");
  sql.exec("CREATE TABLE dream_values (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
}

/** The store over one database. */
export function sqlStore(sql: DreamSql): DreamStore {
  const docs = <T>(query: string, ...bindings: (string | number | null)[]): T[] =>
    sql
      .exec<{ doc: string }>(query, ...bindings)
      .toArray()
      .map(({ doc }) => JSON.parse(doc) as T);
  const itemRows = (query: string, ...bindings: (string | number | null)[]): InboxItem[] =>
    sql.exec<Record<string, string | number | null>>(query, ...bindings).toArray() as unknown as InboxItem[];
  const ITEM = "SELECT ref, at, version, state, tries, dream, outcome FROM dream_inbox";

  return {
    dream: (id) => docs<DreamRow>("SELECT doc FROM dreams WHERE id = ?", id)[0] ?? null,
    saveDream(row) {
      sql.exec(
        "INSERT OR REPLACE INTO dreams (id, status, started_at, doc) VALUES (?, ?, ?, ?)",
        row.id,
        row.status,
        row.startedAt,
        JSON.stringify(row),
      );
    },
    dreams: (limit, before) =>
      docs<DreamRow>(
        "SELECT doc FROM dreams WHERE started_at < ? ORDER BY started_at DESC, id LIMIT ?",
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
      ),
    active: () =>
      docs<DreamRow>("SELECT doc FROM dreams WHERE status IN ('queued', 'running') ORDER BY started_at LIMIT 1")[0] ?? null,
    withStatus: (status) => docs<DreamRow>("SELECT doc FROM dreams WHERE status = ? ORDER BY started_at", status),
    steps: (id) => docs<Step>("SELECT doc FROM dream_steps WHERE dream = ? ORDER BY n", id),
    saveStep(id, n, step) {
      sql.exec("INSERT OR REPLACE INTO dream_steps (dream, n, doc) VALUES (?, ?, ?)", id, n, JSON.stringify(step));
    },
    dropSteps(id) {
      sql.exec("DELETE FROM dream_steps WHERE dream = ?", id);
    },
    log: (id) => docs<DreamLogLine>("SELECT doc FROM dream_log WHERE dream = ? ORDER BY id", id),
    addLog(id, line) {
      sql.exec("INSERT INTO dream_log (dream, doc) VALUES (?, ?)", id, JSON.stringify(line));
    },
    saveLog(id, lines) {
      sql.exec("DELETE FROM dream_log WHERE dream = ?", id);
      for (const line of lines) sql.exec("INSERT INTO dream_log (dream, doc) VALUES (?, ?)", id, JSON.stringify(line));
    },
    changes: (id) => docs<StoredChange>("SELECT doc FROM dream_changes WHERE dream = ? ORDER BY n", id),
    saveChanges(id, changes) {
      sql.exec("DELETE FROM dream_changes WHERE dream = ?", id);
      for (const change of changes)
        sql.exec("INSERT INTO dream_changes (dream, n, doc) VALUES (?, ?, ?)", id, change.n, JSON.stringify(change));
    },
    item: (ref) => itemRows(`${ITEM} WHERE ref = ?`, ref)[0] ?? null,
    saveItem({ ref, at, version, state, tries, dream, outcome }) {
      sql.exec(
        "INSERT OR REPLACE INTO dream_inbox (ref, at, version, state, tries, dream, outcome) VALUES (?, ?, ?, ?, ?, ?, ?)",
        ref,
        at,
        version,
        state,
        tries,
        dream,
        outcome,
      );
    },
    items: (state, limit) => itemRows(`${ITEM} WHERE state = ? ORDER BY at, ref LIMIT ?`, state, limit),
    itemsOf: (dream) => itemRows(`${ITEM} WHERE dream = ? ORDER BY at, ref`, dream),
    count: (state: ItemState) =>
      sql.exec<{ n: number }>("SELECT count(*) AS n FROM dream_inbox WHERE state = ?", state).toArray()[0]?.n ?? 0,
    rejections: (since) => docs<Rejection>("SELECT doc FROM dream_rejections WHERE at >= ? ORDER BY id DESC", since),
    addRejection(rejection) {
      sql.exec("INSERT INTO dream_rejections (at, doc) VALUES (?, ?)", rejection.at, JSON.stringify(rejection));
    },
    replaceRejections(map) {
      for (const { id, doc } of sql.exec<{ id: number; doc: string }>("SELECT id, doc FROM dream_rejections").toArray()) {
        const next = map(JSON.parse(doc) as Rejection);
        if (next === null) sql.exec("DELETE FROM dream_rejections WHERE id = ?", id);
        else if (JSON.stringify(next) !== doc)
          sql.exec("UPDATE dream_rejections SET doc = ? WHERE id = ?", JSON.stringify(next), id);
      }
    },
    get: (key) => sql.exec<{ value: string }>("SELECT value FROM dream_values WHERE key = ?", key).toArray()[0]?.value ?? null,
    set(key, value) {
      sql.exec("INSERT OR REPLACE INTO dream_values (key, value) VALUES (?, ?)", key, value);
    },
  };
}

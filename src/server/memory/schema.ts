// The tables of a MemoryAgent. Each room has its own numbered steps; a step once released never changes, the next one follows it.
import { createTables as createGitTables } from "../git/store.ts";
import type { Sql, Transact } from "../git/sql.ts";

/** One step: runs inside a transaction, once. */
export type Migration = (sql: Sql) => void;

/** The steps of each room, by name: rooms grow without agreeing on numbers. */
export type Rooms = Readonly<Record<string, readonly Migration[]>>;

/** Brings the tables up to date; where nothing is to do it reads one row a room. Each step is whole or not at all. */
export function migrate(sql: Sql, transact: Transact, rooms: Rooms): void {
  sql.exec("CREATE TABLE IF NOT EXISTS schema_versions (room TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID");
  const at = new Map(
    sql
      .exec<{ room: string; version: number }>("SELECT room, version FROM schema_versions")
      .toArray()
      .map((row) => [row.room, row.version]),
  );
  for (const [room, steps] of Object.entries(rooms)) {
    for (let version = (at.get(room) ?? 0) + 1; version <= steps.length; version++) {
      transact(() => {
        steps[version - 1]!(sql);
        sql.exec("INSERT OR REPLACE INTO schema_versions (room, version) VALUES (?, ?)", room, version);
      });
    }
  }
}

/** Entries that were not true on every day. */
export const DATED_SQL = "since IS NOT NULL OR until IS NOT NULL OR closed IS NOT NULL OR wrong = 1 OR removed = 1";

/** Tables of the projection: all that can be dropped and made again from git. */
export const PROJECTION_TABLES = [
  "commits",
  "files",
  "file_past",
  "entries",
  "entry_past",
  "ids",
  "links",
  "depends",
  "tombstones",
  "entries_fts",
  "past_fts",
] as const;

/**
 * `seq` counts the commits of the main line; a version holds from `first` up to, not including, `ended`. What is current and what
 * is past stand in tables of their own, so that a save touches one row of each and a read of today meets no history.
 * A rebuild fills a second set of these tables under a prefix; `tag` keeps the names of their indexes apart.
 */
export function createProjection(sql: Sql, prefix = "", tag = ""): void {
  const index = (name: string, on: string) => sql.exec(`CREATE INDEX ${name}${tag} ON ${prefix}${on}`);
  sql.exec(`CREATE TABLE ${prefix}commits (
    seq INTEGER PRIMARY KEY, oid BLOB NOT NULL UNIQUE, at INTEGER NOT NULL, kind TEXT NOT NULL, actor TEXT NOT NULL, ref TEXT, summary TEXT NOT NULL,
    added INTEGER NOT NULL, changed INTEGER NOT NULL, closed INTEGER NOT NULL, removed INTEGER NOT NULL, moved INTEGER NOT NULL,
    files INTEGER NOT NULL, bytes INTEGER NOT NULL, entries INTEGER NOT NULL, rid INTEGER NOT NULL)`);
  sql.exec(`CREATE TABLE ${prefix}files (
    fid INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, fold TEXT NOT NULL, base TEXT NOT NULL, first INTEGER NOT NULL,
    blob BLOB NOT NULL, bytes INTEGER NOT NULL, entries INTEGER NOT NULL, title TEXT, links TEXT)`);
  index("files_fold", "files (fold)");
  index("files_base", "files (base)");
  sql.exec(`CREATE TABLE ${prefix}file_past (
    path TEXT NOT NULL, first INTEGER NOT NULL, ended INTEGER NOT NULL,
    blob BLOB NOT NULL, bytes INTEGER NOT NULL, entries INTEGER NOT NULL, title TEXT, links TEXT,
    PRIMARY KEY (path, first)) WITHOUT ROWID`);
  const version = `path TEXT NOT NULL, id TEXT, name INTEGER NOT NULL, section TEXT, text TEXT NOT NULL, meta TEXT NOT NULL, first INTEGER NOT NULL,
    since TEXT, until TEXT, closed TEXT, wrong INTEGER NOT NULL, begins TEXT, ends TEXT, removed INTEGER NOT NULL,
    slot TEXT, scope TEXT, pin INTEGER NOT NULL, linked INTEGER NOT NULL, held INTEGER NOT NULL`;
  sql.exec(`CREATE TABLE ${prefix}entries (rid INTEGER PRIMARY KEY, ${version}, subject TEXT)`);
  index("entries_path", "entries (path)");
  index("entries_name", "entries (name)");
  index("entries_slot", "entries (subject, slot) WHERE slot IS NOT NULL");
  // What was not true on every day, and what links: the graph of a day reads these instead of all entries.
  index("entries_dated", `entries (path, since, until, closed, wrong, removed) WHERE ${DATED_SQL}`);
  index("entries_linked", "entries (path, since, until, closed, wrong, removed) WHERE linked = 1");
  sql.exec(
    `CREATE TABLE ${prefix}entry_past (pid INTEGER PRIMARY KEY, rid INTEGER NOT NULL, ended INTEGER NOT NULL, ${version})`,
  );
  index("entry_past_rid", "entry_past (rid)");
  // Every id that ever named an entry: an id is never used again for another.
  sql.exec(`CREATE TABLE ${prefix}ids (id TEXT PRIMARY KEY, rid INTEGER NOT NULL) WITHOUT ROWID`);
  // Links by the base name that they end in: what points here is found without resolving every link of the memory.
  sql.exec(
    `CREATE TABLE ${prefix}links (base TEXT NOT NULL, path TEXT NOT NULL, link TEXT NOT NULL, PRIMARY KEY (base, path, link)) WITHOUT ROWID`,
  );
  sql.exec(`CREATE TABLE ${prefix}depends (target TEXT NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY (target, rid)) WITHOUT ROWID`);
  sql.exec(
    `CREATE TABLE ${prefix}tombstones (id TEXT PRIMARY KEY, path TEXT NOT NULL, replaces TEXT, removed TEXT NOT NULL, match TEXT NOT NULL) WITHOUT ROWID`,
  );
  index("tombstones_replaces", "tombstones (replaces)");
  // Our own tokens are stored, already folded and stemmed; the tokenizer only splits them back out.
  const fts = `fts5(words, content='', contentless_delete=1, tokenize='ascii')`;
  sql.exec(`CREATE VIRTUAL TABLE ${prefix}entries_fts USING ${fts}`);
  sql.exec(`CREATE VIRTUAL TABLE ${prefix}past_fts USING ${fts}`);
}

/** Drops the tables of one set. */
export function dropProjection(sql: Sql, prefix = ""): void {
  for (const table of PROJECTION_TABLES) sql.exec(`DROP TABLE IF EXISTS ${prefix}${table}`);
}

/** Puts the set under a prefix in the place of the one that is read. */
export function swapProjection(sql: Sql, prefix: string): void {
  dropProjection(sql);
  for (const table of PROJECTION_TABLES) sql.exec(`ALTER TABLE ${prefix}${table} RENAME TO ${table}`);
}

/** The sets that can be there: the one that is read, the one that a rebuild fills, the one that an erase fills. */
const SETS = ["", "next_", "clean_"];

/**
 * A step for each change of the projection's shape: its tables are empty afterwards and are filled from git at the next start, however old their
 * shape was. No step has to carry rows over.
 */
export function renewProjection(tag: string): Migration {
  return (sql) => {
    for (const prefix of SETS) {
      if (sql.exec("SELECT 1 FROM sqlite_master WHERE name = ?", `${prefix}commits`).toArray().length === 0) continue;
      dropProjection(sql, prefix);
      createProjection(sql, prefix, `_${prefix}${tag}`);
    }
  };
}

/** Tables of the writer itself: none of them can be made again from git. */
function createWriterTables(sql: Sql): void {
  // An answer that was given stays given: a repeated request gets it again.
  sql.exec(
    "CREATE TABLE idempotency (key TEXT PRIMARY KEY, request TEXT NOT NULL, answer TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID",
  );
  // Conflicts that nobody has answered yet: a blind retry is refused until it carries the head that was named.
  sql.exec(
    "CREATE TABLE conflicts (who TEXT NOT NULL, target TEXT NOT NULL, head TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (who, target)) WITHOUT ROWID",
  );
  sql.exec("CREATE TABLE entry_uses (id TEXT PRIMARY KEY, uses INTEGER NOT NULL, last INTEGER NOT NULL) WITHOUT ROWID");
  sql.exec("CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
}

/** Rooms of the memory core. Other rooms put theirs beside them in rooms.ts. */
export const CORE_ROOMS: Rooms = {
  git: [createGitTables],
  projection: [(sql) => createProjection(sql), renewProjection("v2")],
  writer: [createWriterTables],
};

// The branch `sources`: one parentless commit with the messages and notes that entries of head cite, so that every source in a clone leads somewhere.
// Its objects are rows apart from those of the memory, so that what is forgotten or deleted can be overwritten at once and nothing else refers to it.
import { Buffer } from "node:buffer";
import { formatCommit, parseCommit } from "../git/commit.ts";
import { oidFromBytes, oidToBytes, type Oid } from "../git/oid.ts";
import type { Sql, SqlValue } from "../git/sql.ts";
import { openStore, type ObjectStore } from "../git/store.ts";
import { DIR_MODE, FILE_MODE, formatTree, parseTree, type TreeEntry } from "../git/tree.ts";
import { APP_EMAIL, APP_NAME } from "./commit-message.ts";
import type { MemoryContext } from "./context.ts";
import type { NoteRow } from "./notes.ts";
import { rebuildState } from "./rebuild.ts";
import { countCites } from "./sources-cites.ts";
import { conversationFile, noteFile, sortParts } from "./sources-text.ts";
import { findThread } from "./threads.ts";
import type { MessageRow } from "./transcripts.ts";

/** The branch, which nobody can push to. */
export const SOURCES = "refs/heads/sources";
/** Its rows among those of the memory's repository, which is 1. */
export const SOURCES_REPO = -1;
/** Milliseconds for which a commit that was listed can still be fetched after a newer one took its place. */
const KEPT_MS = 10 * 60_000;

/**
 * Tables, and triggers: whatever changes or takes away a message, a title or a note also takes away the files that said it, bytes
 * first, in the same transaction. No door has to remember that there is a branch.
 */
export function createSources(sql: Sql): void {
  sql.exec(
    "CREATE TABLE source_cites (name TEXT NOT NULL, part TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (name, part)) WITHOUT ROWID",
  );
  sql.exec("CREATE TABLE source_files (name TEXT PRIMARY KEY, blob BLOB NOT NULL) WITHOUT ROWID");
  sql.exec("CREATE TABLE source_blobs (name TEXT NOT NULL, blob BLOB NOT NULL, PRIMARY KEY (name, blob)) WITHOUT ROWID");
  sql.exec("CREATE TABLE source_dirty (name TEXT PRIMARY KEY) WITHOUT ROWID");
  sql.exec("CREATE TABLE source_listed (commit_oid TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID");
  const trigger = (event: string, table: string, name: string, gone: boolean, when = "1"): void => {
    const blobs = `SELECT blob FROM source_blobs WHERE name = ${name}`;
    const mark = `INSERT OR IGNORE INTO source_dirty (name) SELECT name FROM source_files WHERE name = ${name};`;
    // Two files may say the same and share their bytes.
    const drop = `INSERT OR IGNORE INTO source_dirty (name) SELECT name FROM source_blobs WHERE blob IN (${blobs});
      UPDATE git_objects SET data = zeroblob(length(data)) WHERE repo = ${SOURCES_REPO} AND oid IN (${blobs});
      DELETE FROM git_objects WHERE repo = ${SOURCES_REPO} AND oid IN (${blobs});
      DELETE FROM source_blobs WHERE name = ${name};`;
    sql.exec(
      `CREATE TRIGGER sources_${table}_${event.split(" ", 1)[0]!.toLowerCase()} AFTER ${event} ON ${table} WHEN ${when} BEGIN ${mark} ${gone ? drop : ""} END`,
    );
  };
  trigger("INSERT", "messages", "'thread/' || NEW.thread", false);
  trigger("UPDATE OF text", "messages", "'thread/' || OLD.thread", true, "OLD.text IS NOT NEW.text");
  trigger("DELETE", "messages", "'thread/' || OLD.thread", true);
  trigger("UPDATE OF title", "threads", "'thread/' || OLD.id", true, "OLD.title IS NOT NEW.title");
  trigger("DELETE", "threads", "'thread/' || OLD.id", true);
  trigger("INSERT", "notes", "'note/' || NEW.id", false);
  trigger("UPDATE OF title, text", "notes", "'note/' || OLD.id", true, "OLD.title IS NOT NEW.title OR OLD.text IS NOT NEW.text");
  trigger("DELETE", "notes", "'note/' || OLD.id", true);
}

/** The rows of the branch as a repository of its own. */
export function sourcesStore(ctx: Pick<MemoryContext, "sql">): ObjectStore {
  return openStore(ctx.sql, SOURCES_REPO);
}

/** Where the branch stands, or null where nothing is cited. */
export function sourcesHead(ctx: Pick<MemoryContext, "sql">): Oid | null {
  return sourcesStore(ctx).ref(SOURCES);
}

/** Commits that were listed a short while ago and may still be asked for. */
export function sourcesListed(ctx: Pick<MemoryContext, "sql">): Oid[] {
  return ctx.sql
    .exec<{ commit_oid: string }>("SELECT commit_oid FROM source_listed")
    .toArray()
    .map((row) => row.commit_oid);
}

/** Makes the branch say what is cited now. Writes nothing where nothing changed. */
export function renewSources(ctx: MemoryContext): Oid | null {
  const { sql } = ctx;
  if (rebuildState(sql).rebuilding) return sourcesHead(ctx);
  return ctx.transact(() => {
    countCites(ctx);
    const store = sourcesStore(ctx);
    const before = store.ref(SOURCES);
    const dirty = sql.exec<{ name: string }>("SELECT name FROM source_dirty ORDER BY name").toArray();
    if (dirty.length === 0) {
      sweep(ctx, store, before);
      return before;
    }
    for (const { name } of dirty) renewFile(ctx, store, name);
    sql.exec("DELETE FROM source_dirty");
    const tree = writeTree(sql, store);
    if (before !== null && tree !== null && treeOfCommit(store, before) === tree) return before;
    const next = tree === null ? null : writeCommit(ctx, store, tree);
    if (next !== before) {
      store.moveRef(SOURCES, before, next, { kind: "system", actor: "user", at: ctx.now() });
      if (before !== null) sql.exec("INSERT OR REPLACE INTO source_listed (commit_oid, at) VALUES (?, ?)", before, ctx.now());
    }
    sweep(ctx, store, next);
    return next;
  });
}

function renewFile({ sql }: MemoryContext, store: ObjectStore, name: string): void {
  const parts = sql
    .exec<{ part: string }>("SELECT part FROM source_cites WHERE name = ? AND n > 0", name)
    .toArray()
    .map(({ part }) => part);
  if (parts.length === 0) {
    sql.exec("DELETE FROM source_files WHERE name = ?", name);
    return;
  }
  const [kind, id] = name.split("/") as [string, string];
  const text =
    kind === "note"
      ? noteFile(sql.exec<NoteRow>("SELECT * FROM notes WHERE id = ?", id).toArray()[0] ?? null)
      : conversationText(sql, id, parts);
  const blob = oidToBytes(store.write("blob", Buffer.from(text)));
  sql.exec("INSERT OR REPLACE INTO source_files (name, blob) VALUES (?, ?)", name, blob);
  sql.exec("INSERT OR IGNORE INTO source_blobs (name, blob) VALUES (?, ?)", name, blob);
}

function conversationText(sql: Sql, thread: string, parts: readonly string[]): string {
  const messages = new Map<string, MessageRow | null>();
  const find = (n: number) =>
    sql.exec<MessageRow>("SELECT * FROM messages WHERE thread = ? AND n = ?", thread, n).toArray()[0] ?? null;
  // A source without a message cites the conversation as a whole.
  const all = parts.includes("")
    ? sql
        .exec<{ n: number }>("SELECT n FROM messages WHERE thread = ? ORDER BY n", thread)
        .toArray()
        .map(({ n }) => `m${n}`)
    : [];
  for (const part of sortParts([...new Set([...parts.filter((one) => one !== ""), ...all])])) {
    messages.set(part, /^m[1-9]\d{0,6}$/.test(part) ? find(Number(part.slice(1))) : null);
  }
  return conversationFile(findThread(sql, thread)?.title ?? null, messages);
}

/** The tree of all files; null where there are none. Of two names that differ only by case the first is kept. */
function writeTree(sql: Sql, store: ObjectStore): Oid | null {
  const folders = new Map<string, Map<string, TreeEntry>>();
  for (const { name, blob } of sql
    .exec<{ name: string; blob: ArrayBuffer } & Record<string, SqlValue>>("SELECT name, blob FROM source_files ORDER BY name")
    .toArray()) {
    const [folder, id] = name.split("/") as [string, string];
    const files = folders.get(folder) ?? new Map<string, TreeEntry>();
    folders.set(folder, files);
    const key = id.toLowerCase();
    if (!files.has(key)) files.set(key, { mode: FILE_MODE, name: `${id}.md`, oid: oidFromBytes(blob) });
  }
  if (folders.size === 0) return null;
  const entries = [...folders].map(([name, files]): TreeEntry => ({
    mode: DIR_MODE,
    name,
    oid: store.write("tree", formatTree(files.values())),
  }));
  return store.write("tree", formatTree(entries));
}

function treeOfCommit(store: ObjectStore, commit: Oid): Oid | null {
  const object = store.read(commit);
  return object === null ? null : parseCommit(object.data).tree;
}

function writeCommit(ctx: MemoryContext, store: ObjectStore, tree: Oid): Oid {
  const person = { name: APP_NAME, email: APP_EMAIL, at: ctx.now(), tz: "+0000" };
  const message =
    "system: what the memory cites\n\nMessages and notes that entries of main name as their source. Read only: made anew when it changes.\n";
  return store.write("commit", formatCommit({ tree, parents: [], author: person, committer: person, extra: [], message }));
}

/** Takes out, bytes first, every object that no commit needs any more: neither the branch, nor one that was listed a short while ago. */
function sweep(ctx: MemoryContext, store: ObjectStore, head: Oid | null): void {
  const { sql } = ctx;
  const stale = sql.exec("SELECT 1 FROM source_listed WHERE at <= ? LIMIT 1", ctx.now() - KEPT_MS).toArray().length > 0;
  if (!stale) return;
  sql.exec("DELETE FROM source_listed WHERE at <= ?", ctx.now() - KEPT_MS);
  const kept = new Set<Oid>();
  for (const commit of [...(head === null ? [] : [head]), ...sourcesListed(ctx)]) keep(store, commit, kept);
  const all = sql
    .exec<{ oid: ArrayBuffer }>("SELECT oid FROM git_objects WHERE repo = ?", SOURCES_REPO)
    .toArray()
    .map(({ oid }) => oidFromBytes(oid));
  const gone = all.filter((oid) => !kept.has(oid));
  store.drop(gone);
  for (const oid of gone) sql.exec("DELETE FROM source_blobs WHERE blob = ?", oidToBytes(oid));
}

function keep(store: ObjectStore, commit: Oid, kept: Set<Oid>): void {
  const tree = treeOfCommit(store, commit);
  if (tree === null) return;
  kept.add(commit).add(tree);
  for (const folder of parseTree(store.read(tree)?.data ?? new Uint8Array(0))) {
    kept.add(folder.oid);
    for (const file of parseTree(store.read(folder.oid)?.data ?? new Uint8Array(0))) kept.add(file.oid);
  }
}

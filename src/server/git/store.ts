// The rows of a repository: objects, refs and the ref log. Knows git's objects and nothing of what stands in them.
// Everything here is synchronous: a commit is one transaction, and a second writer never runs in between.
import { deflateSync, inflateSync } from "node:zlib";
import { AppError } from "../../shared/errors.ts";
import { commitLinks, parseCommit } from "./commit.ts";
import { hashObject, oidFromBytes, oidToBytes, TYPE_NUMBER, typeOfNumber, type ObjectType, type Oid } from "./oid.ts";
import type { Sql, SqlCursor } from "./sql.ts";

/** An object as git hashes it, without its header. */
export interface GitObject {
  type: ObjectType;
  data: Uint8Array;
}

/** An object as it rests in its row and travels in a pack: zlib-deflated, `size` = bytes when inflated. */
export interface PackedObject {
  oid: Oid;
  type: ObjectType;
  size: number;
  deflated: Uint8Array;
}

/**
 * A row of a scan. `key` is the id as 20 bytes: hex costs more than the row over a whole repository. `type` is null where the row names
 * no kind of git's: a check goes on behind it.
 */
export interface ScannedObject {
  id: number;
  key: Uint8Array;
  type: ObjectType | null;
  size: number;
  deflated: Uint8Array;
}

/** Why a ref moved. Kind and actor are the caller's words; `at` is in milliseconds since 1970. */
export interface Move {
  kind: string;
  actor: string;
  at: number;
}

/** One line of the ref log. `seq` counts up by ref and is the cursor of a page. */
export interface RefMove extends Move {
  seq: number;
  before: Oid | null;
  after: Oid | null;
}

/** What is kept about a commit beside its object, so that walks over long histories are short. */
export interface CommitInfo {
  id: number;
  oid: Oid;
  /** 1 + the largest generation of its parents: an ancestor always has a smaller one. */
  generation: number;
  /** Steps to the root over first parents. */
  depth: number;
  /** Row of the first parent, null at the root. */
  parent: number | null;
  /** Row of an ancestor on the first-parent line, further away the deeper the commit stands (null at the root). */
  jump: number | null;
  /** Commit time in ms, never before that of a parent. */
  at: number;
}

/** One repository in one database. */
export interface ObjectStore {
  read(oid: Oid): GitObject | null;
  readPacked(oid: Oid): PackedObject | null;
  /** Those of at most OIDS_A_STATEMENT objects that exist, in any order; read lazily, so stop as soon as you have enough bytes. */
  readPackedMany(oids: Uint8Array[]): Iterable<PackedObject>;
  has(oid: Oid): boolean;
  typeOf(oid: Oid): ObjectType | null;
  /** The kinds of many objects, null for those that are missing. */
  typesOf(oids: Oid[]): Map<Oid, ObjectType | null>;
  sizeOf(oid: Oid): number | null;
  /** Writes an object that is not there yet. */
  put(type: ObjectType, data: Uint8Array): { oid: Oid; added: boolean };
  /** The same, for callers that only want the id. */
  write(type: ObjectType, data: Uint8Array): Oid;
  writeMany(objects: Iterable<GitObject>): Oid[];
  /** Takes objects out, their bytes overwritten first. For an erase: whoever calls sees to it that nothing refers to them. */
  drop(oids: Iterable<Oid>): number;
  /** Objects in the order of their rows, for slices: pass the last `id` as the next `after`. */
  scan(after: number, limit: number): Iterable<ScannedObject>;
  /** The same backwards, from below `before`, and without the content of blobs: what refers to something comes before it. */
  scanBack(before: number, limit: number): Iterable<ScannedObject>;
  /** The largest row id that an object has; 0 when there is none. */
  lastId(): number;
  commitInfo(oid: Oid): CommitInfo;
  commitInfoById(id: number): CommitInfo;
  ref(name: string): Oid | null;
  refs(prefix?: string): { name: string; oid: Oid }[];
  /** Compare-and-swap of a ref; throws AppError("conflict") when it does not stand at `expected`. Appends to the ref log. */
  moveRef(name: string, expected: Oid | null, next: Oid | null, move: Move): void;
  /** Moves of a ref, newest first. `before` = the smallest `seq` of the page before. */
  refLog(name: string, page?: { limit?: number; before?: number }): RefMove[];
}

/** Creates the tables; safe to repeat. */
export function createTables(sql: Sql): void {
  // A row id beside the unique index: content of about a page in the key's own b-tree makes that tree deep and its pages random.
  sql.exec(`CREATE TABLE IF NOT EXISTS git_objects (
    id INTEGER PRIMARY KEY, repo INTEGER NOT NULL, oid BLOB NOT NULL, type INTEGER NOT NULL, size INTEGER NOT NULL, data BLOB NOT NULL,
    UNIQUE (repo, oid))`);
  sql.exec(`CREATE TABLE IF NOT EXISTS git_refs (repo INTEGER NOT NULL, name TEXT NOT NULL, oid BLOB NOT NULL, PRIMARY KEY (repo, name)) WITHOUT ROWID`);
  sql.exec(`CREATE TABLE IF NOT EXISTS git_ref_log (
    repo INTEGER NOT NULL, name TEXT NOT NULL, seq INTEGER NOT NULL, before BLOB, after BLOB, kind TEXT NOT NULL, actor TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (repo, name, seq)) WITHOUT ROWID`);
  sql.exec(`CREATE TABLE IF NOT EXISTS git_commits (
    id INTEGER PRIMARY KEY, parent INTEGER, jump INTEGER, depth INTEGER NOT NULL, generation INTEGER NOT NULL, at INTEGER NOT NULL)`);
}

/** Ids in one statement, which takes 100 parameters in all. */
export const OIDS_A_STATEMENT = 64;

type ObjectRow = { oid: ArrayBuffer; type: number; size: number; data: ArrayBuffer };
type InfoRow = { id: number; oid: ArrayBuffer; parent: number | null; jump: number | null; depth: number; generation: number; at: number };

/** Opens one repository of a database. `repo` tells several memories of one user apart. */
export function openStore(sql: Sql, repo = 1): ObjectStore {
  const one = <T extends Record<string, any>>(query: string, ...bindings: Parameters<Sql["exec"]>[1][]): T | null =>
    sql.exec<T>(query, ...bindings).toArray()[0] ?? null;

  const packedOf = (row: ObjectRow): PackedObject => {
    const type = typeOfNumber(row.type);
    if (!type) throw damaged(oidFromBytes(row.oid), `its kind is ${row.type}`);
    return { oid: oidFromBytes(row.oid), type, size: row.size, deflated: new Uint8Array(row.data) };
  };

  const readPacked = (oid: Oid): PackedObject | null => {
    const row = one<ObjectRow>("SELECT oid, type, size, data FROM git_objects WHERE repo = ? AND oid = ?", repo, oidToBytes(oid));
    return row && packedOf(row);
  };
  const read = (oid: Oid): GitObject | null => {
    const packed = readPacked(oid);
    return packed && { type: packed.type, data: inflateObject(packed) };
  };
  const idOf = (oid: Oid): number | null =>
    one<{ id: number }>("SELECT id FROM git_objects WHERE repo = ? AND oid = ?", repo, oidToBytes(oid))?.id ?? null;

  const put = (type: ObjectType, data: Uint8Array): { oid: Oid; added: boolean } => {
    const oid = hashObject(type, data);
    if (idOf(oid) !== null) return { oid, added: false };
    sql.exec(
      "INSERT INTO git_objects (repo, oid, type, size, data) VALUES (?, ?, ?, ?, ?)",
      repo, oidToBytes(oid), TYPE_NUMBER[type], data.byteLength, deflateSync(data),
    );
    return { oid, added: true };
  };
  const write = (type: ObjectType, data: Uint8Array): Oid => put(type, data).oid;

  const info = (where: string, binding: number | Uint8Array): CommitInfo | null => {
    const row = one<InfoRow>(
      `SELECT c.id, o.oid, c.parent, c.jump, c.depth, c.generation, c.at FROM git_objects o JOIN git_commits c ON c.id = o.id WHERE ${where}`,
      ...(typeof binding === "number" ? [binding] : [repo, binding]),
    );
    return row && { ...row, oid: oidFromBytes(row.oid) };
  };
  const commitInfoById = (id: number): CommitInfo => {
    const found = info("o.id = ?", id);
    if (!found) throw new AppError("unavailable", `The commit of row ${id} is missing from the store.`, { id });
    return found;
  };

  /** Adds a commit whose parents are known. The jump is that of a skew-binary list (Myers 1983): any ancestor in O(log n) steps. */
  const index = (oid: Oid, data: Uint8Array, parents: CommitInfo[]): CommitInfo => {
    const first = parents[0];
    const jump = first && first.jump !== null ? commitInfoById(first.jump) : null;
    const further = jump && jump.jump !== null ? commitInfoById(jump.jump) : null;
    const equalSteps = first && jump && further && first.depth - jump.depth === jump.depth - further.depth;
    const added: CommitInfo = {
      id: idOf(oid)!,
      oid,
      parent: first?.id ?? null,
      jump: !first ? null : equalSteps ? further.id : first.id,
      depth: first ? first.depth + 1 : 0,
      generation: 1 + Math.max(0, ...parents.map((parent) => parent.generation)),
      at: Math.max(parseCommit(data).committer.at, ...parents.map((parent) => parent.at)),
    };
    sql.exec(
      "INSERT INTO git_commits (id, parent, jump, depth, generation, at) VALUES (?, ?, ?, ?, ?, ?)",
      added.id, added.parent, added.jump, added.depth, added.generation, added.at,
    );
    return added;
  };

  const commitInfo = (oid: Oid): CommitInfo => {
    // A stack instead of recursion: an imported history may be 100,000 commits deep.
    const pending = [oid];
    for (;;) {
      const next = pending.at(-1)!;
      let found = info("o.repo = ? AND o.oid = ?", oidToBytes(next));
      if (!found) {
        const object = read(next);
        if (object?.type !== "commit") throw new AppError("not-found", `There is no commit ${next}.`, { oid: next });
        const { parents } = commitLinks(object.data);
        const known = parents.map((parent) => info("o.repo = ? AND o.oid = ?", oidToBytes(parent)));
        const unknown = parents.filter((_, i) => !known[i]);
        if (unknown.length > 0) {
          pending.push(...unknown);
          continue;
        }
        found = index(next, object.data, known as CommitInfo[]);
      }
      pending.pop();
      if (pending.length === 0) return found;
    }
  };

  const ref = (name: string): Oid | null => {
    const row = one<{ oid: ArrayBuffer }>("SELECT oid FROM git_refs WHERE repo = ? AND name = ?", repo, name);
    return row && oidFromBytes(row.oid);
  };

  return {
    read,
    readPacked,
    *readPackedMany(oids) {
      const marks = oids.map(() => "?").join();
      for (const row of sql.exec<ObjectRow>(`SELECT oid, type, size, data FROM git_objects WHERE repo = ? AND oid IN (${marks})`, repo, ...oids))
        yield packedOf(row);
    },
    has: (oid) => idOf(oid) !== null,
    typeOf: (oid) => {
      const row = one<{ type: number }>("SELECT type FROM git_objects WHERE repo = ? AND oid = ?", repo, oidToBytes(oid));
      return row && typeOfNumber(row.type);
    },
    typesOf: (oids) => {
      const types = new Map<Oid, ObjectType | null>(oids.map((oid) => [oid, null]));
      for (let at = 0; at < oids.length; at += OIDS_A_STATEMENT) {
        const asked = oids.slice(at, at + OIDS_A_STATEMENT).map(oidToBytes);
        const marks = asked.map(() => "?").join();
        for (const row of sql.exec<{ oid: ArrayBuffer; type: number }>(`SELECT oid, type FROM git_objects WHERE repo = ? AND oid IN (${marks})`, repo, ...asked))
          types.set(oidFromBytes(row.oid), typeOfNumber(row.type));
      }
      return types;
    },
    sizeOf: (oid) => one<{ size: number }>("SELECT size FROM git_objects WHERE repo = ? AND oid = ?", repo, oidToBytes(oid))?.size ?? null,
    put,
    write,
    writeMany: (objects) => Array.from(objects, ({ type, data }) => write(type, data)),
    drop: (oids) => {
      let dropped = 0;
      for (const oid of oids) {
        const id = idOf(oid);
        if (id === null) continue;
        // A DELETE leaves the bytes in their pages; a zeroed blob of the same length does not.
        sql.exec("UPDATE git_objects SET data = zeroblob(length(data)) WHERE id = ?", id);
        sql.exec("DELETE FROM git_commits WHERE id = ?", id);
        sql.exec("DELETE FROM git_objects WHERE id = ?", id);
        dropped++;
      }
      return dropped;
    },
    // The plus keeps SQLite from taking the index on repo and sorting all rows by id.
    scan: (after, limit) => scanned(sql.exec("SELECT id, oid, type, size, data FROM git_objects WHERE id > ? AND +repo = ? ORDER BY id LIMIT ?", after, repo, limit)),
    scanBack: (before, limit) =>
      scanned(
        sql.exec(
          "SELECT id, oid, type, size, CASE WHEN type = 3 THEN x'' ELSE data END FROM git_objects WHERE id < ? AND +repo = ? ORDER BY id DESC LIMIT ?",
          before, repo, limit,
        ),
      ),
    lastId: () => one<{ id: number | null }>("SELECT max(id) AS id FROM git_objects")?.id ?? 0,
    commitInfo,
    commitInfoById,
    ref,
    refs: (prefix = "") =>
      sql
        .exec<{ name: string; oid: ArrayBuffer }>(
          "SELECT name, oid FROM git_refs WHERE repo = ? AND substr(name, 1, ?) = ? ORDER BY name", repo, [...prefix].length, prefix,
        )
        .toArray()
        .map((row) => ({ name: row.name, oid: oidFromBytes(row.oid) })),
    moveRef: (name, expected, next, { kind, actor, at }) => {
      const current = ref(name);
      if (current !== expected)
        throw new AppError("conflict", `${name} has moved on: it stands at ${current ?? "nothing"}.`, { ref: name, expected, head: current });
      if (next !== null) commitInfo(next);
      if (next === null) sql.exec("DELETE FROM git_refs WHERE repo = ? AND name = ?", repo, name);
      else sql.exec("INSERT INTO git_refs (repo, name, oid) VALUES (?, ?, ?) ON CONFLICT (repo, name) DO UPDATE SET oid = excluded.oid", repo, name, oidToBytes(next));
      const last = one<{ seq: number }>("SELECT seq FROM git_ref_log WHERE repo = ? AND name = ? ORDER BY seq DESC LIMIT 1", repo, name);
      sql.exec(
        "INSERT INTO git_ref_log (repo, name, seq, before, after, kind, actor, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        repo, name, (last?.seq ?? 0) + 1, expected && oidToBytes(expected), next && oidToBytes(next), kind, actor, at,
      );
    },
    refLog: (name, { limit = 50, before = Number.MAX_SAFE_INTEGER } = {}) =>
      sql
        .exec<{ seq: number; before: ArrayBuffer | null; after: ArrayBuffer | null; kind: string; actor: string; at: number }>(
          "SELECT seq, before, after, kind, actor, at FROM git_ref_log WHERE repo = ? AND name = ? AND seq < ? ORDER BY seq DESC LIMIT ?", repo, name, before, limit,
        )
        .toArray()
        .map((row) => ({ ...row, before: row.before && oidFromBytes(row.before), after: row.after && oidFromBytes(row.after) })),
  };
}

function* scanned(rows: SqlCursor<never>): Generator<ScannedObject> {
  for (const row of rows.raw()) {
    const [id, oid, number, size, data] = row as [number, ArrayBuffer, number, number, ArrayBuffer];
    yield { id, key: new Uint8Array(oid), type: typeOfNumber(number), size, deflated: new Uint8Array(data) };
  }
}

function damaged(oid: Oid, what: string): AppError {
  return new AppError("unavailable", `Object ${oid} is damaged in the store: ${what}.`, { oid });
}

/** The content of an object. Throws AppError("unavailable") when the bytes do not inflate to their size. */
export function inflateObject(packed: PackedObject | ScannedObject): Uint8Array {
  const oid = (): Oid => ("oid" in packed ? packed.oid : oidFromBytes(packed.key));
  let data: Uint8Array;
  try {
    const { buffer, byteOffset, byteLength } = inflateSync(packed.deflated, { maxOutputLength: packed.size + 1 });
    data = new Uint8Array(buffer, byteOffset, byteLength);
  } catch (cause) {
    throw new AppError("unavailable", `Object ${oid()} is damaged in the store: it does not inflate.`, { oid: oid() }, { cause });
  }
  if (data.byteLength !== packed.size) throw damaged(oid(), `it holds ${data.byteLength} bytes instead of ${packed.size}`);
  return data;
}

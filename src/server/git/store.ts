// The rows of a repository: objects, refs and the ref log. Knows git's objects and nothing of what stands in them.
// Everything here is synchronous: a commit is one transaction, and a second writer never runs in between.
import { deflateSync } from "node:zlib";
import { openCommitIndex, type CommitIndex } from "./commit-index.ts";
import { damaged, inflateObject } from "./inflate.ts";
import { hashObject, oidFromBytes, oidToBytes, TYPE_NUMBER, typeOfNumber, type ObjectType, type Oid } from "./oid.ts";
import type { OidSet } from "./oid-set.ts";
import { openRefs, type Refs } from "./ref-rows.ts";
import { firstRow, type Sql, type SqlBinding, type SqlCursor, type SqlValue } from "./sql.ts";

export { inflateObject } from "./inflate.ts";
export { createTables } from "./tables.ts";
export type { CommitInfo } from "./commit-index.ts";

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

/** One repository in one database. */
export interface ObjectStore extends CommitIndex, Refs {
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
  /** What the last whole walk from a branch found, for the next one: see reach-kept.ts. */
  readonly kept: { walk: { tip: Oid; objects: OidSet } | null };
}

/** Ids in one statement, which takes 100 parameters in all. */
export const OIDS_A_STATEMENT = 64;

type ObjectRow = { oid: ArrayBuffer; type: number; size: number; data: ArrayBuffer };
/** Opens one repository of a database. `repo` tells several memories of one user apart. */
export function openStore(sql: Sql, repo = 1): ObjectStore {
  const one = <T extends Record<string, SqlValue>>(query: string, ...bindings: SqlBinding[]): T | null =>
    firstRow<T>(sql, query, ...bindings);

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
      repo,
      oidToBytes(oid),
      TYPE_NUMBER[type],
      data.byteLength,
      deflateSync(data),
    );
    return { oid, added: true };
  };
  const write = (type: ObjectType, data: Uint8Array): Oid => put(type, data).oid;

  const commits = openCommitIndex(sql, repo, { read, idOf });
  const refs = openRefs(sql, repo, (oid) => void commits.commitInfo(oid));
  return {
    read,
    readPacked,
    *readPackedMany(oids) {
      const marks = oids.map(() => "?").join();
      for (const row of sql.exec<ObjectRow>(
        `SELECT oid, type, size, data FROM git_objects WHERE repo = ? AND oid IN (${marks})`,
        repo,
        ...oids,
      ))
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
        for (const row of sql.exec<{ oid: ArrayBuffer; type: number }>(
          `SELECT oid, type FROM git_objects WHERE repo = ? AND oid IN (${marks})`,
          repo,
          ...asked,
        ))
          types.set(oidFromBytes(row.oid), typeOfNumber(row.type));
      }
      return types;
    },
    sizeOf: (oid) =>
      one<{ size: number }>("SELECT size FROM git_objects WHERE repo = ? AND oid = ?", repo, oidToBytes(oid))?.size ?? null,
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
    scan: (after, limit) =>
      scanned(
        sql.exec(
          "SELECT id, oid, type, size, data FROM git_objects WHERE id > ? AND +repo = ? ORDER BY id LIMIT ?",
          after,
          repo,
          limit,
        ),
      ),
    scanBack: (before, limit) =>
      scanned(
        sql.exec(
          "SELECT id, oid, type, size, CASE WHEN type = 3 THEN x'' ELSE data END FROM git_objects WHERE id < ? AND +repo = ? ORDER BY id DESC LIMIT ?",
          before,
          repo,
          limit,
        ),
      ),
    kept: { walk: null },
    lastId: () => one<{ id: number | null }>("SELECT max(id) AS id FROM git_objects")?.id ?? 0,
    ...commits,
    ...refs,
  };
}

function* scanned(rows: SqlCursor<never>): Generator<ScannedObject> {
  for (const row of rows.raw()) {
    const [id, oid, number, size, data] = row as [number, ArrayBuffer, number, number, ArrayBuffer];
    yield { id, key: new Uint8Array(oid), type: typeOfNumber(number), size, deflated: new Uint8Array(data) };
  }
}

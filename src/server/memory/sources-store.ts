// The memory's repository and the rows of `sources` as one store, for a clone that takes both. Reads only; main stays the one that is written.
import type { Sql, SqlValue } from "../git/sql.ts";
import { oidFromBytes, typeOfNumber } from "../git/oid.ts";
import type { ObjectStore, ScannedObject } from "../git/store.ts";

type Row = { id: number; oid: ArrayBuffer; type: number; size: number; data: ArrayBuffer } & Record<string, SqlValue>;

/** Main first, then the other rows. `repo` is the number of those. */
export function joinStores(sql: Sql, main: ObjectStore, side: ObjectStore, repo: number): ObjectStore {
  // Read once: one request's walk must not see rows that came later, and rows that go are only skipped.
  let known: number[] | null = null;
  const ids = (): number[] =>
    (known ??= sql
      .exec<{ id: number }>("SELECT id FROM git_objects WHERE repo = ?", repo)
      .toArray()
      .map(({ id }) => id)
      .sort((a, b) => a - b));

  /** Null for a row that is gone, or whose object stands among the main rows too: a pack holds each once. */
  const rowOf = (id: number, content: boolean): ScannedObject | null => {
    const data = content ? "data" : "CASE WHEN type = 3 THEN x'' ELSE data END AS data";
    const row = sql.exec<Row>(`SELECT id, oid, type, size, ${data} FROM git_objects WHERE id = ?`, id).toArray()[0];
    return row && !main.has(oidFromBytes(row.oid))
      ? { id, key: new Uint8Array(row.oid), type: typeOfNumber(row.type), size: row.size, deflated: new Uint8Array(row.data) }
      : null;
  };

  function* merged(
    rows: Iterable<ScannedObject>,
    others: number[],
    limit: number,
    content: boolean,
    precedes: (a: number, b: number) => boolean,
  ): Generator<ScannedObject> {
    let next = 0;
    let count = 0;
    const upTo = function* (bound: number | null): Generator<ScannedObject> {
      for (; next < others.length && (bound === null || precedes(others[next]!, bound)); next++) {
        const row = rowOf(others[next]!, content);
        if (row) yield row;
      }
    };
    for (const row of rows) {
      for (const other of upTo(row.id)) {
        yield other;
        if (++count === limit) return;
      }
      yield row;
      if (++count === limit) return;
    }
    for (const other of upTo(null)) {
      yield other;
      if (++count === limit) return;
    }
  }

  return {
    ...main,
    read: (oid) => main.read(oid) ?? side.read(oid),
    readPacked: (oid) => main.readPacked(oid) ?? side.readPacked(oid),
    *readPackedMany(oids) {
      const found = new Set<string>();
      for (const object of main.readPackedMany(oids)) {
        found.add(object.oid);
        yield object;
      }
      const left = oids.filter((oid) => !found.has(oidFromBytes(oid)));
      if (left.length > 0) yield* side.readPackedMany(left);
    },
    has: (oid) => main.has(oid) || side.has(oid),
    typeOf: (oid) => main.typeOf(oid) ?? side.typeOf(oid),
    typesOf: (oids) => {
      const types = main.typesOf(oids);
      const missing = oids.filter((oid) => (types.get(oid) ?? null) === null);
      for (const [oid, type] of missing.length > 0 ? side.typesOf(missing) : []) types.set(oid, type);
      return types;
    },
    sizeOf: (oid) => main.sizeOf(oid) ?? side.sizeOf(oid),
    commitInfo: (oid) => (main.typeOf(oid) === "commit" ? main : side).commitInfo(oid),
    scan: (after, limit) =>
      merged(
        main.scan(after, limit),
        ids().filter((id) => id > after),
        limit,
        true,
        (a, b) => a < b,
      ),
    scanBack: (before, limit) =>
      merged(
        main.scanBack(before, limit),
        ids()
          .filter((id) => id < before)
          .reverse(),
        limit,
        false,
        (a, b) => a > b,
      ),
  };
}

// Everything that some objects lead to, by one scan over the rows instead of a walk from object to object.
import { AppError } from "../../shared/errors.ts";
import { commitLinks } from "./commit.ts";
import { OidSet } from "./oid-set.ts";
import { oidFromBytes, type ObjectType, type Oid } from "./oid.ts";
import { tagTarget } from "./tag.ts";
import { inflateObject, OIDS_A_STATEMENT, type ObjectStore } from "./store.ts";
import { visitTree } from "./tree.ts";

/** Rows of one statement, between two yields. */
const ROWS_A_SLICE = 500;

/**
 * Collects ids like `reach` does for a client that has nothing. Objects are written after what they refer to, so a scan from the newest row down meets each
 * object after all that refer to it; the few that break this order are looked up one by one afterwards. Yields between slices.
 * Throws AppError("unavailable") on an object that is missing.
 */
export function* reachAll(store: ObjectStore, wants: Iterable<Oid>): Generator<void, OidSet> {
  const found = new OidSet();
  let visited = new Uint8Array(1024);
  const open = (type: ObjectType, data: Uint8Array): void => {
    if (type === "tree") visitTree(data, (offset) => void found.addBytes(data, offset));
    else if (type === "tag") found.add(tagTarget(data));
    else if (type === "commit") {
      const { tree, parents } = commitLinks(data);
      found.add(tree);
      for (const parent of parents) found.add(parent);
    }
  };
  const mark = (index: number): void => {
    if (index >= visited.byteLength) {
      const larger = new Uint8Array(Math.max(visited.byteLength * 2, index + 1));
      larger.set(visited);
      visited = larger;
    }
    visited[index] = 1;
  };

  for (const want of wants) found.add(want);
  let before = Number.MAX_SAFE_INTEGER;
  for (let rows = ROWS_A_SLICE; rows === ROWS_A_SLICE;) {
    rows = 0;
    for (const row of store.scanBack(before, ROWS_A_SLICE)) {
      rows++;
      before = row.id;
      const index = found.indexOfBytes(row.key);
      if (index < 0) continue;
      mark(index);
      if (row.type === null)
        throw new AppError("unavailable", `Object ${oidFromBytes(row.key)} is damaged in the store: its kind is none of git's.`);
      if (row.type !== "blob") open(row.type, inflateObject(row));
    }
    yield;
  }
  // What was written before what it holds, many to a statement: what they lead to stands at the end of the same list.
  for (let next = 0; next < found.size;) {
    const asked: Uint8Array[] = [];
    for (; next < found.size && asked.length < OIDS_A_STATEMENT; next++) if (visited[next] !== 1) asked.push(found.bytesAt(next));
    if (asked.length === 0) break;
    const had = new Set<Oid>();
    for (const object of store.readPackedMany(asked)) {
      had.add(object.oid);
      if (object.type !== "blob") open(object.type, inflateObject(object));
    }
    const missing = asked.map((key) => oidFromBytes(key)).find((oid) => !had.has(oid));
    if (missing) throw new AppError("unavailable", `Object ${missing} is missing from the store.`, { oid: missing });
    yield;
  }
  return found;
}

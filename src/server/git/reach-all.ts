// Everything that some objects lead to, by one scan over the rows instead of a walk from object to object.
import { AppError } from "../../shared/errors.ts";
import { commitLinks } from "./commit.ts";
import { OidSet } from "./oid-set.ts";
import { oidFromBytes, type ObjectType, type Oid } from "./oid.ts";
import { tagTarget } from "./tag.ts";
import { inflateObject, type ObjectStore } from "./store.ts";
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
  for (let i = 0; i < found.size; i++) {
    if (visited[i] === 1) continue;
    const oid = oidFromBytes(found.bytesAt(i));
    const object = store.read(oid);
    if (!object) throw new AppError("unavailable", `Object ${oid} is missing from the store.`, { oid });
    open(object.type, object.data);
    yield;
  }
  return found;
}

// Which objects a set of commits consists of, less what the other side has. In slices: writes go on in between.
import { AppError } from "../../shared/errors.ts";
import { commitLinks } from "./commit.ts";
import { ancestorsUpTo, CommitQueue } from "./log.ts";
import { reachAll } from "./reach-all.ts";
import { OidSet } from "./oid-set.ts";
import { oidFromBytes, type Oid } from "./oid.ts";
import type { GitObject, ObjectStore } from "./store.ts";
import { tagTarget } from "./tag.ts";
import { DIR_MODE, parseTree, visitTree } from "./tree.ts";

/** What to collect. */
export interface ReachRequest {
  /** Commits or annotated tags. */
  wants: Iterable<Oid>;
  /** Commits that the other side has together with their ancestors. */
  haves?: Iterable<Oid>;
  /** Commits whose parents are not followed (the edge of a shallow clone). */
  shallow?: ReadonlySet<Oid>;
  /** Commits at which the other side's own history is cut off today. */
  theirShallow?: ReadonlySet<Oid>;
  /** The wants lead to little of what stands in the rows: to be walked, not scanned. */
  little?: boolean;
}

/**
 * Collects object ids, commits before trees and trees before their files. A generator that yields after each object it has read, so that the
 * caller decides when to make room for others. Throws AppError("unavailable") on an object that is missing.
 * Subtrees that stand in a parent of the other side at the same place are never opened: the cost follows what is new.
 */
export function* reach(store: ObjectStore, request: ReachRequest): Generator<void, OidSet> {
  const found = new OidSet();
  const { shallow = new Set<Oid>(), theirShallow } = request;
  const haves = [...(request.haves ?? [])].filter((oid) => store.typeOf(oid) === "commit");
  if (haves.length === 0 && shallow.size === 0 && !request.little) return yield* reachAll(store, request.wants);
  const wants: Oid[] = [];
  for (let oid of request.wants) {
    let object = readAny(store, oid);
    for (; object.type === "tag"; object = readAny(store, oid)) {
      found.add(oid);
      oid = tagTarget(object.data);
    }
    if (object.type === "commit") wants.push(oid);
    else if (object.type === "blob") found.add(oid);
    else if (found.add(oid)) yield* belowTree(store, found, oid);
  }

  const trees: { tree: Oid; base: Oid | null }[] = [];
  if (haves.length === 0) {
    const pending = wants.filter((oid) => found.add(oid)).reverse();
    for (let oid = pending.pop(); oid !== undefined; oid = pending.pop()) {
      const { tree, parents } = commitLinks(readAny(store, oid, "commit").data);
      trees.push({ tree, base: null });
      if (!shallow.has(oid)) for (const parent of parents) if (found.add(parent)) pending.push(parent);
      yield;
    }
  } else {
    const hidden = ancestorsUpTo(store, haves, theirShallow);
    const queue = new CommitQueue((commit) => commit.generation);
    const queued = new OidSet();
    const push = (oid: Oid): void => {
      if (queued.add(oid)) queue.push(store.commitInfo(oid));
    };
    wants.forEach(push);
    for (let next = queue.pop(); next; next = queue.pop()) {
      if (hidden(next)) continue;
      found.add(next.oid);
      const { tree, parents } = commitLinks(readAny(store, next.oid, "commit").data);
      const followed = shallow.has(next.oid) ? [] : parents;
      const edge = followed.find((parent) => hidden(store.commitInfo(parent)));
      trees.push({ tree, base: edge === undefined ? null : commitLinks(readAny(store, edge, "commit").data).tree });
      followed.forEach(push);
      yield;
    }
  }
  for (const { tree, base } of trees)
    if (base !== null) yield* beyondTree(store, found, tree, base);
    else if (found.add(tree)) yield* belowTree(store, found, tree);
  return found;
}

function readAny(store: ObjectStore, oid: Oid, type?: GitObject["type"]): GitObject {
  const object = store.read(oid);
  if (!object) throw new AppError("unavailable", `Object ${oid} is missing from the store.`, { oid });
  if (type && object.type !== type)
    throw new AppError("unavailable", `Object ${oid} is a ${object.type}, not a ${type}.`, { oid });
  return object;
}

/** Everything below a tree that is not found yet. The tree itself is in the set already. */
function* belowTree(store: ObjectStore, found: OidSet, root: Oid): Generator<void> {
  const pending = [root];
  for (let oid = pending.pop(); oid !== undefined; oid = pending.pop()) {
    const { data } = readAny(store, oid, "tree");
    visitTree(data, (offset, directory) => {
      if (found.addBytes(data, offset) && directory) pending.push(oidFromBytes(data, offset));
    });
    yield;
  }
}

/** The same, less what stands at the same place below another tree. */
function* beyondTree(store: ObjectStore, found: OidSet, tree: Oid, base: Oid): Generator<void> {
  if (tree === base || !found.add(tree)) return;
  const standing = new Map(parseTree(readAny(store, base, "tree").data).map((entry) => [entry.name, entry]));
  for (const entry of parseTree(readAny(store, tree, "tree").data)) {
    const before = standing.get(entry.name);
    if (before?.oid === entry.oid) continue;
    if (entry.mode !== DIR_MODE) found.add(entry.oid);
    else if (before?.mode === DIR_MODE) yield* beyondTree(store, found, entry.oid, before.oid);
    else if (found.add(entry.oid)) yield* belowTree(store, found, entry.oid);
  }
  yield;
}

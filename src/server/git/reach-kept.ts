// Whole walks that remember: a second clone of a branch, or a clone after some saves, looks only at what came since.
import { isAncestor } from "./log.ts";
import type { OidSet } from "./oid-set.ts";
import type { Oid } from "./oid.ts";
import { reach } from "./reach.ts";
import type { ObjectStore } from "./store.ts";

/** Objects of a walk that is kept: four megabytes of ids, and as much again to find them. */
const KEPT_MAX_OBJECTS = 200_000;

/**
 * Collects what `reach` collects for a client that has nothing, where `tip` is the branch that holds nearly everything. A branch that was rewritten
 * does not lead to the kept tip, and is walked anew. The set is not the caller's to change.
 */
export function* reachKept(store: ObjectStore, wants: readonly Oid[], tip: Oid): Generator<void, OidSet> {
  const known = store.kept.walk;
  let objects: OidSet;
  if (known?.tip === tip) objects = known.objects;
  else if (known && store.typeOf(known.tip) === "commit" && isAncestor(store, known.tip, tip))
    objects = union(known.objects, yield* reach(store, { wants: [tip], haves: [known.tip] }));
  else objects = yield* reach(store, { wants: [tip] });
  store.kept.walk = objects.size <= KEPT_MAX_OBJECTS ? { tip, objects } : null;
  const others = wants.filter((oid) => oid !== tip);
  return others.length === 0 ? objects : union(objects, yield* reach(store, { wants: others, little: true }));
}

function union(all: OidSet, more: OidSet): OidSet {
  const joined = all.copy();
  for (let i = 0; i < more.size; i++) joined.addBytes(more.bytesAt(i));
  return joined;
}

// Shallow histories: where a client asks its history to be cut off, and which of its old cuts fall away.
import { AppError } from "../../shared/errors.ts";
import { ancestorsUpTo, readCommit } from "./log.ts";
import type { Oid } from "./oid.ts";
import type { ObjectStore } from "./store.ts";

/** How a client wants its history cut (gitprotocol-pack, "shallow clones"). */
export interface Deepen {
  /** Commits a line, counted from each wanted commit, which is 1. */
  depth?: number;
  /** The depth counts from where the client's history ends now. */
  relative?: boolean;
  /** Only commits since this instant, seconds since 1970. */
  since?: number;
  /** Only commits that these do not reach. */
  not?: Oid[];
}

/** What the client has to write into its list of cuts, and what to strike from it. */
export interface ShallowChange {
  shallow: Oid[];
  unshallow: Oid[];
}

/** What `git fetch --unshallow` sends as depth (INFINITE_DEPTH in git's shallow.h). */
const INFINITE_DEPTH = 0x7fffffff;

/** Works out the cuts. Throws AppError("not-found") when nothing would be left. */
export function deepenHistory(store: ObjectStore, wants: Oid[], theirShallow: ReadonlySet<Oid>, deepen: Deepen): ShallowChange {
  const hidden = deepen.not?.length ? ancestorsUpTo(store, deepen.not) : null;
  const since = (deepen.since ?? Number.NEGATIVE_INFINITY) * 1000;
  const kept = (oid: Oid): boolean => {
    const info = store.commitInfo(oid);
    return info.at >= since && !hidden?.(info);
  };
  // "All of it" needs no walk.
  if (!hidden && deepen.since === undefined && (deepen.depth ?? 0) >= INFINITE_DEPTH)
    return { shallow: [], unshallow: [...theirShallow] };
  let depth = deepen.depth ?? Number.POSITIVE_INFINITY;
  if (deepen.relative && deepen.depth !== undefined) depth += levelOfFirst(store, wants, theirShallow);

  const shallow: Oid[] = [];
  const unshallow: Oid[] = [];
  const seen = new Set<Oid>(wants);
  let level = wants.filter(kept);
  if (level.length === 0) throw new AppError("not-found", "No commit is left of what was asked for.");
  for (let at = 1; level.length > 0; at++) {
    const next: Oid[] = [];
    for (const oid of level) {
      const { parents } = readCommit(store, oid);
      const cut = parents.length > 0 && (at >= depth || parents.some((parent) => !kept(parent)));
      if (cut) shallow.push(oid);
      else if (theirShallow.has(oid)) unshallow.push(oid);
      if (cut) continue;
      for (const parent of parents) {
        if (seen.has(parent)) continue;
        seen.add(parent);
        next.push(parent);
      }
    }
    level = next;
  }
  return { shallow, unshallow };
}

/** The smallest depth at which the client's history is cut today; 0 when it is not. */
function levelOfFirst(store: ObjectStore, wants: Oid[], theirShallow: ReadonlySet<Oid>): number {
  const seen = new Set<Oid>(wants);
  let level = [...wants];
  for (let at = 1; level.length > 0; at++) {
    if (level.some((oid) => theirShallow.has(oid))) return at;
    level = level.flatMap((oid) => readCommit(store, oid).parents).filter((oid) => !seen.has(oid) && seen.add(oid));
  }
  return 0;
}

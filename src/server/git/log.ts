// Walks over history: log, ancestors, merge base, the commit of an instant. Each costs the way it goes, not the length of the history.
import { commitLinks, parseCommit, type Commit } from "./commit.ts";
import { AppError } from "../../shared/errors.ts";
import type { Oid } from "./oid.ts";
import { treeEntry } from "./read.ts";
import type { CommitInfo, ObjectStore } from "./store.ts";

/** A commit of a log. */
export interface LoggedCommit {
  oid: Oid;
  commit: Commit;
}

/** Which commits a log names. */
export interface LogOptions {
  limit?: number;
  /** Only commits that changed this file or folder. */
  path?: string;
  /** Only commits made at or before this instant, ms since 1970. */
  until?: number;
  /** Only first parents. Default false: a merge that was pushed may have its own side first, so this line can leave main. */
  firstParent?: boolean;
  /** Commits that are left out together with all their ancestors. */
  hide?: Oid[];
}

/** Reads a commit. Throws AppError("not-found") when there is none of that id. */
export function readCommit(store: ObjectStore, oid: Oid): Commit {
  const object = store.read(oid);
  if (object?.type !== "commit") throw new AppError("not-found", `There is no commit ${oid}.`, { oid });
  return parseCommit(object.data);
}

/** The parents of a commit. Throws AppError("not-found") when there is none of that id. */
export function parentsOf(store: ObjectStore, oid: Oid): Oid[] {
  const object = store.read(oid);
  if (object?.type !== "commit") throw new AppError("not-found", `There is no commit ${oid}.`, { oid });
  return commitLinks(object.data).parents;
}

/** Newest first by time, then by generation, so that a parent never comes before its child. */
export class CommitQueue {
  readonly #items: CommitInfo[] = [];
  readonly #rank: (commit: CommitInfo) => number;

  constructor(rank: (commit: CommitInfo) => number) {
    this.#rank = rank;
  }

  push(commit: CommitInfo): void {
    const rank = this.#rank(commit);
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#items[middle]!;
      const order = rank - this.#rank(other) || commit.generation - other.generation;
      // Ascending, so that the newest is popped off the end; among equals the first pushed comes out first.
      if (order > 0) low = middle + 1;
      else high = middle;
    }
    this.#items.splice(low, 0, commit);
  }

  pop(): CommitInfo | undefined {
    return this.#items.pop();
  }

  get items(): readonly CommitInfo[] {
    return this.#items;
  }
}

/** The log from a commit, newest first. A generator: take as many as you want; `limit` is for convenience. */
export function* log(store: ObjectStore, from: Oid, options: LogOptions = {}): Generator<LoggedCommit> {
  const { limit = Infinity, path, until = Infinity, firstParent = false, hide = [] } = options;
  if (limit <= 0) return;
  const hidden = hide.length > 0 ? ancestorsUpTo(store, hide) : null;
  const start = firstParent && Number.isFinite(until) ? commitAtTime(store, from, until) : from;
  if (start === null) return;
  const queue = new CommitQueue((commit) => commit.at);
  const seen = new Set<Oid>([start]);
  queue.push(store.commitInfo(start));
  let count = 0;
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { oid } = next;
    if (hidden?.(next)) continue;
    const commit = readCommit(store, oid);
    let parents = firstParent ? commit.parents.slice(0, 1) : commit.parents;
    let shown = commit.committer.at <= until;
    if (path !== undefined) {
      const standing = treeEntry(store, oid, path)?.oid ?? null;
      const same = parents.filter((parent) => (treeEntry(store, parent, path)?.oid ?? null) === standing);
      // As git log simplifies: where a parent has the same content, the change came from there.
      if (same.length > 0) parents = same.slice(0, 1);
      if (same.length > 0 || (parents.length === 0 && standing === null)) shown = false;
    }
    for (const parent of parents) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      queue.push(store.commitInfo(parent));
    }
    if (!shown) continue;
    yield { oid, commit };
    if (++count >= limit) return;
  }
}

/**
 * A test for "is one of the hidden or an ancestor of one", which walks the hidden side only as far as it is asked.
 * `shallow`: commits whose parents do not count (a client that has cut its history there does not have them).
 */
export function ancestorsUpTo(
  store: ObjectStore,
  hide: Iterable<Oid>,
  shallow?: ReadonlySet<Oid>,
): (commit: CommitInfo) => boolean {
  const queue = new CommitQueue((commit) => commit.generation);
  const reached = new Set<Oid>();
  const reach = (oid: Oid): void => {
    if (reached.has(oid)) return;
    reached.add(oid);
    queue.push(store.commitInfo(oid));
  };
  for (const oid of hide) reach(oid);
  return (commit) => {
    while ((queue.items.at(-1)?.generation ?? 0) > commit.generation) {
      const { oid } = queue.pop()!;
      if (!shallow?.has(oid)) parentsOf(store, oid).forEach(reach);
    }
    return reached.has(commit.oid);
  };
}

/** Whether `ancestor` is `commit` or stands before it. */
export function isAncestor(store: ObjectStore, ancestor: Oid, commit: Oid): boolean {
  if (ancestor === commit) return true;
  const wanted = store.commitInfo(ancestor);
  // The first-parent line answers most questions in O(log n); only merges need the walk.
  if (ancestorAtDepth(store, store.commitInfo(commit), wanted.depth)?.oid === ancestor) return true;
  return ancestorsUpTo(store, [commit])(wanted);
}

/** The commit of a depth on the first-parent line of a commit, or null when the line is shorter. */
function ancestorAtDepth(store: ObjectStore, from: CommitInfo, depth: number): CommitInfo | null {
  let at = from;
  while (at.depth > depth) {
    const jump = store.commitInfoById(at.jump!);
    at = jump.depth >= depth ? jump : store.commitInfoById(at.parent!);
  }
  return at.depth === depth ? at : null;
}

/** The best common ancestor, or null when the histories have none. Of several (criss-cross) one of the newest. */
export function mergeBase(store: ObjectStore, a: Oid, b: Oid): Oid | null {
  if (a === b) return a;
  const sides = new Map<Oid, number>();
  const queue = new CommitQueue((commit) => commit.generation);
  const paint = (oid: Oid, side: number): void => {
    const before = sides.get(oid);
    sides.set(oid, (before ?? 0) | side);
    if (before === undefined) queue.push(store.commitInfo(oid));
  };
  paint(a, 1);
  paint(b, 2);
  // Generations fall along every edge, so a commit that comes off the queue has all its paint: the first with both is a best base.
  for (let next = queue.pop(); next; next = queue.pop()) {
    const side = sides.get(next.oid)!;
    if (side === 3) return next.oid;
    for (const parent of parentsOf(store, next.oid)) paint(parent, side);
  }
  return null;
}

/** The last commit on the first-parent line of `head` made at or before an instant (ms since 1970), or null when all are later. */
export function commitAtTime(store: ObjectStore, head: Oid, ms: number): Oid | null {
  let at = store.commitInfo(head);
  while (at.at > ms) {
    if (at.parent === null || at.jump === null) return null;
    const jump = store.commitInfoById(at.jump);
    at = jump.at > ms ? jump : store.commitInfoById(at.parent);
  }
  return at.oid;
}

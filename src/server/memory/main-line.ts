// The main line: which commits the memory has stood at, in order. Out of the ref log, because a merge that was pushed may have its own side first.
import { commitLinks } from "../git/commit.ts";
import { isAncestor } from "../git/log.ts";
import type { Oid } from "../git/oid.ts";
import type { ObjectStore } from "../git/store.ts";
import { MAIN } from "./context.ts";

function parentsOf(store: ObjectStore, oid: Oid): Oid[] {
  const object = store.read(oid);
  return object ? commitLinks(object.data).parents : [];
}

/**
 * The commits behind `from` up to `to`, oldest first. At a merge the way goes through the parent that leads back to `from`,
 * else the first. Null where `from` is no ancestor of `to`.
 */
export function lineBetween(store: ObjectStore, from: Oid | null, to: Oid): Oid[] | null {
  if (from !== null && !isAncestor(store, from, to)) return null;
  const line: Oid[] = [];
  for (let at: Oid | undefined = to; at !== undefined && at !== from;) {
    line.push(at);
    const parents = parentsOf(store, at);
    at = parents.length > 1 && from !== null ? parents.find((parent) => isAncestor(store, from, parent)) : parents[0];
  }
  return line.reverse();
}

/** The whole main line up to the head, oldest first. A move that did not go forward (an erase) starts it anew. */
export function mainLine(store: ObjectStore): Oid[] {
  const moves: { before: Oid | null; after: Oid | null }[] = [];
  for (let before: number | undefined; ;) {
    const page = store.refLog(MAIN, { limit: 1000, ...(before === undefined ? {} : { before }) });
    moves.push(...page);
    if (page.length < 1000) break;
    before = page.at(-1)!.seq;
  }
  let line: Oid[] = [];
  for (const { before, after } of moves.reverse()) {
    if (after === null) {
      line = [];
      continue;
    }
    const more = before !== null && line.at(-1) === before ? lineBetween(store, before, after) : null;
    line = more ? line.concat(more) : (lineBetween(store, null, after) ?? []);
  }
  const head = store.ref(MAIN);
  if (head !== null && line.at(-1) !== head) line = lineBetween(store, null, head) ?? [];
  return line;
}

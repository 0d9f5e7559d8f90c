// The order of a list of which two sides have a version: each new item stands behind the one that it follows on its
// own side, theirs before mine (format.md, Three-way rebase, rule 3).

/** What the weaver has to know of the items. */
export interface WeaveRules<T> {
  /** Whether an item of mine goes behind a new one of theirs that stands where it would be put. */
  behind(item: T, theirs: T): boolean;
  /** Whether an item of the skeleton must stay first, whatever is put at the start. */
  first?(item: T): boolean;
}

/** Whether the old items of a side still stand in base's order. */
function inOrder<T>(side: readonly T[], places: ReadonlyMap<T, number>): boolean {
  let last = -1;
  for (const item of side) {
    const place = places.get(item);
    if (place === undefined) continue;
    if (place < last) return false;
    last = place;
  }
  return true;
}

/** Joins two orders. All three lists hold only what the result holds, each item once. */
export function weave<T>(base: readonly T[], mine: readonly T[], theirs: readonly T[], rules: WeaveRules<T>): T[] {
  if (mine.length === 0) return [...theirs];
  if (theirs.length === 0) return [...mine];
  // Most lists are left alone by both, or changed alike.
  if (mine.length === theirs.length && mine.every((item, at) => item === theirs[at])) return [...theirs];
  const places = new Map(base.map((item, at) => [item, at]));
  // Where only mine has put the old items into another order, that order stands.
  const mineLeads = inOrder(theirs, places) && !inOrder(mine, places);
  const [skeleton, other] = mineLeads ? [mine, theirs] : [theirs, mine];
  const at = new Map(skeleton.map((item, index) => [item, index]));
  const inOther = new Set(other);
  /** New items of the other side, by the index of the skeleton's item that they stand behind; -1 = the start. */
  const put = new Map<number, T[]>();
  let start = -1;
  while (rules.first && start + 1 < skeleton.length && rules.first(skeleton[start + 1] as T)) start += 1;
  let anchor = start;
  let open: T[] | null = null;
  for (const item of other) {
    const own = at.get(item);
    if (own !== undefined) {
      anchor = own;
      open = null;
      continue;
    }
    if (open === null) {
      let place = rules.first?.(item) ? -1 : Math.max(anchor, anchor === -1 ? start : anchor);
      if (!mineLeads) {
        for (;;) {
          const next = skeleton[place + 1];
          if (next === undefined || places.has(next) || inOther.has(next) || !rules.behind(item, next)) break;
          place += 1;
        }
      }
      open = put.get(place) ?? [];
      put.set(place, open);
    }
    open.push(item);
  }
  const result = [...(put.get(-1) ?? [])];
  skeleton.forEach((item, index) => result.push(item, ...(put.get(index) ?? [])));
  return result;
}

// Which entry of one version is which of another: by id, else by normalised text (format.md, Three-way rebase, rule 2).

import type { EntryLine } from "../entry.ts";
import { normalText } from "../normal.ts";

/** An entry with what tells it from others. */
export interface Named {
  path: string;
  section: string | null;
  /** Normalised text of its parent, asked for only where a name stands more than once. */
  parentText(): string | null;
  id: string | undefined;
  entry: EntryLine;
}

const names = new WeakMap<object, string>();

/** The normalised text of an entry, worked out once. */
export function nameOf(entry: Pick<EntryLine, "text" | "meta">): string {
  let name = names.get(entry);
  if (name === undefined) {
    name = normalText(entry.text);
    names.set(entry, name);
  }
  return name;
}

function key(...parts: (string | null | undefined)[]): string {
  return parts.map((part) => (part === null || part === undefined ? "\u0001" : part)).join("\u0000");
}

/** Pairs what has one key, in order, and leaves the rest for the next key. */
function pair(
  before: readonly Named[],
  after: readonly Named[],
  matched: Int32Array,
  free: { before: number[]; after: number[] },
  keyOf: (named: Named) => string,
): void {
  if (free.before.length === 0 || free.after.length === 0) return;
  const waiting = new Map<string, { list: number[]; next: number }>();
  for (const at of free.before) {
    const name = keyOf(before[at] as Named);
    const queue = waiting.get(name);
    if (queue === undefined) waiting.set(name, { list: [at], next: 0 });
    else queue.list.push(at);
  }
  const taken = new Set<number>();
  free.after = free.after.filter((at) => {
    const queue = waiting.get(keyOf(after[at] as Named));
    if (queue === undefined || queue.next === queue.list.length) return true;
    const other = queue.list[queue.next++] as number;
    matched[at] = other;
    taken.add(other);
    return false;
  });
  free.before = free.before.filter((at) => !taken.has(at));
}

/** Pairs ids that stand once on each side: nearly all of them, and the cheapest. */
function pairSingle(before: readonly Named[], after: readonly Named[], matched: Int32Array, free: { before: number[]; after: number[] }): void {
  const single = (list: readonly Named[], indexes: readonly number[]) => {
    const places = new Map<string, number>();
    for (const at of indexes) {
      const id = (list[at] as Named).id as string;
      places.set(id, places.has(id) ? -1 : at);
    }
    return places;
  };
  const [old, now] = [single(before, free.before), single(after, free.after)];
  const taken = new Set<number>();
  free.after = free.after.filter((at) => {
    const id = (after[at] as Named).id as string;
    const other = old.get(id) ?? -1;
    if (other < 0 || now.get(id) !== at) return true;
    matched[at] = other;
    taken.add(other);
    return false;
  });
  free.before = free.before.filter((at) => !taken.has(at));
}

/** For each entry of `after` the index of the same one in `before`, or -1. Both in a fixed order. */
export function matchEntries(before: readonly Named[], after: readonly Named[]): Int32Array {
  const matched = new Int32Array(after.length).fill(-1);
  const withId = (list: readonly Named[]) => list.flatMap((named, at) => (named.id === undefined ? [] : [at]));
  const byId = { before: withId(before), after: withId(after) };
  pairSingle(before, after, matched, byId);
  pair(before, after, matched, byId, (one) => key(one.id, one.path, one.section));
  pair(before, after, matched, byId, (one) => key(one.id, one.path));
  pair(before, after, matched, byId, (one) => key(one.id));
  // An id that was given to a line without one: only a line of `before` that has none can be meant.
  const byText = {
    before: before.flatMap((named, at) => (named.id === undefined ? [at] : [])),
    after: after.flatMap((_, at) => (matched[at] === -1 ? [at] : [])),
  };
  pair(before, after, matched, byText, (one) => key(nameOf(one.entry), one.path, one.section, one.parentText()));
  pair(before, after, matched, byText, (one) => key(nameOf(one.entry), one.path, one.section));
  pair(before, after, matched, byText, (one) => key(nameOf(one.entry), one.path));
  pair(before, after, matched, byText, (one) => key(nameOf(one.entry)));
  return matched;
}

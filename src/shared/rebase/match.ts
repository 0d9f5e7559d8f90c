// Which entry of one version is which of another: by id, else by normalised text (format.md, Three-way rebase, rule 2).

import type { EntryLine } from "../entry.ts";
import { normalText } from "../normal.ts";

/** What tells an entry from others, read from whatever holds it. */
export interface Names<T> {
  entry(one: T): EntryLine;
  path(one: T): string;
  section(one: T): string | null;
  /** Its parent's entry; asked for only where a name stands more than once. */
  parent(one: T): EntryLine | null;
}

/** The normalised text of an entry. */
export function nameOf(entry: Pick<EntryLine, "text">): string {
  return normalText(entry.text);
}

/**
 * Numbers that stand for strings, so that keys of several parts are short. Versions of a file have most of their texts in common: each is
 * normalised once.
 */
export class KnownNames {
  private readonly numbers = new Map<string | null | undefined, number>();
  private readonly names = new Map<string, number>();

  /** The number of a string; equal strings have one number. */
  of(value: string | null | undefined): number {
    let number = this.numbers.get(value);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(value, number);
    }
    return number;
  }

  /** The number of an entry's name. */
  ofName({ text }: Pick<EntryLine, "text">): number {
    let number = this.names.get(text);
    if (number === undefined) {
      number = this.of(normalText(text));
      this.names.set(text, number);
    }
    return number;
  }
}

/** The id of an entry, or undefined. */
export function idOfEntry(entry: Pick<EntryLine, "meta">): string | undefined {
  const { meta } = entry;
  for (let at = meta.length - 1; at >= 0; at -= 1) {
    const pair = meta[at] as readonly [string, string];
    if (pair[0] === "id" && pair[1] !== "") return pair[1];
  }
  return undefined;
}

/** What is left to be matched, as indexes. */
interface Free {
  before: number[];
  after: number[];
}

function settle(free: Free, matched: Int32Array, taken: ReadonlySet<number>): void {
  free.after = free.after.filter((at) => matched[at] === -1);
  free.before = free.before.filter((at) => !taken.has(at));
}

/** For each entry of `after` the index of the same one in `before`, or -1. Both in a fixed order. */
export function matchEntries<T>(
  before: readonly T[],
  after: readonly T[],
  names: Names<T>,
  known: KnownNames = new KnownNames(),
): Int32Array {
  const matched = new Int32Array(after.length).fill(-1);
  /** Pairs what has one key, in order, and leaves the rest for the next key. */
  const pair = (free: Free, keyOf: (one: T) => string): void => {
    if (free.before.length === 0 || free.after.length === 0) return;
    const waiting = new Map<string, { list: number[]; next: number }>();
    for (const at of free.before) {
      const name = keyOf(before[at] as T);
      const queue = waiting.get(name);
      if (queue === undefined) waiting.set(name, { list: [at], next: 0 });
      else queue.list.push(at);
    }
    const taken = new Set<number>();
    for (const at of free.after) {
      const queue = waiting.get(keyOf(after[at] as T));
      if (queue === undefined || queue.next === queue.list.length) continue;
      const other = queue.list[queue.next++] as number;
      matched[at] = other;
      taken.add(other);
    }
    settle(free, matched, taken);
  };
  const idsOf = (list: readonly T[]) => list.map((one) => idOfEntry(names.entry(one)));
  const ids = { before: idsOf(before), after: idsOf(after) };
  const indexes = (list: readonly (string | undefined)[], wanted: boolean): number[] => {
    const found: number[] = [];
    list.forEach((id, at) => {
      if ((id !== undefined) === wanted) found.push(at);
    });
    return found;
  };
  /** Where an id stands, -1 where it stands twice. */
  const single = (list: readonly (string | undefined)[]): Map<string, number> => {
    const places = new Map<string, number>();
    list.forEach((id, at) => {
      if (id !== undefined) places.set(id, places.has(id) ? -1 : at);
    });
    return places;
  };
  // Ids that stand once on each side are nearly all of them, and the cheapest.
  const byId: Free = { before: indexes(ids.before, true), after: indexes(ids.after, true) };
  const [old, now] = [single(ids.before), single(ids.after)];
  const taken = new Set<number>();
  for (const at of byId.after) {
    const id = ids.after[at] as string;
    const other = old.get(id) ?? -1;
    if (other < 0 || now.get(id) !== at) continue;
    matched[at] = other;
    taken.add(other);
  }
  settle(byId, matched, taken);
  const id = (one: T) => known.of(idOfEntry(names.entry(one)));
  const path = (one: T) => known.of(names.path(one));
  const section = (one: T) => known.of(names.section(one));
  pair(byId, (one) => `${id(one)} ${path(one)} ${section(one)}`);
  pair(byId, (one) => `${id(one)} ${path(one)}`);
  pair(byId, (one) => `${id(one)}`);
  // An id that was given to a line without one: only a line of `before` that has none can be meant.
  const byText: Free = { before: indexes(ids.before, false), after: [] };
  matched.forEach((index, at) => {
    if (index === -1) byText.after.push(at);
  });
  const text = (one: T) => known.ofName(names.entry(one));
  const parent = (one: T) => {
    const entry = names.parent(one);
    return entry === null ? "" : known.ofName(entry);
  };
  pair(byText, (one) => `${text(one)} ${path(one)} ${section(one)} ${parent(one)}`);
  pair(byText, (one) => `${text(one)} ${path(one)} ${section(one)}`);
  pair(byText, (one) => `${text(one)} ${path(one)}`);
  pair(byText, (one) => `${text(one)}`);
  return matched;
}

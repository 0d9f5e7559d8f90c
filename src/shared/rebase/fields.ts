// The fields of an entry (its text, each key, each value of source and depends) merged one by one
// (format.md, Three-way rebase, rules 3 and 4).

import { metaValue, metaValues, REPEATABLE_KEYS, setMetaFields, type EntryLine, type Meta } from "../entry.ts";

type Words = Pick<EntryLine, "text" | "meta">;

/** The merged fields, or that two of them clash. */
export type Merged = { clash: false; text: string; meta: Meta } | { clash: true };

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, at) => value === b[at]);
}

function sameMeta(a: Meta, b: Meta): boolean {
  return a.length === b.length && a.every(([key, value], at) => key === b[at]?.[0] && value === b[at]?.[1]);
}

function keysOf(...metas: Meta[]): string[] {
  return [...new Set(metas.flatMap((meta) => meta.map(([key]) => key)))];
}

/** Whether two entries say the same, whatever the order of their keys. `but` is a key that does not count. */
export function sameFields(a: Words, b: Words, but?: string): boolean {
  if (a.text !== b.text) return false;
  if (sameMeta(a.meta, b.meta)) return true;
  return keysOf(a.meta, b.meta).every((key) => key === but || sameList(metaValues(a.meta, key), metaValues(b.meta, key)));
}

/** Values of source or depends: theirs first, then those that mine added; what a side dropped is dropped. */
function joinedValues(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  const dropped = new Set(base.filter((value) => !mine.includes(value)));
  const kept = theirs.filter((value) => !dropped.has(value));
  const added = mine.filter((value, at) => !base.includes(value) && !theirs.includes(value) && mine.indexOf(value) === at);
  return [...kept, ...added];
}

function changedOnce<T>(base: T, mine: T, theirs: T, same: (a: T, b: T) => boolean): { value: T } | null {
  if (same(mine, base) || same(mine, theirs)) return { value: theirs };
  return same(theirs, base) ? { value: mine } : null;
}

/**
 * Merges an entry that both sides hold. `base` is null for one that both added; with `sameFact` their spellings, ids
 * and days may differ, and theirs count.
 */
export function mergeFields(base: Words | null, mine: Words, theirs: Words, sameFact = false): Merged {
  const from: Words = base ?? { text: "", meta: [] };
  const same = (a: string, b: string) => a === b;
  const text = sameFact
    ? { value: theirs.text }
    : base === null
      ? equalOrNull(mine.text, theirs.text)
      : changedOnce(from.text, mine.text, theirs.text, same);
  if (text === null) return { clash: true };
  if (base !== null && sameMeta(mine.meta, base.meta)) return { clash: false, text: text.value, meta: theirs.meta };
  if (sameMeta(mine.meta, theirs.meta)) return { clash: false, text: text.value, meta: theirs.meta };
  if (base !== null && sameMeta(theirs.meta, base.meta)) return { clash: false, text: text.value, meta: mine.meta };
  const fields: Record<string, readonly string[] | null> = {};
  for (const key of keysOf(theirs.meta, mine.meta, from.meta)) {
    const [inBase, inMine, inTheirs] = [from.meta, mine.meta, theirs.meta].map((meta) => metaValues(meta, key)) as [
      string[],
      string[],
      string[],
    ];
    let values: string[];
    if (REPEATABLE_KEYS.has(key)) {
      values = joinedValues(inBase, inMine, inTheirs);
    } else if (inTheirs.length > 0 && (key === "id" ? inBase.length === 0 : key === "added" && sameFact)) {
      values = inTheirs; // of two ids given to one line theirs counts, of two days of one fact as well
    } else {
      const once = changedOnce(inBase, inMine, inTheirs, sameList);
      if (once === null) return { clash: true };
      values = once.value;
    }
    if (!sameList(values, inTheirs)) fields[key] = values.length > 0 ? values : null;
  }
  return { clash: false, text: text.value, meta: setMetaFields(theirs.meta, fields) };
}

function equalOrNull(a: string, b: string): { value: string } | null {
  return a === b ? { value: a } : null;
}

/** Points values of `replaces` and `depends` at the ids that took the place of those that a join dropped. */
export function renameIds(meta: Meta, renamed: ReadonlyMap<string, string>): Meta {
  if (renamed.size === 0) return meta;
  let result = meta;
  for (const key of ["replaces", "depends"]) {
    const values = metaValues(meta, key);
    if (values.some((value) => renamed.has(value))) {
      result = setMetaFields(result, { [key]: [...new Set(values.map((value) => renamed.get(value) ?? value))] });
    }
  }
  return result;
}

/** Whether a line of the list of forgotten facts is a tombstone. */
export function isTombstone(meta: Meta): boolean {
  return metaValue(meta, "removed") !== undefined;
}

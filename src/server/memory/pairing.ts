// Which line is which: pairs the entries of two states of some files, as the format names them. Pure.

/** What an entry is known by. `name` is that of its normalised text. */
export interface Named {
  path: string;
  section: string | null;
  id: string | null;
  name: number;
}

/** Pairs of the new state with the old one, and what of the old one is gone. */
export interface Paired<Old, New> {
  pairs: Map<New, Old>;
  gone: Set<Old>;
}

const KEYS = [
  (entry: Named) => `${entry.name}\n${entry.path}\n${entry.section ?? "\n"}`,
  (entry: Named) => `${entry.name}\n${entry.path}`,
  (entry: Named) => String(entry.name),
];

/** Pairs by id; what has none on one side by text: in its own section first, then in its file, then anywhere; equal texts in their order. */
export function pairEntries<Old extends Named, New extends Named>(
  before: readonly Old[],
  after: readonly New[],
): Paired<Old, New> {
  const pairs = new Map<New, Old>();
  const gone = new Set(before);
  const match = (line: New, old: Old) => {
    pairs.set(line, old);
    gone.delete(old);
  };
  const byId = new Map<string, Old>();
  for (const old of before) if (old.id !== null && !byId.has(old.id)) byId.set(old.id, old);
  for (const line of after) {
    const old = line.id === null ? undefined : byId.get(line.id);
    if (old && gone.has(old)) match(line, old);
  }
  for (const key of KEYS) {
    if (gone.size === 0 || pairs.size === after.length) break;
    const left = new Map<string, Old[]>();
    for (const old of before) {
      if (!gone.has(old)) continue;
      const list = left.get(key(old));
      if (list) list.push(old);
      else left.set(key(old), [old]);
    }
    for (const line of after) {
      if (pairs.has(line)) continue;
      const list = left.get(key(line));
      // Two different ids are two entries, whatever they say.
      const at = list?.findIndex((old) => old.id === null || line.id === null) ?? -1;
      if (list && at >= 0) match(line, list.splice(at, 1)[0]!);
    }
  }
  return { pairs, gone };
}

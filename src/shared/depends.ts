// Owns which entries may be out of date because something that they depend on has ended (format, key `depends`; cleared by `checked`).
import { dateOf, firstDay, intervalOf, isDay, stateOf } from "./clock.ts";
import { type Meta, metaValue, metaValues } from "./entry.ts";

/** An entry of the memory. `file` is its path. */
export interface DependingEntry {
  name: string;
  text: string;
  meta: Meta;
  file: string;
}

/** Something that ended: on which day, and its text where it may still be read. */
export interface Ended {
  day: string;
  text: string | null;
}

/** A file or an entry that a `depends` names. `resolveLink` finds the path of a `[[link]]`, null where it is broken. */
export interface DependsContext {
  today: string;
  /** Ids that were forgotten, with the day. */
  forgotten?: ReadonlyMap<string, string>;
  resolveLink?: (link: string) => string | null;
}

const LINK = /^\[\[([^[\]]+)\]\]$/;

function endedOn(meta: Meta, today: string): string | null {
  if (stateOf(meta, today) !== "closed") return null;
  const closed = metaValue(meta, "closed");
  return isDay(closed) ? closed : (intervalOf(meta)?.end ?? dateOf(meta, "added") ?? "0001-01-01");
}

/**
 * The entries to be checked, by name, each with what it depends on that has ended since it was said or checked. Followed through
 * entries that depend on each other, circles included. A file has ended when none of its entries is open, upcoming or past.
 */
export function entriesToCheck(entries: readonly DependingEntry[], context: DependsContext): Map<string, Ended[]> {
  const { today, forgotten = new Map(), resolveLink = () => null } = context;
  const byId = new Map<string, DependingEntry>();
  const byFile = new Map<string, DependingEntry[]>();
  for (const entry of entries) {
    const id = metaValue(entry.meta, "id");
    if (id !== undefined) byId.set(id, entry);
    const list = byFile.get(entry.file);
    if (list) list.push(entry);
    else byFile.set(entry.file, [entry]);
  }
  const fileEnded = (file: string): string | null => {
    const days = (byFile.get(file) ?? [])
      .filter(({ meta }) => stateOf(meta, today) !== "removed")
      .map(({ meta }) => endedOn(meta, today));
    if (days.length === 0 || days.includes(null)) return null;
    return (days as string[]).toSorted().at(-1)!;
  };

  const result = new Map<string, Ended[]>();
  const live = entries.filter(
    ({ meta }) => ["open", "upcoming", "past"].includes(stateOf(meta, today)) && metaValue(meta, "depends") !== undefined,
  );
  for (const entry of live) {
    // What was said or confirmed after the end knew of it.
    const knew = (day: string): boolean => {
      const checked = firstDay(metaValue(entry.meta, "checked"));
      const added = firstDay(metaValue(entry.meta, "added"));
      return (checked !== null && checked >= day) || (added !== null && added > day);
    };
    const ended = new Map<string, Ended>();
    const seen = new Set<string>();
    const waiting = [...metaValues(entry.meta, "depends")];
    while (waiting.length > 0) {
      const value = waiting.pop()!.trim();
      if (seen.has(value)) continue;
      seen.add(value);
      const link = LINK.exec(value);
      if (link) {
        const file = resolveLink(link[1]!);
        const day = file === null ? null : fileEnded(file);
        if (day !== null && !knew(day)) ended.set(value, { day, text: value });
        continue;
      }
      const lost = forgotten.get(value);
      if (lost !== undefined && !knew(lost)) ended.set(value, { day: lost, text: null });
      const target = byId.get(value);
      if (!target) continue;
      const day = endedOn(target.meta, today);
      if (day !== null && !knew(day)) ended.set(value, { day, text: target.text });
      waiting.push(...metaValues(target.meta, "depends"));
    }
    if (ended.size > 0) result.set(entry.name, [...ended.values()]);
  }
  return result;
}

// One entry as a row of the projection: which columns a line has. Pure.
import { createHash } from "node:crypto";
import { dateOf, endOfPeriod, firstDay } from "../../shared/clock.ts";
import { metaValue, metaValues, type Meta } from "../../shared/entry.ts";
import { normalText } from "../../shared/normal.ts";

/** The columns of a version, without its place in time. */
export interface EntryColumns {
  path: string;
  id: string | null;
  name: number;
  section: string | null;
  text: string;
  meta: string;
  since: string | null;
  until: string | null;
  closed: string | null;
  wrong: number;
  begins: string | null;
  ends: string | null;
  removed: number;
  slot: string | null;
  scope: string | null;
  pin: number;
  linked: number;
  held: number;
}

export const VERSION_COLUMNS = [
  "path",
  "id",
  "name",
  "section",
  "text",
  "meta",
  "since",
  "until",
  "closed",
  "wrong",
  "begins",
  "ends",
  "removed",
  "slot",
  "scope",
  "pin",
  "linked",
  "held",
] as const satisfies readonly (keyof EntryColumns)[];

/** A text's name for comparison as a number of 48 bits: short enough for an index, long enough that two texts do not share one. */
export function nameKey(text: string): number {
  return createHash("sha1").update(normalText(text)).digest().readUIntBE(0, 6);
}

const names = new WeakMap<object, { text: string; name: number }>();

/** The same for an entry of a parsed file: worked out once, however often the file is compared. */
export function nameOfEntry(entry: { text: string }): number {
  const known = names.get(entry);
  if (known?.text === entry.text) return known.name;
  const name = nameKey(entry.text);
  names.set(entry, { text: entry.text, name });
  return name;
}

/** Takes over the names of the entries of an older version that say the same: a file of a thousand lines in which one changed costs one name. */
export function inheritNames(
  older: { entries: readonly { text: string }[] },
  newer: { entries: readonly { text: string }[] },
): void {
  const known = new Map<string, { text: string; name: number }>();
  for (const entry of older.entries) {
    const name = names.get(entry);
    if (name) known.set(entry.text, name);
  }
  if (known.size === 0) return;
  for (const entry of newer.entries) {
    const name = known.get(entry.text);
    if (name) names.set(entry, name);
  }
}

function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

/** The columns of a line. */
export function columnsOf(path: string, entry: { text: string; meta: Meta; section: string | null }): EntryColumns {
  const { text, meta, section } = entry;
  const value = (key: string) => metaValue(meta, key);
  const closed = value("closed");
  const since = firstDay(dateOf(meta, "since"));
  return {
    path,
    id: value("id") ?? null,
    name: nameOfEntry(entry),
    section,
    text,
    meta: JSON.stringify(meta),
    since,
    until: firstDay(dateOf(meta, "until")),
    closed: closed === undefined ? null : (firstDay(closed) ?? since ?? "0001-01-01"),
    wrong: value("why") === "wrong" ? 1 : 0,
    begins: firstDay(dateOf(meta, "on")),
    ends: earlier(endOfPeriod(dateOf(meta, "on")), endOfPeriod(dateOf(meta, "expires"))),
    removed: value("removed") === undefined ? 0 : 1,
    slot: value("slot")?.trim().toLowerCase() || null,
    scope: value("scope")?.trim().toLowerCase() || null,
    pin: value("pin") === "yes" ? 1 : 0,
    linked: text.includes("[[") ? 1 : 0,
    held: 0,
  };
}

/** What a row refers to: the targets of `depends`, and behind a `>` the entry that it replaces. */
export function refersTo(meta: Meta): string[] {
  const replaced = metaValue(meta, "replaces");
  return replaced === undefined || metaValue(meta, "removed") !== undefined
    ? dependsOf(meta)
    : [...dependsOf(meta), `>${replaced}`];
}

/** Targets of `depends`: ids, and paths without their brackets. */
export function dependsOf(meta: Meta): string[] {
  return metaValues(meta, "depends").map((value) =>
    value.trim().replace(/^\[\[(.*)\]\]$/, (_, inside: string) => inside.split(/[#|]/, 1)[0]!.trim()),
  );
}

/** SQL that is true for rows in a state on a day. `day` is bound as often as it stands in it. */
export const STATE_SQL = {
  removed: { sql: "removed = 1", days: 0 },
  closed: { sql: "removed = 0 AND (wrong = 1 OR until <= ? OR (until IS NULL AND closed IS NOT NULL))", days: 1 },
  upcoming: {
    sql: "removed = 0 AND wrong = 0 AND NOT COALESCE(until <= ?, closed IS NOT NULL) AND (since > ? OR begins > ?)",
    days: 3,
  },
  past: {
    sql: "removed = 0 AND wrong = 0 AND NOT COALESCE(until <= ?, closed IS NOT NULL) AND COALESCE(since <= ?, 1) AND COALESCE(begins <= ?, 1) AND ends <= ?",
    days: 4,
  },
  open: {
    sql: "removed = 0 AND wrong = 0 AND NOT COALESCE(until <= ?, closed IS NOT NULL) AND COALESCE(since <= ?, 1) AND COALESCE(begins <= ?, 1) AND COALESCE(ends > ?, 1)",
    days: 4,
  },
} as const;

/** SQL that is true for rows that held on a day (valid time). */
export const AS_OF_SQL = {
  sql: "removed = 0 AND wrong = 0 AND COALESCE(since <= ?, 1) AND COALESCE(until > ?, closed > ?, 1)",
  days: 3,
} as const;

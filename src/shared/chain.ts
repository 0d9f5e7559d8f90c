// Owns the one line in which a reader sees an entry with its dates, what was before and what comes next (format, Two clocks).
import { compareDates, dateOf, firstDay, intervalOf, stateOf } from "./clock.ts";
import { type Meta, metaValue } from "./entry.ts";

/** An entry as far as its line needs it. */
export interface ChainEntry {
  text: string;
  meta: Meta;
}

/** What stands around an entry: earlier values, the latest first; the next value; what it depends on and may have changed. */
export interface ChainContext {
  before?: readonly ChainEntry[];
  next?: ChainEntry | null;
  outOfDate?: readonly string[];
}

/** Earlier values that a line names; more would push other facts out of a prompt. */
export const CHAIN_MAX_BEFORE = 2;

const slotKey = (meta: Meta): string | null => {
  const slot = (metaValue(meta, "slot") ?? "").trim().toLowerCase();
  return slot === "" ? null : `${slot} ${(metaValue(meta, "scope") ?? "").trim().toLowerCase()}`;
};
const isLive = ({ meta }: ChainEntry): boolean => intervalOf(meta) !== null;
const startOf = ({ meta }: ChainEntry): string => firstDay(dateOf(meta, "since")) ?? "";

/**
 * What came before an entry and what comes next, among all entries of its subject: by its slot's timeline, or where it fills no
 * slot by `replaces`. Values that were wrong are left out.
 */
export function neighboursOf<T extends ChainEntry>(entry: T, entries: readonly T[]): { before: T[]; next: T | null } {
  const key = slotKey(entry.meta);
  if (key !== null) {
    const others = entries.filter((one) => one !== entry && isLive(one) && slotKey(one.meta) === key);
    const before = others.filter((one) => startOf(one) < startOf(entry)).toSorted((a, b) => (startOf(a) > startOf(b) ? -1 : 1));
    const after = others.filter((one) => startOf(one) > startOf(entry)).toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1));
    return { before, next: after[0] ?? null };
  }
  const byId = new Map(entries.map((one) => [metaValue(one.meta, "id"), one]));
  const before: T[] = [];
  const seen = new Set<T>([entry]);
  for (
    let at = byId.get(metaValue(entry.meta, "replaces") ?? "");
    at && !seen.has(at);
    at = byId.get(metaValue(at.meta, "replaces") ?? "")
  ) {
    seen.add(at);
    if (isLive(at)) before.push(at);
  }
  const id = metaValue(entry.meta, "id");
  const next = id === undefined ? undefined : entries.find((one) => isLive(one) && metaValue(one.meta, "replaces") === id);
  return { before, next: next ?? null };
}

// `2025-01 to 2026-03`, `until 2026-03`, `since 2025-01`; "" where nothing is known.
function spanText(meta: Meta): string {
  const since = dateOf(meta, "since");
  const until = dateOf(meta, "until") ?? dateOf(meta, "closed");
  if (since !== undefined && until !== undefined) return `${since} to ${until}`;
  return until !== undefined ? `until ${until}` : since !== undefined ? `since ${since}` : "";
}

const withSpan = ({ text, meta }: ChainEntry): string => [text, spanText(meta)].filter((part) => part !== "").join(", ");

function ownDates({ meta }: ChainEntry, today: string): string[] {
  const state = stateOf(meta, today);
  if (metaValue(meta, "why") === "wrong") return ["was never true"];
  const [since, until, on, expires] = ["since", "until", "on", "expires"].map((key) => dateOf(meta, key));
  const parts: string[] = [];
  if (state === "closed") {
    const span = spanText(meta);
    parts.push(span === "" ? "no longer true" : `${span}, no longer true`);
  } else {
    if (since !== undefined) parts.push(`${firstDay(since)! > today ? "from" : "since"} ${since}`);
    if (until !== undefined) parts.push(`until ${until}`);
  }
  if (on !== undefined)
    parts.push(state === "past" || (state === "closed" && compareDates(on, today) < 0) ? `was on ${on}` : `on ${on}`);
  if (expires !== undefined) parts.push(`${state === "past" && on === undefined ? "expired" : "expires"} ${expires}`);
  return parts;
}

/** The line: `Lives in Paris (since 2026-03; before: Lives in London, 2025-01 to 2026-03)`. Without anything to add, the text alone. */
export function chainLine(entry: ChainEntry, context: ChainContext, today: string): string {
  const parts = ownDates(entry, today);
  (context.before ?? []).slice(0, CHAIN_MAX_BEFORE).forEach((earlier, at) => {
    parts.push(`${at === 0 ? "before" : "before that"}: ${withSpan(earlier)}`);
  });
  if (context.next) {
    const { text, meta } = context.next;
    const since = dateOf(meta, "since");
    parts.push(
      `${since !== undefined && firstDay(since)! > today ? "next" : "then"}: ${text}${since === undefined ? "" : `, from ${since}`}`,
    );
  }
  const outOfDate = context.outOfDate ?? [];
  if (outOfDate.length > 0) parts.push(`may be out of date: ${outOfDate.join(", ")}`);
  return parts.length === 0 ? entry.text : `${entry.text} (${parts.join("; ")})`;
}

/** The line of an entry among all entries of its subject. */
export function chainAmong<T extends ChainEntry>(
  entry: T,
  entries: readonly T[],
  today: string,
  outOfDate: readonly string[] = [],
): string {
  return chainLine(entry, { ...neighboursOf(entry, entries), outOfDate }, today);
}

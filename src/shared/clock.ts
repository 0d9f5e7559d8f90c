// Owns the dates of an entry and what they say about it on a day (format, State and Two clocks). Days are YYYY-MM-DD, compared as text.
import { type Meta, metaValue } from "./entry.ts";
import type { Refusal } from "./errors.ts";

/** The states of the format. */
export type State = "open" | "upcoming" | "past" | "closed" | "removed";

const PARTIAL_DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

function daysOf(year: number, month: number): number {
  return month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

interface DateParts {
  year: number;
  month: number | null;
  day: number | null;
}

function partsOfDate(date: string | undefined | null): DateParts | null {
  const found = PARTIAL_DATE.exec(date ?? "");
  if (!found) return null;
  const year = Number(found[1]);
  const month = found[2] === undefined ? null : Number(found[2]);
  const day = found[3] === undefined ? null : Number(found[3]);
  if (year < 1 || (month !== null && (month < 1 || month > 12))) return null;
  if (day !== null && (day < 1 || day > daysOf(year, month!))) return null;
  return { year, month, day };
}

const dayText = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

/** Whether it is `YYYY`, `YYYY-MM` or `YYYY-MM-DD` and stands on the calendar. */
export function isPartialDate(date: unknown): date is string {
  return typeof date === "string" && partsOfDate(date) !== null;
}

/** Whether it is a day on the calendar, `YYYY-MM-DD`. */
export function isDay(date: unknown): date is string {
  return typeof date === "string" && date.length === 10 && partsOfDate(date) !== null;
}

/** The day that a partial date stands for: its first. Null where there is no such date. */
export function firstDay(date: string | undefined | null): string | null {
  const parts = partsOfDate(date);
  return parts && dayText(parts.year, parts.month ?? 1, parts.day ?? 1);
}

/** The first day after the day, month or year of a date. Null where there is no such date. */
export function endOfPeriod(date: string | undefined | null): string | null {
  const parts = partsOfDate(date);
  if (!parts) return null;
  const { year, month, day } = parts;
  if (month === null) return dayText(year + 1, 1, 1);
  if (day !== null && day < daysOf(year, month)) return dayText(year, month, day + 1);
  return month === 12 ? dayText(year + 1, 1, 1) : dayText(year, month + 1, 1);
}

/** The day `count` days after `day` (before, where it is negative). */
export function addDays(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + count);
  return dayText(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

/** Negative, zero or positive, as the first day of `a` lies before, on or after that of `b`. Dates that do not exist come first. */
export function compareDates(a: string | undefined | null, b: string | undefined | null): number {
  const [dayA, dayB] = [firstDay(a) ?? "", firstDay(b) ?? ""];
  return dayA < dayB ? -1 : dayA > dayB ? 1 : 0;
}

/** The last value of a key as a date; undefined where there is none or it is no date. */
export function dateOf(meta: Meta, key: string): string | undefined {
  const value = metaValue(meta, key);
  return isPartialDate(value) ? value : undefined;
}

/** The state of an entry on `today` (format, State). Values that are no dates count as missing. */
export function stateOf(meta: Meta, today: string): State {
  if (metaValue(meta, "removed") !== undefined) return "removed";
  if (metaValue(meta, "why") === "wrong") return "closed";
  const until = firstDay(dateOf(meta, "until"));
  if (until !== null ? until <= today : metaValue(meta, "closed") !== undefined) return "closed";
  const on = dateOf(meta, "on");
  if ([dateOf(meta, "since"), on].some((date) => date !== undefined && firstDay(date)! > today)) return "upcoming";
  const over = [on, dateOf(meta, "expires")].some((date) => date !== undefined && endOfPeriod(date)! <= today);
  return over ? "past" : "open";
}

/** The interval of an entry in valid time: from `start` (null: some unknown time) up to and without `end` (null: open). Null where it was never true. */
export function intervalOf(meta: Meta): { start: string | null; end: string | null } | null {
  if (metaValue(meta, "removed") !== undefined || metaValue(meta, "why") === "wrong") return null;
  const start = firstDay(dateOf(meta, "since"));
  const closed = metaValue(meta, "closed");
  const end = firstDay(dateOf(meta, "until")) ?? (closed === undefined ? null : (firstDay(closed) ?? start ?? "0001-01-01"));
  // Other hands can write an end before the start: it was true on no day.
  return { start, end: start !== null && end !== null && end < start ? start : end };
}

/** Whether an entry was true on a date of valid time; a partial date stands for its first day (format, As of). */
export function trueOn(meta: Meta, date: string): boolean {
  const interval = intervalOf(meta);
  const day = firstDay(date);
  if (interval === null || day === null) return false;
  return (interval.start === null || interval.start <= day) && (interval.end === null || day < interval.end);
}

/** A refusal as a tagged result. */
export interface Refused {
  kind: "refused";
  refusal: Refusal;
}

/** A refusal with the code `bad-format` or another of the design. */
export function refused(code: Refusal["code"], message: string, details?: Record<string, unknown>): Refused {
  return { kind: "refused", refusal: details ? { code, message, details } : { code, message } };
}

const PARTIAL_KEYS = ["since", "until", "on", "expires"] as const;
const DAY_KEYS = ["added", "closed", "checked", "removed"] as const;

/** Refuses dates that do not exist, and a `since` after its `until`. Null where all is well. */
export function checkDates(meta: Meta): Refused | null {
  for (const [key, value] of meta) {
    const partial = (PARTIAL_KEYS as readonly string[]).includes(key);
    if (partial ? isPartialDate(value) : !(DAY_KEYS as readonly string[]).includes(key) || isDay(value)) continue;
    const form = partial ? "Write 2026, 2026-03 or 2026-03-14." : "Write a day like 2026-03-14.";
    return refused("bad-format", `There is no date "${value}" (${key}). ${form}`, { key, value });
  }
  const [since, until] = [dateOf(meta, "since"), dateOf(meta, "until")];
  if (since !== undefined && until !== undefined && compareDates(since, until) > 0) {
    return refused(
      "bad-format",
      `It cannot be true since ${since} and until ${until}: the end comes first. Swap them or leave one out.`,
      { since, until },
    );
  }
  return null;
}

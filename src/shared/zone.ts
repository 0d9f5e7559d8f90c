// Owns the user's calendar: which day and which time an instant is in a time zone. Knows no clock: the instant always comes in.
import { AppError } from "./errors.ts";

/** A moment: a Date, milliseconds since 1970, or an ISO string with an offset. */
export type Instant = Date | number | string;

/** What the clock on the user's wall shows. Months count from 1, weekdays from 0 = Sunday. */
export interface WallClock {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  weekday: number;
}

const DAY_MS = 86_400_000;
const ZONE_NAME_MAX_CHARS = 64;

// A formatter costs some 50 µs to make and 2 µs to use; a server sees few zones, but a hostile client could send many.
const FORMATTERS_MAX = 200;
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  if (typeof zone !== "string" || zone === "" || zone.length > ZONE_NAME_MAX_CHARS) throw badZone(zone);
  let made: Intl.DateTimeFormat;
  try {
    made = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      era: "narrow",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch (cause) {
    throw badZone(zone, cause);
  }
  if (formatters.size >= FORMATTERS_MAX) formatters.clear();
  formatters.set(zone, made);
  return made;
}

function badZone(zone: unknown, cause?: unknown): AppError {
  return new AppError("bad-format", "That is not the name of a time zone. Use one like Europe/Lisbon.", { zone }, { cause });
}

/** Whether `zone` is a time zone that this runtime knows (`Europe/Lisbon`, `UTC`). */
export function isZone(zone: unknown): zone is string {
  if (typeof zone !== "string") return false;
  try {
    formatterOf(zone);
    return true;
  } catch {
    return false;
  }
}

function millisecondsOf(instant: Instant): number {
  const ms = typeof instant === "string" ? Date.parse(instant) : Number(instant);
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15) {
    throw new AppError("bad-format", "That is not a moment in time.", { instant: String(instant) });
  }
  return ms;
}

/** What the clock shows in `zone` at `instant`. Throws `bad-format` for a zone or an instant that does not exist. */
export function wallClock(instant: Instant, zone: string): WallClock {
  const ms = millisecondsOf(instant);
  const field: Record<string, number> = {};
  let beforeChrist = false;
  for (const { type, value } of formatterOf(zone).formatToParts(ms)) {
    if (type === "era") beforeChrist = value === "B";
    else if (type !== "literal") field[type] = Number(value);
  }
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = field;
  const isoYear = beforeChrist ? 1 - year : year;
  const weekday = new Date(utc(isoYear, month, day, 0)).getUTCDay();
  return { year: isoYear, month, day, hour, minute, second, weekday };
}

// Date.UTC reads years 0 to 99 as 1900 to 1999.
function utc(year: number, month: number, day: number, hour: number, minute = 0, second = 0): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  return date.getTime();
}

const two = (n: number): string => String(n).padStart(2, "0");

/** The day on the calendar of `zone` as `YYYY-MM-DD`. Throws `bad-format` for a zone or an instant that does not exist. */
export function dayIn(instant: Instant, zone: string): string {
  const { year, month, day } = wallClock(instant, zone);
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

function offsetMs(ms: number, zone: string): number {
  const { year, month, day, hour, minute, second } = wallClock(ms, zone);
  const whole = Math.floor(ms / 1000) * 1000;
  return utc(year, month, day, hour, minute, second) - whole;
}

// The first instant of that local day at which the clock shows `hour` or later; null where the zone skipped the day (Samoa, 30 December 2011).
function hourOnDay(year: number, month: number, day: number, hour: number, zone: string): number | null {
  const wall = utc(year, month, day, hour);
  const before = offsetMs(wall - DAY_MS, zone);
  const after = offsetMs(wall + DAY_MS, zone);
  const first = wall - before;
  if (before === after || offsetMs(first, zone) === before) return first;
  const second = wall - after;
  if (offsetMs(second, zone) === after) return second;
  // The hour falls into a gap: the clock jumps over it, and the jump is the moment that stands for it.
  let low = wall - DAY_MS * 2;
  let high = wall + DAY_MS * 2;
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (offsetMs(middle, zone) === before) low = middle;
    else high = middle;
  }
  const shown = wallClock(high, zone);
  return shown.year === year && shown.month === month && shown.day === day ? high : null;
}

/**
 * The next instant (milliseconds) after `instant` at which a daily job for HH:00 is due in `zone`: the first moment of a local day
 * at which the clock shows that hour or later. So it comes once a day: where the clock shows HH:00 twice the first counts, and
 * where it jumps over HH:00 the jump does.
 */
export function nextLocalTime(instant: Instant, zone: string, hour: number): number {
  const ms = millisecondsOf(instant);
  if (!Number.isInteger(hour) || hour < 0 || hour > 23) {
    throw new AppError("bad-format", "An hour is a whole number from 0 to 23.", { hour });
  }
  const { year, month, day } = wallClock(ms, zone);
  for (let ahead = 0; ahead <= 3; ahead++) {
    const date = new Date(utc(year, month, day + ahead, 0));
    const due = hourOnDay(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), hour, zone);
    if (due !== null && due > ms) return due;
  }
  throw new AppError("bad-format", "No such hour comes in the next days.", { zone, hour });
}

/** The instant (milliseconds) at which the next day begins in `zone`. */
export function midnightAfter(instant: Instant, zone: string): number {
  return nextLocalTime(instant, zone, 0);
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** The local time in words, for a prompt: `Monday, 5 October 2026, 21:04 (Europe/Lisbon)`. */
export function localTimeText(instant: Instant, zone: string): string {
  const { year, month, day, hour, minute, weekday } = wallClock(instant, zone);
  return `${WEEKDAYS[weekday]}, ${day} ${MONTHS[month - 1]} ${year}, ${two(hour)}:${two(minute)} (${zone})`;
}

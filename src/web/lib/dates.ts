// Dates as the app shows them: as exactly as they are known, days as people name them. The browser's clock and zone come in here only.

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MONTHS_LONG = [
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
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const DAYS_LONG = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const DAY_MS = 86_400_000;

const two = (n: number): string => String(n).padStart(2, "0");

/** A partial date of the format: `2026`, `Sep 2026`, `14 Sep 2026`. What is none of these stays as it is. */
export function partial(value: string): string {
  const match = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(value);
  const month = match?.[2] === undefined ? undefined : MONTHS[Number(match[2]) - 1];
  if (!match || (match[2] !== undefined && month === undefined)) return value;
  if (match[3] !== undefined) return `${Number(match[3])} ${month} ${match[1]}`;
  return month === undefined ? (match[1] as string) : `${month} ${match[1]}`;
}

/** The same in full, for sentences: `September 2026`, `14 September 2026`. */
export function partialLong(value: string): string {
  const match = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(value);
  const month = match ? MONTHS_LONG[Number(match[2]) - 1] : undefined;
  if (!match || month === undefined) return value;
  return match[3] === undefined ? `${month} ${match[1]}` : `${Number(match[3])} ${month} ${match[1]}`;
}

/** The day of an instant where the reader is, as YYYY-MM-DD. */
export function dayOf(instant: Date | string | number): string {
  const date = new Date(instant);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Today where the reader is. */
export function today(): string {
  return dayOf(Date.now());
}

/** `09:12`. */
export function clock(instant: string): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? "" : `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `11:02:17`. */
export function clockSeconds(instant: string): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? "" : `${clock(instant)}:${two(date.getSeconds())}`;
}

/** `Monday, 30 November 2026`. */
export function dayHeading(instant: string): string {
  const date = new Date(instant);
  return `${DAYS_LONG[date.getDay()]}, ${date.getDate()} ${MONTHS_LONG[date.getMonth()]} ${date.getFullYear()}`;
}

/** `30 November`, with the year where it is another one. */
export function dayInWords(instant: string): string {
  const date = new Date(instant);
  const year = date.getFullYear() === new Date().getFullYear() ? "" : ` ${date.getFullYear()}`;
  return `${date.getDate()} ${MONTHS_LONG[date.getMonth()]}${year}`;
}

/** `30 Nov 2026, 03:00`. */
export function stamp(instant: string): string {
  return `${partial(dayOf(instant))}, ${clock(instant)}`;
}

/** Whole local days between an instant and today; 0 = today, 1 = yesterday. */
export function daysAgo(instant: string): number {
  const at = new Date(dayOf(instant)).getTime();
  return Math.round((new Date(today()).getTime() - at) / DAY_MS);
}

/** In a list: `09:12` today, `Fri 27 Nov` within a week, `26 Nov` this year, `26 Nov 2025`. */
export function rowTime(instant: string): string {
  const date = new Date(instant);
  const ago = daysAgo(instant);
  if (ago === 0) return clock(instant);
  const day = `${date.getDate()} ${MONTHS[date.getMonth()]}`;
  if (ago > 0 && ago < 7) return `${DAYS[date.getDay()]} ${day}`;
  return date.getFullYear() === new Date().getFullYear() ? day : `${day} ${date.getFullYear()}`;
}

/** In a margin: `today 09:12`, `Sun 20:11` within a week, `12 Oct`. */
export function nearTime(instant: string): string {
  const ago = daysAgo(instant);
  if (ago === 0) return `today ${clock(instant)}`;
  if (ago > 0 && ago < 7) return `${DAYS[new Date(instant).getDay()]} ${clock(instant)}`;
  return rowTime(instant);
}

/** Heading over days of a list: Today, Yesterday, Saturday, `Tuesday 24 November`. */
export function dayGroup(instant: string): string {
  const date = new Date(instant);
  const ago = daysAgo(instant);
  if (ago === 0) return "Today";
  if (ago === 1) return "Yesterday";
  const weekday = DAYS_LONG[date.getDay()] as string;
  if (ago > 1 && ago < 7) return weekday;
  const year = date.getFullYear() === new Date().getFullYear() ? "" : ` ${date.getFullYear()}`;
  return `${weekday} ${date.getDate()} ${MONTHS_LONG[date.getMonth()]}${year}`;
}

/** Heading over a longer list: Today, Yesterday, `November`, `November 2025`. */
export function monthGroup(instant: string): string {
  const ago = daysAgo(instant);
  if (ago === 0) return "Today";
  if (ago === 1) return "Yesterday";
  return monthName(dayOf(instant).slice(0, 7));
}

/** `2026-11` as `November`, with the year where it is another one. */
export function monthName(month: string, withYear = false): string {
  const name = MONTHS_LONG[Number(month.slice(5, 7)) - 1] ?? month;
  return withYear || month.slice(0, 4) !== String(new Date().getFullYear()) ? `${name} ${month.slice(0, 4)}` : name;
}

/** A day moved by a number of days, as YYYY-MM-DD. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** A day moved by months; the last day of a shorter month where the day does not exist. */
export function addMonths(day: string, months: number): string {
  const [year = 1970, month = 1, date = 1] = day.split("-").map(Number);
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return `${first.toISOString().slice(0, 7)}-${two(Math.min(date, last))}`;
}

/** The first day that a partial date stands for. */
export function firstDay(value: string): string {
  return value.length === 4 ? `${value}-01-01` : value.length === 7 ? `${value}-01` : value;
}

/**
 * Reads a date that a person typed (`Sep 2026`, `14 September 2026`, `2026-09-14`, `14.9.2026`, `today`) as a partial date;
 * null where there is no such day.
 */
export function readDate(text: string): string | null {
  const value = text.trim().toLowerCase();
  if (value === "today" || value === "now") return today();
  if (value === "yesterday") return addDays(today(), -1);
  const iso = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(value);
  if (iso) return checked(iso[1] as string, iso[2], iso[3]);
  const dotted = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(value);
  if (dotted) return checked(dotted[3] as string, dotted[2], dotted[1]);
  const named =
    /^(?:(\d{1,2})(?:st|nd|rd|th)?\.?\s+)?(?:of\s+)?([a-z]{3,9})\.?,?\s+(?:(\d{1,2})(?:st|nd|rd|th)?,\s+)?(\d{4})$/.exec(value);
  if (named) {
    const month = MONTHS_LONG.findIndex((name) => name.toLowerCase().startsWith((named[2] as string).slice(0, 3))) + 1;
    if (month > 0) return checked(named[4] as string, String(month), named[1] ?? named[3]);
  }
  return null;
}

function checked(year: string, month?: string, day?: string): string | null {
  if (month === undefined) return year;
  if (Number(month) < 1 || Number(month) > 12) return null;
  if (day === undefined) return `${year}-${two(Number(month))}`;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day) && Number(day) > 0
    ? `${year}-${two(Number(month))}-${two(Number(day))}`
    : null;
}

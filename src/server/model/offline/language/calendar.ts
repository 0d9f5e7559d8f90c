// Days as a calendar counts them: strings YYYY-MM-DD, YYYY-MM, YYYY, without zones and without hours. Pure arithmetic.

const DAY_MS = 86_400_000;

export const MONTHS = "January February March April May June July August September October November December".split(" ");
export const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** What the user's wall clock and calendar show. */
export interface Clock {
  /** YYYY-MM-DD */
  today: string;
  /** HH:MM, or 12:00 where nothing said it. */
  time: string;
  zone: string;
}

const two = (n: number): string => String(n).padStart(2, "0");
const noon = (day: string): number =>
  Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8, 10)), 12);
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const isoDay = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
export const isoMonth = (year: number, month: number): string => `${String(year).padStart(4, "0")}-${two(month)}`;
export const addDays = (day: string, days: number): string => dayOf(noon(day) + days * DAY_MS);
/** 0 = Sunday. */
export const weekdayOf = (day: string): number => new Date(noon(day)).getUTCDay();
export const yearOf = (date: string): number => Number(date.slice(0, 4));
export const monthOf = (date: string): number => Number(date.slice(5, 7)) || 1;
export const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Months later, the day cut to the month's end. */
export function addMonths(day: string, months: number): string {
  const total = yearOf(day) * 12 + monthOf(day) - 1 + months;
  const [year, month] = [Math.floor(total / 12), (total % 12) + 1];
  return isoDay(year, month, Math.min(Number(day.slice(8, 10)), daysInMonth(year, month)));
}

/** First day of a date of any precision. */
export const firstDay = (date: string): string => (date.length === 4 ? `${date}-01-01` : date.length === 7 ? `${date}-01` : date);

/** First day that is no longer in the date. */
export function dayAfter(date: string): string {
  if (date.length === 4) return `${String(Number(date) + 1).padStart(4, "0")}-01-01`;
  return date.length === 7 ? addMonths(`${date}-01`, 1) : addDays(date, 1);
}

/** Whether the day, month or year meets [from, to). */
export const meets = (date: string, from: string, to: string): boolean => firstDay(date) < to && dayAfter(date) > from;

/** Monday of the week that holds the day. */
export const mondayOf = (day: string): string => addDays(day, -((weekdayOf(day) + 6) % 7));

/** "3 December 2026", "October 2026", "2026". */
export function sayDate(date: string): string {
  const month = MONTHS[monthOf(date) - 1] as string;
  if (date.length === 4) return date;
  return date.length === 7 ? `${month} ${date.slice(0, 4)}` : `${Number(date.slice(8, 10))} ${month} ${date.slice(0, 4)}`;
}

// The time line of the date bar: days to places on it and back. Pure.
import { addDays, firstDay } from "../lib/dates.ts";

export interface Scale {
  from: string;
  to: string;
  /** Whole days from `from` to `to`. */
  days: number;
}

const DAY_MS = 86_400_000;
const number = (day: string): number => Math.floor(Date.parse(`${day}T00:00:00Z`) / DAY_MS);

/** Days between two dates. */
export function daysBetween(from: string, to: string): number {
  return number(to) - number(from);
}

/** A line that begins with the year of the first date and ends a good while after today, so that plans have room. */
export function scaleOf(dates: readonly string[], today: string): Scale {
  const days = dates
    .map(firstDay)
    .filter((day) => /^\d{4}-\d{2}-\d{2}$/.test(day))
    .sort();
  const firstYear = Math.max(1900, Number((days[0] ?? today).slice(0, 4)));
  const from = `${Math.min(firstYear, Number(today.slice(0, 4)) - 1)}-01-01`;
  const latest = days[days.length - 1] ?? today;
  // What is ahead takes an eighth of the line, or as much as the furthest plan needs.
  const ahead = Math.max(Math.round(daysBetween(from, today) / 8), Math.min(daysBetween(today, latest) + 30, 3 * 365), 45);
  const to = addDays(today, ahead);
  return { from, to, days: daysBetween(from, to) };
}

/** Where a day stands, in percent. */
export function placeOf(scale: Scale, day: string): number {
  return Math.min(100, Math.max(0, (daysBetween(scale.from, firstDay(day)) / scale.days) * 100));
}

/** The day at a place between 0 and 1. */
export function dayAt(scale: Scale, share: number): string {
  return addDays(scale.from, Math.round(Math.min(1, Math.max(0, share)) * scale.days));
}

/** Years to write under the line: at most six, evenly. */
export function yearsOf(scale: Scale): number[] {
  const first = Number(scale.from.slice(0, 4));
  const last = Number(scale.to.slice(0, 4));
  const step = Math.max(1, Math.ceil((last - first) / 5));
  const years: number[] = [];
  for (let year = first + 1; year <= last; year += step) years.push(year);
  return years.filter((year) => placeOf(scale, `${year}-01-01`) < 96);
}

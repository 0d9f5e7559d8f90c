// Forms of dates that chrono-node does not read, or reads otherwise than people here mean them: a table of patterns. First match wins, and hides its words.
import {
  type Clock,
  MONTHS,
  addDays,
  addMonths,
  daysInMonth,
  isoDay,
  isoMonth,
  mondayOf,
  monthOf,
  weekdayOf,
  yearOf,
} from "./calendar.ts";
import type { Lean } from "./dates.ts";
import { NUMBER, numberOf, ordinalOf } from "./numbers.ts";

/** undefined = not a date after all; null = hide the words, they are no date. */
type Read = (match: string[], clock: Clock, lean: Lean) => string | { date: string; last: string } | null | undefined;

const DAY = "(sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?";
const MONTH =
  "(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)";
const dayIndex = (word: string): number =>
  ["sun", "mon", "tue", "wed", "thu", "fri", "sat"].indexOf(word.toLowerCase().slice(0, 3));
const monthIndex = (word: string): number =>
  MONTHS.findIndex((name) => name.toLowerCase().startsWith(word.toLowerCase().slice(0, 3))) + 1;

/** Months and days of feasts with a fixed date. */
const FEASTS: Record<string, [number, number]> = {
  "christmas eve": [12, 24],
  "christmas day": [12, 25],
  christmas: [12, 25],
  xmas: [12, 25],
  "boxing day": [12, 26],
  "new year's eve": [12, 31],
  "new years eve": [12, 31],
  "new year's day": [1, 1],
  "new years day": [1, 1],
  "new year": [1, 1],
  halloween: [10, 31],
  "valentine's day": [2, 14],
  "valentines day": [2, 14],
  "midsummer's day": [6, 24],
  "bastille day": [7, 14],
};

function roll(month: number, day: number, clock: Clock, lean: Lean): string {
  const year = yearOf(clock.today);
  const here = isoDay(year, month, day);
  if (lean === "future" && here < clock.today) return isoDay(year + 1, month, day);
  return lean === "past" && here > clock.today ? isoDay(year - 1, month, day) : here;
}

function shift(count: string, unit: string, sign: 1 | -1, clock: Clock): string | undefined {
  const n = numberOf(count);
  if (n === null) return undefined;
  if (/^fortnight/i.test(unit)) return addDays(clock.today, sign * 14 * n);
  if (/^day/i.test(unit)) return addDays(clock.today, sign * n);
  if (/^week/i.test(unit)) return addDays(clock.today, sign * 7 * n);
  if (/^month/i.test(unit)) return sign > 0 ? addMonths(clock.today, n) : addMonths(clock.today, -n).slice(0, 7);
  return sign > 0 ? addMonths(clock.today, 12 * n).slice(0, 7) : String(yearOf(clock.today) - n);
}

/** Day and month first or month first: only the United States and a few neighbours write the month first. */
const monthFirst = (zone: string): boolean =>
  /^(?:America\/(?:New_York|Chicago|Denver|Los_Angeles|Phoenix|Anchorage|Detroit|Boise|Indiana|Kentucky|Menominee|North_Dakota)|US\/|Pacific\/Honolulu)/.test(
    zone,
  );

function numeric(match: string[], clock: Clock): string | undefined {
  const [a, b] = [Number(match[1]), Number(match[2])];
  const year = match[3] ? Number(match[3].length === 2 ? `20${match[3]}` : match[3]) : yearOf(clock.today);
  const first = a > 12 || (b <= 12 && !monthFirst(clock.zone));
  const [day, month] = first ? [a, b] : [b, a];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month) ? isoDay(year, month, day) : undefined;
}

const rows: [string, Read][] = [
  // "My brother Tue lives …": a short name of a day before a verb is somebody's name.
  [
    String.raw`(?<=\b[a-z]+ )(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat|Jan|Jun|Jul|Dec)(?=(?:'s)? (?:is|was|has|had|and|lives?|works?|plays?|likes?|loves?|[a-z]{3,}s)\b)`,
    (m) => (/^[A-Z]/.test(m[0] as string) ? null : undefined),
  ],
  [
    String.raw`\b(?:every|each|most|any|on alternate|alternate)\s+(?:other\s+|second\s+|third\s+|single\s+)?(?:${DAY}s?|${MONTH}|days?|weeks?|months?|years?|weekends?|mornings?|evenings?)\b(?:\s+(?:morning|afternoon|evening|night)s?)?`,
    () => null,
  ],
  [String.raw`\b\d+\s+(?:years?|months?|weeks?|days?)\s+old\b`, () => null],
  [String.raw`\b(?:on\s+)?${DAY}\s+(?:mornings|afternoons|evenings|nights)\b`, () => null],
  [
    String.raw`\b(?:on\s+)?${DAY}s\b(?:\s+(?:morning|afternoon|evening|night)s?)?`,
    (m) => (/day/i.test(m[0] as string) ? null : undefined),
  ],
  [String.raw`\bfirst thing\b`, () => null],
  [String.raw`\blast\s+night\b`, (_, c) => addDays(c.today, -1)],
  [String.raw`\b(\d{4}-\d\d-\d\d)\b`, (m) => m[1]],
  [String.raw`\b(\d{1,2})[./](\d{1,2})[./](\d{4}|\d{2})\b`, numeric],
  [
    String.raw`\b(${NUMBER})\s+(days?|weeks?|months?|years?|fortnights?)(?:'s?)?(?:\s+time)?\s+from\s+(?:now|today)\b`,
    (m, c) => shift(m[1]!, m[2]!, 1, c),
  ],
  [
    String.raw`\b(${NUMBER})\s+(days?|weeks?)\s+from\s+tomorrow\b`,
    (m, c) => shift(m[1]!, m[2]!, 1, { ...c, today: addDays(c.today, 1) }),
  ],
  [
    String.raw`\bin\s+(${NUMBER})\s+(days?|weeks?|months?|years?|fortnights?)(?:'s?)?(?:\s+time)?\b(?!\s+(?:of|at|old))`,
    (m, c, lean) => (lean === "past" ? undefined : shift(m[1]!, m[2]!, 1, c)),
  ],
  [String.raw`\b(${NUMBER})\s+(days?|weeks?|months?|years?|fortnights?)\s+ago\b`, (m, c) => shift(m[1]!, m[2]!, -1, c)],
  [String.raw`\bthe\s+day\s+after\s+tomorrow\b`, (_, c) => addDays(c.today, 2)],
  [String.raw`\bthe\s+day\s+before\s+yesterday\b`, (_, c) => addDays(c.today, -2)],
  [
    String.raw`\ba\s+week\s+(?:on|from)\s+${DAY}\b|\b${DAY}\s+week\b`,
    (m, c) => addDays(c.today, ((dayIndex((m[1] ?? m[2])!) - weekdayOf(c.today) + 7) % 7 || 7) + 7),
  ],
  [
    String.raw`\ba\s+week\s+(?:from\s+)?(today|tomorrow|yesterday)\b`,
    (m, c) => addDays(c.today, 7 + ({ today: 0, tomorrow: 1, yesterday: -1 }[m[1]!.toLowerCase()] ?? 0)),
  ],
  [
    String.raw`\b(?:on\s+)?${DAY}(?:\s+(?:of\s+)?|,\s*)(?:the\s+)?(this|next|the\s+following)\s+week\b`,
    (m, c) => weekdayIn(c, m[1]!, /this/i.test(m[2]!) ? 0 : 1),
  ],
  [
    String.raw`\b(this|next|last)\s+week(?:\s+on|,)?\s+${DAY}\b`,
    (m, c) => weekdayIn(c, m[2]!, { this: 0, next: 1, last: -1 }[m[1]!.toLowerCase()] ?? 0),
  ],
  [
    String.raw`\b(?:on\s+)?${DAY}\s+after\s+next\b`,
    (m, c) => addDays(c.today, ((dayIndex(m[1]!) - weekdayOf(c.today) + 7) % 7 || 7) + 7),
  ],
  [
    String.raw`\b(?:on\s+)?${DAY}\s+(?:in\s+)?(${NUMBER})\s+weeks(?:\s+from\s+now)?\b`,
    (m, c) => weekdayIn(c, m[1]!, numberOf(m[2]!) ?? 0),
  ],
  [String.raw`\b(?:the\s+)?week\s+after\s+next\b`, (_, c) => week(addDays(mondayOf(c.today), 14))],
  [String.raw`\bnext\s+week\b`, (_, c) => week(addDays(mondayOf(c.today), 7))],
  [String.raw`\blast\s+week\b`, (_, c) => week(addDays(mondayOf(c.today), -7))],
  [String.raw`\bthis\s+week\b`, (_, c) => week(mondayOf(c.today))],
  [
    String.raw`\b(this|next|last)\s+weekend\b`,
    (m, c) => weekend(addDays(mondayOf(c.today), 5 + ({ this: 0, next: 7, last: -7 }[m[1]!.toLowerCase()] ?? 0))),
  ],
  [
    String.raw`\b(at|on|over)\s+the\s+weekend\b`,
    (m, c, lean) =>
      lean === "past"
        ? weekend(addDays(mondayOf(c.today), -2))
        : m[1]!.toLowerCase() === "over"
          ? weekend(addDays(mondayOf(c.today), 5))
          : null,
  ],
  [
    String.raw`\b(this|next|last)\s+month\b`,
    (m, c) => addMonths(`${c.today.slice(0, 7)}-01`, { this: 0, next: 1, last: -1 }[m[1]!.toLowerCase()] ?? 0).slice(0, 7),
  ],
  [
    String.raw`\b(this|next|last)\s+year\b`,
    (m, c) => String(yearOf(c.today) + ({ this: 0, next: 1, last: -1 }[m[1]!.toLowerCase()] ?? 0)),
  ],
  [
    String.raw`\b(?:the\s+)?(?:beginning|start|middle|end|early|late|mid)(?:\s+(?:of|in)\s+|[\s-])${MONTH}\b(?:,?\s+(\d{4}))?`,
    (m, c, lean) => monthDate(m[1]!, m[2], c, lean),
  ],
  [
    String.raw`\b(last|next|this)\s+(?:spring|summer|autumn|fall|winter)\b`,
    (m, c) => String(yearOf(c.today) + ({ this: 0, next: 1, last: -1 }[m[1]!.toLowerCase()] ?? 0)),
  ],
  [
    String.raw`\b(?:the )?end of (?:the|this|next) (year|month|week)\b`,
    (m, c) => {
      const next = /next/i.test(m[0]!);
      if (/year/i.test(m[1]!)) return isoMonth(yearOf(c.today) + (next ? 1 : 0), 12);
      return /month/i.test(m[1]!)
        ? addMonths(`${c.today.slice(0, 7)}-01`, next ? 1 : 0).slice(0, 7)
        : addDays(mondayOf(c.today), next ? 13 : 6);
    },
  ],
  [
    String.raw`\b(?:the )?(?:first|second|third|fourth|last|1st|2nd|3rd|4th) (?:week|weekend|half) of ${MONTH}\b(?:\s+(\d{4}))?`,
    (m, c, lean) => monthDate(m[1]!, m[2], c, lean),
  ],
  [String.raw`\b(last|next|this)\s+${MONTH}\b`, (m, c) => besideMonth(m[1]!, m[2]!, c)],
  [
    String.raw`\b(?:the\s+)?(\d{1,2}(?:st|nd|rd|th)|first)\s+of\s+(next|this)\s+month\b`,
    (m, c) => {
      const base = addMonths(`${c.today.slice(0, 7)}-01`, /next/i.test(m[2]!) ? 1 : 0);
      return `${base.slice(0, 8)}${String(ordinalOf(m[1]!) ?? 1).padStart(2, "0")}`;
    },
  ],
  [
    String.raw`\bthe\s+(\d{1,2}(?:st|nd|rd|th))\b(?!\s+(?:of\b|${MONTH}|century|floor|grade|time|edition|place|birthday|anniversary|street|avenue))`,
    (m, c, lean) => dayOfMonth(ordinalOf(m[1]!) ?? 0, c, lean),
  ],
  [
    String.raw`\b(${Object.keys(FEASTS).join("|")})\b(?!\s+(?:cake|tree|card|market|party|dinner|present|gift|song|jumper))(?:\s+(\d{4}))?`,
    (m, c, lean) => {
      const [month, day] = FEASTS[m[1]!.toLowerCase()]!;
      return m[2] ? isoDay(Number(m[2]), month, day) : roll(month, day, c, lean);
    },
  ],
];

function weekdayIn(clock: Clock, day: string, weeks: number): string {
  return addDays(mondayOf(clock.today), 7 * weeks + ((dayIndex(day) + 6) % 7));
}
const week = (monday: string): { date: string; last: string } => ({ date: monday, last: addDays(monday, 6) });
const weekend = (saturday: string): { date: string; last: string } => ({ date: saturday, last: addDays(saturday, 1) });

function monthDate(word: string, year: string | undefined, clock: Clock, lean: Lean): string {
  const month = monthIndex(word);
  if (year) return isoMonth(Number(year), month);
  const [here, now] = [yearOf(clock.today), monthOf(clock.today)];
  if (lean === "future") return isoMonth(month < now ? here + 1 : here, month);
  return isoMonth(month > now ? here - 1 : here, month);
}

function besideMonth(which: string, word: string, clock: Clock): string {
  const [month, here, now] = [monthIndex(word), yearOf(clock.today), monthOf(clock.today)];
  if (/last/i.test(which)) return isoMonth(month >= now ? here - 1 : here, month);
  return isoMonth(/next/i.test(which) && month <= now ? here + 1 : here, month);
}

function dayOfMonth(day: number, clock: Clock, lean: Lean): string | undefined {
  if (day < 1 || day > 31) return undefined;
  const here = `${clock.today.slice(0, 8)}${String(day).padStart(2, "0")}`;
  let month = `${clock.today.slice(0, 7)}-01`;
  if (lean === "future" && here <= clock.today) month = addMonths(month, 1);
  if (lean === "past" && here > clock.today) month = addMonths(month, -1);
  while (daysInMonth(yearOf(month), monthOf(month)) < day) month = addMonths(month, lean === "past" ? -1 : 1);
  return isoDay(yearOf(month), monthOf(month), day);
}

const YEAR: Read = (m) => m[1];

/** The table, compiled. */
export const DATE_FORMS: readonly { form: RegExp; read: Read }[] = [
  ...rows.map(([source, read]) => ({ form: new RegExp(source, "gi"), read })),
  // Only the year itself is the date: its preposition is read afterwards, with the others.
  {
    form: /(?<=\b(?:in|since|from|until|till|during|by|before|after|spring|summer|autumn|fall|winter|of)\s+(?:the\s+year\s+|early\s+|late\s+)?)((?:19|20)\d\d)\b(?![-/.]\d)/gi,
    read: YEAR,
  },
];

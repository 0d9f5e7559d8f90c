// Finds dates in words and resolves them on the user's calendar. chrono-node reads the usual forms; the table in date-forms.ts reads those that it does not.
import { Chrono, configuration } from "chrono-node/en";
import { type Clock, addDays, dayAfter, isoDay, isoMonth, monthOf, weekdayOf, yearOf } from "./calendar.ts";
import { DATE_FORMS } from "./date-forms.ts";

/** Which way a date without a year, or a weekday, is looked for. */
export type Lean = "past" | "future";

export interface DateMention {
  index: number;
  /** The words, with the preposition before them. */
  text: string;
  /** YYYY, YYYY-MM or YYYY-MM-DD. */
  date: string;
  /** Last day of a span ("from Monday to Friday"). */
  last?: string;
  role: "on" | "since" | "until" | "expires" | "by" | "before" | "after";
}

const HINT =
  /\d|\b(?:today|tonight|tomorrow|yesterday|now|jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|january|february|march|april|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|weekend|fortnight|month|year|years|days?|weeks|months|christmas|xmas|easter|halloween|eve|valentine|morning|night|spring|summer|autumn|fall|winter|ago)\b/i;
/** Times of day stay in the text: they are hidden from the date reader behind letters of the same length. */
const TIME =
  /\b(?:(?:at|around|about|by|from|until|till)\s+)?(?:half(?:\s+past)?\s+\w+|(?:a\s+)?quarter\s+(?:past|to)\s+\w+|\d{1,2}[:.]\d{2}(?:\s?(?:am|pm|a\.m\.|p\.m\.))?(?![.\d])|\d{1,2}\s?(?:am|pm|a\.m\.|p\.m\.|o'clock)|noon|midnight)(?!\w)|\bat\s+(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?=$|[\s,.!?])(?!\s+(?:January|February|March|April|May|June|July|August|September|October|November|December))/gi;
/** What chrono takes for a date and a person does not mean as one. */
const NO_DATE =
  /^(?:sat|sun|mon|wed|mar|dec|second|the second|now|may|march|this|last|next|a week|today|this (?:morning|evening|afternoon|night)|\d{1,2}|\d{4}|(?:\d+|a|one) (?:second|minute|hour)s?.*|in (?:\d+|a|one) (?:second|minute|hour)s?.*)$/i;
const SMALL_TODAY = /^(?:today|tonight|this (?:morning|evening|afternoon))$/i;

const PREPOSITION: [RegExp, DateMention["role"]][] = [
  [/\b(?:ever )?since\s+(?:about\s+|around\s+|early\s+|late\s+)?$/i, "since"],
  [/\b(?:starting|beginning|as of|from|effective)\s+(?:about\s+|around\s+)?(?:on\s+|in\s+)?$/i, "since"],
  [/\b(?:(?:up )?until|till|til|through|up to|to)\s+(?:about\s+|around\s+|the end of\s+)?$/i, "until"],
  [/\b(?:expir(?:es|ing)|runs? out|lapses?|valid until|due)\s+(?:on\s+|in\s+)?$/i, "on"],
  [/\bby\s+$/i, "by"],
  [/\bbefore\s+$/i, "before"],
  [/\bafter\s+$/i, "after"],
  [/\b(?:on|in|at|for|over|during|around|about)\s+(?:the\s+)?(?:(?:early|late|mid)[ -])?$/i, "on"],
];

/** All dates in a text, leaning to the past or the future. Empty, and cheap, where no word hints at one. */
export function datesIn(text: string, clock: Clock, lean: Lean): DateMention[] {
  if (!HINT.test(text)) return [];
  const hidden = text.replace(TIME, (part) => "\uF8FF".repeat(part.length));
  const found: { index: number; text: string; date: string; last?: string }[] = [];
  let rest = hidden;
  const hide = (index: number, length: number): void => {
    rest = `${rest.slice(0, index)}${"\uF8FF".repeat(length)}${rest.slice(index + length)}`;
  };
  for (const { form, read } of DATE_FORMS) {
    for (const match of rest.matchAll(form)) {
      const date = read(match as unknown as string[], clock, lean);
      if (date === undefined) continue;
      if (date) found.push({ index: match.index, text: match[0], ...(typeof date === "string" ? { date } : date) });
      hide(match.index, match[0].length);
    }
  }
  if (HINT.test(rest)) found.push(...byChrono(rest, clock, lean));
  return found.sort((a, b) => a.index - b.index).map((mention) => withPreposition(text, mention));
}

// Hours and parts of a day are no dates, and their patterns cost more to compile than all the others.
let reader: Chrono | null = null;
function chrono(): Chrono {
  if (reader) return reader;
  const { parsers, refiners } = configuration.createCasualConfiguration(false);
  // A parser's pattern may look at the options, and at nothing else.
  const context = { option: {} } as never;
  reader = new Chrono({ parsers: parsers.filter((parser) => !/hour|morning/.test(parser.pattern(context).source)), refiners });
  return reader;
}

function byChrono(text: string, clock: Clock, lean: Lean): { index: number; text: string; date: string; last?: string }[] {
  const [hour, minute] = clock.time.split(":").map(Number);
  const instant = new Date(
    Date.UTC(yearOf(clock.today), monthOf(clock.today) - 1, Number(clock.today.slice(8, 10)), hour, minute),
  );
  return chrono()
    .parse(text, { instant, timezone: 0 }, { forwardDate: lean === "future" })
    .flatMap((result) => {
      const words = result.text.replace(/^(?:on|in)\s+/i, "");
      const before = text.slice(0, result.index);
      const index = result.index + result.text.length - words.length;
      if (SMALL_TODAY.test(words)) return [{ index, text: words, date: clock.today }];
      if (
        NO_DATE.test(words) &&
        !(
          /^(?:mar|dec|sat|sun|mon|wed|may|march)$/i.test(words) &&
          /^\p{Lu}/u.test(words) &&
          /\b(?:in|on|since|until|last|next|from|by|this|for|of|during|before|after|late|early|mid|end of)\s+$/i.test(before)
        )
      )
        return [];
      if (/\b(?:every|each|most|any)\s+(?:other\s+|second\s+)?$/i.test(before)) return [];
      const { start, end } = result;
      // "My brother Jan", "My sister June": a month without a preposition is a name.
      if (
        start.isCertain("month") &&
        !start.isCertain("day") &&
        !start.isCertain("year") &&
        !/\b(?:in|since|until|till|by|from|to|before|after|during|of|this|next|last|early|late|mid|around|about|through|and|or|between|for|over)[\s-]+$/i.test(
          text.slice(0, index),
        )
      )
        return [];
      // "Sunday school", "the Friday market": a weekday without a preposition in the middle of words is no day.
      if (
        /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day$/i.test(words) &&
        before.trim() !== "" &&
        !/(?:\b(?:on|in|by|until|till|since|from|before|after|this|next|last|to|and|or|for)\s|[,;(–—-]\s?)$/i.test(
          text.slice(0, index),
        ) &&
        /^\s+(?!at\b|from\b|between\b|with\b|in\b|to\b|and\b|or\b|morning|evening|afternoon|night|I\b|we\b|my\b|\uF8FF)\p{L}/u.test(
          text.slice(index + words.length),
        )
      )
        return [];
      const side: Lean = /\bsince\s+(?:\w+\s+)?$/i.test(before) ? "past" : lean;
      if (onlyTime(start)) return [];
      const date = rolled(start, words, clock, side);
      const last = end && !onlyTime(end) ? rolled(end, words, clock, side) : undefined;
      return [{ index, text: words, date, ...(last && last !== date ? { last } : {}) }];
    });
}

interface Parts {
  get(part: "year" | "month" | "day" | "weekday"): number | null;
  isCertain(part: "year" | "month" | "day" | "weekday"): boolean;
}

const onlyTime = (parts: Parts): boolean => !(["year", "month", "day", "weekday"] as const).some((part) => parts.isCertain(part));

/** A date as exact as the words were; one without a year rolls to the side that the sentence leans to. */
function rolled(parts: Parts, words: string, clock: Clock, lean: Lean): string {
  const [year, month, day] = [parts.get("year") ?? yearOf(clock.today), parts.get("month") ?? 1, parts.get("day") ?? 1];
  if (parts.isCertain("weekday") && !parts.isCertain("day"))
    return nearWeekday(parts.get("weekday") as number, isoDay(year, month, day), words, clock, lean);
  if (parts.isCertain("day")) {
    if (parts.isCertain("year")) return isoDay(year, month, day);
    const here = isoDay(yearOf(clock.today), month, day);
    if (lean === "future" && here < clock.today) return isoDay(yearOf(clock.today) + 1, month, day);
    return lean === "past" && here > clock.today ? isoDay(yearOf(clock.today) - 1, month, day) : here;
  }
  if (parts.isCertain("month")) {
    if (parts.isCertain("year")) return isoMonth(year, month);
    return nearMonth(month, clock, lean);
  }
  return String(year);
}

/** The next or the last such month; this month counts for both sides. */
export function nearMonth(month: number, clock: Clock, lean: Lean): string {
  const [year, now] = [yearOf(clock.today), monthOf(clock.today)];
  if (lean === "future" && month < now) return isoMonth(year + 1, month);
  return isoMonth(lean === "past" && month > now ? year - 1 : year, month);
}

function nearWeekday(weekday: number, byChronoDay: string, words: string, clock: Clock, lean: Lean): string {
  const ahead = (weekday - weekdayOf(clock.today) + 7) % 7;
  if (/\bnext\b/i.test(words)) return byChronoDay > clock.today ? byChronoDay : addDays(clock.today, ahead || 7);
  if (/\b(?:last|past|previous)\b/i.test(words)) return addDays(clock.today, ahead === 0 ? -7 : ahead - 7);
  if (/\bthis\b/i.test(words)) return addDays(clock.today, lean === "past" && ahead > 0 ? ahead - 7 : ahead);
  // The day chosen is never today: who means today says so.
  return addDays(clock.today, lean === "past" ? (ahead === 0 ? -7 : ahead - 7) : ahead || 7);
}

function withPreposition(text: string, mention: { index: number; text: string; date: string; last?: string }): DateMention {
  const before = text.slice(0, mention.index);
  for (const [form, role] of PREPOSITION) {
    const match = form.exec(before);
    if (!match) continue;
    // "expires", "due" belong to the sentence; only what follows them is taken away with the date.
    const taken = /^(?:expir|run|laps|valid|due)/i.test(match[0]) ? (/(?:on|in)\s+$/i.exec(match[0])?.[0] ?? "") : match[0];
    const start = mention.index - taken.length;
    return {
      ...mention,
      index: start,
      text: text.slice(start, mention.index + mention.text.length),
      role: /^(?:expir|run|laps|valid)/i.test(match[0]) ? "expires" : role,
    };
  }
  return { ...mention, role: "on" };
}

const DAY_PART =
  /(?<!\b(?:every|each|most|any) )\b(?:on )?(tomorrow|yesterday|(?:next |this |last )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day) (morning|afternoon|evening|night)\b/gi;
/** "tomorrow morning" → "in the morning tomorrow": the part of the day stays when the day is taken out. */
export const partsOfDayLast = (text: string): string =>
  text.replace(
    DAY_PART,
    (_, day: string, part: string) =>
      `${/night/i.test(part) ? "in the evening" : `in the ${part.toLowerCase()}`} ${/day$/i.test(day) && !/yesterday|next|this|last/i.test(day) ? "on " : ""}${day}`,
  );

/** The text without the mention, its spaces and commas mended. */
export function without(text: string, mentions: readonly DateMention[]): string {
  let out = text;
  for (const { index, text: words } of [...mentions].sort((a, b) => b.index - a.index)) {
    out = `${out.slice(0, index)} ${out.slice(index + words.length)}`;
  }
  return tidy(out);
}

export const tidy = (text: string): string =>
  text
    .replace(/\s+([,;:.!?])/g, "$1")
    .replace(/\s{2,}/g, " ")
    .replace(/^[\s,;:.–—-]+(?!\d)|[\s,;:–—]+$/g, "")
    .trim();

/** The exclusive end that a last day stands for (format: `until` is exclusive). */
export const untilAfter = (date: string): string => (date.length === 10 ? dayAfter(date) : date);

// The shape of a rule for predicates and the little helpers that all families of rules share.
import type { DateMention } from "../language/dates.ts";
import { sayDate } from "../language/calendar.ts";
import type { Env } from "./env.ts";
import type { Subject } from "./fact.ts";
import type { Predicate } from "./predicate.ts";

/** A fact before its subject and its dates are put to it: `text` is a predicate, lower case first. */
export interface Draft {
  text: string;
  rel: string;
  value?: string;
  slot?: string | undefined;
  one?: boolean;
  /** The text stands as it is: it has its subject in it. */
  whole?: boolean;
  /** The text begins with a noun: "My" goes before it for the user. */
  noun?: boolean;
  since?: string;
  on?: string;
  expires?: string;
  /** About somebody else than the subject of the clause. */
  subject?: Subject;
  /** Dates were used up by the rule. */
  dated?: boolean;
}

export interface RuleContext {
  env: Env;
  owner: Subject;
  predicate: Predicate;
  dates: DateMention[];
}

export interface Rule {
  name: string;
  form: RegExp;
  /** null: the rule does not fit after all; []: nothing to keep. */
  make: (match: string[], context: RuleContext) => Draft[] | null;
}

/** First date that says "on" or nothing; what a past change or an event happened on. */
export const dayOf = (context: RuleContext): string | undefined =>
  context.dates.find(({ role }) => role === "on" || role === "since")?.date;
export const sinceOf = (context: RuleContext): string | undefined => context.dates.find(({ role }) => role === "since")?.date;

/** Items of "kiwi and penicillin", "chess, carrom and the sitar". A preposition that the first item lost is taken off the others. */
export function listItems(list: string): string[] {
  const parts = list
    .split(/\s*(?:,\s*(?:and|or|but also|as well as)\s+|,\s+|\s+(?:and|or|as well as|plus|&)\s+(?:also\s+)?)/)
    .map((part) => part.trim())
    .filter(Boolean);
  const whole = list.trim();
  // "rock and roll", "bread and butter" are one thing; "salt and pepper" too.
  return PAIRS.test(whole)
    ? [whole]
    : parts.map((part, i) => (i === 0 ? part : part.replace(/^(?:to|of|in|with|for)\s+(?=\S)/, "")).replace(/^(?:both)\s+/, ""));
}
const PAIRS =
  /^(?:(?:\w+ )?(?:rock (?:and|&) roll|bread and butter|fish and chips|mac and cheese|salt and pepper|drum and bass|rhythm and blues|gin and tonic|black and white|peace and quiet|trinidad and tobago|bosnia and herzegovina|dungeons (?:and|&) dragons|arts and crafts))$/i;

/** Capital letters for a place or a name that was typed in lower case. */
export function properName(words: string): string {
  if (/\p{Lu}/u.test(words)) return words;
  return words.replace(/(^|[\s-])(\p{Ll})(?!n\s|f\s|e\s)/gu, (_, gap: string, letter: string) => `${gap}${letter.toUpperCase()}`);
}

/** Cuts what follows a name of a place or a firm: "Porto with my wife", "Porto because …", "Porto, which I love". */
export const bareName = (words: string): string =>
  words
    .split(
      /,\s|\s+(?:with|because|after|before|for|where|which|who|so|as|since|when|while|until|by|near|and (?:I|we|my)|but|though|although|to|again|last|this|next|about|around|together|alone|on my own)\b/,
    )[0]!
    .trim();

export const isProper = (words: string, env: Env): boolean =>
  /^(?:the )?[\p{Lu}\p{N}\uE000-\uEFFF]/u.test(words) || env.lowerCase || /^\p{Lo}/u.test(words);
export const withDate = (text: string, date: string | undefined): string =>
  date ? `${text} ${date.length === 10 ? "on" : "in"} ${sayDate(date)}` : text;

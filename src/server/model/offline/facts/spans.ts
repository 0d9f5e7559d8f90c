// Stretches of time in a sentence: which key of the format each date becomes, and states that began some time ago.
import { addMonths, sayDate, yearOf } from "../language/calendar.ts";
import { type DateMention, untilAfter } from "../language/dates.ts";
import { NUMBER, numberOf } from "../language/numbers.ts";
import { baseOfIng, thirdPerson } from "../language/verbs.ts";
import type { RuleContext } from "./draft.ts";

const LASTING = new RegExp(
  `^(.*?) for (?:about |over |almost |nearly |more than |at least |the (?:last|past) )?(${NUMBER}) (years|months)(?: now)?$`,
);

/** "has been learning the cello since May", "has lived here for ten years": a state that began, as the state itself. */
export function durations(text: string, context: RuleContext): string {
  let out = text;
  const lasting = LASTING.exec(out);
  const begun = context.dates.some(({ role }) => role === "since");
  if (lasting && out.startsWith("has ")) {
    const n = numberOf(lasting[2]!) ?? 1;
    const date =
      lasting[3] === "years" ? String(yearOf(context.env.clock.today) - n) : addMonths(context.env.clock.today, -n).slice(0, 7);
    context.dates = [...context.dates, { index: 0, text: "", date, role: "since" }];
    out = lasting[1]!;
  } else if (!begun && !/\bsince\b/.test(out)) return begunNow(out, context);
  const been = /^has been (\S+)(.*)$/.exec(out);
  if (been) {
    const base = baseOfIng(been[1]!);
    return base && /^(?:live|work|play|teach|study|collect|drive|sing|swim|run|cook|keep|smoke|volunteer|wear|use)$/.test(base)
      ? `${thirdPerson(base)}${been[2]}`
      : `is ${been[1]}${been[2]}`;
  }
  const had = /^has had (.+)$/.exec(out);
  if (had) return `has ${had[1]}`;
  const lived = /^has (lived|worked|played|taught|studied|owned|known|volunteered|kept|used|driven|sung|coached) (.+)$/.exec(out);
  const bases: Record<string, string> = {
    lived: "lives",
    worked: "works",
    played: "plays",
    taught: "teaches",
    studied: "studies",
    owned: "owns",
    known: "knows",
    volunteered: "volunteers",
    kept: "keeps",
    used: "uses",
    driven: "drives",
    sung: "sings",
    coached: "coaches",
  };
  return lived ? `${bases[lived[1]!]} ${lived[2]}` : out;
}

/** "has started playing padel", "took up knitting": what is done now. */
function begunNow(text: string, context: RuleContext): string {
  const begun = /^(?:has |just |recently )*(?:started|begun|began|taken up|took up) (\S+ing)\b(.*)$/.exec(text);
  const base = begun ? baseOfIng(begun[1]!) : null;
  if (!begun || !base || /^(?:feel|think|wonder|get|look|rain|snow|try|be)$/.test(base)) return text;
  context.dates = context.dates.map((date) => (date.role === "on" ? { ...date, role: "since" } : date));
  return base === "learn" || base === "study" ? `is ${begun[1]}${begun[2]}` : `${thirdPerson(base)}${begun[2]}`;
}

export interface Dates {
  on?: string;
  since?: string;
  until?: string;
  expires?: string;
  /** What is left to say in the text. */
  tail?: string;
}

/** A stretch of days: its first day, and how long it lasts. "Next week" is some day of it; "last week" is known to the month. */
function spanOf(words: string, first: string, last: string, today: string): Dates {
  if (!/\bweek/i.test(words)) return { on: first, tail: `until ${sayDate(last)}` };
  if (last < today) return { on: first.slice(0, 7) };
  return /weekend/i.test(words) ? { on: first } : { on: first, tail: `in the week of ${sayDate(first)}` };
}

/** Which key of the format each date of a clause becomes. */
export function datesFor(dates: readonly DateMention[], today: string): Dates {
  const out: Dates = {};
  for (const { role, date, last, text } of dates) {
    if (role === "since" && last && !out.on) Object.assign(out, { on: date, tail: `until ${sayDate(last)}` });
    else if (role === "since") out.since ??= date;
    else if (role === "until") out.until ??= untilAfter(date);
    else if (role === "expires") out.expires ??= date;
    else if (role === "before" || role === "after") out.tail ??= `${role} ${sayDate(date)}`;
    else if (!out.on) Object.assign(out, last ? spanOf(text, date, last, today) : { on: date });
    else out.tail ??= `on ${sayDate(date)}`;
    if (role === "by" && out.on === date) out.tail ??= `by ${sayDate(date)}`;
  }
  return out;
}

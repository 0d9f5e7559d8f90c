// Turns lines back into sentences: "Lives in Porto" → "You live in Porto", of a person "Ines is a vet", with their days in words.
import { WEEKDAYS, sayDate, weekdayOf } from "../language/calendar.ts";
import { baseOfThird, isPast, pastOf } from "../language/verbs.ts";
import { lowerFirst } from "../language/words.ts";
import { beginsWithVerb } from "../facts/line-fact.ts";
import { splitThing } from "../facts/subject.ts";
import type { Known } from "../knowledge.ts";
import type { MemoryLine } from "../lines.ts";

const TO_YOU: [RegExp, string][] = [
  [/\bI am\b/g, "you are"],
  [/\bI'm\b/g, "you're"],
  [/\bI was\b/g, "you were"],
  [/\bI\b/g, "you"],
  [/\bmyself\b/g, "yourself"],
  [/\bmine\b/g, "yours"],
  [/\b[Mm]y\b/g, "your"],
  [/\bme\b/g, "you"],
  [/\bour\b/g, "your"],
  [/\bus\b/g, "you"],
];

/** First person to second, outside of quotations, code and links. */
export function toYou(text: string): string {
  return text
    .split(/("[^"]*"|“[^”]*”|`[^`]*`|\[\[[^\]]*\]\]|\[[^\]]*\]\([^)]*\))/)
    .map((part, i) => (i % 2 === 1 ? part : TO_YOU.reduce((out, [form, word]) => out.replace(form, word), part)))
    .join("");
}

const SECOND: Record<string, string> = { is: "are", was: "were", has: "have", does: "do", lives: "live" };

function second(verb: string): string {
  const low = verb.toLowerCase();
  if (SECOND[low]) return SECOND[low];
  if (/^(?:will|would|can|cannot|could|should|must|may|might|had|did|used)$/.test(low) || isPast(low)) return low;
  return baseOfThird(low) ?? low;
}

/** "Lives in Porto" with "you" before it. */
function verbToYou(text: string): string {
  const [first = "", ...rest] = text.split(" ");
  const low = first.toLowerCase();
  if (/^(?:always|usually|often|sometimes|rarely|never|mostly|mainly|no)$/.test(low) && rest.length > 0) {
    const adverb = low === "no" ? `no ${rest.shift()}` : low;
    return `${adverb} ${second(rest[0]!)} ${rest.slice(1).join(" ")}`.trim();
  }
  return [second(first), ...rest].join(" ");
}

/** A text as a sentence about its subject, without the full stop; `name`: the person, null for the user. Null where it cannot be turned safely. */
export function sentenceOf(text: string, name: string | null): string | null {
  if (/^(?:My|Our) /.test(text)) return `Your ${toYou(text.replace(/^\S+ /, ""))}`;
  if (/^The .* of (?:my|our) /.test(text)) return toYou(text);
  if (/^I(?:'m)? /.test(text)) return toYou(text).replace(/^you/, "You");
  if (/^\p{Lu}[\p{L}'’ .-]* (?:is|was) my /u.test(text)) return toYou(text);
  if (!beginsWithVerb(text))
    return name !== null && /^[\x20-\x7e’‘“”éèüöäåøñç]+$/i.test(text) && splitThing(text)
      ? `${name}'s ${toYou(lowerFirst(text))}`
      : null;
  return name === null ? `You ${toYou(verbToYou(text))}` : `${name} ${toYou(lowerFirst(text))}`;
}

/** The days of a line in words: " since October 2026", " on 3 December 2026". */
export function datesOf(line: MemoryLine, today: string): string {
  const day = (date: string): string => (date.length === 10 ? `${WEEKDAYS[weekdayOf(date)]} ${sayDate(date)}` : sayDate(date));
  if (line.on) return date(line.on, day);
  const parts: string[] = [];
  if (line.since) parts.push(line.since > today ? `from ${sayDate(line.since)}` : `since ${sayDate(line.since)}`);
  if (line.until) parts.push(`until ${sayDate(line.until)}`);
  if (line.expires) parts.push(`until ${sayDate(line.expires)}`);
  return parts.length > 0 ? `, ${parts.join(" ")}` : "";
}
const date = (on: string, day: (date: string) => string): string => ` ${on.length === 10 ? "on" : "in"} ${day(on)}`;

const stop = (sentence: string): string => (/[.!?…。！？।]["”’)]?$/u.test(sentence) ? sentence : `${sentence}.`);

/** A line as a sentence for the user, with its days. What cannot be turned is quoted as it stands. */
export function sayLine(one: Known, today: string): string {
  const { line, about } = one;
  const dates = datesOf(line, today);
  const sentence = sentenceOf(line.text, about);
  if (sentence === null) return stop(about ? `${about}: “${line.text}”${dates}` : `“${line.text}”${dates}`);
  if (line.on && line.on <= today && /^You (?:are|have)\b|^\S+ (?:is|has)\b/.test(sentence) && line.state === "past")
    return stop(`${sentence},${dates}`);
  return stop(`${sentence}${dates}`);
}

/** What is no longer so: "You lived in Ghent", "Gregor Stahl was your manager". */
export function sayFormer(text: string, name: string | null, from?: string, to?: string): string {
  const span =
    from && to
      ? ` from ${sayDate(from)} to ${sayDate(to)}`
      : to
        ? ` until ${sayDate(to)}`
        : from
          ? ` since ${sayDate(from)}`
          : "";
  const relation = /^(\p{Lu}[\p{L}'’ .-]*) is (my .+)$/u.exec(text);
  if (relation) return stop(`${relation[1]} was ${toYou(relation[2]!)}${span}`);
  if (/^(?:My|Our) /.test(text)) return stop(`Your ${toYou(text.replace(/^\S+ /, "").replace(/ is /, " was "))}${span}`);
  if (beginsWithVerb(text)) {
    const [first = "", ...rest] = text.split(" ");
    const low = first.toLowerCase();
    const base = baseOfThird(low);
    const past = low === "is" ? (name ? "was" : "were") : low === "does" ? "did" : isPast(low) || !base ? low : pastOf(base);
    return stop(`${name ?? "You"} ${toYou([past, ...rest].join(" "))}${span}`);
  }
  return stop(`“${text}”${span}`);
}

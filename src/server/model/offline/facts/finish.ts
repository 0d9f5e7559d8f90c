// Puts subject and dates to a draft: the canonical text of a fact.
import { tidy } from "../language/dates.ts";
import { baseOfThird, isPast } from "../language/verbs.ts";
import { upperFirst } from "../language/words.ts";
import type { Draft } from "./draft.ts";
import { type Fact, ME, type Subject } from "./fact.ts";
import type { Predicate } from "./predicate.ts";
import { roleOf } from "./roles.ts";
import type { Dates } from "./spans.ts";

/** Whether a label names more than one ("parents", "friends Jan and Els"). */
export const severalIn = (label: string): boolean => label.split(" ").some((word) => roleOf(word)?.plural);

/** The fact of a draft. */
export function finished(draft: Draft, owner: Subject, dates: Dates, fresh: boolean, predicate?: Predicate): Fact {
  const { tail, ...keys } = dates;
  const subject = draft.whole ? ME : (draft.subject ?? owner);
  const words = tidy(tail ? `${draft.text} ${tail}` : draft.text);
  let text = upperFirst(words);
  if (!draft.whole && draft.noun && subject.kind === "me") text = `My ${words}`;
  if (!draft.whole && subject.kind === "role" && severalIn(subject.label))
    text = `My ${subject.label}${draft.noun ? "'" : ""} ${draft.noun ? words : plural(words)}`;
  else if (!draft.whole && subject.kind === "role")
    text = draft.noun ? `My ${subject.label}'s ${words}` : `My ${subject.label} ${words}`;
  const slot = subject.kind === "role" ? undefined : draft.slot;
  return {
    subject,
    text,
    rel: draft.rel,
    ...(draft.value ? { value: draft.value } : {}),
    ...(slot ? { slot } : {}),
    ...(draft.one && !slot ? { one: true } : {}),
    ...(predicate?.negative ? { negative: true } : {}),
    ...(fresh ? { fresh: true } : {}),
    ...keys,
    ...(draft.since ? { since: draft.since } : {}),
    ...(draft.on ? { on: draft.on } : {}),
    ...(draft.expires ? { expires: draft.expires } : {}),
  };
}

/** "lives in Bonn" of several people: "live in Bonn". */
function plural(words: string): string {
  const [verb = "", ...rest] = words.split(" ");
  const base = verb === "is" ? "are" : verb === "was" ? "were" : isPast(verb) ? verb : (baseOfThird(verb) ?? verb);
  return [base === "be" ? "are" : base, ...rest].join(" ");
}

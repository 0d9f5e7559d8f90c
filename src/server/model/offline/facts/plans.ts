// Plans whose subject is neither the user nor a person: "The concert is on 12 December", "Dentist on Friday at 3", "The exam is cancelled".
import { type DateMention, tidy } from "../language/dates.ts";
import { planChange } from "./endings.ts";
import type { Env } from "./env.ts";
import { type Ending, type Fact, ME } from "./fact.ts";
import { finished } from "./finish.ts";
import { readPredicate } from "./predicate.ts";
import { datesFor } from "./spans.ts";
import { splitThing } from "./subject.ts";

const THERE_IS = /^(?:there (?:is|will be|are)|it is|that is|we have)\s+(?:an?\s+)?/i;
const NO_PLAN =
  /^(?:for|to|about|at|with|from|of|and|or|sorry|by|I|what|when|where|who|why|how|which|do|does|did|is|are|can|could|would|should|will|was|were|it|this|that|he|she|they|you|thanks|thank|please|see|until|till|since|happy|merry|good|talk|write|give|tell|explain|translate|summari[sz]e|show|find|make|remember|forget|yes|no|ok|okay|sure|maybe|hi|hello|hey|bye)\b/i;

/** "The dentist appointment is cancelled": a plan whose subject is neither the user nor a person ends or moves. */
export function offOf(bare: string, env: Env, dates: DateMention[]): Ending | null {
  const split = splitThing(bare);
  const predicate = split ? readPredicate(split.predicate, true) : null;
  const ending = split && predicate ? planChange(split.thing, { env, owner: ME, predicate, dates }) : null;
  return ending;
}

/** A plan whose subject is neither the user nor a person: "The concert is on 12 December", "Dentist on Friday at 3". */
export function planOf(bare: string, dates: readonly DateMention[], today: string): Fact | null {
  const ahead = dates.filter(
    ({ role, date }) => (role === "on" || role === "by" || role === "expires") && date >= today.slice(0, date.length),
  );
  if (ahead.length === 0) return null;
  const there = THERE_IS.test(bare);
  const words = tidy(
    bare
      .replace(THERE_IS, "")
      .replace(/\s+(?:is|are|will be|takes place|happens)(?: (?:due|at home))?$/i, "")
      .replace(/^the (?=\S)/i, ""),
  );
  if (!words || words.split(" ").length > 12 || (!there && NO_PLAN.test(bare))) return null;
  const finite = /\b(?:was|were|came|went|had|did|got|said|made|took)\b/i.test(words);
  if (finite) return null;
  return finished({ text: words, rel: "plan", whole: true }, ME, datesFor(dates, today), false);
}

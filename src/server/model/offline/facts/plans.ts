// Plans whose subject is neither the user nor a person: "The concert is on 12 December", "Dentist on Friday at 3", "The exam is cancelled".
import { type DateMention, tidy } from "../language/dates.ts";
import { lowerFirst, upperFirst } from "../language/words.ts";
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

const WEATHER =
  /^(?:it|the (?:weather|sun|sky)) (?:is|was|will be|has been)(?: (?:so|very|really|quite|still|just|pretty|too|going to be?))* (?:raining|snowing|pouring|hailing|freezing|boiling|hot|cold|warm|sunny|cloudy|foggy|windy|stormy|wet|dry|lovely|awful|grey|gray|dark|out|shining|nice|beautiful|rain|snow)\b/i;

/** "The dentist appointment is cancelled": a plan whose subject is neither the user nor a person ends or moves. */
export function offOf(bare: string, env: Env, dates: DateMention[]): Ending | null {
  const split = splitThing(bare);
  const predicate = split ? readPredicate(split.predicate, true) : null;
  const ending = split && predicate ? planChange(split.thing, { env, owner: ME, predicate, dates }) : null;
  return ending;
}

/** "Spiders scare me", "Nuts give me hives": what things do to the user. */
export function doneToMe(bare: string): Fact | null {
  const scare = /^(.+?) (?:really |always )?(?:scares?|frightens?|terrif(?:y|ies)|freaks?) me(?: out)?$/i.exec(bare);
  if (scare)
    return finished({ text: `is scared of ${lowered(scare[1]!)}`, rel: "fears", value: lowered(scare[1]!) }, ME, {}, false);
  const give =
    /^(.+?) (?:always )?gives? me ((?:an? )?(?:\w+ )?(?:hives|migraines?|headaches?|rash|heartburn|nightmares|allergic reaction|stomach ache|indigestion|hiccups))$/i.exec(
      bare,
    );
  if (give)
    return finished(
      {
        text: `gets ${give[2]} from ${lowered(give[1]!)}`,
        rel: /allergic/.test(give[2]!) ? "allergy" : "health",
        value: lowered(give[1]!),
      },
      ME,
      {},
      false,
    );
  const make = /^(.+?) (?:always )?makes? me (sick|ill|sneeze|cry|cough|nervous|anxious|happy|sleepy|dizzy)$/i.exec(bare);
  return make && !/^(?:this|that|it|you|your .*|which|what)$/i.test(make[1]!)
    ? finished({ text: `${upperFirst(make[1]!)} make me ${make[2]}`, rel: "health", value: make[1]!, whole: true }, ME, {}, false)
    : null;
}

/** "Spiders" in the middle of a sentence; names keep their capital. */
const lowered = (words: string): string =>
  /^\p{Lu}\p{Ll}+s?$/u.test(words.split(" ")[0]!) && /(?:s|ing)$/.test(words.split(" ")[0]!) ? lowerFirst(words) : words;

/** A plan whose subject is neither the user nor a person: "The concert is on 12 December", "Dentist on Friday at 3". */
export function planOf(bare: string, dates: readonly DateMention[], today: string): Fact | null {
  const ahead = dates.filter(
    ({ role, date }) => (role === "on" || role === "by" || role === "expires") && date >= today.slice(0, date.length),
  );
  if (ahead.length === 0 || WEATHER.test(bare)) return null;
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

// What somebody said: "My friend Nadia told me: …", "Radu said he moved to Split". It may tell a fact about a named speaker, never one about the user.
import type { Env } from "./env.ts";
import type { Ending, Fact, Subject } from "./fact.ts";
import { readStatement } from "./statement.ts";
import { subjectOf, withoutLead } from "./subject.ts";
import { expand } from "../language/contractions.ts";

export interface Speech {
  facts: Fact[];
  endings: Ending[];
}

const SAYS =
  /^(?:has |just |also |recently |always |once |then |never )*(?:said|says|say|told|tells|mentioned|mentions|wrote|writes|texted|emailed|called|claims|claimed|announced|confirmed|admitted|explained|replied|answered|shouted|whispered|let (?:me|us) know|informed|revealed|swears|insists|keeps (?:saying|telling))(?: (?:to )?(?:me|us|everyone|everybody|my \w+|the \w+))*(?: (?:yesterday|today|that night|last (?:week|night|month|year)|this morning|on (?:the phone|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|over (?:lunch|dinner|coffee)))*(?: that)?\s*[,:–—-]*\s*(.*)$/is;
const SPEECH_WORDS = /\bI(?:['’](?:m|ve|ll|d))? [a-z]|\b(?:we|my|our) [a-z]/i;
const QUOTE_FIRST =
  /^([\uE000-\uEFFF])[,.!]?\s*,?\s*(?:(?:said|says|told me|wrote|texted)\s+(.+)|(.+?)\s+(?:said|says|told me|wrote|texted)(?: me)?)$/;

/**
 * Reads a sentence as reported speech. Null: it is none. With no facts: it is speech, and nothing in it is to be kept.
 * @param plain expanded and masked
 */
export function speechOf(plain: string, env: Env): Speech | null {
  const none: Speech = { facts: [], endings: [] };
  const text = withoutLead(plain).text;
  const first = QUOTE_FIRST.exec(text);
  if (first) {
    const words = env.masks.quoted(first[1]!);
    const clause = subjectOf(`${first[2] ?? first[3]!} said`, env);
    return words && clause ? spoken(words, clause.owner, clause.intro, env) : none;
  }
  const clause = subjectOf(text, env);
  const said = clause ? SAYS.exec(clause.predicate) : null;
  if (
    clause &&
    said &&
    clause.owner.kind !== "me" &&
    clause.thing === undefined &&
    !/^(?:called|wrote|writes) (?!me\b|us\b|that\b|to me)/.test(clause.predicate)
  ) {
    env.last = clause.owner;
    const rest = said[1]!.trim();
    const quote = [...rest].map((sign) => env.masks.quoted(sign)).find((words) => words !== null);
    if (quote) return spoken(quote, clause.owner, clause.intro, env);
    if (!rest || /^(?:I|we|you|it|to|hi|hello|so|no|yes|about|goodbye|what|how|if|whether|not|me|us|my|the)\b/i.test(rest))
      return { ...none, facts: clause.intro };
    const inner = readStatement(rest, { ...env, last: clause.owner });
    return {
      facts: [...clause.intro, ...inner.facts.filter((fact) => fact.subject.kind !== "me" || fact.rel.startsWith("relation:"))],
      endings: inner.endings.filter((ending) => ending.subject.kind !== "me"),
    };
  }
  // Any other sentence that holds words of speech: they are nobody's fact, and the sentence around them is about them.
  const quotes = env.masks.quotes(text);
  return quotes.some(({ words }) => SPEECH_WORDS.test(words) && /\s/.test(words)) ? none : null;
}

/** What a named speaker says of themselves. */
function spoken(words: string, speaker: Subject, intro: Fact[], env: Env): Speech {
  const named = speaker.kind === "person" || intro.length > 0;
  if (!named) return { facts: intro, endings: [] };
  const inner = words
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => !sentence.endsWith("?"))
    .map((sentence) => readStatement(expand(sentence.replace(/[.!?]+$/, "")), { ...env, speaker, last: speaker }));
  return { facts: [...intro, ...inner.flatMap(({ facts }) => facts)], endings: inner.flatMap(({ endings }) => endings) };
}

// "It's this, not that", "typo, I meant …", "that's wrong": what was never true, and what is true instead.
import type { Env } from "./facts/env.ts";
import { isFinite } from "./language/verbs.ts";
import type { Fact } from "./facts/fact.ts";
import type { Reading } from "./facts/statement.ts";

export interface Correction {
  /** Words that were wrong, where the sentence names them. */
  old?: string;
  /** Words in their place. */
  fresh?: string;
  /** A whole statement in the place of one. */
  facts?: Fact[];
  /** Nothing in its place: the last thing saved was never true. */
  drop?: boolean;
  /** Marked as a repair ("typo", "I meant", "wrong"); a mere "actually" is only one where the same was said just before. */
  sure: boolean;
}

const MARK =
  "(?:(?:oh|ah|oops|whoops|ups|no|nope|wait|hang on|hold on|sorry|my bad|my mistake|apologies|pardon|correction|typo|erratum|edit|actually|well|hm+|argh|ugh|damn|sorry about that|I (?:made a (?:typo|mistake)|misspoke|mistyped|misspelt(?: (?:it|that))?|misspelled(?: (?:it|that))?|was wrong|got (?:it|that) wrong|wrote (?:it|that) wrong)|wrong (?:name|word|date|place|person|one|number|day|city|way round)|that (?:is|was) (?:a typo|wrong|incorrect|not right|not correct|a mistake|misspelt|misspelled|my mistake)|small correction|quick correction|let me correct (?:that|myself)|to correct (?:that|myself)|I have to correct (?:that|myself)|let me rephrase)\\b[\\s,:;.!*–—-]*)";
const MEANT =
  "(?:(?:I (?:meant|mean|meant to (?:say|write|type)|wanted to (?:say|write))|it (?:is|was|should (?:be|say|read|have been))(?: (?:actually|really|spelled|spelt|called|written))?|that (?:is|should be|should read)|make (?:that|it)|make it|rather|read|it is)(?: of course| obviously| instead)?\\s+(?:that )?)";
const END = "(?:,? (?:instead|of course|obviously|sorry|please|my bad|typo))*$";
const LEAD = new RegExp(`^${MARK}*`, "i");
const MEANT_NOT = new RegExp(`^${MEANT}(.+?),? (?:and )?(?:not|rather than|instead of) (.+?)${END}`, "i");
const MEANT_THIS = new RegExp(`^${MEANT}(.+?)${END}`, "i");
const clean = (words: string): string =>
  words
    .replace(/^(?:to (?:say|write) )/, "")
    .replace(/[\s.,;:!]+$/, "")
    .trim();

const strong = (lead: string): boolean =>
  /\b(?:sorry|typo|correction|oops|whoops|mistake|misspoke|mistyped|missp|wrong|incorrect|not right|meant|no|wait|edit|erratum|apologies)\b/i.test(
    lead,
  );

/** Reads a correction, or null. `read` reads a statement. */
export function correctionOf(plain: string, env: Env, read: (text: string) => Reading): Correction | null {
  const lead = LEAD.exec(plain)?.[0] ?? "";
  const rest = plain.slice(lead.length).trim();
  const sure = strong(lead);
  const unmask = (words: string): string => env.masks.unmask(clean(words));
  const pair = (old: string, fresh: string, certain: boolean): Correction => ({
    old: unmask(old),
    fresh: unmask(fresh),
    sure: certain,
  });
  if (rest === "")
    return /\b(?:wrong|incorrect|not right|not correct|mistake|misspoke)\b/i.test(lead) &&
      !/^\s*(?:my (?:bad|mistake)|sorry)\W*$/i.test(lead)
      ? { drop: true, sure: true }
      : null;
  if (
    /^(?:that|it|this) (?:is|was) (?:not true|wrong|false|never true|incorrect|nonsense)$/i.test(rest) ||
    /^(?:forget|ignore|scratch|strike|undo|scrap) (?:that|what I (?:just )?said)$/i.test(rest)
  )
    return { drop: true, sure: true };
  let match = MEANT_NOT.exec(rest);
  if (match) return pair(match[2]!, match[1]!, true);
  match =
    /^(?:it is|it was|that is|I am|that was) not (.+?)(?:,|;| -| –|\.| but)+ (?:but |it is |it was |rather |I am )*(.+)$/i.exec(
      rest,
    );
  if (match && (sure || /^(?:it|that)/i.test(rest))) return pair(match[1]!, match[2]!, true);
  match = /^not (.+?)(?:,|;| -| –|\.| but)+ (?:but |it is |rather |I meant )*(.+)$/i.exec(rest);
  if (match) return pair(match[1]!, match[2]!, true);
  match =
    /^I (?:said|wrote|typed|told you) (.+?)(?:,| but|, but| and|, and) (?:I )?(?:meant|it is|should have (?:said|written)|it should be|actually meant|it was)(?: to (?:say|write))? (.+)$/i.exec(
      rest,
    );
  if (match) return pair(match[1]!, match[2]!, true);
  match = /^(?:please )?(?:replace|change|correct|fix|rename) (.+?) (?:with|to|by|into) (.+)$/i.exec(rest);
  if (match && !/^(?:the (?:font|color|colour|text|code|file)|this|it|your)\b/i.test(match[1]!))
    return pair(match[1]!, match[2]!, true);
  // "Simba, not Simbba."
  match = /^([^,;:]{1,40}?),? not ([^,;:]{1,40})$/.exec(rest);
  if (
    match &&
    match.slice(1).every((part) => part.split(" ").length <= 4 && !part.split(" ").some((word) => isFinite(word))) &&
    !/^(?:I|my|we|why|of course|certainly|definitely|absolutely|probably|maybe|if|or|but|and|please|today|now|really)\b/i.test(
      rest,
    ) &&
    !/^(?:now|today|yet|really|sure|at all|that|much|bad|so|too|very|me|you|even)\b/i.test(match[2]!)
  )
    return pair(match[2]!, match[1]!, true);
  match = /^(?:it is |that is )?(?:spelled|spelt|written) (.+?)(?:,? not (.+))?$/i.exec(rest);
  if (match) return match[2] ? pair(match[2], match[1]!, true) : { fresh: unmask(match[1]!), sure: true };
  match =
    /^(\S+(?: \S+){0,4}?) (?:should (?:be|read|have been)|was meant to be|is (?:really|actually|wrong,? it is)) (.+)$/i.exec(
      rest,
    );
  if (
    match &&
    (sure || /^\p{Lu}/u.test(match[1]!)) &&
    !/^(?:I|It|That|This|You|We|He|She|They|There|Everything|My|The)$/.test(match[1]!)
  )
    return pair(match[1]!, match[2]!, sure);
  const statement = statementCorrection(rest, sure, lead, env, read);
  if (statement) return statement;
  match = MEANT_THIS.exec(rest);
  if (
    match &&
    (sure ||
      /^(?:I mean|it should (?:be|read|say))/i.test(rest) ||
      (/\b(?:actually|well|hm+)\b/i.test(lead) && /^(?:(?:on|in|at|from|with) )?(?:the )?[\p{Lu}\d]/u.test(match[1]!))) &&
    match[1]!.split(" ").length <= 8 &&
    !/^(?:it|that|this|what I said|no|yes|you|well|business)$/i.test(clean(match[1]!))
  )
    return { fresh: unmask(match[1]!), sure: true };
  // "*Biscuit", "Typo: Biscuit", "Sorry, Biscuit."
  if (/\b(?:typo|misspelt|misspelled|mistyped|correction)\b/i.test(lead) && rest.split(" ").length <= 4)
    return { fresh: unmask(rest), sure: true };
  if (
    /^(?:no|nope|oops|argh|sorry|whoops)\W*$/i.test(lead) &&
    /^[\p{Lu}\d]\S*(?: \S+){0,3}$/u.test(clean(rest)) &&
    !/^(?:I|The|That|This|It|Thanks|Thank|Not|Please|Never|We|You)\b/.test(rest)
  )
    return { fresh: unmask(rest), sure: false };
  // "No, blue."
  if (
    /^(?:no|nope|wait|no wait|oops|sorry|sorry no|no sorry)\W*$/i.test(lead.trim()) &&
    /^\p{Ll}{3,}(?: \p{Ll}{3,})?$/u.test(clean(rest)) &&
    !NO_VALUE.test(rest)
  )
    return { fresh: unmask(rest), sure: false };
  // "Subaru, sorry."
  const after = /^(\p{Lu}[^,]{0,40}|\d[^,]{0,20}),? (?:sorry|typo|my bad|my mistake|oops)$/iu.exec(plain.trim())?.[1];
  if (after && after.split(" ").length <= 4 && !/^(?:I|so|no|oh|very|really|not|yes|we|am)\b/i.test(after))
    return { fresh: unmask(after), sure: false };
  match = /^\*\s*(.+)$/.exec(plain);
  return match && match[1]!.split(" ").length <= 4 ? { fresh: unmask(match[1]!.replace(/\*$/, "")), sure: true } : null;
}

const NO_VALUE =
  /^(?:thanks?|thank you|please|never|not|nothing|really|problem|worries|way|idea|need|more|longer|stop|wait|sorry|that|this|it|you|yes|maybe|later|tomorrow|today|now|just|only|leave|forget|keep|save|good|fine|bad|wrong|right|okay|and|but|because|what|who|where|when|how|why|so|do|does|don|can|for)\b/i;

const NOW = /\b(?:now|nowadays|these days|currently|any ?more|no longer|since (?!when)\S|as of|from (?:now|today)|starting)\b/i;

const SUBJECT = /^(?:I|[Tt]he|[Mm]y|[Ww]e|[Oo]ur|[Hh]e|[Ss]he|[Tt]hey|[Hh]is|[Hh]er|[Tt]heir|\p{Lu}[\p{L}'’-]+(?:'s)?)\b/u;

/** "Correction: my dog is called Rex", "Actually I live in Porto, not Lisbon". */
function statementCorrection(
  rest: string,
  sure: boolean,
  lead: string,
  env: Env,
  read: (text: string) => Reading,
): Correction | null {
  const not =
    /^(.+?),? (?:and )?not (?!only|just|really|to |because|a fan|any ?more|sure|yet|so\b|very\b|at\b|in the|on |even)([^,]+)$/i.exec(
      rest,
    );
  if (!SUBJECT.test(rest)) return null;
  if (
    not &&
    !/\bbut$/i.test(not[1]!) &&
    !/\b(?:is|am|are|was|were|do|does|did|have|has|can|will|would|could|should)$/i.test(not[1]!)
  ) {
    const facts = read(not[1]!).facts;
    if (facts.length === 1)
      return { old: env.masks.unmask(clean(not[2]!.replace(/^(?:in|at|to|with|as|on) /, ""))), facts, sure };
  }
  if (lead.trim() === "") return null;
  const meant = rest.replace(/^I (?:meant|mean) (?:that )?/i, "");
  if (meant !== rest && !SUBJECT.test(meant)) return null;
  // "Actually, he works at Bosch now": it was true until now.
  if (!sure && NOW.test(rest)) return null;
  const facts = read(meant).facts;
  return facts.length > 0 && (sure || /\b(?:actually|well)\b/i.test(lead))
    ? { facts, sure: sure && !/^\s*(?:no|sorry)\W*$/i.test(lead) }
    : null;
}

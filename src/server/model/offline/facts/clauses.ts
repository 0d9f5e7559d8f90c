// Cuts a sentence into clauses with a subject each: "I live in Kochi, work at Tidewater Press and have a parrot" are three.
import { type DateMention } from "../language/dates.ts";
import { taggedVerb } from "../language/tagger.ts";
import { NOUNISH_VERBS } from "../language/verb-table.ts";
import { baseOfIng, baseOfThird, isAuxiliary, isBaseVerb, isFinite, isPast } from "../language/verbs.ts";
import { nameAt } from "./heads.ts";
import { canBeName } from "./lexicon.ts";
import type { Env } from "./env.ts";
import { personByName } from "./env.ts";
import { splitThing, subjectOf, withoutLead } from "./subject.ts";

const JOINT =
  /\s*[,;]\s+(?:(?:and|but|while|plus|then|so|or|yet)\s+)?(?:also\s+(?=I\b))?|\s+(?:and|but|while|whereas|plus|yet)\s+(?:also\s+(?=I\b|my\b))?|\s*[:–—]\s+|\s+-\s+|\.\s+/g;
const ADVERB =
  /^(?:also|then|sometimes|often|usually|always|never|currently|now|still|really|recently|just|both|absolutely|sadly)\s+/i;
const OBJECT_NEXT =
  /^(?:(?:an?|the|my|our|his|her|their|at|in|on|to|for|with|as|from|about|into|every|each|some|no|it|them|him|two|three|four|both|all|not)$|\d|\p{Lu}|\p{Ll}+ing$)/u;

/** Clauses in order, each with its own subject words; `dates` are those of the whole sentence. */
export function clausesOf(sentence: string, env: Env, dates: readonly DateMention[]): string[] {
  const clauses: string[] = [];
  let current = sentence;
  let from = 0;
  JOINT.lastIndex = 0;
  for (;;) {
    JOINT.lastIndex = from;
    const joint = JOINT.exec(current);
    if (!joint) break;
    const head = current.slice(0, joint.index);
    const rest = current.slice(joint.index + joint[0].length);
    const next = /[,(]\s*$/.test(head) ? null : beginning(head, joint[0], rest, env, dates);
    if (next === null) {
      from = joint.index + joint[0].length;
      continue;
    }
    clauses.push(head);
    current = next;
    from = leadLength(next, rest);
  }
  clauses.push(current);
  return clauses.map((clause) => clause.trim()).filter(Boolean);
}

const leadLength = (next: string, rest: string): number => Math.max(0, next.length - rest.length);

/** The rest as a clause of its own, with the subject it shares; null where it only goes on with what stands before. */
function beginning(head: string, joint: string, rest: string, env: Env, dates: readonly DateMention[]): string | null {
  if (/^(?:I|[Ww]e)(?:,? (?:also|both|all|myself))? \p{L}/u.test(withoutLead(rest).text))
    return /\b(?:that|because|if|when|while|where|since|until|think|guess|hope|said|says|know|told)\s*$/i.test(head) ||
      (/\band\s*$/.test(joint) && !saysSomething(head, env, dates))
      ? null
      : rest;
  const own = ownSubject(rest, env);
  if (own !== null) return own && saysSomething(head, env, dates) ? rest : null;
  if (
    /^(?:what|where|when|who|how|which|why)\b.*\b(?:do|does|did|is|are|can|could|should|would|will)\b/i.test(rest) &&
    /^(?:I|My|We)\b/.test(withoutLead(head).text)
  )
    return null;
  const subject = subjectWords(head, env, dates);
  if (subject === null) return null;
  const { prefix, predicate, first } = subject;
  const not =
    /^not (?!any ?more|any longer|only|just|really|to|because|when|if|that|even|much|always|every|an? fan)(?:an? (?=\S))?(.+)$/.exec(
      rest,
    );
  if (not) return negated(prefix, predicate, rest.slice(4), first);
  // "fish but no meat"
  const no = /\bbut\s*$/i.test(joint) ? /^no (.+)$/.exec(rest) : null;
  if (no && !/^(?:longer|one|more|idea|way)\b/.test(no[1]!)) return negated(prefix, predicate, no[1]!, first);
  const words = rest.replace(ADVERB, "");
  const [word = "", next = ""] = words.replace(/[,;]/g, " ").split(/\s+/);
  const copula = /^(?:am|is|are|was|were) /.exec(predicate)?.[0] ?? "";
  if (copula && baseOfIng(word) && baseOfIng(predicate.slice(copula.length).split(" ")[0]!)) return `${prefix}${copula}${rest}`;
  if (copula && joinsState(predicate.slice(copula.length), rest)) return `${prefix}${copula}${rest}`;
  return startsWithVerb(word, next, first, predicate, words, env) ? `${prefix}${rest}` : null;
}

/** Whether a head is a clause already; a bare name ("Ana and Tom are coming") is none. */
const saysSomething = (head: string, env: Env, dates: readonly DateMention[]): boolean =>
  subjectWords(head, env, dates) !== null || head.split(" ").some((word, i) => i > 0 && isFinite(word));

/** true: a subject of its own; false: looks like one and is not; null: none. */
function ownSubject(rest: string, env: Env): boolean | null {
  const bare = withoutLead(rest).text;
  if (/^(?:he|she|they|it|this|that|there|everyone|people)\b/i.test(bare))
    return isFinite(bare.split(/\s+/)[1] ?? "") || /^(?:he|she|they) [a-z]/i.test(bare);
  const mine = /^(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Tt]he) (.+)$/.exec(bare);
  if (mine) {
    const split = splitThing(mine[1]!);
    return (
      split !== null &&
      !/[,;]|\b(?:and|but|to|for|with|in|that|who)\b/.test(split.thing.replace(/\b(?:in|of|at|with) [\p{L} ]+$/u, ""))
    );
  }
  const words = bare.split(" ");
  const name = nameAt(words, 0);
  const verb = (name && words[name.end]) ?? "";
  if (
    name &&
    name.tail === "" &&
    (canBeName(name.name.split(" ")[0]!) || personByName(env.people, name.name)) &&
    (isFinite(verb) || /^(?:also|never|always|often|sometimes)$/.test(verb))
  )
    return true;
  return null;
}

function subjectWords(
  head: string,
  env: Env,
  dates: readonly DateMention[],
): { prefix: string; predicate: string; first: boolean } | null {
  const lead = dates.find(({ index, text }) => index <= 1 && head.startsWith(text));
  const undated = lead ? head.slice(lead.text.length).replace(/^[\s,]+/, "") : head;
  const { text } = withoutLead(undated);
  const clause = subjectOf(text, env);
  if (!clause || clause.other) return null;
  const words = text.slice(0, text.length - clause.predicate.length);
  return {
    prefix: `${lead ? `${lead.text}, ` : ""}${words}`,
    predicate: clause.predicate,
    first: /^(?:I|We|we)\b|\band I\b|^They|^they/.test(text),
  };
}

function negated(prefix: string, predicate: string, rest: string, first: boolean): string {
  const copula = /^(?:am|is|are|was|were) (?:also |both )?/.exec(predicate)?.[0];
  if (copula) {
    const article = /^(?:am|is|are) (an?) /.exec(predicate);
    const head =
      /^(?:am|is|are) ((?:allergic|afraid|scared|interested|intolerant|fond) (?:to|of|in) )/.exec(predicate)?.[1] ?? "";
    return `${prefix}${copula}not ${head}${article && !/^(?:an?|the) /.test(rest) && !head ? "" : ""}${rest}`;
  }
  const can = /^(?:can|could|will|would) (\S+)/.exec(predicate);
  if (can) return `${prefix}cannot ${can[1]} ${rest}`;
  const word = predicate.replace(ADVERB, "").split(" ")[0]!;
  const base = first ? word : (baseOfThird(word) ?? word);
  return `${prefix}${first ? "do" : "does"} not ${base} ${rest}`;
}

const STATE =
  /^(?:an? |not |from |born |allergic |afraid |scared |married|single|divorced|vegan|vegetarian|left-handed|right-handed|colou?r-?blind|lactose|diabetic|deaf|\d+ years|good at|bad at|interested in|into )/;
/** "vegan and left-handed", "38 and married": states behind one copula. Two professions stay together. */
function joinsState(before: string, rest: string): boolean {
  if (/^an? /.test(before) && /^an? /.test(rest)) return false;
  if (
    /^(?:an? .*|[\p{L}-]+|\d+(?: years old)?|(?:allergic|from|born|afraid|scared|good|bad|married|engaged) .*)$/u.test(before) &&
    STATE.test(rest)
  )
    return true;
  return /^[\p{Ll}-]+$/u.test(before) && /^[\p{Ll}-]+$/u.test(rest) && !/^(?:well|so|then|up|down|out|all)$/.test(rest);
}

function startsWithVerb(word: string, next: string, first: boolean, predicate: string, rest: string, env: Env): boolean {
  const lower = word.toLowerCase();
  if (word !== lower || !word) return false;
  const object = OBJECT_NEXT.test(next);
  const list = /\b(?:to|can|cannot|could|will|would|should)\s+\p{Ll}+/u.test(predicate) && !object;
  if (first) {
    if (/^(?:am|have|do|can|cannot|will|would|live|are)$/.test(lower)) return next !== "";
    if (isBaseVerb(lower))
      return NOUNISH_VERBS.has(lower)
        ? object || (next !== "" && !list && knownObject(lower, next))
        : next !== "" || /^(?:live|write|eat|go|speak)$/.test(lower);
  } else {
    if (isAuxiliary(lower) && !/^(?:could|may|might)$/.test(lower)) return next !== "";
    const base = baseOfThird(lower);
    if (base && isBaseVerb(base)) return NOUNISH_VERBS.has(base) ? object || (next !== "" && knownObject(base, next)) : true;
  }
  if (isPast(lower)) return object || isPast(predicate.split(" ")[0]!);
  if (object && !isBaseVerb(lower) && /^\p{Ll}{3,}$/u.test(word))
    return env.tagger === true && askTagger(word, next) && taggedVerb(`I ${rest}`, word) === true;
  return false;
}

/** Verbs of taste and habit take a bare noun: "hate coriander", "play chess", "drink tea". */
const knownObject = (verb: string, next: string): boolean =>
  /^(?:love|like|hate|play|drink|eat|need|study|collect|work|cook|own|walk|run|swim|cycle|use|support|practice|coach|sail|climb)$/.test(
    verb,
  ) &&
  /^\p{Ll}/u.test(next) &&
  !/^(?:and|or|but|of|boots|shoes|cards|books?)$/.test(next);

/** Whether a word at a possible start of a clause is one that only the tagger can judge. */
const askTagger = (word: string, next: string): boolean =>
  /^\p{Ll}{3,}$/u.test(word) &&
  !isBaseVerb(word) &&
  !isFinite(word) &&
  !isAuxiliary(word) &&
  !OBJECT_NEXT.test(word) &&
  /^(?:an?|the|my|at|in|to|with)$/.test(next) &&
  !/(?:ly|ing|ion|ness|ment|ity|s)$/.test(word) &&
  !STOPPERS.has(word);

/** Whether reading a message well takes the tagger; loading it costs half a second, once. */
export function needsTagger(message: string): boolean {
  if (message.length > TAGGER_MAX_CHARS || !/\b(?:I|my)\b/i.test(message)) return false;
  for (const joint of message.matchAll(new RegExp(JOINT))) {
    const [word = "", next = ""] = message
      .slice(joint.index + joint[0].length)
      .replace(ADVERB, "")
      .split(/\s+/, 2);
    if (askTagger(word, next)) return true;
  }
  return false;
}

/** A message longer than this is a story: its unknown words are not worth the tagger. */
const TAGGER_MAX_CHARS = 600;
const STOPPERS = new Set(
  "not what where when who how which why because since until unless although though even only now but and nor near next two three four five six seven eight nine ten one none both some any more most just then there here than like inside outside behind above below".split(
    " ",
  ),
);

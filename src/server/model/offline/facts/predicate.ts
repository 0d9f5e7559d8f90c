// Brings what is said of a subject into one form: third person, without words that add nothing, with its tense named.
import { baseOfIng, isPast, isBaseVerb, thirdPerson } from "../language/verbs.ts";
import { tidy } from "../language/dates.ts";

export type Tense = "present" | "progressive" | "past" | "perfect" | "future" | "modal";

export interface Predicate {
  /** "lives in Graz", "does not eat pork", "is building a sauna". */
  text: string;
  tense: Tense;
  negative: boolean;
  /** "also", "too": another value beside the one that is there. */
  additive: boolean;
  /** "now", "new", "these days": something before it may have ended. */
  fresh: boolean;
  /** "still": confirms what is known. */
  still: boolean;
}

const EMPTY =
  /^(?:also|really|actually|currently|now|presently|just|only|basically|generally|still|recently|already|finally|simply|certainly|definitely|honestly|kind of|sort of|absolutely|totally|literally|happily|sadly|then|both|all|myself|personally|probably)\s+/i;
const FREQUENCY =
  /^(?:always|usually|often|sometimes|rarely|never|mostly|mainly|normally|occasionally|hardly ever|seldom|regularly|frequently)\s+/i;
const ADDITIVE = /\b(?:also|too|as well|in addition|on the side|besides)\b/i;
const TAIL =
  /(?:,?\s+(?:too|as well|now|these days|nowadays|at the moment|at present|currently|right now|though|actually|of course|by the way|btw|you know|I think|I guess|lol|haha|anyway|also|if that helps|if you must know|for what it's worth|as (?:I|you) (?:said|know)|as it happens|in fact|in case you wondered|so far|to be honest|you see|again|already))+\s*$/i;

/** `longAgo`: a day that is not ahead stands beside it. Reads a predicate of the first (`I`, `we`, `they`) or third person. */
export function readPredicate(said: string, thirdAlready: boolean, longAgo = false): Predicate {
  const fresh = /\b(?:now|these days|nowadays|from now on|new)\b/i.test(said);
  const additive = ADDITIVE.test(said);
  const still = /\bstill\b/i.test(said);
  let words = trimmedTail(said);
  while (EMPTY.test(words)) words = words.replace(EMPTY, "");
  const { text, tense, negative } =
    longAgo && SAME_PAST.test(words) ? { text: words, tense: "past" as const, negative: false } : inThird(words, thirdAlready);
  return { text: tidy(text), tense, negative, additive, fresh, still };
}

function trimmedTail(said: string): string {
  let words = tidy(said.replace(/[.!…]+$/, ""));
  for (let again = true; again;) {
    const shorter = words.replace(TAIL, "").replace(/[\s,]+$/, "");
    again = shorter !== words && shorter !== "";
    if (again) words = shorter;
  }
  return words;
}

/** Verbs whose past looks like their base: a day tells which it is. */
const SAME_PAST = /^(?:split|quit|cut|put|hit|set|let|bet|shut|spread|hurt|read|upset|cost)\b/;
export const canBePast = (said: string): boolean => SAME_PAST.test(said);

const strip = (words: string): string => {
  let out = words;
  while (EMPTY.test(out)) out = out.replace(EMPTY, "");
  return out;
};

function inThird(words: string, third: boolean): { text: string; tense: Tense; negative: boolean } {
  const frequency = FREQUENCY.exec(words);
  if (frequency) {
    const inner = inThird(strip(words.slice(frequency[0].length)), third);
    const adverb = frequency[0].trim().toLowerCase();
    return { ...inner, text: `${adverb} ${inner.text}`, negative: inner.negative || /never|hardly|rarely|seldom/.test(adverb) };
  }
  const [head = "", ...others] = words.split(" ");
  const rest = strip(others.join(" "));
  const word = head.toLowerCase();
  if (word === "no" && /^longer\s/.test(rest))
    return { ...inThird(rest.slice(7), third), text: `no longer ${inThird(rest.slice(7), third).text}`, tense: "present" };
  // "My favourite authors are …": a plural thing keeps its verb.
  if (/^(?:am|are|is|be)$/.test(word)) return copula(rest, third && word === "are" ? "are" : "is");
  if (word === "used" && /^to\s/.test(rest)) return { text: `used ${rest}`, tense: "past", negative: false };
  if (/^(?:was|were)$/.test(word)) return { text: `was ${rest}`, tense: "past", negative: /^(?:not|never)\b/.test(rest) };
  if (/^(?:have|has)$/.test(word)) {
    const never = /^(?:not|never)\s+/i.exec(rest);
    const participle = strip(rest.slice(never?.[0].length ?? 0)).split(" ")[0] as string;
    const perfect = isPastParticiple(participle);
    if (/^to\b/.test(rest)) return { text: `has ${rest}`, tense: "modal", negative: false };
    if (never && /^not/i.test(never[0]) && !perfect)
      return { text: `does not have ${strip(rest.slice(never[0].length))}`, tense: "present", negative: true };
    return {
      text: `has ${never ? never[0].toLowerCase() : ""}${strip(rest.slice(never?.[0].length ?? 0))}`,
      tense: perfect ? "perfect" : "present",
      negative: Boolean(never) || /^no\s/.test(rest),
    };
  }
  if (word === "had") return { text: `had ${rest}`, tense: "past", negative: /^(?:not|never)\b/.test(rest) };
  if (/^(?:do|does)$/.test(word) && /^not\b/.test(rest))
    return { text: `does ${rest.replace(/^not (?:really|actually|even|usually) /, "not ")}`, tense: "present", negative: true };
  if (word === "did" && /^not\b/.test(rest)) return { text: `did ${rest}`, tense: "past", negative: true };
  if (word === "will" || word === "shall")
    return { text: `will ${rest}`, tense: "future", negative: /^(?:not|never)\b/.test(rest) };
  if (/^(?:can|cannot|could|would|should|must|may|might)$/.test(word))
    return { text: `${word} ${rest}`, tense: "modal", negative: word === "cannot" || /^not\b/.test(rest) };
  if (isPast(head) && (word === "quit" || !(isBaseVerb(word) && !third)))
    return { text: `${word} ${rest}`, tense: "past", negative: false };
  return { text: `${third ? word : thirdPerson(word)} ${rest}`, tense: "present", negative: false };
}

function copula(rest: string, verb: string): { text: string; tense: Tense; negative: boolean } {
  const not = /^(?:not|never)\s+/i.exec(rest);
  const after = strip(rest.slice(not?.[0].length ?? 0));
  const text = `${verb} ${not ? "not " : ""}${after}`;
  const negative = Boolean(not);
  if (
    /^(?:going to|about to|due to|planning to|meant to|supposed to) (?!an?\b|the\b|my\b|our\b|his\b|her\b|their\b|this\b|some\b|bed\b|church\b|school\b|work\b|university\b)\p{Ll}/u.test(
      after,
    )
  )
    return { text, tense: "future", negative };
  return { text, tense: baseOfIng(after.split(" ")[0] as string) ? "progressive" : "present", negative };
}

function isPastParticiple(word: string): boolean {
  if (!word || /^(?:red|bed|seed|weed|shed|sled|steed|left|set|cut|hit|bad|hundred)$/.test(word)) return false;
  return (
    word === "been" ||
    isPast(word) ||
    /^(?:gone|done|seen|eaten|taken|given|written|driven|known|grown|flown|spoken|broken|chosen|forgotten|worn|begun|swum|sung|drunk|run|come|become|read|put|quit|met|won|sold)$/.test(
      word,
    )
  );
}

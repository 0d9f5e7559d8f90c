// Forms of English verbs: third person, past, base. Knows the verb table and the spelling rules, nothing of sentences.
import { BASE_OF_PARTICIPLE, BASE_OF_PAST, KNOWN_VERBS, PAST_OF } from "./verb-table.ts";

const VOWEL_Y = /[aeiou]y$/;
const HISSING = /(?:s|sh|ch|x|z|o)$/;

/** `live` → `lives`, `study` → `studies`, `have` → `has`. */
export function thirdPerson(base: string): string {
  const word = base.toLowerCase();
  if (word === "be") return "is";
  if (word === "have") return "has";
  if (/[^aeiou]y$/.test(word)) return `${base.slice(0, -1)}ies`;
  return HISSING.test(word) ? `${base}es` : `${base}s`;
}

/** `live` → `lived`, `go` → `went`. */
export function pastOf(base: string): string {
  const word = base.toLowerCase();
  const irregular = PAST_OF.get(word);
  if (irregular) return irregular;
  if (word.endsWith("e")) return `${word}d`;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ied`;
  if (/^(?:[^aeiou]*[aeiou][bdgklmnprt])$/.test(word) && !VOWEL_Y.test(word)) return `${word}${word.at(-1)}ed`;
  return `${word}ed`;
}

/** Base of a third person form (`teaches` → `teach`), or null where the word cannot be one. */
export function baseOfThird(word: string): string | null {
  const w = word.toLowerCase();
  if (w === "is" || w === "are" || w === "am") return "be";
  if (w === "has") return "have";
  if (w === "does") return "do";
  if (w.length < 3 || !w.endsWith("s") || w.endsWith("ss") || w.endsWith("us")) return null;
  const plain = w.slice(0, -1);
  if (KNOWN_VERBS.has(plain)) return plain;
  if (w.endsWith("ies") && w.length > 4) return `${w.slice(0, -3)}y`;
  if (w.endsWith("es") && HISSING.test(w.slice(0, -2))) return w.slice(0, -2);
  return plain;
}

const undouble = (stem: string): string => (/([bdgklmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem);

function regularBase(stem: string): string {
  for (const candidate of [stem, `${stem}e`, undouble(stem)]) if (KNOWN_VERBS.has(candidate)) return candidate;
  if (/[^aeiou][aeiou]([bdgklmnprt])\1$/.test(stem)) return undouble(stem);
  return stem;
}

/** Base of a past form (`gave` → `give`, `finished` → `finish`), or null. */
export function baseOfPast(word: string): string | null {
  const w = word.toLowerCase();
  const irregular = BASE_OF_PAST.get(w);
  if (irregular) return irregular;
  if (w.length < 4 || !w.endsWith("ed") || w === "need" || w === "feed" || w === "speed" || w === "breed") return null;
  if (w.endsWith("ied")) return `${w.slice(0, -3)}y`;
  return regularBase(w.slice(0, -2));
}

/** Base of an -ing form (`living` → `live`), or null. */
export function baseOfIng(word: string): string | null {
  const w = word.toLowerCase();
  if (
    w.length < 5 ||
    !w.endsWith("ing") ||
    /^(?:thing|king|bring|spring|string|evening|morning|nothing|something|anything|everything|sing|ring)$/.test(w)
  )
    return null;
  if (w === "lying") return "lie";
  return regularBase(w.slice(0, -3));
}

/** The base form of a verb in any form, or the word itself. Never changes a word that is no verb that we know, but for a plain -s. */
export function lemma(word: string): string {
  const w = word.toLowerCase();
  if (KNOWN_VERBS.has(w)) return w;
  const third = baseOfThird(w);
  if (third && (KNOWN_VERBS.has(third) || third === "be")) return third;
  if (w === "was" || w === "were" || w === "been" || w === "being") return "be";
  const irregular = BASE_OF_PAST.get(w) ?? BASE_OF_PARTICIPLE.get(w);
  if (irregular) return irregular;
  for (const base of [baseOfPast(w), baseOfIng(w)]) if (base && KNOWN_VERBS.has(base)) return base;
  return w;
}

export const isBaseVerb = (word: string): boolean => KNOWN_VERBS.has(word.toLowerCase());

/** Whether a word can be a past form; words that are also base forms (`read`, `put`) are not taken for one. */
export function isPast(word: string): boolean {
  const w = word.toLowerCase();
  if (KNOWN_VERBS.has(w)) return w === "found" || w === "felt" || w === "left" || w === "quit";
  return BASE_OF_PAST.has(w) || (w.length > 4 && w.endsWith("ed") && baseOfPast(w) !== null);
}

const AUXILIARY = new Set(
  "is are am was were has have had does do did will would can could cannot should must may might shall".split(" "),
);
export const isAuxiliary = (word: string): boolean => AUXILIARY.has(word.toLowerCase());

/** Whether a word behind a name or noun can be its finite verb: an auxiliary, a known verb with -s, or a past form. */
export function isFinite(word: string): boolean {
  const w = word.toLowerCase();
  if (isAuxiliary(w)) return true;
  const base = baseOfThird(w);
  return (base !== null && KNOWN_VERBS.has(base)) || isPast(w);
}

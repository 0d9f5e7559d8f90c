// Which lines answer a question by their words: all that carries meaning in the question must stand in the line, never only something close.
import { hasKinds } from "../facts/lexicon.ts";
import type { Known } from "../knowledge.ts";
import { contentStems, fold, holds, isStop, stem, tokens } from "../language/words.ts";

const WEAK = new Set(
  [
    "have",
    "get",
    "do",
    "go",
    "be",
    "come",
    "live",
    "use",
    "call",
    "name",
    "number",
    "time",
    "current",
    "actual",
    "usual",
    "last",
    "first",
    "new",
    "old",
    "other",
    "else",
    "kind",
    "sort",
    "type",
    "s",
    "happen",
    "day",
    "date",
    "year",
    "month",
    "mean",
    "say",
    "tell",
    "talk",
  ].map((word) => stem(word)),
);
/** "Which mountains have I climbed": the kind of thing asked for, which its line may not name. */
const KIND_ASKED =
  /^(?:which|what)(?: (?:kind|sort|type)s? of)? ((?:[^\s?]+ ){1,3}?)(?:do|does|did|have|has|am|is|are|was|were|can|will) S\b/i;

const NOTHING = new Set(["have", "do", "be", "s", "tell", "say", "talk", "mean", "happen"].map((word) => stem(word)));
/** Nouns that a question uses for a kind of thing; the line names the thing itself. */
const SOFT = new Set(
  "food dish meal drink beverage film book novel author song music band game sport instrument language hobby pastime animal pet vehicle place city country company subject topic person people activity job event color brand model thing team genre plant flower fruit vegetable dessert snack cuisine series show podcast magazine newspaper club church course class degree tool app website language skill task project appointment illness condition disease medicine medication allergy family relative sibling child parent season month weather holiday church religion"
    .split(" ")
    .map((word) => stem(word)),
);

export interface Wanted {
  strong: string[];
  soft: string[];
  /** Verbs and nouns that say nothing when others stand beside them. */
  weak: string[];
  /** That a line must hold too. */
  preposition?: string;
}

const FAVOURITE = stem("favourite");

/** "Since when", "how often": what asks stands in no line. */
const ASKING =
  /^(?:since when|from when|(?:for )?how (?:long|often|far|big|tall|heavy|fast|much|come|good|well)|how many (?:times|hours|days|years)(?: (?:a|per|each) \w+)?|(?:at )?what time|what (?:kind|sort|type) of|on (?:what|which) days?)\b/i;

/** Parts of a question's words. "S" (the subject) counts as nothing. */
export function wantedOf(words: string): Wanted {
  const plain = words.replace(ASKING, " ").replace(/\bS(?:'s)?\b/g, " ");
  const wanted: Wanted = { strong: [], soft: [], weak: [] };
  const kind = new Set(contentStems((KIND_ASKED.exec(words)?.[1] ?? "").trim().split(" ").at(-1) ?? ""));
  const asWeak = /\b(have|has|own|keep|got|live|do)\b/i.exec(plain);
  for (const one of contentStems(plain)) {
    if (kind.has(one) || SOFT.has(one) || kindWord(plain, one)) wanted.soft.push(one);
    else (WEAK.has(one) ? wanted.weak : wanted.strong).push(one);
  }
  // "Who do I live with": all that it says is a verb, which then has to stand in the line, with its preposition.
  if (wanted.strong.length + wanted.soft.length === 0) {
    const told = wanted.weak.filter((word) => !NOTHING.has(word));
    wanted.strong.push(...told);
    const preposition = /\b(with|in|on|for|at|to|about|from)$/i.exec(plain.trim())?.[1];
    if (told.length > 0 && preposition) wanted.preposition = preposition.toLowerCase();
  }
  if (asWeak && wanted.weak.length === 0) wanted.weak.push(stem(asWeak[1]!.toLowerCase()));
  return wanted;
}

function kindWord(plain: string, stemmed: string): boolean {
  return tokens(plain).some(
    (word) =>
      (hasKinds(word) || hasKinds(word.replace(/(?:es|s)$/, "")) || hasKinds(word.replace(/s$/, ""))) && stem(word) === stemmed,
  );
}

const kindStems = new WeakMap<ReadonlySet<string>, Set<string>>();
function kindsStemmed(kinds: ReadonlySet<string>): Set<string> {
  let found = kindStems.get(kinds);
  if (!found) kindStems.set(kinds, (found = new Set([...kinds].map((word) => stem(word)))));
  return found;
}

/** What is driven or ridden need only be had. */
const isDriven = (one: Known, wanted: string): boolean =>
  (wanted === "drive" || wanted === "ride") && one.kinds.has("vehicle") && /^(?:has|owns|my) /.test(one.folded);

export const hasStem = (one: Known, wanted: string): boolean =>
  isDriven(one, wanted) || holds(one.stems, one.folded, wanted) || kindsStemmed(one.kinds).has(wanted);

/** Lines that hold all strong words; among them those that hold the kind of thing asked for, where any does. */
export function matching(lines: readonly Known[], wanted: Wanted): Known[] {
  if (wanted.strong.length + wanted.soft.length === 0) return [];
  const strong = lines.filter(
    (one) =>
      wanted.strong.every((word) => hasStem(one, word)) &&
      (!wanted.preposition || one.folded.split(" ").includes(wanted.preposition)),
  );
  const soft = strong.filter((one) => wanted.soft.every((word) => hasStem(one, word)));
  if (soft.length > 0) return preferWeak(soft, wanted);
  // "What instrument do I play" where "My instrument is the oboe" stands.
  const named =
    wanted.soft.length > 0
      ? lines.filter(
          (one) =>
            one.fact.rel.startsWith("attr:") &&
            wanted.soft.every((word) =>
              one.fact.rel
                .slice(5)
                .split(" ")
                .some((part) => stem(part) === word),
            ),
        )
      : [];
  if (named.length > 0 && strong.length === 0) return named;
  // "My favourite book" where only a favourite colour is known.
  if (wanted.strong.every((word) => word === FAVOURITE)) return [];
  return wanted.strong.length > 0 ? preferWeak(strong, wanted) : [];
}

const preferWeak = (lines: Known[], wanted: Wanted): Known[] => {
  const better = lines.filter((one) => wanted.weak.every((word) => hasStem(one, word)));
  return better.length > 0 && better.length < lines.length && wanted.strong.length === 0 ? better : lines;
};

/** Lines that hold what a question is about, its verb aside: "How often do I go to the climbing gym" where "Climbs at the climbing gym" stands. */
export function loosely(lines: readonly Known[], words: string): Known[] {
  const rest = words
    .replace(
      /\b(?:do|does|did|am|is|are|was|were|have|has|had|can|could|will|would|should|must) S(?!'s) (?:(?:still|ever|usually|always|often|really|currently|not) )*\S+/i,
      " ",
    )
    .replace(/^(?:what|which) \S+(?= )/i, " ");
  if (rest === words) return [];
  const wanted = wantedOf(rest);
  const nouns = [...wanted.strong, ...wanted.soft];
  return wanted.strong.length > 0 ? lines.filter((one) => nouns.every((word) => hasStem(one, word))) : [];
}

/** Whether a text stands in a line word by word, in any order; for topics. */
export function topicHits(lines: readonly Known[], topic: string): Known[] {
  const stems = contentStems(topic).filter((word) => !isStop(word));
  const folded = fold(topic).trim();
  const names = stems.length > 0 ? stems : tokens(topic);
  if (names.length === 0) return [];
  const hits = lines.filter(
    (one) => names.every((word) => hasStem(one, word)) || (folded.length > 1 && one.folded.includes(folded)),
  );
  return hits;
}

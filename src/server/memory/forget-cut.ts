// Cuts a forgotten part out of a longer line where a sentence is left. Pure; what states the fact is the caller's to judge.
import { queryTokens } from "../../shared/words.ts";
import { sentencesOf, type States } from "./redact.ts";

/** Between clauses of one sentence: a semicolon, a comma, a conjunction of the languages that people mix most. */
const BETWEEN =
  /\s*[;；]\s*|\s*[,，、]\s+(?:(?:and|but|und|aber|et|mais|y|pero|e|ma|mas)\s+)?|\s+(?:and|but|und|aber|et|mais|y|pero)\s+/giu;

/** Verbs with which a clause without a subject begins, as entries are written. A closed list: a noun in the plural looks like a verb. */
const VERBS = new Set(
  (
    "is was are were has had have lives lived works worked plays played likes liked loves loved hates hated owns owned uses used drives drove speaks spoke goes went wants wanted needs needed runs ran " +
    "studies studied reads eats drinks cooks keeps kept teaches taught learns learned writes wrote sings paints collects prefers avoids takes took makes made shares visits visited plans moved moves met " +
    "married grew born sleeps swims rides volunteers leads manages sells buys bought repairs enjoys fears knows feels thinks calls called trains rents pays earns weighs stands " +
    "ist war hat hatte wohnt lebt arbeitet spielt mag liebt hasst besitzt fährt spricht est était a avait vit habite travaille joue aime déteste possède parle es era tiene tenía vive trabaja juega ama odia habla"
  ).split(" "),
);

/** Whether what stood behind a cut clause can stand alone: it begins with a verb or a name. */
function standsAlone(clause: string): boolean {
  const first = /^[\p{L}\p{M}]+/u.exec(clause)?.[0] ?? "";
  return VERBS.has(first.toLowerCase()) || /^\p{Lu}/u.test(first);
}

const says = (text: string): boolean => queryTokens(text).length > 0 && /[\p{L}\p{N}]/u.test(text);

/** The sentence and each of its clauses: a "not" in another clause does not deny this one. */
export function clausesOf(sentence: string): string[] {
  const clauses = sentence.split(BETWEEN).filter((clause) => clause.trim() !== "");
  return clauses.length > 1 ? [sentence, ...clauses] : [sentence];
}

/** What becomes of a text of which a part is forgotten. `whole`: it says that and nothing else; `stuck`: nothing that stands alone would be left. */
export type Cut = { kind: "whole" } | { kind: "cut"; left: string; gone: string } | { kind: "stuck" };

function cutClauses(sentence: string, states: States): Cut {
  const clauses: { text: string; gap: string }[] = [];
  let at = 0;
  let gap = "";
  for (const match of sentence.matchAll(BETWEEN)) {
    clauses.push({ text: sentence.slice(at, match.index), gap });
    gap = match[0];
    at = match.index + match[0].length;
  }
  clauses.push({ text: sentence.slice(at), gap });
  const joined = (list: typeof clauses) =>
    list
      .map(({ text, gap: before }, i) => (i === 0 ? "" : before) + text)
      .join("")
      .trim();
  // The shortest run of clauses that says it; of several that say it each by itself, all.
  for (let length = 1; length < clauses.length; length++) {
    const cut = new Set<number>();
    for (let from = 0; from + length <= clauses.length; from++) {
      if (states(joined(clauses.slice(from, from + length)))) for (let i = from; i < from + length; i++) cut.add(i);
    }
    if (cut.size === 0) continue;
    const left = clauses.filter((_, i) => !cut.has(i));
    const gone = joined(clauses.filter((_, i) => cut.has(i)));
    // Between the clauses that say it stand words without content at most.
    if (!left.some(({ text }) => says(text))) return { kind: "whole" };
    if (cut.has(0) && !standsAlone(left[0]!.text)) return { kind: "stuck" };
    const rest = joined(left);
    const capital = cut.has(0) && /^\p{Lu}/u.test(sentence) ? rest.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : rest;
    return states(capital) ? { kind: "whole" } : { kind: "cut", left: capital, gone };
  }
  return { kind: "whole" };
}

/** Cuts the part of a text that states it. The whole text must state it. */
export function cutPart(text: string, states: States): Cut {
  const parts: string[] = [];
  const gone: string[] = [];
  let at = 0;
  let stuck = false;
  for (const { from, to, text: sentence } of sentencesOf(text)) {
    const between = text.slice(at, from);
    at = to;
    if (!states(sentence)) {
      parts.push(between, sentence);
      continue;
    }
    const cut = cutClauses(sentence, states);
    if (cut.kind === "cut") parts.push(between, cut.left);
    if (cut.kind === "stuck") stuck = true;
    gone.push(cut.kind === "cut" ? cut.gone : sentence);
  }
  const left = parts.join("").trim();
  if (gone.length === 0) return { kind: "whole" };
  if (stuck) return { kind: "stuck" };
  if (!says(left)) return { kind: "whole" };
  return states(left) ? { kind: "stuck" } : { kind: "cut", left, gone: gone.join(" ") };
}

// Where answers look: the lines that are known, what recall and files add to them, and which of them are about whom and fit a question.
import { type Env, peopleByRole, personByName } from "../facts/env.ts";
import { roleAt } from "../facts/heads.ts";
import { answersRole, petOf, roleOf } from "../facts/roles.ts";
import type { Known, Knowledge } from "../knowledge.ts";
import { type Clock, dayAfter, firstDay, meets } from "../language/calendar.ts";
import { datesIn, without } from "../language/dates.ts";
import { escapeRegExp, fold, stem } from "../language/words.ts";
import { readLines } from "../lines.ts";
import type { Part, ToolCall } from "../script.ts";
import { type Wanted, matching, wantedOf } from "./match.ts";
import type { Asked, Question } from "./question.ts";

export interface AnswerContext {
  knowledge: Knowledge;
  env: Env;
  clock: Clock;
  tools: ReadonlySet<string>;
  /** MEMORY.md stands in the prompt as a whole. */
  whole: boolean;
}

/** Asks recall and the files that matter, adds what they say, and returns the new lines. */
export function* lookUp(context: AnswerContext, queries: readonly string[], paths: readonly string[] = []): Part<Known[]> {
  const calls: ToolCall[] = [];
  if (context.tools.has("recall"))
    for (const query of new Set(queries)) if (query.trim()) calls.push({ name: "recall", input: { query } });
  if (context.tools.has("read")) for (const path of new Set(paths)) calls.push({ name: "read", input: { path: `${path}.md` } });
  if (calls.length === 0) return [];
  const results = yield calls;
  return results.flatMap((result, i) => {
    const call = calls[i]!;
    const path = call.name === "read" ? (call.input["path"] as string).replace(/\.md$/, "") : null;
    return context.knowledge.add(readLines(listed(result), path === "MEMORY" ? null : path));
  });
}

const listed = (result: string): string =>
  result
    .split("\n")
    .map((line) => (/\{[a-z0-9]{4,12}\}\s*$/.test(line) && !/^\s*[-*+]\s/.test(line) ? `- ${line}` : line))
    .join("\n");

/** Whether a line is about the one who was asked about. */
export function isAbout(one: Known, asked: Asked, context: AnswerContext): boolean {
  switch (asked.kind) {
    case "me":
      return one.about === null;
    case "person":
      return isOf(one, asked.name);
    case "role": {
      const names = peopleByRole(context.env.people, asked.role, roleOf).map(({ name }) => name);
      return names.some((name) => isOf(one, name)) || (one.about === null && isOfRole(one, asked.role.name));
    }
    default:
      return true;
  }
}

/** "My sister …", "Has two sisters": lines about somebody whose name is not known. */
const isOfRole = (one: Known, role: string): boolean => {
  const words = one.line.text.split(" ");
  return /^(?:my|has)$/i.test(words[0]!) && words.slice(1, 4).some((_, i) => roleAt(words, i + 1)?.role.name === role);
};

const isOf = (one: Known, name: string): boolean => {
  const wanted = fold(name);
  if (one.about !== null)
    return fold(one.about) === wanted || fold(one.about).split(" ")[0] === wanted || fold(one.about) === wanted.split(" ")[0];
  return new RegExp(`(?<![\\p{L}])${escapeRegExp(wanted)}(?![\\p{L}])`, "u").test(one.folded);
};

/** Files of those who were asked about. */
export function pathsOf(asked: Asked, context: AnswerContext): string[] {
  const people =
    asked.kind === "person"
      ? [personByName(context.env.people, asked.name)]
      : asked.kind === "role"
        ? peopleByRole(context.env.people, asked.role, roleOf)
        : [];
  return people.flatMap((one) => (one?.path ? [one.path] : []));
}

/** Current lines that answer the question. */
export function linesFor(question: Question, context: AnswerContext): Known[] {
  const current = context.knowledge.current.filter((one) => one.line.state !== "closed");
  if (question.kind === "role") {
    const wanted = question.role!;
    const modifiers = /^((?:older|younger|elder|little|big|best|twin|late) )/i
      .exec(question.rel ?? "")?.[1]
      ?.trim()
      .toLowerCase();
    const people = current.filter(
      (one) =>
        one.about === null &&
        one.fact.rel.startsWith("relation:") &&
        answersRole(roleOf(one.fact.rel.slice(9)) ?? { name: one.fact.rel.slice(9), plural: false, kinds: [] }, wanted),
    );
    // A twin is a brother who is called one.
    if (people.length === 0 && question.kind === "role") {
      const called = current.filter(
        (one) =>
          one.about === null &&
          one.fact.rel.startsWith("relation:") &&
          new RegExp(` my (?:[a-z-]+ )*${wanted.name}\\b`).test(one.folded),
      );
      if (called.length > 0) return called;
    }
    const exact = modifiers ? people.filter((one) => one.folded.includes(modifiers)) : people;
    if (exact.length > 0) return exact;
    return current.filter((one) => one.about === null && isOfRole(one, wanted.name));
  }
  if (question.kind === "pet") return current.filter((one) => one.about === null && isPetLine(one, question.rel!));
  const about = current.filter((one) => isAbout(one, question.subject, context));
  if (question.kind === "relation") return relationLines(question, about);
  const lean = /\b(?:did|was|were|had)\b/i.test(question.words) ? "past" : "future";
  const days = /^(?:when|since|how long)\b/i.test(question.words) ? [] : datesIn(question.words, context.clock, lean);
  if (days.length > 0) {
    const onThatDay = about.filter(({ line }) =>
      days.every(({ date, last }) => line.on !== undefined && meets(line.on, firstDay(date), dayAfter(last ?? date))),
    );
    const asked = wantedOf(without(question.words, days));
    const found = asked.strong.length + asked.soft.length === 0 ? onThatDay : matching(onThatDay, asked);
    if (found.length > 0) return found;
  }
  const wanted = wantedOf(question.words);
  if (question.subject.kind === "role")
    wanted.strong = wanted.strong.filter((word) => word !== (question.subject as { role: { name: string } }).role.name);
  // "What does my mum have?"
  if (wanted.strong.length + wanted.soft.length === 0 && /\b(?:have|has|own|owns|got|keep|keeps)$/i.test(question.words))
    return about.filter((one) => /^(?:has|owns|keeps) /.test(one.folded));
  const found = orPlans(matching(about, wanted), wanted, about);
  // A question about the user may be answered by a line about somebody: "Which of my friends plays the harp?"
  if (found.length === 0 && question.subject.kind === "me" && question.wh === "who" && wanted.strong.length > 0)
    return matching(current, wanted);
  return found.length === 0 && question.subject.kind === "me" && /\bS's\b/.test(question.words)
    ? wanted.strong.length > 1
      ? matching(current, wanted)
      : []
    : found;
}

function isPetLine(one: Known, pet: string): boolean {
  if (one.line.on !== undefined) return false;
  const named = one.fact.rel === "pet" || /^(?:has|owns|keeps) /.test(one.folded);
  if (!named && !one.folded.startsWith("my ")) return false;
  const words = one.folded.split(/[^\p{L}-]+/u);
  if (pet === "pet" || pet === "animal")
    return one.fact.rel === "pet" || one.kinds.has("pet") || (pet === "animal" && one.kinds.has("animal"));
  return words.some((word) => petOf(word) === pet);
}

/** "My brother works in Lugano": what is said of somebody without a file. */
const saidOf = (one: Known): string => one.folded.replace(/^my [^,:]{2,30}? (?=(?:works|runs|owns|lives|is staying) )/, "");

/** "Tunes pianos for a living": a job that no noun names. */
const TRADE = /\b(?:for a living|for money|professionally|by trade|by profession|as a profession)\b/;

function relationLines(question: Question, about: readonly Known[]): Known[] {
  const rel = question.rel!.replace(/-(?:when|is)$/, "");
  const found = about.filter((one) => relMatches(one, rel));
  // "What does Duarte do?" asks less than "What is his job?".
  if (rel === "job" && found.length === 0 && !/\b(?:job|profession|occupation|living|work)\b/i.test(question.words)) {
    const doing = about.filter(
      (one) =>
        one.fact.rel === "employer" || (one.fact.rel.startsWith("does:") && !one.fact.negative && one.line.on === undefined),
    );
    if (doing.length > 0) return doing;
  }
  const trade = rel === "job" && found.length === 0 ? about.filter((one) => TRADE.test(one.folded)) : [];
  if (trade.length > 0) return trade;
  if (rel === "job" && found.length === 0)
    return about.filter(
      (one) => one.fact.rel === "employer" || /^(?:teaches|studies|runs|trains|leads|manages) /.test(one.folded),
    );
  if (rel === "home" && found.length === 0)
    return about.filter(
      (one) =>
        one.fact.rel === "address" ||
        /^(?:lives|is staying) (?:in|on|at|near|by|above|under|next|behind|opposite|outside)\b/.test(saidOf(one)),
    );
  // Who loves knitting has a hobby, though nobody called it one.
  if (rel === "hobby" && found.length === 0)
    return about.filter((one) => one.fact.rel === "likes" && /ing\b/.test(one.fact.value ?? "") && !one.fact.negative);
  if (rel === "age" && found.length === 0) return about.filter((one) => one.fact.rel === "birthday");
  if (rel === "employer" && found.length === 0)
    return about.filter((one) => /^(?:works|runs|owns) /.test(saidOf(one)) && !/^works (?:part|full|nights)/.test(saidOf(one)));
  // What is upcoming answers "where do I live" only beside what is true today.
  const now = found.filter((one) => one.line.state !== "upcoming");
  return now.length > 0 ? now : found;
}

export function relMatches(one: Known, rel: string): boolean {
  const own = one.fact.rel;
  if (own === rel) return true;
  if (rel === "partner")
    return (
      own === "relation:partner" ||
      /^relation:(?:wife|husband|spouse|boyfriend|girlfriend|fiancé)$/.test(own) ||
      /^(?:is (?:not )?(?:married|single|engaged|divorced)|has an? (?:husband|wife|partner|boyfriend|girlfriend) called)/.test(
        one.folded,
      )
    );
  if (rel === "diet")
    return /^(?:is (?:an? )?(?:\w+ )?(?:vegan|vegetarian|pescatarian|flexitarian|coeliac)|eats |never eats |does not eat|cannot eat|follows? .*diet|is on a .*diet)/.test(
      one.folded,
    );
  if (rel === "likes") return !one.fact.negative && (own === "hobby" || /^attr:(?:favourite )?(?:hobby|pastime)/.test(own));
  if (rel === "hobby")
    return /^attr:(?:favourite )?(?:hobby|pastime)/.test(own) || /\b(?:free|spare|leisure) time\b/.test(one.folded);
  if (rel === "avoid")
    return /allerg|intoleran|coeliac|celiac|^is (?:an? )?(?:vegan|vegetarian|pescatarian)|^(?:does not|cannot|never|must not|may not|should not) (?:eats?|drinks?|haves?)\b/.test(
      one.folded,
    );
  if (rel === "visited")
    return (
      !one.fact.negative &&
      /^(?:has (?:been (?:to|in)|visited|travell?ed (?:to|in))|visited|travell?ed to|went to \p{L}) /u.test(one.folded)
    );
  if (rel === "name") return /^my (?:full |first |last |nick)?(?:sur)?name is |^name is |^likes to be called/.test(one.folded);
  if (rel === "allergy") return /allerg/.test(one.folded);
  if (rel === "birthday") return /^(?:my )?birthday |^was born (?:on|in) /.test(one.folded);
  return false;
}

/** "When is my dentist appointment" where "Is seeing the dentist" stands: of plans and events, what they are called counts less. */
const PLAN_WORDS = new Set(
  [
    "appointment",
    "meeting",
    "visit",
    "trip",
    "travel",
    "holiday",
    "flight",
    "date",
    "see",
    "go",
    "fly",
    "attend",
    "have",
    "meet",
  ].map((word) => stem(word)),
);
function orPlans(found: Known[], wanted: Wanted, about: readonly Known[]): Known[] {
  const strong = wanted.strong.filter((word) => !PLAN_WORDS.has(word));
  if (found.length > 0 || strong.length === 0 || strong.length + wanted.soft.length === wanted.strong.length + wanted.soft.length)
    return found;
  return matching(
    about.filter(({ line }) => line.on !== undefined),
    { ...wanted, strong, soft: wanted.soft.filter((word) => !PLAN_WORDS.has(word)) },
  );
}

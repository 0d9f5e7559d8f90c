// Answers questions from memory: looks in the loaded lines, asks recall and files for more, and says that it does not know rather than give a near miss.
import type { Env } from "../facts/env.ts";
import { personByName, peopleByRole } from "../facts/env.ts";
import { roleAt } from "../facts/heads.ts";
import { answersRole, petOf, roleOf } from "../facts/roles.ts";
import type { Known, Knowledge } from "../knowledge.ts";
import type { Clock } from "../language/calendar.ts";
import { fold } from "../language/words.ts";
import { readLines } from "../lines.ts";
import type { Part, ToolCall } from "../script.ts";
import { aboutAnswer } from "./about.ts";
import { formerAnswer, timeAnswer } from "./former.ts";
import { matching, wantedOf } from "./match.ts";
import { plansAnswer } from "./plans.ts";
import { type Asked, type Question, readQuestion } from "./question.ts";
import { sayLine } from "./say.ts";

export interface AnswerContext {
  knowledge: Knowledge;
  env: Env;
  clock: Clock;
  tools: ReadonlySet<string>;
  /** MEMORY.md stands in the prompt as a whole. */
  whole: boolean;
}

export const DONT_KNOW = "I don't know. Nothing about that is kept.";

/** Asks recall and the files that matter, adds what they say, and returns the new lines. */
export function* lookUp(context: AnswerContext, queries: readonly string[], paths: readonly string[] = []): Part<Known[]> {
  const calls: ToolCall[] = [];
  if (context.tools.has("recall")) for (const query of new Set(queries)) if (query.trim()) calls.push({ name: "recall", input: { query } });
  if (context.tools.has("read")) for (const path of new Set(paths)) calls.push({ name: "read", input: { path: `${path}.md` } });
  if (calls.length === 0) return [];
  const results = yield calls;
  return results.flatMap((result, i) => {
    const call = calls[i]!;
    const path = call.name === "read" ? (call.input["path"] as string).replace(/\.md$/, "") : null;
    return context.knowledge.add(readLines(listed(result), path === "MEMORY" ? null : path));
  });
}

const listed = (result: string): string => result.split("\n").map((line) => (/\{[a-z0-9]{4,12}\}\s*$/.test(line) && !/^\s*[-*+]\s/.test(line) ? `- ${line}` : line)).join("\n");

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
  if (one.about !== null) return fold(one.about) === wanted || fold(one.about).split(" ")[0] === wanted || fold(one.about) === wanted.split(" ")[0];
  return new RegExp(`(?<![\\p{L}])${wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}])`, "u").test(one.folded);
};

/** Files of those who were asked about. */
export function pathsOf(asked: Asked, context: AnswerContext): string[] {
  const people = asked.kind === "person" ? [personByName(context.env.people, asked.name)] : asked.kind === "role" ? peopleByRole(context.env.people, asked.role, roleOf) : [];
  return people.flatMap((one) => (one?.path ? [one.path] : []));
}

const namesOf = (asked: Asked): string => (asked.kind === "person" ? asked.name : asked.kind === "role" ? asked.role.name : "");

/** Answers one question. */
export function* answerQuestion(text: string, context: AnswerContext): Part<string> {
  const question = readQuestion(text, context.env);
  if (question.kind === "about") return yield* aboutAnswer(question, context);
  if (question.kind === "plans") return yield* plansAnswer(text, question, context);
  const first = tryAnswer(question, context);
  const quick = first !== null && question.subject.kind === "me" && question.kind !== "words" && !question.former && context.whole;
  if (quick) return first;
  const query = `${namesOf(question.subject)} ${question.words.replace(/\bS(?:'s)?\b/g, " ")} ${EXTRA[question.rel ?? ""] ?? ""} ${question.role?.name ?? ""}`.replace(/\s+/g, " ").trim();
  yield* lookUp(context, [query], pathsOf(question.subject, context));
  context.env.people = context.knowledge.people();
  // A role may have got its name only now: "Where does my sister live" with the sister beyond the loaded lines.
  const again = readQuestion(text, context.env);
  const found = tryAnswer(again, context);
  if (found !== null) return found;
  const more = pathsOf(again.subject, context).filter((path) => !pathsOf(question.subject, context).includes(path));
  if (more.length > 0) {
    yield* lookUp(context, [], more);
    const last = tryAnswer(again, context);
    if (last !== null) return last;
  }
  return DONT_KNOW;
}

/** Words by which recall finds the lines of a relation, whatever the question called it. */
const EXTRA: Record<string, string> = { home: "lives home", "home-when": "lives home", employer: "works employer", "employer-when": "works employer", job: "is works job", name: "name", birthday: "born birthday", partner: "partner husband wife married", speaks: "speaks", allergy: "allergic allergy", age: "years old born" };

function tryAnswer(question: Question, context: AnswerContext): string | null {
  const { clock } = context;
  if (question.former || question.wh === "since" || (question.wh === "when" && question.kind === "relation")) {
    const timed = question.former ? formerAnswer(question, context) : timeAnswer(question, context);
    if (timed !== null || question.former) return timed;
  }
  const found = linesFor(question, context);
  if (found.length === 0) return null;
  if (question.wh === "howmany" && question.kind !== "words") return `${found.length === 1 ? "One" : String(found.length)}: ${found.map((one) => sayLine(one, clock.today)).join(" ")}`;
  if (question.wh === "when") return timeAnswer(question, context);
  const sentences = found.slice(0, ANSWER_MAX_LINES).map((one) => sayLine(one, clock.today));
  const opening = question.wh === "yesno" ? (found.every((one) => one.fact.negative || /\bnot\b|\bnever\b/.test(one.folded)) ? "No. " : "Yes. ") : "";
  return `${opening}${sentences.join(" ")}`;
}

/** Lines in one answer; more would be a list, and "what do you know" is for lists. */
const ANSWER_MAX_LINES = 12;

/** Current lines that answer the question. */
export function linesFor(question: Question, context: AnswerContext): Known[] {
  const current = context.knowledge.current.filter((one) => one.line.state !== "closed");
  if (question.kind === "role") {
    const wanted = question.role!;
    const modifiers = /^((?:older|younger|elder|little|big|best|twin|late) )/i.exec(question.rel ?? "")?.[1]?.trim().toLowerCase();
    const people = current.filter((one) => one.about === null && one.fact.rel.startsWith("relation:") && answersRole(roleOf(one.fact.rel.slice(9)) ?? { name: one.fact.rel.slice(9), plural: false, kinds: [] }, wanted));
    const exact = modifiers ? people.filter((one) => one.folded.includes(modifiers)) : people;
    if (exact.length > 0) return exact;
    return current.filter((one) => one.about === null && isOfRole(one, wanted.name));
  }
  if (question.kind === "pet") return current.filter((one) => one.about === null && isPetLine(one, question.rel!));
  const about = current.filter((one) => isAbout(one, question.subject, context));
  if (question.kind === "relation") return relationLines(question, about);
  const wanted = wantedOf(question.words);
  if (question.subject.kind === "role") wanted.strong = wanted.strong.filter((word) => word !== (question.subject as { role: { name: string } }).role.name);
  const found = matching(about, wanted);
  // A question about the user may be answered by a line about somebody: "Which of my friends plays the harp?"
  return found.length === 0 && question.subject.kind === "me" && /\bS's\b/.test(question.words) ? matching(current, wanted).filter((one) => wanted.strong.length > 1) : found;
}

function isPetLine(one: Known, pet: string): boolean {
  const named = one.fact.rel === "pet" || /^(?:has|owns|keeps) /.test(one.folded);
  if (!named && !/^my /.test(one.folded)) return false;
  const words = one.folded.split(/[^\p{L}-]+/u);
  if (pet === "pet") return one.fact.rel === "pet" || one.kinds.has("pet");
  return words.some((word) => petOf(word) === pet);
}

function relationLines(question: Question, about: readonly Known[]): Known[] {
  const rel = question.rel!.replace(/-when$/, "");
  const found = about.filter((one) => relMatches(one, rel));
  if (rel === "job" && found.length === 0) return about.filter((one) => one.fact.rel === "employer" || /^(?:teaches|studies|runs|trains|leads|manages) /.test(one.folded));
  if (rel === "home" && found.length === 0) return about.filter((one) => one.fact.rel === "dwelling" || one.fact.rel === "address");
  if (rel === "age" && found.length === 0) return about.filter((one) => one.fact.rel === "birthday");
  if (rel === "employer" && found.length === 0) return about.filter((one) => /^(?:works|runs|owns) /.test(one.folded) && !/^works (?:part|full|nights)/.test(one.folded));
  // What is upcoming answers "where do I live" only beside what is true today.
  const now = found.filter((one) => one.line.state !== "upcoming");
  return now.length > 0 ? now : found;
}

export function relMatches(one: Known, rel: string): boolean {
  const own = one.fact.rel;
  if (own === rel) return true;
  if (rel === "partner") return own === "relation:partner" || /^relation:(?:wife|husband|spouse|boyfriend|girlfriend|fiancé)$/.test(own) || /^(?:is (?:not )?(?:married|single|engaged|divorced)|has an? (?:husband|wife|partner|boyfriend|girlfriend) called)/.test(one.folded);
  if (rel === "name") return /^my (?:full |first |last |nick)?(?:sur)?name is |^name is |^likes to be called/.test(one.folded);
  if (rel === "allergy") return /allerg/.test(one.folded);
  if (rel === "birthday") return /^(?:my )?birthday |^was born (?:on|in) /.test(one.folded);
  return false;
}


// Answers questions from memory: looks in the loaded lines, asks recall and files for more, and says that it does not know rather than give a near miss.
import type { Known } from "../knowledge.ts";
import { sayNumber } from "../language/numbers.ts";
import { fold, upperFirst } from "../language/words.ts";
import type { Part } from "../script.ts";
import { aboutAnswer } from "./about.ts";
import { atAnswer, formerAnswer, pastAnswer, timeAnswer } from "./former.ts";
import { type AnswerContext, isAbout, linesFor, lookUp, pathsOf } from "./lookup.ts";
import { loosely } from "./match.ts";
import { plansAnswer } from "./plans.ts";
import { type Asked, type Question, readQuestion } from "./question.ts";
import { sayLine } from "./say.ts";

export const DONT_KNOW = "I don't know. Nothing about that is kept.";

const namesOf = (asked: Asked): string => (asked.kind === "person" ? asked.name : asked.kind === "role" ? asked.role.name : "");

/** Answers one question. */
export function* answerQuestion(text: string, context: AnswerContext): Part<string> {
  const question = readQuestion(text, context.env);
  if (question.kind === "about") return yield* aboutAnswer(question, context);
  if (question.kind === "plans") return yield* plansAnswer(text, question, context);
  const first = tryAnswer(question, context);
  const quick =
    first !== null && question.subject.kind === "me" && question.kind !== "words" && !question.former && context.whole;
  if (quick) return first;
  const query =
    `${namesOf(question.subject)} ${question.words.replace(/\bS(?:'s)?\b/g, " ")} ${EXTRA[question.rel ?? ""] ?? ""} ${question.role?.name ?? ""}`
      .replace(/\s+/g, " ")
      .trim();
  // What is over stands in the file's History, and its words may share nothing with the question.
  const history =
    question.subject.kind === "me" &&
    (question.former || question.wh === "yesno" || /\b(?:did|was|were|had|ever|used)\b/i.test(question.words))
      ? ["MEMORY"]
      : [];
  yield* lookUp(context, [query], [...pathsOf(question.subject, context), ...history]);
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
  return looseAnswer(again, context) ?? DONT_KNOW;
}

/** What is known of the thing that was asked about, where its verb stands in no line; neither a yes nor a no. */
function looseAnswer(question: Question, context: AnswerContext): string | null {
  if (!/^(?:words|relation)$/.test(question.kind) || question.former || question.wh === "who") return null;
  const about = context.knowledge.current.filter((one) => isAbout(one, question.subject, context));
  const found = loosely(about, question.words).slice(0, LOOSE_MAX_LINES);
  return found.length > 0 ? said(found, context.clock.today) : null;
}

/** More lines than these share a word by chance. */
const LOOSE_MAX_LINES = 3;

/** Words by which recall finds the lines of a relation, whatever the question called it. */
const EXTRA: Record<string, string> = {
  home: "lives home",
  "home-when": "lives home",
  employer: "works employer",
  "employer-when": "works employer",
  job: "is works job",
  name: "name",
  birthday: "born birthday",
  partner: "partner husband wife married",
  speaks: "speaks",
  allergy: "allergic allergy",
  age: "years old born",
};

function tryAnswer(question: Question, context: AnswerContext): string | null {
  const { clock } = context;
  if (question.former || question.wh === "since" || (question.wh === "when" && question.kind === "relation")) {
    const timed = question.former ? formerAnswer(question, context) : timeAnswer(question, context);
    if (timed !== null) return timed;
    // "Who was my teacher?" may ask for one who still is.
    if (question.former && !/^who was\b(?!.*\b(?:before|previous|former|used to)\b)/i.test(question.words)) return null;
  }
  const at = atAnswer(question, context);
  if (at !== null) return at;
  const found = linesFor(question, context);
  if (question.rel?.endsWith("-is") && found.length > 0) {
    const value = fold(question.value ?? "");
    const held = found.filter((one) => one.folded.includes(value));
    if (held.length > 0) return `Yes. ${said(held, clock.today)}`;
    // A language beside those that are known may be spoken all the same; a home is one at a time.
    return question.rel === "speaks-is" ? null : `No. ${said(found, clock.today)}`;
  }
  if (found.length === 0) return opposite(question, context) ?? pastAnswer(question, context);
  if (question.wh === "howmany" && question.kind !== "words")
    return `${upperFirst(sayNumber(found.length))}: ${found.map((one) => sayLine(one, clock.today)).join(" ")}`;
  if (question.wh === "when") return timeAnswer(question, context);
  const sentences = found.slice(0, ANSWER_MAX_LINES).map((one) => sayLine(one, clock.today));
  const opening =
    question.wh === "yesno"
      ? found.every((one) => one.fact.negative || /\bnot\b|\bnever\b/.test(one.folded))
        ? "No. "
        : "Yes. "
      : "";
  return `${opening}${sentences.join(" ")}`;
}

/** Lines in one answer; more would be a list, and "what do you know" is for lists. */
const ANSWER_MAX_LINES = 12;

const said = (lines: readonly Known[], today: string): string => lines.map((one) => sayLine(one, today)).join(" ");

/** "Do I like coriander?" where it is hated, and the other way round. */
function opposite(question: Question, context: AnswerContext): string | null {
  if (question.wh !== "yesno" || question.kind !== "words") return null;
  const turned = /\b(?:like|love|enjoy)\b/i.test(question.words)
    ? question.words.replace(/\b(?:like|love|enjoy)\b/i, "hate")
    : /\b(?:hate|dislike)\b/i.test(question.words)
      ? question.words.replace(/\b(?:hate|dislike)\b/i, "like")
      : null;
  const found = turned ? linesFor({ ...question, words: turned }, context) : [];
  return found.length > 0 ? `No. ${said(found, context.clock.today)}` : null;
}

// What was before, and when things began: from the chain of a line and from closed lines.
import { answersRole, roleOf } from "../facts/roles.ts";
import type { Known } from "../knowledge.ts";
import { firstDay, sayDate } from "../language/calendar.ts";
import { datesIn } from "../language/dates.ts";
import { fold } from "../language/words.ts";
import { type AnswerContext, isAbout, linesFor, relMatches } from "./lookup.ts";
import { matching, wantedOf } from "./match.ts";
import type { Question } from "./question.ts";
import { sayFormer, sayLine } from "./say.ts";

interface Past {
  text: string;
  name: string | null;
  from?: string;
  to?: string;
}

/** Values that are over, newest first. */
function pastOf(question: Question, context: AnswerContext): Past[] {
  const lines = context.knowledge.all.filter((one) => isFor(one, question, context));
  const found: Past[] = [];
  for (const { line, about } of lines) {
    for (const before of line.before)
      found.push({
        text: before.text,
        name: about,
        ...(before.from ? { from: before.from } : {}),
        ...(before.to ? { to: before.to } : {}),
      });
    if (line.state === "closed")
      found.push({
        text: line.text,
        name: about,
        ...(line.since ? { from: line.since } : {}),
        ...(line.until ? { to: line.until } : {}),
      });
  }
  const seen = new Set<string>();
  return found
    .filter(({ text }) => !seen.has(fold(text)) && seen.add(fold(text)))
    .sort((a, b) => ((a.to ?? "") < (b.to ?? "") ? 1 : -1));
}

function isFor(one: Known, question: Question, context: AnswerContext): boolean {
  if (one.line.wrong) return false;
  if (question.kind === "role") {
    const rel = one.fact.rel;
    const own = rel.startsWith("relation:") ? roleOf(rel.slice(9)) : null;
    return (
      one.about === null &&
      ((own !== null && answersRole(own, question.role!)) || (question.role!.slot === "partner" && rel === "relation:partner"))
    );
  }
  if (!isAbout(one, question.subject, context)) return false;
  const rel = question.rel?.replace(/-when$/, "") ?? "";
  if (question.kind === "relation") return relMatches(one, rel) || (rel === "job" && one.fact.rel === "employer");
  const words = question.words.replace(
    /\b(?:before|previous(?:ly)?|former(?:ly)?|earlier|used to|use to|prior to|old|last)\b.*$/i,
    "",
  );
  return matching([one], wantedOf(words)).length > 0;
}

/** "Where did I live before?", "Who was my manager before Edda?" */
export function formerAnswer(question: Question, context: AnswerContext): string | null {
  const past = pastOf(question, context);
  const value = question.beforeWhat ? fold(question.beforeWhat) : null;
  const before = value ? past.filter(({ text }) => !fold(text).includes(value)) : past;
  if (before.length > 0)
    return before
      .slice(0, value ? 1 : 3)
      .map(({ text, name, from, to }) => sayFormer(text, name, from, to))
      .join(" ");
  const was = context.knowledge.current.filter(
    (one) =>
      isAbout(one, question.subject, context) &&
      /^(?:used to|was|lived|worked) /.test(one.folded) &&
      (question.kind !== "relation" ||
        (question.rel === "home" ? /live/ : question.rel === "employer" || question.rel === "job" ? /work|was an? / : /./).test(
          one.folded,
        )) &&
      (question.kind === "relation" || matching([one], wantedOf(question.words)).length > 0),
  );
  return was.length > 0 ? was.map((one) => sayLine(one, context.clock.today)).join(" ") : null;
}

/** "Where did I live in 2024?": the value that held on that day; null where the question names no day, or nothing held. */
export function atAnswer(question: Question, context: AnswerContext): string | null {
  if (question.kind !== "relation" || !/\b(?:did|was|were)\b/i.test(question.words)) return null;
  const [day] = datesIn(question.words, context.clock, "past");
  if (!day) return null;
  const at = firstDay(day.date);
  const values: Past[] = context.knowledge.all
    .filter((one) => isFor(one, question, context))
    .flatMap(({ line, about }) => [
      { text: line.text, name: about, ...(line.since ? { from: line.since } : {}), ...(line.until ? { to: line.until } : {}) },
      ...line.before.map((before) => ({ ...before, name: about })),
    ]);
  const held = values.filter(
    ({ from, to }) =>
      (from === undefined || firstDay(from) <= at || from.startsWith(day.date)) && (to === undefined || firstDay(to) > at),
  );
  // A value without a beginning counts only where none with one does.
  const sure = held.filter(({ from, to }) => from !== undefined || to !== undefined);
  return sure.length > 0
    ? sure
        .slice(0, 2)
        .map(({ text, name, from, to }) => sayFormer(text, name, from, to))
        .join(" ")
    : null;
}

/** "Did I ever have a Saab?": what is over, where nothing current answers and the question is about the past, or whether it is so. */
export function pastAnswer(question: Question, context: AnswerContext): string | null {
  const asked = /\b(?:did|was|were|had|ever|once)\b/i.test(question.words);
  // "Am I allergic to walnuts?" where that is over: what was is no near miss, it is the answer.
  if (!asked && question.wh !== "yesno") return null;
  const past = context.knowledge.all.filter((one) => one.line.state === "closed" && isFor(one, question, context));
  if (past.length === 0) return null;
  if (!asked) {
    const [end] = past.flatMap(({ line }) => (line.until ? [line.until] : [])).sort((a, b) => (a < b ? 1 : -1));
    return end ? `Not any more: that ended ${end.length === 10 ? "on" : "in"} ${sayDate(end)}.` : "Not any more.";
  }
  return past
    .slice(0, 4)
    .map(({ line, about }) => sayFormer(line.text, about, line.since, line.until))
    .join(" ");
}

/** "Since when", "how long", "when did I": the day of the line that answers. */
export function timeAnswer(question: Question, context: AnswerContext): string | null {
  const { today } = context.clock;
  const value = question.rel?.endsWith("-when") ? namedValue(question) : null;
  let lines = linesFor(question, context).concat(closedFor(question, context, value));
  if (value) {
    const named = lines.filter(
      (one) => one.folded.includes(value) || one.line.before.some(({ text }) => fold(text).includes(value)),
    );
    lines = named;
  }
  if (lines.length === 0) return null;
  const said = lines.slice(0, 8).map((one) => {
    const before =
      value && !one.folded.includes(value) ? one.line.before.find(({ text }) => fold(text).includes(value)) : undefined;
    if (before) return sayFormer(before.text, one.about, before.from, before.to);
    if (one.fact.rel === "birthday") return sayLine(one, today);
    const { on, since } = one.line;
    if (on) return sayLine(one, today);
    return since
      ? sayLine(one, today)
      : /\d|\b(?:half|past|noon|midnight|every|morning|evening|weekend|days?)\b/i.test(one.line.text)
        ? sayLine(one, today)
        : `${sayLine(one, today)} I don't know the day.`;
  });
  return said.join(" ");
}

function closedFor(question: Question, context: AnswerContext, value: string | null): Known[] {
  return value ? context.knowledge.all.filter((one) => one.line.state === "closed" && isFor(one, question, context)) : [];
}

function namedValue(question: Question): string | null {
  const value = /\b(?:to|in|at|for|with|join(?:ed)?) ([^?]+)$/i
    .exec(question.words)?.[1]
    ?.replace(/\b(?:again|now)$/i, "")
    .trim();
  return value && !/^(?:S|my|the company|there)\b/.test(value) ? fold(value) : null;
}

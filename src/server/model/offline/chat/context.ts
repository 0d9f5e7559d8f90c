// What the parts of a chat turn share: the prompt, the knowledge, the rules' environment, and the sentences of the answer.
import { needsTagger } from "../facts/clauses.ts";
import type { Env, KnownPerson } from "../facts/env.ts";
import { personByName } from "../facts/env.ts";
import type { Fact, Subject } from "../facts/fact.ts";
import { petAt } from "../facts/heads.ts";
import { Knowledge, type Known } from "../knowledge.ts";
import { Masks } from "../language/sentences.ts";
import { contentStems, fold } from "../language/words.ts";
import { type Intent, readMessage } from "../message.ts";
import type { Prompt } from "../prompt.ts";
import type { AnswerContext } from "../answer/lookup.ts";

export interface Turn extends AnswerContext {
  prompt: Prompt;
  intents: Intent[];
  /** Sentences of the answer, in order. */
  said: string[];
}

const LOOK_BACK = 6;

/** Reads a prompt into a turn. */
export function openTurn(prompt: Prompt): Turn {
  const knowledge = new Knowledge([...prompt.memory.lines, ...prompt.recalled]);
  const env = envOf(prompt, knowledge.people(), prompt.message.typed);
  env.pets = petsOf(knowledge);
  env.tagger = needsTagger(prompt.message.typed);
  env.last = lastPerson(prompt, env);
  return {
    prompt,
    knowledge,
    env,
    clock: prompt.clock,
    tools: prompt.tools,
    whole: prompt.memory.whole,
    intents: readMessage(prompt.message.typed, env),
    said: [],
  };
}

/** Animals that lines name. */
const petsOf = (knowledge: Knowledge): { name: string; kind: string }[] =>
  knowledge.current.flatMap((one) => {
    const kind =
      one.about === null && one.fact.rel === "pet"
        ? petAt(one.line.text.replace(/^\S+ an? /, "").split(" "), 0)?.said
        : undefined;
    return kind && one.fact.value ? [{ name: one.fact.value, kind }] : [];
  });

function envOf(prompt: Prompt, people: KnownPerson[], typed: string): Env {
  return { clock: prompt.clock, people, masks: new Masks(), last: null, lowerCase: !/\p{Lu}/u.test(typed.replace(/\bI\b/g, "")) };
}

/** The person whom the conversation spoke of last, in the user's words or in an answer. */
function lastPerson(prompt: Prompt, env: Env): Subject | null {
  for (const message of prompt.history.slice(-LOOK_BACK).reverse()) {
    const words = message.typed.split(/[.!?\n]/).reverse();
    for (const sentence of words) {
      for (const word of (sentence.match(/\p{Lu}[\p{L}'’-]+/gu) ?? []).reverse()) {
        const known = personByName(env.people, word.replace(/['’]s$/, ""));
        if (known) return { kind: "person", name: known.name };
      }
    }
    if (message.role !== "user") continue;
    const read = envOf(prompt, env.people, message.typed);
    readMessage(message.typed, read);
    if (read.last) return read.last;
  }
  return null;
}

/** Facts that the last messages of the user stated, newest first; for corrections and for "yes". */
export function statedBefore(turn: Turn, messages = 3): { facts: Fact[]; perhaps: Fact[] } {
  const facts: Fact[] = [];
  const perhaps: Fact[] = [];
  for (const message of turn.prompt.history
    .filter(({ role }) => role === "user")
    .slice(-messages)
    .reverse()) {
    const env = envOf(turn.prompt, turn.env.people, message.typed);
    for (const intent of readMessage(message.typed, env).reverse()) {
      if (intent.kind === "facts") facts.push(...[...intent.facts].reverse());
      if (intent.kind === "perhaps") perhaps.push(...intent.facts);
      if (intent.kind === "correct" && intent.correction.facts) facts.push(...intent.correction.facts);
    }
  }
  return { facts, perhaps };
}

/** The file of a subject, null for the user's own. */
export function pathOfSubject(subject: Subject, turn: Turn): string | null {
  return subject.kind === "person" ? (personByName(turn.env.people, subject.name)?.path ?? null) : null;
}

/** Whether a line is about the subject of a fact. */
export function aboutSame(one: Known, subject: Subject): boolean {
  if (subject.kind !== "person") return one.about === null;
  if (one.about === null) return false;
  const [a, b] = [fold(one.about), fold(subject.name)];
  return a === b || a.split(" ")[0] === b || a === b.split(" ")[0];
}

const sameStems = (a: string, b: string): boolean => {
  const [x, y] = [contentStems(a), contentStems(b)];
  return x.length > 0 && x.length === y.length && x.every((stem) => y.includes(stem));
};

/** Relations in which the value alone makes two facts the same, whatever the words around it. */
const BY_VALUE =
  /^(?:home|employer|job|name|diet|nickname|allergy|pet|speaks|likes|dislikes|fears|origin|birthplace|age|address|hobby|health|relation:.+|does:.+|is:.+|attr:.+)$/;

/** The line that says a fact already: in the same words, or in others. */
export function lineOf(fact: Fact, turn: Turn): Known | null {
  const wanted = fold(fact.text).replace(/[.!]+$/, "");
  const mine = turn.knowledge.current.filter(
    (one) => aboutSame(one, fact.subject) && (fact.on === undefined || one.line.on === fact.on),
  );
  return (
    mine.find((one) => fold(one.line.text).replace(/[.!]+$/, "") === wanted) ??
    mine.find(
      (one) =>
        fact.value !== undefined &&
        one.fact.value !== undefined &&
        sameRel(one.fact.rel, fact.rel) &&
        BY_VALUE.test(fact.rel) &&
        Boolean(one.fact.negative) === Boolean(fact.negative) &&
        sameValue(one.fact.value, fact.value),
    ) ??
    mine.find(
      (one) =>
        fact.rel === "birthday" &&
        one.fact.rel === "birthday" &&
        dayAndMonth(one.line.text) !== null &&
        dayAndMonth(one.line.text) === dayAndMonth(fact.text),
    ) ??
    mine.find((one) => fact.rel === "raw" && sameStems(one.line.text, fact.text)) ??
    null
  );
}

const PARTNER = /^relation:(?:partner|wife|husband|spouse|boyfriend|girlfriend|fiancé)$/;
/** "X is my husband" and "Is married to X" are one relation. */
const sameRel = (a: string, b: string): boolean => a === b || (PARTNER.test(a) && PARTNER.test(b));

const dayAndMonth = (text: string): string | null =>
  /\b(\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December))\b/.exec(text)?.[1] ??
  null;
const bareValue = (value: string): string =>
  fold(value)
    .replace(/^(?:an?|the|my) /, "")
    .replace(/[.!?]+$/, "");
const sameValue = (a: string, b: string): boolean => bareValue(a) === bareValue(b) || sameStems(a, b);

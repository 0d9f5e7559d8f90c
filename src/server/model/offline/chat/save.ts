// Turns facts and endings into tool calls: what is new is added, what is known gets a source, what replaces a value revises it, what ended is closed.
import { personByName } from "../facts/env.ts";
import type { Ending, Fact } from "../facts/fact.ts";
import { lineFact } from "../facts/line-fact.ts";
import type { Known } from "../knowledge.ts";
import { contentStems, escapeRegExp, fold, lineStems, stem } from "../language/words.ts";
import { lookUp, relMatches } from "../answer/lookup.ts";
import { hasStem } from "../answer/match.ts";
import { roleOf } from "../facts/roles.ts";
import { isPast } from "../language/verbs.ts";
import { personPath } from "../lines.ts";
import type { Part, ToolCall } from "../script.ts";
import { aboutSame, lineOf, pathOfSubject, type Turn } from "./context.ts";
import { reportWrites } from "./report.ts";

export interface Write {
  call: ToolCall;
  /** The name of its subject, for the answer; null = the user. */
  name: string | null;
  /** Not worth a sentence: the link to a person's file. */
  silent?: boolean;
}

/** Makes the calls for a list of writes and puts their outcomes in words. */
export function* write(writes: readonly Write[], turn: Turn): Part<void> {
  const allowed = writes.filter(({ call }) => turn.tools.has(call.name));
  if (writes.length > 0 && allowed.length === 0) {
    turn.said.push("Memory cannot be written in this conversation, so nothing was saved.");
    return;
  }
  if (allowed.length === 0) return;
  const results = yield allowed.map(({ call }) => call);
  reportWrites(allowed, results, turn);
}

/** Saves facts and endings of a message in one go. */
export function* save(facts: readonly Fact[], endings: readonly Ending[], again: boolean, turn: Turn): Part<void> {
  yield* lookUpSubjects(facts, endings, turn);
  const writes: Write[] = [];
  endings = [...endings, ...facts.flatMap((fact) => formerPartner(fact))];
  for (const ending of endings) writes.push(...endWrites(ending, turn));
  for (const fact of facts) writes.push(...factWrites(fact, facts, again, turn));
  if (writes.length === 0 && endings.length > 0 && facts.length === 0) turn.said.push("I know of no line that this ends.");
  yield* write(distinct(writes), turn);
}

/** "Jonas is my ex now": whoever was a partner is one no longer. */
const formerPartner = (fact: Fact): Ending[] =>
  fact.rel === "relation:former" && fact.value && /\bex\b|\bex-/.test(fact.text)
    ? [{ subject: { kind: "me" }, text: "", rel: "relation:partner", words: fact.value }]
    : [];

const distinct = (writes: Write[]): Write[] =>
  writes.filter((one, i) => writes.findIndex((other) => JSON.stringify(other.call) === JSON.stringify(one.call)) === i);

/** Looks for people without a known file and for what may have ended but is not in sight. */
function* lookUpSubjects(facts: readonly Fact[], endings: readonly Ending[], turn: Turn): Part<void> {
  const queries = new Set<string>();
  const paths = new Set<string>();
  for (const { subject } of [...facts, ...endings]) {
    if (subject.kind !== "person" || pathOfSubject(subject, turn)) continue;
    const introduced = facts.some((fact) => fact.rel.startsWith("relation:") && fact.value === subject.name);
    if (!introduced || !turn.whole) queries.add(subject.name);
  }
  for (const ending of endings) {
    if (endedLine(ending, turn)) continue;
    queries.add(ending.words || ending.text || (ending.rel ?? ""));
    const path = pathOfSubject(ending.subject, turn);
    if (path) paths.add(path);
  }
  for (const fact of facts) {
    const path = pathOfSubject(fact.subject, turn);
    if (path && (fact.one || fact.negative)) paths.add(path);
    if (!turn.whole && fact.subject.kind !== "person" && !lineOf(fact, turn)) queries.add(fact.text);
  }
  if (queries.size + paths.size === 0) return;
  yield* lookUp(turn, [...queries].slice(0, 4), [...paths].slice(0, 4));
  turn.env.people = turn.knowledge.people();
}

function factWrites(fact: Fact, all: readonly Fact[], again: boolean, turn: Turn): Write[] {
  const name = fact.subject.kind === "person" ? fact.subject.name : null;
  const known = lineOf(fact, turn);
  if (known && !saysMore(fact, known)) return [{ name, call: remember(known.line.raw, known.line.path, fact, again) }];
  const old = known ?? replaced(fact, turn);
  if (old?.line.id && old !== known && fact.negative && /\bnever\b/i.test(fact.text))
    return [{ name, call: { name: "revise", input: { id: old.line.id, why: "wrong" } } }];
  if (old?.line.id)
    return [
      {
        name,
        call: {
          name: "revise",
          input: { id: old.line.id, text: fact.text, why: "changed", ...(fact.since ? { since: fact.since } : {}) },
        },
      },
    ];
  if (fact.rel.startsWith("relation:") && fact.value)
    return [{ name, call: remember(withLink(fact, all, turn), null, fact, again) }];
  if (fact.subject.kind !== "person") return [{ name, call: remember(fact.text, null, fact, again) }];
  const path = personByName(turn.env.people, fact.subject.name)?.path ?? personPath(fact.subject.name);
  const writes: Write[] = [{ name, call: remember(fact.text, path, fact, again) }];
  const introduced = all.some(
    (other) =>
      other.rel.startsWith("relation:") &&
      other.value &&
      fact.subject.kind === "person" &&
      fold(other.value) === fold(fact.subject.name) &&
      !lineOf(other, turn),
  );
  if (!introduced && !turn.knowledge.hasLink(path))
    writes.push({ name: null, silent: true, call: { name: "remember", input: { text: `[[${path}]]` } } });
  return writes;
}

/** "Ines is my sister: [[people/ines]]", where her file exists or comes into being with this message. */
function withLink(fact: Fact, all: readonly Fact[], turn: Turn): string {
  const path = personByName(turn.env.people, fact.value!)?.path;
  const own = all.some((other) => other.subject.kind === "person" && fold(other.subject.name) === fold(fact.value!));
  return path || own ? `${fact.text}: [[${path ?? personPath(fact.value!)}]]` : fact.text;
}

function remember(text: string, path: string | null, fact: Fact, again: boolean): ToolCall {
  const keys = Object.fromEntries(
    (["slot", "since", "until", "on", "expires"] as const).flatMap((key) => (fact[key] ? [[key, fact[key]]] : [])),
  );
  return { name: "remember", input: { ...(path ? { path } : {}), text, ...keys, ...(again ? { again: true } : {}) } };
}

/** A partner who is now married to one is said anew; so is a date that the known line lacks. */
const saysMore = (fact: Fact, known: Known): boolean =>
  fact.rel === "relation:partner" &&
  /^Is (?:married|engaged)/.test(fact.text) &&
  !/ is my (?:husband|wife|spouse)/.test(known.line.text) &&
  !known.folded.includes(/married|engaged/.exec(fact.text)![0]) &&
  known.line.id !== null;

/** The line whose value a fact replaces, where no slot does so by itself. */
function replaced(fact: Fact, turn: Turn): Known | null {
  const mine = turn.knowledge.current.filter((one) => aboutSame(one, fact.subject) && one.line.id !== null);
  if (fact.one) {
    const same = mine.filter((one) => one.fact.rel === fact.rel);
    if (same.length === 1) return same[0]!;
  }
  if (fact.fresh && !fact.slot && fact.rel.startsWith("relation:") && roleOf(fact.rel.slice(9))?.single) {
    const same = mine.filter((one) => one.fact.rel === fact.rel);
    if (same.length === 1) return same[0]!;
  }
  if (fact.negative) {
    const wanted = positiveStems(fact.text);
    return (
      mine.find(
        (one) => !one.fact.negative && !/\bnot\b|\bnever\b/.test(one.folded) && equalSets(positiveStems(one.line.text), wanted),
      ) ?? null
    );
  }
  const denied = mine.find(
    (one) =>
      one.fact.negative &&
      /\b(?:not|no longer)\b/.test(one.folded) &&
      equalSets(positiveStems(one.line.text), positiveStems(fact.text)),
  );
  return denied ?? null;
}

const positiveStems = (text: string): Set<string> => {
  const stems = lineStems(text.replace(/\b(?:does|do|did) not\b|\bnot\b|\bnever\b|\bno longer\b|\bany\b|\ban?\b/gi, " "));
  return stems;
};
const equalSets = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size > 0 && a.size === b.size && [...a].every((one) => b.has(one));

/** What a plan is called by, whatever its line says: "the physio appointment" is "Is seeing the physio". */
const PLAN_NOUN = new Set(
  ["appointment", "meeting", "visit", "lesson", "session", "date", "plan", "trip", "event", "booking", "reservation"].map(
    (word) => stem(word),
  ),
);

/** Current line that an ending speaks of: the one that holds its words, in its relation. */
export function endedLine(ending: Ending, turn: Turn): Known | null {
  const named = contentStems(ending.words.replace(/\b(?:my|our|the|an?|old|new|his|her)\b/gi, " "));
  const bare = ending.rel === "plan" ? named.filter((word) => !PLAN_NOUN.has(word)) : named;
  const wanted = bare.length > 0 ? bare : named;
  const mine = turn.knowledge.current.filter(
    (one) => (ending.rel?.startsWith("relation") ? one.about === null : aboutSame(one, ending.subject)) && one.line.id !== null,
  );
  const rels = ending.rel?.split("|") ?? [];
  const ofRel = (one: Known): boolean =>
    rels.some((rel) =>
      rel === "relation:partner"
        ? relMatches(one, "partner")
        : rel === "plan"
          ? one.line.on !== undefined || one.line.state === "upcoming"
          : rel === "pet"
            ? one.fact.rel === "pet" || wanted.length > 0
            : rel === "has"
              ? isStanding(one)
              : relMatches(one, rel),
    );
  const holding = mine.filter((one) => wanted.length > 0 && wanted.every((word) => hasStem(one, word)));
  if (rels.length > 1) {
    for (const rel of rels) {
      const found = endedLine({ ...ending, rel }, turn);
      if (found) return found;
    }
    return null;
  }
  if (rels.length > 0) {
    const fitting = (wanted.length > 0 ? holding : mine).filter(ofRel);
    const meant =
      fitting.length > 0
        ? fitting
        : wanted.length === 0 || rels[0] === "employer" || rels[0] === "relation:partner"
          ? []
          : holding;
    return best(meant, ending);
  }
  const owned = /^(?:Has|Owns|Drives|Rides|Keeps) (?:an? |the |my |any |our )?(.+)$/.exec(ending.text)?.[1];
  if (ending.text) {
    const exact = mine.find((one) => fold(one.line.text) === fold(ending.text));
    if (exact) return exact;
    // "I don't work as a nurse any more" ends "Is a nurse".
    const told = lineFact(ending.text, ending.subject.kind === "person" ? ending.subject.name : null);
    const same =
      told.rel === "raw" || told.value === undefined ? null : lineOf({ ...told, subject: ending.subject, negative: false }, turn);
    if (same?.line.id) return same;
  }
  const held = best(holding.filter(isStanding), ending);
  return held ?? (owned ? endedLine({ ...ending, text: "", words: owned, rel: "has" }, turn) : null);
}

/** What stands, and did not only happen. */
const isStanding = (one: Known): boolean => one.line.on === undefined && !isPast(one.line.text.split(" ")[0] ?? "");

/** Of several lines the one that says least beside the words; none where two say as little. */
function best(lines: readonly Known[], ending: Ending): Known | null {
  const open = lines.filter((one) => !one.fact.negative || ending.rel === undefined);
  if (open.length < 2) return open[0] ?? null;
  const sorted = [...open].sort((a, b) => a.stems.size - b.stems.size);
  const possessions = sorted.filter((one) => /^(?:has|owns|drives|keeps|rides) /.test(one.folded));
  if (ending.rel === "has" && possessions.length === 1) return possessions[0]!;
  return sorted[0]!.stems.size < sorted[1]!.stems.size ? sorted[0]! : null;
}

/** A text with some of its words replaced, whatever signs they hold. */
export function swap(text: string, old: string, fresh: string): string {
  const exact = new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(old)}(?![\\p{L}\\p{N}])`, "gu");
  return exact.test(text) ? text.replace(exact, () => fresh) : text.replace(new RegExp(escapeRegExp(old), "gi"), () => fresh);
}

/** Whether what ends has ended before: another value took its place. */
const isOver = (ending: Ending, turn: Turn): boolean => {
  const words = contentStems(ending.words);
  const over = turn.knowledge.all.flatMap(({ line }) => [
    ...(line.state === "closed" ? [line.text] : []),
    ...line.before.map(({ text }) => text),
  ]);
  return words.length > 0 && over.some((text) => words.every((word) => lineStems(text).has(word)));
};

function endWrites(ending: Ending, turn: Turn): Write[] {
  const name = ending.subject.kind === "person" ? ending.subject.name : null;
  const line = endedLine(ending, turn);
  if (line?.line.id && ending.becomes)
    return [
      {
        name,
        call: {
          name: "revise",
          input: {
            id: line.line.id,
            text: swap(line.line.text, ending.words, ending.becomes),
            why: "changed",
            ...(ending.since ? { since: ending.since } : {}),
          },
        },
      },
    ];
  if (line?.line.id && ending.movedTo) {
    return [
      { name, silent: true, call: { name: "revise", input: { id: line.line.id, why: "changed" } } },
      {
        name,
        call: {
          name: "remember",
          input: { ...(line.line.path ? { path: line.line.path } : {}), text: line.line.raw, on: ending.movedTo },
        },
      },
    ];
  }
  if (line?.line.id)
    return [
      {
        name,
        call: { name: "revise", input: { id: line.line.id, why: "changed", ...(ending.since ? { since: ending.since } : {}) } },
      },
    ];
  const { otherwise } = ending;
  if (otherwise?.negative && isOver(ending, turn)) return [];
  return otherwise ? factWrites(otherwise, [], false, turn) : [];
}

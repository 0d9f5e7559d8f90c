// Forgets what the user asks to forget: one line where the request fits one, none where it fits several, all where it says "everything about".
import { personByName, peopleByRole } from "../facts/env.ts";
import { expand } from "../language/contractions.ts";
import { readStatement } from "../facts/statement.ts";
import { nameAt, petAt, roleAt } from "../facts/heads.ts";
import { petOf, roleOf } from "../facts/roles.ts";
import type { Known } from "../knowledge.ts";
import type { ForgetAsk } from "../language/asks.ts";
import { sayNumber } from "../language/numbers.ts";
import { contentStems, fold } from "../language/words.ts";
import { linesFor, lookUp, relMatches } from "../answer/lookup.ts";
import { readQuestion } from "../answer/question.ts";
import { relOf } from "../answer/relations.ts";
import { hasStem, topicHits } from "../answer/match.ts";
import { sayLine } from "../answer/say.ts";
import { type MemoryLine, readLines } from "../lines.ts";
import type { Part } from "../script.ts";
import { lineOf, statedBefore, type Turn } from "./context.ts";

/** Rounds of "everything about": recall shows six lines at a time. */
const ROUNDS_MAX = 4;
/** The words by which the next turn knows that it is asked which line was meant. */
export const UNDECIDED = "so nothing was forgotten";

export function* forget(ask: ForgetAsk, turn: Turn, foreign = false): Part<void> {
  if (!turn.tools.has("forget")) {
    turn.said.push("Memory cannot be written in this conversation, so nothing was forgotten.");
    return;
  }
  if (ask.everything) {
    turn.said.push(
      "That would be the whole memory. Say which part, as in “forget everything about the boat”; to delete all of it, use Settings.",
    );
    return;
  }
  if (ask.content === "") return yield* forgetLast(turn);
  const target = targetOf(ask.content, turn);
  yield* lookUp(turn, [ask.content, ...(target.name && target.name !== ask.content ? [target.name] : [])], target.paths);
  turn.env.people = turn.knowledge.people();
  if (ask.all) return yield* forgetAll(ask.content, turn);
  const found = candidates(ask, turn);
  if (found.length === 0) return yield* forgetByQuery(ask, turn, foreign);
  if (found.length > 1) return undecided(found, turn);
  const [result = ""] = yield [{ name: "forget", input: { id: found[0]!.line.id } }];
  report([result], turn);
}

interface Target {
  name: string | null;
  paths: string[];
}

/** The person whom the words name, and the file to look into. */
function targetOf(content: string, turn: Turn): Target {
  const bare = content.replace(/^(?:my|our) /i, "").replace(/['’]s? \S.*$/, "");
  const words = bare.split(" ");
  const head = roleAt(words, 0);
  const called = head ? nameAt(words, head.end)?.name : undefined;
  const ofRole = head && head.end === words.length && head.tail === "" ? peopleByRole(turn.env.people, head.role, roleOf) : [];
  const named = personByName(turn.env.people, called ?? content) ?? (ofRole.length === 1 ? ofRole[0] : undefined);
  return { name: named?.name ?? null, paths: named?.path ? [named.path] : [] };
}

/** Lines that the request can mean. */
function candidates(ask: ForgetAsk, turn: Turn): Known[] {
  const withId = (lines: readonly Known[]): Known[] => lines.filter(({ line }) => line.id !== null);
  const current = withId(turn.knowledge.current);
  const closed = withId(turn.knowledge.all.filter(({ line }) => line.state === "closed"));
  if (ask.clause) {
    const exact = readStatement(expand(ask.content), { ...turn.env, last: turn.env.last })
      .facts.map((fact) => lineOf(fact, turn))
      .filter((one) => one !== null);
    if (exact.length > 0) return withId([...new Set(exact)]);
  }
  const asked = WH.test(ask.content) ? asQuestion(ask.content, turn) : [];
  if (asked.length > 0) return withId(asked);
  for (const lines of [current, closed]) {
    const found = described(ask.content, lines, turn);
    if (found.length > 0) return found;
  }
  return [];
}

const WH = /^(?:where|what|who|whose|which|when|how)\b/i;

/** "where my brother lives", "who I work for": what the question would be answered with. */
function asQuestion(content: string, turn: Turn): Known[] {
  const question = readQuestion(expand(content), turn.env);
  return question.kind === "about" || question.kind === "plans" ? [] : linesFor(question, turn);
}

/** Lines that a description fits: a person, a pet, a relation ("where I live", "my job"), or the words themselves. */
function described(content: string, lines: readonly Known[], turn: Turn): Known[] {
  const bare = content.replace(/^(?:my|our|the|that|this) /i, "");
  const owned = /^(.+?)['’]s? (.+)$/.exec(content);
  const owner = owned ? targetOf(owned[1]!, turn).name : null;
  // "Gerd's age", "my sister's birthday"
  if (owned && owner) {
    const theirs = lines.filter((one) => isAboutName(one, owner));
    const asked = relOf(`what is S's ${owned[2]}`)?.rel;
    const ofRel = asked ? theirs.filter((one) => relMatches(one, asked)) : [];
    const words = contentStems(owned[2]!);
    return ofRel.length > 0 ? ofRel : theirs.filter((one) => words.length > 0 && words.every((word) => hasStem(one, word)));
  }
  const { name } = targetOf(content, turn);
  if (name) return lines.filter((one) => isAboutName(one, name));
  const animal = petAt(bare.split(" "), 0);
  if (animal && animal.end === bare.split(" ").length) {
    const { kind } = animal;
    const pets = lines.filter(
      (one) => one.fact.rel === "pet" && one.folded.split(/[^\p{L}-]+/u).some((word) => petOf(word) === kind),
    );
    if (pets.length > 0) return pets;
  }
  const rel = (
    relOf(`what is S's ${bare.replace(/s$/, "")}`) ??
    relOf(`what is S's ${bare}`) ??
    relOf(
      content
        .replace(/\bI (?=\p{L}+$)/u, "do S ")
        .replace(/\bI\b/, "S")
        .replace(/\bmy\b/, "S's")
        .replace(/^(where|who|what) S(?:'s)? /, "$1 do S "),
    )
  )?.rel;
  if (rel) {
    const ofRel = lines.filter(
      (one) =>
        one.about === null &&
        (relMatches(one, rel) ||
          (rel === "job" &&
            one.fact.rel === "employer" &&
            /\bjob\b/i.test(content) &&
            !lines.some((other) => other.about === null && other.fact.rel === "job"))),
    );
    if (ofRel.length > 0) return ofRel;
  }
  const wanted = contentStems(bare);
  if (wanted.length === 0) return topicHits(lines, bare);
  const direct = lines.filter((one) => wanted.every((word) => one.stems.has(word)));
  return direct.length > 0 ? direct : lines.filter((one) => wanted.every((word) => hasStem(one, word)));
}

const isAboutName = (one: Known, name: string): boolean => {
  const first = fold(name).split(" ")[0]!;
  return one.about !== null ? fold(one.about).split(" ")[0] === first : one.folded.split(/[^\p{L}\p{M}]+/u).includes(first);
};

function* forgetAll(content: string, turn: Turn): Part<void> {
  const results: string[] = [];
  const gone = new Set<string>();
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { name, paths } = targetOf(content, turn);
    const hits = [
      ...turn.knowledge.all.filter((one) => (name ? isAboutName(one, name) : false)),
      ...(name
        ? []
        : [
            ...topicHits(turn.knowledge.all, content.replace(/^(?:my|our|the|that) /i, "")),
            ...described(content, turn.knowledge.all, turn),
          ]),
    ].map(({ line }) => line);
    const indexes = turn.knowledge.indexes.filter((line) => paths.some((path) => line.raw.includes(`[[${path}`)));
    const fresh = [...new Set([...hits, ...indexes])].filter(
      (line): line is MemoryLine & { id: string } => line.id !== null && !gone.has(line.id),
    );
    if (fresh.length === 0) break;
    for (const { id } of fresh) gone.add(id);
    results.push(...(yield fresh.map(({ id }) => ({ name: "forget", input: { id } }))));
    yield* lookUp(turn, [content], round === 0 && paths.length > 0 ? paths : []);
  }
  if (results.length > 0) return report(results, turn);
  results.push(...(yield [{ name: "forget", input: { query: content, all: true } }]));
  report(results, turn);
}

/** "Forget that": what the last message saved. */
function* forgetLast(turn: Turn): Part<void> {
  // The newest message that stated something; what stood before it stays.
  const newest = statedBefore(turn, 1).facts;
  const stated = newest.length > 0 ? newest : statedBefore(turn, 2).facts;
  yield* lookUp(
    turn,
    stated
      .slice(0, 3)
      .filter((fact) => !lineOf(fact, turn))
      .map((fact) => fact.text),
  );
  const last = [...new Set(stated.map((fact) => lineOf(fact, turn)))].filter(
    (one): one is Known => one !== null && one.line.id !== null,
  );
  if (last.length === 0) {
    turn.said.push("I don't know which line you mean. Say it in its words.");
    return;
  }
  report(yield last.map((one) => ({ name: "forget", input: { id: one.line.id } })), turn);
}

/** Nothing in sight fits: the memory itself looks. */
function* forgetByQuery(ask: ForgetAsk, turn: Turn, foreign: boolean): Part<void> {
  // A mere description must not take a line that shares a word with it; the foreign rest has no description, only words.
  const query = ask.content;
  const [result = ""] = yield [{ name: "forget", input: { query } }];
  void foreign;
  if (result.startsWith("Several")) {
    const lines = turn.knowledge.add(
      readLines(
        result
          .split("\n")
          .slice(1)
          .map((line) => `- ${line}`)
          .join("\n"),
        null,
      ),
    );
    const shown = lines.length > 0 ? lines : turn.knowledge.all.filter((one) => result.includes(`{${one.line.id}}`));
    if (shown.length > 0) return undecided(shown, turn);
  }
  report([result], turn);
}

function undecided(found: readonly Known[], turn: Turn): void {
  const lines = found.slice(0, 12).map((one) => `- ${sayLine(one, turn.clock.today)}`);
  turn.said.push(
    `${found.length < 10 ? sayNumber(found.length).replace(/^./, (letter) => letter.toUpperCase()) : found.length} lines fit, ${UNDECIDED}:\n${lines.join("\n")}\nWhich of them shall I forget?`,
  );
}

function report(results: readonly string[], turn: Turn): void {
  const lines = results.reduce((sum, result) => sum + Number(/^Forgotten: (\d+)/.exec(result)?.[1] ?? 0), 0);
  const waits = results.filter((result) => result.startsWith("Waits")).length;
  if (lines > 0)
    turn.said.push(
      `Forgotten: ${lines === 1 ? "one line" : `${sayNumber(lines)} lines`}. ${lines === 1 ? "It stays" : "They stay"} out until you ask me to remember ${lines === 1 ? "it" : "them"} again.`,
    );
  if (waits > 0) turn.said.push("Forgetting that waits for your click.");
  if (lines === 0 && waits === 0) {
    const refused = results.find((result) => result.startsWith("Not saved"));
    turn.said.push(
      refused
        ? refused.replace(/^Not saved \([^)]*\): /, "Nothing was forgotten: ")
        : "Nothing of that kind is kept, so nothing was forgotten.",
    );
  }
}

/** The answer to "which of them": "Pixel", "the first", "both". Null where the last answer asked nothing of the kind. */
export function* forgetChosen(said: string, turn: Turn): Part<boolean> {
  const last = turn.prompt.history.at(-1);
  if (last?.role !== "assistant" || !last.text.includes(UNDECIDED)) return false;
  const shown = [...last.text.matchAll(/^- (.+)$/gm)].map(([, line = ""]) => line);
  yield* lookUp(turn, shown.slice(0, 4));
  const lines = shown.map((line) =>
    turn.knowledge.all.find((one) => one.line.id !== null && sayLine(one, turn.clock.today) === line),
  );
  const pick = /\b(?:both|all|each|every)\b/i.test(said)
    ? lines
    : nth(said) !== null
      ? [lines[nth(said)!]]
      : lines.filter((one) => one && contentStems(said).length > 0 && contentStems(said).every((word) => hasStem(one, word)));
  const ids = pick.flatMap((one) => (one?.line.id ? [one.line.id] : []));
  if (ids.length === 0) return false;
  report(yield ids.map((id) => ({ name: "forget", input: { id } })), turn);
  return true;
}

function nth(said: string): number | null {
  const word = /\b(first|second|third|fourth|fifth|last|1st|2nd|3rd)\b/i.exec(said)?.[1]?.toLowerCase();
  if (!word) return null;
  return word === "last" ? -1 : { first: 0, "1st": 0, second: 1, "2nd": 1, third: 2, "3rd": 2, fourth: 3, fifth: 4 }[word]!;
}

// A chat turn as a script: corrections and forgetting first, then what is to be kept, then the answers.
import { answerQuestion } from "../answer/answer.ts";
import { readStatement } from "../facts/statement.ts";
import type { Ending, Fact } from "../facts/fact.ts";
import { expand } from "../language/contractions.ts";
import type { Prompt } from "../prompt.ts";
import type { Part, Script } from "../script.ts";
import { openTurn, statedBefore, type Turn } from "./context.ts";
import { correct } from "./correct.ts";
import { forget, forgetChosen } from "./forget.ts";
import { ABILITY, EMPTY, IDENTITY, NO, NOTHING, ORDER, PASTE, SECRET, SUPPOSED, TALK, YES_TO_NOTHING } from "./replies.ts";
import { save } from "./save.ts";

/** Questions of one message that are answered. */
const QUESTIONS_MAX = 4;

export function* chatTurn(prompt: Prompt): Script {
  const turn = openTurn(prompt);
  const { intents } = turn;
  const plain = prompt.message.typed.trim();
  if (
    plain.length < 80 &&
    intents.every(({ kind }) => kind === "none" || kind === "yes" || kind === "talk" || kind === "facts" || kind === "forget") &&
    !/^(?:I|my|we|our)\b.* .* /i.test(plain) &&
    (yield* forgetChosen(plain, turn))
  )
    return answer(turn);
  for (const intent of intents) {
    if (intent.kind === "correct") yield* correct(intent.correction, turn);
    if (intent.kind === "forget") yield* forget(intent.ask, turn, intent.foreign);
  }
  const facts: Fact[] = [];
  const endings: Ending[] = [];
  let again = false;
  for (const intent of intents) {
    if (intent.kind !== "facts") continue;
    facts.push(...intent.facts);
    endings.push(...intent.endings);
    again ||= intent.again;
  }
  if (intents.some(({ kind }) => kind === "keepPaste") && prompt.message.pasted.length > 0) facts.push(...pastedFacts(prompt));
  if (intents.some(({ kind }) => kind === "yes")) facts.push(...confirmed(turn));
  if (facts.length + endings.length > 0) yield* save(facts, endings, again, turn);
  if (intents.some(({ kind }) => kind === "joke")) yield* takeBackJoke(turn);
  for (const question of intents.filter((intent) => intent.kind === "question").slice(0, QUESTIONS_MAX)) {
    if (onlyAboutPaste(question.text, turn)) turn.said.push(PASTE);
    else turn.said.push(yield* answerQuestion(question.text, turn));
  }
  for (const intent of intents) {
    if (intent.kind === "secret" && !turn.said.includes(SECRET)) turn.said.unshift(SECRET);
    if (intent.kind === "perhaps") for (const fact of intent.facts) turn.said.push(`Shall I remember “${fact.text}”?`);
  }
  return answer(turn);
}

/** Lines of a paste that the user asks to keep; the gate makes cards of them, since nobody typed them. */
const PASTED_LINES_MAX = 5;
const pastedFacts = (prompt: Prompt): Fact[] =>
  prompt.message.pasted
    .flatMap((paste) => paste.split("\n"))
    .map((line) => line.trim())
    .filter((line) => line !== "" && line.length <= 500)
    .slice(0, PASTED_LINES_MAX)
    .map((text) => ({ subject: { kind: "me" }, text, rel: "raw" }));

/** "What does this mean?" beside a paste asks for what this model cannot do. */
const onlyAboutPaste = (question: string, turn: Turn): boolean =>
  turn.prompt.message.pasted.length > 0 &&
  !/\b(?:I|my|me|we|our|you know|remember)\b/i.test(question.replace(/\bfor me\b|\b(?:can|could) you\b|\btell me\b/gi, ""));

const PROPOSAL =
  /(?:shall|should|may|can) I (?:remember|save|keep|note)(?: that| this)?:? [“"]?(.+?)[”"]?\?|(?:do you want|would you like) me to (?:remember|save|keep|note)(?: that)?:? [“"]?(.+?)[”"]?\?/i;

/** What a "yes" confirms: the proposal that ends the last answer. */
function confirmed(turn: Turn): Fact[] {
  const last = turn.prompt.history.at(-1);
  const proposal = last?.role === "assistant" ? PROPOSAL.exec(last.text) : null;
  if (!proposal) return [];
  const words = proposal[1] ?? proposal[2]!;
  const { perhaps } = statedBefore(turn, 1);
  const own = perhaps.filter((fact) => last!.text.includes(fact.text));
  if (own.length > 0) return own;
  const mine = words
    .replace(/\byou are\b/gi, "I am")
    .replace(/\byour\b/gi, "my")
    .replace(/\byou\b/gi, "I");
  const read = readStatement(expand(mine), turn.env).facts;
  return read.length > 0
    ? read
    : [{ subject: { kind: "me" }, text: words.replace(/^./u, (letter) => letter.toUpperCase()), rel: "raw" }];
}

/** "Just kidding" after something was saved: it was never true. */
function* takeBackJoke(turn: Turn): Part<void> {
  const alone = turn.intents.every(({ kind }) => kind === "joke" || kind === "talk");
  const last = turn.prompt.history.at(-1);
  if (!alone || last?.role !== "assistant" || !last.text.startsWith("Remembered")) return;
  if (statedBefore(turn, 1).facts.length > 0) yield* correct({ drop: true, sure: true }, turn);
}

/** All that was said, or the one sentence that fits where nothing was. */
function answer(turn: Turn): string {
  if (turn.said.length > 0) return turn.said.join("\n\n");
  const { intents, prompt } = turn;
  const has = (kind: string): boolean => intents.some((intent) => intent.kind === kind);
  if (has("identity")) return IDENTITY;
  if (has("ability")) return ABILITY;
  if (has("order")) return prompt.message.pasted.length > 0 ? PASTE : ORDER;
  if (prompt.message.pasted.length > 0) return PASTE;
  if (has("no")) return NO;
  if (has("yes")) return YES_TO_NOTHING;
  if (has("joke")) return SUPPOSED;
  const talk = intents.findLast((intent) => intent.kind === "talk");
  if (talk && !has("none")) return TALK[talk.talk];
  return intents.length === 0 ? EMPTY : NOTHING;
}

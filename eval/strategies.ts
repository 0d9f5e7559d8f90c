// The three strategies beside the app's memory: the whole history in the prompt, a summary made once, and nothing at all.
import { estimateTokenCount } from "tokenx";
import { moment, sessionsAsText, type Case, type Question, type Session } from "./cases.ts";
import { EvalProblem } from "./problem.ts";
import type { Spending } from "./spending.ts";
import { fill } from "./template.ts";

export const STRATEGIES = ["memory", "history", "summary", "none"] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** Tokens of conversation that one call of the summariser reads: it fits every model in use, and few calls are needed. */
const SUMMARY_CHUNK_TOKENS = 16_000;
/** Tokens of the summary: about its 1,200 words, with room for scripts that take more. */
const SUMMARY_MAX_TOKENS = 3_000;
/** Tokens kept free for the question, the rules and the answer. */
const PROMPT_REST_TOKENS = 6_000;

/** One case under one strategy, ready to be asked. */
export interface Asker {
  /** Learns what is learned once for a case. */
  prepare(): Promise<void>;
  ask(question: Question): Promise<string>;
  /** `done`: all questions are answered and marked. */
  close(done: boolean): Promise<void>;
}

const nothing = async (): Promise<void> => {};

async function answer(
  spending: Spending,
  model: string,
  strategy: Strategy,
  one: Case,
  question: Question,
  system: string,
): Promise<string> {
  const call = spending.model(model, { strategy, case: one.id, phase: "ask", question: question.id });
  const messages = [
    { role: "system" as const, content: system },
    { role: "user" as const, content: question.text },
  ];
  return (await call({ kind: "chat", ref: null, messages })).text.trim();
}

/** Asked without any history. */
export function none(spending: Spending, model: string, one: Case): Asker {
  return {
    prepare: nothing,
    ask: (question) => answer(spending, model, "none", one, question, fill("none", { today: moment(question.at) })),
    close: nothing,
  };
}

/** Asked with every word that was said before it. Throws where that does not fit the model. */
export function history(spending: Spending, model: string, one: Case): Asker {
  const text = sessionsAsText(one.sessions);
  const tokens = estimateTokenCount(text);
  const room = spending.contextOf(model);
  return {
    prepare: nothing,
    ask: async (question) => {
      if (room !== null && tokens + PROMPT_REST_TOKENS > room)
        throw new DoesNotFit(
          `The history has about ${tokens.toLocaleString("en-US")} tokens, the model takes ${room.toLocaleString("en-US")}.`,
        );
      const today = moment(question.at);
      return answer(spending, model, "history", one, question, fill("history", { history: text, today }));
    },
    close: nothing,
  };
}

/** The strategy cannot answer with this model, however often it is tried: that counts as a wrong answer. */
export class DoesNotFit extends EvalProblem {}

/** Sessions in runs of at most SUMMARY_CHUNK_TOKENS; a longer session is cut between its messages. */
export function chunksOf(sessions: readonly Session[], budget = SUMMARY_CHUNK_TOKENS): string[] {
  const chunks: string[] = [];
  let current: string[] = [];
  let tokens = 0;
  const close = () => {
    if (current.length > 0) chunks.push(current.join("\n"));
    current = [];
    tokens = 0;
  };
  for (const { at, messages } of sessions) {
    const head = `## ${moment(at)}`;
    let headed = false;
    for (const { role, text } of messages) {
      const line = `${role === "user" ? "User" : "Assistant"}: ${text}`;
      const cost = estimateTokenCount(line);
      if (current.length > 0 && tokens + cost > budget) {
        close();
        headed = false;
      }
      if (!headed) current.push(head);
      headed = true;
      current.push(line);
      tokens += cost;
    }
  }
  close();
  return chunks;
}

/** Asked with a summary alone, which is made once, conversation by conversation. `made` is what an earlier run has made. */
export function summary(spending: Spending, model: string, one: Case, made: string | null, done: (text: string) => void): Asker {
  let text = made;
  return {
    prepare: async () => {
      if (text !== null) return;
      const call = spending.model(model, { strategy: "summary", case: one.id, phase: "learn", question: null });
      let summary = "";
      for (const history of chunksOf(one.sessions)) {
        const messages = [{ role: "user" as const, content: fill("summarise", { summary, history }) }];
        summary = (await call({ kind: "summary", ref: null, messages, maxTokens: SUMMARY_MAX_TOKENS })).text.trim();
      }
      done((text = summary));
    },
    ask: (question) => {
      const system = fill("summary", { summary: text ?? "", today: moment(question.at) });
      return answer(spending, model, "summary", one, question, system);
    },
    close: nothing,
  };
}

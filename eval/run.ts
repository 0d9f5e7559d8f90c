// One run of an evaluation: every case, every question, every strategy, but what an earlier run into the same folder has finished.
import { join } from "node:path";
import { AppError } from "../src/shared/errors.ts";
import { AppMemory, type MemoryStep, type Serve } from "./app-memory.ts";
import type { Case, Question } from "./cases.ts";
import { judge } from "./judge.ts";
import { openLines, type Lines } from "./lines.ts";
import { CapReached, EvalProblem } from "./problem.ts";
import type { Spending } from "./spending.ts";
import { DoesNotFit, history, none, summary, type Asker, type Strategy } from "./strategies.ts";

/** A question that was asked and marked. */
export interface Answer {
  done: "answer";
  strategy: Strategy;
  case: string;
  question: string;
  type: string;
  text: string;
  gold: string;
  answer: string;
  right: boolean;
}

/** A step of learning that need not be taken again. */
type Step = (MemoryStep | { done: "summary"; text: string }) & { case: string };

export type Line = Answer | Step;

export interface RunOptions {
  cases: readonly Case[];
  strategies: readonly Strategy[];
  model: string;
  judge: string;
  out: string;
  serve: Serve;
  spending: Spending;
  say: (line: string) => void;
}

/** How a run ended; `stopped` says why it did not get to the end. */
export interface RunEnd {
  lines: readonly Line[];
  /** Questions whose answer or mark failed; the next run tries them again. */
  failed: string[];
  stopped: string | null;
}

/** Failures in a row after which the endpoint is taken to be down. */
const FAILURES_IN_A_ROW = 3;

/** Runs what is not finished yet. Throws nothing that a user can mend: it stands in `stopped` or `failed`. */
export async function run(options: RunOptions): Promise<RunEnd> {
  const { cases, strategies, out, say } = options;
  const lines = openLines<Line>(join(out, "answers.jsonl"));
  const failed: string[] = [];
  let inARow = 0;
  const attempt = async (what: string, work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      inARow = 0;
      return true;
    } catch (error) {
      if (error instanceof CapReached || !(error instanceof EvalProblem || error instanceof AppError)) throw error;
      failed.push(`${what}: ${error.message}`);
      say(`  ${what}: ${error.message}`);
      if (++inARow >= FAILURES_IN_A_ROW)
        throw new EvalProblem(`${inARow} steps in a row failed, the last with: ${error.message} Run the same command to go on.`);
      return false;
    }
  };
  const isDone = (strategy: Strategy, one: Case, question: Question): boolean =>
    lines.values.some(
      (line) => line.done === "answer" && line.strategy === strategy && line.case === one.id && line.question === question.id,
    );
  const runCase = async (one: Case, open: readonly Strategy[]): Promise<void> => {
    const askers = open.map((strategy) => ({ strategy, asker: askerOf(strategy, one, options, lines), ready: false }));
    try {
      for (const each of askers) each.ready = await attempt(`${each.strategy}, ${one.id}`, () => each.asker.prepare());
      // Question by question, so that a run that is stopped has asked all strategies the same.
      for (const question of one.questions) {
        for (const { strategy, asker } of askers.filter(({ ready }) => ready)) {
          if (isDone(strategy, one, question)) continue;
          await attempt(`${strategy}, ${question.id}`, async () => {
            const answer = await mark(strategy, one, question, asker, options);
            lines.add(answer);
            say(`  ${question.id}, ${strategy}: ${answer.right ? "right" : "wrong"}`);
          });
        }
      }
    } finally {
      for (const { strategy, asker } of askers)
        await asker.close(one.questions.every((question) => isDone(strategy, one, question)));
    }
  };
  try {
    for (const [n, one] of cases.entries()) {
      const open = strategies.filter((strategy) => one.questions.some((question) => !isDone(strategy, one, question)));
      if (open.length === 0) continue;
      say(`${n + 1} of ${cases.length}: ${one.id}, ${one.sessions.length} conversations, ${one.questions.length} questions`);
      await runCase(one, open);
    }
  } catch (error) {
    if (!(error instanceof EvalProblem)) throw error;
    return { lines: lines.values, failed, stopped: error.message };
  }
  return { lines: lines.values, failed, stopped: null };
}

/** Asks and marks. */
async function mark(strategy: Strategy, one: Case, question: Question, asker: Asker, options: RunOptions): Promise<Answer> {
  const { spending, judge: judgeModel } = options;
  const about = { done: "answer" as const, strategy, case: one.id, question: question.id };
  const { type, text, gold } = question;
  try {
    const answer = await asker.ask(question);
    const right = answer !== "" && (await judge(spending, judgeModel, one, question, strategy, answer));
    return { ...about, type, text, gold, answer, right };
  } catch (error) {
    if (!(error instanceof DoesNotFit)) throw error;
    return { ...about, type, text, gold, answer: error.message, right: false };
  }
}

function askerOf(strategy: Strategy, one: Case, options: RunOptions, lines: Lines<Line>): Asker {
  const { spending, model, out, serve, say } = options;
  const before = (step: Step["done"]): boolean => lines.values.some((line) => line.done === step && line.case === one.id);
  switch (strategy) {
    case "none":
      return none(spending, model, one);
    case "history":
      return history(spending, model, one);
    case "summary": {
      const made = lines.values.findLast((line) => line.done === "summary" && line.case === one.id);
      return summary(spending, model, one, made?.done === "summary" ? made.text : null, (text) =>
        lines.add({ done: "summary", case: one.id, text }),
      );
    }
    case "memory":
      return new AppMemory({
        serve,
        spending,
        model,
        one,
        folder: join(out, "data"),
        say,
        takenIn: before("taken-in"),
        learned: before("learned"),
        done: (step) => lines.add({ ...step, case: one.id }),
      });
  }
}

// Reads LongMemEval's file shape: one case a question, each with its own haystack of sessions.
import * as z from "zod";
import type { Case } from "./cases.ts";
import { EvalProblem } from "./problem.ts";

const Turn = z.object({ role: z.enum(["user", "assistant"]), content: z.string() });
/** Answers are numbers here and there. */
const Text = z.union([z.string(), z.number()]).transform(String);

export const LongMemEval = z
  .array(
    z
      .object({
        question_id: z.string().min(1),
        question_type: z.string().min(1),
        question: z.string().min(1),
        answer: Text,
        question_date: z.string(),
        haystack_session_ids: z.array(z.string()),
        haystack_dates: z.array(z.string()),
        haystack_sessions: z.array(z.array(Turn)),
        answer_session_ids: z.array(z.string()).optional(),
      })
      .refine(
        (one) =>
          one.haystack_sessions.length === one.haystack_dates.length &&
          one.haystack_sessions.length === one.haystack_session_ids.length,
        "haystack_sessions, haystack_dates and haystack_session_ids are not equally long",
      ),
  )
  .min(1);

/** `2023/05/20 (Sat) 02:21` in milliseconds; the weekday and the time may be missing. */
export function readDate(text: string): number {
  const match = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})(?:\s*\([A-Za-z]+\))?(?:[\sT]+(\d{1,2}):(\d{2}))?/.exec(text.trim());
  if (!match) throw new EvalProblem(`“${text}” is no date. LongMemEval writes 2023/05/20 (Sat) 02:21.`);
  const [year, month, day, hour, minute] = match.slice(1).map((part) => Number(part ?? 0));
  return Date.UTC(year!, month! - 1, day, hour, minute);
}

/** Questions whose id ends in `_abs` have no answer in the haystack: saying so is right. */
export function longMemEvalCases(items: z.infer<typeof LongMemEval>): Case[] {
  return items.map((one) => ({
    id: one.question_id,
    sessions: one.haystack_sessions
      .map((turns, at) => ({
        id: one.haystack_session_ids[at]!,
        title: `Conversation of ${one.haystack_dates[at]}`,
        at: readDate(one.haystack_dates[at]!),
        messages: turns.filter(({ content }) => content.trim() !== "").map(({ role, content }) => ({ role, text: content })),
      }))
      .sort((a, b) => a.at - b.at),
    questions: [
      {
        id: one.question_id,
        type: one.question_type,
        text: one.question,
        gold: one.answer,
        unknown: one.question_id.endsWith("_abs"),
        at: readDate(one.question_date),
      },
    ],
  }));
}

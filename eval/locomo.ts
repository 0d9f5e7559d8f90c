// Reads LoCoMo's file shape: one case a sample, two people who talk over many sessions, and many questions about them.
import * as z from "zod";
import type { Case, Session } from "./cases.ts";
import { EvalProblem } from "./problem.ts";

const Turn = z.object({
  speaker: z.string(),
  dia_id: z.string().optional(),
  text: z.string(),
  /** What a shared picture shows. */
  blip_caption: z.string().optional(),
});
const Text = z.union([z.string(), z.number()]).transform(String);

export const LoCoMo = z
  .array(
    z.object({
      sample_id: z.string().min(1),
      conversation: z.looseObject({ speaker_a: z.string(), speaker_b: z.string() }),
      qa: z.array(
        z.object({
          question: z.string().min(1),
          answer: Text.optional(),
          evidence: z.array(z.string()).optional(),
          category: z.number().int(),
          adversarial_answer: Text.optional(),
        }),
      ),
    }),
  )
  .min(1);

/** The set's numbers of categories in words. */
const CATEGORIES: Record<number, string> = {
  1: "multi-hop",
  2: "temporal",
  3: "open-domain",
  4: "single-hop",
  5: "adversarial",
};
const ADVERSARIAL = 5;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAY_MS = 86_400_000;

/** `1:56 pm on 8 May, 2023` in milliseconds. */
export function readMoment(text: string): number {
  const match = /^(\d{1,2}):(\d{2})\s*([ap])\.?m\.?\s+on\s+(\d{1,2})\s+([A-Za-z]+),?\s+(\d{4})$/i.exec(text.trim());
  const month = MONTHS.indexOf((match?.[5] ?? "").slice(0, 3).toLowerCase());
  if (!match || month < 0) throw new EvalProblem(`“${text}” is no moment. LoCoMo writes 1:56 pm on 8 May, 2023.`);
  const hour = (Number(match[1]) % 12) + (match[3]!.toLowerCase() === "p" ? 12 : 0);
  return Date.UTC(Number(match[6]), month, Number(match[4]), hour, Number(match[2]));
}

function sessionsOf(sample: z.infer<typeof LoCoMo>[number]): Session[] {
  const { conversation, sample_id } = sample;
  return Object.keys(conversation)
    .filter((key) => /^session_\d+$/.test(key))
    .map((key) => {
      const turns = z.array(Turn).safeParse(conversation[key]);
      if (!turns.success) throw new EvalProblem(`${sample_id}: ${key} is no list of {speaker, dia_id, text}.`);
      const when = conversation[`${key}_date_time`];
      if (typeof when !== "string") throw new EvalProblem(`${sample_id}: ${key}_date_time is missing.`);
      return {
        id: `${sample_id}-${key}`,
        title: `${conversation.speaker_a} and ${conversation.speaker_b}, ${when}`,
        at: readMoment(when),
        // Both people are asked about, so both are heard: each line is said by the user, with its speaker's name before it.
        messages: turns.data.map(({ speaker, text, blip_caption }) => ({
          role: "user" as const,
          text: `${speaker}: ${text}${blip_caption ? ` (shares a picture: ${blip_caption})` : ""}`,
        })),
      };
    })
    .filter(({ messages }) => messages.length > 0)
    .sort((a, b) => a.at - b.at);
}

/** Questions are asked a day after the last session; those of the adversarial kind have no answer. */
export function locomoCases(samples: z.infer<typeof LoCoMo>): Case[] {
  return samples.map((sample) => {
    const sessions = sessionsOf(sample);
    const last = sessions.at(-1);
    if (!last) throw new EvalProblem(`${sample.sample_id} has no session_1.`);
    return {
      id: sample.sample_id,
      sessions,
      questions: sample.qa.map(({ question, answer, category, adversarial_answer }, n) => {
        const unknown = category === ADVERSARIAL || answer === undefined;
        return {
          id: `${sample.sample_id}-q${n + 1}`,
          type: CATEGORIES[category] ?? `category ${category}`,
          text: question,
          gold: unknown
            ? `It was never said.${adversarial_answer ? ` “${adversarial_answer}” is true of somebody or something else.` : ""}`
            : answer,
          unknown,
          at: last.at + DAY_MS,
        };
      }),
    };
  });
}

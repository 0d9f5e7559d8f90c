// The command line of `npm run eval`: read, checked, and every mistake answered with a sentence.
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import { EvalProblem } from "./problem.ts";
import { STRATEGIES, type Strategy } from "./strategies.ts";

export const USAGE = `npm run eval -- --set <folder> --model <name>
  --set         a folder with JSON files in LongMemEval's or LoCoMo's shape, or “rewordings”
  --model       the model that answers, dreams and summarises
  --judge       the model that marks; the same one where absent
  --strategies  of ${STRATEGIES.join(", ")}, with commas between; all where absent
  --cap         US dollars that may be spent in all; 5 where absent and the models have a price
  --limit       questions at most, the types in turn
  --out         folder of answers, calls and report; tmp/eval/<set>-<model> where absent
  --no-build    uses the build that is there
Models answer at OPENAI_BASE_URL with OPENAI_API_KEY; MODEL_PRICES adds prices. docs/eval.md says more.`;

const DEFAULT_BASE_URL = "https://api.openai.com/v1";

export interface EvalOptions {
  set: string;
  model: string;
  judge: string;
  strategies: Strategy[];
  capUsd: number | null;
  limit: number | null;
  out: string;
  baseUrl: string;
  apiKey: string;
  prices: string | undefined;
}

const Name = (flag: string, what: string) =>
  z.string(`Say ${what}: ${flag} is missing.`).min(1, `Say ${what}: ${flag} is empty.`);

const Flags = z.object({
  set: Name("--set", "which questions to ask"),
  model: Name("--model", "which model to ask"),
  judge: z.string().min(1, "--judge is empty.").optional(),
  strategies: z
    .string()
    .transform((text) => [
      ...new Set(
        text
          .split(",")
          .map((part) => part.trim())
          .filter((part) => part !== ""),
      ),
    ])
    .pipe(
      z
        .array(
          z.enum(STRATEGIES, { error: ({ input }) => `“${String(input)}” is no strategy; there are ${STRATEGIES.join(", ")}.` }),
        )
        .min(1, `--strategies is empty; there are ${STRATEGIES.join(", ")}.`),
    )
    .optional(),
  cap: z.coerce.number("--cap is an amount of US dollars, like 2.50.").positive("--cap is an amount above 0.").optional(),
  limit: z.coerce
    .number("--limit is a number of questions.")
    .int("--limit is a whole number of questions.")
    .positive("--limit is at least 1.")
    .optional(),
  out: z.string().min(1, "--out is empty.").optional(),
});

/** Reads the command line and the environment. Throws EvalProblem. */
export function readOptions(args: readonly string[], env: Record<string, string | undefined>): EvalOptions {
  let values: Record<string, unknown>;
  try {
    const text = { type: "string" } as const;
    const options = { set: text, model: text, judge: text, strategies: text, cap: text, limit: text, out: text };
    values = parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new EvalProblem(`${(error as Error).message.split(". ")[0]}.\n\n${USAGE}`);
  }
  const flags = Flags.safeParse(values);
  if (!flags.success) throw new EvalProblem(`${flags.error.issues[0]!.message}\n\n${USAGE}`);
  const { set, model, judge, strategies, cap, limit, out } = flags.data;
  if (!env.OPENAI_API_KEY)
    throw new EvalProblem(
      "OPENAI_API_KEY is not set. Set it to the key of your endpoint, and OPENAI_BASE_URL where that is not OpenAI's; an endpoint that asks for no key takes any word.",
    );
  const baseUrl = env.OPENAI_BASE_URL || DEFAULT_BASE_URL;
  if (!/^https?:$/.test(URL.canParse(baseUrl) ? new URL(baseUrl).protocol : ""))
    throw new EvalProblem(`OPENAI_BASE_URL is “${baseUrl}”, which is no address. It looks like ${DEFAULT_BASE_URL}.`);
  const safe = (name: string): string => name.replace(/[^A-Za-z0-9._-]+/g, "-");
  return {
    set,
    model,
    judge: judge ?? model,
    strategies: strategies ?? [...STRATEGIES],
    capUsd: cap ?? null,
    limit: limit ?? null,
    out: resolve(out ?? `tmp/eval/${safe(basename(set).replace(/\.json$/, ""))}-${safe(model)}`),
    baseUrl,
    apiKey: env.OPENAI_API_KEY,
    prices: env.MODEL_PRICES || undefined,
  };
}

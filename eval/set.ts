// Reads a set: a folder of JSON files, or one file, each in a shape that is recognised by what it holds.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type * as z from "zod";
import type { Case } from "./cases.ts";
import { LoCoMo, locomoCases } from "./locomo.ts";
import { LongMemEval, longMemEvalCases } from "./longmemeval.ts";
import { EvalProblem } from "./problem.ts";

/** V8 makes no string longer than this, and a file is read as one. */
const FILE_MAX_BYTES = 500 * 1024 * 1024;

function parsed<T>(schema: z.ZodType<T>, value: unknown, file: string, shape: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw new EvalProblem(`${file} is not in ${shape}'s shape: ${issue.path.join(".") || "the list"}: ${issue.message}.`);
}

function readFile(path: string): Case[] {
  const name = basename(path);
  if (statSync(path).size > FILE_MAX_BYTES)
    throw new EvalProblem(`${name} is larger than 500 MB. Split it into several files of the same folder.`);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new EvalProblem(`${name} is not JSON: ${(error as Error).message}.`);
  }
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  if (typeof first === "object" && first !== null && "haystack_sessions" in first)
    return longMemEvalCases(parsed(LongMemEval, value, name, "LongMemEval"));
  if (typeof first === "object" && first !== null && "conversation" in first)
    return locomoCases(parsed(LoCoMo, value, name, "LoCoMo"));
  throw new EvalProblem(
    `${name} is neither LongMemEval's shape (a list of {question_id, question, haystack_sessions, …}) nor LoCoMo's (a list of {sample_id, conversation, qa}).`,
  );
}

/** All cases of a set. Throws EvalProblem with a sentence for what is missing or not as it should be. */
export function readSet(path: string): Case[] {
  if (!existsSync(path)) throw new EvalProblem(`There is no ${path}. Give --set a folder with the set's JSON files.`);
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name.endsWith(".json"))
        .sort()
        .map((name) => join(path, name))
    : [path];
  if (files.length === 0) throw new EvalProblem(`${path} holds no .json file. Put the set's files into it.`);
  const cases = files.flatMap(readFile);
  const ids = cases.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new EvalProblem(`“${twice}” stands in the set twice. A folder holds one set, each case once.`);
  return cases;
}

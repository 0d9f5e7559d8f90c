// `npm run eval`: ties options, set, run and report together, and says in the terminal how it ended.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { loadPrices, priceOf } from "../src/server/model/prices.ts";
import type { Serve } from "./app-memory.ts";
import { sample } from "./cases.ts";
import { readOptions, type EvalOptions } from "./options.ts";
import { EvalProblem } from "./problem.ts";
import { markdown, reportOf } from "./report.ts";
import { rewordings } from "./rewordings.ts";
import { run } from "./run.ts";
import { readSet } from "./set.ts";
import { Spending } from "./spending.ts";

/** US dollars that a run may spend where nothing else is said. */
const DEFAULT_CAP_USD = 5;
const REWORDINGS = "rewordings";

export interface Surroundings {
  args: readonly string[];
  env: Record<string, string | undefined>;
  serve: Serve;
  print: (line: string) => void;
}

/** 0: finished. 1: it could not begin. 2: stopped before its end, to be gone on with by the same command. */
export async function main({ args, env, serve, print }: Surroundings): Promise<number> {
  try {
    return await evaluate(readOptions(args, env), serve, print);
  } catch (error) {
    if (!(error instanceof EvalProblem)) throw error;
    print(error.message);
    return 1;
  }
}

/** The cap of a run. Without a price nothing can be capped in dollars, and nothing is pretended. */
function capOf(options: EvalOptions): number | null {
  const { capUsd, model, judge } = options;
  const prices = loadPrices(options.prices);
  const unpriced = [...new Set([model, judge])].filter((name) => priceOf(prices, name) === null);
  if (unpriced.length === 0) return capUsd ?? DEFAULT_CAP_USD;
  if (capUsd === null) return null;
  throw new EvalProblem(
    `${unpriced.join(" and ")} has no known price, so --cap could not hold. Give its price, MODEL_PRICES='{"${unpriced[0]}": {"in": 0.5, "out": 1.5}}' in US dollars per million tokens, or leave --cap out.`,
  );
}

/** A folder belongs to one set, model and judge: numbers of two would be mixed in one table. */
function claim(out: string, run: { set: string; model: string; judge: string }): void {
  const file = join(out, "run.json");
  const mine = JSON.stringify(run);
  if (existsSync(file) && readFileSync(file, "utf8").trim() !== mine)
    throw new EvalProblem(
      `${out} holds another run: ${readFileSync(file, "utf8").trim()}. Give this one another --out, or remove that folder.`,
    );
  writeFileSync(file, `${mine}\n`);
}

async function evaluate(options: EvalOptions, serve: Serve, print: (line: string) => void): Promise<number> {
  const { set, model, judge, strategies, limit, out, baseUrl, apiKey, prices } = options;
  const cases = set === REWORDINGS ? [] : sample(readSet(set), limit);
  const capUsd = capOf(options);
  mkdirSync(out, { recursive: true });
  claim(out, { set: basename(set), model, judge });
  const spending = new Spending(join(out, "calls.jsonl"), capUsd, { baseUrl, apiKey, prices });
  print(
    capUsd === null
      ? "The price of these models is not known: nothing is capped."
      : `At most $${capUsd.toFixed(2)} will be spent.`,
  );
  const finish = (text: string, json: unknown, stopped: boolean): number => {
    writeFileSync(join(out, "report.md"), `${text}\n`);
    writeFileSync(join(out, "report.json"), `${JSON.stringify(json, null, 2)}\n`);
    print(`\n${text}\n\nThe report stands in ${out}.`);
    return stopped ? 2 : 0;
  };
  if (set === REWORDINGS) {
    const { text, json, stopped } = await rewordings({ model, out, limit, spending, say: print });
    return finish(text, json, stopped !== null);
  }
  const { lines, failed, stopped } = await run({ cases, strategies, model, judge, out, serve, spending, say: print });
  const report = reportOf({
    set: basename(set),
    model,
    judge,
    questions: cases.reduce((sum, one) => sum + one.questions.length, 0),
    lines,
    calls: spending.calls,
    failed,
    stopped,
    spentUsd: spending.spentUsd,
    capUsd,
  });
  return finish(markdown(report), report, stopped !== null || failed.length > 0);
}

// `--set rewordings`: what a tombstone covers by words alone, and with one question to a model about texts that share some of its words.
import { join } from "node:path";
import { AppError } from "../src/shared/errors.ts";
import { covers, readings } from "../src/shared/tombstone.ts";
import { TOMBSTONE_PAIRS } from "../src/shared/tombstone-pairs.ts";
import { openLines } from "./lines.ts";
import { EvalProblem } from "./problem.ts";
import { dollars, table } from "./report.ts";
import { sumOf, type Spending } from "./spending.ts";
import { fill, yesOrNo } from "./template.ts";

/** Shares of a tombstone's words between which the model is asked: fewer is another matter, more the words decide (design, Dreaming). */
const ASK_FROM = 0.4;
const ASK_BELOW = 0.8;
const FAILURES_IN_A_ROW = 3;

export interface Pair {
  fact: string;
  text: string;
  /** A rewording says the same and should be covered; a near miss should not. */
  same: boolean;
}

/** How a pair came out. `asked`: the model's word, null where it was not asked. */
interface Marked extends Pair {
  model: string;
  words: boolean;
  asked: boolean | null;
}

/** The pairs of the shipped set: a fact's rewordings and near misses in turn. */
export function pairs(limit: number | null): Pair[] {
  const each = TOMBSTONE_PAIRS.flatMap(({ fact, rewordings, nearMisses }) =>
    rewordings.flatMap((text, at) => [
      { fact, text, same: true },
      { fact, text: nearMisses[at]!, same: false },
    ]),
  );
  return limit === null ? each : each.slice(0, limit);
}

/** Of a forgotten fact's content words, how many stand in a text. */
export function sharedWords(fact: string, text: string): number {
  const words = [...readings({ text: fact })[0]!.words.keys()];
  const shares = readings({ text }).map(({ all }) => words.filter((word) => all.has(word)).length / Math.max(1, words.length));
  return Math.max(...shares);
}

export interface RewordingsOptions {
  model: string;
  out: string;
  limit: number | null;
  spending: Spending;
  say: (line: string) => void;
}

/** Runs what is not finished, and reports. */
export async function rewordings(options: RewordingsOptions): Promise<{ text: string; json: unknown; stopped: string | null }> {
  const { model, spending, say } = options;
  const lines = openLines<Marked>(join(options.out, "rewordings.jsonl"));
  const isOf = (pair: Pair, line: Marked): boolean => line.model === model && line.fact === pair.fact && line.text === pair.text;
  const wanted = pairs(options.limit);
  const failed: string[] = [];
  let stopped: string | null = null;
  let inARow = 0;
  for (const [n, pair] of wanted.entries()) {
    if (lines.values.some((line) => isOf(pair, line))) continue;
    const words = covers(pair.fact, pair.text);
    const share = sharedWords(pair.fact, pair.text);
    try {
      const asked = !words && share >= ASK_FROM && share < ASK_BELOW ? await ask(options, pair, `pair-${n + 1}`) : null;
      lines.add({ ...pair, model, words, asked });
      inARow = 0;
    } catch (error) {
      if (!(error instanceof EvalProblem || error instanceof AppError)) throw error;
      stopped = error.message;
      if (error.name !== "CapReached" && ++inARow < FAILURES_IN_A_ROW) {
        failed.push(`“${pair.text}”: ${error.message}`);
        say(`  ${failed.at(-1)}`);
        stopped = null;
        continue;
      }
      break;
    }
  }
  const marked = wanted.flatMap((pair) => lines.values.find((line) => isOf(pair, line)) ?? []);
  const shareOf = (same: boolean, covered: (one: Marked) => boolean) => {
    const some = marked.filter((one) => one.same === same);
    const count = some.filter(covered).length;
    return { pairs: some.length, covered: count, share: some.length === 0 ? 0 : count / some.length };
  };
  const rows = {
    "words alone": { same: shareOf(true, ({ words }) => words), near: shareOf(false, ({ words }) => words) },
    "words, then the model": {
      same: shareOf(true, ({ words, asked }) => words || asked === true),
      near: shareOf(false, ({ words, asked }) => words || asked === true),
    },
  };
  const asked = marked.filter((one) => one.asked !== null).length;
  const sum = sumOf(spending.calls);
  const share = (one: { covered: number; pairs: number; share: number }): string =>
    `${one.share.toFixed(3)} (${one.covered} of ${one.pairs})`;
  const text = [
    `# What a tombstone covers, asked of ${model}`,
    ...(stopped ? [`**Not finished.** ${stopped}`] : []),
    table(
      ["covered", "rewordings", "near misses"],
      Object.entries(rows).map(([name, { same, near }]) => [name, share(same), share(near)]),
    ),
    `The model was asked about ${asked} of ${marked.length} pairs, those that share 40 to 79 % of the words. ${sum.calls} calls, ${sum.tokensIn.toLocaleString("en-US")} tokens in, ${sum.tokensOut.toLocaleString("en-US")} out, ${sum.unpriced > 0 ? "price unknown" : dollars(sum.usd)}.`,
    ...(failed.length > 0
      ? [`Not answered, to be tried again by the same command:\n\n${failed.map((one) => `- ${one}`).join("\n")}`]
      : []),
  ].join("\n\n");
  return {
    text,
    json: { model, rows, asked, pairs: marked.length, calls: sum, failed, stopped },
    stopped: stopped ?? failed[0] ?? null,
  };
}

async function ask({ model, spending }: RewordingsOptions, { fact, text }: Pair, id: string): Promise<boolean> {
  const call = spending.model(model, { strategy: "tombstone", case: "rewordings", phase: "ask", question: id });
  const messages = [{ role: "user" as const, content: fill("tombstone", { fact, text }) }];
  const answer = await call({ kind: "tombstone", ref: null, messages });
  const verdict = yesOrNo(answer.text);
  if (verdict === null) throw new EvalProblem(`${model} said neither yes nor no: “${answer.text.trim().slice(0, 80)}”.`);
  return verdict;
}

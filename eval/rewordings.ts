// `--set rewordings`: what a tombstone covers by words alone, and with the dream's one question to a model about lines that come close to it.
import { createHmac } from "node:crypto";
import { join } from "node:path";
import { AppError } from "../src/shared/errors.ts";
import { rewordingCall, saysAgain } from "../src/server/dream/rewordings.ts";
import { fingerprint, formatMatch } from "../src/shared/tombstone.ts";
import { TombstoneIndex } from "../src/shared/tombstone-index.ts";
import { TOMBSTONE_PAIRS } from "../src/shared/tombstone-pairs.ts";
import { openLines } from "./lines.ts";
import { CapReached, EvalProblem } from "./problem.ts";
import { dollars, table } from "./report.ts";
import { sumOf, type Spending } from "./spending.ts";

/** File of the lines: the user's own, where nobody else is the subject. */
const PATH = "MEMORY.md";
const FAILURES_IN_A_ROW = 3;

export interface Pair {
  fact: string;
  text: string;
  /** A rewording says the same and should be covered; a near miss should not. */
  same: boolean;
}

/** How a pair came out. `asked`: the model's word, null where it was not asked. */
interface Marked extends Pair {
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

/** How the app's own tombstones see a pair: covered by words, close to it, or neither. The key is any: only this run uses it. */
function seen({ fact, text }: Pair): { words: boolean; near: boolean } {
  const hmac = (value: string): string => createHmac("sha256", "rewordings").update(value).digest("hex");
  const index = new TombstoneIndex([{ name: "stone", match: formatMatch("k1", fingerprint({ text: fact }, hmac)) }]);
  const keys = new Map([["k1", hmac]]);
  return { words: index.covering({ text }, keys).length > 0, near: index.near({ text }, keys).length > 0 };
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
  const isOf = (pair: Pair, line: Marked): boolean => line.fact === pair.fact && line.text === pair.text;
  const wanted = pairs(options.limit);
  const failed: string[] = [];
  let stopped: string | null = null;
  let inARow = 0;
  for (const [n, pair] of wanted.entries()) {
    if (lines.values.some((line) => isOf(pair, line))) continue;
    const { words, near } = seen(pair);
    try {
      const asked = near ? await ask(options, pair, `pair-${n + 1}`) : null;
      lines.add({ ...pair, words, asked });
      inARow = 0;
    } catch (error) {
      if (!(error instanceof EvalProblem || error instanceof AppError)) throw error;
      stopped = error.message;
      if (!(error instanceof CapReached) && ++inARow < FAILURES_IN_A_ROW) {
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
  return saysAgain((await call({ ...rewordingCall([fact], text, PATH), ref: null })).text);
}

// What an evaluation found, as a table for people and as JSON: accuracy, tokens and cost a question, by strategy and by kind of question.
import type { Answer, Line } from "./run.ts";
import { sumOf, type CallLine, type Sum } from "./spending.ts";

/** One strategy over some questions. Tokens and dollars are a question's share of learning, and of asking. */
export interface Cell {
  questions: number;
  right: number;
  accuracy: number;
  learnTokens: number;
  askTokens: number;
  /** US dollars; null where a call has no known price. */
  learnUsd: number | null;
  askUsd: number | null;
}

export interface Report {
  set: string;
  model: string;
  judge: string;
  questions: number;
  stopped: string | null;
  failed: string[];
  strategies: Record<string, Cell>;
  types: Record<string, Record<string, Cell>>;
  learned: { case: string; dreams: number; messages: number; setAside: number; entries: number; proposed: number }[];
  /** Every model call into this folder, by what it was for. */
  calls: Record<string, Sum>;
  spentUsd: number;
  capUsd: number | null;
}

export interface ReportInput {
  set: string;
  model: string;
  judge: string;
  questions: number;
  lines: readonly Line[];
  calls: readonly CallLine[];
  failed: string[];
  stopped: string | null;
  spentUsd: number;
  capUsd: number | null;
}

const key = (...parts: string[]): string => JSON.stringify(parts);

function cellOf(
  answers: readonly Answer[],
  learnt: Map<string, Sum>,
  asked: Map<string, Sum>,
  perCase: Map<string, number>,
): Cell {
  const empty = sumOf([]);
  let learnTokens = 0;
  let learnUsd: number | null = 0;
  let askTokens = 0;
  let askUsd: number | null = 0;
  const plus = (sum: number | null, { usd, unpriced }: Sum, share = 1): number | null =>
    sum === null || unpriced > 0 ? null : sum + usd * share;
  for (const one of answers) {
    const learn = learnt.get(key(one.strategy, one.case)) ?? empty;
    // What a case cost to learn is shared by its questions.
    const share = 1 / (perCase.get(key(one.strategy, one.case)) ?? 1);
    learnTokens += (learn.tokensIn + learn.tokensOut) * share;
    learnUsd = plus(learnUsd, learn, share);
    const ask = asked.get(key(one.strategy, one.case, one.question)) ?? empty;
    askTokens += ask.tokensIn + ask.tokensOut;
    askUsd = plus(askUsd, ask);
  }
  const n = answers.length;
  const right = answers.filter((one) => one.right).length;
  const mean = (sum: number | null): number | null => (sum === null ? null : n === 0 ? 0 : sum / n);
  return {
    questions: n,
    right,
    accuracy: n === 0 ? 0 : right / n,
    learnTokens: Math.round(mean(learnTokens) ?? 0),
    askTokens: Math.round(mean(askTokens) ?? 0),
    learnUsd: mean(learnUsd),
    askUsd: mean(askUsd),
  };
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** All numbers of a report. A strategy's order is that of the answers. */
export function reportOf(input: ReportInput): Report {
  const { lines, calls, ...rest } = input;
  const answers = lines.filter((line): line is Answer => line.done === "answer");
  const sums = (phase: string, keyOf: (call: CallLine) => string): Map<string, Sum> =>
    new Map(
      [
        ...grouped(
          calls.filter((call) => call.phase === phase),
          keyOf,
        ),
      ].map(([name, group]) => [name, sumOf(group)]),
    );
  const learnt = sums("learn", (call) => key(call.strategy, call.case));
  const asked = sums("ask", (call) => key(call.strategy, call.case, call.question ?? ""));
  const perCase = new Map(
    [...grouped(answers, (one) => key(one.strategy, one.case))].map(([name, group]) => [name, group.length]),
  );
  const byStrategy = (some: readonly Answer[]): Record<string, Cell> =>
    Object.fromEntries(
      [...grouped(some, ({ strategy }) => strategy)].map(([name, group]) => [name, cellOf(group, learnt, asked, perCase)]),
    );
  const purposes = grouped(calls, ({ strategy, phase }) => (phase === "judge" ? "judging" : `${strategy}, ${phase}`));
  const learned = new Map(lines.flatMap((line) => (line.done === "learned" ? [[line.case, line.learned] as const] : [])));
  return {
    ...rest,
    strategies: byStrategy(answers),
    types: Object.fromEntries([...grouped(answers, ({ type }) => type)].map(([type, group]) => [type, byStrategy(group)])),
    learned: [...learned].map(([id, one]) => ({ case: id, ...one })),
    calls: Object.fromEntries([...purposes].map(([name, group]) => [name, sumOf(group)])),
  };
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const tokens = (n: number): string => n.toLocaleString("en-US");
/** Dollars to four digits that count; an unknown price is said, never shown as 0. */
export const dollars = (usd: number | null): string =>
  usd === null ? "unknown" : usd === 0 ? "$0" : `$${usd >= 1 ? usd.toFixed(2) : usd.toPrecision(3)}`;

/** A Markdown table with columns of equal width; all but the first are set to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(3, ...[head, ...rows].map((row) => [...(row[at] ?? "")].length)));
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, at) => (at === 0 ? (row[at] ?? "").padEnd(width) : (row[at] ?? "").padStart(width))).join(" | ")} |`;
  const rule = `| ${widths.map((width, at) => (at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

/** The report as Markdown; the terminal shows the same. */
export function markdown(report: Report): string {
  const names = Object.keys(report.strategies);
  const total = (cell: Cell): string =>
    dollars(cell.learnUsd === null || cell.askUsd === null ? null : cell.learnUsd + cell.askUsd);
  const overall = names.map((name) => {
    const cell = report.strategies[name]!;
    return [
      name,
      `${cell.right} of ${cell.questions}`,
      percent(cell.accuracy),
      tokens(cell.askTokens),
      tokens(cell.learnTokens),
      dollars(cell.askUsd),
      dollars(cell.learnUsd),
      total(cell),
    ];
  });
  const types = Object.entries(report.types).map(([type, cells]) => [
    type,
    ...names.map((name) => {
      const cell = cells[name];
      return cell === undefined
        ? "–"
        : `${percent(cell.accuracy)} of ${cell.questions}, ${tokens(cell.askTokens)}, ${total(cell)}`;
    }),
  ]);
  const calls = Object.entries(report.calls).map(([name, sum]) => [
    name,
    tokens(sum.calls),
    tokens(sum.failed),
    tokens(sum.tokensIn),
    tokens(sum.tokensOut),
    sum.unpriced > 0 ? "unknown" : dollars(sum.usd),
  ]);
  const learned = report.learned.reduce(
    (sum, one) => ({
      messages: sum.messages + one.messages,
      dreams: sum.dreams + one.dreams,
      entries: sum.entries + one.entries,
      setAside: sum.setAside + one.setAside,
      proposed: sum.proposed + one.proposed,
    }),
    { messages: 0, dreams: 0, entries: 0, setAside: 0, proposed: 0 },
  );
  return [
    `# ${report.set}, answered by ${report.model}, judged by ${report.judge}`,
    ...(report.stopped ? [`**Not finished.** ${report.stopped}`] : []),
    table(
      ["strategy", "right", "accuracy", "tokens to ask", "tokens to learn", "cost to ask", "cost to learn", "cost a question"],
      overall,
    ),
    "Tokens and dollars are a question's: in and out, what asking it took, and its share of what was learned once for its conversations.",
    table(["accuracy, tokens to ask, cost a question", ...names], types),
    ...(report.learned.length > 0
      ? [
          `The memory read ${tokens(learned.messages)} messages in ${tokens(learned.dreams)} dreams and holds ${tokens(learned.entries)} facts; ${tokens(learned.setAside)} messages were set aside, ${tokens(learned.proposed)} changes wait for a person.`,
        ]
      : []),
    table(["model calls", "calls", "failed", "tokens in", "tokens out", "cost"], calls),
    `Spent in all: ${dollars(report.spentUsd)}${report.capUsd === null ? "" : ` of at most $${report.capUsd.toFixed(2)}`}.`,
    ...(report.failed.length > 0
      ? [`Not answered, to be tried again by the same command:\n\n${report.failed.map((one) => `- ${one}`).join("\n")}`]
      : []),
  ].join("\n\n");
}

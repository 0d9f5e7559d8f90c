// `npm run eval` on the small set of invented people, as its own process, against a scripted endpoint that answers from what stands in the prompt.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readMoment } from "../../eval/locomo.ts";
import { readDate } from "../../eval/longmemeval.ts";
import { main } from "../../eval/main.ts";
import { startScriptedModel, type Script, type ScriptedModel } from "../lib/scripted-model.ts";

const SET = "eval/sets/small";
/** US dollars a call: 110 tokens at 10 dollars a million. Dearer ones would not fit the bound of a dream. */
const CALL_USD = 0.0011;
const PRICES = JSON.stringify({ scripted: { in: 10, out: 10 } });

/** What must stand in a prompt for a question to be answered from it, and the answer. */
const KNOWN = [
  { asks: "Which instrument", needs: /cello/i, answer: "The cello" },
  { asks: "my brother's boat", needs: /Halcyon/, answer: "Halcyon" },
  { asks: "pottery studio?", needs: /Lindau/, answer: "In Lindau" },
  { asks: "When did Bram adopt", needs: /greyhound/, answer: "On 20 March 2026" },
];
/** What a dream learns from a message that says it. */
const LEARNS = [
  { said: /learning the cello/, path: "music.md", text: "Is learning the cello now" },
  { said: /his boat Halcyon/, path: "people/anselm.md", text: "Anselm keeps his boat Halcyon in the harbour at Veere" },
  { said: /pottery studio in Lindau/, path: "people/ottilie.md", text: "Ottilie opened the pottery studio in Lindau" },
  { said: /adopted a greyhound/, path: "people/bram.md", text: "Bram adopted a greyhound, Pilot" },
];

interface Request {
  messages: { role: string; content: string | null }[];
  tools?: { function: { name: string } }[];
}
const textOf = ({ messages }: Request): string => messages.map(({ content }) => content ?? "").join("\n");
const kindOf = (request: Request): string => {
  const text = textOf(request);
  if (request.tools?.some((tool) => tool.function.name === "finish")) return "dream";
  if (text.includes("one word: yes or no")) return "judge";
  return text.includes("Write the new summary") ? "summary" : "ask";
};

function answer(body: Record<string, unknown>): Script {
  const request = body as unknown as Request;
  const text = textOf(request);
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, "m").exec(text)?.[1] ?? "";
  switch (kindOf(request)) {
    case "dream": {
      if (request.messages.at(-1)?.role === "tool") return { tools: [{ name: "finish", arguments: { summary: "Done." } }] };
      const said = [...text.matchAll(/\[(thread\/\S+) [^\]]*user\] (.*)/g)];
      const adds = LEARNS.flatMap(({ said: pattern, path, text: fact }) => {
        const source = said.find(([, , words]) => pattern.test(words!))?.[1];
        return source ? [{ name: "add", arguments: { path, text: fact, sources: [source] } }] : [];
      });
      return { tools: adds.length > 0 ? adds : [{ name: "finish", arguments: { summary: "Nothing." } }] };
    }
    case "judge": {
      const right = text.includes("Why it has no answer")
        ? /do not know/.test(field("Answer to mark"))
        : field("Answer to mark").includes(field("Correct answer"));
      return { text: right ? "Yes." : "no" };
    }
    case "summary":
      // A summary that leaves the boat out.
      return {
        text:
          text
            .split("\n")
            .filter((line) => /cello|Lindau|greyhound/.test(line))
            .join("\n") || "Nothing.",
      };
    default: {
      const question = request.messages.findLast(({ role }) => role === "user")?.content ?? "";
      const before = request.messages.filter(({ content }) => content !== question).map(({ content }) => content ?? "");
      const known = KNOWN.find(({ asks }) => question.includes(asks));
      return { text: known && before.some((part) => known.needs.test(part)) ? known.answer : "I do not know." };
    }
  }
}

const folder = mkdtempSync(join(tmpdir(), "reverie-eval-"));
let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel();
  model.otherwise = answer;
});
afterAll(async () => {
  await model.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts `npm run eval`; `killed` ends it as a crash would. */
function start(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ["scripts/eval.mjs", "--no-build", ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: "test",
      MODEL_PRICES: PRICES,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const ended = new Promise<{ code: number | null; printed: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, printed })),
  );
  return { ended, killed: () => (child.kill("SIGKILL"), ended) };
}
const run = (args: string[], env: Record<string, string> = {}) => start(args, env).ended;

/** The same in this process, for what needs no app. */
async function inProcess(args: string[], env: Record<string, string> = {}): Promise<{ code: number; printed: string }> {
  const printed: string[] = [];
  const code = await main({
    args,
    env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "test", MODEL_PRICES: PRICES, ...env },
    serve: () => Promise.reject(new Error("No app is needed here.")),
    print: (line) => void printed.push(line),
  });
  return { code, printed: printed.join("\n") };
}

const linesOf = (out: string, name: string): any[] =>
  readFileSync(join(out, name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const counts = (from: number): Record<string, number> => {
  const made: Record<string, number> = {};
  for (const request of model.requests.slice(from)) {
    const kind = kindOf(request as unknown as Request);
    made[kind] = (made[kind] ?? 0) + 1;
  }
  return made;
};

test("stops before the cap, goes on behind what is finished, counts every call, and puts four strategies side by side", async () => {
  const out = join(folder, "whole");
  const args = ["--set", SET, "--model", "scripted", "--out", out];
  const capped = await run([...args, "--cap", "0.09"]);
  expect(capped.code, capped.printed).toBe(2);
  expect(capped.printed).toContain("could pass the cap of $0.09");
  const before = model.requests.length;
  expect(before).toBeGreaterThan(10);
  expect(before * CALL_USD).toBeLessThanOrEqual(0.09);
  const answered = linesOf(out, "answers.jsonl").filter(({ done }) => done === "answer").length;
  expect(answered).toBeGreaterThan(3);
  expect(answered).toBeLessThan(24);

  const whole = await run([...args, "--cap", "5"]);
  expect(whole.code, whole.printed).toBe(0);
  const report = JSON.parse(readFileSync(join(out, "report.json"), "utf8"));
  const right = Object.fromEntries(Object.entries<any>(report.strategies).map(([name, cell]) => [name, cell.right]));
  expect(right).toEqual({ memory: 6, history: 6, summary: 5, none: 2 });
  expect(report.types["single-session-user"].none).toMatchObject({ questions: 2, right: 1, accuracy: 0.5 });
  expect(report.strategies.memory).toMatchObject({ askTokens: 110, askUsd: expect.closeTo(CALL_USD, 6) });
  expect(report.strategies.none).toMatchObject({ learnTokens: 0, learnUsd: 0 });
  expect(report.learned).toHaveLength(4);
  expect(report.learned[0]).toMatchObject({ case: "small-talk", messages: 5, entries: 2, setAside: 0, proposed: 0 });
  // Each answer was given and marked once; a call that the cap cut off before its mark may have been made twice.
  expect(
    new Set(
      linesOf(out, "answers.jsonl")
        .filter(({ done }) => done === "answer")
        .map((one) => `${one.strategy} ${one.question}`),
    ).size,
  ).toBe(24);
  const made = counts(0);
  expect(made).toMatchObject({ judge: 24, summary: 4 });
  expect(made.ask! - 24).toBeLessThanOrEqual(1);
  const sums = Object.values<any>(report.calls);
  expect(sums.reduce((sum, { calls }) => sum + calls, 0)).toBe(model.requests.length);
  expect(report.spentUsd).toBeCloseTo(model.requests.length * CALL_USD, 6);
  const table = readFileSync(join(out, "report.md"), "utf8");
  expect(whole.printed).toContain(table.trim());
  expect(table).toMatch(/\| memory +\| 6 of 6 \| +100\.0 % \|/);
  expect(table).toMatch(/\| none +\| 2 of 6 \| +33\.3 % \|/);
  expect(table).toMatch(/\| temporal .*100\.0 % of 1.*100\.0 % of 1.*100\.0 % of 1.*0\.0 % of 1/);

  const after = model.requests.length;
  const again = await run([...args, "--cap", "5"]);
  expect(again.code).toBe(0);
  expect(again.printed).toContain(table.trim());
  expect(model.requests.length).toBe(after);
  const other = await inProcess(["--set", SET, "--model", "scripted", "--judge", "another", "--out", out]);
  expect(other).toMatchObject({ code: 1, printed: expect.stringContaining("holds another run") });
});

test("a run that is killed while it learns goes on with the same memory", async () => {
  const out = join(folder, "killed");
  const args = [
    "--set",
    join(SET, "longmemeval.json"),
    "--model",
    "scripted",
    "--strategies",
    "memory",
    "--limit",
    "1",
    "--out",
    out,
  ];
  const from = model.requests.length;
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  model.push((request) => ({ ...answer(request), before: held }));
  const first = start(args);
  await model.asked(from + 1);
  await first.killed();
  release();
  expect(linesOf(out, "answers.jsonl")).toEqual([{ done: "taken-in", case: "small-update" }]);
  const second = await run(args);
  expect(second.code, second.printed).toBe(0);
  const lines = linesOf(out, "answers.jsonl");
  expect(lines.map(({ done }) => done)).toEqual(["taken-in", "learned", "answer"]);
  expect(lines[2]).toMatchObject({ strategy: "memory", question: "small-update", answer: "The cello", right: true });
  // The call that the kill cut off stands among the others, at the price that was set aside for it.
  const report = JSON.parse(readFileSync(join(out, "report.json"), "utf8"));
  expect(Object.values<any>(report.calls).reduce((sum, { calls }) => sum + calls, 0)).toBe(model.requests.length - from);
});

test("asks about rewordings only what words leave open", async () => {
  const out = join(folder, "rewordings");
  const from = model.requests.length;
  const limit = 60;
  model.otherwise = () => ({ text: "no" });
  const { code, printed } = await inProcess(["--set", "rewordings", "--model", "scripted", "--limit", `${limit}`, "--out", out]);
  model.otherwise = answer;
  expect(code, printed).toBe(0);
  const report = JSON.parse(readFileSync(join(out, "report.json"), "utf8"));
  expect(report.pairs).toBe(limit);
  expect(model.requests.length - from).toBe(report.asked);
  expect(report.asked).toBeGreaterThan(0);
  expect(report.asked).toBeLessThan(limit / 2);
  expect(report.rows["words, then the model"]).toEqual(report.rows["words alone"]);
});

test("three failures in a row stop a run, and what failed is named", async () => {
  const out = join(folder, "down");
  model.otherwise = () => ({ status: 500 });
  const { code, printed } = await inProcess(["--set", SET, "--model", "scripted", "--strategies", "none", "--out", out]);
  model.otherwise = answer;
  expect(code).toBe(2);
  expect(printed).toContain("3 steps in a row failed");
  expect(printed).toContain("none, small-talk-q1: ");
  expect(JSON.parse(readFileSync(join(out, "report.json"), "utf8")).calls["none, ask"]).toMatchObject({ calls: 3, failed: 3 });
});

test("mistakes are answered with a sentence", async () => {
  const empty = join(folder, "empty");
  mkdirSync(empty, { recursive: true });
  const bad = (name: string, text: string): string => {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "set.json"), text);
    return join(folder, name);
  };
  const locomo = JSON.parse(readFileSync(join(SET, "locomo.json"), "utf8"));
  const longmem = JSON.parse(readFileSync(join(SET, "longmemeval.json"), "utf8"));
  const mistakes: [string[], string, Record<string, string>?][] = [
    [["--model", "scripted"], "--set is missing"],
    [["--set", SET], "--model is missing"],
    [["--set", SET, "--model", "scripted"], "OPENAI_API_KEY is not set", { OPENAI_API_KEY: "" }],
    [["--set", SET, "--model", "scripted"], "which is no address", { OPENAI_BASE_URL: "nowhere" }],
    [["--set", SET, "--model", "scripted", "--strategies", "memory,magic"], "“magic” is no strategy"],
    [["--set", SET, "--model", "scripted", "--cap", "lots"], "--cap is an amount"],
    [["--set", SET, "--model", "scripted", "--sett", "x"], "'--sett'"],
    [["--set", SET, "--model", "unpriced", "--cap", "1"], "unpriced has no known price"],
    [["--set", join(folder, "nowhere"), "--model", "scripted"], "There is no"],
    [["--set", empty, "--model", "scripted"], "holds no .json file"],
    [["--set", bad("broken", "[{"), "--model", "scripted"], "set.json is not JSON"],
    [["--set", bad("other", '[{"a": 1}]'), "--model", "scripted"], "neither LongMemEval's shape"],
    [
      ["--set", bad("roles", JSON.stringify([{ ...longmem[0], question: 7 }])), "--model", "scripted"],
      "set.json is not in LongMemEval's shape: 0.question",
    ],
    [
      ["--set", bad("uneven", JSON.stringify([{ ...longmem[0], haystack_dates: [] }])), "--model", "scripted"],
      "not equally long",
    ],
    [
      [
        "--set",
        bad(
          "undated",
          JSON.stringify([{ ...locomo[0], conversation: { ...locomo[0].conversation, session_2_date_time: "soon" } }]),
        ),
        "--model",
        "scripted",
      ],
      "“soon” is no moment",
    ],
  ];
  const from = model.requests.length;
  const results = await Promise.all(
    mistakes.map(([args, , env]) => inProcess([...args, "--out", join(folder, "mistakes")], env)),
  );
  for (const [at, [args, sentence]] of mistakes.entries()) {
    expect(results[at]!.code, args.join(" ")).toBe(1);
    expect(results[at]!.printed, args.join(" ")).toContain(sentence);
    expect(results[at]!.printed).not.toMatch(/\n\s+at /);
  }
  expect(model.requests.length).toBe(from);
});

test("reads the dates of both shapes", () => {
  expect(new Date(readDate("2023/05/20 (Sat) 02:21")).toISOString()).toBe("2023-05-20T02:21:00.000Z");
  expect(new Date(readDate("2023/05/20")).toISOString()).toBe("2023-05-20T00:00:00.000Z");
  expect(() => readDate("last week")).toThrow("is no date");
  expect(new Date(readMoment("12:09 am on 13 September, 2023")).toISOString()).toBe("2023-09-13T00:09:00.000Z");
  expect(new Date(readMoment("1:56 pm on 8 May, 2023")).toISOString()).toBe("2023-05-08T13:56:00.000Z");
});

// The model's part of a dream: one step is one answered call and the tools that it asked for. Every step is a checkpoint, so a dream that
// is killed goes on behind the last answer, and pays for none twice.
import { estimateTokenCount } from "tokenx";
import {
  DREAM_ANSWER_TOKENS,
  DREAM_CALL_MS,
  DREAM_CALLS_PER_ANSWER,
  DREAM_MAX_IDLE,
  DREAM_MAX_STEPS,
  DREAM_MAX_TOKENS,
} from "../../shared/limits.ts";
import { AppError } from "../../shared/errors.ts";
import type { ModelAnswer, ModelCall, ModelMessage } from "../model/types.ts";
import { planAdd, planMerge, planMove, planRetire, planRevise } from "./edits.ts";
import { addLog } from "./log.ts";
import { read, readSource, search } from "./look.ts";
import type { Plan } from "./plan.ts";
import { DREAM_TOOLS, isTool, TOOL_INPUT, type ToolInput } from "./tools.ts";
import type { DreamDeps, DreamRow, Step } from "./types.ts";

const NUDGE = "Work only through the tools. When nothing is left to do, call finish.";
const CUT = "Your answer was cut off before its end, so nothing of it was done. Send fewer calls at once.";
/** Tokens that the tools' schemas cost in every call. */
export const TOOL_TOKENS = estimateTokenCount(JSON.stringify(DREAM_TOOLS));

/** The conversation so far, as the next call sends it. */
export function messagesOf(row: DreamRow, steps: readonly Step[]): ModelMessage[] {
  const messages = [...(row.prompt ?? [])];
  for (const { answer, results } of steps) {
    if (answer.toolCalls.length > 0) {
      messages.push({
        role: "assistant",
        content: answer.text === "" ? null : answer.text,
        tool_calls: answer.toolCalls.map((call) => ({
          id: call.id,
          type: "function",
          function: { name: call.name, arguments: wholeJson(call.arguments) },
        })),
      });
      for (const result of results ?? []) messages.push({ role: "tool", tool_call_id: result.id, content: result.text });
    } else {
      messages.push({ role: "assistant", content: answer.text });
      messages.push({ role: "user", content: answer.finish === "length" ? CUT : NUDGE });
    }
  }
  return messages;
}

/** Arguments as they may be sent back: endpoints refuse a conversation that holds broken JSON. */
function wholeJson(json: string): string {
  try {
    JSON.parse(json);
    return json;
  } catch {
    return "{}";
  }
}

/** Tokens of a prompt, tools included. */
export function promptTokens(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + 4 + estimateTokenCount(JSON.stringify(message)), TOOL_TOKENS);
}

/** Why no further call may be made; null where one may. */
function limitReached(deps: DreamDeps, row: DreamRow, steps: number, next: number): { code: string; message: string } | null {
  const limit = (message: string) => ({ code: "limit", message });
  if (steps >= DREAM_MAX_STEPS) return limit(`It stopped at ${DREAM_MAX_STEPS} steps.`);
  if (row.tokensIn + row.tokensOut + next + DREAM_ANSWER_TOKENS > DREAM_MAX_TOKENS)
    return limit(`It stopped at ${DREAM_MAX_TOKENS.toLocaleString("en-US")} tokens.`);
  const price = deps.price(next, DREAM_ANSWER_TOKENS);
  const { maxUsd } = deps.settings();
  if (price !== null && (row.usd ?? 0) + price > maxUsd)
    return limit(
      steps === 0
        ? `One call of this model may cost $${price.toFixed(2)}, and a dream at most $${maxUsd.toFixed(2)}. Choose another dream model, or let a dream cost more.`
        : `It stopped at $${maxUsd.toFixed(2)}.`,
    );
  if (row.idle >= DREAM_MAX_IDLE) return limit("It stopped because the model went in circles.");
  return null;
}

/** How a step went: go on, the loop is over, or the lease was lost and nothing may be written. */
export type Progress = "more" | "over" | "lost";

/**
 * Does the next step of a dream: runs tools whose answer is stored already, or makes the next call and stores its answer. `mine` tells
 * whether this run still holds the lease. Throws what the model throws (AppError).
 */
export async function step(deps: DreamDeps, id: string, mine: () => boolean, signal: AbortSignal): Promise<Progress> {
  const row = deps.store.dream(id);
  if (!row || row.cancel || !mine()) return "lost";
  if (row.finished || row.stop) return "over";
  const steps = deps.store.steps(id);
  const last = steps.at(-1);
  if (last && last.results === null) {
    deps.atomic(() => runTools(deps, row, steps.length - 1, last));
    return row.finished || row.stop ? "over" : "more";
  }
  const messages = messagesOf(row, steps);
  const next = promptTokens(messages);
  const limit = limitReached(deps, row, steps.length, next);
  if (limit) {
    row.stop = limit;
    deps.store.saveDream(row);
    addLog(deps, id, limit.message, null);
    return "over";
  }
  const call: ModelCall = {
    kind: "dream",
    ref: `dream/${id}`,
    messages,
    tools: DREAM_TOOLS,
    maxTokens: DREAM_ANSWER_TOKENS,
    parts: { prompt: row.promptTokens, tools: TOOL_TOKENS, steps: Math.max(0, next - row.promptTokens - TOOL_TOKENS) },
  };
  const { answer, row: now } = await callModel(deps, id, mine, call, signal);
  if (now === null) return "lost";
  if (deps.store.steps(id).length !== steps.length) {
    deps.store.saveDream(now);
    return "lost";
  }
  deps.atomic(() => {
    deps.store.saveStep(id, steps.length, { answer: bounded(answer, steps.length), results: null });
    deps.store.saveDream(now);
  });
  return "more";
}

/** Makes a call and counts its cost. `row` is null where somebody else took over, or the user stopped it, while the model was thinking. */
export async function callModel(
  deps: DreamDeps,
  id: string,
  mine: () => boolean,
  call: ModelCall,
  signal: AbortSignal,
): Promise<{ answer: ModelAnswer; row: DreamRow | null }> {
  const answer = await withinTime((limit) => deps.model({ ...call, signal: limit }), signal);
  const row = deps.store.dream(id);
  if (!row) return { answer, row: null };
  charge(row, answer);
  if (!row.cancel && mine()) return { answer, row };
  // The cost counts, the answer does not.
  deps.store.saveDream(row);
  return { answer, row: null };
}

/** A model that heeds no signal must not hold a dream either; and a timer that has done its work must not hold the object in memory. */
async function withinTime<T>(run: (signal: AbortSignal) => Promise<T>, outer: AbortSignal): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const timer = setTimeout(stop, DREAM_CALL_MS);
  outer.addEventListener("abort", stop, { once: true });
  try {
    return await new Promise<T>((resolve, reject) => {
      const late = (): void => reject(new AppError("unavailable", "The model did not answer in time. Nothing was changed."));
      controller.signal.addEventListener("abort", late, { once: true });
      if (outer.aborted) return stop();
      run(controller.signal).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    outer.removeEventListener("abort", stop);
  }
}

/** Bytes of an answer that is kept as a step: more is no set of tool calls. */
const ANSWER_MAX_CHARS = 256 * 1024;
/** Characters of prose beside tool calls that go back into the conversation. */
const PROSE_MAX_CHARS = 2_000;

/** An answer as it is kept: bounded, each call with an id of its own. */
function bounded(answer: ModelAnswer, n: number): Step["answer"] {
  const size = answer.toolCalls.reduce((sum, call) => sum + call.arguments.length + call.name.length, 0);
  const text = answer.text.slice(0, PROSE_MAX_CHARS);
  if (size > ANSWER_MAX_CHARS) return { text, toolCalls: [], finish: "length" };
  const toolCalls = answer.toolCalls.map((call, at) => ({
    id: `call_${n}_${at}`,
    name: call.name.slice(0, 60),
    arguments: call.arguments,
  }));
  return { text, toolCalls, finish: answer.finish };
}

function charge(row: DreamRow, answer: ModelAnswer): void {
  row.calls += 1;
  row.model = answer.model;
  row.tokensIn += answer.tokensIn;
  row.tokensOut += answer.tokensOut;
  if (answer.usd === null) row.unpriced = true;
  else row.usd = (row.usd ?? 0) + answer.usd;
}

/** Runs the tools of a stored answer and stores what they said: the second half of a step. */
function runTools(deps: DreamDeps, row: DreamRow, n: number, stored: Step): void {
  const { answer } = stored;
  const results: { id: string; text: string }[] = [];
  let useful = false;
  if (answer.finish === "length" || answer.finish === "filtered") {
    for (const call of answer.toolCalls) results.push({ id: call.id, text: CUT });
    if (row.nudged) row.stop = { code: "broken", message: "The model's answers were cut off." };
    row.nudged = true;
    addLog(deps, row.id, "An answer was cut off, so nothing of it was done", null);
  } else if (answer.toolCalls.length === 0) {
    if (row.nudged) row.stop = { code: "broken", message: "The model answered in prose and used no tool." };
    row.nudged = true;
  } else {
    let ran = 0;
    for (const call of answer.toolCalls) {
      if (row.finished) results.push({ id: call.id, text: "Not done: the dream has been finished." });
      else if (ran >= DREAM_CALLS_PER_ANSWER)
        results.push({ id: call.id, text: `Not done: at most ${DREAM_CALLS_PER_ANSWER} calls at once. Send it again.` });
      else {
        ran += 1;
        const result = runTool(deps, row, call.name, call.arguments);
        useful ||= result.useful;
        results.push({ id: call.id, text: result.text });
      }
    }
  }
  row.idle = useful || row.finished ? 0 : row.idle + 1;
  deps.store.saveStep(row.id, n, { answer, results });
  deps.store.saveDream(row);
}

/** Arguments without nulls and empty strings, which models send for what they leave out. */
function cleaned(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && one !== ""));
}

interface Ran {
  text: string;
  /** It brought a change, or something new to read. */
  useful: boolean;
}

const LOOKS = new Set(["search", "read", "read_source"]);

function runTool(deps: DreamDeps, row: DreamRow, name: string, json: string): Ran {
  if (!isTool(name))
    return { text: `There is no tool ${name.slice(0, 60)}. There are ${Object.keys(TOOL_INPUT).join(", ")}.`, useful: false };
  let value: unknown;
  try {
    value = JSON.parse(json.trim() === "" ? "{}" : json);
  } catch {
    return { text: "Not done: the arguments are not valid JSON. Send the call again, whole.", useful: false };
  }
  const parsed = TOOL_INPUT[name].safeParse(cleaned(value));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { text: `Not done: ${issue?.path.join(".") || "arguments"}: ${issue?.message ?? "not as expected"}.`, useful: false };
  }
  const asked = `${name} ${JSON.stringify(parsed.data)}`;
  if (LOOKS.has(name)) {
    if (row.asked.includes(asked)) return { text: "You have asked this already; the answer stands above.", useful: false };
    row.asked.push(asked);
  }
  const mark = markOf(row);
  switch (name) {
    case "search": {
      const { query } = parsed.data as ToolInput<"search">;
      addLog(deps, row.id, "Looked through the memory", null);
      return { text: search(deps, query, mark), useful: true };
    }
    case "read": {
      const { path } = parsed.data as ToolInput<"read">;
      const known = deps.memory.file(path) ?? deps.memory.file(`${path}.md`);
      if (known) addLog(deps, row.id, `Opened ${known.path.replace(/\.md$/, "")}`, null);
      return { text: read(deps, path, mark), useful: known !== null };
    }
    case "read_source": {
      const { ref } = parsed.data as ToolInput<"read_source">;
      addLog(deps, row.id, "Looked up where a line comes from", null);
      return { text: readSource(deps, ref, mark), useful: true };
    }
    case "finish":
      row.finished = true;
      return { text: "Finished.", useful: true };
    default: {
      const plan = PLANS[name](deps, row, parsed.data as never);
      return { text: plan.text, useful: plan.ok && logPlan(deps, row, name, plan) };
    }
  }
}

const PLANS = { add: planAdd, revise: planRevise, merge: planMerge, move: planMove, retire: planRetire } as const;
const SAID = {
  add: "Adding a line",
  revise: "Rewording a line",
  merge: "Joining lines",
  move: "Moving a line",
  retire: "Closing a line",
} as const;

function logPlan(deps: DreamDeps, row: DreamRow, name: keyof typeof PLANS, plan: Plan): boolean {
  if (!plan.ok || plan.planned === null) return false;
  const { edit, needsYes } = plan.planned;
  const path = "path" in edit && edit.path ? edit.path : null;
  addLog(
    deps,
    row.id,
    `${SAID[name]}${path ? (name === "move" ? ` to ${path.replace(/\.md$/, "")}` : ` in ${path.replace(/\.md$/, "")}`) : ""}`,
    needsYes === null ? null : "waits for you",
  );
  return true;
}

/** The random mark of a dream's fences: the one in its prompt. */
function markOf(row: DreamRow): string {
  return /<inbox ([a-z0-9]+)>/.exec(row.prompt?.[1]?.content ?? "")?.[1] ?? "0";
}

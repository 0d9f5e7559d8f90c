// A turn as a script: a generator that yields tool calls and goes on with their results. The model has no memory between calls, so each call replays the script
// over the results that already stand in the messages, up to the first batch that has none.
import type { ToolBatch } from "./prompt.ts";

export interface ToolCall {
  name: string;
  input: Record<string, unknown>;
}

/** Yields batches of tool calls, gets their results in the same order, and ends with the answer. */
export type Script = Generator<ToolCall[], string, string[]>;
/** A part of a script that ends with something else than the answer. */
export type Part<T> = Generator<ToolCall[], T, string[]>;

export type Step = { calls: ToolCall[] } | { text: string };

/** Steps of one turn that the model uses at most; the turn loop stops at 12 (design, Conversation). */
const STEPS_MAX = 11;

/** Replays a script over what was done; returns the next calls, or the answer. */
export function nextStep(script: Script, done: readonly ToolBatch[]): Step {
  let state = script.next();
  for (let step = 0; !state.done; step++) {
    const calls = state.value;
    if (calls.length === 0) {
      state = script.next([]);
      step--;
      continue;
    }
    const batch = done[step];
    if (!batch) {
      if (step < STEPS_MAX) return { calls };
      state = script.next(calls.map(() => ""));
      continue;
    }
    state = script.next(inOrder(calls, batch));
  }
  return { text: state.value };
}

/** Results for the calls; where a batch was made under another prompt, by name as far as it goes. */
function inOrder(calls: readonly ToolCall[], batch: ToolBatch): string[] {
  const left = batch.calls.map((call, i) => ({ name: call.name, arguments: call.arguments, result: batch.results[i] ?? "" }));
  return calls.map((call) => {
    const wanted = JSON.stringify(call.input);
    const exact = left.findIndex((one) => one.name === call.name && sameInput(one.arguments, wanted));
    const at = exact >= 0 ? exact : left.findIndex((one) => one.name === call.name);
    return at < 0 ? "" : left.splice(at, 1)[0]!.result;
  });
}

function sameInput(a: string, b: string): boolean {
  if (a === b) return true;
  try {
    return JSON.stringify(JSON.parse(a)) === b;
  } catch {
    return false;
  }
}

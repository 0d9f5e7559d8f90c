// One turn: model and tools in turn, at most TURN_MAX_STEPS times. Pure but for what it is given; the ChatAgent is the shell around it.
import { logFailure } from "../log.ts";
import type { Action, Usage } from "../../shared/protocol.ts";
import { refusalOf } from "../../shared/errors.ts";
import { TURN_MAX_STEPS } from "../../shared/limits.ts";
import type { Model, ModelAnswer, ModelMessage, ModelTool } from "../model/types.ts";
import { NO_TOOLS } from "./prompt.ts";
import { sayActions } from "./say.ts";
import type { ToolRun } from "./tools.ts";

export interface TurnPorts {
  model: Model;
  /** Runs one tool call. Throws only where the memory cannot be reached. */
  run(call: { name: string; arguments: string }): Promise<ToolRun>;
  /** Text of the answer as it arrives. */
  onText(text: string): void;
  onAction(action: Action, callId: string): void;
  signal: AbortSignal;
  /** Model calls, with their tools' results, are told here before the next step, for what must survive an eviction. */
  onStep?(messages: ModelMessage[]): void;
}

export interface TurnInput {
  ref: string;
  messages: ModelMessage[];
  tools: ModelTool[];
  parts: Record<string, number>;
  maxSteps?: number;
}

export interface TurnResult {
  text: string;
  actions: Action[];
  usage: Usage | null;
  status: "done" | "stopped" | "broken";
  error: { code: string; message: string } | null;
  /** The model refused tools, so the turn went on without. */
  toolless: boolean;
}

function addUsage(sum: Usage | null, answer: ModelAnswer): Usage {
  const { model, tokensIn, cachedIn, tokensOut, usd, ms } = answer;
  if (sum === null) return { model, tokensIn, cachedIn, tokensOut, usd, ms };
  return {
    model,
    tokensIn: sum.tokensIn + tokensIn,
    cachedIn: sum.cachedIn + cachedIn,
    tokensOut: sum.tokensOut + tokensOut,
    usd: sum.usd === null || usd === null ? null : sum.usd + usd,
    ms: sum.ms + ms,
  };
}

/** Sentences that end a turn without a whole answer. */
const CUT =
  "The answer was cut off at the length that the model may write, so nothing of its last step was saved. Ask for less at once, or try again.";
const FILTERED = "The model's provider held the answer back. Rephrase the message, or choose another model.";
const EMPTY = "The model sent an empty answer. Your message is kept; try again, or choose another model.";
/** Behind each of them, where earlier steps of the turn had landed: a fault later on takes nothing back. */
const LANDED = "What stands above as saved is saved.";

const TOOLLESS = "(This model cannot use tools: memory is read only here, and nothing was saved.)";

/** Whether an endpoint said that its model has no tools. */
function refusesTools(error: unknown): boolean {
  const refusal = refusalOf(error);
  const status = refusal?.details?.status;
  return (
    refusal !== null &&
    (status === 400 || status === 404 || status === 422 || status === 501) &&
    /tool|function/i.test(refusal.message)
  );
}

/** Runs a turn to its end. Never throws for what a model or an endpoint does; what is applied is what whole answers asked for. */
export async function runTurn(input: TurnInput, ports: TurnPorts): Promise<TurnResult> {
  const messages = [...input.messages];
  const result: TurnResult = { text: "", actions: [], usage: null, status: "done", error: null, toolless: false };
  const emit = (text: string): void => {
    result.text += text;
    ports.onText(text);
  };
  const broken = (code: string, message: string): TurnResult => {
    const landed = result.actions.some(({ outcome }) => outcome.ok && "commit" in outcome && outcome.commit !== null);
    return { ...result, status: "broken", error: { code, message: landed ? `${message} ${LANDED}` : message } };
  };
  const maxSteps = input.maxSteps ?? TURN_MAX_STEPS;
  let tools = input.tools;
  for (let step = 1; step <= maxSteps; step++) {
    // The last step has no tools, so that it must answer.
    const offered = step === maxSteps ? [] : tools;
    const before = result.text;
    let fresh = true;
    let answer: ModelAnswer;
    try {
      answer = await ports.model({
        kind: "chat",
        ref: input.ref,
        messages,
        ...(offered.length > 0 ? { tools: offered } : {}),
        signal: ports.signal,
        parts: input.parts,
        onDelta: (text) => {
          if (fresh && before !== "" && text.trim() !== "") emit("\n\n");
          if (text !== "") fresh = false;
          emit(text);
        },
      });
    } catch (error) {
      if (ports.signal.aborted) return { ...result, status: "stopped" };
      if (offered.length > 0 && step === 1 && refusesTools(error)) {
        tools = [];
        result.toolless = true;
        messages.splice(1, 0, { role: "system", content: NO_TOOLS });
        step = 0;
        continue;
      }
      const refusal = refusalOf(error);
      if (!refusal) logFailure("A turn failed", error);
      return broken(
        refusal?.code ?? "unavailable",
        refusal?.message ?? "Something failed in the app. Your message is kept; try again.",
      );
    }
    result.usage = addUsage(result.usage, answer);
    // What the stream did not bring piece by piece.
    if (fresh && answer.text !== "") emit(before === "" ? answer.text : `\n\n${answer.text}`);
    if (ports.signal.aborted) return { ...result, status: "stopped" };
    if (answer.finish === "length") return broken("unavailable", CUT);
    if (answer.finish === "filtered") return broken("unavailable", FILTERED);
    if (answer.toolCalls.length === 0 || step === maxSteps) {
      if (result.text.trim() === "") {
        const said = sayActions(result.actions);
        if (said === "") return broken("unavailable", EMPTY);
        emit(said);
      }
      if (result.toolless) emit(`\n\n${TOOLLESS}`);
      return result;
    }
    const calls = unique(answer.toolCalls, step);
    messages.push({
      role: "assistant",
      content: answer.text === "" ? null : answer.text,
      tool_calls: calls.map(({ id, name, arguments: args }) => ({ id, type: "function", function: { name, arguments: args } })),
    });
    // One after the other: facts reach the gate in the order in which they were said.
    for (const call of calls) {
      if (ports.signal.aborted) return { ...result, status: "stopped" };
      let run: ToolRun;
      try {
        run = await ports.run(call);
      } catch (error) {
        const refusal = refusalOf(error);
        if (!refusal) logFailure("A tool failed", error);
        return broken(
          refusal?.code ?? "unavailable",
          refusal?.message ??
            "The memory could not be reached in the middle of the answer. Your message is kept; try again for the rest.",
        );
      }
      result.actions.push(run.action);
      messages.push({ role: "tool", tool_call_id: call.id, content: run.text });
      ports.onAction(run.action, call.id);
    }
    ports.onStep?.(messages);
  }
  return broken("unavailable", EMPTY);
}

/** Ids that are unique in the whole turn: some providers number each answer anew. */
function unique(calls: ModelAnswer["toolCalls"], step: number): ModelAnswer["toolCalls"] {
  const seen = new Set<string>();
  return calls.map((call, at) => {
    const id = seen.has(call.id) || call.id.startsWith("call_") ? `s${step}_${at + 1}_${call.id}`.slice(0, 40) : call.id;
    seen.add(id);
    return { ...call, id };
  });
}

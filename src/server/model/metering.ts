// Puts every call on the ledger: reserves before it, settles after it, also where it failed or was stopped. The one way to a model.
import { estimateTokenCount } from "tokenx";
import { AppError } from "../../shared/errors.ts";
import { ANSWER_MAX_TOKENS } from "../../shared/limits.ts";
import { callEndpoint, CallFailure, type Endpoint, type RawAnswer } from "./client.ts";
import { costOf, priceOf, settledPrice, type Price, type Prices } from "./prices.ts";
import type { ReportedUsage } from "./answer.ts";
import type { Ledger, Model, ModelAnswer, ModelCall, Settlement } from "./types.ts";

export interface Metering {
  ledger: Ledger;
  /** The endpoint and model for a call. Throws AppError where there is none. */
  endpoint(call: ModelCall): Endpoint & { free?: boolean };
  prices: Prices;
  /** Milliseconds. */
  now(): number;
  /** Replaced in tests; the openai client otherwise. */
  call?: (endpoint: Endpoint, call: ModelCall) => Promise<RawAnswer>;
}

/** Estimates run low for some scripts; a reservation must not. */
const ESTIMATE_MARGIN = 1.2;
/** Tokens of a message's frame. */
const FRAME_TOKENS = 4;

/** Tokens of a prompt with its tools, as tokenx counts. */
export function promptTokens(call: Pick<ModelCall, "messages" | "tools">): number {
  let tokens = 0;
  for (const message of call.messages) {
    tokens += FRAME_TOKENS + estimateTokenCount(message.content ?? "");
    if (message.role === "assistant" && message.tool_calls) tokens += estimateTokenCount(JSON.stringify(message.tool_calls));
  }
  return tokens + (call.tools ? estimateTokenCount(JSON.stringify(call.tools)) : 0);
}

/** A model that cannot be called past the ledger. Throws AppError: `cap-reached` before the call, `unavailable` or `rate-limited` after a failed one. */
export function meteredModel(metering: Metering): Model {
  const { ledger, prices, now } = metering;
  const run = metering.call ?? callEndpoint;
  return async (call: ModelCall): Promise<ModelAnswer> => {
    const endpoint = metering.endpoint(call);
    const price: Price | null = endpoint.free ? { in: 0, out: 0 } : priceOf(prices, endpoint.model);
    const maxOut = call.maxTokens ?? ANSWER_MAX_TOKENS;
    const estimated = promptTokens(call);
    const atMost = Math.ceil(estimated * ESTIMATE_MARGIN);
    const at = now();
    const reserved = await ledger.reserve({
      at,
      kind: call.kind,
      ref: call.ref,
      model: endpoint.model,
      usd: price === null ? null : costOf(price, { tokensIn: atMost, cachedIn: 0, tokensOut: maxOut }),
      tokens: atMost + maxOut,
      ...(endpoint.own ? { own: true } : {}),
      ...(call.parts ? { parts: call.parts } : {}),
    });
    if (!reserved.ok) throw new AppError(reserved.code, reserved.message, reserved.details);
    const settle = async (usage: ReportedUsage, model: string, outcome: Settlement["outcome"]): Promise<Settlement> => {
      const { tokensIn, cachedIn, tokensOut, reasoning } = usage;
      const settlement: Settlement = {
        model,
        tokensIn,
        cachedIn,
        tokensOut,
        reasoning,
        ...settledPrice(price, usage),
        ms: Math.max(0, now() - at),
        outcome,
      };
      await ledger.settle(reserved.id, settlement);
      return settlement;
    };
    let answer: RawAnswer;
    try {
      answer = await run(endpoint, call);
    } catch (error) {
      const failure = error instanceof CallFailure ? error : null;
      const nothing: ReportedUsage = {
        tokensIn: 0,
        cachedIn: 0,
        tokensOut: 0,
        reasoning: 0,
        cost: undefined,
        currency: undefined,
      };
      // What the endpoint had begun to answer is paid for, though nobody says how much: count what was sent and what came.
      const usage =
        failure?.usage ??
        (failure?.sent ? { ...nothing, tokensIn: estimated, tokensOut: estimateTokenCount(failure.text) } : nothing);
      if (failure && !failure.sent) {
        await ledger.settle(reserved.id, {
          ...nothing,
          model: endpoint.model,
          usd: 0,
          price: "computed",
          ms: Math.max(0, now() - at),
          outcome: failure.cancelled ? "cancelled" : "failed",
        });
      } else await settle(usage, endpoint.model, failure?.cancelled ? "cancelled" : "failed");
      throw error;
    }
    const usage = answer.usage ?? {
      tokensIn: estimated,
      cachedIn: 0,
      tokensOut:
        estimateTokenCount(answer.text) +
        answer.toolCalls.reduce((sum, one) => sum + estimateTokenCount(one.arguments) + FRAME_TOKENS, 0),
      reasoning: 0,
      cost: undefined,
      currency: undefined,
    };
    const settled = await settle(usage, answer.model, "ok");
    const { text, toolCalls, finish, model } = answer;
    const { tokensIn, cachedIn, tokensOut, reasoning, usd, ms } = settled;
    return { text, toolCalls, finish, model, tokensIn, cachedIn, tokensOut, reasoning, usd, ms };
  };
}

// The small interface through which chat and dream see a model. Knows nothing of memories.
import type { Refusal } from "../../shared/errors.ts";
import type { CallKind } from "../../shared/protocol.ts";

/** A message in the chat-completions shape. */
export type ModelMessage =
  | { role: "system" | "user"; content: string }
  | {
      role: "assistant";
      content: string | null;
      tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
    }
  | { role: "tool"; tool_call_id: string; content: string };

export interface ModelTool {
  name: string;
  description: string;
  /** JSON schema of the input. */
  parameters: Record<string, unknown>;
}

export interface ModelCall {
  kind: CallKind;
  /** `thread/<id>` or `dream/<id>`, for the ledger. */
  ref: string | null;
  /** Absent: the model that settings or the environment choose for this kind. */
  model?: string;
  messages: ModelMessage[];
  tools?: ModelTool[];
  maxTokens?: number;
  signal?: AbortSignal;
  /** Text as it arrives. */
  onDelta?: (text: string) => void;
  /** Tokens of each part of the prompt, recorded with the call. */
  parts?: Record<string, number>;
}

export interface ModelAnswer {
  text: string;
  toolCalls: { id: string; name: string; arguments: string }[];
  /** `length` = cut off: nothing of it may be applied. */
  finish: "stop" | "tool_calls" | "length" | "filtered" | "unknown";
  model: string;
  tokensIn: number;
  cachedIn: number;
  tokensOut: number;
  /** Of tokensOut, those that the model thought with. */
  reasoning: number;
  usd: number | null;
  ms: number;
}

/** A metered model: reserves before the call, settles after it, one ledger row a call. Throws AppError (cap-reached, unavailable, rate-limited). */
export type Model = (call: ModelCall) => Promise<ModelAnswer>;

/** What a call may cost at most, set aside before it is made. */
export interface Reservation {
  /** Milliseconds; the month is the UTC month of this instant. */
  at: number;
  kind: CallKind;
  ref: string | null;
  model: string;
  /** US dollars at most; null = the model has no known price. */
  usd: number | null;
  /** Tokens in and out at most. */
  tokens: number;
  /** On the user's own key: counted and capped apart from the operator's. */
  own?: boolean;
  parts?: Record<string, number>;
}

/** The ledger's answer to a reservation: the row's id, or a refusal (`cap-reached`). */
export type Reserved = { ok: true; id: number } | ({ ok: false } & Refusal);

/** What a call really was. */
export interface Settlement {
  model: string;
  tokensIn: number;
  cachedIn: number;
  tokensOut: number;
  reasoning: number;
  usd: number | null;
  price: "reported" | "computed" | "unknown";
  ms: number;
  outcome: "ok" | "failed" | "cancelled";
}

/** Where calls are written down. Rows live with the memory; a conversation reaches them by RPC. */
export interface Ledger {
  reserve(call: Reservation): Promise<Reserved>;
  settle(id: number, call: Settlement): Promise<void>;
}

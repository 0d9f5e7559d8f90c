// Puts one answer together from the chunks of a stream, whatever a provider makes of the format. Pure; knows no network.
import type { ModelAnswer } from "./types.ts";

/** Tokens as the provider counted them. `cost` is what it says the call cost, unchecked. */
export interface ReportedUsage {
  tokensIn: number;
  cachedIn: number;
  tokensOut: number;
  reasoning: number;
  cost: unknown;
  currency: unknown;
}

interface Call {
  index: number | null;
  id: string;
  name: string;
  arguments: string;
}

/** How providers spell the end of an answer. */
const FINISH: Record<string, ModelAnswer["finish"]> = {
  stop: "stop",
  end_turn: "stop",
  eos: "stop",
  eos_token: "stop",
  stop_sequence: "stop",
  complete: "stop",
  tool_calls: "tool_calls",
  tool_call: "tool_calls",
  tool_use: "tool_calls",
  function_call: "tool_calls",
  length: "length",
  max_tokens: "length",
  model_length: "length",
  content_filter: "filtered",
  safety: "filtered",
  refusal: "filtered",
  recitation: "filtered",
};

type Loose = Record<string, unknown>;
const isObject = (value: unknown): value is Loose => typeof value === "object" && value !== null && !Array.isArray(value);
const count = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;

/** Text of a content that may be a string, null, or a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => (isObject(part) && typeof part.text === "string" && part.type !== "thinking" ? part.text : ""))
    .join("");
}

/** The fields of a usage report that some provider uses; null where it is none. */
export function readUsage(usage: unknown): ReportedUsage | null {
  if (!isObject(usage)) return null;
  const inDetails = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const outDetails = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  const read: ReportedUsage = {
    tokensIn: count(usage.prompt_tokens ?? usage.input_tokens),
    cachedIn: count(inDetails.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cache_read_input_tokens),
    tokensOut: count(usage.completion_tokens ?? usage.output_tokens),
    reasoning: count(outDetails.reasoning_tokens ?? usage.reasoning_tokens),
    cost: usage.cost ?? usage.total_cost,
    currency: usage.currency ?? usage.cost_currency,
  };
  read.cachedIn = Math.min(read.cachedIn, read.tokensIn);
  return read.tokensIn + read.tokensOut > 0 || read.cost !== undefined ? read : null;
}

/** Reads an error that a provider sent inside a stream or a body. */
export function readError(body: unknown): string | null {
  if (!isObject(body)) return null;
  const error = body.error;
  if (typeof error === "string") return error;
  if (isObject(error) && typeof error.message === "string") return error.message;
  return error ? "unknown error" : null;
}

const THINK_OPEN = "<think>";
const THINK_CLOSE = "</think>";

/** Builds an answer. `add` returns the text that the user may see of this chunk. */
export class AnswerBuilder {
  text = "";
  model: string | null = null;
  usage: ReportedUsage | null = null;
  error: string | null = null;
  reasoningChars = 0;
  #finish: string | null = null;
  readonly #calls: Call[] = [];
  // Local servers put the model's thinking into the text, before the answer.
  #thinking: "maybe" | "yes" | "no" = "maybe";
  #held = "";

  /** Bytes of what was collected, for the size limit. */
  get size(): number {
    return (
      this.text.length +
      this.#held.length +
      this.reasoningChars +
      this.#calls.reduce((sum, call) => sum + call.arguments.length + call.name.length, 0)
    );
  }

  /** Whether the provider said that the answer is complete. */
  get finished(): boolean {
    return this.#finish !== null;
  }

  get toolCalls(): ModelAnswer["toolCalls"] {
    return this.#calls
      .filter((call) => call.name !== "")
      .map((call, at) => ({
        id: call.id === "" ? `call_${at + 1}` : call.id,
        name: call.name,
        arguments: call.arguments === "" ? "{}" : call.arguments,
      }));
  }

  get finish(): ModelAnswer["finish"] {
    const said = FINISH[(this.#finish ?? "").toLowerCase()] ?? "unknown";
    return this.toolCalls.length > 0 && (said === "stop" || said === "unknown") ? "tool_calls" : said;
  }

  add(chunk: unknown): string {
    if (!isObject(chunk)) return "";
    const error = readError(chunk);
    if (error !== null) {
      this.error = error;
      return "";
    }
    if (typeof chunk.model === "string" && chunk.model !== "") this.model = chunk.model;
    const groq = isObject(chunk.x_groq) ? chunk.x_groq.usage : undefined;
    this.usage = readUsage(chunk.usage) ?? readUsage(groq) ?? this.usage;
    const choice = Array.isArray(chunk.choices)
      ? chunk.choices.find((one) => isObject(one) && (one.index ?? 0) === 0)
      : undefined;
    if (!isObject(choice)) return "";
    this.usage = readUsage(choice.usage) ?? this.usage;
    if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") this.#finish = choice.finish_reason;
    if (this.#finish?.toLowerCase() === "error") this.error = "the provider ended the answer with an error";
    const delta = isObject(choice.delta) ? choice.delta : isObject(choice.message) ? choice.message : {};
    this.reasoningChars += textOf(delta.reasoning_content ?? delta.reasoning ?? delta.thinking).length;
    if (Array.isArray(delta.tool_calls)) for (const piece of delta.tool_calls) this.#addCall(piece);
    if (isObject(delta.function_call)) this.#addCall({ index: 0, function: delta.function_call });
    return this.#visible(textOf(delta.content) || (delta.content == null ? textOf(delta.refusal) : ""));
  }

  /** The rest that was held back, once the stream has ended. */
  end(): string {
    const rest = this.#thinking === "maybe" ? this.#held : "";
    this.#held = "";
    this.text += rest;
    return rest;
  }

  #visible(piece: string): string {
    if (piece === "") return "";
    if (this.#thinking === "no") {
      this.text += piece;
      return piece;
    }
    this.#held += piece;
    if (this.#thinking === "maybe") {
      const start = this.#held.trimStart();
      if (start.length < THINK_OPEN.length && THINK_OPEN.startsWith(start)) return "";
      if (!start.startsWith(THINK_OPEN)) return this.#release(this.#held);
      this.#thinking = "yes";
    }
    const close = this.#held.indexOf(THINK_CLOSE);
    if (close < 0) return "";
    this.reasoningChars += close;
    return this.#release(this.#held.slice(close + THINK_CLOSE.length).trimStart());
  }

  #release(text: string): string {
    this.#thinking = "no";
    this.#held = "";
    this.text += text;
    return text;
  }

  #addCall(piece: unknown): void {
    if (!isObject(piece)) return;
    const fn = isObject(piece.function) ? piece.function : {};
    const index = typeof piece.index === "number" ? piece.index : null;
    const id = typeof piece.id === "string" ? piece.id : "";
    const name = typeof fn.name === "string" ? fn.name : "";
    const args = typeof fn.arguments === "string" ? fn.arguments : isObject(fn.arguments) ? JSON.stringify(fn.arguments) : "";
    const call = this.#callFor(index, id, name);
    if (call.id === "") call.id = id;
    // Some send the whole name with every chunk, some send it in pieces.
    if (call.name === "") call.name = name;
    else if (name !== "" && name !== call.name && call.arguments === "" && index !== null) call.name += name;
    call.arguments += args;
  }

  #callFor(index: number | null, id: string, name: string): Call {
    const last = this.#calls[this.#calls.length - 1];
    const known =
      index !== null
        ? this.#calls.findLast((call) => call.index === index)
        : id !== ""
          ? this.#calls.findLast((call) => call.id === id)
          : name === ""
            ? last
            : undefined;
    // The same index with another id is another call: some providers number all of them 0.
    const another = known !== undefined && index !== null && id !== "" && known.id !== "" && known.id !== id;
    if (known && !another) return known;
    const call: Call = { index, id: "", name: "", arguments: "" };
    this.#calls.push(call);
    return call;
  }
}

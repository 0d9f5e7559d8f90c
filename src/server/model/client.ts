// One call of an OpenAI-compatible endpoint through the `openai` client: streamed, watched, and every failure turned into a sentence.
import OpenAI, { APIConnectionError, APIError, APIUserAbortError } from "openai";
import { AppError, type Refusal } from "../../shared/errors.ts";
import { ANSWER_MAX_TOKENS, MODEL_ANSWER_MAX_BYTES, MODEL_CALL_MAX_MS, MODEL_STALL_MS } from "../../shared/limits.ts";
import { AnswerBuilder, readError, type ReportedUsage } from "./answer.ts";
import { StallWatch, type Timers } from "./stall.ts";
import type { ModelAnswer, ModelCall } from "./types.ts";

/** Where a model answers. */
export interface Endpoint {
  /** For sentences: "the offline model", or the host. */
  name: string;
  baseURL: string;
  apiKey: string;
  model: string;
  /** The user's own: they pay, and its settings are theirs. */
  own?: boolean;
  /** Answers in process (offline), or goes another way than the network's. */
  fetch?: typeof fetch;
  silentMs?: number;
  wholeMs?: number;
  timers?: Timers;
}

/** An answer before it has a price. */
export interface RawAnswer extends Pick<ModelAnswer, "text" | "toolCalls" | "finish" | "model"> {
  usage: ReportedUsage | null;
}

/** Why a call brought no answer. `sent`: the endpoint may have charged for it; `text` is what had arrived by then. */
export class CallFailure extends AppError {
  constructor(
    refusal: Refusal,
    readonly sent: boolean,
    readonly cancelled: boolean,
    readonly text: string,
    readonly usage: ReportedUsage | null,
    cause?: unknown,
  ) {
    super(refusal.code, refusal.message, refusal.details, { cause });
  }
}

/** A stream repeats its frame with every token, so its bytes may be many times those of the answer. */
const STREAM_OVERHEAD = 12;

/** Calls the endpoint. Throws CallFailure; never returns an answer that the endpoint did not say was complete. */
export async function callEndpoint(endpoint: Endpoint, call: ModelCall): Promise<RawAnswer> {
  const watch = new StallWatch(
    { silentMs: endpoint.silentMs ?? MODEL_STALL_MS, wholeMs: endpoint.wholeMs ?? MODEL_CALL_MAX_MS },
    call.signal,
    endpoint.timers,
  );
  const builder = new AnswerBuilder();
  const seen: Seen = { status: null, html: false, problem: null, done: false };
  try {
    const client = new OpenAI({
      baseURL: endpoint.baseURL,
      apiKey: endpoint.apiKey || "none",
      // A retry inside the client would be a call without a row on the ledger.
      maxRetries: 0,
      timeout: MODEL_CALL_MAX_MS * 2,
      logLevel: "off",
      dangerouslyAllowBrowser: true,
      fetch: watchedFetch(endpoint.fetch ?? ((input, init) => fetch(input, init)), watch, seen),
    });
    const stream = await client.chat.completions.create(requestOf(endpoint.model, call), { signal: watch.signal });
    for await (const chunk of stream) {
      const delta = builder.add(chunk);
      if (builder.error !== null) throw new ProviderError(builder.error);
      if (builder.size > MODEL_ANSWER_MAX_BYTES) watch.abort("too-large");
      if (watch.reason !== null) break;
      if (delta !== "") call.onDelta?.(delta);
    }
    const rest = builder.end();
    if (rest !== "" && watch.reason === null) call.onDelta?.(rest);
    if (watch.reason === null && builder.error !== null) throw new ProviderError(builder.error);
    if (watch.reason !== null || !(builder.finished || seen.done)) throw new Unfinished();
  } catch (error) {
    const refusal = inTheirWords(endpoint, refusalOf(error, endpoint, watch, seen, builder));
    throw new CallFailure(
      refusal,
      seen.status !== null && seen.status < 400,
      watch.reason === "stopped",
      builder.text,
      builder.usage,
      error,
    );
  } finally {
    watch.end();
  }
  return {
    text: builder.text,
    toolCalls: builder.toolCalls,
    finish: builder.finished ? builder.finish : builder.toolCalls.length > 0 ? "tool_calls" : "stop",
    model: builder.model ?? endpoint.model,
    usage: builder.usage,
  };
}

/** What an operator sets in the environment, a user sets in Settings. */
function inTheirWords(endpoint: Endpoint, refusal: Refusal): Refusal {
  if (!endpoint.own) return refusal;
  const message = refusal.message
    .replace(/OPENAI_BASE_URL/g, () => "its address in Settings, Models")
    .replace(/OPENAI_API_KEY/g, () => "your key in Settings, Models")
    .replace(/CHAT_MODEL/g, () => "the model in Settings, Models");
  return { ...refusal, message };
}

function requestOf(model: string, call: ModelCall): OpenAI.ChatCompletionCreateParamsStreaming {
  const request: OpenAI.ChatCompletionCreateParamsStreaming = {
    model,
    messages: call.messages,
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: call.maxTokens ?? ANSWER_MAX_TOKENS,
  };
  if (call.tools && call.tools.length > 0) {
    request.tools = call.tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters },
    }));
  }
  // Newer models of OpenAI refuse the old name of this field.
  if (/^(o\d|gpt-5)/.test(model)) {
    request.max_completion_tokens = request.max_tokens;
    delete request.max_tokens;
  }
  return request;
}

interface Seen {
  status: number | null;
  html: boolean;
  /** What was wrong with a body, found inside `fetch`, whose errors the client rewraps. */
  problem: string | null;
  done: boolean;
}

class Unfinished extends Error {}
class ProviderError extends Error {}

// Counts bytes and signs of life, and turns what is no stream into one or into an error.
function watchedFetch(inner: typeof fetch, watch: StallWatch, seen: Seen): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    watch.touch();
    seen.status = response.status;
    const type = response.headers.get("content-type") ?? "";
    if (response.ok && /html/i.test(type)) {
      seen.html = true;
      await response.body?.cancel();
      throw new ProviderError("a web page instead of an answer");
    }
    const body = response.body ? response.body.pipeThrough(counting(watch, seen)) : null;
    if (response.ok && /application\/json/i.test(type)) {
      try {
        return await wholeAsStream(new Response(body));
      } catch (error) {
        if (error instanceof ProviderError) seen.problem = error.message;
        throw error;
      }
    }
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
  };
}

function counting(watch: StallWatch, seen: Seen): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let tail = "";
  return new TransformStream({
    transform(chunk, controller) {
      watch.touch();
      bytes += chunk.byteLength;
      if (bytes > MODEL_ANSWER_MAX_BYTES * STREAM_OVERHEAD) {
        watch.abort("too-large");
        controller.terminate();
        return;
      }
      tail = (tail + new TextDecoder("latin1").decode(chunk.subarray(-32))).slice(-32);
      if (/data: ?\[DONE\]/.test(tail)) seen.done = true;
      controller.enqueue(chunk);
    },
  });
}

// Some endpoints ignore `stream` and answer at once.
async function wholeAsStream(response: Response): Promise<Response> {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ProviderError("something that is not JSON");
  }
  const error = readError(body);
  if (error !== null) throw new ProviderError(error);
  return new Response(`data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n`, { headers: { "content-type": "text/event-stream" } });
}

const KEPT_CHARS = 200;
const cut = (text: string): string => [...text.replace(/\s+/g, " ").trim()].slice(0, KEPT_CHARS).join("");

/** What happened and what to do, in one sentence or two. The user's message is kept in every case. */
function refusalOf(error: unknown, endpoint: Endpoint, watch: StallWatch, seen: Seen, builder: AnswerBuilder): Refusal {
  const { name, model } = endpoint;
  const unavailable = (message: string, status?: number): Refusal => ({
    code: "unavailable",
    message,
    details: status === undefined ? { endpoint: name } : { endpoint: name, status },
  });
  switch (watch.reason) {
    case "stopped":
      return { code: "unavailable", message: "Stopped.", details: { cancelled: true } };
    case "silent":
      return unavailable(
        `${name} went silent for ${Math.round((endpoint.silentMs ?? MODEL_STALL_MS) / 1000)} seconds in the middle of the call. Your message is kept; try again.`,
      );
    case "too-long":
      return unavailable(
        `${name} did not finish its answer in ${Math.round((endpoint.wholeMs ?? MODEL_CALL_MAX_MS) / 1000)} seconds. Your message is kept; try again, or ask for less at once.`,
      );
    case "too-large":
      return unavailable(
        `${name} sent an answer without end, so it was cut off and is not used. Your message is kept; try again, or choose another model.`,
      );
    case null:
  }
  if (seen.html)
    return unavailable(
      `${name} answered with a web page instead of an answer. Check OPENAI_BASE_URL: it usually ends in /v1. Your message is kept.`,
      seen.status ?? undefined,
    );
  const problem = seen.problem ?? (error instanceof ProviderError ? error.message : null);
  if (problem !== null)
    return unavailable(`${name} reported: ${cut(problem)}. Your message is kept; try again.`, seen.status ?? undefined);
  if (error instanceof APIUserAbortError) return { code: "unavailable", message: "Stopped.", details: { cancelled: true } };
  if (error instanceof APIConnectionError) {
    return unavailable(`${name} cannot be reached. Check that it runs and that OPENAI_BASE_URL is right; your message is kept.`);
  }
  if (error instanceof APIError) return statusRefusal(error, name, model);
  if (error instanceof Unfinished && builder.size === 0) {
    return unavailable(
      `${name} sent nothing that is an answer. Your message is kept; try again, or check OPENAI_BASE_URL.`,
      seen.status ?? undefined,
    );
  }
  return unavailable(
    `The connection to ${within(name)} broke before the answer was complete, so that answer is not used. Your message is kept; try again.`,
    seen.status ?? undefined,
  );
}

/** The name of an endpoint in the middle of a sentence. */
const within = (name: string): string => name.replace(/^The\b/, () => "the");

function statusRefusal(error: APIError, name: string, model: string): Refusal {
  const status = error.status as number | undefined;
  const said = cut(error.error && typeof error.error === "object" && "message" in error.error ? String(error.error.message) : "");
  const details: Record<string, unknown> = { endpoint: name };
  if (status !== undefined) details.status = status;
  const sentence = (text: string): string => (said === "" ? text : `${text} It said: ${said}`);
  if (status === 401 || status === 403) {
    return {
      code: "unavailable",
      message: sentence(`${name} refused the key (${status}). Check OPENAI_API_KEY; your message is kept.`),
      details,
    };
  }
  if (status === 404) {
    return {
      code: "unavailable",
      message: sentence(
        `${name} does not know the model ${model} (404). Choose another one in Settings, or check OPENAI_BASE_URL; your message is kept.`,
      ),
      details,
    };
  }
  if (status === 402)
    return {
      code: "unavailable",
      message: sentence(`The account at ${within(name)} has no credit left (402). Your message is kept.`),
      details,
    };
  if (status === 429) {
    const after = Number(error.headers?.get("retry-after"));
    const when = Number.isFinite(after) && after > 0 ? `in ${Math.ceil(after)} seconds` : "in a minute";
    return {
      code: "rate-limited",
      message: sentence(`${name} takes no more requests at the moment (429). Try again ${when}; your message is kept.`),
      details,
    };
  }
  if (status !== undefined && status >= 500) {
    return {
      code: "unavailable",
      message: sentence(`${name} has a fault of its own (${status}). Try again in a moment; your message is kept.`),
      details,
    };
  }
  return {
    code: "unavailable",
    message: sentence(
      status === undefined
        ? `${name} reported an error. Your message is kept; try again.`
        : `${name} did not accept the request (${status}). Your message is kept.`,
    ),
    details,
  };
}

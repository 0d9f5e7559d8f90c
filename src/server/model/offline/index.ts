// The offline model behind the real client: answers chat-completions requests in process. Pure: what it knows stands in the request.
import { estimateTokenCount } from "tokenx";
import { chatTurn } from "./chat/turn.ts";
import { needsTagger } from "./facts/clauses.ts";
import { loadTagger } from "./language/tagger.ts";
import { type ChatMessage, type Prompt, readPrompt, textOf } from "./prompt.ts";
import { nextStep, type Step } from "./script.ts";
import { answerFrames } from "./wire.ts";
import { relevance } from "./tasks/relevance.ts";
import { sameFact } from "./tasks/same-fact.ts";
import { summary } from "./tasks/summary.ts";
import { title } from "./tasks/title.ts";
import { dream } from "./tasks/dream.ts";

/** Name of the model in requests, answers and the ledger. */
export const OFFLINE_MODEL = "offline";

interface Request_ {
  model?: string;
  messages?: ChatMessage[];
  tools?: { type?: string; function?: { name?: string; parameters?: unknown } }[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean } | null;
}

/** What the model does next: calls of tools, or its answer. */
export async function stepOf(messages: readonly ChatMessage[], toolNames: readonly string[]): Promise<Step> {
  const prompt = readPrompt(messages, toolNames);
  if (needsTagger(prompt.message.typed)) await loadTagger();
  return nextStep(scriptOf(prompt, messages), prompt.done);
}

function scriptOf(prompt: Prompt, messages: readonly ChatMessage[]) {
  switch (prompt.task) {
    case "title":
      return title(messages);
    case "summary":
      return summary(messages);
    case "relevance":
    case "judge":
      return relevance(messages);
    case "tombstone":
      return sameFact();
    case "dream":
      return dream(messages, prompt.tools);
    default:
      return chatTurn(prompt);
  }
}

const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
const failure = (status: number, message: string): Response =>
  json({ error: { message, type: "invalid_request_error", code: null, param: null } }, status);

/** Answers as an OpenAI-compatible endpoint does: `POST …/chat/completions` (plain or streamed) and `GET …/models`. */
export async function offlineFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input as RequestInfo, init);
  const path = new URL(request.url).pathname;
  if (request.method === "GET" && path.endsWith("/models"))
    return json({ object: "list", data: [{ id: OFFLINE_MODEL, object: "model", created: 0, owned_by: "reverie" }] });
  if (request.method !== "POST" || !path.endsWith("/chat/completions"))
    return failure(404, "The offline model answers chat completions only.");
  let body: Request_;
  try {
    body = (await request.json()) as Request_;
  } catch {
    return failure(400, "The request is not valid JSON.");
  }
  const { messages, tools = [] } = body;
  if (!Array.isArray(messages) || messages.length === 0) return failure(400, "The request has no messages.");
  const names = tools.flatMap((tool) => (tool.function?.name ? [tool.function.name] : []));
  const step = await stepOf(messages, names);
  const usage = usageOf(messages, body.tools, step);
  const frames = answerFrames(step, { model: body.model ?? OFFLINE_MODEL, id: `offline-${messages.length}`, usage });
  if (!body.stream) return json(frames.whole());
  return new Response(frames.stream(body.stream_options?.include_usage === true), {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
  });
}

/** Tokens of a request and its answer, estimated: the model has no tokens of its own and costs nothing. */
function usageOf(
  messages: readonly ChatMessage[],
  tools: unknown,
  step: Step,
): { prompt_tokens: number; completion_tokens: number; total_tokens: number } {
  const prompt =
    messages.reduce((sum, message) => sum + 3 + counted(textOf(message)), 0) + (tools ? counted(JSON.stringify(tools)) : 0);
  const completion =
    "text" in step
      ? counted(step.text)
      : step.calls.reduce((sum, call) => sum + counted(call.name) + counted(JSON.stringify(call.input)), 0);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

// The rules and the tools are the same in every call.
const counts = new Map<string, number>();
const COUNTS_MAX = 200;

function counted(text: string): number {
  if (text.length < 400) return estimateTokenCount(text);
  const known = counts.get(text);
  if (known !== undefined) return known;
  if (counts.size >= COUNTS_MAX) counts.clear();
  const count = estimateTokenCount(text);
  counts.set(text, count);
  return count;
}

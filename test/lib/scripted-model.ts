// A small OpenAI-compatible server on loopback that says what a test scripts: streams cut anywhere, tool calls, errors, web pages, silence, a broken line.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A tool call to be sent. */
export interface ScriptedCall {
  name: string;
  /** An object, or any text, valid or not. */
  arguments: unknown;
  id?: string;
}

/** What the server does with one request. All parts may be combined. */
export interface Script {
  /** Text of the answer; a list is sent as so many deltas. */
  text?: string | string[];
  tools?: ScriptedCall[];
  finish?: string | null;
  usage?: Record<string, unknown> | null;
  model?: string;
  /** Status, body and type instead of a stream. */
  status?: number;
  body?: string;
  type?: string;
  headers?: Record<string, string>;
  /** Sends the stream in pieces of so many bytes, splitting lines, characters and JSON. */
  pieces?: number;
  /** Breaks the connection after so many bytes of the body. */
  cutAt?: number;
  /** Ends the response in good order after so many bytes of the body. */
  endAt?: number;
  /** Waits for this before the answer, or before the end of it. */
  before?: Promise<unknown>;
  beforeEnd?: Promise<unknown>;
  /** Never ends: repeats the text for ever. */
  endless?: boolean;
  /** Sends one whole JSON answer and no stream. */
  whole?: boolean;
  /** Sends each tool's arguments in pieces of so many characters. */
  split?: number;
}

export interface ScriptedModel {
  /** For OPENAI_BASE_URL. */
  url: string;
  /** Bodies of the requests, in order. */
  requests: Record<string, unknown>[];
  /** Their Authorization headers, in the same order. */
  keys: string[];
  /** Adds answers to those that wait. */
  push(...scripts: (Script | ((request: Record<string, unknown>) => Script))[]): void;
  /** What is answered when none waits. */
  otherwise: Script | ((request: Record<string, unknown>) => Script);
  /** Resolves when the n-th request (from 1) has come. */
  asked(n: number): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** Starts the server on a free port of 127.0.0.1. */
export async function startScriptedModel(): Promise<ScriptedModel> {
  const waiting: (Script | ((request: Record<string, unknown>) => Script))[] = [];
  const listeners: { n: number; resolve: (request: Record<string, unknown>) => void }[] = [];
  const model: ScriptedModel = {
    url: "",
    requests: [],
    keys: [],
    push: (...scripts) => void waiting.push(...scripts),
    otherwise: { text: "Nothing is scripted." },
    asked: (n) => {
      const known = model.requests[n - 1];
      return known ? Promise.resolve(known) : new Promise((resolve) => listeners.push({ n, resolve }));
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (request.method === "GET") {
      response.setHeader("content-type", "application/json");
      response.end('{"object":"list","data":[]}');
      return;
    }
    const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
    model.keys.push(request.headers.authorization ?? "");
    model.requests.push(body);
    for (const { n, resolve } of listeners) if (n === model.requests.length) resolve(body);
    const next = waiting.shift() ?? model.otherwise;
    await play(typeof next === "function" ? next(body) : next, response);
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  model.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return model;
}

const DEFAULT_USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

function chunksOf(script: Script): unknown[] {
  const model = script.model ?? "scripted";
  const frame = (delta: unknown, finish: string | null = null) => ({
    id: "c1",
    object: "chat.completion.chunk",
    created: 1,
    model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const texts = script.text === undefined ? [] : Array.isArray(script.text) ? script.text : [script.text];
  const chunks: unknown[] = [frame({ role: "assistant", content: "" }), ...texts.map((content) => frame({ content }))];
  (script.tools ?? []).forEach((call, index) => {
    const args = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
    const size = script.split ?? Math.max(1, args.length);
    chunks.push(
      frame({
        tool_calls: [
          { index, id: call.id ?? `call_${index + 1}`, type: "function", function: { name: call.name, arguments: "" } },
        ],
      }),
    );
    for (let at = 0; at < args.length; at += size)
      chunks.push(frame({ tool_calls: [{ index, function: { arguments: args.slice(at, at + size) } }] }));
  });
  const finish = script.finish === undefined ? (script.tools?.length ? "tool_calls" : "stop") : script.finish;
  if (finish !== null) chunks.push(frame({}, finish));
  if (script.usage !== null)
    chunks.push({
      id: "c1",
      object: "chat.completion.chunk",
      created: 1,
      model,
      choices: [],
      usage: script.usage ?? DEFAULT_USAGE,
    });
  return chunks;
}

function wholeOf(script: Script): string {
  const text = Array.isArray(script.text) ? script.text.join("") : (script.text ?? null);
  const calls = (script.tools ?? []).map((call, index) => ({
    id: call.id ?? `call_${index + 1}`,
    type: "function",
    function: {
      name: call.name,
      arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
    },
  }));
  const message = { role: "assistant", content: text, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  return JSON.stringify({
    id: "c1",
    object: "chat.completion",
    model: script.model ?? "scripted",
    choices: [{ index: 0, message, finish_reason: script.finish ?? (calls.length > 0 ? "tool_calls" : "stop") }],
    usage: script.usage ?? DEFAULT_USAGE,
  });
}

async function play(script: Script, response: ServerResponse): Promise<void> {
  await script.before;
  if (response.destroyed) return;
  for (const [name, value] of Object.entries(script.headers ?? {})) response.setHeader(name, value);
  if (script.status !== undefined || script.body !== undefined) {
    response.statusCode = script.status ?? 200;
    response.setHeader("content-type", script.type ?? "application/json");
    response.end(script.body ?? JSON.stringify({ error: { message: `scripted ${script.status}` } }));
    return;
  }
  if (script.whole) {
    response.setHeader("content-type", "application/json");
    response.end(wholeOf(script));
    return;
  }
  response.setHeader("content-type", script.type ?? "text/event-stream");
  const lines = chunksOf(script).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  if (script.endless) {
    const line = lines[1] ?? lines[0]!;
    while (!response.destroyed) if (!response.write(line)) await drained(response);
    return;
  }
  const body = Buffer.from(`${lines.join("")}data: [DONE]\n\n`);
  const end = Math.min(body.length, script.cutAt ?? script.endAt ?? body.length);
  const size = script.pieces ?? body.length;
  const held = script.beforeEnd ? Math.max(0, end - 1) : end;
  for (let at = 0; at < held; at += size) {
    response.write(body.subarray(at, Math.min(at + size, held)));
    // One piece a turn of the event loop, so that they arrive apart.
    if (script.pieces) await new Promise((resolve) => setImmediate(resolve));
  }
  await script.beforeEnd;
  if (response.destroyed) return;
  if (held < end) response.write(body.subarray(held, end));
  if (script.cutAt !== undefined) {
    // What was written is on its way; the line breaks behind it.
    await new Promise((resolve) => setImmediate(resolve));
    response.destroy();
  } else response.end();
}

/** Room again, or nobody there any more. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}

// Conversations against the real objects, with a model that says what a test scripts.
import { env, exports, runInDurableObject } from "./workers.ts";
import type { ChatFrame, ChatReply, EntryView, Page, ThreadDetail, ThreadView } from "../../../src/shared/protocol.ts";
import type { ChatAgent } from "../../../src/server/chat/agent.ts";
import type { Model, ModelAnswer, ModelCall } from "../../../src/server/model/types.ts";

export const AT = "2026-11-30T09:12:00+01:00";
export const ZONE = "Europe/Brussels";

/** What the model says to one call. */
export type Says =
  | { text?: string; tools?: { name: string; arguments: unknown }[]; finish?: ModelAnswer["finish"]; before?: Promise<unknown> }
  | Error
  | ((call: ModelCall) => Says | Promise<Says>);

/** A model that says these things in their order, and "Done." when there is nothing left. */
export function scripted(...says: Says[]): { model: Model; calls: ModelCall[]; says: Says[] } {
  const calls: ModelCall[] = [];
  const model: Model = async (call) => {
    calls.push({ ...call, messages: structuredClone(call.messages) });
    let next = says.shift() ?? { text: "Done." };
    while (typeof next === "function") next = await next(call);
    if (next instanceof Error) throw next;
    const { text = "", tools = [], before } = next;
    for (const piece of text.match(/.{1,7}/gsu) ?? []) call.onDelta?.(piece);
    if (before)
      await Promise.race([
        before,
        new Promise((_, reject) => call.signal?.addEventListener("abort", () => reject(new Error("stopped")), { once: true })),
      ]);
    return {
      text,
      toolCalls: tools.map((tool, at) => ({
        id: `c${at}`,
        name: tool.name,
        arguments: typeof tool.arguments === "string" ? tool.arguments : JSON.stringify(tool.arguments),
      })),
      finish: next.finish ?? (tools.length > 0 ? "tool_calls" : "stop"),
      model: "scripted",
      tokensIn: 10,
      cachedIn: 0,
      tokensOut: 5,
      reasoning: 0,
      usd: 0.001,
      ms: 1,
    };
  };
  return { model, calls, says };
}

export async function ask(path: string, init?: RequestInit): Promise<Response> {
  return exports.default.fetch(new Request(`http://localhost:4321${path}`, init));
}

export async function json<T>(path: string, body?: unknown, method = body === undefined ? "GET" : "POST"): Promise<T> {
  const response = await ask(
    path,
    body === undefined ? { method } : { method, body: JSON.stringify(body), headers: { "content-type": "application/json" } },
  );
  const value = (await response.json()) as T & { error?: { message: string } };
  if (!response.ok) throw new Error(`${response.status} ${value.error?.message}`);
  return value;
}

export const chatStub = (thread: string): DurableObjectStub<ChatAgent> => env.ChatAgent.getByName(`me.${thread}`);

/** Gives a conversation its model. Lost where the object is evicted. */
export async function speak(thread: string, model: Model): Promise<void> {
  await runInDurableObject(chatStub(thread), (agent: ChatAgent) => {
    agent.model = model;
  });
}

/** Ends the object in the middle of whatever it does, as a crash or a deploy would. What is stored stays. */
export async function evict(thread: string): Promise<void> {
  await runInDurableObject(chatStub(thread), (_agent: ChatAgent, state) => state.abort("evicted")).catch(() => {});
}

/** A fresh conversation with its model. */
export async function talk(model: Model, body: { temporary?: boolean; scope?: string } = {}): Promise<string> {
  const { id } = await json<ThreadView>("/api/threads", body);
  await speak(id, model);
  return id;
}

export const say = (thread: string, message: string, more: object = {}): Promise<ChatReply> =>
  json<ChatReply>("/api/chat", { thread, message, tz: ZONE, at: AT, ...more });

export const detail = (thread: string): Promise<ThreadDetail> => json<ThreadDetail>(`/api/threads/${thread}`);

export async function entries(query = "state=open,upcoming,past"): Promise<EntryView[]> {
  return (await json<Page<EntryView>>(`/api/entries?${query}&limit=200`)).items;
}

export async function commits(): Promise<number> {
  return (await json<Page<unknown>>("/api/history?limit=200")).items.length;
}

/** An open tab: its frames, and a way to wait for one. */
export async function tab(thread: string): Promise<{
  frames: ChatFrame[];
  until(test: (frame: ChatFrame) => boolean): Promise<ChatFrame>;
  call(method: string, ...args: unknown[]): Promise<unknown>;
  close(): void;
}> {
  const response = await ask(`/agents/chat-agent/me.${thread}`, { headers: { Upgrade: "websocket" } });
  const socket = response.webSocket!;
  const frames: ChatFrame[] = [];
  const waiting: { test: (frame: ChatFrame) => boolean; resolve: (frame: ChatFrame) => void }[] = [];
  const answers = new Map<string, (value: { success: boolean; result?: unknown; error?: string }) => void>();
  socket.addEventListener("message", (event) => {
    const data = JSON.parse(event.data as string) as ChatFrame & { type: string; id?: string };
    if (data.type === ("rpc" as string)) return answers.get(data.id!)?.(data as never);
    if (data.type.startsWith("cf_")) return;
    frames.push(data);
    for (const one of waiting.filter(({ test }) => test(data))) {
      waiting.splice(waiting.indexOf(one), 1);
      one.resolve(data);
    }
  });
  socket.accept();
  return {
    frames,
    until: (test) => {
      const known = frames.find(test);
      return known ? Promise.resolve(known) : new Promise((resolve) => waiting.push({ test, resolve }));
    },
    call: (method, ...args) =>
      new Promise((resolve, reject) => {
        const id = crypto.randomUUID();
        answers.set(id, (value) => (value.success ? resolve(value.result) : reject(new Error(value.error))));
        socket.send(JSON.stringify({ type: "rpc", id, method, args }));
      }),
    close: () => socket.close(),
  };
}

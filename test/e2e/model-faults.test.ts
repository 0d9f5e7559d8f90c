// The built app against an endpoint that fails in every way: a sentence, the message kept, nothing half-written, and the conversation goes on.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type App } from "../lib/app.ts";
import { call } from "../lib/api.ts";
import { startScriptedModel, type Script, type ScriptedModel } from "../lib/scripted-model.ts";
import type { ChatReply, EntryView, LedgerRow, Page, ThreadDetail } from "../../src/shared/protocol.ts";

let app: App;
let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel();
  app = await startApp({ env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "k", CHAT_MODEL: "gpt-4o-mini" } });
});
afterAll(async () => {
  await app?.stop();
  await model?.stop();
});

const say = async (message: string, thread?: string): Promise<ChatReply> => {
  const { status, body } = await call<ChatReply>(app.url, "POST", "/api/chat", {
    message,
    tz: "Europe/Brussels",
    ...(thread ? { thread } : {}),
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const commits = async (): Promise<number> =>
  (await call<Page<unknown>>(app.url, "GET", "/api/history?limit=200")).body.items.length;
const rows = async (): Promise<LedgerRow[]> =>
  (await call<Page<LedgerRow>>(app.url, "GET", "/api/costs/calls?limit=200")).body.items;
const saves = { tools: [{ name: "remember", arguments: { text: "Keeps a red kayak in the shed" } }], text: "I note it." };

const FAULTS: [string, Script, RegExp][] = [
  ["401", { status: 401 }, /refused the key/],
  ["429", { status: 429, headers: { "retry-after": "3" } }, /in 3 seconds/],
  ["500", { status: 500 }, /fault of its own/],
  ["a web page", { body: "<!doctype html><h1>Sign in</h1>", type: "text/html" }, /web page/],
  ["an empty body", { body: "", type: "text/event-stream" }, /nothing that is an answer/],
  ["truncated JSON", { body: '{"choices":[{"mess', type: "application/json" }, /not JSON/],
  ["an empty answer", { text: "", usage: null }, /empty answer/],
  ["an answer without end", { text: "x".repeat(60_000), endless: true }, /without end/],
  ["an answer cut off at its length", { ...saves, finish: "length" }, /cut off/],
  ["a broken connection", { ...saves, cutAt: 700 }, /broke/],
  ["a stream that ends early", { ...saves, endAt: 700 }, /broke/],
];

test.each(FAULTS)("%s", async (name, script, sentence) => {
  const before = await commits();
  model.push(script, { text: "Here again." });
  const failed = await say(`I keep a red kayak in the shed. (${name})`);
  expect(failed.error?.message).toMatch(sentence);
  expect(failed.error?.message).not.toMatch(/<h1>|[{}]|undefined/);
  expect(await commits()).toBe(before);
  const { body: thread } = await call<ThreadDetail>(app.url, "GET", `/api/threads/${failed.thread}`);
  expect(thread.items.map(({ role, status }) => [role, status])).toEqual([
    ["user", "done"],
    ["assistant", "broken"],
  ]);
  expect(thread.items[0]!.text).toContain(name);
  expect((await say("Still there?", failed.thread)).reply).toBe("Here again.");
});

test("a stream cut at twenty places never writes half a fact, and every call has its row", { timeout: 120_000 }, async () => {
  const before = await commits();
  const asked = model.requests.length;
  const known = (await rows()).length;
  for (let at = 0; at < 20; at++) {
    model.push({ ...saves, split: 3, cutAt: 60 * at });
    expect((await say(`I keep a red kayak in the shed. (cut ${at})`)).error).toBeDefined();
  }
  expect(await commits()).toBe(before);
  const all = await rows();
  expect(all.length - known).toBe(model.requests.length - asked);
  expect(all.filter(({ outcome }) => outcome === "reserved")).toEqual([]);
});

test("what is streamed in single bytes is saved and answered whole", async () => {
  model.push({ ...saves, text: ["Grüß ", "dich 👋"], split: 1, pieces: 1 }, { text: "Saved." });
  const reply = await say("I keep a red kayak in the shed.");
  expect(reply.reply).toBe("Grüß dich 👋\n\nSaved.");
  const { body } = await call<Page<EntryView>>(app.url, "GET", "/api/entries?q=kayak");
  expect(body.items.map(({ text }) => text)).toEqual(["Keeps a red kayak in the shed"]);
  expect(reply.usage).toMatchObject({ model: "scripted", tokensIn: 200, tokensOut: 20 });
});

test("a tool call with a wrong shape is answered in words, and the model's second try lands", async () => {
  model.push(
    {
      tools: [
        { name: "remember", arguments: { fact: "x" } },
        { name: "remember", arguments: "{not json" },
        { name: "drop_table", arguments: {} },
      ],
    },
    { tools: [{ name: "remember", arguments: { text: "Plays the zither" } }] },
    { text: "Saved." },
  );
  const reply = await say("I play the zither.");
  expect(reply.actions.map(({ outcome }) => outcome.ok || outcome.code)).toEqual(["bad-format", "bad-format", "not-found", true]);
});

test("a model without tools still talks, and says that nothing was saved", async () => {
  model.push(
    { status: 400, body: JSON.stringify({ error: { message: "this model does not support tools" } }) },
    { text: "Hello." },
  );
  const reply = await say("I play the sitar.");
  expect(reply.reply).toMatch(/^Hello\.[\s\S]*read only/);
  expect(reply.error).toBeUndefined();
});

test("an endpoint that is down", async () => {
  const other = await startApp({
    env: { OPENAI_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_API_KEY: "k", CHAT_MODEL: "gpt-4o-mini" },
  });
  try {
    const { body } = await call<ChatReply>(other.url, "POST", "/api/chat", { message: "Hello?" });
    expect(body.error?.message).toMatch(/cannot be reached.*OPENAI_BASE_URL/);
  } finally {
    await other.stop();
  }
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startScriptedModel, type ScriptedModel } from "../../../test/lib/scripted-model.ts";
import { callEndpoint, CallFailure, type Endpoint } from "./client.ts";
import { meteredModel } from "./metering.ts";
import { loadPrices } from "./prices.ts";
import type { ModelCall, Reservation, Settlement } from "./types.ts";

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(() => model.stop());
beforeEach(() => {
  model.requests.length = 0;
});

const endpoint = (more: Partial<Endpoint> = {}): Endpoint => ({
  name: "The test endpoint",
  baseURL: model.url,
  apiKey: "k",
  model: "gpt-4o-mini",
  ...more,
});
const call = (more: Partial<ModelCall> = {}): ModelCall => ({
  kind: "chat",
  ref: "thread/t1",
  messages: [{ role: "user", content: "hello" }],
  ...more,
});
const failure = async (run: Promise<unknown>): Promise<CallFailure> => {
  const error = await run.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CallFailure);
  return error as CallFailure;
};

const facts = [
  { name: "remember", arguments: { text: "Lives in Łódź 🏠" } },
  { name: "remember", arguments: { text: "Speaks हिन्दी" } },
];

describe("an answer", () => {
  for (const pieces of [1, 7, 64]) {
    test(`comes through in pieces of ${pieces} bytes`, async () => {
      model.push({ text: ["Grüß ", "dich 👋"], tools: facts, split: 2, pieces });
      const deltas: string[] = [];
      const answer = await callEndpoint(endpoint(), call({ onDelta: (text) => deltas.push(text) }));
      expect(answer.text).toBe("Grüß dich 👋");
      expect(deltas.join("")).toBe(answer.text);
      expect(answer.toolCalls.map((one) => JSON.parse(one.arguments))).toEqual(facts.map((one) => one.arguments));
      expect(answer.finish).toBe("tool_calls");
      expect(answer.usage).toMatchObject({ tokensIn: 100, tokensOut: 10 });
    });
  }

  test("comes whole from an endpoint that does not stream", async () => {
    model.push({ text: "Yes.", tools: facts, whole: true });
    const answer = await callEndpoint(endpoint(), call());
    expect(answer.text).toBe("Yes.");
    expect(answer.toolCalls).toHaveLength(2);
  });

  test("asks for usage, names its tools and keeps the key in the header", async () => {
    model.push({ text: "ok" });
    await callEndpoint(endpoint(), call({ tools: [{ name: "recall", description: "d", parameters: { type: "object" } }] }));
    expect(model.requests[0]).toMatchObject({
      model: "gpt-4o-mini",
      stream: true,
      stream_options: { include_usage: true },
      tools: [{ type: "function", function: { name: "recall" } }],
    });
  });
});

describe("a failure is a sentence", () => {
  const cases: [string, Parameters<ScriptedModel["push"]>[0], RegExp, string][] = [
    ["401", { status: 401 }, /refused the key \(401\).*OPENAI_API_KEY/, "unavailable"],
    ["404", { status: 404 }, /does not know the model gpt-4o-mini/, "unavailable"],
    ["429", { status: 429, headers: { "retry-after": "7" } }, /Try again in 7 seconds/, "rate-limited"],
    ["500", { status: 500, body: "<h1>oops</h1>", type: "text/html" }, /fault of its own \(500\)/, "unavailable"],
    [
      "a web page",
      { body: "<!doctype html><title>Sign in</title>", type: "text/html" },
      /web page.*OPENAI_BASE_URL/,
      "unavailable",
    ],
    ["a body that is not JSON", { body: "hello", type: "application/json" }, /not JSON/, "unavailable"],
    ["nothing", { body: "", type: "text/event-stream" }, /sent nothing that is an answer/, "unavailable"],
    [
      "an error inside the stream",
      { body: 'data: {"error":{"message":"overloaded"}}\n\n', type: "text/event-stream" },
      /overloaded/,
      "unavailable",
    ],
    [
      "broken JSON inside the stream",
      { body: 'data: {"choices":[{"delta"\n\n', type: "text/event-stream" },
      /broke before|sent nothing/,
      "unavailable",
    ],
  ];
  for (const [name, script, sentence, code] of cases) {
    test(name, async () => {
      model.push(script);
      const failed = await failure(callEndpoint(endpoint(), call()));
      expect(failed.message).toMatch(sentence);
      expect(failed.code).toBe(code);
      expect(failed.message).not.toMatch(/<h1>|\{/);
    });
  }

  test("an endpoint that is down", async () => {
    const failed = await failure(callEndpoint(endpoint({ baseURL: "http://127.0.0.1:1/v1" }), call()));
    expect(failed.message).toMatch(/cannot be reached/);
    expect(failed.sent).toBe(false);
  });

  test("an answer without end", async () => {
    model.push({ text: "x".repeat(20_000), endless: true });
    const failed = await failure(callEndpoint(endpoint(), call()));
    expect(failed.message).toMatch(/without end/);
  });

  test("silence, before and after the first byte", async () => {
    for (const script of [
      { text: "late", before: new Promise(() => {}) },
      { text: "half", beforeEnd: new Promise(() => {}) },
    ]) {
      model.push(script);
      const fire: (() => void)[] = [];
      const started = model.requests.length;
      const run = failure(
        callEndpoint(
          endpoint({ silentMs: 5_000, timers: { set: (fn, ms) => (ms === 5_000 ? fire.push(fn) : 0), clear: () => {} } }),
          call(),
        ),
      );
      await model.asked(started + 1);
      fire[fire.length - 1]!();
      expect((await run).message).toMatch(/silent for 5 seconds/);
    }
  });

  test("stop is no failure of the endpoint", async () => {
    model.push({ text: ["one ", "two"], beforeEnd: new Promise(() => {}) });
    const controller = new AbortController();
    const failed = await failure(
      callEndpoint(endpoint(), call({ signal: controller.signal, onDelta: () => controller.abort() })),
    );
    expect(failed.cancelled).toBe(true);
    expect(failed.text).toMatch(/^one/);
  });
});

test("an answer cut at any byte is either whole or a failure, never half a tool call", async () => {
  const script = {
    text: "I will.",
    tools: [{ name: "forget", arguments: { query: "everything about my sister Ana", all: true } }],
  };
  model.push(script);
  const whole = await callEndpoint(endpoint(), call());
  const length = 1_900;
  let cut = 0;
  for (const how of ["cutAt", "endAt"] as const) {
    for (let at = 0; at < 20; at++) {
      model.push({ ...script, [how]: Math.floor((length / 20) * at) });
      const result = await callEndpoint(endpoint(), call()).catch((error: unknown) => error);
      if (result instanceof CallFailure) cut++;
      else expect((result as typeof whole).toolCalls).toEqual(whole.toolCalls);
    }
  }
  expect(cut).toBeGreaterThan(15);
});

describe("the meter", () => {
  const rows = () => {
    const reserved: Reservation[] = [];
    const settled: Settlement[] = [];
    const ledger = {
      reserve: async (one: Reservation) => ({ ok: true as const, id: reserved.push(one) }),
      settle: async (_id: number, one: Settlement) => void settled.push(one),
    };
    return {
      reserved,
      settled,
      run: meteredModel({ ledger, prices: loadPrices(undefined), now: () => 1_000, endpoint: () => endpoint() }),
    };
  };

  test("settles what the provider counted", async () => {
    const { reserved, settled, run } = rows();
    model.push({ text: "ok", usage: { prompt_tokens: 1_000_000, completion_tokens: 1_000_000 } });
    const answer = await run(call());
    expect(reserved[0]!.usd).toBeGreaterThan(0);
    expect(settled).toEqual([expect.objectContaining({ outcome: "ok", price: "computed", usd: 0.75, tokensIn: 1_000_000 })]);
    expect(answer.usd).toBe(0.75);
  });

  test("counts tokens itself where nobody did", async () => {
    const { settled, run } = rows();
    model.push({ text: "one two three", usage: null });
    await run(call());
    expect(settled[0]!.tokensOut).toBeGreaterThanOrEqual(3);
    expect(settled[0]!.usd).toBeGreaterThan(0);
  });

  test("writes a row for what failed, and what was sent before it broke is paid", async () => {
    const { settled, run } = rows();
    model.push({ status: 500 }, { text: "half an answer", cutAt: 400 });
    await expect(run(call())).rejects.toThrow(/500/);
    await expect(run(call())).rejects.toThrow(/broke/);
    expect(settled.map((one) => [one.outcome, one.usd! > 0])).toEqual([
      ["failed", false],
      ["failed", true],
    ]);
  });

  test("makes no call that the ledger refuses", async () => {
    const run = meteredModel({
      ledger: { reserve: async () => ({ ok: false, code: "cap-reached", message: "The limit." }), settle: async () => {} },
      prices: loadPrices(undefined),
      now: () => 0,
      endpoint: () => endpoint(),
    });
    await expect(run(call())).rejects.toMatchObject({ code: "cap-reached" });
    expect(model.requests).toHaveLength(0);
  });
});

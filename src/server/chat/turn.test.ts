import { describe, expect, test } from "vitest";
import { AppError } from "../../shared/errors.ts";
import type { Action } from "../../shared/protocol.ts";
import type { ModelAnswer, ModelCall, ModelMessage } from "../model/types.ts";
import { runTurn, type TurnPorts } from "./turn.ts";

type Step = Partial<ModelAnswer> | Error | ((call: ModelCall) => Partial<ModelAnswer>);

function harness(steps: Step[], more: Partial<TurnPorts> = {}) {
  const calls: ModelMessage[][] = [];
  const tools: (string[] | undefined)[] = [];
  const run: string[] = [];
  const shown: string[] = [];
  const ports: TurnPorts = {
    signal: new AbortController().signal,
    model: async (call) => {
      calls.push([...call.messages]);
      tools.push(call.tools?.map(({ name }) => name));
      const step = steps.length > 1 ? steps.shift()! : steps[0]!;
      if (step instanceof Error) throw step;
      const part = typeof step === "function" ? step(call) : step;
      for (const piece of part.text?.match(/.{1,4}/gsu) ?? []) call.onDelta?.(piece);
      return {
        text: "",
        toolCalls: [],
        finish: part.toolCalls ? "tool_calls" : "stop",
        model: "m",
        tokensIn: 10,
        cachedIn: 0,
        tokensOut: 5,
        reasoning: 0,
        usd: 0.5,
        ms: 1,
        ...part,
      };
    },
    run: async ({ name, arguments: args }) => {
      run.push(`${name} ${args}`);
      return { action: { tool: name, input: JSON.parse(args), outcome: { ok: true, text: "ok" } }, text: `did ${name}` };
    },
    onText: (text) => shown.push(text),
    onAction: () => {},
    ...more,
  };
  return { calls, tools, run, shown, ports };
}

const input = {
  ref: "thread/t1",
  messages: [
    { role: "system", content: "rules" },
    { role: "user", content: "hi" },
  ] as ModelMessage[],
  tools: [{ name: "remember", description: "", parameters: {} }],
  parts: {},
};
const call = (text: string, id = "c1") => ({ id, name: "remember", arguments: JSON.stringify({ text }) });

describe("a turn", () => {
  test("streams text and ends", async () => {
    const { ports, shown } = harness([{ text: "Hello there." }]);
    const result = await runTurn(input, ports);
    expect(result).toMatchObject({ text: "Hello there.", status: "done", error: null, usage: { tokensIn: 10, usd: 0.5 } });
    expect(shown.join("")).toBe(result.text);
  });

  test("runs twelve calls of one answer in their order and hands back each result", async () => {
    const facts = Array.from({ length: 12 }, (_, at) => call(`fact ${at}`, `c${at}`));
    const { ports, run, calls } = harness([{ toolCalls: facts }, { text: "Saved." }]);
    const result = await runTurn(input, ports);
    expect(run).toEqual(facts.map(({ arguments: args }) => `remember ${args}`));
    expect(result.actions).toHaveLength(12);
    expect(calls[1]!.filter(({ role }) => role === "tool")).toHaveLength(12);
    expect(result.usage).toMatchObject({ tokensIn: 20, tokensOut: 10, usd: 1 });
  });

  test("ends after its last step with an answer, which has no tools", async () => {
    const { ports, tools } = harness([(asked) => (asked.tools ? { toolCalls: [call("again")] } : { text: "Enough." })]);
    const result = await runTurn({ ...input, maxSteps: 4 }, ports);
    expect(result).toMatchObject({ text: "Enough.", status: "done" });
    expect(tools).toEqual([["remember"], ["remember"], ["remember"], undefined]);
  });

  for (const finish of ["length", "filtered"] as const) {
    test(`applies nothing of an answer that ended with ${finish}`, async () => {
      const { ports, run } = harness([{ text: "I will", toolCalls: [call("half")], finish }]);
      const result = await runTurn(input, ports);
      expect(run).toEqual([]);
      expect(result).toMatchObject({ status: "broken", text: "I will" });
      expect(result.error!.message).toMatch(/\.$/);
    });
  }

  test("keeps what was done before a call failed, and says what happened", async () => {
    const { ports } = harness([
      { toolCalls: [call("one")] },
      new AppError("rate-limited", "Too many requests. Try again in a minute."),
    ]);
    const result = await runTurn(input, ports);
    expect(result.actions).toHaveLength(1);
    expect(result).toMatchObject({
      status: "broken",
      error: { code: "rate-limited", message: "Too many requests. Try again in a minute." },
    });
  });

  test("stops between two tool calls", async () => {
    const controller = new AbortController();
    const { ports, run } = harness([{ toolCalls: [call("one", "a"), call("two", "b")] }], { signal: controller.signal });
    const result = await runTurn(input, { ...ports, onAction: () => controller.abort() });
    expect(run).toHaveLength(1);
    expect(result.status).toBe("stopped");
  });

  test("goes on without tools where the model has none, and says so", async () => {
    const { ports, tools } = harness([
      new AppError("unavailable", "The endpoint did not accept the request (400). It said: tools are not supported", {
        status: 400,
      }),
      { text: "Hello." },
    ]);
    const result = await runTurn(input, ports);
    expect(tools).toEqual([["remember"], undefined]);
    expect(result.toolless).toBe(true);
    expect(result.text).toMatch(/^Hello\..*read only/s);
  });

  test("says what the tools did where the model says nothing after them", async () => {
    const saved: Action = { tool: "remember", input: {}, outcome: { ok: true, commit: "c", head: "c", entries: [] } };
    const { ports } = harness([{ toolCalls: [call("one")] }, { text: "" }], {
      run: async () => ({ action: saved, text: "Saved" }),
    });
    expect(await runTurn(input, ports)).toMatchObject({ text: "Saved.", status: "done" });
  });

  test("a fault behind a save says that the save stands", async () => {
    const saved: Action = { tool: "remember", input: {}, outcome: { ok: true, commit: "c", head: "c", entries: [] } };
    const fault = new AppError("unavailable", "The connection broke. Try again.");
    const after = harness([{ toolCalls: [call("one")] }, fault], { run: async () => ({ action: saved, text: "Saved" }) });
    expect((await runTurn(input, after.ports)).error!.message).toMatch(/broke.*What stands above as saved is saved/);
    const before = harness([fault]);
    expect((await runTurn(input, before.ports)).error!.message).toBe("The connection broke. Try again.");
  });

  test("an empty answer is an error with a remedy", async () => {
    const { ports } = harness([{ text: "  " }]);
    const result = await runTurn(input, ports);
    expect(result).toMatchObject({ status: "broken" });
    expect(result.error!.message).toMatch(/empty answer/);
  });

  test("keeps ids of calls apart that a provider numbers anew in each answer", async () => {
    const { ports, calls } = harness([
      { toolCalls: [call("a", "call_1"), call("b", "call_1")] },
      { toolCalls: [call("c", "call_1")] },
      { text: "ok" },
    ]);
    await runTurn(input, ports);
    const ids = calls[2]!.flatMap((message) => (message.role === "tool" ? [message.tool_call_id] : []));
    expect(new Set(ids).size).toBe(3);
  });
});

// The optional relevance call: its yes and no, its limit of time, and the unfiltered lines where it is late or says something else.
import { expect, test } from "vitest";
import { RELEVANCE_MAX_MS } from "../../shared/limits.ts";
import type { Recalled } from "../../shared/protocol.ts";
import type { Model, ModelAnswer, ModelCall } from "../model/types.ts";
import { relevantOf } from "./relevance.ts";

const lines = ["Plays the oboe", "Is allergic to kiwi", "Lives in Graz"].map(
  (text, at) => ({ id: `aaaa000${at}`, path: "MEMORY.md", text, chain: text, state: "open", sources: [] }) as unknown as Recalled,
);
const answer = (text: string): ModelAnswer => ({
  text,
  toolCalls: [],
  finish: "stop",
  model: "m",
  tokensIn: 1,
  cachedIn: 0,
  tokensOut: 1,
  reasoning: 0,
  usd: 0,
  ms: 1,
});
const never = (): AbortSignal => new AbortController().signal;
const asked = (model: Model, timeout = never): Promise<Recalled[]> =>
  relevantOf(model, "thread/t1", "What can I not eat?", lines, timeout);

test("only the lines that it says yes to go out, in their order, by one call of the kind relevance", async () => {
  const calls: ModelCall[] = [];
  const kept = await asked(async (call) => (calls.push(call), answer("No, yes\nNO")));
  expect(kept).toEqual([lines[1]]);
  expect(calls.map(({ kind, ref, tools }) => [kind, ref, tools])).toEqual([["relevance", "thread/t1", undefined]]);
  const shown = calls[0]!.messages.map(({ content }) => content).join("\n");
  for (const { text } of lines) expect(shown).toContain(text);
  expect(shown).toContain("What can I not eat?");
});

test.each(["yes", "yes no yes no", "I cannot tell.", ""])("“%s” fits no list of three: all lines go out", async (text) => {
  expect(await asked(async () => answer(text))).toEqual(lines);
});

test("a failed call lets all lines out", async () => {
  expect(await asked(() => Promise.reject(new Error("down")))).toEqual(lines);
});

test("after 1.2 seconds the call is given up and all lines go out, whatever it says later", async () => {
  const stop = new AbortController();
  const limits: number[] = [];
  let late: (value: ModelAnswer) => void = () => {};
  let aborted = false;
  const kept = asked(
    ({ signal }) => {
      signal?.addEventListener("abort", () => (aborted = true));
      return new Promise((resolve) => (late = resolve));
    },
    ((ms: number) => (limits.push(ms), stop.signal)) as typeof never,
  );
  stop.abort();
  expect(await kept).toEqual(lines);
  late(answer("no no no"));
  expect([limits, aborted, RELEVANCE_MAX_MS]).toEqual([[1_200], true, 1_200]);
});

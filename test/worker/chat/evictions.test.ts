// An eviction of the conversation or of the memory between every two steps of a turn: afterwards the memory is as without it, and no commit is there twice.
import { env, runInDurableObject } from "./workers.ts";
import { expect, test } from "vitest";
import type { MemoryAgent } from "../../../src/server/memory/agent.ts";
import type { ChatReply } from "../../../src/shared/protocol.ts";
import type { ModelCall } from "../../../src/server/model/types.ts";
import { chatStub, commits, detail, entries, evict, json, say, scripted, speak, talk } from "./support.ts";

const evictMemory = (): Promise<unknown> =>
  runInDurableObject(env.MemoryAgent.getByName("me"), (_agent: MemoryAgent, state) => state.abort("evicted")).catch(() => null);

/** What the model does at a point of the turn: three calls, two facts in each of the first two. */
function plan(call: ModelCall, tag: string) {
  const results = call.messages.filter(({ role }) => role === "tool").map(({ content }) => content ?? "");
  const has = (fact: string): boolean => results.some((result) => result.includes(fact));
  const facts = [`Owns boat ${tag}a`, `Owns boat ${tag}b`, `Owns boat ${tag}c`, `Owns boat ${tag}d`]
    .filter((fact) => !has(fact))
    .slice(0, 2);
  return facts.length === 0
    ? { text: `You own four boats ${tag}.` }
    : { tools: facts.map((text) => ({ name: "remember", arguments: { text } })) };
}

const POINTS = [1, 2, 3];

test.each([
  ["the conversation", (thread: string) => evict(thread)],
  ["the memory", () => evictMemory()],
])("of %s", { timeout: 120_000 }, async (who, strike) => {
  for (const point of POINTS) {
    const tag = `${who.length}${point}`;
    const thread = await talk(scripted().model);
    let calls = 0;
    const model = scripted(
      ...Array.from({ length: 12 }, () => async (call: ModelCall) => {
        if (++calls === point) await strike(thread);
        return plan(call, tag);
      }),
    ).model;
    await speak(thread, model);
    const before = await commits();
    await say(thread, `I own boat ${tag}a, boat ${tag}b, boat ${tag}c and boat ${tag}d.`).catch(() => null);
    await chatStub(thread).settled();
    for (let tries = 0; tries < 3; tries++) {
      const last = (await detail(thread)).items.at(-1)!;
      if (last.role === "assistant" && last.status === "done") break;
      await speak(thread, model);
      await json<ChatReply>(`/api/threads/${thread}/resume`, {}).catch(() => null);
      await chatStub(thread).settled();
    }
    const { items } = await detail(thread);
    expect(
      items.map(({ id, role, status }) => [id, role, status]),
      `${who} at ${point}`,
    ).toEqual([
      ["m1", "user", "done"],
      ["m2", "assistant", "done"],
    ]);
    expect(items[1]!.text).toBe(`You own four boats ${tag}.`);
    const saved = (await entries("state=all")).map(({ text }) => text).filter((text) => text.startsWith(`Owns boat ${tag}`));
    expect(saved.sort()).toEqual(["a", "b", "c", "d"].map((letter) => `Owns boat ${tag}${letter}`));
    expect(await commits()).toBe(before + 4);
  }
});

test("of both, while the answer is being stored", async () => {
  const thread = await talk(scripted({ text: "Stored." }).model);
  await say(thread, "Keep this.");
  await Promise.all([evict(thread), evictMemory()]);
  expect((await detail(thread)).items.map(({ text, status }) => [text, status])).toEqual([
    ["Keep this.", "done"],
    ["Stored.", "done"],
  ]);
});

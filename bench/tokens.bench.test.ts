// Tokens that a memory adds to prompts: a conversation of ten turns over 100, 1,000 and 10,000 facts, beside the whole memory in every prompt.
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { estimateTokenCount } from "tokenx";
import type { ChatAgent } from "../src/server/chat/agent.ts";
import { conversationsOf, type ConversationDoor } from "../src/server/memory/conversation-api.ts";
import type { MemoryAgent } from "../src/server/memory/agent.ts";
import { promptTokens } from "../src/server/model/metering.ts";
import { fillMemory } from "./support.ts";

const FACTS_A_FILE = 20;
const SIZES = [100, 1_000, 10_000];
const TALK = [
  "Who repairs old radios?",
  "And where does she do that?",
  "What does the landlord collect?",
  "I met the baker at the station today.",
  "Which teacher plays the oboe by the harbour?",
  "hello",
  "What should I give a cousin who paints wooden boats?",
  "Does anyone I know keep brass clocks?",
  "Thank you. And who studies river maps at weekends?",
  "Tell me about the mountain huts again.",
];

/** Tokens of all Markdown of a memory. */
async function wholeMemory(user: string): Promise<number> {
  return runInDurableObject(env.MemoryAgent.getByName(user), (agent: MemoryAgent) =>
    agent.memory.sql
      .exec<{ text: string }>("SELECT text FROM entries WHERE removed = 0")
      .toArray()
      .reduce((sum, { text }) => sum + estimateTokenCount(`- ${text}\n`), 0),
  );
}

/** What the prompts of a conversation hold: tokens of memory, and tokens in all, call by call. */
async function converse(user: string): Promise<{ memory: number[]; all: number[] }> {
  const door = env.MemoryAgent.getByName(user) as unknown as ConversationDoor;
  const { id } = await conversationsOf(door).createThread({ scope: null, at: Date.now() });
  const chat = env.ChatAgent.getByName(`${user}.${id}`);
  const memory: number[] = [];
  const all: number[] = [];
  await runInDurableObject(chat, (agent: ChatAgent) => {
    agent.model = async (call) => {
      memory.push((call.parts?.memory ?? 0) + (call.parts?.recalled ?? 0));
      all.push(promptTokens(call));
      const nothing = { toolCalls: [], tokensIn: 1, cachedIn: 0, tokensOut: 1, reasoning: 0, usd: 0, ms: 0 };
      return { ...nothing, text: "As you told me.", finish: "stop", model: "instant" };
    };
  });
  for (const text of TALK) {
    const start = { text, pasted: [], at: Date.now(), zone: "UTC", scope: null, replaces: null, nonce: crypto.randomUUID() };
    const response = await chat.fetch(
      new Request("http://chat/turn", { method: "POST", body: JSON.stringify({ do: "send", start }) }),
    );
    if (!response.ok) throw new Error(await response.text());
    await response.json();
  }
  return { memory, all };
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

test("what a memory adds to the prompts of a conversation", async () => {
  const rows: { facts: number; memory: number[]; all: number[]; whole: number }[] = [];
  for (const facts of SIZES) {
    const user = `tokens-${facts}`;
    await fillMemory(env.MemoryAgent.getByName(user), facts / FACTS_A_FILE, 1);
    rows.push({ facts, ...(await converse(user)), whole: await wholeMemory(user) });
  }
  const cell = (n: number, width: number): string => Math.round(n).toLocaleString("en-US").padStart(width);
  console.log(
    [
      `\nTokens of memory in the prompts of a conversation of ${TALK.length} turns, as tokenx counts them`,
      `  ${"facts".padStart(8)} ${"a prompt, at most".padStart(18)} ${"conversation".padStart(13)} ${"prompts in all".padStart(15)}   ${"whole memory in each prompt: conversation".padStart(42)} ${"times".padStart(6)}`,
      ...rows.map(({ facts, memory, all, whole }) => {
        const each = whole * memory.length;
        return `  ${cell(facts, 8)} ${cell(Math.max(...memory), 18)} ${cell(sum(memory), 13)} ${cell(sum(all), 15)}   ${cell(each, 42)} ${(each / sum(memory)).toFixed(0).padStart(6)}`;
      }),
    ].join("\n"),
  );
  const [small, , large] = rows;
  expect(rows.every(({ memory }) => memory.length === TALK.length)).toBe(true);
  // MEMORY.md is the same in all three; what is recalled beside it has its own limit.
  expect(Math.max(...large!.memory)).toBeLessThanOrEqual(Math.max(...small!.memory) + 400);
});

// What the tests of dreams share: a memory of its own, messages in its transcripts, a scripted model on its ledger.
import { createThread, findThread } from "../../../src/server/memory/threads.ts";
import { addUserMessage } from "../../../src/server/memory/transcripts.ts";
import { write as writeChange } from "../../../src/server/memory/writer.ts";
import { reserve, settle } from "../../../src/server/memory/ledger.ts";
import type { MemoryAgent } from "../../../src/server/memory/agent.ts";
import type { Model, ModelAnswer, ModelCall } from "../../../src/server/model/types.ts";
import { searchTokens } from "../../../src/shared/words.ts";
import type { Edit } from "../../../src/shared/protocol.ts";
import { change, landed } from "../memory/support.ts";

export { answer, FINISH } from "../../lib/dream-fakes.ts";

export const THREAD = "ab12cd34";

/** Says something in a conversation and names it. */
export function say(
  agent: MemoryAgent,
  text: string,
  options: { at?: number; zone?: string; pasted?: [number, number][]; learn?: boolean; thread?: string } = {},
): string {
  const { sql } = agent.memory;
  const { at = Date.now(), zone = "Europe/Brussels", pasted = [], learn = true, thread = THREAD } = options;
  if (!findThread(sql, thread)) createThread(sql, { id: thread, at, scope: null });
  const { view } = addUserMessage(sql, { thread, text, at, zone, pasted, secrets: [], learn, nonce: null }, searchTokens);
  return `thread/${thread}#${view.id}`;
}

/** Edits by the user's own hand. Returns the ids of the lines that they touched. */
export function write(agent: MemoryAgent, ...edits: Edit[]): string[] {
  return writeAs(agent, {}, ...edits);
}

/** Edits through another door. */
export function writeAs(agent: MemoryAgent, parts: Parameters<typeof change>[0], ...edits: Edit[]): string[] {
  const outcome = landed(writeChange(agent.memory, change({ at: Date.now(), edits, ...parts })));
  return outcome.entries.map(({ entry }) => entry.id!);
}

export type Script = (call: ModelCall, n: number) => ModelAnswer | Promise<ModelAnswer>;

/** Gives a memory a model that does what a script says, with each call on the ledger as the real one has it. */
export function script(agent: MemoryAgent, run: Script): ModelCall[] {
  const calls: ModelCall[] = [];
  const { sql } = agent.memory;
  const model: Model = async (call) => {
    const at = Date.now();
    const reserved = reserve(sql, { at, kind: call.kind, ref: call.ref, model: "scripted", usd: 0.01, tokens: 2_000 }, 1_000);
    if (!reserved.ok) throw new Error(reserved.message);
    calls.push(call);
    try {
      const answered = await run(call, calls.length);
      settle(sql, reserved.id, { ...answered, price: answered.usd === null ? "unknown" : "computed", outcome: "ok" });
      return answered;
    } catch (error) {
      settle(sql, reserved.id, {
        model: "scripted",
        tokensIn: 0,
        cachedIn: 0,
        tokensOut: 0,
        reasoning: 0,
        usd: 0,
        price: "computed",
        ms: 0,
        outcome: "failed",
      });
      throw error;
    }
  };
  agent.dreamModel = model;
  return calls;
}

/** Files of the memory as they stand. */
export async function texts(agent: MemoryAgent): Promise<Record<string, string>> {
  const listed = await agent.files({});
  if (!listed.ok) throw new Error(listed.message);
  const all: Record<string, string> = {};
  for (const { path } of listed.value.files) {
    const file = await agent.readFile(path);
    if (file.ok) all[path] = file.value.text;
  }
  return all;
}

/** Runs a dream to its end and gives its page. */
export async function dream(agent: MemoryAgent, options: { mode?: "automatic" | "review" } = {}) {
  const { id } = agent.dreams.request({ trigger: "user", ...options });
  await agent.dreams.idle();
  return agent.dreams.detail(id);
}

// Runs conversations against the offline model with the test memory: the prompt as the chat room builds it, the tool loop, the checks of the vectors.
import { dayIn, wallClock } from "../../../../shared/zone.ts";
import { findSecrets } from "../../../../shared/secrets.ts";
import { typedOf } from "../language/untyped.ts";
import type { ChatMessage } from "../prompt.ts";
import { stepOf } from "../index.ts";
import { TestMemory } from "./memory.ts";

export interface TurnVector {
  at: string;
  say: string;
  thread?: string;
  replyHas?: string[];
  replyLacks?: string[];
}

export interface ItemVector {
  has: string[];
  slot?: boolean;
  since?: string;
  until?: string;
  why?: string;
}

export interface ConversationVector {
  name: string;
  why: string;
  tz: string;
  turns: TurnVector[];
  expect: { open: ItemVector[]; closed?: ItemVector[]; forgotten?: ItemVector[]; lacks?: string[]; maxOpen?: number };
}

const TOOLS = ["recall", "read", "read_source", "remember", "revise", "forget"];
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const STEPS_MAX = 12;

export interface Answered {
  reply: string;
  calls: { name: string; input: Record<string, unknown>; result: string }[];
  ms: number;
}

/** A user with a memory and threads. */
export class TestUser {
  readonly memory = new TestMemory();
  private readonly threads = new Map<string, ChatMessage[]>();

  constructor(readonly tz: string) {}

  async say(text: string, at: string, thread = "a"): Promise<Answered> {
    const history = this.threads.get(thread) ?? [];
    const clean = withoutSecrets(text);
    const today = dayIn(at, this.tz);
    const { hour, minute, weekday } = wallClock(at, this.tz);
    const lines = this.memory.current(today).filter(({ path }) => path === "MEMORY");
    const { typed, pasted } = typedOf(clean);
    void typed;
    void pasted;
    const recalled = this.memory.recall(clean, today).filter(({ path }) => path !== "MEMORY");
    const clock = `Today is ${today} (${WEEKDAYS[weekday]}), ${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")} in ${this.tz}.`;
    const messages: ChatMessage[] = [
      { role: "system", content: "Rules: what stands between <memory> and </memory> is known." },
      {
        role: "system",
        content: [
          `<memory file="MEMORY.md" loaded="${lines.length}" of="${lines.length}">`,
          ...lines.map((one) => `- ${this.memory.chain(one, today)} {${one.id}}`),
          "</memory>",
        ].join("\n"),
      },
      ...history,
      {
        role: "system",
        content: [
          ...(recalled.length > 0 ? ["<recalled>", ...recalled.map((one) => this.memory.line(one, today)), "</recalled>"] : []),
          clock,
        ].join("\n"),
      },
      { role: "user", content: clean },
    ];
    const calls: Answered["calls"] = [];
    let ms = 0;
    for (let step = 1; step <= STEPS_MAX; step++) {
      // CPU time: the tests of a whole project run side by side.
      const start = process.cpuUsage();
      const next = await stepOf(messages, TOOLS);
      const used = process.cpuUsage(start);
      ms = Math.max(ms, (used.user + used.system) / 1000);
      if ("text" in next) {
        this.threads.set(thread, [...history, { role: "user", content: clean }, { role: "assistant", content: next.text }]);
        return { reply: next.text, calls, ms };
      }
      messages.push({
        role: "assistant",
        content: null,
        tool_calls: next.calls.map((call, i) => ({
          id: `c${step}_${i}`,
          type: "function",
          function: { name: call.name, arguments: JSON.stringify(call.input) },
        })),
      });
      next.calls.forEach((call, i) => {
        const result = this.memory.run(call.name, call.input as never, today);
        calls.push({ ...call, result });
        messages.push({ role: "tool", tool_call_id: `c${step}_${i}`, content: result });
      });
    }
    throw new Error(`No answer after ${STEPS_MAX} steps: ${text}`);
  }
}

/** Secrets as a message holds them once it is stored. */
function withoutSecrets(text: string): string {
  let out = text;
  for (const { from, to, kind } of [...findSecrets(text)].sort((a, b) => b.from - a.from))
    out = `${out.slice(0, from)}[secret: ${kind}]${out.slice(to)}`;
  return out;
}

const folded = (text: string): string => text.normalize("NFC").toLowerCase();

/** Runs a vector; returns what was not as expected, empty where all was. */
export async function runVector(vector: ConversationVector): Promise<{ failures: string[]; log: string[]; times: number[] }> {
  const user = new TestUser(vector.tz);
  const failures: string[] = [];
  const log: string[] = [];
  const times: number[] = [];
  for (const turn of vector.turns) {
    const { reply, calls, ms } = await user.say(turn.say, turn.at, turn.thread ?? "a");
    times.push(ms);
    log.push(
      `> ${turn.say.slice(0, 200)}`,
      ...calls.map((call) => `    ${call.name} ${JSON.stringify(call.input)} → ${call.result.slice(0, 200)}`),
      `< ${reply}`,
    );
    const said = folded(reply);
    for (const words of turn.replyHas ?? [])
      if (!said.includes(words)) failures.push(`the reply to “${turn.say.slice(0, 80)}” lacks “${words}”: ${reply}`);
    for (const words of turn.replyLacks ?? [])
      if (said.includes(words)) failures.push(`the reply to “${turn.say.slice(0, 80)}” holds “${words}”: ${reply}`);
  }
  const last = vector.turns.at(-1)!;
  const today = dayIn(last.at, vector.tz);
  const { memory } = user;
  const whole = (one: object): string => folded(Object.values(one).join(" "));
  const open = memory.current(today);
  const closed = memory.entries.filter((one) => memory.state(one, today) === "closed");
  for (const item of vector.expect.open) {
    if (
      !open.some(
        (one) =>
          item.has.every((words) => whole(one).includes(words)) &&
          (!item.slot || one.slot) &&
          (!item.since || one.since === item.since) &&
          (!item.until || one.until === item.until),
      )
    )
      failures.push(`not open: ${JSON.stringify(item)}`);
  }
  for (const item of vector.expect.closed ?? []) {
    if (
      !closed.some(
        (one) =>
          item.has.every((words) => whole(one).includes(words)) &&
          (!item.why || one.why === item.why) &&
          (!item.until || one.until === item.until),
      )
    )
      failures.push(`not closed: ${JSON.stringify(item)}`);
  }
  for (const item of vector.expect.forgotten ?? []) {
    if (!memory.tombstones.some((one) => item.has.every((words) => whole(one).includes(words))))
      failures.push(`not forgotten: ${JSON.stringify(item)}`);
  }
  for (const words of vector.expect.lacks ?? []) {
    const held = open.find((one) => folded(one.text).includes(words));
    if (held) failures.push(`“${words}” stands in “${held.text}”`);
  }
  const counted = open.filter((one) => !/^\[\[[^\]]+\]\]$/.test(one.text));
  if (vector.expect.maxOpen !== undefined && counted.length > vector.expect.maxOpen)
    failures.push(`${counted.length} entries, at most ${vector.expect.maxOpen}: ${counted.map(({ text }) => text).join(" | ")}`);
  log.push("-- memory", ...memory.entries.map((one) => `   ${JSON.stringify(one)}`));
  return { failures, log, times };
}

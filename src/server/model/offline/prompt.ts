// What the offline model sees of a request: the clock, the memory block, the recalled lines, the user's words, the tools and their answers. Reads messages, knows nothing else.
import type { Clock } from "./language/calendar.ts";
import { type Typed, typedOf } from "./language/untyped.ts";
import { type MemoryLine, readLines } from "./lines.ts";

export interface ChatMessage {
  role: string;
  content?: string | null | { type?: string; text?: string }[];
  tool_calls?: { id?: string; type?: string; function?: { name?: string; arguments?: string } }[];
  tool_call_id?: string;
}

export interface ToolBatch {
  calls: { name: string; arguments: string }[];
  results: string[];
}

export interface Prompt {
  /** "title", "summary", "relevance", "dream"; null = a chat. */
  task: string | null;
  system: string;
  clock: Clock;
  memory: { lines: MemoryLine[]; whole: boolean };
  recalled: MemoryLine[];
  /** The newest message, its typed words and its pastes. */
  message: Typed;
  /** Earlier messages, oldest first. */
  history: { role: "user" | "assistant"; text: string; typed: string }[];
  tools: Set<string>;
  /** Tool calls of this turn and their results, batch by batch. */
  done: ToolBatch[];
}

export const textOf = (message: ChatMessage): string =>
  typeof message.content === "string"
    ? message.content
    : Array.isArray(message.content)
      ? message.content.map((part) => part.text ?? "").join("")
      : "";

// The rules of the prompt speak of the fences too; a real one is followed by a line break.
const RECALLED = /<recalled\b[^>]*>\s*\n([\s\S]*?)<\/recalled>/g;
const MESSAGE = /<message\b[^>]*>([\s\S]*?)<\/message>/;
/** The app's own line about the day, alone on its line. */
const CLOCK = /^Today is (\d{4}-\d\d-\d\d)(?:[^\n]*?,?\s(\d{1,2}:\d\d))?(?:[^\n]*?\bin ([A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)*))?/m;
/** What stands in a fence was said by somebody, never by the app. */
const FENCED = /<(memory|recalled|summary|message|pasted|file|source|inbox|lines?)\b[^>]*>[\s\S]*?<\/\1>/g;

/** The words of a user message, without what the app put around them. */
function wordsOf(content: string): string {
  const bare = content.replace(RECALLED, "");
  const escaped = MESSAGE.exec(bare)?.[1] ?? bare;
  return escaped.trim();
}

/** Reads the messages and the tool list of a chat-completions request. */
export function readPrompt(messages: readonly ChatMessage[], toolNames: readonly string[]): Prompt {
  const system = messages
    .filter(({ role }) => role === "system" || role === "developer")
    .map(textOf)
    .join("\n\n");
  const task = /^Task:\s*([a-z-]+)/im.exec(system)?.[1]?.toLowerCase() ?? null;
  const isTurn = (message: ChatMessage): boolean => message.role === "user" && wordsOf(textOf(message)) !== "";
  const at = messages.findLastIndex(isTurn);
  const recalled: MemoryLine[] = [];
  for (const [i, message] of messages.entries()) {
    // Only what stands beside the newest message is of today; an older recall may be forgotten by now.
    if (message.role !== "system" && !(message.role === "user" && i >= at - 1)) continue;
    for (const [, block = ""] of textOf(message).matchAll(RECALLED)) recalled.push(...readLines(lined(block), null));
  }
  const clock = clockOf(messages, Math.max(at, 0));
  const today = clock?.[1] ?? "1970-01-01";
  const blocks = [...system.matchAll(/<memory( file="[^>]*)>\n([\s\S]*?)<\/memory>/g)];
  const lines = blocks.flatMap(([, head = "", body = ""]) => readLines(body, pathIn(head)));
  const whole = blocks.every(([, head = ""]) => /loaded="(\d+)"/.exec(head)?.[1] === /of="(\d+)"/.exec(head)?.[1]);
  return {
    task: task && /^(?:title|summary|relevance|dream|judge|tombstone)$/.test(task) ? task : null,
    system,
    clock: { today, time: clock?.[2] ?? "12:00", zone: clock?.[3] ?? "UTC" },
    memory: { lines, whole },
    recalled,
    message: at < 0 ? { typed: "", pasted: [] } : typedOf(wordsOf(textOf(messages[at]!))),
    history: messages.slice(0, Math.max(at, 0)).flatMap((message): Prompt["history"] => {
      if (message.role === "assistant" && textOf(message))
        return [{ role: "assistant" as const, text: textOf(message), typed: textOf(message) }];
      if (!isTurn(message)) return [];
      const text = wordsOf(textOf(message));
      return [{ role: "user" as const, text, typed: typedOf(text).typed }];
    }),
    tools: new Set(toolNames),
    done: batches(messages.slice(at + 1)),
  };
}

/** The clock as the app puts it: on a line of its own, outside of every fence, as near before the newest message as it stands. */
function clockOf(messages: readonly ChatMessage[], newest: number): RegExpExecArray | null {
  const system = messages
    .map((message, i) => ({ message, i }))
    .filter(({ message }) => /^(?:system|developer)$/.test(message.role));
  const before = system.filter(({ i }) => i <= newest).reverse();
  const after = system.filter(({ i }) => i > newest);
  for (const { message } of [...before, ...after]) {
    const found = CLOCK.exec(textOf(message).replace(FENCED, ""));
    if (found) return found;
  }
  return null;
}

const pathIn = (head: string): string | null => {
  const file = /file="([^"]+)"/.exec(head)?.[1]?.replace(/\.md$/, "") ?? null;
  return file === "MEMORY" ? null : file;
};
/** Recalled lines need no bullet; lines without an id get one so that they are read. */
const lined = (block: string): string =>
  block
    .split("\n")
    .map((line) => (line.trim() && !/^\s*[-*+]\s/.test(line) ? `- ${line.trim()}` : line))
    .join("\n");

function batches(messages: readonly ChatMessage[]): ToolBatch[] {
  const found: ToolBatch[] = [];
  const results = new Map(
    messages.filter(({ role }) => role === "tool").map((message) => [message.tool_call_id ?? "", textOf(message)]),
  );
  for (const message of messages) {
    if (message.role !== "assistant" || !message.tool_calls?.length) continue;
    found.push({
      calls: message.tool_calls.map((call) => ({ name: call.function?.name ?? "", arguments: call.function?.arguments ?? "{}" })),
      results: message.tool_calls.map((call) => results.get(call.id ?? "") ?? ""),
    });
  }
  return found;
}

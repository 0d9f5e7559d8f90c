// A dream of the offline model: reads the inbox with the rules of the chat, adds what the conversation did not keep, and finishes.
import type { Env } from "../facts/env.ts";
import type { Fact } from "../facts/fact.ts";
import { fold } from "../language/words.ts";
import { Masks } from "../language/sentences.ts";
import { typedOf } from "../language/untyped.ts";
import { personPath } from "../lines.ts";
import { readMessage } from "../message.ts";
import { type ChatMessage, textOf } from "../prompt.ts";
import type { Script, ToolCall } from "../script.ts";

interface InboxMessage {
  ref: string;
  day: string;
  time: string;
  zone: string;
  role: string;
  text: string;
  kept: boolean;
}

const INBOX_LINE = /^\[(\S+) (\d{4}-\d\d-\d\d) (\d\d:\d\d) (\S+) (user|assistant|note)\] (.*)$/;

/** Calls of one step. */
const CALLS_MAX = 12;

export function* dream(messages: readonly ChatMessage[], tools: ReadonlySet<string>): Script {
  const first = messages.find(({ role }) => role === "user");
  const prompt = first ? textOf(first) : "";
  const adds = tools.has("add") ? addsFor(prompt) : [];
  let added = 0;
  for (let at = 0; at < adds.length; at += CALLS_MAX) {
    const results = yield adds.slice(at, at + CALLS_MAX);
    // Only what stands in the plan now counts; all else that comes back is a refusal, or says that nothing had to change.
    added += results.filter((result) => /^Done\b/.test(result)).length;
  }
  const summary =
    added === 0
      ? "Nothing to change."
      : `Added ${added === 1 ? "one line" : `${added} lines`} that the conversations had not kept.`;
  if (tools.has("finish")) yield [{ name: "finish", input: { summary } }];
  return summary;
}

function inboxOf(prompt: string): InboxMessage[] {
  const found: InboxMessage[] = [];
  for (const line of prompt.split("\n")) {
    const match = INBOX_LINE.exec(line);
    if (match)
      found.push({
        ref: match[1]!,
        day: match[2]!,
        time: match[3]!,
        zone: match[4]!,
        role: match[5]!,
        text: match[6]!.replace(/ ⏎ /g, "\n"),
        kept: false,
      });
    else if (/^\s+\((?:already kept|kept, and closed since): /.test(line) && found.length > 0) found.at(-1)!.kept = true;
  }
  return found;
}

function addsFor(prompt: string): ToolCall[] {
  const known = new Set(
    [...prompt.matchAll(/^- (?:[a-z0-9]{4,12}|\(no id\)): (.*?)(?: \{[^{}]*\})?$/gm)].map(([, text = ""]) =>
      fold(text).replace(/[.!]+$/, ""),
    ),
  );
  const people: Env["people"] = [...prompt.matchAll(/^## (people\/\S+?)(?:\.md)?$/gm)].map(([, path = ""]) => ({
    name: nameOf(path),
    roles: [],
    path,
  }));
  const calls: ToolCall[] = [];
  for (const message of inboxOf(prompt)) {
    if (message.role === "assistant" || message.kept) continue;
    const env: Env = {
      clock: { today: message.day, time: message.time, zone: message.zone },
      people,
      masks: new Masks(),
      last: null,
      lowerCase: !/\p{Lu}/u.test(message.text.replace(/\bI\b/g, "")),
    };
    for (const intent of readMessage(typedOf(wordsOf(message)).typed, env)) {
      if (intent.kind !== "facts") continue;
      for (const fact of intent.facts) {
        if (known.has(fold(fact.text))) continue;
        known.add(fold(fact.text));
        calls.push(add(fact, message, people));
      }
    }
  }
  return calls;
}

const nameOf = (path: string): string =>
  path
    .replace(/^people\//, "")
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");

/** The words of a message. A note is often a list: each of its items is a sentence. */
function wordsOf({ role, text }: InboxMessage): string {
  if (role !== "note") return text;
  return text
    .split("\n")
    .map((line) => line.replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/, "").trim())
    .map((line) => (line === "" || /[.!?:。！？…]$/u.test(line) ? line : `${line}.`))
    .join("\n");
}

function add(fact: Fact, { ref, role }: InboxMessage, people: Env["people"]): ToolCall {
  const path =
    fact.subject.kind === "person"
      ? (people.find(({ name }) => fold(name) === fold((fact.subject as { name: string }).name))?.path ??
        personPath(fact.subject.name))
      : // A note may be copied from anywhere, and what stands in MEMORY.md is loaded into every conversation.
        role === "note"
        ? "about/notes"
        : "MEMORY";
  const keys = Object.fromEntries(
    (["slot", "since", "until", "on", "expires"] as const).flatMap((key) => (fact[key] ? [[key, fact[key]]] : [])),
  );
  return { name: "add", input: { path: `${path}.md`, text: fact.text, sources: [ref], ...keys } };
}

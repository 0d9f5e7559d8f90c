// The shapes in which other assistants hand over conversations, read into ours. Whatever is no conversation gives null.
import { textOf } from "./talk.ts";
import { instantOf } from "./statements.ts";

type Json = Record<string, unknown>;
/** A conversation as `readTalk` takes it. */
export interface ShapedTalk {
  id: string | null;
  title: string;
  createdAt: unknown;
  messages: { role: string; at: unknown; text: string }[];
  [more: string]: unknown;
}

const record = (value: unknown): Json =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Json) : {};
const text = (value: unknown): string => (typeof value === "string" ? value : "");

interface Node {
  parent: string | null;
  children: string[];
  message: Json | null;
}

/** The line of a tree of messages that its owner last saw: from the current node up, or from the newest leaf. */
function lineOf(mapping: Json, current: unknown): Json[] {
  const nodes = new Map<string, Node>();
  for (const [id, value] of Object.entries(mapping)) {
    const { parent, children, message } = record(value);
    nodes.set(id, {
      parent: typeof parent === "string" ? parent : null,
      children: Array.isArray(children) ? children.filter((child): child is string => typeof child === "string") : [],
      message: message === null || message === undefined ? null : record(message),
    });
  }
  let at = typeof current === "string" && nodes.has(current) ? current : null;
  if (at === null) {
    let newest = -1;
    for (const [id, { children, message }] of nodes) {
      if (children.some((child) => nodes.has(child))) continue;
      const when = instantOf(message?.create_time) ?? 0;
      if (when >= newest) [newest, at] = [when, id];
    }
  }
  const line: Json[] = [];
  // A tree that a tool has damaged may hold a circle.
  for (const seen = new Set<string>(); at !== null && !seen.has(at);) {
    seen.add(at);
    const node: Node | undefined = nodes.get(at);
    if (node?.message) line.push(node.message);
    at = node?.parent ?? null;
  }
  return line.reverse();
}

/** A conversation of ChatGPT's export: a tree of messages under `mapping`. */
function chatGpt(item: Json): ShapedTalk | null {
  const mapping = record(item.mapping);
  if (Object.keys(mapping).length === 0) return null;
  const messages = lineOf(mapping, item.current_node).flatMap((message) => {
    const { author, content, create_time: at, metadata } = message;
    const role = text(record(author).role);
    const { content_type: kind, parts, text: plain } = record(content);
    if ((role !== "user" && role !== "assistant") || record(metadata).is_visually_hidden_from_conversation === true) return [];
    if (kind !== undefined && !["text", "multimodal_text", "code"].includes(text(kind))) return [];
    const words = textOf(parts ?? plain ?? (typeof content === "string" ? content : ""));
    return words.trim() === "" ? [] : [{ role, at, text: words }];
  });
  return {
    id: text(item.conversation_id) || text(item.id) || null,
    title: text(item.title),
    createdAt: item.create_time,
    messages,
  };
}

/** A conversation of Claude's export: messages under `chat_messages`. */
function claude(item: Json): ShapedTalk | null {
  if (!Array.isArray(item.chat_messages)) return null;
  const messages = item.chat_messages.flatMap((value: unknown) => {
    const { sender, role, text: plain, content, created_at: at } = record(value);
    // What stands in `content` says which parts are words; the old form has only `text`.
    const parts = Array.isArray(content)
      ? content.filter((part) => record(part).type === "text" || record(part).type === undefined)
      : [];
    const words = textOf(parts) || text(plain);
    return words.trim() === "" ? [] : [{ role: text(sender) || text(role), at, text: words }];
  });
  return { id: text(item.uuid) || null, title: text(item.name), createdAt: item.created_at, messages };
}

/** A conversation of any known export. */
export function shapedTalk(item: unknown): unknown {
  const one = record(item);
  return chatGpt(one) ?? claude(one) ?? one;
}

// Conversations: the chat route, threads, messages, cards, and the frames that stream a turn.
import * as z from "zod/mini";
import type { EntryView } from "./memory.ts";
import type { Outcome } from "./write.ts";
import { Id, MessageId } from "./common.ts";

/** Body of POST /api/chat. Bytes of `message` are checked by the server (MESSAGE_MAX_BYTES). */
export const ChatBody = z.object({
  message: z.string(),
  thread: z.optional(Id),
  tz: z.optional(z.string().check(z.maxLength(80))),
  /** Ranges [from, to) of the message, in UTF-16 units, that were pasted. */
  pasted: z.optional(z.array(z.tuple([z.number(), z.number()])).check(z.maxLength(200))),
  temporary: z.optional(z.boolean()),
  scope: z.optional(z.string().check(z.regex(/^[a-z0-9-]{1,60}$/))),
  /** Edit and resend: the message that this one replaces. */
  replaces: z.optional(MessageId),
  /** Local mode only: the clock of this message, ISO 8601. */
  at: z.optional(z.string()),
});
export type ChatBody = z.infer<typeof ChatBody>;

/** What a tool call did, as the chat shows it. */
export interface Action {
  tool: string;
  input: unknown;
  outcome: Outcome | { ok: true; text: string };
  /** Set where the write waits for one click. */
  card?: string;
  /** Set once the card was answered. */
  answered?: "accepted" | "left";
}

export interface Usage {
  model: string;
  tokensIn: number;
  cachedIn: number;
  tokensOut: number;
  /** US dollars; null = unknown, never a silent 0. */
  usd: number | null;
  ms: number;
}

/** A line of memory that stood in the prompt. */
export type Recalled = Pick<EntryView, "id" | "path" | "text" | "chain" | "sources" | "state">;

export interface ChatReply {
  thread: string;
  message: string;
  reply: string;
  actions: Action[];
  recalled: Recalled[];
  usage: Usage;
  head: string | null;
  /** Set where the answer broke off: the sentence for the user; the user's message is kept. */
  error?: { code: string; message: string };
}

export interface MessageView {
  id: string;
  role: "user" | "assistant";
  text: string;
  at: string;
  zone: string;
  /** Ranges of the user's text that were not typed. */
  pasted: [number, number][];
  actions: Action[];
  recalled: Recalled[];
  usage: Usage | null;
  /** done, or how an answer ended before its end. */
  status: "done" | "writing" | "stopped" | "broken";
  error: { code: string; message: string } | null;
  /** What the secret shield replaced: kinds only. */
  secrets: string[];
}

export interface ThreadView {
  id: string;
  title: string;
  createdAt: string;
  updatedAt: string;
  messages: number;
  pinned: boolean;
  scope: string | null;
  temporary: boolean;
  answering: boolean;
}

export interface ThreadDetail extends ThreadView {
  items: MessageView[];
  /** MEMORY.md as the last prompt held it. */
  loaded: { lines: number; of: number };
}

export const ThreadPatch = z.object({
  title: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  pinned: z.optional(z.boolean()),
  scope: z.optional(z.nullable(z.string().check(z.regex(/^[a-z0-9-]{1,60}$/)))),
});
export const CardBody = z.object({ accept: z.boolean() });

/** Frames that a ChatAgent sends to its open sockets (and the SSE stream): the same for all tabs. */
export type ChatFrame =
  | { type: "snapshot"; thread: string; writing: MessageView | null }
  | { type: "user"; message: MessageView }
  | { type: "start"; message: string; at: string }
  | { type: "delta"; message: string; text: string }
  | { type: "action"; message: string; action: Action }
  | { type: "recalled"; message: string; recalled: Recalled[]; loaded: { lines: number; of: number } }
  | { type: "done"; message: MessageView; reply: ChatReply }
  | { type: "error"; message: string | null; code: string; text: string };

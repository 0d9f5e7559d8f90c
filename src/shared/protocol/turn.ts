// What a ChatAgent and a MemoryAgent say to each other about a turn. Plain data: it crosses an RPC.
import * as z from "zod/mini";
import type { Action, MessageView, Recalled, ThreadView, Usage } from "./chat.ts";
import type { MemorySwitch } from "./app.ts";

/** Body of POST /api/threads: a conversation before its first message, so that a browser can open its socket. */
export const ThreadBody = z.object({
  temporary: z.optional(z.boolean()),
  scope: z.optional(z.string().check(z.regex(/^[a-z0-9-]{1,60}$/))),
});
export type ThreadBody = z.infer<typeof ThreadBody>;

/** What a message brings before anything is stored: checked, but not yet cleaned. */
export interface TurnStart {
  thread: string;
  text: string;
  pasted: [number, number][];
  /** Milliseconds; the clock of the whole turn. */
  at: number;
  /** What the browser said; the user's setting or UTC where it said nothing. */
  zone: string | null;
  scope: string | null;
  /** Edit and resend: this message and all after it are dropped first. */
  replaces: string | null;
  /** Names the request: told twice it is stored once. */
  nonce?: string;
}

/** A message as the prompt holds it. */
export interface WindowMessage {
  id: string;
  role: "user" | "assistant";
  text: string;
  pasted: [number, number][];
  status: MessageView["status"];
}

/** A line of MEMORY.md in the prompt. */
export interface LoadedLine {
  id: string | null;
  text: string;
  chain: string;
}

/** All that a prompt needs, read in one go. */
export interface TurnContext {
  thread: ThreadView;
  /** The user's message as it was stored. */
  message: MessageView;
  /** Name of the answer. */
  reply: string;
  zone: string;
  memory: z.infer<typeof MemorySwitch>;
  /** Standing instructions for how to answer. */
  instructions: string;
  relevance: boolean;
  chatModel: string | null;
  loaded: { lines: LoadedLine[]; of: number };
  summary: string | null;
  /** Earlier messages, oldest first, without the new one. */
  window: WindowMessage[];
  recalled: Recalled[];
  head: string | null;
  /** Set where an edited message dropped turns whose saves were taken back. */
  takenBack: TakenBack | null;
}

/** What dropping a turn did to the memory. */
export interface TakenBack {
  /** Lines that the dropped turn had saved or changed. */
  lines: number;
  commit: string | null;
  /** Says so in one sentence, also where something could not be taken back. */
  sentence: string;
}

/** The answer as it is stored. */
export interface TurnEnd {
  thread: string;
  reply: string;
  text: string;
  at: number;
  zone: string;
  actions: Action[];
  recalled: Recalled[];
  usage: Usage | null;
  status: MessageView["status"];
  error: { code: string; message: string } | null;
}

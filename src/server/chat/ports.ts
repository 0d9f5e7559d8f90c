// What a turn needs of the memory, as an interface: the MemoryAgent answers it by RPC, tests answer it in plain Node.
import type { Refusal } from "../../shared/errors.ts";
import type { Change, EntryView, Outcome } from "../../shared/protocol.ts";
import type { Forgotten } from "./say.ts";

/** A forget out of a conversation. */
export interface ForgetAsk {
  id?: string;
  query?: string;
  all: boolean;
  source: string;
  at: number;
  zone: string;
  typed: boolean;
  model?: string;
}
export type ForgetAnswer = ({ ok: true; commit: string | null; head: string | null } & Forgotten) | ({ ok: false } & Refusal);

export interface RecallAsk {
  query: string;
  asOf?: string;
  scope: string | null;
  at: number;
  zone: string;
}

/** How a write wants a forgotten fact to be treated. */
export interface WriteWish {
  /** Typed words ask to remember: a tombstone that covers the fact may be lifted. */
  lift: boolean;
}

/** The memory as tools see it. Reads count as uses. */
export interface ToolMemory {
  write(change: Change, wish: WriteWish): Promise<Outcome>;
  /** Lets forgotten facts in again, by the button of a refused card: their lines stand as they stood. */
  lift(stones: readonly string[], said: { source: string; at: number; zone: string }): Promise<Outcome>;
  forget(ask: ForgetAsk): Promise<ForgetAnswer>;
  recall(ask: RecallAsk): Promise<EntryView[]>;
  /** The lines of a file, or null where there is none. */
  readLines(path: string, at: number, zone: string): Promise<{ path: string; lines: EntryView[]; prose: string } | null>;
  /** The words behind a source, or null where they are gone. */
  readSource(ref: string): Promise<string | null>;
  entry(id: string): Promise<EntryView | null>;
}

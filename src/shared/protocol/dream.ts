// Dreams: status, report, proposals, and the estimate before one starts.
import * as z from "zod/mini";
import type { EntryChange } from "./memory.ts";

export const DreamStatus = z.enum(["queued", "running", "landed", "proposed", "nothing", "failed", "cancelled"]);
export type DreamStatus = z.infer<typeof DreamStatus>;

export const DreamBody = z.object({
  mode: z.optional(z.enum(["automatic", "review"])),
  dryRun: z.optional(z.boolean()),
  /** Takes up again what three dreams could not work off. */
  retry: z.optional(z.boolean()),
});
export interface DreamEstimate {
  messages: number;
  notes: number;
  tokens: number;
  /** US dollars; null = the model has no known price. */
  usd: number | null;
  /** What three dreams could not work off, oldest first; absent without. A dream with `retry` takes it up again. */
  setAside?: { ref: string; text: string; tries: number; reason: string }[];
}

/** One sentence of the live log, with the fact that stands in the margin. */
export interface DreamLogLine {
  at: string;
  text: string;
  margin: string | null;
}

/** One change that a dream made or proposes. */
export interface DreamChange {
  n: number;
  change: EntryChange;
  reason: string;
  /** Sources that speak for it. */
  evidence: string[];
  status: "landed" | "proposed" | "accepted" | "rejected" | "held-back";
  /** Why it was held back. */
  heldBack: string | null;
}

export interface DreamView {
  id: string;
  status: DreamStatus;
  trigger: "alarm" | "user";
  startedAt: string;
  endedAt: string | null;
  /** Inbox read so far and in all. */
  read: number;
  inbox: number;
  summary: string;
  commit: string | null;
  undone: boolean;
  counts: { added: number; merged: number; closed: number; moved: number; heldBack: number };
  calls: number;
  tokensIn: number;
  tokensOut: number;
  usd: number | null;
  error: { code: string; message: string } | null;
}

export interface DreamDetail extends DreamView {
  log: DreamLogLine[];
  changes: DreamChange[];
  items: { ref: string; text: string; state: "new" | "taken" | "settled" | "set-aside"; outcome: string | null }[];
  /** Tokens in per token learned; null where nothing was learned. */
  tokensPerLearned: number | null;
}

export const AcceptBody = z.object({ changes: z.optional(z.array(z.number())) });

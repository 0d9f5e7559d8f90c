// The app around the memory: health, settings, notes, costs, and the display state of a MemoryAgent.
import * as z from "zod/mini";

export interface Health {
  ok: true;
  version: string;
  mode: "local" | "hosted";
  models: { chat: string; dream: string };
  offline: boolean;
}

export const MemorySwitch = z.enum(["on", "read-only", "off"]);
export const Settings = z.object({
  chatModel: z.nullable(z.string().check(z.maxLength(200))),
  dreamModel: z.nullable(z.string().check(z.maxLength(200))),
  zone: z.nullable(z.string().check(z.maxLength(80))),
  dream: z.object({
    mode: z.enum(["automatic", "review", "off"]),
    everyHours: z.number().check(z.gte(1), z.lte(168)),
    nightly: z.boolean(),
    unusedDays: z.number().check(z.gte(7), z.lte(3650)),
    /** US dollars that one dream may cost. */
    maxUsd: z.number().check(z.gte(0.01), z.lte(100)),
    instructions: z.string().check(z.maxLength(2000)),
    /** Ask the model whether a line says in other words what was forgotten; shows it the forgotten text. */
    rewordings: z.boolean(),
  }),
  capUsd: z.number().check(z.gte(0), z.lte(10_000)),
  memory: MemorySwitch,
  /** How to answer; stands in the prompt, not in the memory. */
  instructions: z.string().check(z.maxLength(4000)),
  relevance: z.boolean(),
});
export type Settings = z.infer<typeof Settings>;
export const SettingsPatch = z.partial(Settings);

export const NoteBody = z.object({ title: z.optional(z.string().check(z.maxLength(200))), text: z.string() });
export interface NoteView {
  id: string;
  title: string;
  text: string;
  createdAt: string;
  updatedAt: string;
  /** When a dream last read it as it stands, null = it waits. */
  readByDream: string | null;
}

export const CallKind = z.enum(["chat", "dream", "summary", "title", "relevance", "tombstone", "judge"]);
export type CallKind = z.infer<typeof CallKind>;

/** A model that may be chosen in Settings. Prices in US dollars per million tokens; null = unknown. */
export interface ModelChoice {
  id: string;
  /** `own`: the user's own endpoint, on their own key. */
  provider: "offline" | "endpoint" | "ollama" | "own";
  inUsd: number | null;
  outUsd: number | null;
  context: number | null;
  /** Day of the price. */
  asOf: string | null;
}

/** What may be chosen, and what answers the user who asks as things stand. */
export interface ModelMenu {
  items: ModelChoice[];
  next: null;
  answers: { chat: string; dream: string; offline: boolean; own: boolean };
  /** What would answer without a choice in the settings. */
  otherwise: { chat: string; dream: string };
}

/** One row of the ledger. */
export interface LedgerRow {
  id: number;
  at: string;
  kind: CallKind;
  /** Thread or dream that it belongs to. */
  ref: string | null;
  model: string;
  tokensIn: number;
  cachedIn: number;
  tokensOut: number;
  reasoning: number;
  usd: number | null;
  /** reported = by the provider; computed = tokens × price; unknown = no price; reserved = not settled yet. */
  price: "reported" | "computed" | "unknown" | "reserved";
  ms: number;
  outcome: "ok" | "failed" | "cancelled" | "reserved";
}

export interface CostSum {
  key: string;
  calls: number;
  tokensIn: number;
  tokensOut: number;
  usd: number;
  /** Calls without a price: they are not in the sum. */
  unpriced: number;
}
export interface Costs {
  month: string;
  capUsd: number;
  spentUsd: number;
  reservedUsd: number;
  leftUsd: number;
  resetsAt: string;
  unpriced: number;
  /** Facts learned in the month that still stand, and what each of them cost; null where none was learned. */
  factsKept: number;
  usdPerFact: number | null;
  by: CostSum[];
}

/** The few display values that a MemoryAgent shares with its open tabs; nothing that decides anything. */
export interface MemoryState {
  head: string | null;
  entries: number;
  files: number;
  /** Running dream, and proposals that wait. */
  dream: { id: string; status: string; read: number; inbox: number } | null;
  proposals: number;
  inbox: number;
  spentUsd: number;
  capUsd: number;
  rebuilding: boolean;
}

/** Events that a MemoryAgent broadcasts to open tabs, so that they fetch what changed. */
export type MemoryEvent =
  | { type: "commit"; commit: string; kind: string; paths: string[] }
  | { type: "thread"; id: string; deleted?: boolean }
  | { type: "dream"; id: string; status: string; line?: { at: string; text: string; margin: string | null } }
  | { type: "note"; id: string };

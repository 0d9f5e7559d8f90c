// What a MemoryAgent answers about conversations, notes, settings, search and costs, for ChatAgents and the Worker's routes; and the client that asks it by RPC.
import { AppError, type Refusal } from "../../shared/errors.ts";
import type {
  Action,
  Change,
  Costs,
  EntryView,
  LedgerRow,
  MessageView,
  NoteView,
  Outcome,
  Page,
  SearchHit,
  Settings,
  ThreadDetail,
  ThreadView,
  TurnEnd,
  TurnStart,
  WindowMessage,
} from "../../shared/protocol.ts";
import type { Reservation, Reserved, Settlement } from "../model/types.ts";
import type { Answer } from "./api.ts";
import type { CostKey } from "./ledger.ts";
import type { SettingsChange } from "./settings.ts";
import type { Begun, SummaryDue } from "./turns.ts";

/** A conversation that is kept nowhere: its ChatAgent brings what was said. */
export interface Temporary {
  thread: ThreadView;
  next: number;
  window: WindowMessage[];
}

export interface RecallAsk {
  query: string;
  asOf?: string;
  scope: string | null;
  at: number;
  zone: string;
}

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

export type ForgetAnswer =
  | { ok: true; commit: string | null; head: string | null; removed: EntryView[]; candidates: EntryView[] }
  | ({ ok: false } & Refusal);

/** A thread without its messages' end: what a deletion says. */
export interface Deleted {
  messages: number;
  /** Facts that cite it: they stay, and their source is shown as deleted. */
  facts: number;
}

/** A card that waits for its button. */
export interface WaitingCard {
  message: string;
  /** The user's message that it stands on. */
  asked: { id: string; at: number; zone: string };
  index: number;
  action: Action;
  scope: string | null;
}

export interface ConversationApi {
  /** A new conversation, or with an id that is there, that one. A temporary one only gets a name. */
  createThread(thread: { scope: string | null; at: number; id?: string; temporary?: boolean }): ThreadView;
  beginTurn(start: TurnStart, temporary?: Temporary): Begun;
  /** Once more for the question before an answer: after one that broke off (its writes stay), or anew (its writes are taken back). */
  beginAgain(thread: string, reply: string, how: "resume" | "regenerate"): Begun & { done: Action[] };
  finishTurn(end: TurnEnd): MessageView | null;
  keepSummary(thread: string, due: Pick<SummaryDue, "to" | "guard">, text: string): boolean;

  writeFromChat(change: Change, lift: boolean): Outcome;
  forgetFromChat(ask: ForgetAsk): ForgetAnswer;
  /** The button of a card that was refused because its fact is forgotten. */
  liftFromChat(stones: string[], said: { source: string; at: number; zone: string }): Outcome;
  recall(ask: RecallAsk): EntryView[];
  fileLines(path: string, at: number, zone: string): { path: string; lines: EntryView[] } | null;
  sourceText(ref: string): string | null;
  entryOf(id: string): EntryView | null;

  reserveCall(call: Reservation): Reserved;
  settleCall(id: number, call: Settlement): void;

  threads(query: { q?: string; limit: number; cursor?: string }): Page<ThreadView>;
  thread(id: string): ThreadDetail;
  patchThread(id: string, patch: { title?: string; pinned?: boolean; scope?: string | null }): ThreadView;
  deleteThread(id: string): Deleted;
  waitingCard(thread: string, card: string): WaitingCard;
  answerCard(
    thread: string,
    card: string,
    accepted: boolean,
    outcome: Action["outcome"] | null,
  ): { message: string; action: Action };

  settings(): Settings;
  patchSettings(patch: SettingsChange): Settings;

  notes(query: { limit: number; cursor?: string }): Page<NoteView>;
  note(id: string): NoteView;
  putNote(note: { id?: string; title?: string; text: string; at: number }): NoteView;
  deleteNote(id: string): void;

  search(query: {
    q: string;
    in: "entries" | "notes" | "conversations";
    limit: number;
    asOf?: string;
    knownAt?: string;
  }): SearchHit[];

  costs(by: CostKey, month?: string): Costs;
  calls(query: { limit: number; cursor?: string; ref?: string }): Page<LedgerRow>;
  callsCsv(): string;
}

/** The same, asked from another object. Refusals arrive as AppError. */
export type Conversations = {
  [K in keyof ConversationApi]: (...args: Parameters<ConversationApi[K]>) => Promise<ReturnType<ConversationApi[K]>>;
};

/** The one RPC method through which all of them go: refusals travel as data, because an error loses its class between objects. */
export interface ConversationDoor {
  conversation(method: keyof ConversationApi, args: unknown[]): Promise<Answer<unknown>>;
}

/** A client over the door of a MemoryAgent. */
export function conversationsOf(door: ConversationDoor): Conversations {
  return new Proxy({} as Conversations, {
    get: (_, method) => {
      if (typeof method !== "string" || method === "then") return undefined;
      return async (...args: unknown[]) => {
        const answer = await door.conversation(method as keyof ConversationApi, args);
        if (!answer.ok) throw new AppError(answer.code, answer.message, answer.details);
        return answer.value;
      };
    },
  });
}

// Answers ConversationApi over a MemoryContext: conversations, notes, settings, search and costs of one user. The MemoryAgent only hands calls on.
import { AppError, refusalOf } from "../../shared/errors.ts";
import { stripInvisible } from "../../shared/invisible.ts";
import { ANSWERING_MAX_MS, FILE_MAX_BYTES } from "../../shared/limits.ts";
import type {
  Action,
  Change,
  EntryView,
  MemoryEvent,
  MessageView,
  Outcome,
  SearchHit,
  TakenBack,
  ThreadView,
} from "../../shared/protocol.ts";
import { findSecrets, replaceSecrets } from "../../shared/secrets.ts";
import { searchTokens } from "../../shared/words.ts";
import type { Answer } from "./api.ts";
import type { MemoryContext } from "./context.ts";
import type { ConversationApi, ForgetAnswer, ForgetAsk, RecallAsk, WaitingCard } from "./conversation-api.ts";
import { cleanReply } from "./forget-reply.ts";
import { marksOf, searchMessages, searchNotes } from "./find-messages.ts";
import { callsAsCsv, costsOf, listCalls, reserve, settle } from "./ledger.ts";
import { deleteNote, listNotes, putNote, readNote } from "./notes.ts";
import { entries } from "./read.ts";
import { slotsNamed } from "./recall-find.ts";
import { rankEntries } from "./recall.ts";
import { currentByRids } from "./rows.ts";
import { patchSettings, readSettings } from "./settings.ts";
import { createThread, findThread, listThreads, patchThread, threadRow, threadView } from "./threads.ts";
import { deleteThread, messageNumber, messageRow, messagesOf, messageView, putActions } from "./transcripts.ts";
import {
  beginAgain,
  beginTurn,
  commitsOf,
  contextAt,
  entryById,
  fileLines,
  finishTurn,
  keepSummary,
  loadMemoryFile,
  recallFor,
  sourceText,
} from "./turns.ts";
import { recordUses } from "./usage.ts";
import { viewsOf } from "./view.ts";

export interface ConversationDeps {
  ctx: MemoryContext;
  /** The one writer. `lift`: a tombstone that covers an added fact may be lifted, because typed words ask to remember it. */
  write(change: Change, options: { lift: boolean }): Outcome;
  forget(ask: ForgetAsk): ForgetAnswer;
  lift(stones: string[], said: { source: string; at: number; zone: string }): Outcome;
  /** Takes several commits back in one. */
  takeBack(commits: string[], at: number, zone: string, source: string): TakenBack;
  /** US dollars a month: the user's cap, on the operator's key within the operator's. */
  cap(own: boolean): number;
  /** Whether the user pays with a key of their own. */
  paysOwn(): boolean;
  tell(event: MemoryEvent): void;
  /** Money was spent: display values may differ. */
  spent(): void;
}

/** Entries that one recall of the tool brings: more than a prompt holds beside the message, fewer than a page. */
const TOOL_RECALL_ENTRIES = 12;
const TOOL_RECALL_TOKENS = 900;

/** The functions of one user's conversations. */
export function conversationRoom(deps: ConversationDeps): ConversationApi {
  const { ctx } = deps;
  const { sql } = ctx;
  const told = (id: string, deleted = false): void =>
    deps.tell(deleted ? { type: "thread", id, deleted } : { type: "thread", id });
  // Display only: an object that has just come up knows of none, and a conversation whose object went away is none for long.
  const answering = new Map<string, number>();
  const shown = (view: ThreadView): ThreadView => {
    const since = answering.get(view.id);
    return { ...view, answering: since !== undefined && ctx.now() - since < ANSWERING_MAX_MS };
  };
  return {
    createThread({ scope, at, id, temporary }) {
      const known = id === undefined ? null : findThread(sql, id);
      if (known) return threadView(known);
      const name = id ?? ctx.randomId();
      if (temporary) {
        const now = new Date(at).toISOString();
        return {
          id: name,
          title: "Temporary conversation",
          createdAt: now,
          updatedAt: now,
          messages: 0,
          pinned: false,
          scope,
          temporary,
          answering: false,
        };
      }
      return threadView(createThread(sql, { id: name, at, scope }));
    },
    beginTurn(start, temporary) {
      const begun = beginTurn(ctx, start, deps.takeBack, temporary);
      if (!temporary) {
        answering.set(start.thread, ctx.now());
        told(start.thread);
      }
      return begun;
    },
    beginAgain(thread, reply, how) {
      const n = messageNumber(reply);
      const asked = messageRow(sql, thread, n - 1);
      const old = messagesOf(sql, thread, n).find((row) => row.n === n);
      if (messagesOf(sql, thread, n + 1).length > 0)
        throw new AppError("conflict", "Only the last answer can be written anew. Edit the message before it instead.", {
          reply,
        });
      if (how === "resume") {
        if (old && old.status === "done") throw new AppError("conflict", "This answer is complete.", { reply });
        answering.set(thread, ctx.now());
        return { ...beginAgain(ctx, thread, asked.n, null), done: old ? (JSON.parse(old.actions) as Action[]) : [] };
      }
      const commits = old ? commitsOf([old]) : [];
      const takenBack = commits.length > 0 ? deps.takeBack(commits, asked.at, asked.zone, `thread/${thread}`) : null;
      // The old answer goes when the new one is there; until then it is shown as broken off, so that nothing is lost on the way.
      if (old) {
        sql.exec("UPDATE messages SET status = 'broken', actions = '[]' WHERE seq = ?", old.seq);
      }
      answering.set(thread, ctx.now());
      return { ...beginAgain(ctx, thread, asked.n, takenBack), done: [] };
    },
    finishTurn(end) {
      const view = finishTurn(ctx, cleanReply(ctx, end));
      answering.delete(end.thread);
      told(end.thread);
      return view;
    },
    keepSummary: (thread, due, text) => keepSummary(ctx, thread, due, text),

    writeFromChat(change, lift) {
      refuseUnlessOn(ctx);
      return deps.write(change, { lift });
    },
    forgetFromChat(ask) {
      refuseUnlessOn(ctx);
      return deps.forget(ask);
    },
    liftFromChat(stones, said) {
      refuseUnlessOn(ctx);
      return deps.lift(stones, said);
    },
    recall: (ask) => recallForTool(ctx, ask),
    fileLines: (path, at, zone) => fileLines(contextAt(ctx, at, zone), path),
    sourceText: (ref) => sourceText(ctx, ref),
    entryOf: (id) => entryById(ctx, id),

    reserveCall: (call) => reserve(sql, call, deps.cap(call.own === true)),
    settleCall(id, call) {
      settle(sql, id, call);
      // The offline model costs nothing: no display value moves.
      if (call.usd !== 0) deps.spent();
    },

    threads(query) {
      const offset = Math.max(0, Number(query.cursor ?? 0) || 0);
      const { items, more } = listThreads(sql, { ...(query.q ? { q: query.q } : {}), limit: query.limit, offset });
      return { items: items.map(shown), next: more ? String(offset + query.limit) : null };
    },
    thread(id) {
      const row = threadRow(sql, id);
      const { lines, of } = loadMemoryFile(ctx, row.scope);
      return { ...shown(threadView(row)), items: messagesOf(sql, id).map(messageView), loaded: { lines: lines.length, of } };
    },
    patchThread(id, patch) {
      const clean =
        patch.title === undefined ? patch : { ...patch, title: stripInvisible(replaceSecrets(patch.title)).trim() || "Untitled" };
      const view = patchThread(sql, id, clean);
      told(id);
      return view;
    },
    deleteThread(id) {
      const { messages } = threadRow(sql, id);
      const facts = sql
        .exec<{ n: number }>("SELECT COUNT(*) AS n FROM entries WHERE removed = 0 AND instr(meta, ?) > 0", `"thread/${id}#`)
        .one().n;
      ctx.transact(() => deleteThread(sql, id, searchTokens));
      answering.delete(id);
      told(id, true);
      return { messages, facts };
    },
    waitingCard: (thread, card) => waitingCard(ctx, thread, card),
    answerCard(thread, card, accepted, outcome) {
      const { message, index, action } = waitingCard(ctx, thread, card);
      const n = messageNumber(message);
      const actions = JSON.parse(messageRow(sql, thread, n).actions) as MessageView["actions"];
      // A refused click leaves the card as it was, with the new reason.
      const landed = accepted && outcome?.ok === true;
      const next: Action = {
        ...action,
        ...(outcome ? { outcome } : {}),
        ...(landed ? { answered: "accepted" as const } : accepted ? {} : { answered: "left" as const }),
      };
      actions[index] = next;
      putActions(sql, thread, n, actions);
      told(thread);
      return { message, action: next };
    },

    settings: () => readSettings(sql),
    patchSettings(patch) {
      const settings = patchSettings(sql, patch);
      deps.spent();
      return settings;
    },

    notes: (query) => listNotes(sql, query),
    note: (id) => readNote(sql, id),
    putNote(note) {
      if (note.id !== undefined) readNote(sql, note.id);
      const id = note.id ?? ctx.randomId();
      const clean = (text: string): string => {
        const visible = stripInvisible(text).replace(/\0/g, "");
        return replaceSecrets(visible, findSecrets(visible));
      };
      if (note.text.trim() === "" && !note.title?.trim())
        throw new AppError("bad-format", "The note is empty. Write something first.");
      if (new TextEncoder().encode(note.text).byteLength > FILE_MAX_BYTES)
        throw new AppError("too-large", `The note is longer than ${FILE_MAX_BYTES / 1024} KB. Split it.`);
      const view = ctx.transact(() =>
        putNote(
          sql,
          { id, ...(note.title === undefined ? {} : { title: clean(note.title) }), text: clean(note.text), at: note.at },
          searchTokens,
        ),
      );
      deps.tell({ type: "note", id });
      return view;
    },
    deleteNote(id) {
      ctx.transact(() => deleteNote(sql, id, searchTokens));
      deps.tell({ type: "note", id });
    },

    search(query) {
      if (query.in === "conversations") return searchMessages(sql, query.q, query.limit);
      if (query.in === "notes") return searchNotes(sql, query.q, query.limit);
      return searchEntries(ctx, query);
    },

    costs: (by, month) => costsOf(sql, ctx.now(), { usd: deps.cap(deps.paysOwn()), own: deps.paysOwn() }, by, month),
    calls: (query) => listCalls(sql, query),
    callsCsv: () => callsAsCsv(sql),
  };
}

function refuseUnlessOn(ctx: MemoryContext): void {
  const { memory } = readSettings(ctx.sql);
  if (memory !== "on")
    throw new AppError(
      "read-only",
      memory === "off"
        ? "Memory is switched off in Settings. Nothing was saved."
        : "Memory is read only in Settings. Nothing was saved.",
    );
}

/** What stood on a day: lines with the words, and behind them those that fill a slot which the words name. */
function recallOn(ctx: MemoryContext, { query, scope }: RecallAsk, asOf: string): EntryView[] {
  const on = { asOf, state: ["all" as const], limit: TOOL_RECALL_ENTRIES };
  const bySlot = slotsNamed(ctx.sql, new Set(searchTokens(query))).flatMap((slot) => entries(ctx, { ...on, slot }).items);
  const found = new Map([...entries(ctx, { ...on, q: query }).items, ...bySlot].map((view) => [view.id ?? view.text, view]));
  return [...found.values()].filter((view) => view.scope === null || view.scope === scope).slice(0, TOOL_RECALL_ENTRIES);
}

function recallForTool(ctx: MemoryContext, ask: RecallAsk) {
  const now = contextAt(ctx, ask.at, ask.zone);
  const found = ask.asOf
    ? recallOn(now, ask, ask.asOf)
    : recallFor(now, { text: ask.query, scope: ask.scope, maxEntries: TOOL_RECALL_ENTRIES, maxTokens: TOOL_RECALL_TOKENS });
  recordUses(
    ctx.sql,
    found.map((view) => view.id),
    ask.at,
  );
  return found;
}

function searchEntries(ctx: MemoryContext, query: { q: string; limit: number; asOf?: string; knownAt?: string }): SearchHit[] {
  const views =
    query.asOf || query.knownAt
      ? entries(ctx, {
          q: query.q,
          state: ["all"],
          limit: query.limit,
          ...(query.asOf ? { asOf: query.asOf } : {}),
          ...(query.knownAt ? { knownAt: query.knownAt } : {}),
        }).items.map((view, at) => ({ view, score: 1 / (at + 1) }))
      : rankedViews(ctx, query);
  return views.map(({ view, score }) => ({
    in: "entries",
    score,
    text: view.text,
    marks: marksOf(view.text, query.q),
    entry: view,
    thread: null,
    note: null,
  }));
}

function rankedViews(ctx: MemoryContext, query: { q: string; limit: number }) {
  const today = new Date(ctx.now()).toISOString().slice(0, 10);
  // A search by its owner sees every scope: each entry is asked for in its own.
  const scopes = [
    null,
    ...ctx.sql
      .exec<{ scope: string }>("SELECT DISTINCT scope FROM entries WHERE scope IS NOT NULL LIMIT 50")
      .toArray()
      .map(({ scope }) => scope),
  ];
  const scores = new Map<number, number>();
  for (const scope of scopes)
    for (const { rid, score } of rankEntries(ctx.sql, { text: query.q, scope, today }))
      scores.set(rid, Math.max(score, scores.get(rid) ?? 0));
  const ranked = [...scores].sort((a, b) => b[1] - a[1]).slice(0, query.limit);
  const views = viewsOf(
    ctx,
    currentByRids(
      ctx.sql,
      ranked.map(([rid]) => rid),
    ),
  );
  return views.map((view, at) => ({ view, score: ranked[at]?.[1] ?? 0 }));
}

function waitingCard(ctx: MemoryContext, thread: string, card: string): WaitingCard {
  const row = threadRow(ctx.sql, thread);
  for (const message of messagesOf(ctx.sql, thread)) {
    if (message.role !== "assistant") continue;
    const actions = JSON.parse(message.actions) as MessageView["actions"];
    const index = actions.findIndex((action) => action.card === card);
    if (index < 0) continue;
    const action = actions[index]!;
    if (action.answered) throw new AppError("conflict", "This card was answered before.", { answered: action.answered });
    const asked = messageRow(ctx.sql, thread, message.n - 1);
    return {
      message: `m${message.n}`,
      asked: { id: `m${asked.n}`, at: asked.at, zone: asked.zone },
      index,
      action,
      scope: row.scope,
    };
  }
  throw new AppError("not-found", "There is no such card. It may have been taken back.");
}

/** Runs one method of the room; refusals come back as data. */
export function answerConversation(room: ConversationApi, method: string, args: unknown[]): Answer<unknown> {
  if (!Object.hasOwn(room, method)) return { ok: false, code: "not-found", message: "There is no such thing to ask for." };
  try {
    const run = room[method as keyof ConversationApi] as (...args: unknown[]) => unknown;
    return { ok: true, value: run(...args) };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) return { ok: false, ...refusal };
    throw error;
  }
}

// The memory's side of a turn: stores the user's message, reads what the prompt needs, stores the answer. Functions over a MemoryContext; the agent only calls them.
import { AppError } from "../../shared/errors.ts";
import { stripInvisible } from "../../shared/invisible.ts";
import { MEMORY_FILE_MAX_BYTES, MEMORY_FILE_MAX_LINES, MESSAGE_MAX_BYTES } from "../../shared/limits.ts";
import type {
  Action,
  EntryView,
  MessageView,
  Recalled,
  Settings,
  TakenBack,
  ThreadView,
  TurnContext,
  TurnEnd,
  TurnStart,
  WindowMessage,
} from "../../shared/protocol.ts";
import { findSecrets, moveRanges, replaceSecrets } from "../../shared/secrets.ts";
import { parseSource } from "../../shared/source.ts";
import { queryTokens, searchTokens } from "../../shared/words.ts";
import { dayIn, isZone } from "../../shared/zone.ts";
import { stateWhere } from "./clock-sql.ts";
import { headOf, type MemoryContext } from "./context.ts";
import { recallEntries } from "./recall.ts";
import { currentById, currentByRids, versionsAt } from "./rows.ts";
import { readSettings } from "./settings.ts";
import { patchThread, threadRow, threadView } from "./threads.ts";
import {
  addUserMessage,
  dropMessages,
  messageByNonce,
  messageNumber,
  messageRow,
  messagesOf,
  messageView,
  putReply,
  sourceMessages,
  type MessageRow,
} from "./transcripts.ts";
import { recordUses } from "./usage.ts";
import { linesOfVersions, viewsOf } from "./view.ts";
import { windowStart } from "./window.ts";

/** A context whose clock and zone are those of one message. An empty zone is the user's. */
export function contextAt(ctx: MemoryContext, at: number, zone: string): MemoryContext {
  return { ...ctx, now: () => at, ...(zone === "" ? {} : { zone: () => zone }) };
}

/** A message as it may be stored and sent: no invisible characters, no NUL, no secrets. */
export interface CleanMessage {
  text: string;
  pasted: [number, number][];
  /** Kinds of the secrets that were taken out. */
  secrets: string[];
}

/** Cleans a message. Ranges follow the text. Throws `bad-format` for one without content and `too-large` for one over 32 KB. */
export function cleanMessage(text: string, pasted: readonly (readonly [number, number])[]): CleanMessage {
  if (new TextEncoder().encode(text).byteLength > MESSAGE_MAX_BYTES) {
    throw new AppError(
      "too-large",
      `The message is longer than ${MESSAGE_MAX_BYTES / 1024} KB. Send it in parts, or import it as a file.`,
      { maxBytes: MESSAGE_MAX_BYTES },
    );
  }
  // eslint-disable-next-line no-control-regex
  const visible = (part: string): string => stripInvisible(part).replace(/\u0000/g, "");
  const clean = visible(text);
  const ranges =
    clean === text
      ? pasted.map(([from, to]): [number, number] => [from, to])
      : pasted.map(([from, to]): [number, number] => [visible(text.slice(0, from)).length, visible(text.slice(0, to)).length]);
  if (clean.trim() === "") throw new AppError("bad-format", "The message is empty. Write something first.");
  const found = findSecrets(clean);
  return {
    text: replaceSecrets(clean, found),
    pasted: moveRanges(ranges, found),
    secrets: [...new Set(found.map(({ kind }) => kind))],
  };
}

/** The zone that counts the days of a message: the browser's, else the user's setting, else UTC. Throws `bad-format` for one that does not exist. */
export function zoneFor(said: string | null, settings: Settings): string {
  if (said === null || said === "") return settings.zone ?? "UTC";
  if (!isZone(said))
    throw new AppError("bad-format", "tz is not the name of a time zone. Use one like Europe/Lisbon.", { field: "tz" });
  return said;
}

interface Loaded {
  key: string;
  value: { lines: EntryView[]; of: number };
}
/** The last load of each memory: until something is written, the next turn of the day loads the same lines. */
const loads = new WeakMap<MemoryContext["store"], Map<string, Loaded>>();
const LOADS_MAX = 8;

/** The same as `readMemoryFile`, kept until head or the day changes. Uses may lag behind: a prompt does not show them. */
export function loadMemoryFile(ctx: MemoryContext, scope: string | null): { lines: EntryView[]; of: number } {
  const key = `${headOf(ctx)} ${dayIn(ctx.now(), ctx.zone())} ${scope ?? ""}`;
  const kept = loads.get(ctx.store) ?? new Map<string, Loaded>();
  loads.set(ctx.store, kept);
  const known = kept.get(scope ?? "");
  if (known?.key === key) return known.value;
  const value = readMemoryFile(ctx, scope);
  if (kept.size >= LOADS_MAX) kept.clear();
  kept.set(scope ?? "", { key, value });
  return value;
}

/** Lines of MEMORY.md that a prompt may hold in a scope: pinned first, then as they stand, up to 200 lines and 25 KB; and how many there are. */
export function readMemoryFile(ctx: MemoryContext, scope: string | null): { lines: EntryView[]; of: number } {
  const today = dayIn(ctx.now(), ctx.zone());
  const where = [
    { sql: "path = ?", bindings: ["MEMORY.md"] },
    { sql: "scope IS NULL OR scope = ?", bindings: [scope] },
    { sql: "section IS NULL OR section <> 'History'", bindings: [] },
    stateWhere(["open", "upcoming", "past"], today),
  ];
  const versions = [...versionsAt(ctx.sql, null, where)];
  const lines = linesOfVersions(ctx, versions, null);
  versions.sort((a, b) => b.pin - a.pin || (lines.get(a) ?? 0) - (lines.get(b) ?? 0));
  const views = viewsOf(ctx, versions.slice(0, MEMORY_FILE_MAX_LINES), null, lines);
  let bytes = 0;
  const encoder = new TextEncoder();
  const fit = views.filter((view) => (bytes += encoder.encode(view.chain).byteLength + 16) <= MEMORY_FILE_MAX_BYTES);
  return { lines: fit, of: versions.length };
}

const GREETING =
  /^(?:[\s\p{P}\p{S}]|\b(?:hi+|hey+|hello|hallo|yo|good|morning|evening|afternoon|night|day|thanks?|thank|you|thx|bye|goodbye|cheers|ok|okay|please|yes|no|sup|what'?s up|how are|how's it going|it|going|there|all|today|ciao|salut|bonjour|bonsoir|merci|hola|gracias|buenos|buenas|d[ií]as|tardes|noches|guten|morgen|tag|abend|danke|tschüss|moin|servus|olá|obrigad[oa]|grazie|buongiorno|hoi|hej|tack|moi|kiitos|cześć|dzięki|ahoj|привет|спасибо)\b|你好|您好|谢谢|再见|こんにちは|ありがとう|안녕하세요|नमस्ते|धन्यवाद|مرحبا|شكرا)+$/iu;

/** What a turn recalls: nothing for a greeting. */
export function recallFor(
  ctx: MemoryContext,
  ask: {
    text: string;
    before?: string;
    scope: string | null;
    exclude?: ReadonlySet<string>;
    maxEntries?: number;
    maxTokens?: number;
  },
): EntryView[] {
  if (GREETING.test(ask.text) || queryTokens(ask.text).length === 0) return [];
  // Without line numbers, which a prompt does not show: they would open the file of each.
  const views = (rids: readonly number[]): EntryView[] => viewsOf(ctx, currentByRids(ctx.sql, rids), null, new Map());
  return recallEntries({ sql: ctx.sql, views }, { ...ask, today: dayIn(ctx.now(), ctx.zone()) });
}

export function recalledView(view: EntryView): Recalled {
  const { id, path, text, chain, sources, state } = view;
  return { id, path, text, chain, sources, state };
}

function windowMessage(row: MessageRow): WindowMessage {
  return { id: `m${row.n}`, role: row.role, text: row.text, pasted: JSON.parse(row.pasted), status: row.status };
}

/** Older turns that fell out of the window and stand in no summary yet. */
export interface SummaryDue {
  previous: string | null;
  messages: WindowMessage[];
  /** Number of the last message that the new summary speaks of. */
  to: number;
  /** Counts redactions: a summary made from words that were forgotten meanwhile is not stored. */
  guard: number;
}

export interface Begun {
  context: TurnContext;
  summaryDue: SummaryDue | null;
  /** Of a request that came twice: what its first try had done, and its answer where that is complete. */
  done?: Action[];
  answered?: MessageView | null;
}

/** Takes back what dropped turns had saved, in one commit. */
export type TakeBack = (commits: string[], at: number, zone: string, source: string) => TakenBack;

const redactionsOf = (sql: MemoryContext["sql"]): number =>
  Number(sql.exec<{ value: string }>("SELECT value FROM facts WHERE name = 'redactions'").toArray()[0]?.value ?? 0);

/** Tells summaries that are being made that words were taken out of the conversations. */
export function countRedaction(sql: MemoryContext["sql"]): void {
  sql.exec("INSERT OR REPLACE INTO facts (name, value) VALUES ('redactions', ?)", String(redactionsOf(sql) + 1));
}

/**
 * Stores a user's message and reads all that its prompt needs. `temporary` holds the earlier messages of a conversation that is kept nowhere:
 * then nothing is stored. Throws `not-found`, `bad-format`, `too-large`.
 */
export function beginTurn(
  ctx: MemoryContext,
  start: TurnStart,
  takeBack: TakeBack,
  temporary?: { thread: ThreadView; next: number; window: WindowMessage[] },
): Begun {
  const settings = readSettings(ctx.sql);
  const zone = zoneFor(start.zone, settings);
  const clean = cleanMessage(start.text, start.pasted);
  const now = contextAt(ctx, start.at, zone);
  if (temporary) {
    const message: MessageView = {
      id: `m${temporary.next}`,
      role: "user",
      text: clean.text,
      at: new Date(start.at).toISOString(),
      zone,
      pasted: clean.pasted,
      actions: [],
      recalled: [],
      usage: null,
      status: "done",
      error: null,
      secrets: clean.secrets,
    };
    return {
      context: {
        ...contextOf(now, settings, zone),
        thread: temporary.thread,
        message,
        reply: `m${temporary.next + 1}`,
        window: temporary.window,
      },
      summaryDue: null,
    };
  }
  const known = start.nonce === undefined ? null : messageByNonce(ctx.sql, start.thread, start.nonce);
  if (known !== null) {
    const old = messagesOf(ctx.sql, start.thread, known + 1).find((row) => row.n === known + 1);
    return {
      ...beginAgain(ctx, start.thread, known, null),
      done: old ? (JSON.parse(old.actions) as Action[]) : [],
      answered: old?.status === "done" ? messageView(old) : null,
    };
  }
  let takenBack: TakenBack | null = null;
  const source = `thread/${start.thread}`;
  const dropped = ctx.transact(() => {
    threadRow(ctx.sql, start.thread);
    if (start.scope !== null) patchThread(ctx.sql, start.thread, { scope: start.scope });
    if (start.replaces === null) return [];
    const n = messageNumber(start.replaces);
    if (messageRow(ctx.sql, start.thread, n).role !== "user")
      throw new AppError("bad-format", "Only a message of the user can be edited and sent again.", { replaces: start.replaces });
    return dropMessages(ctx.sql, start.thread, n, searchTokens);
  });
  const commits = commitsOf(dropped);
  if (commits.length > 0) takenBack = takeBack(commits, start.at, zone, source);
  const { view, reply } = ctx.transact(() =>
    addUserMessage(
      ctx.sql,
      { thread: start.thread, ...clean, at: start.at, zone, learn: settings.memory === "on", nonce: start.nonce ?? null },
      searchTokens,
    ),
  );
  return read(now, settings, zone, start.thread, view, reply, takenBack);
}

/** Commits that the answers of some messages made, oldest first. */
export function commitsOf(rows: readonly Pick<MessageRow, "actions">[]): string[] {
  return rows.flatMap((row) =>
    (JSON.parse(row.actions) as MessageView["actions"]).flatMap(({ outcome }) =>
      outcome.ok && "commit" in outcome && outcome.commit !== null ? [outcome.commit] : [],
    ),
  );
}

/** Begins an answer anew for a message that is stored already: the second try of one that broke off, or a regenerated one. */
export function beginAgain(ctx: MemoryContext, thread: string, n: number, takenBack: TakenBack | null): Begun {
  const row = messageRow(ctx.sql, thread, n);
  if (row.role !== "user") throw new AppError("bad-format", "Only a message of the user can be answered.");
  const settings = readSettings(ctx.sql);
  const now = contextAt(ctx, row.at, row.zone);
  const view: MessageView = {
    id: `m${n}`,
    role: "user",
    text: row.text,
    at: new Date(row.at).toISOString(),
    zone: row.zone,
    pasted: JSON.parse(row.pasted),
    actions: [],
    recalled: [],
    usage: null,
    status: "done",
    error: null,
    secrets: JSON.parse(row.secrets),
  };
  return read(now, settings, row.zone, thread, view, `m${n + 1}`, takenBack);
}

function contextOf(ctx: MemoryContext, settings: Settings, zone: string) {
  const { memory, instructions, relevance, chatModel } = settings;
  return {
    zone,
    memory,
    instructions,
    relevance,
    chatModel,
    loaded: { lines: [], of: 0 },
    summary: null,
    recalled: [],
    head: headOf(ctx),
    takenBack: null,
  };
}

function read(
  ctx: MemoryContext,
  settings: Settings,
  zone: string,
  id: string,
  message: MessageView,
  reply: string,
  takenBack: TakenBack | null,
): Begun {
  const thread = threadRow(ctx.sql, id);
  const n = messageNumber(message.id);
  const before = messagesOf(ctx.sql, id, thread.window_from).filter((row) => row.n < n);
  const from = windowStart(before, thread.window_from);
  if (from > thread.window_from) ctx.sql.exec("UPDATE threads SET window_from = ? WHERE id = ?", from, id);
  const window = before.filter((row) => row.n >= from);
  let summaryDue: SummaryDue | null = null;
  if (from - 1 > thread.summary_to) {
    const rows = messagesOf(ctx.sql, id, thread.summary_to + 1).filter((row) => row.n < from);
    if (rows.length > 0)
      summaryDue = { previous: thread.summary, messages: rows.map(windowMessage), to: from - 1, guard: redactionsOf(ctx.sql) };
  }
  const context: TurnContext = {
    ...contextOf(ctx, settings, zone),
    thread: threadView(thread),
    message,
    reply,
    summary: thread.summary,
    window: window.map(windowMessage),
    takenBack,
  };
  if (settings.memory !== "off") {
    const loaded = loadMemoryFile(ctx, thread.scope);
    const exclude = new Set(loaded.lines.flatMap((view) => view.id ?? []));
    const last = window.filter((row) => row.role === "user").at(-1);
    const recalled = recallFor(ctx, { text: message.text, ...(last ? { before: last.text } : {}), scope: thread.scope, exclude });
    context.loaded = { lines: loaded.lines.map(({ id: entry, text, chain }) => ({ id: entry, text, chain })), of: loaded.of };
    context.recalled = recalled.map(recalledView);
    recordUses(
      ctx.sql,
      [...loaded.lines, ...recalled].map((view) => view.id),
      ctx.now(),
    );
  }
  return { context, summaryDue };
}

/** Stores an answer. What is said while memory is read only or off never becomes inbox. */
export function finishTurn(ctx: MemoryContext, end: TurnEnd): MessageView | null {
  const learn = readSettings(ctx.sql).memory === "on";
  return ctx.transact(() => putReply(ctx.sql, end, learn, searchTokens));
}

/** Keeps a summary, unless a later one stands or words were forgotten while it was made. */
export function keepSummary(ctx: MemoryContext, thread: string, due: Pick<SummaryDue, "to" | "guard">, text: string): boolean {
  if (redactionsOf(ctx.sql) !== due.guard) return false;
  const { summary_to: to } = ctx.sql
    .exec<{ summary_to: number }>("SELECT summary_to FROM threads WHERE id = ?", thread)
    .toArray()[0] ?? { summary_to: Infinity };
  if (to >= due.to) return false;
  ctx.sql.exec("UPDATE threads SET summary = ?, summary_to = ? WHERE id = ?", text, due.to, thread);
  return true;
}

/** The lines of one file as the tool shows them, History last; null where there is none. */
export function fileLines(ctx: MemoryContext, path: string): { path: string; lines: EntryView[] } | null {
  const name = /\.md$/i.test(path) ? path : `${path}.md`;
  const found = ctx.sql.exec<{ path: string }>("SELECT path FROM files WHERE path = ?", name.replace(/^\/+/, "")).toArray()[0];
  if (!found || found.path === "forgotten.md" || found.path.startsWith("forgotten/")) return null;
  const versions = [
    ...versionsAt(ctx.sql, null, [
      { sql: "path = ?", bindings: [found.path] },
      { sql: "removed = 0", bindings: [] },
    ]),
  ];
  const lines = linesOfVersions(ctx, versions, null);
  versions.sort((a, b) => (lines.get(a) ?? 0) - (lines.get(b) ?? 0));
  const views = viewsOf(ctx, versions, null, lines);
  recordUses(
    ctx.sql,
    views.map((view) => view.id),
    ctx.now(),
  );
  return { path: found.path, lines: views };
}

/** The words behind a source: the message with the ones beside it, or the note; null where they are gone. */
export function sourceText(ctx: MemoryContext, ref: string): string | null {
  const source = parseSource(ref);
  if (source?.kind === "note") {
    const note = ctx.sql
      .exec<{ title: string; text: string }>("SELECT title, text FROM notes WHERE id = ?", source.id)
      .toArray()[0];
    return note ? `Note "${note.title}":\n${note.text}` : null;
  }
  if ((source?.kind !== "thread" || source.message === null) && source?.kind !== "import") return null;
  const n = Number(/^m?(\d+)$/.exec((source.kind === "thread" ? source.message : source.item) ?? "")?.[1] ?? 0);
  const rows = n > 0 ? sourceMessages(ctx.sql, source.id, n) : null;
  return rows ? rows.map((row) => `${row.role} (${new Date(row.at).toISOString().slice(0, 10)}): ${row.text}`).join("\n") : null;
}

/** An entry by its id, or null. */
export function entryById(ctx: MemoryContext, id: string): EntryView | null {
  const version = currentById(ctx.sql, id);
  return version && version.removed === 0 ? (viewsOf(ctx, [version])[0] ?? null) : null;
}

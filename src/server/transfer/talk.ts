// Conversations out of an import: read, cleaned and stored with their dates, so that search finds them at once and the next dream reads them.
import { stripInvisible } from "../../shared/invisible.ts";
import { IMPORT_MESSAGE_CHARS } from "../../shared/limits.ts";
import { findSecrets, replaceSecrets } from "../../shared/secrets.ts";
import { searchTokens } from "../../shared/words.ts";
import { isZone } from "../../shared/zone.ts";
import { headOf, type MemoryContext } from "../memory/context.ts";
import { judgeOfAll } from "../memory/forget-reply.ts";
import { redactText } from "../memory/redact.ts";
import { readSettings } from "../memory/settings.ts";
import { findThread, titleOf } from "../memory/threads.ts";
import { addImported, importThread, type ImportedMessage } from "../memory/transcripts.ts";
import { idOf } from "./import-id.ts";
import { instantOf } from "./statements.ts";
import type { Tally } from "./tally.ts";

/** One message of a conversation as it came. */
export interface TalkMessage {
  role: "user" | "assistant";
  at: number;
  text: string;
  /** Its number where it had one of ours (`m7`): then sources go on leading to it. */
  m?: number;
  zone?: string;
  pasted?: [number, number][];
  /** A dream has read it where it comes from: it is no inbox here. */
  dreamt?: boolean;
  /** Words of it were replaced before it was staged. */
  cleaned?: boolean;
  secrets?: string[];
}

/** A conversation as it came, in our terms. */
export interface Talk {
  n: number;
  /** As its source names it. */
  id: string;
  title: string;
  scope: string | null;
  zone: string | null;
  pinned: boolean;
  /** False where no message had a date: then they are known again by their order alone. */
  dated: boolean;
  messages: TalkMessage[];
}

/** Characters of a title that is brought in: as many as a person may type. */
const TITLE_CHARS = 200;

const ROLES: Record<string, "user" | "assistant"> = {
  user: "user",
  human: "user",
  assistant: "assistant",
  ai: "assistant",
  model: "assistant",
  bot: "assistant",
};

const record = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** Text of a message: a string, or the texts among the parts of one. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value))
    return value
      .map(textOf)
      .filter((text) => text !== "")
      .join("\n\n");
  const { text, parts, content } = record(value);
  if (typeof text === "string") return text;
  return parts !== undefined ? textOf(parts) : content !== undefined ? textOf(content) : "";
}

/** Reads one conversation `{id, title, messages: [{id, role, at, text}]}`; a sentence where it is none. `now` dates what has no date. */
export function readTalk(item: unknown, n: number, now: number): Talk | string {
  const { id, title, messages, scope, zone, pinned } = record(item);
  if (!Array.isArray(messages)) return "A conversation is {id, title, messages: [{role, at, text}]}.";
  const read: Talk["messages"] = [];
  // Nobody said anything later than now: such a clock ran ahead, and tells nothing.
  const past = (value: unknown): number | null => {
    const at = instantOf(value);
    return at !== null && at <= now ? at : null;
  };
  const said = (messages as unknown[]).map((message) => past(record(message).at ?? record(message).createdAt));
  const begun = past(record(item).createdAt ?? record(item).at) ?? said.find((at) => at !== null) ?? null;
  let last = begun ?? now;
  for (const [index, message] of (messages as unknown[]).entries()) {
    const { id: name, role, text, content, zone: there, pasted, dreamt } = record(message);
    const who = ROLES[String(role ?? "").toLowerCase()];
    const words = textOf(text ?? content);
    if (who === undefined || words.trim() === "") continue;
    last = Math.max(said[index] ?? last, last);
    const number = typeof name === "string" ? /^m([1-9]\d{0,6})$/.exec(name)?.[1] : undefined;
    const spans = spansOf(pasted, words.length);
    for (const part of partsOf(words))
      read.push({
        role: who,
        at: last,
        text: part,
        ...(number === undefined ? {} : { m: Number(number) }),
        ...(typeof there === "string" ? { zone: there } : {}),
        ...(spans.length > 0 && part === words ? { pasted: spans } : {}),
        ...(dreamt === true ? { dreamt } : {}),
      });
  }
  // Numbers of ours count where all have one and they rise; else they are numbered anew.
  if (!read.every(({ m }, at) => m !== undefined && m > (read[at - 1]?.m ?? 0))) for (const message of read) delete message.m;
  if (read.length === 0) return "It holds no message of a person or an assistant.";
  const name = typeof title === "string" ? [...title.replace(/\s+/g, " ").trim()].slice(0, TITLE_CHARS).join("") : "";
  return {
    n,
    id:
      typeof id === "string" || typeof id === "number"
        ? String(id)
        : idOf("talk", name, JSON.stringify(read.slice(0, 3).map((message) => message.text))),
    title: name,
    scope: typeof scope === "string" && /^[a-z0-9-]{1,60}$/.test(scope) ? scope : null,
    zone: typeof zone === "string" ? zone : null,
    pinned: pinned === true,
    dated: begun !== null,
    messages: read,
  };
}

function spansOf(value: unknown, length: number): [number, number][] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((span): [number, number][] => {
    const [from, to] = Array.isArray(span) ? (span as unknown[]) : [];
    const fits = Number.isInteger(from) && Number.isInteger(to) && (from as number) >= 0 && (to as number) <= length;
    return fits && (from as number) < (to as number) ? [[from as number, to as number]] : [];
  });
}

/** A text in pieces that a row and a prompt can hold, cut where a paragraph or a word ends. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > IMPORT_MESSAGE_CHARS) {
    const window = rest.slice(0, IMPORT_MESSAGE_CHARS);
    const at = Math.max(window.lastIndexOf("\n\n"), window.lastIndexOf("\n"), window.lastIndexOf(" "));
    // Without a gap the cut must not fall between the halves of a character.
    const end =
      at > IMPORT_MESSAGE_CHARS / 2 ? at : /[\ud800-\udbff]$/.test(window) ? IMPORT_MESSAGE_CHARS - 1 : IMPORT_MESSAGE_CHARS;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return rest === "" ? parts : [...parts, rest];
}

/** What of a text may rest: without invisible characters, secrets and what was forgotten. */
export type Cleaner = (text: string) => { text: string; secrets: string[]; changed: boolean };

/** Cleans texts. Throws AppError("unavailable") while the tombstones cannot be read: then nothing is imported. */
export function cleanerOf(ctx: MemoryContext): Cleaner {
  let head = headOf(ctx);
  let judge = judgeOfAll(ctx);
  return (text) => {
    // What is forgotten while an import runs is kept out of the rest of it.
    if (headOf(ctx) !== head) {
      head = headOf(ctx);
      judge = judgeOfAll(ctx);
    }
    const judged = judge;
    const visible = stripInvisible(text.replace(/\p{Cs}/gu, "\ufffd").replace(/\0/g, ""));
    const found = findSecrets(visible);
    const safe = found.length > 0 ? replaceSecrets(visible, found) : visible;
    const redacted = judged === null ? null : redactText(safe, (sentence) => judged.says(sentence));
    return {
      text: redacted?.text ?? safe,
      secrets: [...new Set(found.map(({ kind }) => kind))],
      changed: found.length > 0 || redacted !== null,
    };
  };
}

type Sql = MemoryContext["sql"];

/** How many of a conversation's messages stand under an id: all of them equal in role and time, or null where another conversation stands there. */
function standingUnder(sql: Sql, thread: string, talk: Talk): number | null {
  const rows = sql
    .exec<{ role: string; at: number }>("SELECT role, at FROM messages WHERE thread = ? ORDER BY n", thread)
    .toArray();
  const common = Math.min(rows.length, talk.messages.length);
  for (let at = 0; at < common; at++)
    if (rows[at]!.role !== talk.messages[at]!.role || (talk.dated && rows[at]!.at !== talk.messages[at]!.at)) return null;
  return rows.length;
}

/** The id under which a conversation stands or would stand here, and how many of its messages do. */
export function placeOf(sql: Sql, talk: Talk): { thread: string; standing: number } {
  const own = /^[a-z0-9]{4,12}$/.test(talk.id) ? talk.id : idOf("thread", talk.id);
  for (let thread = own, turn = 0; ; thread = idOf("thread", talk.id, talk.messages[0]!.text, String(++turn))) {
    if (!findThread(sql, thread)) return { thread, standing: 0 };
    const standing = standingUnder(sql, thread, talk);
    if (standing !== null) return { thread, standing };
  }
}

/** Tells what would become of a conversation. */
export function previewTalk(ctx: MemoryContext, clean: Cleaner, talk: Talk, tally: Tally): void {
  const { thread, standing } = placeOf(ctx.sql, talk);
  const fresh = talk.messages.slice(standing);
  tally.counts.messages += fresh.length;
  for (const { text, cleaned } of fresh) if (cleaned || clean(text).changed) tally.counts.redacted++;
  tellTalk(talk, thread, fresh.length, clean, tally);
}

function tellTalk(talk: Talk, thread: string, fresh: number, clean: Cleaner, tally: Tally): void {
  if (fresh > 0) tally.counts.conversations++;
  tally.add({
    n: talk.n,
    what: "conversation",
    fate: fresh > 0 ? "lands" : "duplicate",
    name: clean(talk.title || titleOf(talk.messages[0]!.text)).text,
    why: fresh > 0 ? null : "It was imported before.",
    thread,
  });
}

/** The steps in which a conversation is stored: each is one transaction; a step that was cut off is done again by the next import of it. */
export function* landTalk(ctx: MemoryContext, clean: Cleaner, talk: Talk, tally: Tally, slice: number): Generator<number> {
  const { sql } = ctx;
  const { thread, standing } = placeOf(sql, talk);
  const learn = readSettings(sql).memory === "on";
  const fresh = talk.messages.slice(standing);
  for (let at = 0; at < fresh.length; at += slice) {
    const messages = fresh.slice(at, at + slice).map((message): ImportedMessage => {
      const { text, secrets, changed } = clean(message.text);
      if (changed || message.cleaned) tally.counts.redacted++;
      // Where words were replaced, nobody knows any more which were typed: none of them counts as such.
      const pasted = changed && message.pasted ? [[0, text.length] as [number, number]] : message.pasted;
      return {
        role: message.role,
        at: message.at,
        text,
        secrets: [...new Set([...(message.secrets ?? []), ...secrets])],
        learn: learn && message.dreamt !== true,
        ...(message.m === undefined ? {} : { n: message.m }),
        ...(message.zone && isZone(message.zone) ? { zone: message.zone } : {}),
        ...(pasted ? { pasted } : {}),
      };
    });
    const zone = talk.zone !== null && isZone(talk.zone) ? talk.zone : ctx.zone();
    ctx.transact(() => {
      if (standing + at > 0) addImported(sql, { thread, zone, learn, messages }, searchTokens);
      else {
        const title = clean(talk.title).text.trim() || titleOf(messages[0]!.text);
        importThread(sql, { id: thread, title, scope: talk.scope, zone, pinned: talk.pinned, messages, learn }, searchTokens);
      }
    });
    tally.counts.messages += messages.length;
    yield messages.length;
  }
  tellTalk(talk, thread, fresh.length, clean, tally);
}

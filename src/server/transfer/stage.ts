// An archive on its way into staging rows: each entry by what it is. Secrets are replaced before anything rests.
import { createHash } from "node:crypto";
import { AppError } from "../../shared/errors.ts";
import { IMPORT_NOTE_MAX_BYTES, IMPORT_ROW_BYTES, IMPORT_TALK_MAX_CHARS } from "../../shared/limits.ts";
import type { ImportKind } from "../../shared/protocol.ts";
import { replaceSecrets } from "../../shared/secrets.ts";
import type { MemoryContext } from "../memory/context.ts";
import { decodeText } from "./decode.ts";
import { idOfHash } from "./import-id.ts";
import { JsonElements } from "./json-array.ts";
import { addRow, dropRows, renameRows, type RowType } from "./rows.ts";
import { shapedTalk } from "./shapes.ts";
import { splitText } from "./split.ts";
import { readTalk, type Cleaner, type Talk } from "./talk.ts";
import type { Tally } from "./tally.ts";
import { readZip, type EntrySink } from "./zip-read.ts";

/** Names of the parts of the app's own export. */
export const PART = {
  manifest: "reverie.json",
  bundle: "memory.bundle",
  files: "memory/",
  conversations: "conversations/",
  notes: "notes.json",
  tombstones: "tombstones.json",
  key: "tombstone-key.json",
  settings: "settings.json",
  ledger: "ledger.csv",
} as const;

const CONVERSATIONS = /(?:^|\/)conversations(?:[-_]?\d+)?\.json$/i;
const NOTE = /\.(?:md|markdown|mdown|txt|text)$/i;
/** What programs keep; a way out of the archive (`..`) is none, and is refused by its name. */
const MACHINERY = /(?:^|\/)(?:\.(?!\.?\/)[^/]+|__MACOSX)(?:\/|$)/;

/** What an archive turned out to be. */
export interface Staged {
  id: string;
  kind: ImportKind;
  /** It is here, and being worked on: nothing was staged anew. */
  known: boolean;
}

interface Staging {
  ctx: MemoryContext;
  /** The name of the rows while they come in. */
  draft: string;
  tally: Tally;
  clean: Cleaner;
  wanted: ImportKind | null;
  own: boolean;
  talks: number;
  notes: number;
  /** Rows that were written so far. */
  rows: number;
}

const encoder = new TextEncoder();

function put(staging: Staging, type: RowType, n: number, name: string, bytes: Uint8Array): void {
  for (let at = 0; at === 0 || at < bytes.byteLength; at += IMPORT_ROW_BYTES) {
    addRow(staging.ctx.sql, staging.draft, type, n, name, bytes.slice(at, at + IMPORT_ROW_BYTES));
    staging.rows++;
  }
}

/** What is forgotten while an archive comes in takes along what was staged of it: then the rest would be a part that nobody knows for one. */
function judgeWhole({ ctx, draft, rows }: Staging): void {
  const { n } = ctx.sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM import_rows WHERE import = ?", draft).one();
  if (n !== rows)
    throw new AppError(
      "conflict",
      "Something was forgotten while this archive was read, so nothing of it was kept. Bring it again.",
    );
}

/** Collects an entry up to a size; null past it. */
function collecting(maxBytes: number, done: (bytes: Uint8Array | null) => void): EntrySink {
  const parts: Uint8Array[] = [];
  let size = 0;
  return {
    chunk(bytes) {
      size += bytes.byteLength;
      if (size <= maxBytes) parts.push(bytes.slice());
      else parts.length = 0;
    },
    end() {
      if (size > maxBytes) return done(null);
      const whole = new Uint8Array(size);
      let at = 0;
      for (const part of parts) {
        whole.set(part, at);
        at += part.byteLength;
      }
      done(whole);
    },
  };
}

function noteSink(staging: Staging, name: string, n: number): EntrySink {
  return collecting(IMPORT_NOTE_MAX_BYTES, (bytes) => {
    const text = bytes && decodeText(bytes);
    if (text === null) {
      const why =
        bytes === null ? `It has more than ${IMPORT_NOTE_MAX_BYTES / 1024 / 1024} MB. Split it.` : "These bytes are no text.";
      staging.tally.add({ n, what: "file", fate: "refused", name, why });
      return;
    }
    staging.notes++;
    for (const part of splitText(name.endsWith(".md") ? name : `${name}.md`, replaceSecrets(text), IMPORT_ROW_BYTES / 2))
      put(staging, "file", n, splitName(name, part.path), encoder.encode(part.text));
  });
}

/** The name of a part under the entry's own ending: what an ending says is judged later. */
function splitName(name: string, part: string): string {
  return name.endsWith(".md") ? part : part.slice(0, -3) === name ? name : part;
}

function stageTalk(staging: Staging, item: unknown): void {
  const n = ++staging.talks;
  const talk = readTalk(shapedTalk(item), n, staging.ctx.now());
  if (typeof talk === "string") {
    staging.tally.add({ n, what: "conversation", fate: "refused", why: talk });
    return;
  }
  const safe: Talk = {
    ...talk,
    title: staging.clean(talk.title).text,
    messages: talk.messages.map((message) => {
      const { text, changed, secrets } = staging.clean(message.text);
      return { ...message, text, ...(changed ? { cleaned: true, secrets } : {}) };
    }),
  };
  put(staging, "talk", n, "", encoder.encode(JSON.stringify(safe)));
}

/** Some programs put the list into an object. */
function listOf(item: unknown): unknown[] {
  const inner = (item as { conversations?: unknown } | null)?.conversations;
  return Array.isArray(inner) ? inner : [item];
}

/** A list of conversations, read element by element. */
function talksSink(staging: Staging, name: string): EntrySink {
  const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: false });
  const elements = new JsonElements(IMPORT_TALK_MAX_CHARS, (element) => {
    let item: unknown;
    try {
      item = element === null ? null : JSON.parse(element);
    } catch {
      throw new AppError("bad-format", `${name} in this archive is no JSON. Download the export again.`);
    }
    if (element === null)
      staging.tally.add({ n: ++staging.talks, what: "conversation", fate: "refused", why: "It is too long to be read." });
    else for (const one of listOf(item)) stageTalk(staging, one);
  });
  return {
    chunk: (bytes) => elements.push(decoder.decode(bytes, { stream: true })),
    end() {
      elements.push(decoder.decode());
      if (!elements.whole) throw new AppError("bad-format", `${name} in this archive is cut off. Download the export again.`);
    },
  };
}

function packSink(staging: Staging, n: number): EntrySink {
  let held: Uint8Array[] = [];
  let size = 0;
  const flush = (): void => {
    const whole = new Uint8Array(size);
    let at = 0;
    for (const part of held) {
      whole.set(part, at);
      at += part.byteLength;
    }
    held = [];
    size = 0;
    if (whole.byteLength > 0) put(staging, "pack", n, PART.bundle, whole);
  };
  return {
    chunk(bytes) {
      held.push(bytes.slice());
      size += bytes.byteLength;
      // Rows of one length, so that an offset names its row.
      if (size < IMPORT_ROW_BYTES) return;
      const whole = new Uint8Array(size);
      let at = 0;
      for (const part of held) {
        whole.set(part, at);
        at += part.byteLength;
      }
      const full = size - (size % IMPORT_ROW_BYTES);
      put(staging, "pack", n, PART.bundle, whole.subarray(0, full));
      held = [whole.slice(full)];
      size -= full;
    },
    end: flush,
  };
}

/** Notes without secrets. What is no list is left as it is, and refused when it is read. */
function safeNotes({ clean }: Staging, bytes: Uint8Array): Uint8Array {
  let notes: unknown;
  try {
    notes = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return bytes;
  }
  if (!Array.isArray(notes)) return bytes;
  const safe = (value: unknown): unknown => (typeof value === "string" ? clean(value).text : value);
  return encoder.encode(
    JSON.stringify(
      notes.map((note: Record<string, unknown> | null) => ({ ...note, title: safe(note?.title), text: safe(note?.text) })),
    ),
  );
}

function openEntry(staging: Staging, name: string, n: number): EntrySink | null {
  const plain = name.replace(/\\/g, "/");
  if (plain.endsWith("/") || MACHINERY.test(plain)) return null;
  if (n === 1 && plain === PART.manifest && (staging.wanted === null || staging.wanted === "export")) staging.own = true;
  if (staging.own) {
    if (plain === PART.bundle) return packSink(staging, n);
    if (plain.startsWith(PART.files) && NOTE.test(plain)) return noteSink(staging, plain.slice(PART.files.length), n);
    if (plain.startsWith(PART.conversations) && plain.endsWith(".json")) return talksSink(staging, plain);
    if ([PART.manifest, PART.notes, PART.tombstones, PART.key, PART.settings, PART.ledger].includes(plain as never))
      return collecting(IMPORT_NOTE_MAX_BYTES * 4, (bytes) => {
        if (bytes === null) throw new AppError("too-large", `${plain} in this archive is too large.`);
        put(staging, "json", n, plain, plain === PART.notes ? safeNotes(staging, bytes) : bytes);
      });
    return null;
  }
  if (CONVERSATIONS.test(plain) && staging.wanted !== "memory") return talksSink(staging, plain);
  if (NOTE.test(plain) && staging.wanted !== "conversations") return noteSink(staging, plain, n);
  staging.tally.counts.skipped++;
  return null;
}

/**
 * Reads an archive into staging rows under an id made from its bytes. Throws, with nothing left behind, what `readZip` throws, and
 * AppError("bad-format") where it holds nothing that can be brought in.
 */
export async function stageZip(
  ctx: MemoryContext,
  body: AsyncIterable<Uint8Array>,
  wanted: ImportKind | null,
  tally: Tally,
  clean: Cleaner,
  pause: () => Promise<void>,
  busy: (id: string) => boolean,
): Promise<Staged> {
  const draft = `draft-${ctx.randomId()}`;
  const staging: Staging = { ctx, draft, tally, clean, wanted, own: false, talks: 0, notes: 0, rows: 0 };
  const hash = createHash("sha256");
  try {
    await readZip(
      body,
      (name, n) => openEntry(staging, name, n),
      pause,
      (bytes) => hash.update(bytes),
    );
    judgeWhole(staging);
    const kind: ImportKind | null = staging.own
      ? "export"
      : staging.talks > 0
        ? "conversations"
        : staging.notes > 0
          ? "memory"
          : null;
    if (kind === null)
      throw new AppError(
        "bad-format",
        wanted === "export"
          ? "This archive is no export of this app: it does not begin with reverie.json."
          : "This archive holds no notes (.md, .txt) and no conversations.json. Nothing was read.",
      );
    const id = idOfHash(hash);
    const known = busy(id);
    ctx.transact(() => (known ? dropRows(ctx.sql, draft) : renameRows(ctx.sql, draft, id)));
    return { id, kind, known };
  } catch (error) {
    ctx.transact(() => dropRows(ctx.sql, draft));
    throw error;
  }
}

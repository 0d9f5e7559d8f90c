// Everything out, in one zip that streams: history as a git bundle, files, conversations, notes, tombstones, ledger, settings. Nothing erased or temporary
// stands in it, because nothing of it stands here.
import { randomBytes } from "node:crypto";
import { Zip, ZipDeflate, ZipPassThrough } from "fflate";
import { bundleChunks } from "../git/bundle.ts";
import { readBlob } from "../git/repo.ts";
import { headOf, MAIN, type MemoryContext } from "../memory/context.ts";
import { callsAsCsv } from "../memory/ledger.ts";
import { listNotes } from "../memory/notes.ts";
import { filesAt } from "../memory/rows.ts";
import { readSettings } from "../memory/settings.ts";
import type { ThreadRow } from "../memory/threads.ts";
import { messagesOf } from "../memory/transcripts.ts";
import { sealKeys } from "./key-box.ts";
import { README } from "./readme.ts";
import { PART } from "./stage.ts";

export interface ExportDeps {
  ctx: MemoryContext;
  version: string;
  pause(): Promise<void>;
}

const encoder = new TextEncoder();
const json = (value: unknown): Uint8Array[] => [encoder.encode(`${JSON.stringify(value, null, 2)}\n`)];
const NOTES_A_PAGE = 200;

/** A conversation as it stands in an export, and comes back out of one. */
function exportedThread(ctx: MemoryContext, row: ThreadRow, read: Read): object {
  const { sql } = ctx;
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    id: row.id,
    title: row.title,
    scope: row.scope,
    pinned: row.pinned === 1,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    messages: messagesOf(sql, row.id).map((message) => ({
      id: `m${message.n}`,
      role: message.role,
      at: iso(message.at),
      zone: message.zone,
      text: message.text,
      pasted: JSON.parse(message.pasted) as unknown,
      ...(message.learn === 0 || (message.seq <= read.to && !read.waiting.has(`thread/${row.id}#m${message.n}`))
        ? { dreamt: true }
        : {}),
    })),
  };
}

/** Which messages dreams have read: all up to a row, but those that still wait in their inbox. */
interface Read {
  to: number;
  waiting: ReadonlySet<string>;
}

function readByDreams({ sql }: MemoryContext): Read {
  if (sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'dream_values'").toArray().length === 0)
    return { to: 0, waiting: new Set() };
  const row = sql.exec<{ value: string }>("SELECT value FROM dream_values WHERE key = 'inbox-cursor'").toArray()[0];
  const waiting = sql.exec<{ ref: string }>("SELECT ref FROM dream_inbox WHERE state IN ('new', 'taken')").toArray();
  return { to: Number(row?.value ?? 0) || 0, waiting: new Set(waiting.map(({ ref }) => ref)) };
}

/** The tombstones with what is kept of them: that copy opens only with the key. */
export interface ExportedStones {
  keys: string[];
  stones: { id: string; removed: string; match: string; replaces: string | null }[];
  kept: { id: string; at: number; sealed: string | null; source: string | null; erased_at: number | null }[];
}

function exportedStones({ sql }: MemoryContext): ExportedStones {
  const stones = sql
    .exec<ExportedStones["stones"][number]>("SELECT id, removed, match, replaces FROM tombstones ORDER BY id")
    .toArray();
  const kept = sql
    .exec<ExportedStones["kept"][number]>("SELECT id, at, sealed, source, erased_at FROM forgotten_facts ORDER BY id")
    .toArray();
  return { keys: [...new Set(stones.map(({ match }) => match.split(".")[0]!))], stones, kept };
}

function* notesOf({ sql }: MemoryContext): Generator<Uint8Array> {
  yield encoder.encode("[\n");
  let first = true;
  for (let cursor: string | null = "0"; cursor !== null;) {
    const page: ReturnType<typeof listNotes> = listNotes(sql, { limit: NOTES_A_PAGE, cursor });
    for (const note of page.items) {
      yield encoder.encode(`${first ? "" : ",\n"}${JSON.stringify(note)}`);
      first = false;
    }
    cursor = page.next;
  }
  yield encoder.encode("\n]\n");
}

/** The archive in chunks, made as it is asked for. */
export async function* exportZip({ ctx, version, pause }: ExportDeps, passphrase: string | null): AsyncGenerator<Uint8Array> {
  const { sql } = ctx;
  const head = headOf(ctx);
  // What the archive says is what stood at one moment; what is saved meanwhile is in the next one.
  const files = filesAt(sql, null).map(({ path, blob }) => ({ path, blob }));
  const threads = sql.exec<ThreadRow>("SELECT * FROM threads ORDER BY created_at, id").toArray();
  const stones = exportedStones(ctx);
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    if (chunk.byteLength > 0) ready.push(chunk);
  });
  const mtime = new Date(ctx.now());
  async function* add(
    name: string,
    parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    packed = false,
  ): AsyncGenerator<Uint8Array> {
    const file = packed ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 });
    file.mtime = mtime;
    zip.add(file);
    for await (const part of parts) {
      file.push(part, false);
      yield* ready.splice(0);
    }
    file.push(new Uint8Array(0), true);
    yield* ready.splice(0);
  }

  yield* add(
    PART.manifest,
    json({
      app: "reverie",
      format: 1,
      version,
      exportedAt: mtime.toISOString(),
      head,
      files: files.length,
      conversations: threads.length,
      tombstones: stones.stones.length,
      key: passphrase === null ? "not in this archive" : "under a passphrase",
    }),
  );
  yield* add("README.md", [encoder.encode(README)]);
  if (head !== null) yield* add(PART.bundle, bundleChunks(ctx.store, { name: MAIN, oid: head }, pause), true);
  for (const { path, blob } of files) yield* add(`${PART.files}${path}`, [readBlob(ctx.store, blob)]);
  const read = readByDreams(ctx);
  for (const thread of threads) {
    if (sql.exec("SELECT 1 FROM threads WHERE id = ?", thread.id).toArray().length === 0) continue;
    yield* add(`${PART.conversations}${thread.id}.json`, json(exportedThread(ctx, thread, read)));
    await pause();
  }
  yield* add(PART.notes, notesOf(ctx));
  yield* add(PART.tombstones, json(stones));
  yield* add(PART.settings, json(readSettings(sql)));
  yield* add(PART.ledger, [encoder.encode(callsAsCsv(sql))]);
  if (passphrase !== null)
    yield* add(PART.key, json(sealKeys(ctx.keyring().keys, passphrase, (bytes) => new Uint8Array(randomBytes(bytes)))));
  zip.end();
  yield* ready.splice(0);
}

// Parsed files by their blob: a save looks at the same file from several sides and parses it once. Documents are never changed in place.
import { parseDocument, type Document } from "../../shared/document.ts";
import { readBlob } from "../git/repo.ts";
import type { MemoryContext } from "./context.ts";

export interface ParsedFile {
  text: string;
  document: Document;
}

/** Parsed files that all objects of an isolate keep between them, and their text in all: the isolate's memory is one for all of them (design, Traps). */
const KEPT_FILES = 256;
const KEPT_CHARS = 2 * 1024 * 1024;
/** The largest file that is kept: one must not push out all others. */
const KEPT_FILE_CHARS = KEPT_CHARS / 4;

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** In the order of their last use, each under the number of its owner. */
const kept = new Map<string, ParsedFile>();
let keptChars = 0;
let owners = 0;

/** The parsed files that one memory used last. Nobody is given a file that another put in, however alike they are. */
export class ParsedFiles {
  readonly #owner = (owners += 1);

  get(blob: string): ParsedFile | undefined {
    const key = `${this.#owner} ${blob}`;
    const file = kept.get(key);
    if (file) {
      kept.delete(key);
      kept.set(key, file);
    }
    return file;
  }

  put(blob: string, file: ParsedFile): void {
    const key = `${this.#owner} ${blob}`;
    if (kept.has(key) || file.text.length > KEPT_FILE_CHARS) return;
    kept.set(key, file);
    keptChars += file.text.length;
    for (const [oldest, { text }] of kept) {
      if (kept.size <= KEPT_FILES && keptChars <= KEPT_CHARS) break;
      kept.delete(oldest);
      keptChars -= text.length;
    }
  }
}

/** What is kept at this moment, of all memories. */
export function keptInAll(): { files: number; chars: number } {
  return { files: kept.size, chars: keptChars };
}

/** A stored file, parsed. Throws AppError("unavailable") when its blob is missing. */
export function parsedFile(ctx: Pick<MemoryContext, "store" | "cache">, blob: string): ParsedFile {
  const parsed = (ctx.cache.parsed ??= new ParsedFiles());
  const known = parsed.get(blob);
  if (known) return known;
  const text = utf8.decode(readBlob(ctx.store, blob));
  const file = { text, document: parseDocument(text) };
  parsed.put(blob, file);
  return file;
}

/** Keeps a file that was parsed before it was stored. */
export function keepParsed(ctx: Pick<MemoryContext, "cache">, blob: string, file: ParsedFile): void {
  (ctx.cache.parsed ??= new ParsedFiles()).put(blob, file);
}

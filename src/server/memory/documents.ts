// Parsed files by their blob: a save looks at the same file from several sides and parses it once. Documents are never changed in place.
import { parseDocument, type Document } from "../../shared/document.ts";
import { readBlob } from "../git/repo.ts";
import type { MemoryContext } from "./context.ts";

export interface ParsedFile {
  text: string;
  document: Document;
}

/** Parsed files that are kept, and their text in all: a few megabytes. */
const KEPT_FILES = 64;
const KEPT_CHARS = 2 * 1024 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** The most recently used parsed files. */
export class ParsedFiles {
  readonly #files = new Map<string, ParsedFile>();
  #chars = 0;

  get(blob: string): ParsedFile | undefined {
    const file = this.#files.get(blob);
    if (file) {
      this.#files.delete(blob);
      this.#files.set(blob, file);
    }
    return file;
  }

  put(blob: string, file: ParsedFile): void {
    if (this.#files.has(blob) || file.text.length > KEPT_CHARS / 4) return;
    this.#files.set(blob, file);
    this.#chars += file.text.length;
    for (const [oldest, { text }] of this.#files) {
      if (this.#files.size <= KEPT_FILES && this.#chars <= KEPT_CHARS) break;
      this.#files.delete(oldest);
      this.#chars -= text.length;
    }
  }
}

/** A stored file, parsed. Throws AppError("unavailable") when its blob is missing. */
export function parsedFile(ctx: Pick<MemoryContext, "store" | "cache">, blob: string): ParsedFile {
  const kept = (ctx.cache.parsed ??= new ParsedFiles());
  const known = kept.get(blob);
  if (known) return known;
  const text = utf8.decode(readBlob(ctx.store, blob));
  const file = { text, document: parseDocument(text) };
  kept.put(blob, file);
  return file;
}

/** Keeps a file that was parsed before it was stored. */
export function keepParsed(ctx: Pick<MemoryContext, "cache">, blob: string, file: ParsedFile): void {
  (ctx.cache.parsed ??= new ParsedFiles()).put(blob, file);
}

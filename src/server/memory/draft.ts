// The memory as a write leaves it: head, and on top of it the files that were changed so far. Nothing is stored until the writer commits.
import { parseDocument, serialiseDocument, type Document, type DocumentEntry } from "../../shared/document.ts";
import { metaValue } from "../../shared/entry.ts";
import { pathKey } from "../../shared/paths.ts";
import { readBlob } from "../git/repo.ts";
import { headOf, type MemoryContext } from "./context.ts";
import { currentById, fileAt } from "./rows.ts";

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** An entry at its place in the draft. */
export interface Located {
  path: string;
  document: Document;
  entry: DocumentEntry;
}

export interface FileState {
  before: string | null;
  after: string | null;
}

/** The value of `id` of an entry, or null. */
export function idOf(entry: Pick<DocumentEntry, "meta">): string | null {
  return metaValue(entry.meta, "id") ?? null;
}

export class Draft {
  readonly head: string | null;
  readonly #ctx: Pick<MemoryContext, "sql" | "store">;
  readonly #before = new Map<string, string | null>();
  readonly #texts = new Map<string, string | null>();
  readonly #documents = new Map<string, { text: string; document: Document }>();

  constructor(ctx: Pick<MemoryContext, "sql" | "store">) {
    this.#ctx = ctx;
    this.head = headOf(ctx);
  }

  /** The text of a file as head has it. */
  before(path: string): string | null {
    const known = this.#before.get(path);
    if (known !== undefined) return known;
    const file = fileAt(this.#ctx.sql, null, path);
    const text = file ? utf8.decode(readBlob(this.#ctx.store, file.blob)) : null;
    this.#before.set(path, text);
    return text;
  }

  /** The text of a file as the draft has it; null where there is none. */
  text(path: string): string | null {
    const changed = this.#texts.get(path);
    return changed === undefined ? this.before(path) : changed;
  }

  /** The file as a document; null where there is none. */
  document(path: string): Document | null {
    const text = this.text(path);
    if (text === null) return null;
    const known = this.#documents.get(path);
    if (known?.text === text) return known.document;
    const document = parseDocument(text);
    this.#documents.set(path, { text, document });
    return document;
  }

  put(path: string, next: Document | string | null): void {
    const text = next === null || typeof next === "string" ? next : serialiseDocument(next);
    this.#texts.set(path, text);
    if (next !== null && typeof next !== "string" && text !== null) this.#documents.set(path, { text, document: next });
  }

  /** Files that differ from head, by path. */
  changed(): Map<string, FileState> {
    const changed = new Map<string, FileState>();
    for (const path of [...this.#texts.keys()].sort()) {
      const before = this.before(path);
      const after = this.#texts.get(path)!;
      if (before !== after) changed.set(path, { before, after });
    }
    return changed;
  }

  /** The entry of an id, wherever the draft has it now. */
  locate(id: string): Located | null {
    for (const [path, text] of this.#texts) {
      if (text === null) continue;
      const found = this.#find(path, id);
      if (found) return found;
    }
    const row = currentById(this.#ctx.sql, id);
    return row && !this.#texts.has(row.path) ? this.#find(row.path, id) : null;
  }

  #find(path: string, id: string): Located | null {
    const document = this.document(path);
    const entry = document?.entries.find((one) => idOf(one) === id);
    return document && entry ? { path, document, entry } : null;
  }

  /** Whether the draft changed this file (or may have). */
  touched(path: string): boolean {
    return this.#texts.has(path);
  }

  /** Files that the draft touched and that stand in it. */
  touchedPaths(): string[] {
    return [...this.#texts].flatMap(([path, text]) => (text === null ? [] : [path]));
  }

  /** The path under which a file of this name (by any spelling) stands, or the name itself. */
  standingPath(path: string): string {
    const key = pathKey(path);
    for (const [touched, text] of this.#texts) if (text !== null && pathKey(touched) === key) return touched;
    const row = this.#ctx.sql.exec<{ path: string }>("SELECT path FROM files WHERE fold = ?", key).toArray()[0];
    return row?.path ?? path;
  }
}

// The memory as a write leaves it: head, and on top of it the files that were changed so far. Nothing is stored until the writer commits.
import { parseDocument, serialiseDocument, type Document, type DocumentEntry } from "../../shared/document.ts";
import { metaValue } from "../../shared/entry.ts";
import { pathKey } from "../../shared/paths.ts";
import { headOf, type MemoryContext } from "./context.ts";
import { parsedFile, type ParsedFile } from "./documents.ts";
import { currentById, fileAt } from "./rows.ts";

/** An entry at its place in the draft. */
export interface Located {
  path: string;
  document: Document;
  entry: DocumentEntry;
}

/** A file on both sides of a write. */
export interface FileState {
  before: string | null;
  after: string | null;
  /** The same, parsed, where somebody has done it already. */
  documents?: { before: Document | null; after: Document | null };
}

type DraftContext = Pick<MemoryContext, "sql" | "store" | "cache">;

/** The value of `id` of an entry, or null. */
export function idOf(entry: Pick<DocumentEntry, "meta">): string | null {
  return metaValue(entry.meta, "id") ?? null;
}

export class Draft {
  readonly head: string | null;
  readonly #ctx: DraftContext;
  readonly #before = new Map<string, ParsedFile | null>();
  readonly #after = new Map<string, ParsedFile | null>();

  constructor(ctx: DraftContext) {
    this.#ctx = ctx;
    this.head = headOf(ctx);
  }

  /** A file as head has it. */
  #standing(path: string): ParsedFile | null {
    const known = this.#before.get(path);
    if (known !== undefined) return known;
    const file = fileAt(this.#ctx.sql, null, path);
    const parsed = file ? parsedFile(this.#ctx, file.blob) : null;
    this.#before.set(path, parsed);
    return parsed;
  }

  #file(path: string): ParsedFile | null {
    const changed = this.#after.get(path);
    return changed === undefined ? this.#standing(path) : changed;
  }

  /** The text of a file as head has it. */
  before(path: string): string | null {
    return this.#standing(path)?.text ?? null;
  }

  /** The text of a file as the draft has it; null where there is none. */
  text(path: string): string | null {
    return this.#file(path)?.text ?? null;
  }

  /** The file as a document; null where there is none. */
  document(path: string): Document | null {
    return this.#file(path)?.document ?? null;
  }

  put(path: string, next: Document | string | null): void {
    if (next === null) this.#after.set(path, null);
    else if (typeof next === "string") this.#after.set(path, { text: next, document: parseDocument(next) });
    else this.#after.set(path, { text: serialiseDocument(next), document: next });
  }

  /** Files that differ from head, by path. */
  changed(): Map<string, FileState> {
    const changed = new Map<string, FileState>();
    for (const path of [...this.#after.keys()].sort()) {
      const before = this.#standing(path);
      const after = this.#after.get(path)!;
      if ((before?.text ?? null) === (after?.text ?? null)) continue;
      changed.set(path, {
        before: before?.text ?? null,
        after: after?.text ?? null,
        documents: { before: before?.document ?? null, after: after?.document ?? null },
      });
    }
    return changed;
  }

  /** The entry of an id, wherever the draft has it now. */
  locate(id: string): Located | null {
    for (const [path, file] of this.#after) {
      const found = file && this.#find(path, id);
      if (found) return found;
    }
    const row = currentById(this.#ctx.sql, id);
    return row && !this.#after.has(row.path) ? this.#find(row.path, id) : null;
  }

  #find(path: string, id: string): Located | null {
    const document = this.document(path);
    const entry = document?.entries.find((one) => idOf(one) === id);
    return document && entry ? { path, document, entry } : null;
  }

  /** Whether the draft changed this file (or may have). */
  touched(path: string): boolean {
    return this.#after.has(path);
  }

  /** Files that the draft touched and that stand in it. */
  touchedPaths(): string[] {
    return [...this.#after].flatMap(([path, file]) => (file === null ? [] : [path]));
  }

  /** The path under which a file of this name (by any spelling) stands, or the name itself. */
  standingPath(path: string): string {
    const key = pathKey(path);
    for (const touched of this.touchedPaths()) if (pathKey(touched) === key) return touched;
    const row = this.#ctx.sql.exec<{ path: string }>("SELECT path FROM files WHERE fold = ?", key).toArray()[0];
    return row?.path ?? path;
  }
}

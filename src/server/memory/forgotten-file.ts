// The lists of tombstones: forgotten.md at the root, forgotten/2.md and on, at most 500 lines each (format, Tombstones).
import { removeEntries } from "../../shared/edit-document.ts";
import type { Document } from "../../shared/document.ts";
import { formatEntryLine, metaValue, type Meta } from "../../shared/entry.ts";
import { TOMBSTONES_PER_FILE } from "../../shared/limits.ts";

/** The path of the nth tombstone file, from 1. */
export function forgottenPath(n: number): string {
  return n === 1 ? "forgotten.md" : `forgotten/${n}.md`;
}

/** What a tombstone says: that and when, never what. */
export interface NewStone {
  id: string;
  removed: string;
  match: string;
  /** The id that it removed; null where the line had none. */
  replaces: string | null;
}

const metaOf = ({ id, removed, match, replaces }: NewStone): Meta => [
  ["id", id],
  ["removed", removed],
  ["match", match],
  ...(replaces === null ? [] : [["replaces", replaces] as const]),
];

/** The parts of the draft that these edits need. */
interface Files {
  text(path: string): string | null;
  document(path: string): Document | null;
  put(path: string, next: Document | string): void;
}

const countOf = (document: Document | null): number =>
  (document?.entries ?? []).filter(({ meta }) => metaValue(meta, "removed") !== undefined).length;

/** Adds tombstones behind the last one; a file that is full is followed by the next. */
export function addStones(files: Files, stones: readonly NewStone[]): void {
  let n = 1;
  while (files.text(forgottenPath(n + 1)) !== null) n++;
  let count = countOf(files.document(forgottenPath(n)));
  let text = files.text(forgottenPath(n)) ?? EMPTY;
  for (const stone of stones) {
    if (count >= TOMBSTONES_PER_FILE) {
      files.put(forgottenPath(n++), text);
      text = EMPTY;
      count = 0;
    }
    text += `${text === "" || text.endsWith("\n") ? "" : "\n"}${formatEntryLine({ indent: 0, bullet: "-", text: "(forgotten)", meta: metaOf(stone) })}\n`;
    count++;
  }
  if (stones.length > 0) files.put(forgottenPath(n), text);
}

/** Takes tombstones out of the files that hold them. */
export function dropStones(files: Files, places: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const [path, ids] of places) {
    const document = files.document(path);
    if (!document) continue;
    const lines = document.entries.filter(({ meta }) => ids.has(metaValue(meta, "id") ?? "\n")).map(({ line }) => line);
    if (lines.length > 0) files.put(path, removeEntries(document, new Set(lines)));
  }
}

const EMPTY = "# Forgotten\n\n";

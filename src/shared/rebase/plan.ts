// What belongs to one file of the result, and the one question that is asked of every part of it.

import type { EntryNode, SectionNode } from "./nodes.ts";
import type { FileVersion } from "./read.ts";
import type { Side } from "./types.ts";

export interface Versions {
  base: FileVersion | null;
  mine: FileVersion | null;
  theirs: FileVersion | null;
}

/** What belongs to a file of the result. */
export interface FilePlan {
  path: string;
  versions: Versions;
  sections: SectionNode[];
  /** Entries whose own lines of text and code are merged with this file: those placed here, and those gone from here. */
  entries: readonly EntryNode[];
  /** Entries by what they hang on, for all files. */
  held: ReadonlyMap<EntryNode | SectionNode, EntryNode[]>;
}

/** Of two sides the one that changed a thing; theirs where both or none did. */
export function changedBy<T>(base: T, mine: T, theirs: T, same: (a: T, b: T) => boolean): Side {
  return same(theirs, base) && !same(mine, base) ? "mine" : "theirs";
}

/** Equality of plain values, for changedBy. */
export function sameValue<T>(a: T, b: T): boolean {
  return a === b;
}

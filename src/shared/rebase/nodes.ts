// What a rebase merges: one node for an entry, a line of prose or a section, holding it in each version that has it.

import type { Meta } from "../entry.ts";
import { idOfEntry } from "./match.ts";
import type { EntryItem, ProseItem, Section } from "./read.ts";
import type { Side } from "./types.ts";

/** What the result says at a node. */
export interface EntryResult {
  /** The line from the bullet on. */
  body: string;
  text: string;
  meta: Meta;
  /** The side whose line end it takes. */
  from: Side;
}

/** An entry, by its name, in all versions that hold it. */
export interface EntryNode {
  kind: "entry";
  base: EntryItem | null;
  mine: EntryItem | null;
  theirs: EntryItem | null;
  /** Null where the result does not hold it. */
  result: EntryResult | null;
  /** The side whose place it takes. */
  place: Side;
  /** What it hangs on in the result. */
  holder: EntryNode | SectionNode | null;
}

/** A line that is neither heading nor entry nor blank. */
export interface ProseNode {
  kind: "prose";
  base: ProseItem | null;
  mine: ProseItem | null;
  theirs: ProseItem | null;
  /** The side whose line stands in the result. */
  from: Side;
  holder: EntryNode | SectionNode | null;
  /** The line before it in the merged prose. */
  above: ProseNode | null;
}

/** A heading and what stands under it; the part before the first heading is one as well. */
export interface SectionNode {
  kind: "section";
  path: string;
  base: Section | null;
  mine: Section | null;
  theirs: Section | null;
  /** The section was made by the rebase itself, for an entry that belongs into History. */
  made: boolean;
}

/** Whatever has a place in a list. */
export type ListNode = EntryNode | ProseNode;

/** The section that a node stands in, through whatever it hangs on. */
export function sectionOf(node: EntryNode | ProseNode | SectionNode): SectionNode | null {
  let at: EntryNode | ProseNode | SectionNode | null = node;
  while (at !== null && at.kind !== "section") at = at.holder;
  return at;
}

/** The entry's id in a version, or undefined. */
export function idOf(item: EntryItem | null): string | undefined {
  return item === null ? undefined : idOfEntry(item.entry);
}

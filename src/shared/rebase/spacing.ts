// The blank lines above a line of the result, and the white space before it.

import type { EntryNode, SectionNode } from "./nodes.ts";
import { changedBy, sameValue } from "./plan.ts";
import type { EntryItem, Item } from "./read.ts";
import type { Side } from "./types.ts";

/** An item in the versions that have it. */
export interface Items {
  base: Item | null;
  mine: Item | null;
  theirs: Item | null;
}

/** The version whose blank lines above an item count: the side that changed them, or whose place it takes. */
function leadSource(item: Item, items: Items, side: Side): Item {
  const { base, mine, theirs } = items;
  if (mine === null || theirs === null) return mine ?? theirs ?? item;
  const together = mine.section.node === theirs.section.node && (base === null || base.section.node === mine.section.node);
  if (!together) return items[side] ?? item;
  if (base === null) return theirs;
  return changedBy(base.lead.length, mine.lead.length, theirs.lead.length, sameValue) === "mine" ? mine : theirs;
}

/** The entry right below in an unbroken run of entries, else the item itself. */
function followerOf(item: Item): Item {
  const next = item.section.file.items[item.at + 1];
  return next !== undefined && next.afterEntry && next.kind === "entry" ? next : item;
}

/**
 * The item whose blank lines go above an item: its own, unless it now follows an entry and did not before, or the other
 * way round; then those of its neighbour in the list. `missing` asks for a blank line where none comes out.
 */
export function spacing(
  item: Item,
  items: Items,
  side: Side,
  above: Item["kind"] | null,
  text: string,
): { from: Item | null; missing: boolean } {
  const source = leadSource(item, items, side);
  const afterEntry = above === "entry";
  if (above === null) return { from: source.at > 0 ? null : source, missing: false };
  let from: Item | null = source;
  if (item.kind === "entry" && afterEntry !== source.afterEntry) {
    from = afterEntry ? followerOf(source) : (source.runHead ?? source);
    if (afterEntry && from === source) from = null;
  }
  const apart = item.kind === "heading" || (item.kind === "prose" && !/^[ \t]/.test(text));
  const first = source.at === 0 && (item.kind !== "entry" || !afterEntry);
  return { from, missing: first || (apart && afterEntry !== source.afterEntry) };
}

/** White space before an entry: as its own side has it, moved with what it hangs on, never deeper than an earlier sibling. */
export function indentOf(
  node: EntryNode,
  holder: EntryNode | SectionNode,
  holderIndent: string | null,
  least: string | null,
): string {
  let above = node[node.place] as EntryItem;
  while (above.parent !== null && above.parent.node !== holder) above = above.parent;
  let indent = above.indent;
  if (holder.kind === "entry" && holderIndent !== null) {
    const step = above.parent === null ? "" : above.indent.slice(above.parent.indent.length);
    indent = holderIndent + (step === "" ? "  " : step);
  }
  return least !== null && indent.length > least.length ? least : indent;
}

/** Moves a line with the entry that it is inside of: white space up to `from` becomes `to`. */
export function shifted(text: string, from: number, to: string): string {
  const lead = (/^[ \t]*/.exec(text) as RegExpExecArray)[0].length;
  return lead === text.length || lead < from ? text : to + text.slice(from);
}

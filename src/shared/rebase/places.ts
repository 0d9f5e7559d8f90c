// Where each entry stands in the result: in which section, under which entry (format.md, Three-way rebase, rule 5).

import { HISTORY } from "../document.ts";
import type { EntryClash } from "./entries.ts";
import type { EntryNode, SectionNode } from "./nodes.ts";
import type { EntryItem } from "./read.ts";
import { stateOf } from "../clock.ts";
import type { Side } from "./types.ts";

function sectionNodeOf(item: EntryItem): SectionNode {
  return item.section.node as SectionNode;
}

/** Whether a side put an entry into another file or section. */
function moved(base: EntryItem, side: EntryItem): boolean {
  return sectionNodeOf(base) !== sectionNodeOf(side);
}

function inHistory(item: EntryItem): boolean {
  return item.section.heading?.text === HISTORY;
}

/** Whether a side hung an entry on another one, or on none, by its own will and not because the other one is gone. */
function rehung(base: EntryItem, side: EntryItem, name: Side): boolean {
  const [old, now] = [base.parent?.node ?? null, side.parent?.node ?? null];
  if (old === now) return false;
  return !(old !== null && old[name] === null && old.result !== null);
}

/** The side whose place an entry takes. */
function placeOf(node: EntryNode, clashed: boolean): Side {
  const { base, mine, theirs } = node;
  if (mine === null) return "theirs";
  if (theirs === null) return "mine";
  if (base === null) return "theirs";
  // What the result holds is theirs, so it stays with the state that theirs says.
  if (clashed && inHistory(mine) !== inHistory(theirs)) return "theirs";
  if (moved(base, theirs)) return "theirs";
  if (moved(base, mine)) return "mine";
  if (rehung(base, theirs, "theirs")) return "theirs";
  return rehung(base, mine, "mine") ? "mine" : "theirs";
}

/** What a node hangs on when it takes the place of a side: the nearest entry above it that the result holds. */
function holderFrom(node: EntryNode, side: Side): EntryNode | SectionNode {
  const item = node[side] as EntryItem;
  for (let above = item.parent; above !== null; above = above.parent) {
    if (above.node?.result != null) return above.node;
  }
  return sectionNodeOf(item);
}

/** Two sides may have hung two entries on each other: such a ring is opened by taking theirs' places. */
function openRings(nodes: readonly EntryNode[]): void {
  const safe = new Set<EntryNode>();
  for (const node of nodes) {
    if (node.holder?.kind === "section") {
      safe.add(node);
      continue;
    }
    const path: EntryNode[] = [];
    const onPath = new Set<EntryNode>();
    let at: EntryNode | SectionNode | null = node;
    while (at !== null && at.kind === "entry" && !safe.has(at)) {
      if (onPath.has(at)) {
        for (const one of path.slice(path.indexOf(at))) {
          if (one.theirs === null) continue;
          one.place = "theirs";
          one.holder = holderFrom(one, "theirs");
        }
        path.length = 0;
        onPath.clear();
        at = node;
        continue;
      }
      path.push(at);
      onPath.add(at);
      at = at.holder;
    }
    for (const one of path) safe.add(one);
  }
}

/**
 * Gives every entry of the result its place. `history` finds the History of a file, or makes it.
 */
export function placeEntries(
  nodes: readonly EntryNode[],
  clashes: readonly EntryClash[],
  today: string,
  history: (path: string) => SectionNode,
): void {
  const clashed = new Set(clashes.map((clash) => clash.node));
  const standing = nodes.filter((node) => node.result !== null);
  for (const node of standing) node.place = placeOf(node, clashed.has(node));
  for (const node of standing) {
    node.holder = holderFrom(node, node.place);
    const { base, mine, theirs, result } = node;
    if (base === null || mine === null || theirs === null || result === null) continue;
    const bothMoved = moved(base, mine) && moved(base, theirs);
    if (bothMoved && !inHistory(theirs) && node.holder.kind === "section" && stateOf(result.meta, today) === "closed") {
      node.holder = history(theirs.section.file.path);
    }
  }
  openRings(standing);
}

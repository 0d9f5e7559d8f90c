// What the result says at each entry: one name, one line, or a conflict (format.md, Three-way rebase, rules 2 to 6).

import { formatEntryLine, metaValue, metaValues, type EntryLine, type Meta } from "../entry.ts";
import { isTombstone, mergeFields, renameIds, sameFields } from "./fields.ts";
import { KnownNames, matchEntries, nameOf, type Names } from "./match.ts";
import { idOf, type EntryNode } from "./nodes.ts";
import type { EntryItem } from "./read.ts";
import { stateOf } from "../clock.ts";
import type { Conflict, Side } from "./types.ts";

/** A conflict whose path is known only when the result stands. */
export interface EntryClash {
  node: EntryNode;
  kind: "edit-edit" | "edit-remove";
}

const NAMES: Names<EntryItem> = {
  entry: (item) => item.entry,
  path: (item) => item.section.file.path,
  section: (item) => item.section.heading?.text ?? null,
  parent: (item) => item.parent?.entry ?? null,
};

function newNode(parts: Partial<Pick<EntryNode, "base" | "mine" | "theirs">>): EntryNode {
  const { base = null, mine = null, theirs = null } = parts;
  const node: EntryNode = { kind: "entry", base, mine, theirs, result: null, place: "theirs", holder: null };
  if (base !== null) base.node = node;
  if (mine !== null) mine.node = node;
  if (theirs !== null) theirs.node = node;
  return node;
}

/** One node for each entry of base, joined with the same entry of the sides, and one for each that a side added. */
export function matchVersions(base: EntryItem[], mine: EntryItem[], theirs: EntryItem[], today: string): EntryNode[] {
  const nodes = base.map((item) => newNode({ base: item }));
  const added: Record<Side, EntryItem[]> = { mine: [], theirs: [] };
  const known = new KnownNames();
  for (const [side, items] of [
    ["mine", mine],
    ["theirs", theirs],
  ] as const) {
    matchEntries(base, items, NAMES, known).forEach((index, at) => {
      const item = items[at] as EntryItem;
      const node = nodes[index];
      if (node === undefined) {
        added[side].push(item);
        return;
      }
      node[side] = item;
      item.node = node;
    });
  }
  for (const item of added.theirs) nodes.push(newNode({ theirs: item }));
  joinAdded(added, today);
  for (const item of added.mine) if (item.node === null) nodes.push(newNode({ mine: item }));
  return nodes;
}

/** What two additions have in common when they are the same new fact. */
function factKey(item: EntryItem, today: string): string {
  const { meta } = item.entry;
  return [
    item.section.file.path,
    nameOf(item.entry),
    metaValue(meta, "on") ?? "",
    metaValue(meta, "scope") ?? "",
    stateOf(meta, today),
  ].join("\u0000");
}

function depthOf(item: EntryItem): number {
  let depth = 0;
  for (let at = item.parent; at !== null; at = at.parent) depth += 1;
  return depth;
}

/** Joins what both sides added: one id, or the same new fact. Parents come before their children. */
function joinAdded(added: Record<Side, EntryItem[]>, today: string): void {
  const join = (mine: EntryItem, theirs: EntryItem | undefined): boolean => {
    if (theirs?.node == null) return false;
    theirs.node.mine = mine;
    mine.node = theirs.node;
    return true;
  };
  const byId = new Map<string, EntryItem[]>();
  for (const item of added.theirs) {
    const id = idOf(item);
    if (id === undefined) continue;
    const list = byId.get(id);
    if (list === undefined) byId.set(id, [item]);
    else list.push(item);
  }
  for (const item of added.mine) {
    const id = idOf(item);
    if (id !== undefined) join(item, byId.get(id)?.shift());
  }
  const numbers = new Map<EntryNode | null, number>();
  /** A number that tells nodes apart in a key. */
  const numberOf = (node: EntryNode | null): number => {
    const number = numbers.get(node) ?? numbers.size;
    numbers.set(node, number);
    return number;
  };
  const fact = (item: EntryItem) => item.node?.mine == null && !isTombstone(item.entry.meta);
  const theirs = new Map<string, EntryItem[]>();
  const put = (key: string, item: EntryItem) => {
    const list = theirs.get(key);
    if (list === undefined) theirs.set(key, [item]);
    else list.push(item);
  };
  /** The next of a list that is still free. */
  const next = (key: string): EntryItem | undefined => {
    const list = theirs.get(key);
    while (list !== undefined && list.length > 0) {
      const item = list[list.length - 1] as EntryItem;
      if (item.node?.mine == null) return item;
      list.pop();
    }
    return undefined;
  };
  for (const item of [...added.theirs].reverse()) {
    if (!fact(item)) continue;
    const key = factKey(item, today);
    put(`${key}\u0000any`, item);
    if (item.parent === null) put(`${key}\u0000top`, item);
    else put(`${key}\u0000${numberOf(item.parent.node)}`, item);
  }
  const levels: EntryItem[][] = [];
  for (const item of added.mine) if (item.node === null && fact(item)) (levels[depthOf(item)] ??= []).push(item);
  for (const level of levels) {
    const open = (level ?? []).filter((item) => {
      const place = item.parent === null ? "top" : String(numberOf(item.parent.node));
      return !join(item, next(`${factKey(item, today)}\u0000${place}`));
    });
    // Under two different parents the same words are two facts; beside a parent and alone they are one.
    for (const item of open) join(item, next(`${factKey(item, today)}\u0000${item.parent === null ? "any" : "top"}`));
  }
}

function take(node: EntryNode, side: Side): void {
  const item = node[side] as EntryItem;
  node.result = { body: item.body, text: item.entry.text, meta: item.entry.meta, from: side };
}

/** Whether a side changed what an entry says. That it gave an id to a line without one is no edit. */
function edited(base: EntryItem, side: EntryItem): boolean {
  return !sameFields(base.entry, side.entry, idOf(base) === undefined ? "id" : undefined);
}

/** Whether two lines are the same but for trailing blanks. */
function sameBody(a: EntryItem | null, b: EntryItem): boolean {
  return a !== null && a.body.trimEnd() === b.body.trimEnd();
}

/** Takes the bytes of a side where they say what was merged, else the writer's form. */
function write(node: EntryNode, text: string, meta: Meta): void {
  const mine = node.mine as EntryItem;
  const theirs = node.theirs as EntryItem;
  const merged = { text, meta };
  // Where both say it, the side that changed how it is written wins, theirs first.
  const order: Side[] = sameBody(node.base, theirs) && !sameBody(node.base, mine) ? ["mine", "theirs"] : ["theirs", "mine"];
  for (const side of order) {
    if (sameFields((node[side] as EntryItem).entry, merged)) {
      take(node, side);
      return;
    }
  }
  const line: EntryLine = { indent: 0, bullet: theirs.entry.bullet, text, meta };
  node.result = { body: formatEntryLine(line), text, meta, from: "theirs" };
}

/** Decides what the result says at a node; a clash comes back. */
export function resolveEntry(node: EntryNode): EntryClash | null {
  const { base, mine, theirs } = node;
  if (mine !== null && theirs !== null) {
    if (mine.body === theirs.body) {
      take(node, "theirs");
      return null;
    }
    const sameFact = base === null && (idOf(mine) === undefined || idOf(mine) !== idOf(theirs));
    const merged = mergeFields(base?.entry ?? null, mine.entry, theirs.entry, sameFact);
    if (merged.clash) {
      take(node, "theirs");
      return { node, kind: "edit-edit" };
    }
    write(node, merged.text, merged.meta);
    return null;
  }
  if (base === null) {
    take(node, mine === null ? "theirs" : "mine");
    return null;
  }
  if (mine === null && theirs === null) return null;
  const kept = (mine ?? theirs) as EntryItem;
  if (!edited(base, kept)) return null;
  if (theirs !== null) take(node, "theirs");
  return { node, kind: "edit-remove" };
}

/**
 * Forgetting wins: takes away every entry that a tombstone standing in the result removed. `others` are the ids that
 * tombstones of untouched files removed.
 */
export function forget(
  nodes: readonly EntryNode[],
  isForgottenList: (path: string) => boolean,
  others: ReadonlySet<string>,
): Set<EntryNode> {
  const gone = new Set(others);
  const stone = (node: EntryNode) => node.result !== null && isTombstone(node.result.meta) && pathsOf(node).some(isForgottenList);
  for (const node of nodes) {
    if (stone(node)) for (const id of metaValues((node.result as { meta: Meta }).meta, "replaces")) gone.add(id);
  }
  const forgotten = new Set<EntryNode>();
  if (gone.size === 0) return forgotten;
  for (const node of nodes) {
    if (stone(node)) continue;
    const ids = [idOf(node.base), idOf(node.mine), idOf(node.theirs)];
    if (!ids.some((id) => id !== undefined && gone.has(id))) continue;
    node.result = null;
    forgotten.add(node);
  }
  return forgotten;
}

function pathsOf(node: EntryNode): string[] {
  return [node.mine, node.theirs].flatMap((item) => (item === null ? [] : [item.section.file.path]));
}

/** Where a join dropped an id that mine had given, what mine wrote about it follows to the id that stayed. */
export function followIds(nodes: readonly EntryNode[]): void {
  const renamed = new Map<string, string>();
  const standing = new Set<string>();
  for (const node of nodes) {
    const id = node.result === null ? undefined : metaValue(node.result.meta, "id");
    if (id !== undefined) standing.add(id);
    const dropped = idOf(node.mine);
    if (id !== undefined && dropped !== undefined && dropped !== id && idOf(node.base) === undefined) renamed.set(dropped, id);
  }
  for (const id of standing) renamed.delete(id);
  if (renamed.size === 0) return;
  for (const node of nodes) {
    if (node.result === null || node.mine === null) continue;
    const meta = renameIds(node.result.meta, renamed);
    if (meta === node.result.meta) continue;
    const { bullet } = (node.theirs ?? node.mine).entry;
    node.result = { ...node.result, meta, body: formatEntryLine({ indent: 0, bullet, text: node.result.text, meta }) };
  }
}

/** The entry's name in a conflict: its id, else its normalised text. */
export function conflictName(node: EntryNode): string {
  const item = (node.theirs ?? node.base ?? node.mine) as EntryItem;
  return idOf(node.theirs) ?? idOf(node.base) ?? idOf(node.mine) ?? nameOf(item.entry);
}

/** A clash as it is reported. */
export function reportClash({ node, kind }: EntryClash, path: string): Conflict {
  const text = (item: EntryItem | null) => (item === null ? null : item.body);
  return { path, entry: conflictName(node), kind, base: text(node.base), mine: text(node.mine), theirs: text(node.theirs) };
}

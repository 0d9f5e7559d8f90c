// The prose of a file, merged home by home. A home is what lines of text and code stand right inside of: a section, or
// an entry, with which they go wherever it goes.

import { sectionOf, type EntryNode, type ProseNode, type SectionNode } from "./nodes.ts";
import { changedBy, sameValue, type FilePlan } from "./plan.ts";
import { mergeProse, type ProseLine } from "./prose.ts";
import type { EntryItem, Item, ProseItem } from "./read.ts";
import type { Version } from "./types.ts";

/** What has prose of its own. */
export type Home = SectionNode | EntryNode;

/** The lines of prose right inside a section or an entry. */
function proseOf(home: Home, version: Version): ProseItem[] {
  return (home[version]?.children ?? []).filter((child): child is ProseItem => child.kind === "prose");
}

function homeOf(item: ProseItem): Home {
  return (item.parent?.node ?? item.section.node) as Home;
}

function byPlace(a: Item, b: Item): number {
  const [one, other] = [a.section.file.path, b.section.file.path];
  return one === other ? a.at - b.at : one < other ? -1 : 1;
}

/** Lines that stand once in a version. */
function once(homes: readonly Home[], version: Version): Map<string, ProseItem> {
  const found = new Map<string, ProseItem | null>();
  for (const home of homes) {
    for (const item of proseOf(home, version)) {
      const text = item.line.text.trimEnd();
      found.set(text, found.has(text) ? null : item);
    }
  }
  return new Map([...found].flatMap(([text, item]) => (item === null ? [] : [[text, item] as const])));
}

/**
 * Homes whose prose has to be merged together: where a side took a heading or an entry away, or put one in, the lines
 * under it stand in another home than before.
 */
function proseGroups(homes: readonly Home[]): Home[][] {
  const group = new Map<Home, Home[]>();
  for (const home of homes) {
    if ((["base", "mine", "theirs"] as const).some((version) => home[version]?.children.some((child) => child.kind === "prose")))
      group.set(home, [home]);
  }
  const old = once([...group.keys()], "base");
  for (const side of ["mine", "theirs"] as const) {
    if (old.size === 0) break;
    for (const [text, item] of once([...group.keys()], side)) {
      const before = old.get(text);
      const [from, to] = [before === undefined ? null : homeOf(before), homeOf(item)];
      if (from === null || from === to || (from[side] !== null && to.base !== null)) continue;
      const [a, b] = [group.get(from), group.get(to)];
      if (a === undefined || b === undefined || a === b) continue;
      const [large, small] = a.length < b.length ? [b, a] : [a, b];
      for (const home of small) {
        large.push(home);
        group.set(home, large);
      }
    }
  }
  return [...new Set(group.values())];
}

/** Whether two versions of an entry hold the same text and code inside. */
export function sameInside(a: EntryItem, b: EntryItem): boolean {
  const text = (item: EntryItem) =>
    item.children.flatMap((child) => (child.kind === "prose" ? [child.line.text.trim()] : [])).join("\n");
  return text(a) === text(b);
}

/** The lines as the merge of prose sees them. */
function proseLines(items: readonly ProseItem[]): ProseLine[] {
  return items.map((item, at) => {
    const above = item.section.file.items[item.at - 1];
    const close = item.lead.length === 0;
    const before = items[at - 1];
    return {
      text: item.line.text.trimEnd(),
      close,
      joined: close && before !== undefined && before === above,
      anchor:
        above === undefined || above.kind === "prose"
          ? null
          : above.kind === "heading"
            ? above.section.node
            : (above as EntryItem).node,
    };
  });
}

function sameTrimmed(a: Item, b: Item): boolean {
  return a.line.text.trimEnd() === b.line.text.trimEnd();
}

/** A block of prose that both sides changed. */
export interface HomeClash {
  base: readonly ProseItem[];
  mine: readonly ProseItem[];
  theirs: readonly ProseItem[];
}

/** Merged lines by what they hang on. */
export interface MergedHomes {
  prose: Map<Home, ProseNode[]>;
  clashes: HomeClash[];
}

/** Merges all prose of a file. `careful` takes theirs' lines (mine's where theirs has no such file) and leaves the others out. */
export function mergeHomes(plan: FilePlan, careful: boolean): MergedHomes {
  const merged: MergedHomes = { prose: new Map(), clashes: [] };
  const only = careful ? (plan.versions.theirs !== null ? "theirs" : "mine") : null;
  for (const group of proseGroups([...plan.sections, ...plan.entries])) mergeGroup(plan, group, only, merged);
  return merged;
}

function mergeGroup(plan: FilePlan, group: readonly Home[], only: "mine" | "theirs" | null, result: MergedHomes): void {
  const items = (version: Version): ProseItem[] => {
    if (group.length === 1) return proseOf(group[0] as Home, version);
    return group.flatMap((home) => proseOf(home, version)).sort(byPlace);
  };
  const all = { base: items("base"), mine: items("mine"), theirs: items("theirs") };
  for (const item of [...all.base, ...all.mine, ...all.theirs]) item.node = null;
  const nodes: ProseNode[] = [];
  if (only !== null) {
    for (const item of all[only])
      nodes.push({ kind: "prose", base: null, mine: null, theirs: null, from: only, holder: null, above: null, [only]: item });
  } else {
    const merged = mergeProse(proseLines(all.base), proseLines(all.mine), proseLines(all.theirs));
    for (const { base, mine, theirs } of merged.clashes) {
      result.clashes.push({ base: all.base.slice(...base), mine: all.mine.slice(...mine), theirs: all.theirs.slice(...theirs) });
    }
    const at = (list: readonly ProseItem[], index: number | null) => (index === null ? null : (list[index] ?? null));
    for (const line of merged.lines) {
      const [base, mine, theirs] = [at(all.base, line.base), at(all.mine, line.mine), at(all.theirs, line.theirs)];
      const stays = base !== null && mine !== null && theirs !== null && sameTrimmed(mine, theirs);
      // Of a line that differs in its trailing blanks alone, the side that changed them counts.
      const from = stays ? changedBy(base.line.text, mine.line.text, theirs.line.text, sameValue) : line.from;
      nodes.push({ kind: "prose", base, mine, theirs, from, holder: null, above: null });
    }
  }
  let above: ProseNode | null = null;
  for (const node of nodes) {
    node.above = above;
    above = node;
    for (const item of [node.base, node.mine, node.theirs]) if (item !== null) item.node = node;
    node.holder = holderOf(plan, node);
    const list = result.prose.get(node.holder);
    if (list === undefined) result.prose.set(node.holder, [node]);
    else list.push(node);
  }
}

/** What a line hangs on: the entry that it is inside of, as long as that stands in this file, else its section. */
function holderOf(plan: FilePlan, node: ProseNode): Home {
  const { base, mine, theirs, above } = node;
  const own = (theirs ?? mine) as ProseItem;
  // A new line that was put onto another one stays with it, wherever a new or removed heading took that one.
  if (base === null && (mine === null || theirs === null) && own.lead.length === 0 && above !== null && above.holder !== null) {
    const right = (item: ProseItem | null) => item !== null && item.section === own.section && item.at === own.at - 1;
    if (right(above.mine) || right(above.theirs)) return above.holder;
  }
  const moved = (item: ProseItem) => base !== null && homeOf(item) !== homeOf(base);
  const leading = mine !== null && (theirs === null || (moved(mine) && !moved(theirs))) ? mine : own;
  for (let entry = leading.parent; entry !== null; entry = entry.parent) {
    if (entry.node?.result != null && sectionOf(entry.node)?.path === plan.path) return entry.node;
  }
  const section = leading.section.node as SectionNode;
  return section.path === plan.path ? section : (plan.sections[0] as SectionNode);
}

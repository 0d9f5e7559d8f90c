// Puts one file of the result together: its sections, the entries placed in it, and the lines between them, each with
// the blank lines above it (format.md, Three-way rebase, rules 3, 7 and 8).

import { BlockReader } from "../blocks.ts";
import { HISTORY, readLines, type DocumentLine } from "../document.ts";
import type { EntryNode, ListNode, ProseNode, SectionNode } from "./nodes.ts";
import { mergeProse, type ProseLine } from "./prose.ts";
import type { EntryItem, FileVersion, Item, ProseItem, Section } from "./read.ts";
import type { Conflict, Side, Version } from "./types.ts";
import { sectionOf } from "./nodes.ts";
import { weave } from "./weave.ts";

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

export interface Assembled {
  /** Null where the result has no such file. */
  text: string | null;
  conflicts: Conflict[];
  /** Entries that could not be written so that they read as entries. */
  unread: EntryNode[];
}

interface Out {
  kind: Item["kind"];
  text: string;
  end: DocumentLine["end"];
  lead: readonly { text: string; end: DocumentLine["end"] }[];
  node: EntryNode | null;
}

const NO_LINES: Out["lead"] = [];
const VERSIONS: readonly Version[] = ["base", "mine", "theirs"];

function textOf(items: readonly Item[]): string | null {
  return items.length === 0 ? null : items.map((item) => item.line.text).join("\n");
}

/** Of two sides the one that changed a thing; theirs where both or none did. */
function changedBy<T>(base: T, mine: T, theirs: T, same: (a: T, b: T) => boolean): Side {
  return same(theirs, base) && !same(mine, base) ? "mine" : "theirs";
}

function sameValue<T>(a: T, b: T): boolean {
  return a === b;
}

/** Builds the file; `careful` leaves mine's changes of prose out, so that theirs' own structure stands. */
class Assembly {
  readonly conflicts: Conflict[] = [];
  private readonly prose = new Map<EntryNode | SectionNode, ProseNode[]>();
  private readonly end: "\n" | "\r\n";

  constructor(
    private readonly plan: FilePlan,
    private readonly careful: boolean,
  ) {
    const { base, mine, theirs } = plan.versions;
    this.end = (mine && theirs ? [mine, theirs][Number(changedBy(base?.end, mine.end, theirs.end, sameValue) === "theirs")] : (theirs ?? mine))?.end ?? "\n";
  }

  private clash(base: readonly Item[], mine: readonly Item[], theirs: readonly Item[]): void {
    this.conflicts.push({ path: this.plan.path, entry: null, kind: "prose", base: textOf(base), mine: textOf(mine), theirs: textOf(theirs) });
  }

  /** Lines of the result, or null where it has no such file. */
  build(): Out[] | null {
    const { versions, sections } = this.plan;
    for (const group of proseGroups([...sections, ...this.plan.entries])) this.mergeGroup(group);
    const removed = versions.base !== null && (versions.mine === null || versions.theirs === null);
    const kept = sections.filter((section) => this.keeps(section, removed));
    const says = kept.some((section) => section.base?.at !== 0 && section.theirs?.at !== 0 && section.mine?.at !== 0 || this.fills(section));
    if (removed && !says) return null;
    if (removed) {
      const title = sections.find((section) => VERSIONS.some((version) => section[version]?.at === 1 && section[version]?.heading?.level === 1));
      if (title !== undefined && !kept.includes(title)) kept.push(title);
    }
    return this.lines(this.ordered(kept));
  }

  private fills(section: SectionNode): boolean {
    return (this.plan.held.get(section)?.length ?? 0) > 0 || (this.prose.get(section)?.length ?? 0) > 0;
  }

  /** Whether the result holds a section; a heading that one side removed stays over what the other one put there. */
  private keeps(section: SectionNode, fileRemoved: boolean): boolean {
    const { base, mine, theirs } = section;
    if (section.made || (mine !== null && theirs !== null) || this.fills(section)) return true;
    const only = theirs ?? mine;
    if (only === null) return false;
    if (only.heading === null) return true;
    if (base === null) {
      if (!fileRemoved) return true;
      if (only.children.length > 0) return false; // what stood under it is gone, and with it its use
    } else if (base.heading?.text === only.heading.text && base.heading.level === only.heading.level) {
      return false;
    }
    // A new or renamed heading against a removal.
    const heading = (one: Section | null) => (one?.heading ? [one.heading] : []);
    this.clash(heading(base), heading(mine), heading(theirs));
    return theirs !== null;
  }

  private ordered(kept: SectionNode[]): SectionNode[] {
    const inResult = new Set(kept);
    const order = (version: Version): SectionNode[] =>
      (this.plan.versions[version]?.sections ?? []).flatMap((section) => (section.node !== null && inResult.has(section.node) ? [section.node] : []));
    const isHistory = (section: SectionNode) => (section.theirs ?? section.mine)?.heading?.text === HISTORY;
    const woven = weave(order("base"), order("mine"), order("theirs"), {
      behind: (section, theirs) => isHistory(section) || !isHistory(theirs),
      first: (section) => (section.theirs ?? section.mine)?.at === 0,
    });
    const placed = new Set(woven);
    return [...woven, ...kept.filter((section) => !placed.has(section))];
  }

  /** Merges the prose of a section or of an entry, or of several whose lines went from one to another. */
  private mergeGroup(group: readonly Home[]): void {
    const items = (version: Version): ProseItem[] => {
      if (group.length === 1) return proseOf(group[0] as Home, version);
      return group.flatMap((home) => proseOf(home, version)).sort(byPlace);
    };
    const [base, mine, theirs] = [items("base"), items("mine"), items("theirs")];
    for (const item of [...base, ...mine, ...theirs]) item.node = null;
    const carefulSide = this.careful ? (this.plan.versions.theirs !== null ? theirs : mine) : null;
    const merged =
      carefulSide === null
        ? mergeProse(proseLines(base), proseLines(mine), proseLines(theirs))
        : mergeProse(proseLines(carefulSide), proseLines(carefulSide), proseLines(carefulSide));
    for (const { base: b, mine: m, theirs: t } of merged.clashes) {
      this.clash(base.slice(b[0], b[1]), mine.slice(m[0], m[1]), theirs.slice(t[0], t[1]));
    }
    let previous: ProseNode | null = null;
    for (const line of merged.lines) {
      const at = (list: readonly ProseItem[], index: number | null) => (index === null ? null : (list[index] ?? null));
      const node: ProseNode = { kind: "prose", base: at(base, line.base), mine: at(mine, line.mine), theirs: at(theirs, line.theirs), from: line.from, holder: null, above: previous };
      if (carefulSide !== null) {
        node.base = null;
        node.mine = carefulSide === mine ? node.mine : null;
        node.theirs = carefulSide === theirs ? node.theirs : null;
        node.from = carefulSide === theirs ? "theirs" : "mine";
      } else if (node.base !== null && node.mine !== null && node.theirs !== null && line.from === "theirs") {
        const raw = (item: ProseItem) => item.line.text;
        if (sameTrimmed(node.mine, node.theirs)) node.from = changedBy(raw(node.base), raw(node.mine), raw(node.theirs), sameValue);
      }
      for (const item of [node.base, node.mine, node.theirs]) if (item !== null) item.node = node;
      node.holder = this.proseHolder(node);
      const list = this.prose.get(node.holder);
      if (list === undefined) this.prose.set(node.holder, [node]);
      else list.push(node);
      previous = node;
    }
  }

  /** What a line of prose hangs on: the entry that it is inside of, as long as that stands, else its section. */
  private proseHolder(node: ProseNode): EntryNode | SectionNode {
    const { base, mine, theirs } = node;
    const own = (theirs ?? mine) as ProseItem;
    const only = mine === null || theirs === null;
    // A line that was put onto another one stays with it, wherever a new or removed heading took that one.
    const tied = own.lead.length === 0 && node.above?.holder != null && [node.above.mine, node.above.theirs].some((item) => item !== null && item.section === own.section && item.at === own.at - 1);
    if (only && base === null && tied) return (node.above as ProseNode).holder as EntryNode | SectionNode;
    const moved = (item: ProseItem | null) => item !== null && base !== null && homeOf(item) !== homeOf(base);
    const leading = mine !== null && (theirs === null || (moved(mine) && !moved(theirs))) ? mine : own;
    for (let above = leading.parent; above !== null; above = above.parent) {
      if (above.node?.result != null && this.isHere(above.node)) return above.node;
    }
    const section = leading.section.node as SectionNode;
    return section.path === this.plan.path ? section : (this.plan.sections[0] as SectionNode);
  }

  private isHere(node: EntryNode): boolean {
    return sectionOf(node)?.path === this.plan.path;
  }

  /** What hangs on a holder, in a version's order; children of what is not there any more take its place. */
  private listOf(holder: EntryNode | SectionNode, version: Version): ListNode[] {
    const list: ListNode[] = [];
    const visit = (children: readonly (EntryItem | ProseItem)[]) => {
      for (const child of children) {
        const node: ListNode | null = child.node;
        if (node !== null && node.holder === holder && (node.kind === "prose" || node.result !== null)) list.push(node);
        else if (child.kind === "entry") visit(child.children);
      }
    };
    visit(holder[version]?.children ?? []);
    return list;
  }

  private childrenOf(holder: EntryNode | SectionNode): ListNode[] {
    const all: ListNode[] = [...(this.prose.get(holder) ?? []), ...(this.plan.held.get(holder) ?? [])];
    if (all.length === 0) return [];
    const woven = weave(this.listOf(holder, "base"), this.listOf(holder, "mine"), this.listOf(holder, "theirs"), {
      behind: (_, theirs) => theirs.kind === "entry",
      first: (node) => node.kind === "prose" && (node.theirs ?? node.mine)?.line.kind === "front",
    });
    if (woven.length === all.length) return woven;
    // What no side has in this list stands behind the line that it was put onto, else at the end.
    const placed = new Set<ListNode>(woven);
    const behind = new Map<ListNode | null, ListNode[]>();
    for (const node of all) {
      if (placed.has(node)) continue;
      placed.add(node);
      const anchor = node.kind === "prose" && node.above?.holder === holder ? node.above : null;
      const list = behind.get(anchor);
      if (list === undefined) behind.set(anchor, [node]);
      else list.push(node);
    }
    const result: ListNode[] = [];
    const waiting = [...woven, ...(behind.get(null) ?? [])].reverse();
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      result.push(node);
      for (const follower of [...(behind.get(node) ?? [])].reverse()) waiting.push(follower);
    }
    return result;
  }

  private lines(sections: readonly SectionNode[]): Out[] {
    const outs: Out[] = [];
    for (const section of sections) {
      this.emitHeading(outs, section);
      this.emitChildren(outs, section, null);
    }
    return outs;
  }

  private emitHeading(outs: Out[], section: SectionNode): void {
    if (section.made) {
      outs.push({ kind: "heading", text: `## ${HISTORY}`, end: this.end, lead: outs.length > 0 ? [this.blankLine()] : [], node: null });
      return;
    }
    const headings = { base: section.base?.heading ?? null, mine: section.mine?.heading ?? null, theirs: section.theirs?.heading ?? null };
    const { base, mine, theirs } = headings;
    let side: Side = theirs === null ? "mine" : "theirs";
    if (mine !== null && theirs !== null) {
      const same = (a: typeof mine | null, b: typeof mine | null) => a?.text === b?.text && a?.level === b?.level;
      if (!same(mine, theirs) && !same(mine, base) && !same(theirs, base)) this.clash(base ? [base] : [], [mine], [theirs]);
      side = same(mine, theirs) ? changedBy(base?.line.text, mine.line.text, theirs.line.text, sameValue) : changedBy<typeof mine | null>(base, mine, theirs, same);
    }
    const item = headings[side] ?? base;
    if (item === null) return;
    this.emit(outs, item.line.text, item, headings, side, null);
  }

  private emitChildren(outs: Out[], holder: EntryNode | SectionNode, indent: string | null): void {
    let least: string | null = null;
    for (const node of this.childrenOf(holder)) {
      if (node.kind === "prose") {
        const item = (node[node.from] ?? node.theirs ?? node.mine) as ProseItem;
        const moves = holder.kind === "entry" && item.parent?.node === holder && indent !== null;
        const text = moves ? shifted(item.line.text, (item.parent as EntryItem).indent.length, indent) : item.line.text;
        this.emit(outs, text, item, node, item === node.mine ? "mine" : "theirs", null);
        continue;
      }
      const own = this.indentOf(node, holder, indent, least);
      if (least === null || own.length < least.length) least = own;
      const item = node[node.place] as EntryItem;
      const text = own + (node.result as { body: string }).body;
      this.emit(outs, text, item, node, node.place, node);
      this.emitChildren(outs, node, own);
    }
  }

  /** White space before an entry: as its own side has it, moved with what it hangs on, never below an earlier sibling. */
  private indentOf(node: EntryNode, holder: EntryNode | SectionNode, holderIndent: string | null, least: string | null): string {
    let above = node[node.place] as EntryItem;
    while (above.parent !== null && above.parent.node !== holder) above = above.parent;
    let indent = above.indent;
    if (holder.kind === "entry" && holderIndent !== null) {
      const step = above.parent === null ? "  " : above.indent.slice(above.parent.indent.length);
      indent = holderIndent + (step === "" ? "  " : step);
    }
    return least !== null && indent.length > least.length ? least : indent;
  }

  private blankLine(): { text: string; end: DocumentLine["end"] } {
    return { text: "", end: this.end };
  }

  /** A line end in this file: the usual one of the version that a line comes from becomes the usual one here. */
  private endOf(line: DocumentLine, from: FileVersion): DocumentLine["end"] {
    return line.end === "" || line.end === from.end ? this.end : line.end;
  }

  private emit(
    outs: Out[],
    text: string,
    item: Item,
    items: { base: Item | null; mine: Item | null; theirs: Item | null },
    side: Side,
    node: EntryNode | null,
  ): void {
    const source = this.leadSource(item, items, side);
    const previous = outs[outs.length - 1];
    const afterEntry = previous?.kind === "entry";
    let from = source;
    let lead = source.lead;
    if (previous === undefined) {
      if (source.at > 0) lead = [];
    } else if (item.kind === "entry" && afterEntry !== source.afterEntry) {
      from = afterEntry ? followerOf(source) : (source.runHead ?? source);
      lead = afterEntry && from === source ? [] : from.lead;
    }
    const ownLine = node?.result ? ((node[node.result.from] ?? item) as EntryItem).line : item.line;
    const file = node?.result ? ((node[node.result.from] ?? item) as EntryItem).section.file : item.section.file;
    let above: Out["lead"] = NO_LINES;
    if (lead.length > 0) above = lead.map((line) => ({ text: line.text, end: this.endOf(line, from.section.file) }));
    const apart = item.kind === "heading" || (item.kind === "prose" && !/^[ \t]/.test(text));
    if (previous !== undefined && above.length === 0) {
      const first = source.at === 0 && (item.kind !== "entry" || !afterEntry);
      if (first || (apart && afterEntry !== source.afterEntry)) above = [this.blankLine()];
    }
    outs.push({ kind: item.kind, text, end: this.endOf(ownLine, file), lead: above, node });
  }

  /** The version whose blank lines above an item count. */
  private leadSource(item: Item, items: { base: Item | null; mine: Item | null; theirs: Item | null }, side: Side): Item {
    const { base, mine, theirs } = items;
    if (mine === null || theirs === null) return mine ?? theirs ?? item;
    const together = mine.section.node === theirs.section.node && (base === null || base.section.node === mine.section.node);
    if (!together) return items[side] ?? item;
    if (base === null) return theirs;
    const blanks = (one: Item) => one.lead.length;
    return changedBy(blanks(base), blanks(mine), blanks(theirs), sameValue) === "mine" ? mine : theirs;
  }

  /** The bytes of the lines. */
  text(outs: readonly Out[]): { text: string; kinds: (Item["kind"] | "blank")[] } {
    const { base, mine, theirs } = this.plan.versions;
    const flat: { text: string; end: string }[] = [];
    const kinds: (Item["kind"] | "blank")[] = [];
    for (const out of outs) {
      for (const blank of out.lead) {
        flat.push(blank);
        kinds.push("blank");
      }
      flat.push(out);
      kinds.push(out.kind);
    }
    const pick = <T>(of: (version: FileVersion) => T, same: (a: T, b: T) => boolean): FileVersion | null => {
      if (mine === null || theirs === null) return theirs ?? mine;
      if (base === null) return theirs;
      return changedBy(of(base), of(mine), of(theirs), same) === "mine" ? mine : theirs;
    };
    const tail = pick((version) => version.tail.length, sameValue);
    for (const line of tail?.tail ?? []) {
      flat.push({ text: line.text, end: this.endOf(line, tail as FileVersion) });
      kinds.push("blank");
    }
    const last = flat[flat.length - 1];
    const closed = pick((version) => version.closed, sameValue)?.closed ?? true;
    if (last !== undefined && !closed) flat[flat.length - 1] = { text: last.text, end: "" };
    const bom = pick((version) => version.bom, sameValue)?.bom ?? "";
    return { text: bom + flat.map((line) => line.text + line.end).join(""), kinds };
  }
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
      anchor: above === undefined || above.kind === "prose" ? null : above.kind === "heading" ? above.section.node : (above as EntryItem).node,
    };
  });
}

/** What has prose of its own. */
type Home = SectionNode | EntryNode;

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
    if ((["base", "mine", "theirs"] as const).some((version) => home[version]?.children.some((child) => child.kind === "prose"))) group.set(home, [home]);
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
  const text = (item: EntryItem) => item.children.flatMap((child) => (child.kind === "prose" ? [child.line.text.trim()] : [])).join("\n");
  return text(a) === text(b);
}

function sameTrimmed(a: Item, b: Item): boolean {
  return a.line.text.trimEnd() === b.line.text.trimEnd();
}

/** The entry right below in an unbroken run of entries, else the item itself. */
function followerOf(item: Item): Item {
  const next = item.section.file.items[item.at + 1];
  return next !== undefined && next.afterEntry && next.kind === "entry" ? next : item;
}

function shifted(text: string, from: number, to: string): string {
  const lead = (/^[ \t]*/.exec(text) as RegExpExecArray)[0].length;
  return lead === text.length || lead < from ? text : to + text.slice(from);
}

/** Indexes of the lines that do not read as what they are. */
function misread(text: string, kinds: readonly (Item["kind"] | "blank")[]): number[] {
  const wrong: number[] = [];
  readLines(text).lines.forEach((line, at) => {
    const wanted = kinds[at];
    const is = line.kind === "entry" || line.kind === "heading" ? line.kind : "prose";
    if (wanted === "blank" ? is !== "prose" : is !== wanted) wrong.push(at);
  });
  return wrong;
}

/** Closes code that would swallow a heading or an entry behind it. */
function withClosedCode(outs: readonly Out[], end: DocumentLine["end"]): Out[] {
  const result: Out[] = [];
  const reader = new BlockReader();
  let number = 0;
  const read = (text: string) => reader.next(text, (number += 1));
  for (const out of outs) {
    const mark = reader.openMark;
    if (mark !== null && out.kind !== "prose") {
      const trial = reader.copy();
      for (const blank of out.lead) trial.next(blank.text, 0);
      if (trial.next(out.text, 0) === "fence") {
        read(mark);
        result.push({ kind: "prose", text: mark, end, lead: [], node: null });
      }
    }
    for (const blank of out.lead) read(blank.text);
    read(out.text);
    result.push(out);
  }
  return result;
}

/** Assembles one file. Where the joined prose would hide an entry in code, theirs' prose stands and mine's is a conflict. */
export function assembleFile(plan: FilePlan): Assembled {
  const first = new Assembly(plan, false);
  const outs = first.build();
  if (outs === null) return { text: null, conflicts: first.conflicts, unread: [] };
  const plain = first.text(outs);
  if (misread(plain.text, plain.kinds).length === 0) return { text: plain.text, conflicts: first.conflicts, unread: [] };

  const careful = new Assembly(plan, true);
  const built = careful.build();
  if (built === null) return { text: null, conflicts: first.conflicts, unread: [] };
  const safe = withClosedCode(built, "\n");
  const text = careful.text(safe);
  const lines: (Out | null)[] = safe.flatMap((out) => [...out.lead.map(() => null), out]);
  const unread = misread(text.text, text.kinds).flatMap((at) => lines[at]?.node ?? []);
  const allProse = (version: FileVersion | null) => version?.items.filter((item) => item.kind === "prose") ?? [];
  const { base, mine, theirs } = plan.versions;
  const conflict: Conflict = { path: plan.path, entry: null, kind: "prose", base: textOf(allProse(base)), mine: textOf(allProse(mine)), theirs: textOf(allProse(theirs)) };
  const changed = conflict.mine !== conflict.base && conflict.mine !== conflict.theirs;
  return { text: text.text, conflicts: changed ? [...careful.conflicts, conflict] : careful.conflicts, unread };
}

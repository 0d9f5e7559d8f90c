// Puts one file of the result together: its sections, the entries placed in it, and the lines between them
// (format.md, Three-way rebase, rules 3, 7 and 8).

import { HISTORY, type DocumentLine } from "../document.ts";
import { mergeHomes, type Home } from "./homes.ts";
import type { EntryNode, ListNode, ProseNode, SectionNode } from "./nodes.ts";
import { bytesOf, endIn, misread, usualEnd, withClosedCode, type Out } from "./output.ts";
import { changedBy, sameValue, type FilePlan } from "./plan.ts";
import type { EntryItem, FileVersion, Item, ProseItem, Section } from "./read.ts";
import { indentOf, shifted, spacing, type Items } from "./spacing.ts";
import type { Conflict, Side, Version } from "./types.ts";
import { weave } from "./weave.ts";

/** A merged file. */
export interface Assembled {
  /** Null where the result has no such file. */
  text: string | null;
  conflicts: Conflict[];
  /** Entries that could not be written so that they read as entries. */
  unread: EntryNode[];
}

const NO_LINES: Out["lead"] = [];
const VERSIONS: readonly Version[] = ["base", "mine", "theirs"];

function textOf(items: readonly Item[]): string | null {
  return items.length === 0 ? null : items.map((item) => item.line.text).join("\n");
}

/** Builds the file; `careful` leaves mine's changes of prose out, so that theirs' own structure stands. */
class Assembly {
  readonly conflicts: Conflict[] = [];
  private readonly prose: ReadonlyMap<Home, ProseNode[]>;

  constructor(
    private readonly plan: FilePlan,
    careful: boolean,
  ) {
    const merged = mergeHomes(plan, careful);
    this.prose = merged.prose;
    for (const { base, mine, theirs } of merged.clashes) this.clash(base, mine, theirs);
  }

  private clash(base: readonly Item[], mine: readonly Item[], theirs: readonly Item[]): void {
    this.conflicts.push({
      path: this.plan.path,
      entry: null,
      kind: "prose",
      base: textOf(base),
      mine: textOf(mine),
      theirs: textOf(theirs),
    });
  }

  /** Lines of the result, or null where it has no such file. */
  build(): Out[] | null {
    const { versions, sections } = this.plan;
    const removed = versions.base !== null && (versions.mine === null || versions.theirs === null);
    const kept = sections.filter((section) => this.keeps(section, removed));
    const isTop = (section: SectionNode) => VERSIONS.some((version) => section[version]?.at === 0);
    const says = kept.some((section) => !isTop(section) || this.fills(section));
    if (removed && !says) return null;
    if (removed) {
      // Its first heading says whom the file speaks of.
      const isFirst = (section: SectionNode) =>
        VERSIONS.some((version) => section[version]?.at === 1 && section[version]?.heading?.text !== HISTORY);
      const title = sections.find(isFirst);
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
      (this.plan.versions[version]?.sections ?? []).flatMap((section) =>
        section.node !== null && inResult.has(section.node) ? [section.node] : [],
      );
    const isHistory = (section: SectionNode) => (section.theirs ?? section.mine)?.heading?.text === HISTORY;
    const woven = weave(order("base"), order("mine"), order("theirs"), {
      behind: (section, theirs) => isHistory(section) || !isHistory(theirs),
      first: (section) => (section.theirs ?? section.mine)?.at === 0,
    });
    const placed = new Set(woven);
    return [...woven, ...kept.filter((section) => !placed.has(section))];
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
      outs.push({
        kind: "heading",
        text: `## ${HISTORY}`,
        end: usualEnd(this.plan),
        lead: outs.length > 0 ? [this.blankLine()] : [],
        node: null,
      });
      return;
    }
    const headings = {
      base: section.base?.heading ?? null,
      mine: section.mine?.heading ?? null,
      theirs: section.theirs?.heading ?? null,
    };
    const { base, mine, theirs } = headings;
    let side: Side = theirs === null ? "mine" : "theirs";
    if (mine !== null && theirs !== null) {
      const same = (a: typeof mine | null, b: typeof mine | null) => a?.text === b?.text && a?.level === b?.level;
      if (!same(mine, theirs) && !same(mine, base) && !same(theirs, base)) this.clash(base ? [base] : [], [mine], [theirs]);
      side = same(mine, theirs)
        ? changedBy(base?.line.text, mine.line.text, theirs.line.text, sameValue)
        : changedBy<typeof mine | null>(base, mine, theirs, same);
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
      const own = indentOf(node, holder, indent, least);
      if (least === null || own.length < least.length) least = own;
      const item = node[node.place] as EntryItem;
      const text = own + (node.result as { body: string }).body;
      this.emit(outs, text, item, node, node.place, node);
      this.emitChildren(outs, node, own);
    }
  }

  private emit(outs: Out[], text: string, item: Item, items: Items, side: Side, node: EntryNode | null): void {
    const { from, missing } = spacing(item, items, side, outs[outs.length - 1]?.kind ?? null, text);
    let lead: Out["lead"] = NO_LINES;
    if (from !== null && from.lead.length > 0) {
      lead = from.lead.map((line) => ({ text: line.text, end: endIn(this.plan, line, from.section.file) }));
    } else if (missing) {
      lead = [this.blankLine()];
    }
    const words = node?.result ? ((node[node.result.from] ?? item) as EntryItem) : item;
    outs.push({ kind: item.kind, text, end: endIn(this.plan, words.line, words.section.file), lead, node });
  }

  private blankLine(): { text: string; end: DocumentLine["end"] } {
    return { text: "", end: usualEnd(this.plan) };
  }
}

/** Assembles one file. Where the joined prose would hide an entry in code, theirs' prose stands and mine's is a conflict. */
export function assembleFile(plan: FilePlan): Assembled {
  const first = new Assembly(plan, false);
  const outs = first.build();
  if (outs === null) return { text: null, conflicts: first.conflicts, unread: [] };
  const plain = bytesOf(plan, outs);
  if (misread(plain.text, plain.kinds).length === 0) return { text: plain.text, conflicts: first.conflicts, unread: [] };

  const careful = new Assembly(plan, true);
  const built = careful.build();
  if (built === null) return { text: null, conflicts: first.conflicts, unread: [] };
  const safe = withClosedCode(built, usualEnd(plan));
  const text = bytesOf(plan, safe);
  const lines: (Out | null)[] = safe.flatMap((out) => [...out.lead.map(() => null), out]);
  const unread = misread(text.text, text.kinds).flatMap((at) => lines[at]?.node ?? []);
  const allProse = (version: FileVersion | null) => version?.items.filter((item) => item.kind === "prose") ?? [];
  const { base, mine, theirs } = plan.versions;
  const conflict: Conflict = {
    path: plan.path,
    entry: null,
    kind: "prose",
    base: textOf(allProse(base)),
    mine: textOf(allProse(mine)),
    theirs: textOf(allProse(theirs)),
  };
  const changed = conflict.mine !== conflict.base && conflict.mine !== conflict.theirs;
  return { text: text.text, conflicts: changed ? [...careful.conflicts, conflict] : careful.conflicts, unread };
}

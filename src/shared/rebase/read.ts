// One version of one file as sections and trees of items: entries, their children, and the lines of prose between them.
// Blank lines are no items: each item carries those above it, so that they come and go with it.

import { parseDocument, type Document, type DocumentEntry, type DocumentLine, type Heading } from "../document.ts";
import { leadOf } from "../entry.ts";
import type { EntryNode, ProseNode, SectionNode } from "./nodes.ts";

/** A line that is not blank. */
export interface Item {
  kind: "heading" | "entry" | "prose";
  line: DocumentLine;
  /** The blank lines above it. */
  lead: readonly DocumentLine[];
  /** Place among the items of its file. */
  at: number;
  /** Whether the item above it is an entry. */
  afterEntry: boolean;
  /** The first entry of the unbroken run of entries right above it; null where none stands there. */
  runHead: Item | null;
  section: Section;
  /** The entry that it hangs on. */
  parent: EntryItem | null;
}

export interface EntryItem extends Item {
  kind: "entry";
  entry: DocumentEntry;
  /** Its white space before the bullet. */
  indent: string;
  /** The line from the bullet on. */
  body: string;
  children: (EntryItem | ProseItem)[];
  node: EntryNode | null;
}

export interface ProseItem extends Item {
  kind: "prose";
  node: ProseNode | null;
}

/** The part of a file under one heading, or before the first. */
export interface Section {
  file: FileVersion;
  /** Place among the sections of its file. */
  at: number;
  heading: (Item & { text: string; level: number }) | null;
  children: (EntryItem | ProseItem)[];
  entries: EntryItem[];
  prose: ProseItem[];
  node: SectionNode | null;
}

/** One version of one file. */
export interface FileVersion {
  path: string;
  text: string;
  bom: string;
  /** The line end of most lines. */
  end: "\n" | "\r\n";
  sections: Section[];
  entries: EntryItem[];
  items: Item[];
  /** The blank lines at the end. */
  tail: readonly DocumentLine[];
  /** Whether the last line has an end. */
  closed: boolean;
}

const NONE: readonly DocumentLine[] = [];

function dominantEnd(lines: readonly DocumentLine[]): "\n" | "\r\n" {
  let crlf = 0;
  for (const line of lines) crlf += line.end === "\r\n" ? 1 : line.end === "\n" ? -1 : 0;
  return crlf > 0 ? "\r\n" : "\n";
}

function depthOf(entry: EntryItem | null): number {
  let depth = 0;
  for (let at = entry; at !== null; at = at.parent) depth += 1;
  return depth;
}

function ancestorAt(entry: EntryItem | null, depth: number): EntryItem | null {
  let at = entry;
  for (let have = depthOf(entry); at !== null && have > depth; have -= 1) at = at.parent;
  return at;
}

/**
 * Hangs the prose that stands between two entries on the entries above it. An order from the deepest outwards keeps
 * the tree, read from top to bottom, in the order of the lines.
 */
function hang(pending: { item: ProseItem; owner: EntryItem | null }[], last: EntryItem | null, next: EntryItem | null): void {
  let depth = depthOf(next?.parent ?? null);
  for (const { item, owner } of [...pending].reverse()) {
    depth = Math.max(depth, depthOf(owner));
    item.parent = ancestorAt(last, depth);
  }
  for (const { item } of pending) (item.parent ?? item.section).children.push(item);
  pending.length = 0;
}

/** Reads one version of a file. */
export function readVersion(path: string, text: string, document: Document = parseDocument(text)): FileVersion {
  const file: FileVersion = {
    path,
    text,
    bom: document.bom,
    end: dominantEnd(document.lines),
    sections: [],
    entries: [],
    items: [],
    tail: [],
    closed: document.lines[document.lines.length - 1]?.end !== "",
  };
  const newSection = (): Section => {
    const section: Section = { file, at: file.sections.length, heading: null, children: [], entries: [], prose: [], node: null };
    file.sections.push(section);
    return section;
  };
  let section = newSection();
  let lead = NONE;
  let last: EntryItem | null = null;
  let entryIndex = 0;
  let headingIndex = 0;
  const byLine: EntryItem[] = [];
  const pending: { item: ProseItem; owner: EntryItem | null }[] = [];
  let above: Item | undefined;
  for (const line of document.lines) {
    if (line.kind === "blank") {
      lead = lead === NONE ? [line] : [...lead, line];
      continue;
    }
    const at = file.items.length;
    const afterEntry = above?.kind === "entry";
    const runHead = afterEntry ? (above?.runHead ?? above ?? null) : null;
    if (line.kind === "heading") {
      hang(pending, last, null);
      last = null;
      section = newSection();
      const { text: words, level } = document.headings[headingIndex++] as Heading;
      section.heading = { kind: "heading", line, lead, at, afterEntry, runHead, section, parent: null, text: words, level };
      above = section.heading;
    } else if (line.kind === "entry") {
      const entry = document.entries[entryIndex++] as DocumentEntry;
      const item: EntryItem = {
        kind: "entry",
        line,
        lead,
        at,
        afterEntry,
        runHead,
        section,
        parent: entry.parent === null ? null : (byLine[entry.parent] ?? null),
        entry,
        indent: leadOf(entry),
        body: line.text.slice(entry.indent),
        children: [],
        node: null,
      };
      if (pending.length > 0) hang(pending, last, item);
      (item.parent ?? section).children.push(item);
      byLine[entry.line] = item;
      section.entries.push(item);
      file.entries.push(item);
      above = item;
      last = item;
    } else {
      const item: ProseItem = { kind: "prose", line, lead, at, afterEntry, runHead, section, parent: null, node: null };
      section.prose.push(item);
      above = item;
      pending.push({ item, owner: line.owner === null ? null : (byLine[line.owner] ?? null) });
    }
    file.items.push(above);
    lead = NONE;
  }
  hang(pending, last, null);
  file.tail = lead;
  return file;
}

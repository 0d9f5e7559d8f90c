// Edits of one document that keep every byte they do not mean to change. Each gives back a new document.
// Which edit a change asks for, and whether it may happen, is not decided here.

import { HISTORY, parseDocument, serialiseDocument, type Document, type DocumentEntry, type DocumentLine } from "./document.ts";
import { formatEntryLine, leadOf, writerText, type EntryLine, type Meta } from "./entry.ts";
import { rewriteLinks, type LinkIndex } from "./links.ts";

/** A document after an edit, and the line (counted from 1) of the entry that the edit was about. */
export interface Edited {
  document: Document;
  line: number;
}

/** Where an entry goes: under a parent (its line), or into a section; null = the top of the file, before its sections. */
export type Place = { parent: number } | { section: string | null };

/** What a new or changed entry says. */
export interface EntryWords {
  text: string;
  meta: Meta;
}

/** The line end that a new line gets: that of most lines, LF where there is none. */
export function lineEnd(document: Pick<Document, "lines">): "\n" | "\r\n" {
  let crlf = 0;
  let lf = 0;
  for (const line of document.lines) {
    if (line.end === "\r\n") crlf += 1;
    else if (line.end === "\n") lf += 1;
  }
  return crlf > lf ? "\r\n" : "\n";
}

function rebuilt(document: Document, lines: readonly DocumentLine[]): Document {
  return parseDocument(serialiseDocument({ bom: document.bom, lines: [...lines] }));
}

/** Puts lines before index `at`. A last line without an end stays without one, whichever line is then the last. */
function withLines(document: Document, lines: readonly DocumentLine[], at: number, added: readonly string[]): Document {
  const end = lineEnd(document);
  const result = [...lines];
  const open = lines.length > 0 && (lines[lines.length - 1] as DocumentLine).end === "";
  result.splice(at, 0, ...added.map((text): DocumentLine => ({ kind: "text", text, end, owner: null })));
  return rebuilt(document, withLastEnd(result, open, end));
}

function withLastEnd(lines: readonly DocumentLine[], open: boolean, end: "\n" | "\r\n"): DocumentLine[] {
  return lines.map((line, at) => {
    if (at === lines.length - 1) return open ? { ...line, end: "" as const } : line;
    return line.end === "" ? { ...line, end } : line;
  });
}

/** The entry of a line. Throws where there is none: the caller has another document in hand. */
export function entryAt(document: Document, line: number): DocumentEntry {
  const entry = document.entries.find((one) => one.line === line);
  if (entry === undefined) throw new RangeError(`Line ${line} is no entry.`);
  return entry;
}

/** All entries below an entry, at any depth, in their order. */
export function descendantsOf(document: Document, line: number): DocumentEntry[] {
  const inside = new Set([line]);
  return document.entries.filter((entry) => {
    if (entry.parent === null || !inside.has(entry.parent)) return false;
    inside.add(entry.line);
    return true;
  });
}

/** Lines (from 1, in order) of an entry, its children, and the text and code inside them, with the blank lines between. */
function blockOf(document: Document, line: number): number[] {
  const entries = new Set([line, ...descendantsOf(document, line).map((entry) => entry.line)]);
  const block: number[] = [];
  let blanks: number[] = [];
  for (let at = line; at <= document.lines.length; at += 1) {
    const one = document.lines[at - 1] as DocumentLine;
    if (one.kind === "heading") break;
    if (one.kind === "blank") {
      blanks.push(at);
    } else if (entries.has(at) || (one.owner !== null && entries.has(one.owner))) {
      if (block[block.length - 1] === at - blanks.length - 1) block.push(...blanks);
      block.push(at);
      blanks = [];
    } else {
      blanks = [];
    }
  }
  return block;
}

function leadLength(text: string): number {
  let at = 0;
  while (text[at] === " " || text[at] === "\t") at += 1;
  return at;
}

/** Moves a line with the entry it hangs on: the entry's old indent becomes its new one. */
function shifted(text: string, from: number, to: string): string {
  const lead = leadLength(text);
  return lead === text.length || lead < from ? text : to + text.slice(from);
}

/** Lines of a part of the file, as indexes: behind `from` (its heading, or the start), before `to`. */
interface Region {
  from: number;
  to: number;
}

function regionBehind(document: Document, headingLine: number): Region {
  const next = document.headings.find((other) => other.line > headingLine);
  return { from: headingLine, to: next === undefined ? document.lines.length : next.line - 1 };
}

/** The heading of History: the last one of that name, which the format puts at the end of the file. */
export function historyHeading(document: Document): number | null {
  return document.headings.findLast((heading) => heading.text === HISTORY)?.line ?? null;
}

function sectionRegion(document: Document, section: string): Region | null {
  const line =
    section === HISTORY
      ? historyHeading(document)
      : (document.headings.find((heading) => heading.text === section)?.line ?? null);
  return line === null ? null : regionBehind(document, line);
}

/** The top of a file: what stands under its title, or before its first section. */
function topRegion(document: Document): Region {
  const [first] = document.headings;
  if (first === undefined) return { from: 0, to: document.lines.length };
  const titled = first.level === 1 && first.text !== HISTORY;
  return titled ? regionBehind(document, first.line) : { from: 0, to: first.line - 1 };
}

/** Code that nobody closed would swallow what is put behind it: the index to use instead. */
function beforeOpenCode(document: Document, at: number): number {
  let index = at;
  while (index > 0 && (document.lines[index - 1] as DocumentLine).kind === "fence") index -= 1;
  return index;
}

function insertAt(document: Document, at: number, before: readonly string[], block: readonly string[]): Edited {
  const attempt = (index: number): Edited => ({
    document: withLines(document, document.lines, index, [...before, ...block, ...gapBefore(document, index, before)]),
    line: index + before.length + 1,
  });
  const edited = attempt(at);
  const kind = edited.document.lines[edited.line - 1]?.kind;
  return kind === "entry" || kind === "heading" ? edited : attempt(beforeOpenCode(document, at));
}

/** A blank line where a block that was set off above would touch the line below. */
function gapBefore(document: Document, at: number, before: readonly string[]): string[] {
  const next = document.lines[at];
  return before.length > 0 && next !== undefined && next.kind !== "blank" ? [""] : [];
}

/** Puts lines into a region: behind its last entry, else behind what stands there, set off by a blank line. */
function intoRegion(document: Document, region: Region, block: readonly string[]): Edited {
  let last = 0;
  let filled = region.from;
  for (let at = region.from; at < region.to; at += 1) {
    const line = document.lines[at] as DocumentLine;
    if (line.kind === "entry" || line.owner !== null) last = at + 1;
    if (line.kind !== "blank") filled = at + 1;
  }
  if (last > 0) return insertAt(document, last, [], block);
  const blankFollows = document.lines[filled]?.kind === "blank" && region.to === document.lines.length;
  if (blankFollows && filled > 0) return insertAt(document, filled + 1, [], block);
  return insertAt(document, filled, filled > 0 ? [""] : [], block);
}

/** Index behind the last line that says something before index `at`. */
function filledBefore(document: Document, at: number): number {
  let index = at;
  while (index > 0 && (document.lines[index - 1] as DocumentLine).kind === "blank") index -= 1;
  return index;
}

/** Puts lines under a new heading: at the end of the file, but before History. */
function intoNewSection(document: Document, section: string, block: readonly string[]): Edited {
  const history = section === HISTORY ? null : historyHeading(document);
  const at = filledBefore(document, history === null ? document.lines.length : history - 1);
  const edited = insertAt(document, at, at > 0 ? [""] : [], [`## ${section}`, "", ...block]);
  return { document: edited.document, line: edited.line + 2 };
}

function intoSection(document: Document, section: string | null, block: readonly string[]): Edited {
  if (section === null) return intoRegion(document, topRegion(document), block);
  const region = sectionRegion(document, section);
  return region === null ? intoNewSection(document, section, block) : intoRegion(document, region, block);
}

/** A new file with its title and nothing else. */
export function newDocument(title: string): Document {
  return parseDocument(`# ${writerText(title)}\n`);
}

function childLead(document: Document, parent: DocumentEntry): string {
  const leads = document.entries.filter((entry) => entry.parent === parent.line).map(leadOf);
  if (leads.length === 0) return leadOf(parent) + (leadOf(parent).includes("\t") ? "\t" : "  ");
  return leads.reduce((least, lead) => (lead.length < least.length ? lead : least));
}

/** Adds an entry behind the others at its place; a section that is missing is made. */
export function insertEntry(document: Document, words: EntryWords, place: Place): Edited {
  const entry = (lead: string, bullet: EntryLine["bullet"]): string =>
    lead + formatEntryLine({ indent: 0, bullet, text: writerText(words.text), meta: words.meta });
  if ("parent" in place) {
    const parent = entryAt(document, place.parent);
    const block = blockOf(document, parent.line);
    return insertAt(document, block[block.length - 1] as number, [], [entry(childLead(document, parent), parent.bullet)]);
  }
  const neighbour = document.entries.findLast((one) => one.section === place.section) ?? document.entries[0];
  return intoSection(document, place.section, [entry("", neighbour?.bullet ?? "-")]);
}

/** Gives an entry other words or keys, at its place; indent, bullet and line end stay. */
export function replaceEntry(document: Document, line: number, words: Partial<EntryWords>): Document {
  return replaceEntries(document, new Map([[line, words]]));
}

/** The same for many lines at once: the file is read again once, not once a line. */
export function replaceEntries(document: Document, wordsByLine: ReadonlyMap<number, Partial<EntryWords>>): Document {
  const entries = new Map(document.entries.map((entry) => [entry.line, entry]));
  const lines = [...document.lines];
  let changed = false;
  for (const [line, words] of wordsByLine) {
    const old = entries.get(line) ?? entryAt(document, line);
    const text = words.text === undefined ? old.text : writerText(words.text);
    const meta = words.meta ?? old.meta;
    if (text === old.text && JSON.stringify(meta) === JSON.stringify(old.meta)) continue;
    lines[line - 1] = { ...(lines[line - 1] as DocumentLine), text: formatEntryLine({ ...old, text, meta }) };
    changed = true;
  }
  return changed ? rebuilt(document, lines) : document;
}

/**
 * Removes entries. Children that stay are outdented to where their parent stood. Text and code inside a removed entry
 * stays, unless `details` asks to take it along.
 */
export function removeEntries(document: Document, removed: ReadonlySet<number>, details = false): Document {
  const leads = new Map<number, string>();
  const old = new Map(document.entries.map((entry) => [entry.line, entry]));
  for (const line of removed) entryAt(document, line);
  for (const entry of document.entries) {
    const parent = entry.parent === null ? undefined : old.get(entry.parent);
    const own = leadOf(entry);
    if (parent === undefined) leads.set(entry.line, own);
    else {
      const above = leads.get(parent.line) as string;
      leads.set(entry.line, removed.has(parent.line) ? above : above + own.slice(parent.indent));
    }
  }
  const kept: DocumentLine[] = [];
  document.lines.forEach((line, at) => {
    if (removed.has(at + 1)) return;
    const holder = old.get(line.owner ?? at + 1);
    if (holder === undefined) kept.push(line);
    else if (!removed.has(holder.line)) {
      kept.push({ ...line, text: shifted(line.text, holder.indent, leads.get(holder.line) as string) });
    } else if (!details) kept.push(line);
  });
  const open = document.lines[document.lines.length - 1]?.end === "";
  return rebuilt(document, withLastEnd(kept, open, lineEnd(document)));
}

/** Takes an entry out with its children and what is inside them; the lines come back without the entry's indent. */
export function takeEntry(document: Document, line: number): { document: Document; block: string[] } {
  const entry = entryAt(document, line);
  const numbers = blockOf(document, line);
  const inside = new Set(numbers);
  const block = numbers.map((at) => shifted((document.lines[at - 1] as DocumentLine).text, entry.indent, ""));
  const open = document.lines[document.lines.length - 1]?.end === "";
  const rest = document.lines.filter((_, at) => !inside.has(at + 1));
  return { document: rebuilt(document, withLastEnd(rest, open, lineEnd(document))), block };
}

/** Puts lines that takeEntry gave into a section, which is made where it is missing. */
export function putEntry(document: Document, block: readonly string[], section: string | null): Edited {
  return intoSection(document, section, block);
}

/** Moves an entry with its children to another section of its file. */
export function moveToSection(document: Document, line: number, section: string | null): Edited {
  const taken = takeEntry(document, line);
  return putEntry(taken.document, taken.block, section);
}

/** Moves an entry with its children to History, which is made at the end of the file where it is missing. */
export function moveToHistory(document: Document, line: number): Edited {
  return moveToSection(document, line, HISTORY);
}

/** Brings an entry with its children back from History, to just above that heading. */
export function moveAboveHistory(document: Document, line: number): Edited {
  const taken = takeEntry(document, line);
  const rest = taken.document;
  const heading = historyHeading(rest);
  if (heading === null) return putEntry(rest, taken.block, null);
  const at = filledBefore(rest, heading - 1);
  const above = rest.lines[at - 1];
  const joins = above !== undefined && (above.kind === "entry" || above.owner !== null);
  return insertAt(rest, at, joins || at === 0 ? [] : [""], taken.block);
}

/** Rewrites the links of a document after a file moved; code and front matter stay as they are. */
export function relinkDocument(document: Document, from: string, to: string, before: LinkIndex, after: LinkIndex): Document {
  let changed = false;
  const lines = document.lines.map((line) => {
    if (line.kind === "fence" || line.kind === "front") return line;
    const text = rewriteLinks(line.text, from, to, before, after);
    if (text === line.text) return line;
    changed = true;
    return { ...line, text };
  });
  return changed ? rebuilt(document, lines) : document;
}

// A file as the page shows it: its title, and sections of lines and prose in their order. Pure.
import type { EntryView } from "../../shared/protocol.ts";
import { HISTORY, parseDocument } from "../../shared/document.ts";

export type Block = { kind: "line"; entry: EntryView; depth: number } | { kind: "prose"; text: string; line: number };

export interface Section {
  /** Null: what stands before the first section. */
  heading: string | null;
  line: number;
  blocks: Block[];
}

export interface FileBlocks {
  title: string | null;
  sections: Section[];
  /** Sections called History, joined: they are folded. */
  history: Block[];
}

/** Reads the Markdown of a file together with its entries, which are named by their line. */
export function blocksOf(text: string, entries: readonly EntryView[]): FileBlocks {
  const document = parseDocument(text);
  const byLine = new Map(entries.map((entry) => [entry.line, entry]));
  const headings = new Map(document.headings.map((heading) => [heading.line, heading]));
  const parents = new Map(document.entries.map((entry) => [entry.line, entry.parent]));
  const depthOf = (line: number): number => {
    let depth = 0;
    for (let parent = parents.get(line) ?? null; parent !== null && depth < 8; parent = parents.get(parent) ?? null) depth += 1;
    return depth;
  };
  const first = document.headings[0];
  const title =
    first &&
    first.level === 1 &&
    document.lines.slice(0, first.line - 1).every((line) => line.kind === "blank" || line.kind === "front")
      ? first
      : null;
  const sections: Section[] = [{ heading: null, line: 0, blocks: [] }];
  let prose: string[] = [];
  let proseLine = 0;
  const endProse = () => {
    const text = prose.join("\n").trim();
    prose = [];
    if (text !== "") sections[sections.length - 1]?.blocks.push({ kind: "prose", text, line: proseLine });
  };
  document.lines.forEach((line, at) => {
    const number = at + 1;
    const heading = headings.get(number);
    if (line.kind === "front" || number === title?.line) return;
    if (heading) {
      endProse();
      sections.push({ heading: heading.text, line: number, blocks: [] });
      return;
    }
    const entry = line.kind === "entry" ? byLine.get(number) : undefined;
    if (entry) {
      endProse();
      sections[sections.length - 1]?.blocks.push({ kind: "line", entry, depth: depthOf(number) });
      return;
    }
    if (prose.length === 0) proseLine = number;
    prose.push(line.text);
  });
  endProse();
  const isHistory = (section: Section) => section.heading?.trim().toLowerCase() === HISTORY.toLowerCase();
  return {
    title: title?.text ?? null,
    sections: sections.filter((section) => !isHistory(section) && (section.heading !== null || section.blocks.length > 0)),
    history: sections.filter(isHistory).flatMap((section) => section.blocks),
  };
}

/** The text of a file with the words of one of its lines replaced; null where that line is not the entry any more. */
export function withLine(text: string, line: number, change: (line: string) => string | null): string | null {
  const ends = text.split(/(?<=\n)/);
  const old = ends[line - 1];
  if (old === undefined) return null;
  const end = /\r?\n$/.exec(old)?.[0] ?? "";
  const next = change(old.slice(0, old.length - end.length));
  if (next === null) return null;
  ends[line - 1] = next + end;
  return ends.join("");
}

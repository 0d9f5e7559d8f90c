// A Markdown file as lines: headings, entries and other text, without losing a byte (format.md, section Document).
// Knows nothing of what an entry means and nothing of other files.

import { parseEntryLine, type EntryLine } from "./entry.ts";

/** What a line is. `fence` and `front` are code and front matter, marks included. */
export type LineKind = "heading" | "entry" | "blank" | "text" | "fence" | "front";

/** One line; `text` without its end, and without the byte order mark of line 1. */
export interface DocumentLine {
  kind: LineKind;
  text: string;
  end: "\n" | "\r\n" | "";
  /** For text and code inside a list item: the line of the entry, in the same section, that it belongs to. */
  owner: number | null;
}

/** An ATX heading. */
export interface Heading {
  /** Counted from 1. */
  line: number;
  level: number;
  text: string;
}

/** An entry at its place. */
export interface DocumentEntry extends EntryLine {
  /** Counted from 1. */
  line: number;
  /** Text of the nearest heading above, of any level. */
  section: string | null;
  /** Line of that heading: two sections of one name are two sections. */
  heading: number | null;
  /** Line of the parent entry. */
  parent: number | null;
}

/** A parsed file. */
export interface Document {
  bom: "" | "\ufeff";
  lines: DocumentLine[];
  headings: Heading[];
  entries: DocumentEntry[];
  /** Text of the first heading; null without one that says anything. */
  title: string | null;
}

/** The section that holds closed entries. */
export const HISTORY = "History";

const HEADING = /^[ \t]*(#{1,6})(?:[ \t]+(.*))?$/s;
const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/s;
const ORDERED = /^[ \t]*(\d{1,9})[.)](?=[ \t]|$)/;
const BULLET = /^[ \t]*[-*+](?=[ \t]|$)/;
const SETEXT = /^[ \t]*(?:=+|-+)[ \t]*$/;

/** The text of an ATX heading, without its closing marks; null where the line is none. Indent is the caller's business. */
export function headingText(line: string): { level: number; text: string } | null {
  const match = HEADING.exec(line);
  if (match === null) return null;
  let text = (match[2] ?? "").replace(/[ \t]+$/, "");
  const closing = /#+$/.exec(text);
  if (closing !== null && (closing.index === 0 || /[ \t]/.test(text[closing.index - 1] as string))) {
    text = text.slice(0, closing.index).replace(/[ \t]+$/, "");
  }
  return { level: (match[1] as string).length, text };
}

/** Column after the white space from `at` on, with tab stops of four as CommonMark counts them. */
function indentFrom(line: string, at: number, column: number): { at: number; column: number } {
  let next = at;
  let width = column;
  for (; next < line.length; next += 1) {
    const code = line.charCodeAt(next);
    if (code === 32) width += 1;
    else if (code === 9) width += 4 - (width % 4);
    else break;
  }
  return { at: next, column: width };
}

interface OpenFence {
  mark: string;
  length: number;
  /** Number of list items around it. */
  depth: number;
}

/**
 * Follows the block structure as far as fences, headings and setext underlines need it: list items by the column where
 * their content starts, and whether a paragraph is open. A bullet is a list item at any indent, as it is an entry at any.
 */
export class BlockReader {
  private items: { column: number; entry: number | null }[] = [];
  private fence: OpenFence | null = null;
  private paragraph = false;
  /** The line before opened an item and held nothing else: a blank line then ends it. */
  private emptyItem = false;

  /** What a line is; `number` is its own, counted from 1. */
  next(line: string, number: number): LineKind {
    const { at, column } = indentFrom(line, 0, 0);
    if (at === line.length) return this.blank();
    let depth = 0;
    while (depth < this.items.length && column >= this.contentColumn(depth + 1)) depth += 1;
    if (this.fence !== null) {
      if (depth >= this.fence.depth) {
        if (this.closesFence(line, column - this.contentColumn(this.fence.depth))) this.fence = null;
        return "fence";
      }
      this.fence = null;
    }
    const indent = column - this.contentColumn(depth);
    this.emptyItem = false;
    const inner = depth === this.items.length;
    if (indent <= 3 && this.paragraph && inner && SETEXT.test(line)) {
      this.paragraph = false;
      return "text";
    }
    if (BULLET.test(line)) {
      this.items.length = depth;
      this.paragraph = false;
      this.openItem(line, at + 1, column + 1, number);
      return "entry";
    }
    if (indent <= 3) {
      const ordered = ORDERED.exec(line);
      if (ordered !== null && this.startsOrdered(ordered, line, inner)) {
        this.items.length = depth;
        this.paragraph = false;
        const end = ordered[0].length;
        this.openItem(line, end, column + end - at, null);
        return "text";
      }
      if (this.opensBlock(line, depth)) {
        // A section's lines belong to no entry above it.
        if (this.lastKind === "heading") for (const item of this.items) item.entry = null;
        return this.lastKind;
      }
    }
    if (this.paragraph) return "text"; // also a lazy line, which leaves its items open
    this.items.length = depth;
    this.paragraph = indent <= 3 && !this.isBreak(line);
    return "text";
  }

  /** The mark that would close the code that is open after the line just read; null where none is. */
  get openMark(): string | null {
    return this.fence === null ? null : " ".repeat(this.contentColumn(this.fence.depth)) + this.fence.mark.repeat(this.fence.length);
  }

  /** A reader in the same state, to try a line with. */
  copy(): BlockReader {
    const other = new BlockReader();
    other.items = this.items.map((item) => ({ ...item }));
    other.fence = this.fence;
    other.paragraph = this.paragraph;
    other.emptyItem = this.emptyItem;
    return other;
  }

  /** The entry that holds the line just read, a text or code line. */
  get owner(): number | null {
    const depth = this.fence?.depth ?? this.items.length;
    for (let at = depth - 1; at >= 0; at -= 1) {
      const entry = this.items[at]?.entry ?? null;
      if (entry !== null) return entry;
    }
    return null;
  }

  private lastKind: LineKind = "text";

  private blank(): LineKind {
    if (this.fence !== null) return "fence";
    this.paragraph = false;
    if (this.emptyItem) this.items.pop();
    this.emptyItem = false;
    return "blank";
  }

  private contentColumn(depth: number): number {
    return depth === 0 ? 0 : (this.items[depth - 1] as { column: number }).column;
  }

  private closesFence(line: string, indent: number): boolean {
    const fence = this.fence as OpenFence;
    const match = FENCE.exec(line);
    if (match === null || indent > 3) return false;
    const mark = match[1] as string;
    return mark[0] === fence.mark && mark.length >= fence.length && /^[ \t]*$/.test(match[2] as string);
  }

  private startsOrdered(match: RegExpExecArray, line: string, inner: boolean): boolean {
    // In the middle of a paragraph only a list that starts with 1 and says something begins (CommonMark).
    if (!this.paragraph || !inner) return true;
    return Number(match[1]) === 1 && line.slice(match[0].length).trim() !== "";
  }

  private isBreak(line: string): boolean {
    return /^[ \t]*(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/.test(line) || /^[ \t]*>/.test(line);
  }

  private opensBlock(line: string, depth: number): boolean {
    const fence = FENCE.exec(line);
    if (fence !== null && !((fence[1] as string).startsWith("`") && (fence[2] as string).includes("`"))) {
      this.items.length = depth;
      this.paragraph = false;
      this.fence = { mark: (fence[1] as string)[0] as string, length: (fence[1] as string).length, depth };
      this.lastKind = "fence";
      return true;
    }
    if (HEADING.test(line)) {
      this.items.length = depth;
      this.paragraph = false;
      this.lastKind = "heading";
      return true;
    }
    if (this.isBreak(line)) {
      this.items.length = depth;
      this.paragraph = false;
      this.lastKind = "text";
      return true;
    }
    return false;
  }

  /** Opens an item whose marker ends before `at`; what stands behind the marker may open further items or a fence. */
  private openItem(line: string, at: number, column: number, entry: number | null): void {
    const push = (content: number) => this.items.push({ column: content, entry });
    for (;;) {
      const content = indentFrom(line, at, column);
      if (content.at === line.length) {
        push(column + 1);
        this.emptyItem = true;
        return;
      }
      const gap = content.column - column;
      if (gap > 4) {
        push(column + 1); // indented code
        return;
      }
      push(content.column);
      const rest = line.slice(content.at);
      const marker = BULLET.exec(rest) ?? ORDERED.exec(rest);
      if (marker === null) {
        if (!this.opensBlock(rest, this.items.length)) this.paragraph = true;
        return;
      }
      at = content.at + marker[0].length;
      column = content.column + marker[0].length;
    }
  }
}

/** Number of lines of front matter, marks included; 0 where there is none. */
function frontMatterLines(lines: readonly DocumentLine[]): number {
  const isMark = (line: DocumentLine | undefined) => line !== undefined && /^---[ \t]*$/.test(line.text);
  if (!isMark(lines[0])) return 0;
  for (let at = 1; at < lines.length; at += 1) if (isMark(lines[at])) return at + 1;
  return 0;
}

function splitLines(text: string): DocumentLine[] {
  const lines: DocumentLine[] = [];
  let from = 0;
  while (from < text.length) {
    const at = text.indexOf("\n", from);
    if (at < 0) {
      lines.push({ kind: "text", text: text.slice(from), end: "", owner: null });
      break;
    }
    const cr = at > from && text.charCodeAt(at - 1) === 13;
    lines.push({ kind: "text", text: text.slice(from, cr ? at - 1 : at), end: cr ? "\r\n" : "\n", owner: null });
    from = at + 1;
  }
  return lines;
}

/** Reads a file. Any text is a document; time grows with its length alone. */
export function parseDocument(text: string): Document {
  const bom = text.startsWith("\ufeff") ? "\ufeff" : "";
  const lines = splitLines(bom === "" ? text : text.slice(1));
  const document: Document = { bom, lines, headings: [], entries: [], title: null };
  const front = frontMatterLines(lines);
  const blocks = new BlockReader();
  let heading: Heading | null = null;
  let above: DocumentEntry[] = [];
  lines.forEach((line, at) => {
    line.kind = at < front ? "front" : blocks.next(line.text, at + 1);
    if (line.kind === "text" || line.kind === "fence") line.owner = blocks.owner;
    if (line.kind === "heading") {
      heading = { line: at + 1, ...(headingText(line.text) as { level: number; text: string }) };
      document.headings.push(heading);
      above = [];
    } else if (line.kind === "entry") {
      const parsed = parseEntryLine(line.text) as EntryLine;
      while (above.length > 0 && (above[above.length - 1] as DocumentEntry).indent >= parsed.indent) above.pop();
      const entry: DocumentEntry = {
        ...parsed,
        line: at + 1,
        section: heading?.text ?? null,
        heading: heading?.line ?? null,
        parent: above[above.length - 1]?.line ?? null,
      };
      above.push(entry);
      document.entries.push(entry);
    }
  });
  document.title = document.headings[0]?.text || null;
  return document;
}

/** The bytes of a document; of one that nobody changed, those that were parsed. */
export function serialiseDocument(document: Pick<Document, "bom" | "lines">): string {
  return document.bom + document.lines.map((line) => line.text + line.end).join("");
}

const SUBJECT_FOLDERS = new Set(["people", "places", "projects"]);

/** The name of a file without its folders and `.md`. */
export function baseName(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.toLowerCase().endsWith(".md") ? name.slice(0, -3) : name;
}

/**
 * Who a file speaks of: in people/, places/ and projects/ its first heading, or else its base name; everywhere else,
 * and in the user's own file there, the user, who is null (format.md, sections Files and Tombstones).
 */
export function subjectOf(
  path: string,
  document: Pick<Document, "title">,
  userPaths: ReadonlySet<string> = new Set(),
): string | null {
  const slash = path.indexOf("/");
  if (slash < 0 || !SUBJECT_FOLDERS.has(path.slice(0, slash)) || userPaths.has(path)) return null;
  return document.title ?? baseName(path);
}

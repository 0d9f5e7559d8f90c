// The block structure of Markdown, line by line, as far as entries, headings and code need it: which list items are
// open, whether a paragraph is, and whether a line stands in fenced code (CommonMark, with entries at any indent).

/** What a line is. `fence` and `front` are code and front matter, marks included. */
export type LineKind = "heading" | "entry" | "blank" | "text" | "fence" | "front";

const HEADING = /^[ \t]*(#{1,6})(?:[ \t]+(.*))?$/s;
const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/s;
const ORDERED = /^[ \t]*(\d{1,9})[.)](?=[ \t]|$)/;
const SETEXT = /^[ \t]*(?:=+|-+)[ \t]*$/;
const BREAK = /^[ \t]*(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;

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

/** Index of the first character from `at` on that is no white space. */
function skipBlanks(line: string, at: number): number {
  let next = at;
  for (; next < line.length; next += 1) {
    const code = line.charCodeAt(next);
    if (code !== 32 && code !== 9) break;
  }
  return next;
}

/** Column at `to`, given that of `from`; tab stops of four, as CommonMark counts them. */
function columnAt(line: string, from: number, to: number, column: number): number {
  let width = column;
  for (let at = from; at < to; at += 1) width += line.charCodeAt(at) === 9 ? 4 - (width % 4) : 1;
  return width;
}

interface OpenFence {
  mark: string;
  length: number;
  /** Number of list items around it. */
  depth: number;
}

/** Reads the lines of a document one after the other. */
export class BlockReader {
  private items: { column: number; entry: number | null }[] = [];
  private fence: OpenFence | null = null;
  private paragraph = false;
  /** The line before opened an item and held nothing else: a blank line then ends it. */
  private emptyItem = false;

  /** What a line is; `number` is its own, counted from 1. */
  next(line: string, number: number): LineKind {
    const at = skipBlanks(line, 0);
    if (at === line.length) return this.blank();
    const column = columnAt(line, 0, at, 0);
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
    const inner = depth === this.items.length;
    this.emptyItem = false;
    if (indent <= 3 && this.paragraph && inner && SETEXT.test(line)) {
      this.paragraph = false;
      return "text";
    }
    if (isBullet(line, at)) {
      this.leaveItems(depth);
      this.paragraph = false;
      this.openItem(line, at + 1, column + 1, number);
      return "entry";
    }
    if (indent <= 3) {
      const ordered = isDigit(line.charCodeAt(at)) ? ORDERED.exec(line) : null;
      if (ordered !== null && this.startsOrdered(ordered, line, inner)) {
        this.leaveItems(depth);
        this.paragraph = false;
        const end = ordered[0].length;
        this.openItem(line, end, column + end - at, null);
        return "text";
      }
      const kind = this.opensBlock(line, at, depth);
      if (kind !== null) {
        // A section's lines belong to no entry above it.
        if (kind === "heading") for (const item of this.items) item.entry = null;
        return kind;
      }
    }
    if (this.paragraph) return "text"; // also a lazy line, which leaves its items open
    this.leaveItems(depth);
    this.paragraph = indent <= 3;
    return "text";
  }

  /** The mark that would close the code that is open after the line just read; null where none is. */
  get openMark(): string | null {
    if (this.fence === null) return null;
    return " ".repeat(this.contentColumn(this.fence.depth)) + this.fence.mark.repeat(this.fence.length);
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

  /** A reader in the same state, to try a line with. */
  copy(): BlockReader {
    const other = new BlockReader();
    other.items = this.items.map((item) => ({ ...item }));
    other.fence = this.fence;
    other.paragraph = this.paragraph;
    other.emptyItem = this.emptyItem;
    return other;
  }

  private leaveItems(depth: number): void {
    while (this.items.length > depth) this.items.pop();
  }

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

  /** Whether code, a heading, a break or a quotation begins at `at`, the first character that is no white space. */
  private opensBlock(line: string, at: number, depth: number): LineKind | null {
    const first = line.charCodeAt(at);
    let kind: LineKind | null = null;
    if (first === 96 || first === 126) {
      const fence = FENCE.exec(line.slice(at));
      if (fence === null || (first === 96 && (fence[2] as string).includes("`"))) return null;
      const mark = fence[1] as string;
      this.fence = { mark: mark[0] as string, length: mark.length, depth };
      kind = "fence";
    } else if (first === 35) {
      if (HEADING.test(line.slice(at))) kind = "heading";
    } else if (first === 62 || ((first === 42 || first === 45 || first === 95) && BREAK.test(line.slice(at)))) {
      kind = "text";
    }
    if (kind === null) return null;
    this.leaveItems(depth);
    this.paragraph = false;
    return kind;
  }

  /** Opens an item whose marker ends before `from`; what stands behind the marker may open further items or code. */
  private openItem(line: string, from: number, fromColumn: number, entry: number | null): void {
    let at = from;
    let column = fromColumn;
    for (;;) {
      const content = skipBlanks(line, at);
      if (content === line.length) {
        this.items.push({ column: column + 1, entry });
        this.emptyItem = true;
        return;
      }
      const contentColumn = columnAt(line, at, content, column);
      if (contentColumn - column > 4) {
        this.items.push({ column: column + 1, entry }); // indented code
        return;
      }
      this.items.push({ column: contentColumn, entry });
      const code = line.charCodeAt(content);
      const marker = isBullet(line, content) ? 1 : isDigit(code) ? (ORDERED.exec(line.slice(content))?.[0].length ?? 0) : 0;
      if (marker === 0) {
        if (this.opensBlock(line, content, this.items.length) === null) this.paragraph = true;
        return;
      }
      at = content + marker;
      column = contentColumn + marker;
    }
  }
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Whether a bullet stands at `at`: a mark, and white space or the end of the line behind it. */
function isBullet(line: string, at: number): boolean {
  const code = line.charCodeAt(at);
  if (code !== 45 && code !== 42 && code !== 43) return false;
  if (at + 1 === line.length) return true;
  const behind = line.charCodeAt(at + 1);
  return behind === 32 || behind === 9;
}

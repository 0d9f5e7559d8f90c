// A Markdown file as lines: headings, entries and other text, without losing a byte (format.md, section Document).
// Knows nothing of what an entry means and nothing of other files.

import { BlockReader, headingText, type LineKind } from "./blocks.ts";
import { parseEntryLine, type EntryLine } from "./entry.ts";

export type { LineKind } from "./blocks.ts";

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

/** The lines of a text and what each of them is. */
export function readLines(text: string): Pick<Document, "bom" | "lines"> {
  const bom = text.startsWith("\ufeff") ? "\ufeff" : "";
  const lines = splitLines(bom === "" ? text : text.slice(1));
  const front = frontMatterLines(lines);
  const blocks = new BlockReader();
  lines.forEach((line, at) => {
    line.kind = at < front ? "front" : blocks.next(line.text, at + 1);
    if (line.kind === "text" || line.kind === "fence") line.owner = blocks.owner;
  });
  return { bom, lines };
}

/** Reads entry lines; one that was read before, in another version of a file, is not read again. */
export type EntryCache = Map<string, EntryLine>;

/** Reads a file. Any text is a document; time grows with its length alone. */
export function parseDocument(text: string, cache?: EntryCache): Document {
  const document: Document = { ...readLines(text), headings: [], entries: [], title: null };
  let heading: Heading | null = null;
  let above: DocumentEntry[] = [];
  document.lines.forEach((line, at) => {
    if (line.kind === "heading") {
      heading = { line: at + 1, ...(headingText(line.text) as { level: number; text: string }) };
      document.headings.push(heading);
      above = [];
    } else if (line.kind === "entry") {
      let parsed = cache?.get(line.text);
      if (parsed === undefined) {
        parsed = parseEntryLine(line.text) as EntryLine;
        cache?.set(line.text, parsed);
      }
      while (above.length > 0 && (above[above.length - 1] as DocumentEntry).indent >= parsed.indent) above.pop();
      const entry: DocumentEntry = {
        indent: parsed.indent,
        bullet: parsed.bullet,
        text: parsed.text,
        meta: parsed.meta,
        line: at + 1,
        section: heading?.text ?? null,
        heading: heading?.line ?? null,
        parent: above[above.length - 1]?.line ?? null,
      };
      if (parsed.lead !== undefined) entry.lead = parsed.lead;
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

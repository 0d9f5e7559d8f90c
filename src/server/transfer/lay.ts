// Lays what an import brings on the files that stand: new files as they come, new lines behind those of their section. Changes no line that stands.
import { parseDocument, serialiseDocument, type Document, type DocumentLine } from "../../shared/document.ts";
import { historyHeading, lineEnd, putEntry } from "../../shared/edit-document.ts";

/** Lines for one section, null = the top of the file. */
export interface Addition {
  section: string | null;
  lines: string[];
}

const asLine = (text: string, end: DocumentLine["end"]): DocumentLine => ({ kind: "text", text, end, owner: null });

/** Puts lines of entries behind those of their sections; a section that is missing is made. */
export function addLines(document: Document, additions: readonly Addition[]): Document {
  let result = document;
  for (const { section, lines } of additions) if (lines.length > 0) result = putEntry(result, lines, section).document;
  return result;
}

/** Puts other lines at the end of a file, before its History. */
export function addProse(document: Document, prose: readonly string[]): Document {
  if (prose.length === 0) return document;
  const end = lineEnd(document);
  const history = historyHeading(document);
  const at = history === null ? document.lines.length : history - 1;
  const all = document.lines.map((line, index) =>
    index === document.lines.length - 1 && line.end === "" ? { ...line, end } : line,
  );
  const gap = at > 0 && all[at - 1]!.text.trim() !== "" ? [asLine("", end)] : [];
  const after = history === null ? [] : [asLine("", end)];
  all.splice(at, 0, ...gap, ...prose.map((line) => asLine(line, end)), ...after);
  return parseDocument(serialiseDocument({ bom: document.bom, lines: all }));
}

// The part of a commit that concerns some entries: `before` becomes the commit's own text with just these entries as they were.
import { parseDocument, serialiseDocument, type Document } from "../../shared/document.ts";
import { insertEntry, putEntry, removeEntries, replaceEntry, takeEntry } from "../../shared/edit-document.ts";
import type { FileState } from "./draft.ts";
import type { DiffLine, EntryDelta } from "./entry-diff.ts";

/** For each file that the entries touch: the commit's text, and the same with these entries taken back. */
export function partOfCommit(files: ReadonlyMap<string, FileState>, deltas: readonly EntryDelta[]): Map<string, FileState> {
  const documents = new Map<string, Document>();
  const documentOf = (path: string): Document => documents.get(path) ?? parseDocument(files.get(path)?.after ?? "");
  // From the bottom up, so that the lines of entries further up keep their numbers.
  const ordered = [...deltas].sort((a, b) => (b.after?.entry.line ?? 0) - (a.after?.entry.line ?? 0));
  const back: DiffLine[] = [];
  for (const { before, after } of ordered) {
    if (after === null) {
      if (before) back.push(before);
      continue;
    }
    const document = documentOf(after.path);
    if (before === null) documents.set(after.path, removeEntries(document, new Set([after.entry.line])));
    else {
      const restored = replaceEntry(document, after.entry.line, { text: before.entry.text, meta: before.entry.meta });
      if (before.path === after.path && before.section === after.section) {
        documents.set(after.path, restored);
        continue;
      }
      const taken = takeEntry(restored, after.entry.line);
      documents.set(after.path, taken.document);
      documents.set(before.path, putEntry(documentOf(before.path), taken.block, sectionOf(before, files)).document);
    }
  }
  for (const line of back.reverse()) {
    const section = sectionOf(line, files);
    documents.set(
      line.path,
      insertEntry(documentOf(line.path), { text: line.entry.text, meta: line.entry.meta }, { section }).document,
    );
  }
  const parts = new Map<string, FileState>();
  for (const [path, document] of documents) {
    parts.set(path, { before: serialiseDocument(document), after: files.get(path)?.after ?? null });
  }
  return parts;
}

/** The section of a line as an insertion names it: under the title is the top. */
function sectionOf(line: DiffLine, files: ReadonlyMap<string, FileState>): string | null {
  const first = parseDocument(files.get(line.path)?.before ?? "").headings[0];
  return first && first.level === 1 && line.entry.heading === first.line ? null : line.section;
}

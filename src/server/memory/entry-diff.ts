// What a write does to the entries: the lines of the changed files before and after, paired. Pure.
import { parseDocument, type Document, type DocumentEntry } from "../../shared/document.ts";
import { metaValue } from "../../shared/entry.ts";
import { isMarkdown } from "../../shared/paths.ts";
import type { CommitCounts } from "./commit-message.ts";
import type { FileState } from "./draft.ts";
import { inheritNames, nameOfEntry } from "./entry-row.ts";
import { pairEntries, type Named } from "./pairing.ts";

/** A line of a file on one side. */
export interface DiffLine extends Named {
  entry: DocumentEntry;
}

export type DiffVerb = "added" | "changed" | "closed" | "reopened" | "removed" | "moved";

/** One entry that differs. */
export interface EntryDelta {
  verb: DiffVerb;
  before: DiffLine | null;
  after: DiffLine | null;
}

/** A line that is named by its text only when somebody asks: most are found by their id. */
class LazyLine implements DiffLine {
  readonly section: string | null;
  readonly id: string | null;
  constructor(
    readonly path: string,
    readonly entry: DocumentEntry,
  ) {
    this.section = entry.section;
    this.id = metaValue(entry.meta, "id") ?? null;
  }
  get name(): number {
    return nameOfEntry(this.entry);
  }
}

/** The lines of a file that are entries. */
export function linesOf(path: string, text: string | null, document?: Document | null): DiffLine[] {
  if (text === null || !isMarkdown(path)) return [];
  return (document ?? parseDocument(text)).entries.map((entry) => new LazyLine(path, entry));
}

export const isClosedEntry = (entry: Pick<DocumentEntry, "meta">): boolean =>
  metaValue(entry.meta, "closed") !== undefined || metaValue(entry.meta, "why") === "wrong";

function verbOf(before: DiffLine, after: DiffLine): DiffVerb | null {
  if (isClosedEntry(after.entry) && !isClosedEntry(before.entry)) return "closed";
  if (!isClosedEntry(after.entry) && isClosedEntry(before.entry)) return "reopened";
  const moved = before.path !== after.path || before.section !== after.section;
  const changed =
    before.entry.text !== after.entry.text || JSON.stringify(before.entry.meta) !== JSON.stringify(after.entry.meta);
  return changed ? "changed" : moved ? "moved" : null;
}

/** Entries that were added, changed, closed, reopened, moved or removed, in the order of their files and lines; removed ones last. */
export function diffEntries(files: ReadonlyMap<string, FileState>): EntryDelta[] {
  const before: DiffLine[] = [];
  const after: DiffLine[] = [];
  for (const [path, state] of files) {
    const { before: older, after: newer } = state.documents ?? {};
    if (older && newer) inheritNames(older, newer);
    before.push(...linesOf(path, state.before, state.documents?.before));
    after.push(...linesOf(path, state.after, state.documents?.after));
  }
  const { pairs, gone } = pairEntries(before, after);
  const deltas: EntryDelta[] = [];
  for (const line of after) {
    const old = pairs.get(line) ?? null;
    const verb = old === null ? "added" : verbOf(old, line);
    if (verb !== null) deltas.push({ verb, before: old, after: line });
  }
  for (const old of gone) deltas.push({ verb: "removed", before: old, after: null });
  return deltas;
}

/** The numbers of a diff as the log counts them. */
export function countDeltas(deltas: readonly EntryDelta[]): CommitCounts {
  const counts: CommitCounts = { added: 0, changed: 0, closed: 0, removed: 0, moved: 0 };
  for (const { verb } of deltas) counts[verb === "reopened" ? "changed" : verb]++;
  return counts;
}

// The gate's rule about what was forgotten: no door brings it back, under its id, in its words or in others that say the same.
import { parseDocument, subjectOf } from "../../shared/document.ts";
import type { Refusal } from "../../shared/errors.ts";
import type { MemoryContext } from "./context.ts";
import type { FileState } from "./draft.ts";
import type { DiffLine, EntryDelta } from "./entry-diff.ts";
import { isForgottenName } from "./gate-files.ts";
import { stonesOf } from "./stones.ts";

/** What the user reads in the place of a line that was held back. */
export const HELD_BACK_SENTENCE = "Held back: you asked to forget this. If you want it remembered again, say so in your own words, or lift it in Forgotten.";

/** Lines that a tombstone covers, with the tombstones. Only lines that the write adds, rewords or brings under another subject. */
export function coveredLines(ctx: MemoryContext, files: ReadonlyMap<string, FileState>, deltas: readonly EntryDelta[]): { line: DiffLine; stones: string[] }[] {
  const stones = stonesOf(ctx);
  if (stones.size === 0) return [];
  const subjects = new Map<string, string | null>();
  const subjectAt = (path: string) => {
    const known = subjects.get(path);
    if (known !== undefined) return known;
    const subject = subjectOf(path, files.get(path)?.documents?.after ?? parseDocument(files.get(path)?.after ?? ""));
    subjects.set(path, subject);
    return subject;
  };
  return deltas.flatMap(({ before, after }) => {
    if (!after || isForgottenName(after.path)) return [];
    if (after.id !== null && before === null && stones.replaced(after.id)) return [{ line: after, stones: [] }];
    if (before && before.entry.text === after.entry.text && before.path === after.path) return [];
    const covering = stones.covering({ text: after.entry.text, subject: subjectAt(after.path) });
    return covering.length > 0 ? [{ line: after, stones: covering }] : [];
  });
}

/** Refuses a write that would bring back what was forgotten. Throws AppError("unavailable") while the tombstones cannot be read. */
export function judgeTombstones(ctx: MemoryContext, files: ReadonlyMap<string, FileState>, deltas: readonly EntryDelta[]): Refusal | null {
  const covered = coveredLines(ctx, files, deltas);
  const first = covered[0];
  if (!first) return null;
  return {
    code: "forgotten",
    message: HELD_BACK_SENTENCE,
    details: {
      lines: covered.map(({ line }) => ({ path: line.path, line: line.entry.line, id: line.id })),
      stones: [...new Set(covered.flatMap(({ stones }) => stones))],
    },
  };
}

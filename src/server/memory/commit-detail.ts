// One commit in full: its trailers, what it did to each entry, and the lines of each file. Forgotten words are held back in both.
import { unifiedDiff } from "../../shared/diff.ts";
import { parseDocument } from "../../shared/document.ts";
import { stateOf } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import { subjectOf } from "../../shared/document.ts";
import type { CommitDetail, EntryChange } from "../../shared/protocol.ts";
import { diffTrees } from "../git/diff.ts";
import { readCommit } from "../git/log.ts";
import { oidToBytes } from "../git/oid.ts";
import { commitOf } from "./at.ts";
import { describeCommit } from "./commit-message.ts";
import { todayOf, type MemoryContext } from "./context.ts";
import { parsedFile } from "./documents.ts";
import type { FileState } from "./draft.ts";
import { diffEntries, type DiffLine } from "./entry-diff.ts";
import { isForgottenName } from "./gate-files.ts";
import { holdBackText } from "./hold-back.ts";
import { commitView, type CommitRow } from "./log-view.ts";
import { stonesOf } from "./stones.ts";
import { HELD_BACK } from "./view.ts";

/** Files whose lines are shown; an import of thousands is told by its counts. */
const PATCH_MAX_FILES = 200;

/** The row of a commit on the main line. Throws `not-found`. */
export function commitRow(ctx: Pick<MemoryContext, "sql">, commit: string): CommitRow {
  const row = ctx.sql.exec<CommitRow>("SELECT * FROM commits WHERE oid = ?", oidToBytes(commit)).toArray()[0];
  if (!row) throw new AppError("not-found", "There is no such commit in the history of this memory.", { commit });
  return row;
}

/** The commit before one on the main line: what it changed is seen against this. */
export function commitBefore(ctx: Pick<MemoryContext, "sql">, row: CommitRow): string | null {
  return row.seq === 1 ? null : commitOf(ctx.sql, row.seq - 1);
}

/** The files that differ between two commits, with their texts. */
export function filesBetween(
  ctx: Pick<MemoryContext, "store" | "cache">,
  from: string | null,
  to: string,
): Map<string, FileState> {
  const open = (oid: string | null) => (oid === null ? null : parsedFile(ctx, oid));
  return new Map(
    diffTrees(ctx.store, from, to).map(({ path, before, after }): [string, FileState] => {
      const [old, now] = [open(before), open(after)];
      return [
        path,
        {
          before: old?.text ?? null,
          after: now?.text ?? null,
          documents: { before: old?.document ?? null, after: now?.document ?? null },
        },
      ];
    }),
  );
}

/** What a commit did to each entry. */
export function changesBetween(ctx: MemoryContext, files: ReadonlyMap<string, FileState>): EntryChange[] {
  const stones = stonesOf(ctx);
  const today = todayOf(ctx);
  const subjects = new Map<string, string | null>();
  const covered = (line: DiffLine | null, side: "before" | "after"): boolean => {
    if (!line || stones.size === 0) return false;
    if (line.id !== null && stones.replaced(line.id)) return true;
    const key = `${side} ${line.path}`;
    if (!subjects.has(key))
      subjects.set(
        key,
        subjectOf(line.path, files.get(line.path)?.documents?.[side] ?? parseDocument(files.get(line.path)?.[side] ?? "")),
      );
    return stones.covering({ text: line.entry.text, subject: subjects.get(key)! }).length > 0;
  };
  const pairsOf = (line: DiffLine | null): [string, string][] => (line?.entry.meta ?? []).map(([key, value]) => [key, value]);
  return diffEntries(files)
    .filter(({ before, after }) => !isForgottenName((after ?? before)!.path))
    .map(({ verb, before, after }): EntryChange => {
      const line = (after ?? before)!;
      const heldBack = covered(before, "before") || covered(after, "after");
      return {
        verb,
        id: line.id,
        path: line.path,
        fromPath: before && after && before.path !== after.path ? before.path : null,
        section: line.section,
        before: before ? (heldBack ? HELD_BACK : before.entry.text) : null,
        after: after ? (heldBack ? HELD_BACK : after.entry.text) : null,
        metaBefore: pairsOf(before),
        metaAfter: pairsOf(after),
        state: stateOf(line.entry.meta, today),
        heldBack,
      };
    });
}

/** A commit with its diff by entry and by line. Throws `not-found`. */
export function commitDetail(ctx: MemoryContext, commit: string): CommitDetail {
  const row = commitRow(ctx, commit);
  const raw = readCommit(ctx.store, commit);
  const about = describeCommit(raw);
  const files = filesBetween(ctx, commitBefore(ctx, row), commit);
  const shown = (path: string, text: string | null) =>
    text === null || isForgottenName(path) ? text : holdBackText(ctx, path, text);
  return {
    ...commitView(ctx, row),
    message: raw.message,
    author: raw.author.name,
    trailers: about.trailers,
    changes: changesBetween(ctx, files),
    files: [...files].slice(0, PATCH_MAX_FILES).map(([path, { before, after }]) => ({
      path,
      status: before === null ? "added" : after === null ? "removed" : "changed",
      patch: unifiedDiff(path, shown(path, before), shown(path, after)),
    })),
  };
}

// Conflicts that nobody has answered: a blind retry overwrites the other writer, so it must carry the head that the refusal named.
import type { Change, Outcome } from "../../shared/protocol.ts";
import type { MemoryContext } from "./context.ts";
import type { Draft } from "./draft.ts";
import { Refused } from "./refused.ts";
import { currentById } from "./rows.ts";

type Ctx = Pick<MemoryContext, "sql" | "now">;

/** A conflict is forgotten after a day: whoever comes back then has read the memory anew. */
const CONFLICT_KEEP_MS = 24 * 3600_000;

/** Who tries again: the door, and the conversation behind it. */
function whoOf(change: Change): string {
  return `${change.actor} ${change.kind} ${change.source?.split("#", 1)[0] ?? ""}`;
}

function targetsOf(change: Change): string[] {
  const ids = (change.edits ?? []).flatMap((edit) => ("id" in edit ? [edit.id] : "ids" in edit ? edit.ids : []));
  return [...ids, ...Object.keys(change.files ?? {})];
}

/**
 * Refuses a blind write of what a conflict was named for: one that says neither what it had read nor which refusal. With a base the
 * rebase judges by itself.
 */
export function blindRetry(ctx: Ctx, draft: Draft, change: Change): void {
  if ((change.read ?? change.base) !== null) return;
  for (const target of targetsOf(change)) {
    const row = ctx.sql
      .exec<{ head: string }>(
        "SELECT head FROM conflicts WHERE who = ? AND target = ? AND at > ?",
        whoOf(change),
        target,
        ctx.now() - CONFLICT_KEEP_MS,
      )
      .toArray()[0];
    if (!row) continue;
    const now = change.files ? draft.text(target) : (currentById(ctx.sql, target)?.text ?? null);
    throw new Refused({
      code: "conflict",
      message:
        "This was refused before because somebody else had changed it. Read what stands there now, and send the head that was named along.",
      details: { head: draft.head, base: change.base, mine: mineOf(change, target), theirs: now, target },
    });
  }
}

function mineOf(change: Change, target: string): string | null {
  if (change.files && target in change.files) return change.files[target] ?? null;
  const edit = change.edits?.find((one) => "id" in one && one.id === target);
  return edit && "text" in edit ? (edit.text ?? null) : null;
}

/** Remembers a conflict, in a statement of its own: the write itself was rolled back. */
export function keepConflict(ctx: Ctx, change: Change, outcome: Extract<Outcome, { ok: false }>): void {
  const head = outcome.details?.head;
  if (typeof head !== "string") return;
  const named = outcome.details?.target;
  for (const target of typeof named === "string" ? [named] : targetsOf(change)) {
    ctx.sql.exec(
      "INSERT OR REPLACE INTO conflicts (who, target, head, at) VALUES (?, ?, ?, ?)",
      whoOf(change),
      target,
      head,
      ctx.now(),
    );
  }
  ctx.sql.exec("DELETE FROM conflicts WHERE at < ?", ctx.now() - CONFLICT_KEEP_MS);
}

/** A write that landed answers the conflicts about its targets. */
export function clearConflicts(ctx: Ctx, change: Change): void {
  for (const target of targetsOf(change))
    ctx.sql.exec("DELETE FROM conflicts WHERE who = ? AND target = ?", whoOf(change), target);
}

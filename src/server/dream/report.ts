// What a dream says about itself, counted from the diff of what landed, never from what the model claims.
import type { DreamChange, DreamDetail, DreamView } from "../../shared/protocol.ts";
import { linkOnly } from "./janitor.ts";
import { changedSince, SAID_ALREADY } from "./land.ts";
import { previewOf } from "./preview.ts";
import { shownText } from "./shown.ts";
import type { DreamDeps, DreamRow, StoredChange } from "./types.ts";

/** What landed, by kind. A replaced line counts once, as closed; what replaced it as added. */
export function countsOf(changes: readonly StoredChange[]): DreamView["counts"] {
  const landed = changes.filter(({ status }) => status === "landed" || status === "accepted");
  // A line that is nothing but a link is no fact: the index grows beside what was learned.
  const verbs = landed.flatMap((change) =>
    change.edit?.op === "merge"
      ? []
      : change.changes.filter(({ after }) => after === null || linkOnly(after) === null).map(({ verb }) => verb),
  );
  const count = (verb: string): number => verbs.filter((one) => one === verb).length;
  return {
    added: count("added"),
    merged: landed.filter(({ edit, changes: own }) => edit?.op === "merge" && own.length > 0).length,
    closed: count("closed"),
    moved: count("moved"),
    heldBack: changes.filter(({ status }) => status === "held-back").length,
  };
}

const lines = (n: number, what: string): string => (n === 0 ? "" : `${n === 1 ? "1 line" : `${n} lines`} ${what}`);

/** One sentence of counts and files; it holds no word of any line. */
export function summaryOf(row: DreamRow, changes: readonly StoredChange[]): string {
  if (row.status === "cancelled") return "Stopped by you. Nothing was changed.";
  if (row.status === "failed") return row.error?.message ?? "It failed. Nothing was changed.";
  const counts = countsOf(changes);
  const landed = changes.filter(({ status }) => status === "landed" || status === "accepted");
  const reworded = landed
    .flatMap((change) => (change.edit?.op === "merge" ? [] : change.changes))
    .filter(({ verb }) => verb === "changed").length;
  const waiting = changes.filter(({ status }) => status === "proposed").length;
  const parts = [
    lines(counts.added, "added"),
    lines(counts.merged, "joined"),
    lines(reworded, "changed"),
    lines(counts.closed, "closed"),
    lines(counts.moved, "moved"),
  ].filter((part) => part !== "");
  if (waiting > 0) parts.push(waiting === 1 ? "1 change waits for you" : `${waiting} changes wait for you`);
  if (parts.length === 0) return "Nothing to change.";
  const text = parts.join(", ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A dream in a list. */
export function viewOf(deps: Pick<DreamDeps, "store" | "spent">, row: DreamRow): DreamView {
  const spent = deps.spent(`dream/${row.id}`);
  const changes = deps.store.changes(row.id);
  return {
    id: row.id,
    status: row.status,
    trigger: row.trigger,
    startedAt: new Date(row.startedAt).toISOString(),
    endedAt: row.endedAt === null ? null : new Date(row.endedAt).toISOString(),
    read: row.read,
    inbox: row.inbox,
    summary: row.endedAt === null ? "" : row.summary,
    commit: row.commits.at(-1) ?? null,
    undone: row.undone,
    counts: countsOf(changes),
    calls: spent.calls,
    tokensIn: spent.tokensIn,
    tokensOut: spent.tokensOut,
    usd: spent.usd,
    error: row.error,
  };
}

/** A change as the page shows it; what waits is shown against today's head. One that waits is always shown: it is counted, and can be answered. */
function changeViews(deps: DreamDeps, row: DreamRow, stored: StoredChange, all: readonly StoredChange[]): DreamChange[] {
  let { changes, heldBack } = stored;
  const { n, edit } = stored;
  if (stored.status === "proposed" && edit) {
    const waiting = all.flatMap((one) => (one.status === "proposed" && one.edit ? [{ n: one.n, edit: one.edit }] : []));
    const preview = previewOf(deps, row, { n, edit }, waiting);
    if (changedSince(deps, stored)) heldBack = "The line has changed since; this no longer fits.";
    else if (!preview.ok) heldBack = preview.message;
    else if (preview.changes.length === 0) heldBack = SAID_ALREADY;
    else changes = preview.changes;
  }
  return changes.map((change) => ({
    n: stored.n,
    change,
    reason: stored.reason,
    evidence: stored.evidence,
    status: stored.status,
    heldBack,
  }));
}

/** The page of one dream. */
export function detailOf(deps: DreamDeps, row: DreamRow): DreamDetail {
  const view = viewOf(deps, row);
  const changes = deps.store.changes(row.id);
  const items =
    row.endedAt === null ? deps.store.itemsOf(row.id).map(({ ref, state, outcome }) => ({ ref, state, outcome })) : row.items;
  return {
    ...view,
    log: deps.store.log(row.id),
    changes: changes.flatMap((change) => changeViews(deps, row, change, changes)),
    items: items.map((item) => ({ ...item, text: shownText(deps.inbox.text(item.ref)?.text ?? "") })),
    tokensPerLearned: row.tokensLearned > 0 ? Math.round(view.tokensIn / row.tokensLearned) : null,
  };
}

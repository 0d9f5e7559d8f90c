// What the user has turned down, and what still waits for an answer: a dream does not bring it again.
import { REJECTED_DAYS } from "../../shared/limits.ts";
import type { Edit } from "../../shared/protocol.ts";
import { coverage } from "./grounds.ts";
import type { DreamStore, Rejection, StoredChange } from "./types.ts";

const DAY_MS = 86_400_000;
/** Share of words, both ways, from which two texts are one proposal in other words. */
const SAME_SHARE = 0.8;

/** Ids that an edit takes hold of. */
export function idsOf(edit: Edit): string[] {
  if (edit.op === "add") return [];
  if (edit.op === "merge") return edit.ids;
  return edit.op === "remove" && edit.into ? [edit.id, edit.into] : [edit.id];
}

/** An edit as it is remembered. */
export function rejectionOf(edit: Edit, at: number): Rejection {
  return {
    at,
    op: edit.op === "remove" ? "close" : edit.op,
    ids: [...idsOf(edit)].sort(),
    path: edit.op === "move" || edit.op === "add" ? (edit.path ?? null) : null,
    text: "text" in edit && typeof edit.text === "string" ? edit.text : null,
  };
}

function sameText(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return a === b;
  return a === b || (coverage(a, [b]) >= SAME_SHARE && coverage(b, [a]) >= SAME_SHARE);
}

/** Whether two edits ask for the same thing. */
export function sameChange(a: Rejection, b: Rejection): boolean {
  if (a.op !== b.op) return false;
  const ids = a.ids.length === b.ids.length && a.ids.every((id, at) => id === b.ids[at]);
  switch (a.op) {
    case "add":
      return sameText(a.text, b.text);
    case "close":
    case "merge":
      return ids;
    case "move":
      return ids && a.path === b.path;
    default:
      return ids && sameText(a.text, b.text);
  }
}

/** What must not come again: turned down by the user, or waiting in a proposal. */
export interface Remembered {
  rejected: Rejection[];
  waiting: Rejection[];
}

/** Reads both lists. */
export function remembered(store: DreamStore, now: number): Remembered {
  const waiting = store
    .withStatus("proposed")
    .flatMap((dream) => store.changes(dream.id))
    .filter((change): change is StoredChange & { edit: Edit } => change.status === "proposed" && change.edit !== null)
    .map((change) => rejectionOf(change.edit, now));
  return { rejected: store.rejections(now - REJECTED_DAYS * DAY_MS), waiting };
}

/** Why an edit may not come again; null where it may. `newest` = when the newest message that it cites was said: later words open a closed matter. */
export function refusedBefore(known: Remembered, edit: Edit, newest: number | null): string | null {
  const asked = rejectionOf(edit, 0);
  const rejected = known.rejected.find((rejection) => sameChange(rejection, asked));
  if (rejected && (newest === null || newest <= rejected.at)) return "The user has turned this change down. Leave it.";
  if (known.waiting.some((waiting) => sameChange(waiting, asked)))
    return "This change already waits for the user's answer. Leave it.";
  return null;
}

/** Remembers changes that were turned down or taken back. */
export function remember(store: DreamStore, edits: readonly Edit[], now: number): void {
  for (const edit of edits) store.addRejection(rejectionOf(edit, now));
}

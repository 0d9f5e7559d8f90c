// What a revert of a commit would do to the memory as it is now: what goes back, what stays and why, what is held back. Pure;
// the server decides by the same rule (a three-way rebase, field by field), so this only tells in advance.
import type { CommitDetail, EntryChange, EntryView } from "../../shared/protocol.ts";
import { normalText } from "../../shared/normal.ts";
import { pathName } from "../lib/paths.ts";

export interface Planned {
  change: EntryChange;
  does: "back" | "stays" | "held";
  margin: string;
  /** How the revert names it: its id, or its normalised text. */
  name: string;
}

type Pairs = EntryChange["metaBefore"];

function values(meta: Pairs, key: string): string {
  return meta
    .filter(([name]) => name === key)
    .map(([, value]) => value)
    .sort()
    .join("\n");
}

/** Keys that the change gave another value. */
export function changedKeys(before: Pairs, after: Pairs): string[] {
  const keys = new Set([...before, ...after].map(([key]) => key));
  return [...keys].filter((key) => values(before, key) !== values(after, key));
}

function nameOf(change: EntryChange): string {
  return change.id ?? normalText(change.after ?? change.before ?? "");
}

function find(now: readonly EntryView[], change: EntryChange): EntryView | undefined {
  if (change.id) return now.find((entry) => entry.id === change.id);
  const text = normalText(change.after ?? change.before ?? "");
  return now.find((entry) => entry.path === change.path && normalText(entry.text) === text);
}

/** The plan of one change. */
export function planOf(change: EntryChange, kind: CommitDetail["kind"], now: readonly EntryView[]): Planned {
  const name = nameOf(change);
  const made = (does: Planned["does"], margin: string): Planned => ({ change, does, margin, name });
  if (change.heldBack) return made("held", "held back: you asked to forget it");
  const entry = find(now, change);
  if (change.verb === "removed") {
    if (kind === "forget") return made("held", "held back: you asked to forget it");
    return entry ? made("stays", "stays: it is there again") : made("back", "comes back");
  }
  if (!entry) return made("stays", "is not there any more");
  if (entry.state === "removed") return made("held", "held back: you asked to forget it");
  if (change.after !== null && change.before !== change.after && entry.text !== change.after)
    return made("stays", "stays: it was changed later");
  const keys = changedKeys(change.metaBefore, change.metaAfter);
  if (keys.some((key) => values(entry.meta, key) !== values(change.metaAfter, key)))
    return made("stays", "stays: it was changed later");
  switch (change.verb) {
    case "added":
      return made("back", "goes away");
    case "closed":
      return made("back", "open again");
    case "reopened":
      return made("back", "closed again");
    case "moved":
      return entry.path === change.path
        ? made("back", `back to ${pathName(change.fromPath ?? change.path)}`)
        : made("stays", "stays: it was moved later");
    default:
      return made("back", "as it was");
  }
}

/** The plan of a whole commit, in the order of its changes. */
export function planRevert(commit: Pick<CommitDetail, "changes" | "kind">, now: readonly EntryView[]): Planned[] {
  return commit.changes.map((change) => planOf(change, commit.kind, now));
}

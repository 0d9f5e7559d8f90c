// Taking back: the last change of the memory that this tab made, or a given part of a commit. What was written later stays.
import type { Outcome } from "../../shared/protocol.ts";
import { say, warn } from "../ui/Toasts.tsx";
import { api, troubleOf } from "./api.ts";
import { keyText } from "./hotkeys.ts";

type Landed = Extract<Outcome, { ok: true }>;

/** `then`: what a view does once it is taken back, such as going to where it stood before. */
const done: { commit: string; entries?: string[] | undefined; then?: (() => void) | undefined }[] = [];

/** Remembers a change, so that ⌘Z can take it back. */
export function remember(outcome: Landed, then?: () => void): void {
  if (outcome.commit) done.push({ commit: outcome.commit, then });
}

/** Says that something was written, with an Undo. */
export function landed(outcome: Landed, text: string, then?: () => void): void {
  if (outcome.commit === null) {
    say("Nothing had to change.");
    return;
  }
  remember(outcome, then);
  const { commit } = outcome;
  say(text, { label: "Undo", run: () => void undo(commit) }, keyText("mod+z"));
}

/** Takes a commit, or some of its entries, back. True where it was. */
export async function undo(commit: string, entries?: string[]): Promise<boolean> {
  try {
    await api.revert(commit, entries ? { entries } : {});
    const at = done.findIndex((one) => one.commit === commit);
    const [known] = at >= 0 ? done.splice(at, 1) : [];
    known?.then?.();
    say("Taken back.");
    return true;
  } catch (error) {
    const trouble = troubleOf(error);
    warn(`Not taken back. ${trouble.message}`);
    return false;
  }
}

/** Takes the newest change of this tab back. */
export async function undoLast(): Promise<void> {
  const last = done[done.length - 1];
  if (!last) say("There is nothing to take back in this window.");
  else await undo(last.commit, last.entries);
}

// What can be done with a line in one step, each with an Undo and a sentence when it does not work.
import { useMemo } from "react";
import { useLocation } from "wouter";
import type { EntryView, Outcome } from "../../shared/protocol.ts";
import { plainLinks } from "../../shared/normal.ts";
import { api, troubleOf } from "../lib/api.ts";
import { landed } from "../lib/undo.ts";
import { say, warn } from "../ui/Toasts.tsx";

/** What needs a dialog: how a line is taken back, or where it moves. */
export type Take = "close" | "wrong" | "forget" | "erase" | "move";

type Landed = Extract<Outcome, { ok: true }>;

async function attempt(work: Promise<Landed>, text: string): Promise<void> {
  try {
    landed(await work, text);
  } catch (error) {
    warn(`Not saved. ${troubleOf(error).message}`);
  }
}

export function useEntryActions(entry: EntryView) {
  const [, navigate] = useLocation();
  return useMemo(() => {
    const id = entry.id ?? "";
    return {
      pin: () => void attempt(api.pin(id, !entry.pin), entry.pin ? "Unpinned." : "Pinned. Only you may change this line now."),
      confirm: () => void attempt(api.confirm(id), "Confirmed: it is still true."),
      reopen: () => void attempt(api.reopen(id), "Open again."),
      history: () => navigate(`/history?entry=${id}`),
      copy: () =>
        void navigator.clipboard.writeText(plainLinks(entry.text)).then(
          () => say("Copied."),
          () => say("This browser does not let a page copy."),
        ),
    };
  }, [entry, navigate]);
}

// What the tool calls of an answer become on the screen: cards of what was written, what waits, and what was refused. Pure.
import type { Action, Outcome } from "../../shared/protocol.ts";
import type { Landed } from "../../shared/protocol/write.ts";

export type Card =
  | { kind: "written"; verb: string; path: string; entries: Landed[]; commit: string | null }
  | {
      kind: "refused";
      path: string | null;
      code: string;
      why: string;
      card: string | null;
      answered: "accepted" | "left" | null;
      proposed: string | null;
    };

const VERBS: Record<Landed["verb"], string> = {
  added: "Remembered",
  changed: "Changed",
  closed: "Closed",
  reopened: "Opened again",
  removed: "Forgotten",
  moved: "Moved",
  pinned: "Pinned",
  same: "Already kept",
  confirmed: "Confirmed",
};

/** Codes whose words must not be repeated on the screen. */
const UNSPOKEN = new Set(["forgotten", "secret"]);

function isWrite(outcome: Action["outcome"]): outcome is Outcome {
  return outcome.ok === false || "entries" in outcome;
}

function textOf(input: unknown): string | null {
  const text = (input as { text?: unknown } | null)?.text;
  return typeof text === "string" && text.trim() !== "" ? text : null;
}

function pathOf(action: Action): string | null {
  const detail = action.outcome.ok === false ? action.outcome.details?.path : undefined;
  const path = detail ?? (action.input as { path?: unknown } | null)?.path;
  return typeof path === "string" ? path : null;
}

/** The card of an action; null where it only read. */
export function cardOf(action: Action): Card | null {
  const { outcome } = action;
  if (!isWrite(outcome)) return null;
  if (outcome.ok) {
    const first = outcome.entries[0];
    if (!first) return null;
    return { kind: "written", verb: VERBS[first.verb], path: first.entry.path, entries: outcome.entries, commit: outcome.commit };
  }
  // What the model asked for in a wrong form concerns nobody but the model.
  if (outcome.code === "bad-format" || outcome.code === "not-found" || outcome.code === "ambiguous") return null;
  return {
    kind: "refused",
    path: pathOf(action),
    code: outcome.code,
    why: outcome.message,
    card: action.card ?? null,
    answered: action.answered ?? null,
    proposed: UNSPOKEN.has(outcome.code) ? null : textOf(action.input),
  };
}

/** Ids of the lines that an Undo of this card takes back, the lines that they replaced included. */
export function idsOf(entries: readonly Landed[]): string[] {
  return [
    ...new Set(
      entries.flatMap(({ entry, replaced }) => [entry.id, replaced?.id ?? null]).filter((id): id is string => id !== null),
    ),
  ];
}

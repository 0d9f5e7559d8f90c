// What a line of memory looks like: its state, the word for it, and what stands in its margin. Pure.
import type { EntryView } from "../../shared/protocol.ts";
import { sourceWord } from "../../shared/source.ts";
import { firstDay, partial } from "./dates.ts";

export type LineState = "open" | "upcoming" | "past" | "check" | "closed" | "wrong" | "held";

type Dated = Pick<EntryView, "state" | "why" | "toCheck" | "since" | "until" | "closed" | "on" | "expires">;

/** Which of the seven states of a line this is. */
export function lineState(entry: Pick<EntryView, "state" | "why" | "toCheck">): LineState {
  if (entry.state === "removed") return "held";
  if (entry.why === "wrong") return "wrong";
  if (entry.state === "closed") return "closed";
  if (entry.toCheck) return "check";
  return entry.state;
}

/** The state as a word before the text, for those who do not see the bullet. */
export const STATE_WORD: Record<LineState, string> = {
  open: "",
  upcoming: "upcoming: ",
  past: "past: ",
  check: "to be checked: ",
  closed: "closed: ",
  wrong: "was wrong: ",
  held: "held back: ",
};

/** The direction of a text: that of its first letter that has one. */
export function dirOf(text: string): "rtl" | "ltr" {
  const first = /\p{L}/u.exec(text.replace(/^\s*\[\[[^\]|]*\|?/, ""))?.[0] ?? "";
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(first) ? "rtl" : "ltr";
}

/** From when to when, in the margin's voice; null where no date is known. `on`: the state on the day of reading. */
export function intervalText(entry: Dated, on?: LineState): string | null {
  const state = on ?? lineState(entry);
  if (state === "wrong") return entry.closed ? `was wrong, ${partial(entry.closed)}` : "was wrong";
  if (entry.on) return `on ${partial(entry.on)}`;
  const { since, until } = entry;
  if (since && until) return `${partial(since)} – ${partial(until)}`;
  if (until) return `until ${partial(until)}`;
  if (state === "closed") {
    const end = entry.closed ? partial(entry.closed) : null;
    if (since && end) return `${partial(since)} – ${end}`;
    return end ? `closed ${end}` : "closed";
  }
  if (entry.expires) return `${state === "past" ? "lapsed" : "lapses"} ${partial(entry.expires)}`;
  if (since) return `${state === "upcoming" ? "from" : "since"} ${partial(since)}`;
  return null;
}

/** The word of the last source, and how many there are. */
export function sourceText(sources: readonly string[]): string | null {
  if (sources.length === 0) return null;
  return sources.length === 1 ? sourceWord(sources[0] as string) : `${sources.length} sources`;
}

/** Whether the entry was true on a day of valid time, as format.md, Two clocks, has it. */
export function trueOn(entry: Dated, day: string): boolean {
  if (entry.why === "wrong") return false;
  if (entry.since && firstDay(entry.since) > day) return false;
  const end = entry.until ?? entry.closed;
  return !end || firstDay(end) > day;
}

/** The state of an entry on another day: what has not begun is upcoming, what was true is open, a plan that is over is past. */
export function stateOn(entry: EntryView, day: string): LineState {
  if (entry.state === "removed") return "held";
  if (entry.why === "wrong") return "wrong";
  const end = entry.until ?? entry.closed;
  if (end && firstDay(end) <= day) return "closed";
  if ((entry.since && firstDay(entry.since) > day) || (entry.on && firstDay(entry.on) > day)) return "upcoming";
  if (entry.on && entry.on.padEnd(10, "-99") < day) return "past";
  return "open";
}

// The outcome of a tool in words: for the model that called it, and one line for people. Pure.
import type { Action, EntryView, Outcome } from "../../shared/protocol.ts";
import { fenceLine } from "./fence.ts";
import { recalledLine } from "./prompt.ts";

const bare = (path: string): string => fenceLine(path.replace(/\.md$/, ""));
const named = (entry: Pick<EntryView, "text" | "id">): string =>
  `${fenceLine(entry.text)}${entry.id === null ? "" : ` {${entry.id}}`}`;

/** A line of memory: `people/ana: past: Ana is a nurse (since 2026-03) {q1w2e3r4}`. */
export function entryLine(entry: Pick<EntryView, "path" | "chain" | "id" | "state">): string {
  return recalledLine(entry);
}

function refusal(outcome: { code: string; message: string }): string {
  return outcome.code === "needs-click"
    ? `Waits for a click: ${outcome.message}`
    : `Not saved (${outcome.code}): ${outcome.message}`;
}

function nearLines(near: readonly EntryView[] | undefined): string[] {
  return (near ?? []).map((entry) => `Near: ${entryLine(entry)}`);
}

/** What a write did. `verb` is what was asked for. */
export function sayOutcome(verb: "remember" | "revise", outcome: Outcome): string {
  if (!outcome.ok) return refusal(outcome);
  const lines = outcome.entries.map((landed) => {
    const { entry } = landed;
    switch (landed.verb) {
      case "same":
      case "confirmed":
        return `Already known in ${bare(entry.path)}: ${named(entry)}`;
      case "closed":
        return `Closed in ${bare(entry.path)}: ${named(entry)}${entry.why === "wrong" ? ", as it was never true" : entry.until ? `, ended ${entry.until}` : ""}`;
      case "removed":
        return `Removed from ${bare(entry.path)}: ${named(entry)}`;
      case "changed":
        return `Changed in ${bare(entry.path)}: ${named(entry)}`;
      default: {
        const word = verb === "revise" ? "Changed" : "Saved";
        const instead = landed.replaced ? ` (before: ${fenceLine(landed.replaced.text)})` : "";
        return `${word} in ${bare(entry.path)}: ${named(entry)}${instead}`;
      }
    }
  });
  if (lines.length === 0) lines.push("Already known: nothing had to change.");
  return [...lines, ...nearLines(outcome.near), ...(outcome.warnings ?? [])].join("\n");
}

/** What a forget did. */
export interface Forgotten {
  removed: EntryView[];
  candidates: EntryView[];
}

/** `Forgotten: 2 lines`, or the lines that fit, or nothing. The forgotten words are not repeated. */
export function sayForgotten(result: Forgotten): string {
  if (result.removed.length > 0) return `Forgotten: ${result.removed.length} ${result.removed.length === 1 ? "line" : "lines"}`;
  if (result.candidates.length > 0)
    return ["Several lines fit, nothing was forgotten:", ...result.candidates.map(entryLine)].join("\n");
  return "Nothing found.";
}

/** What recall found. */
export function sayRecalled(entries: readonly Pick<EntryView, "path" | "chain" | "id" | "state">[]): string {
  return entries.length === 0 ? "Nothing found." : entries.map(entryLine).join("\n");
}

/** A reply for a model that said nothing after its tools: what they did. */
export function sayActions(actions: readonly Action[]): string {
  const saved = actions.filter(
    ({ outcome, tool }) => outcome.ok && "entries" in outcome && outcome.commit !== null && tool !== "forget",
  ).length;
  const waiting = actions.filter(({ outcome }) => !outcome.ok && outcome.code === "needs-click").length;
  const refused = actions.filter(({ outcome }) => !outcome.ok && outcome.code !== "needs-click");
  const parts: string[] = [];
  if (saved > 0) parts.push(saved === 1 ? "Saved." : `Saved ${saved} things.`);
  if (waiting > 0) parts.push(waiting === 1 ? "One change waits for your click." : `${waiting} changes wait for your click.`);
  for (const { outcome } of refused) if (!outcome.ok) parts.push(outcome.message);
  return parts.join(" ");
}

// Owns how the plan of timeline.ts becomes a changed document, for plans whose entries all stand in one file.
import { HISTORY, type Document } from "./document.ts";
import { insertEntry, moveAboveHistory, moveToHistory, replaceEntry, type Place } from "./edit-document.ts";
import { metaValue, setMetaFields } from "./entry.ts";
import { AppError } from "./errors.ts";
import { normalText } from "./normal.ts";
import type { Patch, Plan, TimelineEntry } from "./timeline.ts";

/** An entry of a document with its line. */
export interface LinedEntry extends TimelineEntry {
  line: number;
}

/** The entries of a document, each under its name: its id, or else its normalised text. Of equal names only the first can be patched; the others get a number. */
export function timelineOf(document: Document, path?: string): LinedEntry[] {
  const used = new Map<string, number>();
  return document.entries.map(({ text, meta, line }) => {
    const own = metaValue(meta, "id") ?? normalText(text);
    const count = (used.get(own) ?? 0) + 1;
    used.set(own, count);
    const name = count === 1 ? own : `${own} (${count})`;
    return path === undefined ? { name, text, meta, line } : { name, text, meta, line, path };
  });
}

function lineOf(document: Document, name: string): number {
  const entry = timelineOf(document).find((one) => one.name === name);
  if (!entry) throw new AppError("not-found", "The entry that should change is not in this file.", { name });
  return entry.line;
}

function inHistory(document: Document, line: number): boolean {
  return document.entries.find((entry) => entry.line === line)?.section === HISTORY;
}

// Keys first and moves last, each by name: lines shift, and an id that a patch does not touch keeps naming its entry.
function applyPatch(document: Document, patch: Patch): Document {
  const line = lineOf(document, patch.name);
  const { meta } = document.entries.find((entry) => entry.line === line)!;
  const changed = replaceEntry(document, line, { meta: setMetaFields(meta, patch.set) });
  if (patch.move === "history" && !inHistory(changed, line)) return moveToHistory(changed, line).document;
  if (patch.move === "open" && inHistory(changed, line)) return moveAboveHistory(changed, line).document;
  return changed;
}

/** The document after a plan; a refused plan leaves it as it is. A new entry goes to `place`, or to History where it is saved already ended. */
export function applyPlan(document: Document, plan: Plan, place: Place = { section: null }): Document {
  if (plan.kind === "refused") return document;
  let result = plan.patches.reduce(applyPatch, document);
  if (plan.kind === "new") {
    const { text, meta, toHistory } = plan.entry;
    result = insertEntry(result, { text, meta }, toHistory ? { section: HISTORY } : place).document;
  }
  return result;
}

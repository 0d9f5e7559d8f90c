// Carries a plan of the clocks out on the draft: over as many files as it takes.
import { HISTORY } from "../../shared/document.ts";
import { moveAboveHistory, moveToHistory, replaceEntry } from "../../shared/edit-document.ts";
import { setMetaFields } from "../../shared/entry.ts";
import type { Patch } from "../../shared/timeline.ts";
import type { Draft } from "./draft.ts";
import type { PlacedEntry } from "./subject-entries.ts";

/** Gives an entry without an id one, so that it can be found again when lines have moved. */
function ensureId(draft: Draft, entry: PlacedEntry, newId: () => string): string {
  if (entry.id !== null) return entry.id;
  const document = draft.document(entry.path)!;
  const id = newId();
  const meta = document.entries.find((one) => one.line === entry.line)!.meta;
  draft.put(entry.path, replaceEntry(document, entry.line, { meta: setMetaFields(meta, { id }) }));
  return id;
}

/** Applies patches to entries that stand; gives back the ids under which their names stand now. */
export function carryOut(
  draft: Draft,
  patches: readonly Patch[],
  entries: readonly PlacedEntry[],
  newId: () => string,
): Map<string, string> {
  const ids = new Map<string, string>();
  for (const { name } of patches) {
    const entry = entries.find((one) => one.name === name);
    if (entry) ids.set(name, ensureId(draft, entry, newId));
  }
  for (const patch of patches) {
    const id = ids.get(patch.name);
    const found = id === undefined ? null : draft.locate(id);
    if (!found) continue;
    draft.put(found.path, replaceEntry(found.document, found.entry.line, { meta: setMetaFields(found.entry.meta, patch.set) }));
    if (patch.move !== null) settlePlace(draft, id!, patch.move);
  }
  return ids;
}

/** Moves an entry into History, or back to just above it. */
export function settlePlace(draft: Draft, id: string, move: "history" | "open"): void {
  const found = draft.locate(id);
  if (!found) return;
  const inHistory = found.entry.section === HISTORY;
  if (move === "history" && !inHistory) draft.put(found.path, moveToHistory(found.document, found.entry.line).document);
  if (move === "open" && inHistory) draft.put(found.path, moveAboveHistory(found.document, found.entry.line).document);
}

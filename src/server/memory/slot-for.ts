// From the name that somebody gives to an attribute to the slot it fills: the subject's own, the table's, or a question back.
import { metaValue } from "../../shared/entry.ts";
import { mapSlot, slotName } from "../../shared/slots.ts";
import type { MemoryContext } from "./context.ts";
import type { Draft } from "./draft.ts";
import { refuseWrite } from "./refused.ts";
import { subjectOfPath } from "./subject-entries.ts";

/** Slots that a subject's entries use already. */
export function slotsOfSubject(ctx: Pick<MemoryContext, "sql">, draft: Draft, subject: string): string[] {
  const slots = new Set(
    ctx.sql
      .exec<{ slot: string }>("SELECT DISTINCT slot FROM entries WHERE subject = ? AND slot IS NOT NULL ORDER BY slot", subject)
      .toArray()
      .map((row) => row.slot),
  );
  for (const path of draft.touchedPaths()) {
    if (subjectOfPath(draft, path) !== subject) continue;
    for (const entry of draft.document(path)!.entries) {
      const slot = metaValue(entry.meta, "slot");
      if (slot !== undefined) slots.add(slot);
    }
  }
  return [...slots];
}

/** The slot of a name; null where a subject has several of these, so that none fills a slot. `=name` insists on a slot of that name. */
export function slotFor(ctx: Pick<MemoryContext, "sql">, draft: Draft, subject: string, name: string): string | null {
  if (name.trim() === "") return null;
  if (name.trim().startsWith("=")) return slotName(name) || null;
  const answer = mapSlot(name, slotsOfSubject(ctx, draft, subject));
  if (answer.kind === "slot") return answer.slot;
  if (answer.kind === "many") return null;
  const candidates = answer.candidates;
  refuseWrite(
    "ambiguous",
    candidates.length > 0
      ? `Which attribute is “${name}”? It may be ${candidates.join(" or ")}. Send one of them, “=${slotName(name) || name}” for one of its own, or no slot.`
      : `“${name}” is not the name of an attribute. Write it with a-z, 0-9 and -, or send no slot.`,
    { slot: name, candidates },
  );
}

// Slots after whole files were handed over: whatever hand wrote a line, no slot holds two open values afterwards.
import { metaValue, metaValues, setMetaFields } from "../../shared/entry.ts";
import { removeEntries, replaceEntry } from "../../shared/edit-document.ts";
import { firstDay } from "../../shared/clock.ts";
import { mapSlot } from "../../shared/slots.ts";
import { planSave, planTidy } from "../../shared/timeline.ts";
import { carryOut, settlePlace } from "./carry-out.ts";
import type { MemoryContext } from "./context.ts";
import type { Draft } from "./draft.ts";
import { diffEntries, isClosedEntry, type DiffLine, type EntryDelta } from "./entry-diff.ts";
import { isForgottenName } from "./gate-files.ts";
import { Refused } from "./refused.ts";
import { slotsOfSubject } from "./slot-for.ts";
import { subjectEntries, subjectOfPath } from "./subject-entries.ts";
import type { WriteScope } from "./writer.ts";

const slotOf = (line: Pick<DiffLine, "entry">) => (metaValue(line.entry.meta, "slot") ?? "").trim().toLowerCase();

/**
 * Settles the slots of every entry that was added or changed: by the draft, or by a push that it follows. New values take their place
 * as if they had been remembered.
 */
export function settleSlots(
  ctx: MemoryContext,
  draft: Draft,
  scope: WriteScope,
  deltas: readonly EntryDelta[] = diffEntries(draft.changed()),
): void {
  const lines = deltas.flatMap(({ verb, after }) =>
    after && slotOf(after) !== "" && !isForgottenName(after.path) ? [{ verb, line: after }] : [],
  );
  for (const { verb, line } of lines)
    if (verb === "added" && line.id !== null && !isClosedEntry(line.entry)) placeNew(ctx, draft, scope, line.id);
  const seen = new Set<string>();
  for (const { line } of lines) {
    const subject = subjectOfPath(draft, line.path);
    const key = `${subject}\n${slotOf(line)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const entries = subjectEntries(ctx, draft, { subject, slot: slotOf(line) });
    carryOut(draft, planTidy(entries, scope.today), entries, scope.newId);
  }
}

/** A line that a hand added is saved like any other fact: its dates and its neighbours follow from the timeline it joins. */
function placeNew(ctx: MemoryContext, draft: Draft, scope: WriteScope, id: string): void {
  const found = draft.locate(id);
  if (!found) return;
  const { meta, text } = found.entry;
  const subject = subjectOfPath(draft, found.path);
  const answer = mapSlot(
    metaValue(meta, "slot")!,
    slotsOfSubject(ctx, draft, subject).filter((slot) => slot !== metaValue(meta, "slot")),
  );
  const own = metaValue(meta, "slot")!.trim().toLowerCase();
  const slot = answer.kind === "slot" && answer.known ? answer.slot : own;
  const all = subjectEntries(ctx, draft, { subject, slot });
  const entries = all.filter((entry) => entry.id !== id);
  const fact = {
    text,
    slot,
    scope: metaValue(meta, "scope") ?? null,
    since: metaValue(meta, "since") ?? null,
    until: metaValue(meta, "until") ?? null,
    on: metaValue(meta, "on") ?? null,
    expires: metaValue(meta, "expires") ?? null,
  };
  const added = firstDay(metaValue(meta, "added"));
  const plan = planSave(entries, fact, { saidOn: added ?? scope.today, today: scope.today, newId: id });
  if (plan.kind === "refused") throw new Refused(plan.refusal);
  if (plan.kind === "same") {
    // Said already: the line that stands takes the sources, the new one goes.
    const sources = metaValues(meta, "source");
    draft.put(found.path, removeEntries(found.document, new Set([found.entry.line])));
    const ids = carryOut(draft, plan.patches, entries, scope.newId);
    const stands = draft.locate(ids.get(plan.name) ?? plan.name);
    const known = stands ? metaValues(stands.entry.meta, "source") : [];
    const fresh = sources.filter((source) => !known.includes(source));
    if (stands && fresh.length > 0)
      draft.put(
        stands.path,
        replaceEntry(stands.document, stands.entry.line, {
          meta: setMetaFields(stands.entry.meta, { source: [...known, ...fresh] }),
        }),
      );
    return;
  }
  carryOut(draft, plan.patches, entries, scope.newId);
  if (plan.kind !== "new") return;
  const now = draft.locate(id)!;
  const settled = Object.fromEntries(
    ["since", "until", "closed", "why", "replaces", "slot"].map((key) => [
      key,
      metaValue(plan.entry.meta, key) ?? metaValue(meta, key) ?? null,
    ]),
  );
  draft.put(now.path, replaceEntry(now.document, now.entry.line, { meta: setMetaFields(now.entry.meta, settled) }));
  if (plan.entry.toHistory) settlePlace(draft, id, "history");
}

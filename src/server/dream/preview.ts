// What a change that waits would do to the memory as it is now: alone, or where it stands on others that wait, together with them.
import type { EntryChange } from "../../shared/protocol.ts";
import { attribute } from "./attribute.ts";
import { judgeEdits } from "./plan.ts";
import type { DreamDeps, DreamRow, Planned } from "./types.ts";

type Waiting = Pick<Planned, "n" | "edit">;

/** What would change, or the refusal. An empty list: the memory says so already. */
export type Preview = { ok: true; changes: EntryChange[] } | { ok: false; code: string; message: string };

/** Looks at one of several changes that wait. */
export function previewOf(
  deps: Pick<DreamDeps, "memory" | "now">,
  row: DreamRow,
  one: Waiting,
  all: readonly Waiting[],
): Preview {
  const alone = judgeEdits(deps, row, [one.edit]);
  if (alone.outcome.ok) return { ok: true, changes: alone.changes };
  const { code, message } = alone.outcome;
  const before = all.filter(({ n }) => n < one.n);
  if (before.length === 0) return { ok: false, code, message };
  const together = judgeEdits(
    deps,
    row,
    [...before, one].map(({ edit }) => edit),
  );
  if (!together.outcome.ok) return { ok: false, code, message };
  return { ok: true, changes: attribute(together.changes, [...before, one]).get(one.n)! };
}

// Which plan of a dream each change of a diff belongs to, so that a report made from the diff can give the reasons. Every change finds a place: what
// belongs to no plan alone is told as what followed from them. Pure.
import { normalText } from "../../shared/normal.ts";
import type { Edit, EntryChange } from "../../shared/protocol.ts";
import { idsOf } from "./remembered.ts";
import type { StoredChange } from "./types.ts";

interface Numbered {
  n: number;
  edit: Edit;
}

const textOf = (edit: Edit): string | undefined => ("text" in edit ? edit.text : undefined);
const metaOf = (change: EntryChange, key: string, side: "metaBefore" | "metaAfter"): string | undefined =>
  change[side].findLast(([name]) => name === key)?.[1];

/** The changes of a diff by the number of the plan that made them: by id, by words, by place, and by what an added line replaces. */
export function attribute(changes: readonly EntryChange[], plans: readonly Numbered[]): Map<number, EntryChange[]> {
  const byN = new Map<number, EntryChange[]>(plans.map(({ n }) => [n, []]));
  const left = new Set(changes);
  const round = (owner: (change: EntryChange) => Numbered | undefined): void => {
    for (const change of left) {
      const found = owner(change);
      if (!found) continue;
      byN.get(found.n)!.push(change);
      left.delete(change);
    }
  };
  const idle = ({ n }: Numbered): boolean => byN.get(n)!.length === 0;
  const adds = plans.filter(({ edit }) => edit.op === "add");
  const sameWords = (a: string | undefined, b: string | null): boolean =>
    a !== undefined && b !== null && normalText(a) === normalText(b);
  const there = (edit: Edit, change: EntryChange): boolean => "path" in edit && (edit.path ?? change.path) === change.path;

  round(({ id }) => plans.find(({ edit }) => id !== null && idsOf(edit).includes(id)));
  round((change) => plans.find(({ edit }) => textOf(edit) !== undefined && textOf(edit) === change.after));
  round((change) => plans.find(({ edit }) => sameWords(textOf(edit), change.after)));
  round((change) =>
    change.verb === "added" ? adds.find((plan) => plan.edit.op === "add" && idle(plan) && there(plan.edit, change)) : undefined,
  );
  // A slot that a line fills closes or shortens its neighbours: that belongs to the line.
  round((change) =>
    plans.find(({ n }) =>
      byN.get(n)!.some((own) => {
        const slot = metaOf(own, "slot", "metaAfter");
        return (
          (change.id !== null && metaOf(own, "replaces", "metaAfter") === change.id) ||
          (slot !== undefined && slot === metaOf(change, "slot", "metaBefore") && own.id !== change.id)
        );
      }),
    ),
  );
  return byN;
}

/** Whether an edit is in a diff at all: it has changes of its own, or another plan that touched the same line tells of it. */
export function had(edit: Edit, own: readonly EntryChange[], all: readonly EntryChange[]): boolean {
  const ids = new Set(idsOf(edit));
  return own.length > 0 || all.some(({ id }) => id !== null && ids.has(id));
}

/** What landed beside the plans because of them, as lines of the report. `n` = the first free number. */
export function followUps(
  changes: readonly EntryChange[],
  byN: ReadonlyMap<number, readonly EntryChange[]>,
  n: number,
): StoredChange[] {
  const owned = new Set([...byN.values()].flat());
  const rest = changes.filter((change) => !owned.has(change));
  if (rest.length === 0) return [];
  return [
    {
      n,
      edit: null,
      by: "janitor",
      seen: {},
      reason: "It follows from the other changes.",
      evidence: [],
      status: "landed",
      heldBack: null,
      changes: rest,
    },
  ];
}

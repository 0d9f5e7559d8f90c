// How a dream ends: landed or proposed, failed, stopped. Each end is one turn and one transaction: nobody writes between a commit and the rows
// that speak of it.
import { logFailure } from "../log.ts";
import { refusalOf } from "../../shared/errors.ts";
import type { DreamStatus } from "../../shared/protocol.ts";
import { giveBack, settleItem } from "./inbox.ts";
import { attribute, followUps } from "./attribute.ts";
import { land, tally, type Landing } from "./land.ts";
import { addLog } from "./log.ts";
import { summaryOf } from "./report.ts";
import type { DreamDeps, DreamRow, StoredChange } from "./types.ts";

/** Ends a dream with what it has done. One turn: nobody writes between its commit and its rows. */
export function landDream(deps: DreamDeps, id: string): void {
  const { store, memory } = deps;
  const row = store.dream(id)!;
  const byModel = row.planned.some(({ by }) => by === "model") || row.heldBack.length > 0;
  if (row.stop && !byModel) {
    row.error = row.stop;
    return endDream(deps, row, "failed", [], true);
  }
  const commit = memory.commitOfDream(id);
  const landing = commit === null ? land(deps, row) : landedBefore(deps, row, commit);
  if (landing.commit !== null) row.commits = [landing.commit];
  row.taken = landing.taken;
  row.tokensLearned = landing.tokensLearned;
  if (row.stop) row.error = row.stop;
  const proposed = landing.changes.some(({ status }) => status === "proposed");
  endDream(deps, row, proposed ? "proposed" : landing.commit !== null ? "landed" : "nothing", landing.changes, false);
}

/** The commit stands and the object died before its rows said so: the report is made from the commit. */
function landedBefore(deps: DreamDeps, row: DreamRow, commit: string): Landing {
  const changes = deps.memory.changesOf(commit);
  const byN = attribute(changes, row.planned);
  const stored = row.planned
    .filter(({ n }) => byN.get(n)!.length > 0)
    .map(({ n, edit, by, seen, reason, evidence }): StoredChange => ({
      n,
      edit,
      by,
      seen,
      reason,
      evidence,
      status: "landed",
      heldBack: null,
      changes: byN.get(n)!,
    }));
  const n = row.planned.reduce((most, plan) => Math.max(most, plan.n), 0) + 1;
  deps.memory.markDream(row.id, commit);
  return { commit, changes: [...stored, ...followUps(changes, byN, n)], ...tally(changes, row.planned) };
}

/** What a dream that broke leaves: nothing in the memory, its items in the inbox with one more try, its log and cost. */
export function failDream(deps: DreamDeps, id: string, error: unknown): void {
  const row = deps.store.dream(id);
  if (!row || row.endedAt !== null || row.cancel) return;
  const refusal = refusalOf(error);
  if (!refusal) logFailure("A dream failed", error);
  row.error = refusal
    ? { code: refusal.code, message: refusal.message }
    : { code: "unavailable", message: "The dream failed. Nothing was changed." };
  if (refusal?.code === "cap-reached" && row.planned.some(({ by }) => by === "model")) {
    // The money is spent and the work is good: what is done is kept.
    row.stop = { code: refusal.code, message: refusal.message };
    row.phase = "land";
    deps.store.saveDream(row);
    return landDream(deps, id);
  }
  endDream(deps, row, "failed", [], refusal?.code !== "cap-reached");
}

/** Closes a dream: settles its items or gives them back, keeps log, changes and cost, lets the words of its prompt go. */
export function endDream(
  deps: DreamDeps,
  row: DreamRow,
  status: DreamStatus,
  changes: StoredChange[],
  countsAsTry: boolean,
): void {
  const { store, inbox, now } = deps;
  const by = (...statuses: StoredChange["status"][]) =>
    new Set(changes.filter((change) => statuses.includes(change.status)).flatMap((change) => change.evidence));
  const [landed, proposed] = [by("landed"), by("proposed")];
  row.items = store.itemsOf(row.id).map((item) => {
    const outcome = landed.has(item.ref) ? "landed" : proposed.has(item.ref) ? "proposed" : null;
    // Only what this dream still holds is its to settle: an earlier try of this end may have done some already.
    if (item.state !== "taken") return { ref: item.ref, state: item.state, outcome: item.outcome };
    if (outcome !== null) settleItem(store, inbox, item, outcome);
    else if (status === "failed" || status === "cancelled") giveBack(store, item, countsAsTry, row.error?.message ?? "");
    else if (row.stop) giveBack(store, item, row.stop.code !== "cap-reached", row.stop.message);
    else settleItem(store, inbox, item, "nothing to do");
    const after = store.item(item.ref)!;
    return { ref: item.ref, state: after.state, outcome: after.outcome };
  });
  row.status = status;
  row.endedAt = now();
  row.phase = "ended";
  row.lease = null;
  // The words of prompt and answers go with the dream; log, changes and cost stay.
  row.prompt = null;
  row.planned = [];
  row.heldBack = [];
  row.asked = [];
  store.dropSteps(row.id);
  store.saveChanges(row.id, changes);
  row.summary = summaryOf(row, changes);
  store.saveDream(row);
  if (row.trigger === "alarm" || status !== "failed") {
    store.set("fails", status === "failed" ? String(Number(store.get("fails") ?? 0) + 1) : "0");
    if (status === "failed") store.set("failed-at", String(now()));
  }
  addLog(deps, row.id, row.summary, null);
  deps.broadcast({ type: "dream", id: row.id, status: row.status });
}

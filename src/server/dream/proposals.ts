// What a user answers to a dream: accept, reject, undo; and what happens to a proposal that nobody answers.
import { PROPOSAL_DAYS } from "../../shared/limits.ts";
import { AppError, type Refusal } from "../../shared/errors.ts";
import { attribute, followUps, had } from "./attribute.ts";
import { changedSince, passing, SAID_ALREADY } from "./land.ts";
import { changeOf } from "./plan.ts";
import { remember } from "./remembered.ts";
import { summaryOf } from "./report.ts";
import type { DreamDeps, DreamRow, Planned, StoredChange } from "./types.ts";

const DAY_MS = 86_400_000;

function rowOf(deps: DreamDeps, id: string): DreamRow {
  const row = deps.store.dream(id);
  if (!row) throw new AppError("not-found", "There is no such dream.");
  return row;
}

/** The waiting changes that are meant: those named, or all. Throws where nothing waits, or a number names nothing that does. */
function waiting(deps: DreamDeps, row: DreamRow, numbers: readonly number[] | undefined): StoredChange[] {
  const open = deps.store.changes(row.id).filter(({ status }) => status === "proposed");
  if (open.length === 0) throw new AppError("conflict", "Nothing of this dream waits for an answer.");
  if (numbers === undefined) return open;
  const unknown = numbers.find((n) => !open.some((change) => change.n === n));
  if (unknown !== undefined) throw new AppError("not-found", `Change ${unknown} of this dream does not wait for an answer.`);
  return open.filter(({ n }) => numbers.includes(n));
}

function save(deps: DreamDeps, row: DreamRow, answered: readonly StoredChange[], more: readonly StoredChange[] = []): void {
  const byN = new Map(answered.map((change) => [change.n, change]));
  const changes = [...deps.store.changes(row.id).map((change) => byN.get(change.n) ?? change), ...more];
  deps.store.saveChanges(row.id, changes);
  if (!changes.some(({ status }) => status === "proposed")) row.status = row.commits.length > 0 ? "landed" : "nothing";
  row.summary = summaryOf(row, changes);
  deps.store.saveDream(row);
  deps.broadcast({ type: "dream", id: row.id, status: row.status });
}

/**
 * Writes waiting changes in one commit, on today's head. Those that no longer fit are dropped and say so; where none fits, the answer is
 * a refusal, and the report keeps what was found out.
 */
export function accept(deps: DreamDeps, id: string, numbers?: readonly number[]): Refusal | null {
  const row = rowOf(deps, id);
  const chosen = waiting(deps, row, numbers);
  const dropped: StoredChange[] = [];
  const fresh: Planned[] = [];
  for (const change of chosen) {
    if (change.edit === null || changedSince(deps, change))
      dropped.push({ ...change, status: "held-back", heldBack: "The line has changed since; this no longer fits." });
    else
      fresh.push({
        n: change.n,
        edit: change.edit,
        by: change.by,
        reason: change.reason,
        evidence: change.evidence,
        seen: change.seen,
        needsYes: null,
        handle: null,
      });
  }
  const { kept, refused } = passing(deps, row, fresh, "user");
  const of = (n: number): StoredChange => chosen.find((change) => change.n === n)!;
  for (const { plan, message } of refused) dropped.push({ ...of(plan.n), status: "held-back", heldBack: message });
  if (kept.length === 0) {
    save(deps, row, dropped);
    return { code: "conflict", message: "None of these changes fits the memory as it is now. Nothing was changed." };
  }
  const outcome = deps.memory.write(
    changeOf(
      deps,
      row,
      kept.map(({ edit }) => edit),
      "user",
    ),
  );
  if (!outcome.ok) throw new AppError(outcome.code, outcome.message, outcome.details);
  // The report tells what was written, which need not be what was shown when it was proposed.
  const changes = outcome.commit === null ? [] : deps.memory.changesOf(outcome.commit);
  const byN = attribute(changes, kept);
  if (outcome.commit !== null) {
    row.commits.push(outcome.commit);
    deps.memory.markDream(row.id, outcome.commit);
  }
  const written = kept.map(({ n, edit }): StoredChange => {
    const own = byN.get(n)!;
    return had(edit, own, changes)
      ? { ...of(n), status: "accepted", heldBack: null, changes: own }
      : { ...of(n), status: "held-back", heldBack: SAID_ALREADY };
  });
  const free = deps.store.changes(id).reduce((most, change) => Math.max(most, change.n), 0) + 1;
  const beside = followUps(changes, byN, free).map((change): StoredChange => ({ ...change, status: "accepted" }));
  save(deps, row, [...dropped, ...written], beside);
  return null;
}

/** Turns waiting changes down; the next dreams do not bring them again. */
export function reject(deps: DreamDeps, id: string, numbers?: readonly number[]): void {
  const row = rowOf(deps, id);
  const chosen = waiting(deps, row, numbers);
  remember(
    deps.store,
    chosen.flatMap(({ edit }) => edit ?? []),
    deps.now(),
  );
  save(
    deps,
    row,
    chosen.map((change): StoredChange => ({ ...change, status: "rejected" })),
  );
}

/** Takes back what a dream wrote, later edits stay; and remembers its changes, so that the next dream does not repeat them. */
export function undo(deps: DreamDeps, id: string): void {
  const row = rowOf(deps, id);
  if (row.commits.length === 0)
    throw new AppError("conflict", "This dream has changed nothing, so there is nothing to take back.");
  if (row.undone) throw new AppError("conflict", "This dream has been taken back already.");
  for (const commit of [...row.commits].reverse()) {
    const outcome = deps.memory.revert(commit);
    if (!outcome.ok) throw new AppError(outcome.code, outcome.message, outcome.details);
  }
  markUndone(deps, row);
}

/** Notes that a dream's changes were taken back, by its own button or from the history. */
function markUndone(deps: DreamDeps, row: DreamRow): void {
  const edits = deps.store
    .changes(row.id)
    .filter(({ status }) => status === "landed" || status === "accepted")
    .flatMap(({ edit }) => edit ?? []);
  remember(deps.store, edits, deps.now());
  row.undone = true;
  deps.store.saveDream(row);
  deps.broadcast({ type: "dream", id: row.id, status: row.status });
}

/** Tells that a commit was reverted elsewhere: where a dream had made it, that dream is undone. */
export function noteReverted(deps: DreamDeps, dream: string, commit: string): void {
  const row = deps.store.dream(dream);
  if (row && !row.undone && row.commits.includes(commit)) markUndone(deps, row);
}

/** Proposals that nobody answered for PROPOSAL_DAYS lapse. They are not remembered as rejected. */
export function expire(deps: DreamDeps): void {
  for (const row of deps.store.withStatus("proposed")) {
    if (deps.now() < (row.endedAt ?? row.startedAt) + PROPOSAL_DAYS * DAY_MS) continue;
    const old = deps.store.changes(row.id).filter(({ status }) => status === "proposed");
    save(
      deps,
      row,
      old.map((change): StoredChange => ({
        ...change,
        status: "held-back",
        heldBack: `Nobody answered for ${PROPOSAL_DAYS} days.`,
      })),
    );
  }
}

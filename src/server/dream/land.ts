// Landing: the plan of a dream meets today's head, change by change. What the user changed meanwhile wins; what takes away is counted, and
// waits for the user where it is too much. One synchronous turn, so that nobody writes in between.
import { estimateTokenCount } from "tokenx";
import { DREAM_TAKE_MAX, DREAM_TAKE_SHARE, WEEK_TAKE_SHARE } from "../../shared/limits.ts";
import type { Edit, EntryChange } from "../../shared/protocol.ts";
import { attribute, followUps, had } from "./attribute.ts";
import { dropped } from "./grounds.ts";
import { changeOf, judgeEdits, printOf } from "./plan.ts";
import { previewOf } from "./preview.ts";
import { indexFor, linkOnly } from "./janitor.ts";
import { idsOf, refusedBefore, remembered } from "./remembered.ts";
import type { DreamDeps, DreamRow, Planned, StoredChange } from "./types.ts";

const WEEK_MS = 7 * 86_400_000;

/** What a dream may take away of so many open entries: max(1, min(10 %, 50)). */
export function dreamLimit(open: number): number {
  return Math.max(1, Math.min(Math.floor(open * DREAM_TAKE_SHARE), DREAM_TAKE_MAX));
}

/** What dreams may take away in seven days: max(1, 20 %). */
export function weekLimit(open: number): number {
  return Math.max(1, Math.floor(open * WEEK_TAKE_SHARE));
}

/** Ids whose line a set of edits merges into another: they leave the file, and nothing is lost. */
function mergedAway(edits: readonly Edit[]): Set<string> {
  return new Set(
    edits.flatMap((edit) => (edit.op === "merge" ? edit.ids.slice(1) : edit.op === "remove" && edit.into ? [edit.id] : [])),
  );
}

/** Ids that the janitor closes because their own `until` has come: they are closed by their date already. */
function endedByDate(planned: readonly Planned[]): Set<string> {
  return new Set(planned.flatMap(({ by, edit }) => (by === "janitor" && edit.op === "close" ? [edit.id] : [])));
}

/** Whether a change of the diff takes something away: a removal, a closing, a rewording that drops a number or a name. */
export function takesAway(change: EntryChange, joined: ReadonlySet<string>, ended: ReadonlySet<string>): boolean {
  const id = change.id ?? "";
  switch (change.verb) {
    case "removed":
      return !joined.has(id);
    case "closed":
      return !ended.has(id);
    case "changed":
      return change.before !== null && change.after !== null && dropped([change.before], [change.after]).length > 0;
    default:
      return false;
  }
}

/** What a landing came to. */
export interface Landing {
  commit: string | null;
  changes: StoredChange[];
  taken: number;
  tokensLearned: number;
}

function stored(plan: Planned, status: StoredChange["status"], heldBack: string | null, changes: EntryChange[]): StoredChange {
  const { n, edit, by, seen, reason, evidence } = plan;
  return { n, edit, by, seen, reason, evidence, status, heldBack, changes };
}

/** Whether somebody changed what an edit takes hold of since it was judged. */
export function changedSince(deps: DreamDeps, plan: { seen: Planned["seen"]; edit: Edit | null }): boolean {
  return Object.entries(plan.seen).some(([id, print]) => {
    const entry = deps.memory.entry(id);
    return entry === null || printOf(entry, plan.edit?.op) !== print;
  });
}

/** A plan that the gate does not let pass any more. */
interface Refused {
  plan: Planned;
  code: string;
  message: string;
}

/** A change that did not land, as its edit would have had it; without its words where they may not be shown. */
export function sketch(deps: DreamDeps, edit: Edit, wordless: boolean): EntryChange {
  const [id = null] = idsOf(edit);
  const entry = id === null ? null : deps.memory.entry(id);
  const verb = edit.op === "add" ? "added" : edit.op === "close" ? "closed" : edit.op === "move" ? "moved" : "changed";
  const text = "text" in edit && edit.text !== undefined ? edit.text : (entry?.text ?? null);
  return {
    verb,
    id,
    path: ("path" in edit ? edit.path : undefined) ?? entry?.path ?? "MEMORY.md",
    fromPath: edit.op === "move" ? (entry?.path ?? null) : null,
    section: entry?.section ?? null,
    before: wordless ? null : (entry?.text ?? null),
    after: wordless ? null : text,
    metaBefore: [],
    metaAfter: [],
    state: entry?.state ?? "open",
    heldBack: wordless,
  };
}

const isWordless = (code: string): boolean => code === "forgotten" || code === "secret";

/** Of these plans the longest run that the gate lets pass together, and what it says to the others. */
export function passing(
  deps: DreamDeps,
  row: DreamRow,
  plans: readonly Planned[],
  by: "model" | "user" = "model",
): { kept: Planned[]; refused: Refused[]; changes: EntryChange[] } {
  const all = judgeEdits(
    deps,
    row,
    plans.map(({ edit }) => edit),
    by,
  );
  if (all.outcome.ok) return { kept: [...plans], refused: [], changes: all.changes };
  const kept: Planned[] = [];
  const refused: Refused[] = [];
  let changes: EntryChange[] = [];
  for (const plan of plans) {
    const judged = judgeEdits(
      deps,
      row,
      [...kept, plan].map(({ edit }) => edit),
      by,
    );
    if (judged.outcome.ok) {
      kept.push(plan);
      changes = judged.changes;
    } else refused.push({ plan, code: judged.outcome.code, message: judged.outcome.message });
  }
  return { kept, refused, changes };
}

/** What dreams have taken away in the last seven days without being asked or undone. */
export function takenThisWeek(deps: Pick<DreamDeps, "store" | "now">): number {
  const since = deps.now() - WEEK_MS;
  let sum = 0;
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const page = deps.store.dreams(50, before);
    for (const dream of page) if (dream.startedAt >= since && !dream.undone) sum += dream.taken;
    const oldest = page.at(-1);
    if (page.length < 50 || !oldest || oldest.startedAt < since) return sum;
    before = oldest.startedAt;
  }
}

const CHANGED_MEANWHILE = "You changed the line meanwhile. Yours stands.";
export const SAID_ALREADY = "The memory says so already.";

/** The number behind those of all plans. */
function nextNumber(row: DreamRow): number {
  return row.planned.reduce((most, plan) => Math.max(most, plan.n), 0) + 1;
}

/** Index lines for files that these plans make and that none of their own lines links to. */
function indexPlans(deps: DreamDeps, row: DreamRow, plans: readonly Planned[], changes: readonly EntryChange[]): Planned[] {
  const paths = [...new Set(changes.filter(({ verb }) => verb === "added" || verb === "moved").map(({ path }) => path))];
  const linked = changes.map(({ after }) => after ?? "").join("\n");
  const made = paths.filter(
    (path) => path !== "MEMORY.md" && deps.memory.file(path) === null && !linked.includes(`[[${path.replace(/\.md$/, "")}`),
  );
  if (made.length === 0) return [];
  let n = Math.max(0, ...row.planned.map((plan) => plan.n));
  const known = remembered(deps.store, deps.now());
  const fresh = indexFor(deps.memory.janitor(), made)
    .filter(({ edit }) => refusedBefore(known, edit, null) === null)
    .map(({ edit, reason }): Planned => ({
      n: (n += 1),
      edit,
      by: "janitor",
      reason,
      evidence: [],
      seen: {},
      needsYes: null,
      handle: null,
    }));
  row.planned.push(...fresh);
  return judgeEdits(
    deps,
    row,
    [...plans, ...fresh].map(({ edit }) => edit),
  ).outcome.ok
    ? fresh
    : [];
}

/** Lands what may land and keeps the rest as a proposal or as held back. Writes at most one commit. */
export function land(deps: DreamDeps, row: DreamRow): Landing {
  const results: StoredChange[] = [];
  const fresh: Planned[] = [];
  for (const plan of row.planned) {
    if (changedSince(deps, plan)) results.push(stored(plan, "held-back", CHANGED_MEANWHILE, [sketch(deps, plan.edit, false)]));
    else fresh.push(plan);
  }
  const first = passing(deps, row, fresh);
  for (const { plan, code, message } of first.refused) {
    const wordless = isWordless(code);
    results.push({
      ...stored(plan, "held-back", message, [sketch(deps, plan.edit, wordless)]),
      ...(wordless ? { edit: null, reason: "" } : {}),
    });
  }

  const wait = new Map<number, string>();
  const byFirst = attribute(first.changes, first.kept);
  const joined = mergedAway(first.kept.map(({ edit }) => edit));
  const ended = endedByDate(first.kept);
  if (row.mode === "review") {
    for (const plan of first.kept) wait.set(plan.n, "You asked to see every change before it lands.");
  } else {
    for (const plan of first.kept) if (plan.needsYes !== null) wait.set(plan.n, sentence(plan.needsYes));
    const taking = first.kept.filter(
      (plan) => !wait.has(plan.n) && byFirst.get(plan.n)!.some((change) => takesAway(change, joined, ended)),
    );
    const counted = taking.reduce(
      (sum, plan) => sum + byFirst.get(plan.n)!.filter((change) => takesAway(change, joined, ended)).length,
      0,
    );
    const owned = new Set([...byFirst.values()].flat());
    // What goes away beside the plans counts too, and where it is too much, all of them wait: nobody can tell which one took it.
    const loose = first.changes.filter((change) => !owned.has(change) && takesAway(change, joined, ended)).length;
    const open = deps.memory.openCount();
    const before = takenThisWeek(deps);
    const count = counted + loose;
    const over =
      count > dreamLimit(open)
        ? `It would take away ${count} of ${open} lines; a dream may take ${dreamLimit(open)} without asking.`
        : count + before > weekLimit(open)
          ? `With ${before} lines taken away this week it would be ${count + before} of ${open}; ${weekLimit(open)} may go without asking.`
          : null;
    if (over !== null && count > 0)
      for (const plan of loose > 0 ? first.kept : taking) wait.set(plan.n, wait.get(plan.n) ?? over);
  }

  let landing = first.kept.filter((plan) => !wait.has(plan.n));
  let commit: string | null = null;
  let changes: EntryChange[] = [];
  if (landing.length > 0) {
    // What stands on a change that waits waits with it.
    const second = passing(deps, row, landing);
    for (const { plan } of second.refused) wait.set(plan.n, "It stands on another change that waits.");
    landing = [...second.kept, ...indexPlans(deps, row, second.kept, second.changes)];
    const outcome =
      landing.length > 0
        ? deps.memory.write(
            changeOf(
              deps,
              row,
              landing.map(({ edit }) => edit),
            ),
          )
        : null;
    if (outcome?.ok === false)
      for (const plan of landing)
        results.push(stored(plan, "held-back", outcome.message, [sketch(deps, plan.edit, isWordless(outcome.code))]));
    else if (outcome?.ok) {
      commit = outcome.commit;
      changes = commit === null ? [] : deps.memory.changesOf(commit);
      const byN = attribute(changes, landing);
      for (const plan of landing)
        results.push(
          had(plan.edit, byN.get(plan.n)!, changes)
            ? stored(plan, "landed", null, byN.get(plan.n)!)
            : stored(plan, "held-back", SAID_ALREADY, [sketch(deps, plan.edit, false)]),
        );
      results.push(...followUps(changes, byN, nextNumber(row)));
      if (commit !== null) deps.memory.markDream(row.id, commit);
    }
  }
  for (const plan of first.kept) {
    const why = wait.get(plan.n);
    if (why === undefined) continue;
    const preview = previewOf(deps, row, plan, first.kept);
    const changes = preview.ok ? preview.changes : byFirst.get(plan.n)!;
    results.push(
      stored(
        { ...plan, seen: seenNow(deps, plan) },
        "proposed",
        why,
        changes.length > 0 ? changes : [sketch(deps, plan.edit, !preview.ok && isWordless(preview.code))],
      ),
    );
  }
  let n = results.reduce((most, result) => Math.max(most, result.n), nextNumber(row) - 1);
  for (const held of row.heldBack) {
    n += 1;
    results.push({
      n,
      edit: null,
      by: "model",
      seen: {},
      reason: held.reason,
      evidence: held.evidence,
      status: "held-back",
      heldBack: held.message,
      changes: [heldChange(held)],
    });
  }
  results.sort((a, b) => a.n - b.n);
  return { commit, changes: results, ...tally(changes, first.kept) };
}

/** What a diff counts for: lines taken away against the limits, tokens of what was learned. */
export function tally(changes: readonly EntryChange[], plans: readonly Planned[]): { taken: number; tokensLearned: number } {
  const joined = mergedAway(plans.map(({ edit }) => edit));
  const ended = endedByDate(plans);
  const learned = changes.filter(
    ({ verb, after }) => (verb === "added" || verb === "changed") && after !== null && linkOnly(after) === null,
  );
  return {
    taken: changes.filter((change) => takesAway(change, joined, ended)).length,
    tokensLearned: learned.reduce((sum, change) => sum + estimateTokenCount(change.after!), 0),
  };
}

function seenNow(deps: DreamDeps, plan: Planned): Record<string, string> {
  return Object.fromEntries(
    Object.keys(plan.seen).flatMap((id) => {
      const entry = deps.memory.entry(id);
      return entry ? [[id, printOf(entry, plan.edit.op)]] : [];
    }),
  );
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A refused change as a line of the report. `heldBack` where its words may not be shown. */
function heldChange(held: DreamRow["heldBack"][number]): EntryChange {
  return {
    verb: held.id === null ? "added" : "changed",
    id: held.id,
    path: held.path,
    fromPath: null,
    section: null,
    before: null,
    after: held.text,
    metaBefore: [],
    metaAfter: [],
    state: "open",
    heldBack: held.text === null,
  };
}

// The working copy of a dream: the edits that it has made so far, each judged by the gate as it was called. Nothing here lands.
import { dayIn } from "../../shared/zone.ts";
import { DREAM_MAX_CHANGES } from "../../shared/limits.ts";
import type { Change, Edit, EntryChange } from "../../shared/protocol.ts";
import { idsOf } from "./remembered.ts";
import type { DreamDeps, DreamEntry, DreamMemory, DreamRow, HeldBack, InboxText, Judged, Planned } from "./types.ts";

/** Keys that grow beside a fact without changing it: one that is said again gets a source. */
const BESIDE_THE_FACT = new Set(["id", "source", "added", "checked"]);

/**
 * How an entry stands, to notice that somebody changed it meanwhile. A move is no edit: what an edit sees does not hold the place, and what a
 * move sees holds nothing else, so a line that the one side moved and the other edited gets both.
 */
export function printOf(entry: Pick<DreamEntry, "text" | "meta" | "path" | "section" | "state">, op?: Edit["op"]): string {
  if (op === "move") return JSON.stringify([entry.path, entry.section, entry.state === "closed"]);
  return JSON.stringify([entry.text, entry.meta.filter(([key]) => !BESIDE_THE_FACT.has(key))]);
}

/** What a Change says of its dream. */
type DreamOf = Pick<DreamRow, "id" | "zone" | "model">;

/** The Change that some edits of a dream are. */
export function changeOf(
  deps: Pick<DreamDeps, "memory" | "now">,
  row: DreamOf,
  edits: Edit[],
  by: "model" | "user" = "model",
): Change {
  return {
    base: deps.memory.head(),
    edits,
    kind: "dream",
    source: `dream/${row.id}`,
    actor: by,
    at: deps.now(),
    zone: row.zone,
    // A person who accepts a change has pressed the button for it.
    typed: by === "user",
    dream: row.id,
    ...(row.model === null ? {} : { model: row.model }),
  };
}

/** Prints of the entries that an edit touches, as they stand now. */
export function seenBy(memory: DreamMemory, edit: Edit): Record<string, string> {
  const seen: Record<string, string> = {};
  for (const id of idsOf(edit)) {
    const entry = memory.entry(id);
    if (entry) seen[id] = printOf(entry, edit.op);
  }
  return seen;
}

/** What the gate says to some edits on today's head. */
export function judgeEdits(
  deps: Pick<DreamDeps, "memory" | "now">,
  row: DreamOf,
  edits: Edit[],
  by: "model" | "user" = "model",
): Judged {
  if (edits.length === 0)
    return { outcome: { ok: true, commit: null, head: deps.memory.head() ?? "", entries: [] }, changes: [] };
  return deps.memory.judge(changeOf(deps, row, edits, by));
}

/** What a tool call came to: an edit that now stands in the plan, or the sentence that the model gets instead. */
export type Plan = { ok: true; text: string; planned: Planned | null } | { ok: false; text: string };

const refuse = (text: string): Plan => ({ ok: false, text });

/** Remembers a refusal for the report, once. Words that must not be kept are not. */
export function holdBack(row: DreamRow, held: HeldBack): void {
  const same = (other: HeldBack) =>
    other.code === held.code && other.id === held.id && other.path === held.path && other.text === held.text;
  if (row.heldBack.some(same) || row.heldBack.length >= DREAM_MAX_CHANGES) return;
  row.heldBack.push(held);
}

/** Refusals that the user should see; others only teach the model how to call a tool. */
const SHOWN = new Set(["forgotten", "secret", "pinned", "read-only", "shrink", "too-large", "storage-full"]);
const WORDLESS = new Set(["forgotten", "secret"]);

/** What was judged last, of each memory: the next edit is laid on it, and judging a long plan is what a dream's own work costs. */
const judged = new WeakMap<DreamMemory, { of: string; is: Judged }>();
const judgedKey = (memory: DreamMemory, edits: readonly Edit[]): string => JSON.stringify([memory.head(), edits]);

function keepJudged(deps: Pick<DreamDeps, "memory">, edits: readonly Edit[], is: Judged): void {
  judged.set(deps.memory, { of: judgedKey(deps.memory, edits), is });
}

function judgedLast(deps: Pick<DreamDeps, "memory" | "now">, row: DreamOf, edits: Edit[]): Judged {
  const last = judged.get(deps.memory);
  return last?.of === judgedKey(deps.memory, edits) ? last.is : judgeEdits(deps, row, edits);
}

/** Lays one more edit on the plan, if the gate lets it pass. */
export function lay(
  deps: DreamDeps,
  row: DreamRow,
  edit: Edit,
  about: { by: Planned["by"]; reason: string; evidence: string[]; needsYes?: string | null; path: string; trusted: boolean },
): Plan {
  if (row.planned.length >= DREAM_MAX_CHANGES)
    return refuse(`This dream has its ${DREAM_MAX_CHANGES} changes. Call finish; the rest waits for the next one.`);
  const standing = row.planned.map((planned) => planned.edit);
  let before = judgedLast(deps, row, standing);
  if (!before.outcome.ok) {
    // Somebody wrote meanwhile and an earlier change no longer fits: landing will say so, here only the new one counts.
    const kept: Edit[] = [];
    for (const one of standing) if (judgeEdits(deps, row, [...kept, one]).outcome.ok) kept.push(one);
    standing.splice(0, standing.length, ...kept);
    before = judgeEdits(deps, row, standing);
  }
  const after = judgeEdits(deps, row, [...standing, edit]);
  if (after.outcome.ok) keepJudged(deps, [...standing, edit], after);
  else keepJudged(deps, standing, before);
  if (!after.outcome.ok) {
    const { code, message } = after.outcome;
    if (SHOWN.has(code)) {
      const text = !WORDLESS.has(code) && "text" in edit && typeof edit.text === "string" ? edit.text : null;
      holdBack(row, {
        code,
        message,
        reason: about.reason,
        evidence: about.evidence,
        path: about.path,
        id: idsOf(edit)[0] ?? null,
        text,
      });
    }
    return refuse(`Not done (${code}): ${message}`);
  }
  if (JSON.stringify(after.changes) === JSON.stringify(before.changes))
    return { ok: true, text: "Nothing to change: the memory says so already.", planned: null };
  const n = row.planned.reduce((most, planned) => Math.max(most, planned.n), 0) + 1;
  const planned: Planned = {
    n,
    edit,
    by: about.by,
    reason: about.reason,
    evidence: about.evidence,
    seen: seenBy(deps.memory, edit),
    needsYes: about.needsYes ?? (about.trusted ? null : besideTyped(deps, edit, before.changes, after.changes)),
    handle: edit.op === "add" ? `new${n}` : null,
  };
  row.planned.push(planned);
  const wait = planned.needsYes === null ? "" : ` It will wait for the user's yes: ${planned.needsYes}`;
  return { ok: true, text: `Done${planned.handle ? ` as ${planned.handle}` : ""}.${wait}`, planned };
}

/** Why an edit that stands on no typed words must wait: a slot that it fills would end a line that the user typed. */
function besideTyped(
  deps: Pick<DreamDeps, "memory">,
  edit: Edit,
  before: readonly EntryChange[],
  after: readonly EntryChange[],
): string | null {
  const known = new Set(before.map((change) => JSON.stringify(change)));
  const own = new Set(idsOf(edit));
  const ends = after.some(
    (change) =>
      change.id !== null &&
      change.before !== null &&
      !own.has(change.id) &&
      !known.has(JSON.stringify(change)) &&
      deps.memory.entry(change.id)?.typed === true,
  );
  return ends ? "it would end a line that the user typed, and no typed message says so." : null;
}

/** The evidence behind references: what the user said or noted. */
export interface Evidence {
  refs: string[];
  texts: InboxText[];
  /** All words, and only those that the user typed. */
  said: string[];
  typed: string[];
  /** When the newest of it was said, and the day of that in its own zone. */
  newest: number | null;
  day: string | null;
}

/** Reads cited references. A reference that leads nowhere, or to the assistant's own words, is refused. */
export function readEvidence(
  deps: DreamDeps,
  sources: readonly string[],
  typedOf: (text: InboxText) => string,
): Evidence | string {
  const refs = [...new Set(sources.map((ref) => ref.trim().replace(/^\[|\]$/g, "")))];
  const texts: InboxText[] = [];
  for (const ref of refs) {
    const text = deps.inbox.text(ref);
    if (text === null) return `There is no ${ref.slice(0, 80)}. Cite the reference as it stands in the inbox.`;
    if (text.role === "assistant") return `${ref} is what the assistant said. Cite what the user said.`;
    texts.push(text);
  }
  const latest = texts.reduce<InboxText | null>((best, text) => (best === null || text.at > best.at ? text : best), null);
  return {
    refs,
    texts,
    said: texts.map(({ text }) => text),
    typed: texts.filter(({ role }) => role === "user").map(typedOf),
    newest: latest?.at ?? null,
    day: latest ? dayIn(latest.at, latest.zone) : null,
  };
}

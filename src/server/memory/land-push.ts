// Lands a push: every commit of it through the gate, then as sent and whole, or not at all. What slots ask for follows in a commit of the app.
import { newDocument } from "../../shared/edit-document.ts";
import type { Actor, Change } from "../../shared/protocol.ts";
import { dayIn } from "../../shared/zone.ts";
import { refusalOf, type Refusal } from "../../shared/errors.ts";
import type { Push } from "../git/judge-push.ts";
import type { PushVerdict } from "../git/receive-pack.ts";
import { filesBetween } from "./commit-detail.ts";
import { summarise } from "./commit-message.ts";
import { headOf, MAIN, type LandedCommit, type MemoryContext } from "./context.ts";
import { Draft } from "./draft.ts";
import { ERASED_PUSH, erasedAmong } from "./erase.ts";
import { countDeltas, diffEntries, type EntryDelta } from "./entry-diff.ts";
import { agentOf } from "./gate-agent.ts";
import { MEMORY_FILE } from "./gate-files.ts";
import { lineBetween } from "./main-line.ts";
import { projectionHead } from "./project.ts";
import { judgeCommitWords, judgeSideCommit, landCommit, ofCommit, withPushed } from "./push-entries.ts";
import { ensureProjected } from "./rebuild.ts";
import { Refused, refuseWrite } from "./refused.ts";
import { stonesOf } from "./stones.ts";
import { settleSlots } from "./settle-slots.ts";
import { commitDraft, scopeOf, storageRefusal } from "./writer.ts";

/** How many of the refused lines a client's terminal shows. */
const LINES_SHOWN = 10;

/** The actor behind the token of a push, and the zone of the user's settings. */
export interface PushedBy {
  actor: Actor;
  byToken?: boolean;
}

/** Judges and lands a push. A refusal names the file, the line, the rule and the remedy. */
export function landPush(ctx: MemoryContext, push: Push, by: PushedBy): PushVerdict {
  let landed: LandedCommit[] = [];
  try {
    const lines = ctx.transact(() => {
      const done = perform(ctx, push, by);
      landed = done.landed;
      return done.lines;
    });
    for (const commit of landed) ctx.landed?.(commit);
    return { ok: true, lines };
  } catch (error) {
    const refusal = error instanceof Refused ? error.refusal : (refusalOf(error) ?? storageRefusal(error));
    if (!refusal) throw error;
    return { ok: false, reason: reasonOf(refusal), lines: linesOf(refusal) };
  }
}

/** One short line for the ref; the sentence stands above it. */
function reasonOf({ code }: Refusal): string {
  if (code === "conflict") return "the memory has moved on; pull, then push again";
  if (code === "forgotten") return "it brings back what was forgotten";
  return `refused: ${code}`;
}

function linesOf({ message, details }: Refusal): string[] {
  const places = details?.lines;
  if (!Array.isArray(places)) return message.split("\n");
  // Lines and places, never words: a terminal's history is no place for what was forgotten.
  const shown = (places as { path: string; line: number }[])
    .slice(0, LINES_SHOWN)
    .map(({ path, line }) => `  ${path}, line ${line}`);
  return [
    ...message.split("\n"),
    ...shown,
    "Take these lines out of your commits (git rebase -i), or lift it in Forgotten, and push again.",
  ];
}

function perform(
  ctx: MemoryContext,
  push: Push,
  { actor, byToken = false }: PushedBy,
): { lines: string[]; landed: LandedCommit[] } {
  if (ensureProjected(ctx) === "rebuilding") refuseWrite("unavailable", "The index is being rebuilt. Push again in a moment.");
  const head = headOf(ctx);
  if (head !== push.before) refuseWrite("conflict", "The memory has moved on meanwhile. Pull, then push again.", { head });
  if (push.after === push.before) return { lines: [], landed: [] };
  if (erasedAmong(ctx, [...push.commits.map(({ oid }) => oid), ...push.objects]).length > 0)
    refuseWrite("forgotten", ERASED_PUSH);
  const change: Change = {
    base: push.before,
    kind: "push",
    source: null,
    actor,
    byToken,
    at: ctx.now(),
    zone: ctx.zone(),
    typed: actor === "user",
  };
  const stones = stonesOf(ctx);
  for (const { oid, commit } of push.commits) judgeCommitWords(stones, oid, commit);
  // Written first: the gate reads the new files like any others, and a refusal takes them out again with the transaction.
  push.write();
  const near = withPushed(ctx, push);
  const line = lineBetween(near.store, push.before, push.after);
  if (line === null) refuseWrite("conflict", "This push does not follow what stands here. Pull, then push again.", { head });
  const onLine = new Set(line);
  const commits = new Map(push.commits.map(({ oid, commit }) => [oid, commit]));
  for (const [oid, commit] of commits)
    if (!onLine.has(oid)) ofCommit(oid, commit, commits.size, () => judgeSideCommit(near, oid, commit));
  ctx.store.moveRef(MAIN, push.before, push.after, { kind: "push", actor, at: ctx.now() });
  const warnings = new Set<string>();
  let at = projectionHead(ctx);
  for (const oid of line) {
    const step = ofCommit(oid, commits.get(oid)!, commits.size, () => landCommit(near, at, oid, commits.get(oid)!, change));
    at = step.head;
    step.warnings.forEach((warning) => warnings.add(warning));
  }
  const files = filesBetween(ctx, push.before, push.after);
  const deltas = diffEntries(files);
  const landed: LandedCommit[] = [{ commit: push.after, kind: "push", paths: [...files.keys()] }];
  const lines = [`Landed: ${summarise(countDeltas(deltas), [...files.keys()])}.`, ...warnings];
  const followed = follow(ctx, change, deltas);
  if (followed) {
    landed.push(followed);
    lines.push("The app has closed what these lines replace, in a commit of its own: pull it.");
  }
  return { lines, landed };
}

/** What the app has to do after a push: slots that hold two values, a MEMORY.md that is missing. */
function follow(ctx: MemoryContext, pushed: Change, deltas: readonly EntryDelta[]): LandedCommit | null {
  // What an agent's push would make the app close, the agent closes: it may not do by a slot what it may not do by hand.
  const actor = agentOf(pushed.actor) === null ? "user" : pushed.actor;
  const change: Change = { ...pushed, base: null, kind: "system", actor, byToken: false, typed: true };
  const scope = scopeOf(ctx, change);
  const draft = new Draft(ctx);
  settleSlots(ctx, draft, { ...scope, today: dayIn(ctx.now(), scope.zone) }, deltas);
  if (draft.text(MEMORY_FILE) === null) draft.put(MEMORY_FILE, newDocument("Memory"));
  return commitDraft(ctx, draft, scope, [], new Set()).landed;
}

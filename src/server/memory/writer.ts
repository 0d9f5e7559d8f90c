// The one writer: Change → draft → gate → commit → projection, in one synchronous transaction; broadcast after it.
import { Buffer } from "node:buffer";
import { refusalOf, type Refusal } from "../../shared/errors.ts";
import type { Change, Outcome } from "../../shared/protocol.ts";
import { dayIn, isZone, wallClock } from "../../shared/zone.ts";
import { formatTz } from "../git/commit.ts";
import type { FileChange } from "../git/diff.ts";
import { hashObject } from "../git/oid.ts";
import { commitChanges } from "../git/repo.ts";
import type { WriteOptions } from "./api.ts";
import { applyEdits, type Mark } from "./apply-edits.ts";
import { applyFiles } from "./apply-files.ts";
import { applyRename } from "./apply-rename.ts";
import { APP_EMAIL, APP_NAME, formatMessage, summarise } from "./commit-message.ts";
import { blindRetry, clearConflicts, keepConflict } from "./conflicts.ts";
import { MAIN, type LandedCommit, type MemoryContext } from "./context.ts";
import { keepParsed, type ParsedFile } from "./documents.ts";
import { Draft } from "./draft.ts";
import { countDeltas, diffEntries, type EntryDelta } from "./entry-diff.ts";
import { passGate } from "./gate.ts";
import { countHeld } from "./gate-tombstones.ts";
import { answerOf, keepAnswer, requestHash } from "./idempotency.ts";
import { landedViews, nearViews } from "./landed.ts";
import { projectCommit, projectionHead } from "./project.ts";
import { ensureProjected } from "./rebuild.ts";
import { Refused } from "./refused.ts";
import { settleSlots } from "./settle-slots.ts";
import { dependents } from "./to-check-after.ts";

/** What the functions below are told about the write: its change, its days, its zone. */
export interface WriteScope {
  change: Change;
  zone: string;
  /** The day of the save and the day it was said, in the change's zone. */
  today: string;
  /** Ids that this write has given so far. */
  newId(): string;
}

/** Everything that a dry run or a write finds out. */
interface Done {
  outcome: Outcome;
  landed: LandedCommit | null;
  deltas: EntryDelta[];
}

/** A change that is not to be kept: thrown to roll the transaction back. */
class DryRun extends Error {
  constructor(readonly done: Done) {
    super("dry run");
  }
}

/** Days, zone and ids of a write. Throws Refused for a zone that does not exist. */
export function scopeOf(ctx: MemoryContext, change: Change): WriteScope {
  const zone: string = change.zone === "" ? ctx.zone() : change.zone;
  const known: boolean = isZone(zone);
  if (!known)
    throw new Refused({
      code: "bad-format",
      message: `“${zone.slice(0, 80)}” is not the name of a time zone. Use one like Europe/Lisbon.`,
    });
  const given = new Set<string>();
  return {
    change,
    zone,
    today: dayIn(change.at, zone),
    newId: () => {
      for (;;) {
        const id = ctx.randomId();
        if (given.has(id) || ctx.sql.exec("SELECT 1 FROM ids WHERE id = ?", id).toArray().length > 0) continue;
        given.add(id);
        return id;
      }
    },
  };
}

/** The offset of a zone at an instant as git writes it. */
function gitZone(at: number, zone: string): string {
  const { year, month, day, hour, minute } = wallClock(at, zone);
  return formatTz(Math.round((Date.UTC(year, month - 1, day, hour, minute) - Math.floor(at / 60_000) * 60_000) / 60_000));
}

/** Gate, commit, ref, projection. Inside a transaction. Throws Refused. */
export function commitDraft(
  ctx: MemoryContext,
  draft: Draft,
  scope: WriteScope,
  marks: Mark[],
  joined: ReadonlySet<string>,
): Done {
  const { change, zone } = scope;
  const files = draft.changed();
  const deltas = diffEntries(files);
  const before = projectionHead(ctx);
  if (files.size === 0) {
    const head = draft.head;
    return {
      outcome: { ok: true, commit: null, head: head ?? "", entries: landedViews(ctx, scope, marks, []) },
      landed: null,
      deltas,
    };
  }
  const warnings = passGate(ctx, { change, files, deltas, head: before, joined });
  const known = new Map<string, ParsedFile>();
  const contents = new Map<string, Uint8Array | null>();
  const changes: FileChange[] = [];
  const blobOf = (text: string | null) => (text === null ? null : hashObject("blob", Buffer.from(text)));
  for (const [path, { before: old, after, documents }] of files) {
    const blob = blobOf(after);
    contents.set(path, after === null ? null : Buffer.from(after));
    changes.push({ path, before: blobOf(old), after: blob });
    if (after === null || blob === null || !documents?.after) continue;
    known.set(path, { text: after, document: documents.after });
    keepParsed(ctx, blob, known.get(path)!);
  }
  changes.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  const person = { name: APP_NAME, email: APP_EMAIL, at: change.at, tz: gitZone(change.at, zone) };
  const summary = change.message ?? summarise(countDeltas(deltas), [...files.keys()]);
  const { commit } = commitChanges(ctx.store, {
    parent: draft.head,
    changes: contents,
    author: person,
    committer: person,
    message: formatMessage(change, summary),
  });
  ctx.store.moveRef(MAIN, draft.head, commit, { kind: change.kind, actor: change.actor, at: ctx.now() });
  projectCommit(ctx, before, commit, { changes, files: known });
  const entries = landedViews(ctx, scope, marks, deltas);
  const near = nearViews(ctx, scope, marks);
  warnings.push(...checkWarnings(ctx, scope, deltas));
  return {
    outcome: {
      ok: true,
      commit,
      head: commit,
      entries,
      ...(near.length > 0 ? { near } : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
    },
    landed: { commit, kind: change.kind, paths: [...files.keys()] },
    deltas,
  };
}

function perform(ctx: MemoryContext, change: Change): Done {
  const scope = scopeOf(ctx, change);
  if (ensureProjected(ctx) === "rebuilding") {
    throw new Refused({ code: "unavailable", message: "The index is being rebuilt; nothing was saved. Try again in a moment." });
  }
  const draft = new Draft(ctx);
  blindRetry(ctx, draft, change);
  let marks: Mark[] = [];
  const joined = new Set<string>();
  if (change.rename) applyRename(ctx, draft, change.rename);
  if (change.files) applyFiles(ctx, draft, scope);
  if (change.edits) {
    const applied = applyEdits(ctx, draft, scope);
    marks = applied.marks;
    applied.joined.forEach((id) => joined.add(id));
  }
  settleSlots(ctx, draft, scope);
  const done = commitDraft(ctx, draft, scope, marks, joined);
  clearConflicts(ctx, change);
  return done;
}

/** Lines whose ground this write took away: offered to the user now, and shown as perhaps out of date until they are confirmed. */
function checkWarnings(ctx: MemoryContext, { today, zone }: WriteScope, deltas: readonly EntryDelta[]): string[] {
  const ended = deltas.flatMap(({ verb, before, after }) =>
    verb === "closed" || verb === "removed" ? ((after ?? before)!.id ?? []) : [],
  );
  if (ended.length === 0) return [];
  const noon = Date.parse(`${today}T12:00:00Z`);
  return dependents({ ...ctx, now: () => noon, zone: () => zone }, new Set(ended)).map(
    ({ text, id }) =>
      `“${text}” (${id ?? "without an id"}) may be out of date: something that it depends on has ended. Confirm it or change it.`,
  );
}

/** A failure of the storage as a refusal; what is no known failure goes on as it is. */
export function storageRefusal(error: unknown): Refusal | null {
  const text = error instanceof Error ? error.message : String(error);
  if (/SQLITE_FULL|database or disk is full|storage limit|Exceeded allowed (?:storage|rows)/i.test(text)) {
    return {
      code: "storage-full",
      message: "The storage is full; nothing was saved. Free some space (erase, or remove old conversations) and try again.",
    };
  }
  if (/SQLITE_TOOBIG|string or blob too big/i.test(text))
    return { code: "too-large", message: "That is too large for one row of the storage; nothing was saved. Split it." };
  if (/SQLITE_NOMEM|out of memory/i.test(text))
    return { code: "unavailable", message: "The app ran out of memory; nothing was saved. Try again with less at once." };
  return null;
}

/** What was thrown out of a write as a refusal. Throws what is none. */
export function refusalFrom(error: unknown): Refusal {
  const refusal = error instanceof Refused ? error.refusal : (refusalOf(error) ?? storageRefusal(error));
  if (!refusal) throw error;
  return refusal;
}

const refused = (error: unknown): Outcome => ({ ok: false, ...refusalFrom(error) });

/**
 * Writes a change, whole or not at all. Synchronous from the first read to the last row, so that no other event runs in between.
 * Expected failures come back as refusals; a failure of the storage leaves everything as it was.
 */
export function write(ctx: MemoryContext, change: Change, options: WriteOptions = {}): Outcome {
  let done: Done;
  try {
    const key = options.idempotencyKey;
    const request = key === undefined ? "" : requestHash(change);
    if (key !== undefined) {
      const known = answerOf(ctx, key, request);
      if (known) return known;
    }
    done = ctx.transact(() => {
      const result = perform(ctx, change);
      if (key !== undefined) keepAnswer(ctx, key, request, result.outcome);
      return result;
    });
  } catch (error) {
    const outcome = refused(error);
    if (!outcome.ok && outcome.code === "conflict") keepConflict(ctx, change, outcome);
    if (!outcome.ok && outcome.code === "forgotten") countHeld(ctx, outcome);
    return outcome;
  }
  if (done.landed) ctx.landed?.(done.landed);
  return done.outcome;
}

/** What a change would do to head, without doing it. */
export function dryRun(ctx: MemoryContext, change: Change): { outcome: Outcome; deltas: EntryDelta[] } {
  try {
    ctx.transact(() => {
      throw new DryRun(perform(ctx, change));
    });
  } catch (error) {
    if (error instanceof DryRun) return { outcome: error.done.outcome, deltas: error.done.deltas };
    return { outcome: refused(error), deltas: [] };
  }
  throw new Error("A dry run came back without its result.");
}

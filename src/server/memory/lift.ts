// Lifting: only the user lets a forgotten fact in again, by the button, or by a typed sentence that asks to remember it. Never a dream, a document, an agent, a question.
import { refusalOf, type Refusal } from "../../shared/errors.ts";
import { HISTORY } from "../../shared/document.ts";
import { insertEntry, newDocument } from "../../shared/edit-document.ts";
import { metaValue, setMetaFields } from "../../shared/entry.ts";
import type { Actor, Change, Outcome, Page } from "../../shared/protocol.ts";
import { headOf, type LandedCommit, type MemoryContext } from "./context.ts";
import { Draft } from "./draft.ts";
import { dropStones } from "./forgotten-file.ts";
import { isForgottenName, MEMORY_FILE } from "./gate-files.ts";
import type { Keyring } from "./keys.ts";
import { releaseHeld } from "./hold-back.ts";
import { newDocumentTitle } from "./new-file.ts";
import { keptReceipt } from "./receipts.ts";
import { Refused, refuseWrite } from "./refused.ts";
import { unseal, type Readable } from "./tombstone-key.ts";
import { refusalFrom, write } from "./writer.ts";

/** What a lift is told. */
export interface LiftRequest {
  /** Ids of tombstones. */
  stones: readonly string[];
  /** Puts the lines back where they stood, where their words are kept. */
  restore: boolean;
  source: string | null;
  actor: Actor;
  at: number;
  zone: string;
}

/** A forgotten fact as its owner reads it. */
export interface ForgottenView {
  id: string;
  /** Null: it was erased, and nobody has the words any more. */
  text: string | null;
  path: string | null;
  removed: string;
  erased: boolean;
  receipt: string | null;
  match: string;
  heldBack: number;
  source: string | null;
}

interface StoneLine extends Record<string, string | number | null> {
  id: string;
  path: string;
  removed: string;
  match: string;
  sealed: string | null;
  erased_at: number | null;
  receipt: string | null;
  held: number | null;
  source: string | null;
  at: number | null;
}

const STONES = `SELECT t.id, t.path, t.removed, t.match, f.sealed, f.erased_at, f.receipt, f.held, f.source, f.at
  FROM tombstones t LEFT JOIN forgotten_facts f ON f.id = t.id`;

/** Tombstones as their owner reads them, newest first. */
export function listForgotten(
  ctx: Pick<MemoryContext, "sql" | "keyring">,
  query: { limit: number; cursor?: string },
): Page<ForgottenView> {
  const offset = Math.max(0, Number(query.cursor ?? 0) || 0);
  const rows = ctx.sql
    .exec<StoneLine>(`${STONES} ORDER BY t.removed DESC, f.at DESC, t.id LIMIT ? OFFSET ?`, query.limit + 1, offset)
    .toArray();
  const ring = rows.length > 0 ? ringOf(ctx) : null;
  const items = rows.slice(0, query.limit).map((row): ForgottenView => {
    const readable = row.sealed === null || !ring ? null : unseal(ring, row.sealed);
    return {
      id: row.id,
      text: readable?.text ?? null,
      path: readable?.path ?? null,
      removed: row.removed,
      erased: row.erased_at !== null,
      // What an import brought was forgotten elsewhere: its receipt stayed there.
      receipt: row.receipt || null,
      match: row.match,
      heldBack: row.held ?? 0,
      source: row.source,
    };
  });
  return { items, next: rows.length > query.limit ? String(offset + query.limit) : null };
}

/** The keys; null while they cannot be opened: that and when is readable all the same. */
function ringOf(ctx: Pick<MemoryContext, "keyring">): Keyring | null {
  try {
    return ctx.keyring();
  } catch (error) {
    if (refusalOf(error)?.code === "unavailable") return null;
    throw error;
  }
}

function stonesIn(ctx: MemoryContext, ids: readonly string[]): StoneLine[] {
  return ctx.sql.exec<StoneLine>(`${STONES} WHERE t.id IN (SELECT value FROM json_each(?))`, JSON.stringify(ids)).toArray();
}

/** Puts a forgotten line back: in its file and section, under its id. */
function putBack(draft: Draft, readable: Readable): void {
  const { text, path, section, meta } = readable;
  const document = draft.document(path) ?? newDocument(newDocumentTitle(path));
  const id = metaValue(meta, "id");
  // What was cut out of a line has no id, and its line went on without it.
  if (id === undefined || document.entries.some((entry) => metaValue(entry.meta, "id") === id)) return;
  const top = document.headings[0];
  const titled = top && top.level === 1 && top.text === section;
  draft.put(
    path,
    insertEntry(
      document,
      { text, meta: setMetaFields(meta, {}) },
      { section: titled ? null : metaValue(meta, "closed") === undefined ? section : HISTORY },
    ).document,
  );
  if (draft.document(MEMORY_FILE) === null) draft.put(MEMORY_FILE, newDocument("Memory"));
}

function perform(ctx: MemoryContext, ask: LiftRequest): Extract<Outcome, { ok: true }> {
  if (ask.actor !== "user")
    refuseWrite("forbidden", "Only the user lifts what was forgotten, in Forgotten or in their own words.");
  const rows = stonesIn(ctx, ask.stones);
  if (rows.length === 0) refuseWrite("not-found", "That is not forgotten, or not any more.", { stones: ask.stones });
  const draft = new Draft(ctx);
  const places = new Map<string, Set<string>>();
  for (const { id, path } of rows) places.set(path, (places.get(path) ?? new Set()).add(id));
  dropStones(draft, places);
  if (ask.restore) {
    const ring = ctx.keyring();
    for (const { sealed } of rows) {
      const readable = sealed === null ? null : unseal(ring, sealed);
      if (readable) putBack(draft, readable);
    }
  }
  const files = Object.fromEntries([...draft.changed()].map(([path, { after }]) => [path, after]));
  const message = rows.length === 1 ? "1 line may be remembered again" : `${rows.length} lines may be remembered again`;
  const outcome = write(ctx, {
    base: headOf(ctx),
    files,
    kind: "forget",
    message,
    source: ask.source,
    actor: "user",
    at: ask.at,
    zone: ask.zone,
    typed: true,
  });
  if (!outcome.ok) throw new Refused(outcome);
  ctx.sql.exec(
    "DELETE FROM forgotten_facts WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(rows.map(({ id }) => id)),
  );
  releaseHeld(ctx);
  return { ...outcome, entries: outcome.entries.filter(({ entry }) => !isForgottenName(entry.path)) };
}

/** Runs several writes as one: all of them land, or none; what they tell the tabs is told at the end. */
export function together(ctx: MemoryContext, run: (quiet: MemoryContext) => Outcome): Outcome {
  const landed: LandedCommit[] = [];
  let outcome: Outcome;
  try {
    outcome = ctx.transact(() => {
      const result = run({ ...ctx, landed: (commit) => void landed.push(commit) });
      if (!result.ok) throw new Refused(result);
      return result;
    });
  } catch (error) {
    const refusal: Refusal = refusalFrom(error);
    return { ok: false, ...refusal };
  }
  for (const commit of landed) ctx.landed?.(commit);
  return outcome;
}

/** Lifts tombstones. The lines may be remembered again; with `restore` they stand again. */
export function lift(ctx: MemoryContext, ask: LiftRequest): Outcome {
  return together(ctx, (quiet) => perform(quiet, ask));
}

/** Takes a forget back as a whole: its tombstones are lifted and its lines stand again. What was redacted in messages stays so. */
export function undoForget(ctx: MemoryContext, receipt: string, ask: Omit<LiftRequest, "stones" | "restore">): Outcome {
  const kept = keptReceipt(ctx.sql, receipt);
  if (!kept) return { ok: false, code: "not-found", message: "There is no such receipt.", details: { receipt } };
  if (kept.receipt.kind !== "forget")
    return { ok: false, code: "not-found", message: "What was erased cannot be brought back: nobody has the words any more." };
  return lift(ctx, { ...ask, stones: kept.receipt.stones, restore: true });
}

/**
 * Writes a change. Where a tombstone refuses it and typed words ask to remember (`lifting`), the tombstones that cover what was asked for are
 * lifted in the same transaction; the old line does not come back beside the new one.
 */
export function writeLifting(ctx: MemoryContext, change: Change, lifting: boolean): Outcome {
  const first = write(ctx, change);
  if (first.ok || first.code !== "forgotten" || !lifting) return first;
  const stones = first.details?.stones;
  if (!Array.isArray(stones) || stones.length === 0) return first;
  return together(ctx, (quiet) => {
    perform(quiet, {
      stones: stones as string[],
      restore: false,
      source: change.source,
      actor: "user",
      at: change.at,
      zone: change.zone,
    });
    return write(quiet, { ...change, base: null });
  });
}

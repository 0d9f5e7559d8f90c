// An import that comes as one list: conversations, files or statements. Previewed, or landed in one commit; conversations in slices.
import { AppError, refusalOf } from "../../shared/errors.ts";
import { IMPORT_MAX_ITEMS, IMPORT_SLICE_MESSAGES } from "../../shared/limits.ts";
import type { ImportBody, ImportView, Outcome } from "../../shared/protocol.ts";
import { isZone } from "../../shared/zone.ts";
import type { Answer } from "../memory/api.ts";
import { headOf, type MemoryContext } from "../memory/context.ts";
import { bringFiles, givenFiles } from "./bring-memory.ts";
import { bringStatements } from "./bring-statements.ts";
import { idOf } from "./import-id.ts";
import { Tally } from "./tally.ts";
import { cleanerOf, landTalk, previewTalk, readTalk, type Talk } from "./talk.ts";

/** What an import needs beside the memory. */
export interface ImportDeps {
  ctx: MemoryContext;
  /** Lets other events run. */
  pause(): Promise<void>;
  /** Conversations came: open tabs look again. */
  talked(thread: string): void;
}

/** Numbers that say where the import stands. */
export type ImportStep = Pick<ImportView, "id" | "kind" | "status">;

export function viewOf(step: ImportStep, tally: Tally, more: Partial<ImportView> = {}): ImportView {
  return {
    ...step,
    progress: { done: 0, of: null },
    counts: tally.counts,
    items: tally.items,
    commit: null,
    head: null,
    deadTombstones: [],
    needsPassphrase: false,
    message: null,
    ...more,
  };
}

/** Brings a list in, or tells what would come of it. */
export async function importItems(
  deps: ImportDeps,
  { kind, items, apply = false, tz }: ImportBody,
  at: number,
): Promise<Answer<ImportView>> {
  const { ctx } = deps;
  try {
    const zone: string = tz && tz !== "" ? tz : ctx.zone();
    const known: boolean = isZone(zone);
    if (!known)
      throw new AppError("bad-format", `“${zone.slice(0, 80)}” is not the name of a time zone. Use one like Europe/Lisbon.`);
    if (items.length > IMPORT_MAX_ITEMS)
      throw new AppError(
        "too-large",
        `An import has at most ${IMPORT_MAX_ITEMS.toLocaleString("en")} items. Send the rest behind it.`,
      );
    const id = idOf(kind, JSON.stringify(items));
    const tally = new Tally();
    const step: ImportStep = { id, kind, status: apply ? "applied" : "preview" };
    const progress = { done: items.length, of: items.length };
    if (kind === "conversations") {
      await bringTalks(deps, items, apply, at, tally);
      return { ok: true, value: viewOf(step, tally, { progress, head: headOf(ctx) }) };
    }
    const common = { id, at, zone, apply };
    const outcome: Outcome =
      kind === "statements"
        ? bringStatements(ctx, { ...common, items }, tally)
        : await bringFiles(ctx, { ...common, ...givenFiles(items, zone, tally), pause: deps.pause }, tally);
    if (!outcome.ok) return outcome;
    const landed = apply ? { commit: outcome.commit, head: outcome.head } : { head: headOf(ctx) };
    return { ok: true, value: viewOf(step, tally, { progress, ...landed, message: outcome.warnings?.join(" ") ?? null }) };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return { ok: false, ...refusal };
  }
}

async function bringTalks(deps: ImportDeps, items: readonly unknown[], apply: boolean, now: number, tally: Tally): Promise<void> {
  const { ctx } = deps;
  const clean = cleanerOf(ctx);
  const talks: Talk[] = [];
  items.forEach((item, index) => {
    const talk = readTalk(item, index + 1, now);
    if (typeof talk !== "string") talks.push(talk);
    else tally.add({ n: index + 1, what: "conversation", fate: "refused", why: talk });
  });
  // The inbox reads messages in the order of their rows: what was said first is learned first.
  talks.sort((a, b) => a.messages[0]!.at - b.messages[0]!.at);
  let since = 0;
  for (const talk of talks) {
    if (!apply) previewTalk(ctx, clean, talk, tally);
    else
      for (const stored of landTalk(ctx, clean, talk, tally, IMPORT_SLICE_MESSAGES)) {
        since += stored;
        if (since < IMPORT_SLICE_MESSAGES) continue;
        since = 0;
        await deps.pause();
      }
  }
  const told = tally.items.find(({ fate, thread }) => fate === "lands" && thread !== null);
  if (apply && told) deps.talked(told.thread!);
}

// Forgetting: takes facts out of head through the one writer, leaves tombstones, redacts what stated or asked for them, and keeps a receipt. All of it in one transaction.
import type { Refusal } from "../../shared/errors.ts";
import type { Meta } from "../../shared/entry.ts";
import type { Actor, EntryView } from "../../shared/protocol.ts";
import { parseSource } from "../../shared/source.ts";
import { dayIn, isZone } from "../../shared/zone.ts";
import { headOf, type LandedCommit, type MemoryContext } from "./context.ts";
import { Draft } from "./draft.ts";
import { eraseForgotten } from "./erase-start.ts";
import { findAll, findByWords, findById, meansEverything, type Found } from "./forget-find.ts";
import { judgeOf, type StoneRow } from "./forget-judge.ts";
import { pastVersions } from "./forget-memory.ts";
import type { Look, Place } from "./forget-places.ts";
import { layForget, planForget, sourcesOf, touchedLines, type ForgetPlan } from "./forget-plan.ts";
import { spotOf } from "./forget-talk.ts";
import { addStones, type NewStone } from "./forgotten-file.ts";
import { agentOf } from "./gate-agent.ts";
import { dropStaged } from "./import-tables.ts";
import { isForgottenName, MEMORY_FILE } from "./gate-files.ts";
import { holdBackRows } from "./hold-back.ts";
import { answerOf, keepAnswer, requestHash } from "./idempotency.ts";
import { countAll, countUsersWords, keepReceipt, placesWith, type KeptReceipt } from "./receipts.ts";
import { Refused, refuseWrite } from "./refused.ts";
import { filesAt, versionsAt } from "./rows.ts";
import { matchFor, namesFor, seal } from "./tombstone-key.ts";
import { dependents } from "./to-check-after.ts";
import { countRedaction } from "./turns.ts";
import { HELD_BACK, viewsOf } from "./view.ts";
import { refusalFrom, write } from "./writer.ts";

/** What forgetting needs beside the memory: the places that other rooms keep words in. */
export interface Forgetting {
  ctx: MemoryContext;
  places: readonly Place[];
}

/** A request to forget. */
export interface ForgetRequest {
  id?: string;
  query?: string;
  /** Everything about it. */
  all: boolean;
  /** Finds and counts, and changes nothing. */
  dryRun?: boolean;
  /** Takes it out of every commit, too. */
  erase?: boolean;
  /** Said once more, where the whole memory is meant. */
  confirm?: string;
  source: string | null;
  actor: Actor;
  /** Milliseconds, and the zone that counts its day. */
  at: number;
  zone: string;
  model?: string;
  idempotencyKey?: string;
}

export type Forgot =
  | {
      ok: true;
      commit: string | null;
      head: string | null;
      removed: EntryView[];
      candidates: EntryView[];
      receipt: string | null;
      toCheck: EntryView[];
      stones: string[];
    }
  | ({ ok: false } & Refusal);

/** What has to be said to forget the whole memory. */
export const FORGET_EVERYTHING = "forget everything";

/** What an ordinary forget leaves behind. */
const OLD_COMMITS = "Old commits still hold it, and so does every clone. Erase it to take it out of the commits, too.";

function find(ctx: MemoryContext, ask: ForgetRequest): Found {
  if (ask.id !== undefined) {
    const lines = findById(ctx, ask.id);
    if (lines.length > 0) return { lines, candidates: [], files: [], part: null };
    const stone = ctx.sql.exec("SELECT 1 FROM tombstones WHERE replaces = ?", ask.id).toArray().length > 0;
    refuseWrite(
      "not-found",
      stone ? "That line was forgotten already." : `There is no line with the id ${ask.id}. It may have been moved or joined.`,
      { id: ask.id },
    );
  }
  const query = ask.query?.trim() ?? "";
  if (query === "") refuseWrite("bad-format", "Say what to forget: give id, or query in a few words.");
  if (meansEverything(query)) {
    if (ask.confirm !== FORGET_EVERYTHING) {
      const lines = wholeMemory(ctx).lines.length;
      refuseWrite(
        "needs-click",
        `That would be the whole memory: ${lines === 1 ? "1 line" : `${lines} lines`}. Nothing was forgotten. Say it once more with confirm: "${FORGET_EVERYTHING}", or name the part that you mean.`,
        { lines, confirm: FORGET_EVERYTHING },
      );
    }
    return wholeMemory(ctx);
  }
  if (!ask.all) return findByWords(ctx, query);
  const all = findAll(ctx, query);
  return all.lines.length > 0 || all.files.length > 0 ? all : findByWords(ctx, query);
}

function wholeMemory(ctx: MemoryContext): Found {
  const lines = [...versionsAt(ctx.sql, null, [{ sql: "removed = 0 AND held = 0", bindings: [] }])].filter(
    ({ path }) => !isForgottenName(path),
  );
  const files = filesAt(ctx.sql, null)
    .map(({ path }) => path)
    .filter((path) => path !== MEMORY_FILE && !isForgottenName(path));
  return { lines, candidates: [], files, part: null };
}

const NOTHING_FOUND = (head: string | null, candidates: EntryView[]): Forgot => ({
  ok: true,
  commit: null,
  head,
  removed: [],
  candidates,
  receipt: null,
  toCheck: [],
  stones: [],
});

/**
 * Forgets what a request means. One clear match goes, with every place that says the same; several come back as candidates and nothing
 * is removed. Expected failures come back as refusals; a failure of the storage leaves everything as it was.
 */
export function forgetFacts({ ctx, places }: Forgetting, ask: ForgetRequest): Forgot {
  const landed: LandedCommit[] = [];
  const quiet: MemoryContext = { ...ctx, landed: (commit) => void landed.push(commit) };
  let done: Forgot;
  try {
    if (ask.zone !== "" && !isZone(ask.zone))
      refuseWrite("bad-format", `“${String(ask.zone).slice(0, 80)}” is not the name of a time zone. Use one like Europe/Lisbon.`);
    done = ctx.transact(() => {
      const { idempotencyKey: key, ...request } = ask;
      const hash = key === undefined ? "" : requestHash(request);
      const known = key === undefined ? null : answerOf(quiet, key, hash);
      if (known) return known as unknown as Forgot;
      const result = perform(quiet, placesWith(places), ask);
      if (key !== undefined && result.ok) keepAnswer(quiet, key, hash, wordless(result) as never);
      return result;
    });
  } catch (error) {
    return { ok: false, ...refusalFrom(error) };
  }
  for (const commit of landed) ctx.landed?.(commit);
  return done;
}

/** An answer as it may be kept: which lines went, not what they said. */
function wordless<F extends Extract<Forgot, { ok: true }>>(answer: F): F {
  return {
    ...answer,
    removed: answer.removed.map((view) => ({
      ...view,
      text: HELD_BACK,
      chain: HELD_BACK,
      meta: view.meta.filter(([key]) => key === "id"),
    })),
  };
}

function perform(ctx: MemoryContext, places: readonly Place[], ask: ForgetRequest): Extract<Forgot, { ok: true }> {
  const zone = ask.zone === "" ? ctx.zone() : ask.zone;
  const today = dayIn(ask.at, zone);
  const at = { ...ctx, now: () => ask.at, zone: () => zone };
  const found = find(at, ask);
  const plan = planForget(at, found);
  const head = headOf(ctx);
  const candidates = viewsOf(at, plan.candidates);
  if (plan.facts.length === 0 && plan.links.length === 0 && plan.files.length === 0)
    return NOTHING_FOUND(head, candidates) as Extract<Forgot, { ok: true }>;
  const removed = viewsOf(at, touchedLines(ctx, plan));
  if (ask.dryRun) return { ok: true, commit: null, head, removed, candidates, receipt: null, toCheck: [], stones: [] };

  const receipt = ctx.randomId();
  const stones = stonesFor(ctx, plan, today);
  const sources = sourcesOf(plan);
  const look = lookAt(ctx, plan, stones, sources, spotOf(ask.source));
  const before = countAll(ctx, places, { ...look, texts: plan.facts.map(({ text }) => text) });
  if (agentOf(ask.actor) !== null && countUsersWords(before) > 0)
    refuseWrite(
      "forbidden",
      "The user’s own conversations or notes say it, too, and an agent may not take words out of them. Nothing was forgotten; the user can forget it in the app.",
    );
  const draft = new Draft(ctx);
  layForget(ctx, draft, plan);
  addStones(draft, stones);
  const files = Object.fromEntries([...draft.changed()].map(([path, { after }]) => [path, after]));
  const count = plan.facts.length + plan.links.length;
  const outcome = write(ctx, {
    base: head,
    files,
    kind: "forget",
    message: count === 1 ? "1 line forgotten" : `${count} lines forgotten`,
    source: ask.source,
    actor: ask.actor,
    at: ask.at,
    zone,
    typed: true,
    ...(ask.model ? { model: ask.model } : {}),
  });
  if (!outcome.ok) throw new Refused(outcome);

  keepCopies(ctx, plan, stones, ask, receipt);
  holdBackRows(
    ctx,
    pastVersions(ctx, look)
      .filter(({ held }) => held === 0)
      .map(({ pid }) => pid),
  );
  dropUses(ctx, look.judge.ids);
  for (const place of places) place.redact?.(ctx, look);
  dropStaged(ctx.sql);
  countRedaction(ctx.sql);
  const kept: KeptReceipt = {
    kind: "forget",
    stones: stones.map(({ id }) => id),
    matches: stones.map(({ id, match, replaces }) => ({ id, match, replaces })),
    cited: look.cited.slice(),
    citedNotes: look.citedNotes.slice(),
    asked: look.asked,
    threads: [...look.touched],
    before,
    stays: [
      OLD_COMMITS,
      ...(candidates.length > 0
        ? [
            `${candidates.length === 1 ? "One longer line says it, too, and was" : `${candidates.length} longer lines say it, too, and were`} left for you to judge.`,
          ]
        : []),
    ],
  };
  keepReceipt(ctx, receipt, ask.at, kept);
  if (ask.erase) eraseForgotten(ctx, receipt);
  return {
    ok: true,
    commit: outcome.commit,
    head: outcome.head,
    removed,
    candidates,
    receipt,
    toCheck: dependents(at, look.judge.ids),
    stones: kept.stones,
  };
}

function stonesFor(ctx: MemoryContext, plan: ForgetPlan, removed: string): NewStone[] {
  const ring = ctx.keyring();
  return plan.facts.map((fact) => ({
    id: freshId(ctx),
    removed,
    match: matchFor(ring, fact, namesFor(ctx.sql, fact.text)),
    // What was only cut out of a line replaces nothing: the line goes on under its id.
    replaces: fact.part ? null : fact.version.id,
  }));
}

function freshId(ctx: MemoryContext): string {
  for (;;) {
    const id = ctx.randomId();
    if (ctx.sql.exec("SELECT 1 FROM ids WHERE id = ?", id).toArray().length === 0) return id;
  }
}

function lookAt(
  ctx: MemoryContext,
  plan: ForgetPlan,
  stones: readonly StoneRow[],
  sources: readonly string[],
  asked: Look["asked"],
): Look {
  return {
    judge: judgeOf(ctx.keyring(), stones, plan.files),
    texts: plan.facts.map(({ text }) => text),
    cited: sources.flatMap((source) => spotOf(source) ?? []),
    citedNotes: sources.flatMap((source) => {
      const parsed = parseSource(source);
      return parsed?.kind === "note" ? [parsed.id] : [];
    }),
    asked,
    touched: new Set(),
  };
}

function keepCopies(
  ctx: MemoryContext,
  plan: ForgetPlan,
  stones: readonly NewStone[],
  ask: ForgetRequest,
  receipt: string,
): void {
  const ring = ctx.keyring();
  plan.facts.forEach((fact, index) => {
    const { path, section, meta } = fact.version;
    const pairs = (JSON.parse(meta) as Meta).map(([key, value]): [string, string] => [key, value]);
    const sealed = seal(ring, {
      text: fact.text,
      path,
      section,
      meta: fact.part ? [] : pairs,
      ...(plan.files.includes(path) ? { wholeFile: true } : {}),
    });
    ctx.sql.exec(
      "INSERT INTO forgotten_facts (id, at, sealed, source, receipt) VALUES (?, ?, ?, ?, ?)",
      stones[index]!.id,
      ask.at,
      sealed,
      ask.source,
      receipt,
    );
  });
}

function dropUses(ctx: MemoryContext, ids: ReadonlySet<string>): void {
  ctx.sql.exec("DELETE FROM entry_uses WHERE id IN (SELECT value FROM json_each(?))", JSON.stringify([...ids]));
}

// Receipts of what was forgotten or erased: every place that was checked, how often it stood there before, and now, counted anew each time one is read.
import { AppError } from "../../shared/errors.ts";
import type { Sql } from "../git/sql.ts";
import type { MemoryContext } from "./context.ts";
import { judgeOf, type StoneRow } from "./forget-judge.ts";
import { countObjects, pastVersions, standingEntries, standingProse } from "./forget-memory.ts";
import type { Look, Place, Spot } from "./forget-places.ts";
import {
  countAnswers,
  countInstructions,
  countNotes,
  countSources,
  redactAnswers,
  redactInstructions,
  redactNotes,
} from "./forget-rest.ts";
import { countHeads, countTalk, redactHeads, redactTalk } from "./forget-talk.ts";
import { unseal } from "./tombstone-key.ts";

export function createForgotten(sql: Sql): void {
  // Beside each tombstone: the readable copy for its owner, where it was asked for, what held it back. `sealed` null: erased.
  sql.exec(`CREATE TABLE forgotten_facts (
    id TEXT PRIMARY KEY, at INTEGER NOT NULL, sealed TEXT, source TEXT, receipt TEXT NOT NULL, held INTEGER NOT NULL DEFAULT 0, erased_at INTEGER) WITHOUT ROWID`);
  sql.exec("CREATE TABLE receipts (id TEXT PRIMARY KEY, at INTEGER NOT NULL, asked TEXT, doc TEXT NOT NULL) WITHOUT ROWID");
  sql.exec("CREATE INDEX receipts_asked ON receipts (asked) WHERE asked IS NOT NULL");
}

/** Which contents of files hold prose: a file without any is not read again. */
export function createProseSeen(sql: Sql): void {
  sql.exec("CREATE TABLE prose_seen (blob BLOB PRIMARY KEY, plain INTEGER NOT NULL) WITHOUT ROWID");
}

/** A receipt as it is kept: references and numbers, never words. */
export interface KeptReceipt {
  kind: "forget" | "erase" | "delete";
  /** Tombstones that it is about. */
  stones: string[];
  /** The same, as they were compared: a tombstone that was lifted can still be counted. */
  matches: StoneRow[];
  cited: Spot[];
  citedNotes: string[];
  asked: Spot | null;
  /** Conversations out of which words were taken: their objects held them, too. */
  threads: string[];
  before: { place: string; count: number }[];
  stays: string[];
  /** Of an erase: whether it has ended. */
  done?: boolean;
  /** It is about secrets, wherever they stand, instead of tombstones. */
  secrets?: boolean;
}

/** A receipt as it is read. */
export interface Receipt {
  id: string;
  at: string;
  kind: KeptReceipt["kind"];
  rows: { place: string; before: number; now: number }[];
  stays: string[];
  done: boolean;
}

export const GIT_PLACE = "Objects in git, and a fresh clone";
export const COPY_PLACE = "The readable copy kept for you";

/** Places that hold the user's own words: what an agent forgets must not reach into them. */
const USERS_PLACES: ReadonlySet<string> = new Set([
  "Conversations",
  "Their titles and summaries",
  "Notes",
  "Standing instructions",
]);

/** How often the user's own words say it. */
export function countUsersWords(counts: readonly { place: string; count: number }[]): number {
  return counts.reduce((sum, { place, count }) => sum + (USERS_PLACES.has(place) ? count : 0), 0);
}

/** The places of the memory's own object, in the order of a receipt. */
const PLACES: readonly Place[] = [
  { name: "Files of the memory", count: (ctx, look) => standingEntries(ctx, look).length + standingProse(ctx, look).length },
  {
    name: "Search, graph, prompts",
    count: (ctx, look) =>
      standingEntries(ctx, look).filter(
        ({ rid }) => ctx.sql.exec("SELECT 1 FROM entries_fts WHERE rowid = ?", rid).toArray().length > 0,
      ).length,
  },
  {
    name: "Earlier versions, as the app shows them",
    count: (ctx, look) => pastVersions(ctx, look).filter(({ held }) => held === 0).length,
  },
  { name: "Conversations", count: countTalk, redact: redactTalk },
  { name: "Their titles and summaries", count: countHeads, redact: redactHeads },
  { name: "Sources in a clone", count: countSources },
  { name: "Notes", count: countNotes, redact: redactNotes },
  { name: "Standing instructions", count: countInstructions, redact: redactInstructions },
  { name: "Answers kept for repeated requests", count: countAnswers, redact: redactAnswers },
];

/** All places: those of the memory, those that others bring, and git behind them. */
export function placesWith(more: readonly Place[]): readonly Place[] {
  return [...PLACES, ...more, { name: GIT_PLACE, count: countObjects }, { name: COPY_PLACE, count: countCopies }];
}

function countCopies({ sql }: MemoryContext, { judge }: Look): number {
  return sql
    .exec<{ n: number }>(
      "SELECT COUNT(*) AS n FROM forgotten_facts WHERE sealed IS NOT NULL AND id IN (SELECT value FROM json_each(?))",
      JSON.stringify(judge.stones.map(({ id }) => id)),
    )
    .one().n;
}

/** Counts in every place. */
export function countAll(ctx: MemoryContext, places: readonly Place[], look: Look): { place: string; count: number }[] {
  const standing = { ...look, standing: standingEntries(ctx, look) };
  return places.map(({ name, count }) => ({ place: name, count: count(ctx, standing) }));
}

/** Keeps a receipt. */
export function keepReceipt(ctx: Pick<MemoryContext, "sql">, id: string, at: number, receipt: KeptReceipt): void {
  const asked = receipt.asked === null ? null : askedKey(receipt.asked);
  ctx.sql.exec(
    "INSERT OR REPLACE INTO receipts (id, at, asked, doc) VALUES (?, ?, ?, ?)",
    id,
    at,
    asked,
    JSON.stringify(receipt),
  );
}

const askedKey = ({ thread, n }: Spot): string => `${thread}#m${n}`;

/** A receipt as it was kept, or null. */
export function keptReceipt(sql: Sql, id: string): { at: number; receipt: KeptReceipt } | null {
  const row = sql.exec<{ at: number; doc: string }>("SELECT at, doc FROM receipts WHERE id = ?", id).toArray()[0];
  return row ? { at: row.at, receipt: JSON.parse(row.doc) as KeptReceipt } : null;
}

/** What a message asked to forget, for the answer that is still being written to it. */
export function askedBy(sql: Sql, spot: Spot): StoneRow[] {
  return sql
    .exec<{ doc: string }>("SELECT doc FROM receipts WHERE asked = ?", askedKey(spot))
    .toArray()
    .flatMap(({ doc }) => (JSON.parse(doc) as KeptReceipt).matches);
}

/** The texts of tombstones where all of them are kept; null where one is not. */
export function textsOf(ctx: Pick<MemoryContext, "sql" | "keyring">, stones: readonly string[]): string[] | null {
  const ring = ctx.keyring();
  const rows = ctx.sql
    .exec<{ sealed: string | null }>(
      "SELECT sealed FROM forgotten_facts WHERE id IN (SELECT value FROM json_each(?))",
      JSON.stringify(stones),
    )
    .toArray();
  const texts = rows.map(({ sealed }) => (sealed === null ? null : (unseal(ring, sealed)?.text ?? null)));
  return rows.length === stones.length && !texts.includes(null) ? (texts as string[]) : null;
}

/** What a receipt looks for. */
export function lookOf(ctx: Pick<MemoryContext, "sql" | "keyring">, receipt: KeptReceipt): Look {
  return {
    judge: judgeOf(ctx.keyring(), receipt.matches),
    texts: textsOf(ctx, receipt.stones),
    cited: receipt.cited,
    citedNotes: receipt.citedNotes,
    asked: receipt.asked,
    touched: new Set(receipt.threads),
  };
}

/** A receipt, counted anew. Throws `not-found`. */
export function readReceipt(
  ctx: MemoryContext,
  places: readonly Place[],
  id: string,
  secrets: (ctx: MemoryContext) => { place: string; count: number }[],
): Receipt {
  const kept = keptReceipt(ctx.sql, id);
  if (!kept) throw new AppError("not-found", "There is no such receipt.", { id });
  const { at, receipt } = kept;
  const counts = receipt.secrets ? secrets(ctx) : countAll(ctx, places, lookOf(ctx, receipt));
  const now = new Map(counts.map(({ place, count }) => [place, count]));
  return {
    id,
    at: new Date(at).toISOString(),
    kind: receipt.kind,
    rows: receipt.before.map(({ place, count }) => ({ place, before: count, now: now.get(place) ?? 0 })),
    stays: receipt.stays,
    done: receipt.done ?? true,
  };
}

// From a request to erase to the work of it: which tombstones, with which receipt, which files go as a whole.
import type { Refusal } from "../../shared/errors.ts";
import type { MemoryContext } from "./context.ts";
import { STAYS, startErase } from "./erase.ts";
import { dropStaged } from "./import-tables.ts";
import { isErasing } from "./erase.ts";
import type { StoneRow } from "./forget-judge.ts";
import type { Place } from "./forget-places.ts";
import { countAll, keepReceipt, keptReceipt, lookOf, placesWith, type KeptReceipt } from "./receipts.ts";
import { Refused, refuseWrite } from "./refused.ts";
import { countRedaction } from "./turns.ts";
import { unseal } from "./tombstone-key.ts";
import { refusalFrom } from "./writer.ts";

export type EraseBegun = { ok: true; receipt: string; done: boolean } | ({ ok: false } & Refusal);

/** Files that went as a whole with these facts, unless something of them is merely forgotten: that still has its words in old commits. */
function wholeFiles(ctx: MemoryContext, stones: readonly string[]): string[] {
  const ring = ctx.keyring();
  const wanted = new Set(stones);
  const readable = ctx.sql
    .exec<{ id: string; sealed: string }>("SELECT id, sealed FROM forgotten_facts WHERE sealed IS NOT NULL")
    .toArray()
    .map(({ id, sealed }) => ({ id, fact: unseal(ring, sealed) }));
  const kept = new Set(readable.filter(({ id }) => !wanted.has(id)).map(({ fact }) => fact?.path));
  const standing = (path: string) => ctx.sql.exec("SELECT 1 FROM files WHERE path = ?", path).toArray().length > 0;
  const paths = readable.flatMap(({ id, fact }) => (wanted.has(id) && fact?.wholeFile ? [fact.path] : []));
  return [...new Set(paths)].filter((path) => !kept.has(path) && !standing(path));
}

/** Begins to erase what a forget has just taken out: its receipt becomes that of the erase. In the caller's transaction. */
export function eraseForgotten(ctx: MemoryContext, receipt: string): void {
  const kept = keptReceipt(ctx.sql, receipt)!;
  const next: KeptReceipt = { ...kept.receipt, kind: "erase", stays: [...STAYS, ...kept.receipt.stays.slice(1)], done: false };
  keepReceipt(ctx, receipt, kept.at, next);
  startErase(ctx, {
    receipt,
    stones: next.stones,
    matches: next.matches,
    paths: wholeFiles(ctx, next.stones),
    threads: next.threads,
    at: kept.at,
  });
}

/** Begins to erase tombstones that stand already, with a receipt of its own. */
export function eraseStones(ctx: MemoryContext, more: readonly Place[], stones: readonly string[], at: number): EraseBegun {
  try {
    return ctx.transact(() => {
      const rows = ctx.sql
        .exec<{ id: string; match: string; replaces: string | null; erased: number | null; receipt: string | null }>(
          "SELECT t.id, t.match, t.replaces, f.erased_at AS erased, f.receipt FROM tombstones t LEFT JOIN forgotten_facts f ON f.id = t.id WHERE t.id IN (SELECT value FROM json_each(?))",
          JSON.stringify(stones),
        )
        .toArray();
      if (rows.length === 0) refuseWrite("not-found", "That is not forgotten, or not any more.");
      const before = rows.map(({ receipt }) => (receipt === null ? null : keptReceipt(ctx.sql, receipt)));
      // Asked for twice, it is the same erase.
      const known = rows.length === 1 && before[0]?.receipt.kind === "erase" ? rows[0]!.receipt : null;
      if (known !== null && (rows[0]!.erased !== null || isErasing(ctx.sql)))
        return { ok: true, receipt: known, done: before[0]!.receipt.done ?? false } as const;
      const matches = rows.map(({ id, match, replaces }): StoneRow => ({ id, match, replaces }));
      const earlier = before.flatMap((kept) => (kept ? [kept.receipt] : []));
      const receipt: KeptReceipt = {
        kind: "erase",
        stones: rows.map(({ id }) => id),
        matches,
        cited: earlier.flatMap(({ cited }) => cited),
        citedNotes: earlier.flatMap(({ citedNotes }) => citedNotes),
        asked: null,
        threads: [...new Set(earlier.flatMap(({ threads }) => threads))],
        before: [],
        stays: STAYS,
        done: false,
      };
      const places = placesWith(more);
      const look = lookOf(ctx, receipt);
      receipt.before = countAll(ctx, places, look);
      // What was said again since it was forgotten goes, too.
      for (const place of places) place.redact?.(ctx, look);
      dropStaged(ctx.sql);
      countRedaction(ctx.sql);
      receipt.threads = [...look.touched];
      const id = ctx.randomId();
      keepReceipt(ctx, id, at, receipt);
      ctx.sql.exec(
        "INSERT INTO forgotten_facts (id, at, sealed, source, receipt) SELECT value, ?, NULL, NULL, ? FROM json_each(?) WHERE true ON CONFLICT (id) DO UPDATE SET receipt = excluded.receipt",
        at,
        id,
        JSON.stringify(receipt.stones),
      );
      startErase(ctx, {
        receipt: id,
        stones: receipt.stones,
        matches,
        paths: wholeFiles(ctx, receipt.stones),
        threads: receipt.threads,
        at,
      });
      return { ok: true, receipt: id, done: false } as const;
    });
  } catch (error) {
    if (error instanceof Refused) return { ok: false, ...error.refusal };
    return { ok: false, ...refusalFrom(error) };
  }
}

// The tombstones of a memory, ready to compare. Read once, and again when the files that list them have changed.
import { Buffer } from "node:buffer";
import { AppError } from "../../shared/errors.ts";
import type { Fact } from "../../shared/tombstone.ts";
import { TombstoneIndex } from "../../shared/tombstone-index.ts";
import type { MemoryContext } from "./context.ts";

export interface Stones {
  /** Tombstones that cover a text, by their ids. */
  covering(fact: Fact): string[];
  /** Tombstones that share much of a text without covering it, by their ids. Looks at every tombstone. */
  near(fact: Fact): string[];
  /** Whether an id was forgotten. */
  replaced(id: string): boolean;
  size: number;
}

type Ctx = Pick<MemoryContext, "sql" | "keyring" | "cache"> & { prefix?: string };

/** Which versions of the tombstone files the rows stand for. */
function stateOfFiles({ sql, prefix = "" }: Ctx): string {
  return sql
    .exec<{ blob: ArrayBuffer }>(
      `SELECT blob FROM ${prefix}files WHERE path = 'forgotten.md' OR (path > 'forgotten/' AND path < 'forgotten0') ORDER BY path`,
    )
    .toArray()
    .map(({ blob }) => Buffer.from(blob).toString("hex"))
    .join();
}

/** The tombstones. Throws AppError("unavailable") while they cannot be read: then nothing may be written (the gate fails closed). */
export function stonesOf(ctx: Ctx): Stones {
  const state = stateOfFiles(ctx);
  const known = ctx.cache.stones;
  if (known?.state === state) return known.stones;
  const rows = ctx.sql
    .exec<{ id: string; match: string; replaces: string | null }>(`SELECT id, match, replaces FROM ${ctx.prefix ?? ""}tombstones`)
    .toArray();
  const index = new TombstoneIndex(rows.map((row) => ({ name: row.id, match: row.match })));
  if (index.unreadable.size > 0) {
    throw new AppError(
      "unavailable",
      "The list of what you asked to forget (forgotten.md) cannot be read, so nothing is saved. Put its last good version back.",
      { lines: [...index.unreadable] },
    );
  }
  const ring = rows.length > 0 ? ctx.keyring() : null;
  const lost = index.keyIds.filter((id) => !ring?.keys.has(id) && !ring?.dead.has(id));
  if (lost.length > 0) {
    throw new AppError(
      "unavailable",
      "The key of some of what you asked to forget is missing, so nothing is saved. Import the export that holds it.",
      { keys: lost },
    );
  }
  const replaced = new Set(rows.flatMap((row) => row.replaces ?? []));
  const stones: Stones = {
    covering: (fact) => (ring ? index.covering(fact, ring.hmacs) : []),
    near: (fact) => (ring ? index.near(fact, ring.hmacs) : []),
    replaced: (id) => replaced.has(id),
    size: rows.length,
  };
  ctx.cache.stones = { state, stones };
  return stones;
}

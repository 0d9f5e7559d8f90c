// Lines that depend on what has just ended or was forgotten: offered to the user once, with the answer to that change.
import type { Meta } from "../../shared/entry.ts";
import type { EntryView } from "../../shared/protocol.ts";
import { todayOf, type MemoryContext } from "./context.ts";
import { currentByRids, type Version } from "./rows.ts";
import { movedGrounds } from "./to-check.ts";
import { viewsOf } from "./view.ts";

type Ctx = Pick<MemoryContext, "sql" | "store" | "now" | "zone" | "cache">;

/** How far the ways of `depends` are followed; a circle ends by itself. */
const DEPTH_MAX = 50;
/** Lines that are offered at once. */
const OFFER_MAX = 20;

/** Lines that depend on one of these ids, directly or through others, and that wait for a check because of it. */
export function dependents(ctx: Ctx, ids: ReadonlySet<string>): EntryView[] {
  const today = todayOf(ctx);
  const found = new Map<number, Version>();
  let layer = [...ids];
  const seen = new Set(layer);
  for (let depth = 0; depth < DEPTH_MAX && layer.length > 0; depth++) {
    const rids = ctx.sql
      .exec<{ rid: number }>(
        "SELECT DISTINCT rid FROM depends WHERE target IN (SELECT value FROM json_each(?))",
        JSON.stringify(layer),
      )
      .toArray()
      .map(({ rid }) => rid);
    layer = [];
    for (const version of currentByRids(ctx.sql, rids)) {
      if (found.has(version.rid)) continue;
      found.set(version.rid, version);
      if (version.id !== null && !seen.has(version.id)) {
        seen.add(version.id);
        layer.push(version.id);
      }
    }
  }
  const waiting = [...found.values()].filter(
    (version) => version.held === 0 && movedGrounds(ctx, version, JSON.parse(version.meta) as Meta, today).length > 0,
  );
  return viewsOf(ctx, waiting.slice(0, OFFER_MAX));
}

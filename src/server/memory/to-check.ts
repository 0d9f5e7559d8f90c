// Entries whose ground has moved: something that they depend on, directly or through others, has ended or was forgotten since they were confirmed.
import { metaValue, type Meta } from "../../shared/entry.ts";
import type { MemoryContext } from "./context.ts";
import { dependsOf, type EntryColumns } from "./entry-row.ts";
import { currentById, fileAt, ridOf, versionsOf } from "./rows.ts";

type Ctx = Pick<MemoryContext, "sql">;

/** How deep grounds are followed; a cycle ends by itself, this bounds a hostile chain. */
const DEPTH_MAX = 50;

/** The day on which a target ended, or null while it holds. A target that nobody knows never held: it says nothing. */
function endedOn(ctx: Ctx, target: string, today: string): { day: string | null; meta: Meta | null; text: string | null } {
  const row = currentById(ctx.sql, target);
  if (row) {
    const meta = JSON.parse(row.meta) as Meta;
    const { text } = row;
    if (row.wrong === 1) return { day: row.closed ?? today, meta, text };
    if (row.until !== null && row.until <= today)
      return { day: row.closed !== null && row.closed > row.until ? row.closed : row.until, meta, text };
    if (row.until === null && row.closed !== null) return { day: row.closed, meta, text };
    return { day: null, meta, text };
  }
  const stone = ctx.sql.exec<{ removed: string }>("SELECT removed FROM tombstones WHERE replaces = ?", target).toArray()[0];
  if (stone) return { day: stone.removed, meta: null, text: null };
  const rid = ridOf(ctx.sql, target);
  if (rid === null) return { day: null, meta: null, text: null };
  const last = versionsOf(ctx.sql, rid).at(-1);
  if (last?.ended == null) return { day: null, meta: null, text: null };
  const { at } = ctx.sql.exec<{ at: number }>("SELECT at FROM commits WHERE seq = ?", last.ended).one();
  return { day: new Date(at).toISOString().slice(0, 10), meta: null, text: null };
}

function fileGone(ctx: Ctx, path: string): boolean {
  if (fileAt(ctx.sql, null, path) || fileAt(ctx.sql, null, `${path}.md`)) return false;
  return ctx.sql.exec("SELECT 1 FROM file_past WHERE path = ? OR path = ? LIMIT 1", path, `${path}.md`).toArray().length > 0;
}

/**
 * What moved under an entry since it was confirmed, as a reader would name it; nothing where all its grounds stand. Closed and
 * forgotten entries need no check any more.
 */
export function movedGrounds(
  ctx: Ctx,
  version: Pick<EntryColumns, "closed" | "wrong" | "removed">,
  meta: Meta,
  today: string,
): string[] {
  const targets = dependsOf(meta);
  if (targets.length === 0 || version.closed !== null || version.wrong === 1 || version.removed === 1) return [];
  const checked = metaValue(meta, "checked");
  const added = metaValue(meta, "added") ?? "";
  const hasMoved = (day: string) => (checked !== undefined ? day > checked : day >= added);
  const moved: string[] = [];
  const seen = new Set<string>();
  let layer = targets;
  for (let depth = 0; depth < DEPTH_MAX && layer.length > 0; depth++) {
    const next: string[] = [];
    for (const target of layer) {
      if (seen.has(target)) continue;
      seen.add(target);
      if (!/^[a-z0-9]{4,12}$/.test(target)) {
        if (checked === undefined && fileGone(ctx, target)) moved.push(target);
        continue;
      }
      const ground = endedOn(ctx, target, today);
      if (ground.day !== null && hasMoved(ground.day)) moved.push(ground.text ?? "a line that is gone");
      else if (ground.meta) next.push(...dependsOf(ground.meta));
    }
    layer = next;
  }
  return moved;
}

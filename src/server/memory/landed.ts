// What an Outcome says about the lines of a write, read back from the projection: never what was meant, always what stands.
import { searchTokens } from "../../shared/words.ts";
import { NEAR_MAX_ENTRIES } from "../../shared/limits.ts";
import type { EntryView, Landed } from "../../shared/protocol.ts";
import type { Mark } from "./apply-edits.ts";
import type { MemoryContext } from "./context.ts";
import type { EntryDelta } from "./entry-diff.ts";
import { stateWhere } from "./clock-sql.ts";
import { currentById, ridOf, versionsAt, versionsOf, type Version } from "./rows.ts";
import { viewsOf } from "./view.ts";
import type { WriteScope } from "./writer.ts";

/** Lines that an Outcome lists: an import of thousands is told by its counts. */
const LANDED_MAX = 200;

/** The version under an id: the current one, or the last that stood. */
function lastVersion(ctx: MemoryContext, id: string): Version | null {
  const now = currentById(ctx.sql, id);
  if (now) return now;
  const rid = ridOf(ctx.sql, id);
  return rid === null ? null : (versionsOf(ctx.sql, rid).at(-1) ?? null);
}

function view(ctx: MemoryContext, id: string): EntryView | null {
  const version = lastVersion(ctx, id);
  return version ? viewsOf(ctx, [version])[0]! : null;
}

/** Marks of the edits first, then what else the write moved (a neighbour that a slot closed), each line once. */
export function landedViews(
  ctx: MemoryContext,
  _scope: WriteScope,
  marks: readonly Mark[],
  deltas: readonly EntryDelta[],
): Landed[] {
  const landed: Landed[] = [];
  const told = new Set<string>();
  for (const mark of marks.slice(0, LANDED_MAX)) {
    const entry = view(ctx, mark.id);
    if (!entry) continue;
    const replaced = mark.replaced === undefined ? null : view(ctx, mark.replaced);
    told.add(mark.id);
    if (mark.replaced) told.add(mark.replaced);
    landed.push({
      verb: mark.verb,
      entry,
      ...(mark.before === undefined ? {} : { before: mark.before }),
      ...(replaced ? { replaced } : {}),
    });
  }
  const rest: { verb: Landed["verb"]; version: Version; before?: string }[] = [];
  for (const { verb, before, after } of deltas) {
    if (landed.length + rest.length >= LANDED_MAX) break;
    const id = (after ?? before)!.id;
    if (id !== null && told.has(id)) continue;
    const version = id !== null ? lastVersion(ctx, id) : after ? namedVersion(ctx, after.path, after.name) : null;
    if (!version) continue;
    if (id !== null) told.add(id);
    const reworded = verb === "changed" && before && before.entry.text !== after?.entry.text ? { before: before.entry.text } : {};
    rest.push({ verb, version, ...reworded });
  }
  const views = viewsOf(
    ctx,
    rest.map((one) => one.version),
  );
  return [
    ...landed,
    ...rest.map(({ verb, before }, at): Landed => ({ verb, entry: views[at]!, ...(before === undefined ? {} : { before }) })),
  ];
}

function namedVersion(ctx: MemoryContext, path: string, name: number): Version | null {
  return [...versionsAt(ctx.sql, null, [{ sql: "name = ? AND path = ?", bindings: [name, path] }])][0] ?? null;
}

/** Entries of the same file that share words with what was added, most shared first: the model revises one of them instead of adding. */
export function nearViews(ctx: MemoryContext, scope: WriteScope, marks: readonly Mark[]): EntryView[] {
  const added = marks.filter((mark) => mark.verb === "added").slice(0, 10);
  const near = new Map<number, { version: Version; shared: number }>();
  const own = new Set(marks.flatMap((mark) => [mark.id, ...(mark.replaced ? [mark.replaced] : [])]));
  for (const { id } of added) {
    const version = currentById(ctx.sql, id);
    if (!version) continue;
    const words = new Set(searchTokens(version.text));
    const others = versionsAt(ctx.sql, null, [
      { sql: "path = ?", bindings: [version.path] },
      stateWhere(["open", "upcoming", "past"], scope.today),
    ]);
    for (const other of others) {
      if (other.id !== null && own.has(other.id)) continue;
      const shared = new Set(searchTokens(other.text).filter((word) => words.has(word))).size;
      if (shared > (near.get(other.rid)?.shared ?? 0)) near.set(other.rid, { version: other, shared });
    }
  }
  const best = [...near.values()].sort((a, b) => b.shared - a.shared || b.version.rid - a.version.rid).slice(0, NEAR_MAX_ENTRIES);
  return viewsOf(
    ctx,
    best.map((one) => one.version),
  );
}

// Makes the projection again from git, beside the one that is read, in slices; the last slice puts it in its place.
import { oidFromBytes, oidToBytes } from "../git/oid.ts";
import type { SqlValue } from "../git/sql.ts";
import { headOf, type MemoryContext } from "./context.ts";
import { holdBackAll } from "./hold-back.ts";
import { lineBetween, mainLine } from "./main-line.ts";
import { projectCommit, projectionHead } from "./project.ts";
import { createProjection, dropProjection, swapProjection } from "./schema.ts";

type Ctx = Pick<MemoryContext, "sql" | "store" | "transact" | "keyring" | "cache">;

const PREFIX = "next_";
/** Commits of one slice: at some 3 ms each a slice stays below half a second. */
export const REBUILD_SLICE_COMMITS = 100;
/** Commits that a start catches up with at once; a longer gap is a rebuild. */
const CATCH_UP_MAX_COMMITS = 200;

export interface RebuildState {
  rebuilding: boolean;
  done: number;
  of: number;
}

function fact(sql: Ctx["sql"], name: string): string | null {
  return sql.exec<{ value: string }>("SELECT value FROM facts WHERE name = ?", name).toArray()[0]?.value ?? null;
}

/** Whether a rebuild is under way, and how far. */
export function rebuildState(sql: Ctx["sql"]): RebuildState {
  const state = fact(sql, "rebuild");
  return state
    ? { rebuilding: true, ...(JSON.parse(state) as { done: number; of: number }) }
    : { rebuilding: false, done: 0, of: 0 };
}

function setState(sql: Ctx["sql"], state: { done: number; of: number } | null): void {
  if (state) sql.exec("INSERT OR REPLACE INTO facts (name, value) VALUES ('rebuild', ?)", JSON.stringify(state));
  else sql.exec("DELETE FROM facts WHERE name = 'rebuild'");
}

/** Begins a rebuild (one that runs starts anew). The work is done by `rebuildSlice`. */
export function startRebuild(ctx: Ctx): RebuildState {
  return ctx.transact(() => {
    dropProjection(ctx.sql, PREFIX);
    ctx.sql.exec("DROP TABLE IF EXISTS next_line");
    // Indexes keep their names when tables change theirs, so each generation has its own.
    const generation = Number(fact(ctx.sql, "generation") ?? "0") + 1;
    ctx.sql.exec("INSERT OR REPLACE INTO facts (name, value) VALUES ('generation', ?)", String(generation));
    createProjection(ctx.sql, PREFIX, `_${generation}`);
    ctx.sql.exec("CREATE TABLE next_line (seq INTEGER PRIMARY KEY, oid BLOB NOT NULL)");
    const line = mainLine(ctx.store);
    line.forEach((oid, at) => ctx.sql.exec("INSERT INTO next_line (seq, oid) VALUES (?, ?)", at + 1, oidToBytes(oid)));
    setState(ctx.sql, { done: 0, of: line.length });
    return { rebuilding: true, done: 0, of: line.length };
  });
}

/** Projects the next commits of a rebuild; true once it is done and in its place. Safe to repeat after a crash. */
export function rebuildSlice(ctx: Ctx, commits = REBUILD_SLICE_COMMITS): boolean {
  const state = rebuildState(ctx.sql);
  if (!state.rebuilding) return true;
  return ctx.transact(() => {
    const target = { ...ctx, cache: {} as MemoryContext["cache"], prefix: PREFIX };
    let at = projectionHead(target);
    const rows = ctx.sql
      .exec<{ oid: ArrayBuffer } & Record<string, SqlValue>>(
        "SELECT oid FROM next_line WHERE seq > ? ORDER BY seq LIMIT ?",
        at?.seq ?? 0,
        commits,
      )
      .toArray();
    let line = rows.map((row) => oidFromBytes(row.oid));
    const head = headOf(ctx);
    if (line.length === 0 && head !== null && at?.oid !== head) {
      // What was saved since the rebuild began. A head that does not follow (an erase) starts it again.
      const more = lineBetween(ctx.store, at?.oid ?? null, head);
      if (more === null) {
        startRebuild(ctx);
        return false;
      }
      line = more.slice(0, commits);
    }
    for (const oid of line) at = projectCommit(target, at, oid);
    if (at?.oid !== (head ?? undefined)) {
      setState(ctx.sql, { done: at?.seq ?? 0, of: Math.max(state.of, (at?.seq ?? 0) + 1) });
      return false;
    }
    holdBackAll(target);
    swapProjection(ctx.sql, PREFIX);
    ctx.sql.exec("DROP TABLE next_line");
    setState(ctx.sql, null);
    return true;
  });
}

/**
 * At a start: whether the projection stands for the head. A short gap is closed at once; anything else starts a rebuild.
 * Reads two rows where all is well.
 */
export function ensureProjected(ctx: Ctx): "current" | "caught-up" | "rebuilding" {
  if (rebuildState(ctx.sql).rebuilding) return "rebuilding";
  const head = headOf(ctx);
  const at = projectionHead(ctx);
  if ((at?.oid ?? null) === head) return "current";
  const line = head === null ? null : lineBetween(ctx.store, at?.oid ?? null, head);
  if (line && line.length <= CATCH_UP_MAX_COMMITS) {
    ctx.transact(() => {
      line.reduce((before: ReturnType<typeof projectionHead>, oid) => projectCommit(ctx, before, oid), at);
      // What the gap brought may have been forgotten since; a commit alone does not say so.
      holdBackAll(ctx);
    });
    return "caught-up";
  }
  startRebuild(ctx);
  return "rebuilding";
}

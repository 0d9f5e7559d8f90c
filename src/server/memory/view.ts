// An entry as every reading path shows it: its row, its line in the file, its state today, its chain, its uses.
import { metaValue, metaValues, type Meta } from "../../shared/entry.ts";
import { chainLine } from "../../shared/chain.ts";
import { stateOf } from "../../shared/clock.ts";
import type { EntryView } from "../../shared/protocol.ts";
import { todayOf, type MemoryContext } from "./context.ts";
import { parsedFile } from "./documents.ts";
import { nameKey } from "./entry-row.ts";
import { fileAt, type Version } from "./rows.ts";
import { neighbours } from "./timeline.ts";
import { movedGrounds } from "./to-check.ts";
import { usesOf } from "./usage.ts";

type Ctx = Pick<MemoryContext, "sql" | "store" | "now" | "zone" | "cache">;

/** What stands in the place of words that were forgotten. */
export const HELD_BACK = "(held back: you asked to forget this)";

/** Lines of versions in their files, found in the blobs: rows hold no line numbers, so that a save does not move them. */
export function linesOfVersions(ctx: Ctx, versions: readonly Version[], seq: number | null): Map<Version, number> {
  const lines = new Map<Version, number>();
  const byPath = new Map<string, Version[]>();
  for (const version of versions) {
    const list = byPath.get(version.path);
    if (list) list.push(version);
    else byPath.set(version.path, [version]);
  }
  for (const [path, list] of byPath) {
    const file = fileAt(ctx.sql, seq, path);
    if (!file) continue;
    const { entries } = parsedFile(ctx, file.blob).document;
    const ids = new Map(
      entries.flatMap((entry) => (metaValue(entry.meta, "id") ? [[metaValue(entry.meta, "id")!, entry.line] as const] : [])),
    );
    const names = new Map<string, number[]>();
    const key = (name: number, meta: string) => `${name} ${meta}`;
    for (const entry of entries) {
      if (metaValue(entry.meta, "id")) continue;
      const name = key(nameKey(entry.text), JSON.stringify(entry.meta));
      const known = names.get(name);
      if (known) known.push(entry.line);
      else names.set(name, [entry.line]);
    }
    for (const version of list)
      lines.set(version, (version.id === null ? names.get(key(version.name, version.meta))?.shift() : ids.get(version.id)) ?? 0);
  }
  return lines;
}

/** Whether anything can stand around an entry: most facts fill no slot and replace nothing. */
function hasNeighbours(version: Version, meta: Meta, replaced: ReadonlySet<string>): boolean {
  return version.slot !== null || metaValue(meta, "replaces") !== undefined || (version.id !== null && replaced.has(version.id));
}

/** Views of versions, in their order. `seq`: the point of system time that they are read at, null = now. */
export function viewsOf(
  ctx: Ctx,
  versions: readonly Version[],
  seq: number | null = null,
  lines = linesOfVersions(ctx, versions, seq),
): EntryView[] {
  const today = todayOf(ctx);
  const ids = versions.flatMap((version) => version.id ?? []);
  const replaced = new Set(
    ctx.sql
      .exec<{ target: string }>(
        "SELECT DISTINCT target FROM depends WHERE target IN (SELECT '>' || value FROM json_each(?))",
        JSON.stringify(ids),
      )
      .toArray()
      .map(({ target }) => target.slice(1)),
  );
  const uses = usesOf(ctx.sql, ids);
  return versions.map((version): EntryView => {
    const meta = JSON.parse(version.meta) as Meta;
    const value = (key: string) => metaValue(meta, key) ?? null;
    const text = version.held === 1 ? HELD_BACK : version.text;
    const moved = movedGrounds(ctx, version, meta, today);
    const used = version.id === null ? undefined : uses.get(version.id);
    return {
      id: version.id,
      path: version.path,
      line: lines.get(version) ?? 0,
      section: version.section,
      text,
      meta: meta.map(([key, one]): [string, string] => [key, one]),
      state: stateOf(meta, today),
      since: value("since"),
      until: value("until"),
      added: value("added"),
      closed: value("closed"),
      why: value("why"),
      on: value("on"),
      expires: value("expires"),
      slot: value("slot"),
      scope: value("scope"),
      sources: metaValues(meta, "source"),
      replaces: value("replaces"),
      pin: value("pin") === "yes",
      toCheck: moved.length > 0,
      uses: used?.uses ?? 0,
      lastUsed: used?.lastUsed ?? null,
      chain:
        version.held === 1
          ? text
          : chainLine(
              { text, meta },
              { ...(hasNeighbours(version, meta, replaced) ? neighbours(ctx, version, seq) : {}), outOfDate: moved },
              today,
            ),
    };
  });
}

// The link graph from the index: today, at a commit, or of what was true on a day.
import { buildGraph } from "../../shared/graph.ts";
import { findLinks } from "../../shared/links.ts";
import { isForgottenFile, isMarkdown } from "../../shared/paths.ts";
import { baseName } from "../../shared/document.ts";
import type { GraphView } from "../../shared/protocol.ts";
import type { GraphAsk } from "./api.ts";
import { pointOf } from "./at.ts";
import { asOfWhere } from "./clock-sql.ts";
import type { MemoryContext } from "./context.ts";
import { filesAt, type FileVersion, type Where } from "./rows.ts";
import { DATED_SQL } from "./schema.ts";

/** How many entries of each file were true on a day: all of them but the dated ones that were not. At a commit the rows are counted one by one. */
function trueCounts(
  sql: MemoryContext["sql"],
  seq: number | null,
  files: readonly FileVersion[],
  day: Where,
): { path: string; count: number }[] {
  if (seq === null) {
    const untrue = new Map(
      sql
        .exec<{ path: string; n: number }>(
          `SELECT path, count(*) AS n FROM entries WHERE (${DATED_SQL}) AND NOT (${day.sql}) GROUP BY path`,
          ...day.bindings,
        )
        .toArray()
        .map(({ path, n }) => [path, n]),
    );
    return files.map(({ path, entries }) => ({ path, count: entries - (untrue.get(path) ?? 0) }));
  }
  const bindings = [...day.bindings, seq];
  return sql
    .exec<{ path: string; count: number }>(
      `SELECT path, count(*) AS count FROM (SELECT path FROM entries WHERE (${day.sql}) AND first <= ? UNION ALL SELECT path FROM entry_past WHERE (${day.sql}) AND first <= ? AND ended > ?) GROUP BY path`,
      ...bindings,
      ...bindings,
      seq,
    )
    .toArray();
}

/** The links of each file on a day: those of its lines that were true then, and those that stand in its other text. */
function linksOn(
  sql: MemoryContext["sql"],
  seq: number | null,
  files: readonly FileVersion[],
  day: Where,
): Map<string, [string, boolean][]> {
  const lines = new Map<string, { text: string; then: boolean }[]>();
  for (const { path, text, true_then } of linkedLines(sql, seq, day)) {
    const list = lines.get(path) ?? [];
    list.push({ text, then: true_then === 1 });
    lines.set(path, list);
  }
  return new Map(
    files.map((file): [string, [string, boolean][]] => {
      const own = lines.get(file.path);
      if (!own) return [file.path, file.links];
      const linksIn = (some: readonly { text: string }[]) =>
        new Set(some.flatMap(({ text }) => findLinks(text).map((link) => link.path)));
      const inLines = linksIn(own);
      const then = linksIn(own.filter((line) => line.then));
      return [
        file.path,
        [...[...then].map((link): [string, boolean] => [link, false]), ...file.links.filter(([link]) => !inLines.has(link))],
      ];
    }),
  );
}

/** Lines with links, of files where one of them was not true on every day. At a commit of all files. */
function linkedLines(
  sql: MemoryContext["sql"],
  seq: number | null,
  day: Where,
): { path: string; text: string; true_then: number }[] {
  type Line = { path: string; text: string; true_then: number };
  const columns = `SELECT path, text, (${day.sql}) AS true_then FROM`;
  if (seq === null) {
    const dated = sql
      .exec<{ path: string }>(`SELECT DISTINCT path FROM entries WHERE linked = 1 AND (${DATED_SQL})`)
      .toArray()
      .map(({ path }) => path);
    return sql
      .exec<Line>(
        `${columns} entries WHERE linked = 1 AND held = 0 AND path IN (SELECT value FROM json_each(?))`,
        ...day.bindings,
        JSON.stringify(dated),
      )
      .toArray();
  }
  return sql
    .exec<Line>(
      `${columns} entries WHERE linked = 1 AND held = 0 AND first <= ? UNION ALL ${columns} entry_past WHERE linked = 1 AND held = 0 AND first <= ? AND ended > ?`,
      ...day.bindings,
      seq,
      ...day.bindings,
      seq,
      seq,
    )
    .toArray();
}

/** Nodes, links and broken links. With `asOf`, counts and links are those of the entries that were true on that day. */
export function graph(ctx: Pick<MemoryContext, "sql" | "store" | "zone">, ask: GraphAsk): GraphView {
  const { seq, commit } = pointOf(ctx, ask);
  if (commit === null) return { nodes: [], links: [], broken: [] };
  const files = filesAt(ctx.sql, seq).filter((file) => isMarkdown(file.path) && !isForgottenFile(file.path));
  const day = ask.asOf === undefined ? null : asOfWhere(ask.asOf);
  const entries = new Map<string, number>();
  const linksOf = new Map<string, [string, boolean][]>();
  if (day === null) {
    for (const file of files) {
      entries.set(file.path, file.entries);
      linksOf.set(file.path, file.links);
    }
  } else {
    for (const { path, count } of trueCounts(ctx.sql, seq, files, day)) entries.set(path, count);
    for (const [path, links] of linksOn(ctx.sql, seq, files, day)) linksOf.set(path, links);
  }
  return buildGraph(
    files.map(({ path, title }) => ({
      path,
      title: title ?? baseName(path),
      entries: entries.get(path) ?? 0,
      links: (linksOf.get(path) ?? []).map(([link, closed]) => ({ link, closed })),
    })),
  );
}

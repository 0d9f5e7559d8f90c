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
import { filesAt, versionsAt } from "./rows.ts";

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
    for (const version of versionsAt(ctx.sql, seq, [day])) {
      entries.set(version.path, (entries.get(version.path) ?? 0) + 1);
      if (version.linked === 0 || version.held === 1) continue;
      const list = linksOf.get(version.path) ?? [];
      for (const { path } of findLinks(version.text)) list.push([path, false]);
      linksOf.set(version.path, list);
    }
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

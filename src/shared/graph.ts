// The graph of a memory: files as nodes, links between them, and links that lead nowhere. One builder for every screen.

import { baseName, type Document } from "./document.ts";
import { findLinks, linkIndex } from "./links.ts";
import { stateOf } from "./clock.ts";

/** A link as it stands in a file. */
export interface FileLink {
  /** Its path, as written. */
  link: string;
  /** It stands in an entry that is closed. */
  closed: boolean;
}

/** What the graph has to know of a file. */
export interface GraphFile {
  path: string;
  title: string;
  entries: number;
  links: readonly FileLink[];
}

export interface GraphNode {
  path: string;
  title: string;
  /** Without a slash at the end; "" for the root. */
  folder: string;
  /** Files that it links to or that link to it. */
  links: number;
  entries: number;
}

export interface Graph {
  nodes: GraphNode[];
  /** One for each pair; closed when it stands in closed entries only. */
  links: { from: string; to: string; closed: boolean }[];
  /** One for each file and link text. */
  broken: { from: string; link: string }[];
}

/** Reads what the graph needs from a document. Links in code and front matter are none. */
export function graphFile(path: string, document: Document, today: string): GraphFile {
  const closedLines = new Set(
    document.entries.filter((entry) => stateOf(entry.meta, today) === "closed").map((entry) => entry.line),
  );
  const links = document.lines.flatMap((line, at): FileLink[] => {
    if (line.kind === "fence" || line.kind === "front") return [];
    const closed = closedLines.has(line.owner ?? at + 1);
    return findLinks(line.text).map((link) => ({ link: link.path, closed }));
  });
  return { path, title: document.title ?? baseName(path), entries: document.entries.length, links };
}

/** Builds the graph. Nodes, links and broken links come in the order of their paths. */
export function buildGraph(files: Iterable<GraphFile>): Graph {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const index = linkIndex(sorted.map((file) => file.path));
  const links: Graph["links"] = [];
  const broken: Graph["broken"] = [];
  /** What each file links to: a pair that links both ways makes one neighbour. */
  const out = new Map<string, Map<string, Graph["links"][number]>>();
  const neighbours = new Map<string, number>();
  const meet = (path: string) => neighbours.set(path, (neighbours.get(path) ?? 0) + 1);
  for (const file of sorted) {
    if (file.links.length === 0) continue;
    const from = file.path;
    const own = new Map<string, Graph["links"][number]>();
    const lost = new Set<string>();
    out.set(from, own);
    for (const { link, closed } of file.links) {
      const to = index.resolve(link);
      if (to === from) continue;
      if (to === null) {
        if (!lost.has(link)) broken.push({ from, link });
        lost.add(link);
        continue;
      }
      const known = own.get(to);
      if (known) {
        known.closed &&= closed;
        continue;
      }
      const made = { from, to, closed };
      own.set(to, made);
      links.push(made);
      if (out.get(to)?.has(from)) continue;
      meet(from);
      meet(to);
    }
  }
  const nodes = sorted.map(({ path, title, entries }) => ({
    path,
    title,
    folder: path.slice(0, Math.max(0, path.lastIndexOf("/"))),
    links: neighbours.get(path) ?? 0,
    entries,
  }));
  return { nodes, links, broken };
}

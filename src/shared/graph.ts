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
  const links = new Map<string, { from: string; to: string; closed: boolean }>();
  const broken = new Map<string, { from: string; link: string }>();
  const neighbours = new Map<string, Set<string>>(sorted.map((file) => [file.path, new Set()]));
  for (const file of sorted) {
    for (const { link, closed } of file.links) {
      const to = index.resolve(link);
      const key = `${file.path}\u0000${to ?? link}`;
      if (to === null) {
        broken.set(key, { from: file.path, link });
        continue;
      }
      if (to === file.path) continue;
      const known = links.get(key);
      links.set(key, { from: file.path, to, closed: closed && (known?.closed ?? true) });
      neighbours.get(file.path)?.add(to);
      neighbours.get(to)?.add(file.path);
    }
  }
  const nodes = sorted.map(({ path, title, entries }) => ({
    path,
    title,
    folder: path.slice(0, Math.max(0, path.lastIndexOf("/"))),
    links: neighbours.get(path)?.size ?? 0,
    entries,
  }));
  return { nodes, links: [...links.values()], broken: [...broken.values()] };
}

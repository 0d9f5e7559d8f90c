// The graph's builder.

import { expect, test } from "vitest";
import { parseDocument } from "./document.ts";
import { buildGraph, graphFile } from "./graph.ts";

const files = (all: Record<string, string>) =>
  Object.entries(all).map(([path, text]) => graphFile(path, parseDocument(text), "2026-10-08"));

test("files are nodes, links join them, and what leads nowhere is named", () => {
  const graph = buildGraph(
    files({
      "people/priya.md":
        "# Priya\n\n- Works with [[omar]] [depends: [[people/omar]]]\n- See [[nobody]]\n```\n[[MEMORY]]\n```\n\n## History\n\n- Lived with [[pets/rex|Rex]] [closed: 2026-01-01; until: 2026-01]\n",
      "people/omar.md": "- Knows [[people/priya#Work]] and [[people/omar]]\n",
      "pets/rex.md": "",
      "MEMORY.md": "# Memory\n",
    }),
  );
  expect(graph.nodes).toEqual([
    { path: "MEMORY.md", title: "Memory", folder: "", links: 0, entries: 0 },
    { path: "people/omar.md", title: "omar", folder: "people", links: 1, entries: 1 },
    { path: "people/priya.md", title: "Priya", folder: "people", links: 2, entries: 3 },
    { path: "pets/rex.md", title: "rex", folder: "pets", links: 1, entries: 0 },
  ]);
  expect(graph.links).toEqual([
    { from: "people/omar.md", to: "people/priya.md", closed: false },
    { from: "people/priya.md", to: "people/omar.md", closed: false },
    { from: "people/priya.md", to: "pets/rex.md", closed: true },
  ]);
  expect(graph.broken).toEqual([{ from: "people/priya.md", link: "nobody" }]);
});

test("ten thousand files with links between them build in one pass", () => {
  const all = Array.from({ length: 10_000 }, (_, n) => ({
    path: `area-${n % 100}/topic-${n}.md`,
    title: `Topic ${n}`,
    entries: 20,
    links: [{ link: `topic-${(n * 7) % 10_000}`, closed: false }],
  }));
  const from = performance.now();
  const graph = buildGraph(all);
  console.log(`graph of 10,000 files: ${Math.round(performance.now() - from)} ms`);
  expect(graph.links.length + 1).toBeGreaterThan(9_990);
});

import { describe, expect, test } from "vitest";
import type { GraphView } from "../../shared/protocol.ts";
import { layout } from "./layout.ts";
import { modelOf, stepsFrom, visibleOf } from "./model.ts";

const node = (path: string, folder: string) => ({ path, title: path, folder, entries: 1, links: 0 });
const view: GraphView = {
  nodes: [node("people/ana.md", "people"), node("places/porto.md", "places"), node("MEMORY.md", ""), node("music.md", "")],
  links: [
    { from: "people/ana.md", to: "places/porto.md", closed: false },
    { from: "places/porto.md", to: "people/ana.md", closed: false },
    { from: "MEMORY.md", to: "people/ana.md", closed: true },
  ],
  broken: [{ from: "people/ana.md", link: "people/joão" }],
};
const model = modelOf(view);
const names = (shown: boolean[]) => model.dots.filter((_, at) => shown[at]).map((dot) => dot.label);

describe("the graph's model", () => {
  test("two links between two files are one edge, a missing page is a dot of its own", () => {
    expect(model.edges).toHaveLength(3);
    expect(model.dots.map((dot) => [dot.label, dot.links, dot.ghost])).toEqual([
      ["MEMORY", 1, false],
      ["music", 0, false],
      ["ana", 3, false],
      ["porto", 1, false],
      ["joão", 1, true],
    ]);
  });

  test("filters: orphans, broken, folders, and steps from the focus", () => {
    const all = { show: "all", hidden: new Set<string>(), focus: null, depth: null } as const;
    expect(names(visibleOf(model, { ...all, show: "orphans" }))).toEqual(["music"]);
    expect(names(visibleOf(model, { ...all, show: "broken" }))).toEqual(["ana", "joão"]);
    expect(names(visibleOf(model, { ...all, hidden: new Set(["people"]) }))).toEqual(["MEMORY", "music", "porto"]);
    expect(stepsFrom(model, 3)).toEqual([2, Infinity, 1, 0, 2]);
    expect(names(visibleOf(model, { ...all, focus: 3, depth: 1 }))).toEqual(["ana", "porto"]);
  });

  test("the layout is the same every time, finite, and keeps dots apart", () => {
    const ask = {
      links: model.dots.map((dot) => dot.links),
      edges: model.edges.map((edge): [number, number] => [edge.from, edge.to]),
    };
    const places = layout(ask);
    expect(layout(ask)).toEqual(places);
    expect([...places].every(Number.isFinite)).toBe(true);
    for (let a = 0; a < model.dots.length; a += 1) {
      for (let b = a + 1; b < model.dots.length; b += 1) {
        expect(
          Math.hypot((places[a * 2] ?? 0) - (places[b * 2] ?? 0), (places[a * 2 + 1] ?? 0) - (places[b * 2 + 1] ?? 0)),
        ).toBeGreaterThan(24);
      }
    }
  });
});

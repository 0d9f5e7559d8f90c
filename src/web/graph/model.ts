// The graph as it is drawn: files, missing pages, links; who is a neighbour of whom; what a filter leaves. Pure.
import type { GraphView } from "../../shared/protocol.ts";
import { leafName } from "../lib/paths.ts";

export interface Dot {
  id: string;
  label: string;
  folder: string;
  /** A page that a link names and that does not exist. */
  ghost: boolean;
  links: number;
  entries: number;
}

export interface Edge {
  from: number;
  to: number;
  closed: boolean;
}

export interface Model {
  dots: Dot[];
  edges: Edge[];
  near: number[][];
}

/** Ids of missing pages begin with this; no path can. */
export const GHOST = "?";

/** Builds the model; dots in the order of their ids, so that the same graph is always the same model. */
export function modelOf(view: GraphView): Model {
  const dots: Dot[] = view.nodes
    .map((node): Dot => ({
      id: node.path,
      label: leafName(node.path),
      folder: node.folder.replace(/\/$/, "").split("/")[0] ?? "",
      ghost: false,
      links: 0,
      entries: node.entries,
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const ghosts = [...new Set(view.broken.map((one) => one.link.normalize("NFC")))].sort();
  for (const link of ghosts)
    dots.push({ id: GHOST + link, label: leafName(link), folder: "", ghost: true, links: 0, entries: 0 });
  const place = new Map(dots.map((dot, at) => [dot.id, at]));
  const edges: Edge[] = [];
  const near: number[][] = dots.map(() => []);
  const seen = new Set<string>();
  const join = (a: string, b: string, closed: boolean) => {
    const from = place.get(a);
    const to = place.get(b);
    if (from === undefined || to === undefined || from === to) return;
    const key = from < to ? `${from} ${to}` : `${to} ${from}`;
    if (seen.has(key)) return;
    seen.add(key);
    edges.push({ from, to, closed });
    near[from]?.push(to);
    near[to]?.push(from);
  };
  for (const link of view.links) join(link.from, link.to, link.closed);
  for (const one of view.broken) join(one.from, GHOST + one.link.normalize("NFC"), false);
  dots.forEach((dot, at) => {
    dot.links = near[at]?.length ?? 0;
  });
  return { dots, edges, near };
}

/** Steps from one dot to all others; Infinity where no way leads. */
export function stepsFrom(model: Model, start: number): number[] {
  const steps = model.dots.map(() => Number.POSITIVE_INFINITY);
  steps[start] = 0;
  let ring = [start];
  while (ring.length > 0) {
    const next: number[] = [];
    for (const at of ring) {
      for (const to of model.near[at] ?? []) {
        if (steps[to] === Number.POSITIVE_INFINITY) {
          steps[to] = (steps[at] ?? 0) + 1;
          next.push(to);
        }
      }
    }
    ring = next;
  }
  return steps;
}

export type Show = "all" | "orphans" | "broken";

/** Which dots stand there: by what is asked for, by folder, and within so many steps of the focus. */
export function visibleOf(
  model: Model,
  { show, hidden, focus, depth }: { show: Show; hidden: ReadonlySet<string>; focus: number | null; depth: number | null },
): boolean[] {
  const steps = focus !== null && depth !== null ? stepsFrom(model, focus) : null;
  return model.dots.map((dot, at) => {
    if (at === focus) return true;
    if (!dot.ghost && hidden.has(dot.folder)) return false;
    if (show === "orphans" && (dot.ghost || dot.links > 0)) return false;
    if (show === "broken" && !dot.ghost && !(model.near[at] ?? []).some((to) => model.dots[to]?.ghost)) return false;
    if (dot.ghost && !(model.near[at] ?? []).some((to) => !hidden.has(model.dots[to]?.folder ?? ""))) return false;
    return steps === null || (steps[at] ?? Number.POSITIVE_INFINITY) <= (depth ?? 0);
  });
}

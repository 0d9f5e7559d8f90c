// Where each dot stands: a force layout that is run to its rest, with fixed beginnings and no chance, so that a graph looks the same every time.
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationNodeDatum } from "d3-force";

export interface LayoutAsk {
  /** Links per dot, in the order of the dots. */
  links: number[];
  edges: [number, number][];
}

interface Body extends SimulationNodeDatum {
  index: number;
  links: number;
}

/** Ticks of a small graph; a large one gets fewer, as it only needs to be readable from afar. */
const TICKS = 320;
const TICKS_MIN = 80;
/** Bodies from which on far ones push as groups that are coarser: nobody sees the difference, and it takes half the time. */
const LARGE = 400;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** Positions as x0, y0, x1, y1, … around the middle. */
export function layout({ links, edges }: LayoutAsk): Float32Array {
  // Beginnings on a spiral, the most linked in the middle: a good start, and the same one every time.
  const order = links.map((count, index) => ({ count, index })).sort((a, b) => b.count - a.count || a.index - b.index);
  const bodies: Body[] = links.map((count, index) => ({ index, links: count }));
  order.forEach(({ index }, rank) => {
    const body = bodies[index];
    if (!body) return;
    const radius = 18 * Math.sqrt(rank + 0.5);
    body.x = radius * Math.cos(rank * GOLDEN);
    body.y = radius * Math.sin(rank * GOLDEN);
  });
  const simulation = forceSimulation(bodies)
    .force(
      "link",
      forceLink<Body, { source: number; target: number }>(edges.map(([source, target]) => ({ source, target })))
        .distance(86)
        .strength(
          (link) => 1 / Math.min((link.source as unknown as Body).links || 1, (link.target as unknown as Body).links || 1),
        ),
    )
    .force(
      "charge",
      forceManyBody<Body>()
        .strength(-300)
        .distanceMax(620)
        .theta(bodies.length > LARGE ? 1.3 : 0.9),
    )
    .force(
      "collide",
      forceCollide<Body>((body) => 16 + Math.sqrt(body.links) * 3),
    )
    .force("x", forceX<Body>(0).strength(0.045))
    .force("y", forceY<Body>(0).strength(0.06))
    .stop();
  const ticks = Math.max(TICKS_MIN, Math.round(TICKS * Math.min(1, 400 / Math.max(1, bodies.length))));
  simulation.alphaDecay(1 - 0.001 ** (1 / ticks));
  simulation.tick(ticks);
  const places = new Float32Array(bodies.length * 2);
  bodies.forEach((body, at) => {
    places[at * 2] = body.x ?? 0;
    places[at * 2 + 1] = body.y ?? 0;
  });
  return places;
}

// Paints the graph on a canvas: lines, dots, labels that choose their side and make room. Knows nothing of React or of the memory.
import type { Model } from "./model.ts";

export interface Colours {
  paper: string;
  ink: string;
  ink2: string;
  ink3: string;
  ink4: string;
  rule: string;
  dawn: string;
  hues: Record<string, string>;
  font: string;
}

export interface View {
  /** Pixels of the page. */
  width: number;
  height: number;
  /** Where the middle stands, and how large all is. */
  x: number;
  y: number;
  k: number;
}

export interface Scene {
  model: Model;
  places: Float32Array;
  visible: boolean[];
  focus: number | null;
  hover: number | null;
}

/** Zoom below which labels begin to go, the least linked first. */
const LABELS_FADE_AT = 0.8;
/** Labels drawn at once: more cannot be read, and cost frames. */
const LABELS_MAX = 140;
const FOLDER_HUES = ["people", "places", "plans", "work", "health", "likes"];
const HUE_OF: Record<string, string> = {
  people: "people",
  places: "places",
  plans: "plans",
  projects: "work",
  work: "work",
  health: "health",
  preferences: "likes",
  likes: "likes",
};

/** The hue of a folder: its own where the language names one, else one of the six by its letters. */
export function hueOf(folder: string): string | null {
  if (folder === "") return null;
  const known = HUE_OF[folder.toLowerCase()];
  if (known) return known;
  let sum = 0;
  for (const letter of folder) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return FOLDER_HUES[sum % FOLDER_HUES.length] ?? null;
}

/** Radius of a dot in pixels at full size: 2 to 6, by its links. */
export function radiusOf(links: number): number {
  return Math.min(6, 2.2 + Math.sqrt(links) * 1.1);
}

/** Where a view must stand so that all that is visible fits. */
export function fit(scene: Scene, width: number, height: number): View {
  let left = Infinity,
    right = -Infinity,
    top = Infinity,
    bottom = -Infinity;
  scene.model.dots.forEach((_, at) => {
    if (!scene.visible[at]) return;
    const x = scene.places[at * 2] ?? 0;
    const y = scene.places[at * 2 + 1] ?? 0;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  });
  if (left === Infinity) return { width, height, x: width / 2, y: height / 2, k: 1 };
  const room = Math.min(width, 640) * 0.14;
  const k = Math.min(
    1.35,
    Math.max(0.08, Math.min((width - room * 2) / Math.max(1, right - left), (height - 88) / Math.max(1, bottom - top))),
  );
  return { width, height, k, x: width / 2 - ((left + right) / 2) * k, y: height / 2 - ((top + bottom) / 2) * k };
}

export function paint(context: CanvasRenderingContext2D, scene: Scene, view: View, colours: Colours, ratio: number): void {
  const { model, places, visible, focus } = scene;
  const { k } = view;
  const lit = scene.hover ?? focus;
  const near = new Set(lit === null ? [] : model.near[lit]);
  const sx = (at: number) => (places[at * 2] ?? 0) * k + view.x;
  const sy = (at: number) => (places[at * 2 + 1] ?? 0) * k + view.y;
  const inside = (x: number, y: number) => x > -60 && x < view.width + 60 && y > -30 && y < view.height + 30;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, view.width, view.height);

  // Lines: two strokes for the quiet ones, two for the lit ones, however many there are.
  for (const bright of [false, true]) {
    for (const closed of [false, true]) {
      context.beginPath();
      for (const edge of model.edges) {
        if (edge.closed !== closed || !visible[edge.from] || !visible[edge.to]) continue;
        if ((lit !== null && (edge.from === lit || edge.to === lit)) !== bright) continue;
        context.moveTo(sx(edge.from), sy(edge.from));
        context.lineTo(sx(edge.to), sy(edge.to));
      }
      context.setLineDash(closed ? [2, 3] : []);
      context.lineWidth = bright ? 1 : 0.75;
      context.strokeStyle = bright ? colours.ink3 : colours.rule;
      context.stroke();
    }
  }
  context.setLineDash([]);

  const scale = Math.min(1.3, Math.max(0.55, Math.sqrt(k)));
  model.dots.forEach((dot, at) => {
    if (!visible[at]) return;
    const x = sx(at);
    const y = sy(at);
    if (!inside(x, y)) return;
    const radius = radiusOf(dot.links) * scale;
    context.globalAlpha = lit === null || at === lit || near.has(at) ? 1 : 0.7;
    context.beginPath();
    context.arc(x, y, radius, 0, Math.PI * 2);
    if (dot.ghost) {
      context.fillStyle = colours.paper;
      context.fill();
      context.setLineDash([2, 2]);
      context.lineWidth = 1;
      context.strokeStyle = colours.ink4;
      context.stroke();
      context.setLineDash([]);
    } else {
      context.fillStyle = colours.hues[hueOf(dot.folder) ?? ""] ?? colours.ink;
      context.fill();
    }
    if (at === focus) {
      context.beginPath();
      context.arc(x, y, radius + 5, 0, Math.PI * 2);
      context.lineWidth = 1.5;
      context.strokeStyle = colours.dawn;
      context.stroke();
    }
  });
  context.globalAlpha = 1;
  paintLabels(context, scene, view, colours, { lit, near, sx, sy, inside, scale });
}

interface LabelAsk {
  lit: number | null;
  near: Set<number>;
  sx: (at: number) => number;
  sy: (at: number) => number;
  inside: (x: number, y: number) => boolean;
  scale: number;
}

function paintLabels(
  context: CanvasRenderingContext2D,
  scene: Scene,
  view: View,
  colours: Colours,
  { lit, near, sx, sy, inside, scale }: LabelAsk,
): void {
  const { model, visible } = scene;
  const weight = (at: number) => (at === lit ? 1e6 : near.has(at) ? 1e3 : 0) + (model.dots[at]?.links ?? 0);
  const order = model.dots
    .map((_, at) => at)
    .filter((at) => visible[at] && inside(sx(at), sy(at)))
    .sort((a, b) => weight(b) - weight(a) || a - b);
  const share = view.k >= LABELS_FADE_AT ? 1 : (view.k / LABELS_FADE_AT) ** 2;
  const most = Math.min(LABELS_MAX, Math.max(6, Math.round(order.length * share)));
  const taken: [number, number, number, number][] = [];
  const free = (box: [number, number, number, number]) =>
    taken.every((one) => box[2] < one[0] || box[0] > one[2] || box[3] < one[1] || box[1] > one[3]);
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.strokeStyle = colours.paper;
  context.lineWidth = 4;
  let drawn = 0;
  for (const at of order) {
    const dot = model.dots[at];
    if (!dot || drawn >= most) break;
    const chief = at === lit;
    const close = near.has(at);
    const size = chief ? 20 : lit === null || close ? 15 : 13;
    context.font = `400 ${size}px ${colours.font}`;
    const width = context.measureText(dot.label).width;
    const gap = radiusOf(dot.links) * scale + (at === scene.focus ? 11 : 6);
    // The side with fewer lines is the better one: away from where the neighbours stand.
    const pull = (model.near[at] ?? []).reduce((sum, to) => sum + (visible[to] ? Math.sign(sx(to) - sx(at)) : 0), 0);
    const x = sx(at);
    const y = sy(at);
    const boxAt = (left: boolean): [number, number, number, number] =>
      left ? [x - gap - width, y - size / 2, x - gap, y + size / 2] : [x + gap, y - size / 2, x + gap + width, y + size / 2];
    const beyond = (box: [number, number, number, number]) => box[0] < 4 || box[2] > view.width - 4;
    const first = beyond(boxAt(pull > 0)) && !beyond(boxAt(pull <= 0)) ? pull <= 0 : pull > 0;
    let left = first;
    let box = boxAt(left);
    if (!free(box)) {
      left = !first;
      box = boxAt(left);
      if (!free(box) || beyond(box)) {
        if (!chief) continue;
        left = first;
        box = boxAt(left);
      }
    }
    taken.push(box);
    drawn += 1;
    context.globalAlpha = lit === null || chief || close ? 1 : 0.75;
    context.textAlign = left ? "right" : "left";
    const place = left ? x - gap : x + gap;
    context.strokeText(dot.label, place, y + 1);
    context.fillStyle = chief || close ? colours.ink : lit === null ? colours.ink2 : colours.ink3;
    context.fillText(dot.label, place, y + 1);
  }
  context.globalAlpha = 1;
}

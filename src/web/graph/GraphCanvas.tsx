// The canvas of the graph: laid out in a worker, panned and zoomed by hand, a dot lit when it is looked at.
import { useEffect, useMemo, useRef, useState } from "react";
import { quadtree } from "d3-quadtree";
import { select } from "d3-selection";
import { zoom, zoomIdentity, type ZoomTransform } from "d3-zoom";
import { Loading } from "../ui/Loading.tsx";
import type { Model } from "./model.ts";
import { fit, paint, type Colours, type Scene, type View } from "./painter.ts";

/** Pixels around a dot within which the pointer is on it. */
const REACH_PX = 18;

interface Props {
  model: Model;
  visible: boolean[];
  focus: number | null;
  hover: number | null;
  setHover: (at: number | null) => void;
  choose: (at: number) => void;
  label: string;
}

function readColours(box: HTMLElement): Colours {
  const probe = document.createElement("span");
  probe.style.display = "none";
  box.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const colours: Colours = {
    paper: read("paper"),
    ink: read("ink"),
    ink2: read("ink-2"),
    ink3: read("ink-3"),
    ink4: read("ink-4"),
    rule: read("rule-2"),
    dawn: read("dawn"),
    hues: Object.fromEntries(["people", "places", "plans", "work", "health", "likes"].map((hue) => [hue, read(`hue-${hue}`)])),
    font: getComputedStyle(document.documentElement).getPropertyValue("--font-read") || "serif",
  };
  probe.remove();
  return colours;
}

/** Layouts of this visit, by the graph that they are of: whoever comes back finds it as it was, at once. */
const laidOut = new Map<string, Float32Array>();
const LAID_OUT_MAX = 6;

function askOf(model: Model): { links: number[]; edges: [number, number][] } {
  return { links: model.dots.map((dot) => dot.links), edges: model.edges.map((edge): [number, number] => [edge.from, edge.to]) };
}

/** Lays the model out beside the page; null until it is settled. */
function useLayout(model: Model): Float32Array | null {
  const key = useMemo(() => JSON.stringify(askOf(model)), [model]);
  const [, settle] = useState(0);
  useEffect(() => {
    if (laidOut.has(key)) return;
    const worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", (event: MessageEvent<{ places: Float32Array }>) => {
      if (laidOut.size >= LAID_OUT_MAX) laidOut.delete(laidOut.keys().next().value ?? "");
      laidOut.set(key, event.data.places);
      worker.terminate();
      settle((old) => old + 1);
    });
    worker.postMessage({ id: 0, ask: askOf(model) });
    return () => worker.terminate();
  }, [key, model]);
  return laidOut.get(key) ?? null;
}

export function GraphCanvas({ model, visible, focus, hover, setHover, choose, label }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const places = useLayout(model);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [skin, setSkin] = useState(0);
  const scene = useMemo(
    (): Scene | null => (places ? { model, places, visible, focus, hover: null } : null),
    [model, places, visible, focus],
  );
  const latest = useRef<{
    scene: Scene | null;
    base: View | null;
    moved: ZoomTransform;
    choose: (at: number) => void;
    hover: (at: number | null) => void;
    draw: () => void;
  }>({
    scene: null,
    base: null,
    moved: zoomIdentity,
    choose,
    hover: setHover,
    draw: () => {},
  });
  // What is lit changes with every move of the hand: it redraws, and builds nothing anew.
  const lit = useRef<number | null>(null);
  useEffect(() => {
    lit.current = hover;
    latest.current.draw();
  }, [hover]);
  latest.current.choose = choose;
  latest.current.hover = setHover;
  latest.current.scene = scene;

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const fresh = () => setSkin((old) => old + 1);
    const media = matchMedia("(prefers-color-scheme: dark)");
    media.addEventListener("change", fresh);
    window.addEventListener("reverie:theme", fresh);
    const observer = new MutationObserver(fresh);
    observer.observe(document.body, { attributes: true, attributeFilter: ["data-when"] });
    document.fonts?.ready.then(fresh, () => {});
    return () => {
      media.removeEventListener("change", fresh);
      window.removeEventListener("reverie:theme", fresh);
      observer.disconnect();
    };
  }, []);

  // The view is fitted when the graph or the window is another one, not each time something is lit or filtered.
  useEffect(() => {
    if (!scene || !size || !canvas.current) return;
    latest.current.base = fit({ ...scene, visible: scene.model.dots.map(() => true) }, size.width, size.height);
    latest.current.moved = zoomIdentity;
    const surface = select(canvas.current);
    const behaviour = zoom<HTMLCanvasElement, unknown>()
      .scaleExtent([0.2, 8])
      .on("zoom", (event: { transform: ZoomTransform }) => {
        latest.current.moved = event.transform;
        requestAnimationFrame(() => latest.current.draw());
      });
    surface.call(behaviour).on("dblclick.zoom", null);
    surface.call(behaviour.transform, zoomIdentity);
    return () => {
      surface.on(".zoom", null);
    };
    // Only the model and its places matter here.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- of the scene only what makes another graph
  }, [model, places, size]);

  useEffect(() => {
    const element = canvas.current;
    const frame = box.current;
    if (!element || !frame || !scene || !size) return;
    const context = element.getContext("2d");
    if (!context) return;
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    if (element.width !== Math.round(size.width * ratio)) element.width = Math.round(size.width * ratio);
    if (element.height !== Math.round(size.height * ratio)) element.height = Math.round(size.height * ratio);
    const colours = readColours(frame);
    const viewNow = (): View => {
      const base = latest.current.base ?? fit(scene, size.width, size.height);
      const { x, y, k } = latest.current.moved;
      return { ...base, width: size.width, height: size.height, x: base.x * k + x, y: base.y * k + y, k: base.k * k };
    };
    latest.current.draw = () =>
      latest.current.scene && paint(context, { ...latest.current.scene, hover: lit.current }, viewNow(), colours, ratio);
    latest.current.draw();
    const index = quadtree<number>()
      .x((at) => scene.places[at * 2] ?? 0)
      .y((at) => scene.places[at * 2 + 1] ?? 0)
      .addAll(scene.model.dots.map((_, at) => at).filter((at) => scene.visible[at]));
    const find = (event: PointerEvent | MouseEvent): number | null => {
      const view = viewNow();
      const rect = element.getBoundingClientRect();
      return (
        index.find(
          (event.clientX - rect.left - view.x) / view.k,
          (event.clientY - rect.top - view.y) / view.k,
          REACH_PX / view.k,
        ) ?? null
      );
    };
    const look = (event: PointerEvent) => {
      const at = find(event);
      element.style.cursor = at === null ? "grab" : "pointer";
      latest.current.hover(at);
    };
    const leave = () => latest.current.hover(null);
    const press = (event: MouseEvent) => {
      const at = find(event);
      if (at !== null) latest.current.choose(at);
    };
    element.addEventListener("pointermove", look);
    element.addEventListener("pointerleave", leave);
    element.addEventListener("click", press);
    return () => {
      element.removeEventListener("pointermove", look);
      element.removeEventListener("pointerleave", leave);
      element.removeEventListener("click", press);
    };
  }, [scene, size, skin]);

  return (
    <div className="graph" ref={box}>
      {places ? null : (
        <div className="leaf">
          <Loading label="Laying the graph out" />
        </div>
      )}
      <canvas ref={canvas} role="img" aria-label={label} style={size ? { width: size.width, height: size.height } : undefined} />
    </div>
  );
}

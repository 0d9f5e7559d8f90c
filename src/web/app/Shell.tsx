// The frame around every screen: skip link, spine, bars of a phone, drawer, toasts, and the keys that work everywhere.
import { lazy, Suspense, useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import { AlignLeft, Search } from "lucide-react";
import { Link, useLocation } from "wouter";
import { useHotkeys } from "../lib/hotkeys.ts";
import { useStore } from "../lib/store.ts";
import { undoLast } from "../lib/undo.ts";
import { Icon } from "../ui/Icon.tsx";
import { Drawer } from "../ui/Page.tsx";
import { Toasts } from "../ui/Toasts.tsx";
import { Wordmark } from "../ui/Wordmark.tsx";
import { openKeys, openPalette, overlay } from "./overlays.ts";
import { PLACES, SHORT } from "./places.ts";
import { Spine } from "./Spine.tsx";

const loadPalette = () => import("../search/Palette.tsx").then((module) => ({ default: module.Palette }));
const Palette = lazy(loadPalette);
const KeySheet = lazy(() => import("./KeySheet.tsx").then((module) => ({ default: module.KeySheet })));
const MoreSheet = lazy(() => import("./MoreSheet.tsx").then((module) => ({ default: module.MoreSheet })));

/** Milliseconds after the start at which the palette is fetched. */
const PALETTE_AFTER_MS = 1_500;

export function Shell({ children }: { children: ReactNode }) {
  const [path, navigate] = useLocation();
  const [open, set] = useState(false);
  const [label, setLabel] = useState("");
  const name = useCallback((next: string) => setLabel(next), []);
  const drawer = useMemo(() => ({ open, set, label, name }), [open, label, name]);
  const over = useStore(overlay);
  const place = PLACES.find((one) => one?.owns.test(path));

  useEffect(() => set(false), [path]);
  useEffect(() => {
    // Who presses the keys of the palette types on at once: it has to be there by then.
    const timer = setTimeout(() => void loadPalette().catch(() => {}), PALETTE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  useHotkeys([
    {
      keys: "mod+k",
      label: "Find anything",
      group: "Everywhere",
      inFields: true,
      run: () => (overlay.get()?.name === "palette" ? overlay.set(null) : openPalette()),
    },
    { keys: "/", label: "Find anything", group: "Everywhere", run: () => openPalette() },
    { keys: "?", label: "Show the keys", group: "Everywhere", run: openKeys },
    { keys: "mod+z", label: "Take the last change of the memory back", group: "Everywhere", run: () => void undoLast() },
    { keys: "c", label: "New conversation", group: "Everywhere", run: () => navigate("/") },
    ...PLACES.flatMap((one) =>
      one ? [{ keys: one.key, label: `Go to ${one.name}`, group: "Places", run: () => navigate(one.href) }] : [],
    ),
  ]);

  return (
    <Drawer value={drawer}>
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <div className="app">
        <header className="top">
          <Link className="wordmark" href="/">
            <Wordmark />
          </Link>
          <button type="button" className="icon" aria-label="Find" onClick={() => openPalette()}>
            <Icon of={Search} />
          </button>
          {label ? (
            <button type="button" className="icon" aria-label={label} aria-expanded={open} onClick={() => set(!open)}>
              <Icon of={AlignLeft} />
            </button>
          ) : null}
        </header>
        <Spine />
        {children}
        <nav className="bottom" aria-label="Reverie, short">
          {SHORT.map((short) => {
            const one = PLACES.find((candidate) => candidate?.name === short);
            return one ? (
              <Link key={short} href={one.href} aria-current={one === place ? "page" : undefined}>
                {short}
              </Link>
            ) : null;
          })}
          <button
            type="button"
            aria-haspopup="dialog"
            aria-current={place && !SHORT.includes(place.name) ? "page" : undefined}
            onClick={() => overlay.set({ name: "more" })}
          >
            More
          </button>
        </nav>
      </div>
      <Toasts />
      <Suspense fallback={null}>
        {over?.name === "palette" ? <Palette query={over.query} /> : null}
        {over?.name === "keys" ? <KeySheet /> : null}
        {over?.name === "more" ? <MoreSheet /> : null}
      </Suspense>
    </Drawer>
  );
}

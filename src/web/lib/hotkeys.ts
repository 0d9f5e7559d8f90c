// The one registry of keys: what `?` shows is what works. A view registers its keys while it is on the screen.
import { useEffect, useRef } from "react";
import { createStore, useStore } from "./store.ts";

export interface Hotkey {
  /** `mod+k`, `g v`, `?`, `j`, `shift+enter`. `mod` is ⌘ on a Mac, Ctrl elsewhere. */
  keys: string;
  label: string;
  group: string;
  run: (event: KeyboardEvent) => void;
  /** Works in text fields too (only with a modifier or Escape). */
  inFields?: boolean;
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

const registered = createStore<readonly Hotkey[]>([]);
/** Milliseconds within which the second key of `g v` has to come. */
const SEQUENCE_MS = 900;

let first: { key: string; at: number } | null = null;
let listening = false;

function inField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.getAttribute("role") === "combobox")
  );
}

function stroke(event: KeyboardEvent): string {
  const key = event.key === " " ? "space" : event.key.toLowerCase();
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const shift = event.shiftKey && (key.length > 1 || mod);
  return `${mod ? "mod+" : ""}${event.altKey ? "alt+" : ""}${shift ? "shift+" : ""}${key}`;
}

function handle(event: KeyboardEvent): void {
  if (event.isComposing || event.defaultPrevented) return;
  const typed = stroke(event);
  const field = inField(event.target);
  // A dialog, a menu or a sheet owns the keyboard while it is open.
  const floating = document.querySelector("[role=dialog][data-state=open], [role=menu][data-state=open]") !== null;
  const sequence = first && Date.now() - first.at < SEQUENCE_MS ? `${first.key} ${typed}` : null;
  first = null;
  const all = registered.get();
  for (let at = all.length - 1; at >= 0; at -= 1) {
    const hotkey = all[at] as Hotkey;
    if (hotkey.keys !== typed && hotkey.keys !== sequence) continue;
    if (field && !hotkey.inFields) continue;
    if (floating && typed !== "mod+k") continue;
    event.preventDefault();
    hotkey.run(event);
    return;
  }
  if (!field && !floating && all.some((hotkey) => hotkey.keys.startsWith(`${typed} `))) first = { key: typed, at: Date.now() };
}

/** Registers keys for as long as the component is on the screen. */
export function useHotkeys(hotkeys: Hotkey[]): void {
  const latest = useRef(hotkeys);
  latest.current = hotkeys;
  const names = hotkeys.map((hotkey) => `${hotkey.keys}|${hotkey.label}|${hotkey.group}`).join("\n");
  useEffect(() => {
    if (!listening) {
      listening = true;
      window.addEventListener("keydown", handle);
    }
    const mine = latest.current.map((hotkey, at): Hotkey => ({ ...hotkey, run: (event) => latest.current[at]?.run(event) }));
    registered.set((all) => [...all, ...mine]);
    return () => registered.set((all) => all.filter((hotkey) => !mine.includes(hotkey)));
  }, [names]);
}

/** All keys that work right now. */
export function useRegisteredKeys(): readonly Hotkey[] {
  return useStore(registered);
}

/** Keys as they stand on the keyboard: `⌘K`, `Ctrl K`, `G V`. */
export function keyText(keys: string): string {
  return keys
    .split(" ")
    .map((part) =>
      part
        .split("+")
        .map((key) => {
          if (key === "mod") return isMac ? "⌘" : "Ctrl ";
          if (key === "shift") return isMac ? "⇧" : "Shift ";
          if (key === "alt") return isMac ? "⌥" : "Alt ";
          if (key === "enter") return "Enter";
          if (key === "escape") return "Esc";
          if (key.startsWith("arrow")) return { arrowup: "↑", arrowdown: "↓", arrowleft: "←", arrowright: "→" }[key] ?? key;
          return key.toUpperCase();
        })
        .join(""),
    )
    .join(" ");
}

// Which of the sheets that lie over every screen is open: the palette, the keys, the places that a phone's bar has no room for.
import { createStore } from "../lib/store.ts";

export type Overlay = { name: "palette"; query: string } | { name: "keys" } | { name: "more" } | null;
export const overlay = createStore<Overlay>(null);

export function openPalette(query = ""): void {
  overlay.set({ name: "palette", query });
}

export function openKeys(): void {
  overlay.set({ name: "keys" });
}

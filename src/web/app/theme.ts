// The theme: the system's, or one that the reader has forced. public/theme.js sets it before the first paint.
import { kept } from "../lib/store.ts";

export type Theme = "system" | "light" | "dark";
const KEY = "reverie.theme";

export function currentTheme(): Theme {
  const theme = kept.get(KEY);
  return theme === "light" || theme === "dark" ? theme : "system";
}

export function setTheme(theme: Theme): void {
  kept.set(KEY, theme === "system" ? null : theme);
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  window.dispatchEvent(new Event("reverie:theme"));
}

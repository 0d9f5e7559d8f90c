// Lines in the order in which one would tell somebody about oneself: to be checked first, then oneself, plans, people, places, the rest. Pure.
import type { EntryView } from "../../shared/protocol.ts";
import { leafName } from "../lib/paths.ts";

export interface Chapter {
  name: string;
  anchor: string;
  /** The file, where a chapter is one file. */
  path: string | null;
  entries: EntryView[];
}

const ORDER = ["MEMORY.md", "people", "plans", "projects", "work", "health", "preferences", "places"];

function rank(path: string): number {
  const at = ORDER.indexOf(path === "MEMORY.md" ? path : (path.split("/")[0] ?? ""));
  return at < 0 ? ORDER.length : at;
}

function nameOf(path: string): string {
  if (path === "MEMORY.md") return "In short";
  const leaf = leafName(path).replace(/[-_]+/g, " ");
  return leaf.charAt(0).toLocaleUpperCase() + leaf.slice(1);
}

/** Whether a line says something: one of the index that is a link and nothing else only leads to what is said elsewhere. */
export function isStatement({ section, text }: Pick<EntryView, "section" | "text">): boolean {
  return section !== "Index" || !/^\[\[[^\]]*\]\]$/.test(text.trim());
}

/** The page's chapters. Pinned lines stand first in each. */
export function chapters(entries: readonly EntryView[]): Chapter[] {
  const byPath = new Map<string, EntryView[]>();
  for (const entry of entries) byPath.set(entry.path, [...(byPath.get(entry.path) ?? []), entry]);
  const found = [...byPath]
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map(([path, lines]): Chapter => ({
      name: nameOf(path),
      anchor: `part-${path.replace(/[^\p{L}\p{N}]+/gu, "-")}`,
      path,
      entries: [...lines.filter((line) => line.pin), ...lines.filter((line) => !line.pin)],
    }));
  const check = entries.filter((entry) => entry.toCheck);
  return check.length > 0 ? [{ name: "To be checked", anchor: "part-check", path: null, entries: check }, ...found] : found;
}

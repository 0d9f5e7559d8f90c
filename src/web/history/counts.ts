// What a commit did, in signs for the eye and in words for the ear. Pure.
import type { CommitView } from "../../shared/protocol.ts";
import { figures } from "../lib/words.ts";

type Counts = CommitView["entries"];

const SIGNS: [keyof Counts, string, string][] = [
  ["added", "+", "added"],
  ["changed", "~", "changed"],
  ["closed", "–", "closed"],
  ["removed", "×", "removed"],
  ["moved", "›", "moved"],
];

/** `+1 ~2 –2 ›1`; a commit that changed no line says 0. */
export function countSigns(counts: Counts): string {
  return SIGNS.flatMap(([key, sign]) => (counts[key] > 0 ? [`${sign}${counts[key]}`] : [])).join(" ") || "0";
}

/** `1 added, 2 changed`. */
export function countWords(counts: Counts): string {
  return (
    SIGNS.flatMap(([key, , word]) => (counts[key] > 0 ? [`${figures(counts[key], word, word)}`] : [])).join(", ") ||
    "no line changed"
  );
}

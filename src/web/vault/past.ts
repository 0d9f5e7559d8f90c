// What is different today from a day in the past: by entry, along the lines that replaced one another. Pure.
import type { EntryView } from "../../shared/protocol.ts";
import { intervalText } from "../lib/line.ts";

export type Difference =
  | { kind: "changed"; before: EntryView; after: EntryView; margin: string }
  | { kind: "closed"; before: EntryView; margin: string }
  | { kind: "gone"; before: EntryView }
  | { kind: "added"; after: EntryView; margin: string };

const nameOf = (entry: EntryView): string => entry.id ?? `${entry.path}\n${entry.text}`;

function lives(entry: EntryView): boolean {
  return entry.state !== "closed" && entry.state !== "removed" && entry.why !== "wrong";
}

/** Differences between the lines that were true then and the file as it is today. */
export function differences(then: readonly EntryView[], now: readonly EntryView[]): Difference[] {
  const today = new Map(now.map((entry) => [nameOf(entry), entry]));
  const successor = new Map(now.flatMap((entry) => (entry.replaces ? [[entry.replaces, entry] as const] : [])));
  const met = new Set<string>();
  const found: Difference[] = [];
  for (const before of then) {
    const same = today.get(nameOf(before));
    let heir = before.id ? successor.get(before.id) : undefined;
    for (let steps = 0; heir && !lives(heir) && heir.id && successor.has(heir.id) && steps < 50; steps += 1)
      heir = successor.get(heir.id);
    if (same) met.add(nameOf(same));
    if (heir && lives(heir)) {
      met.add(nameOf(heir));
      found.push({ kind: "changed", before, after: heir, margin: intervalText(heir) ?? "changed" });
    } else if (!same) found.push({ kind: "gone", before });
    else if (!lives(same))
      found.push({
        kind: "closed",
        before: same,
        margin: same.why === "wrong" ? "was wrong" : `closed ${intervalText(same)?.replace(/^.*– /, "") ?? ""}`.trim(),
      });
    else if (same.text !== before.text) found.push({ kind: "changed", before, after: same, margin: "reworded" });
  }
  for (const after of now) {
    if (lives(after) && !met.has(nameOf(after))) found.push({ kind: "added", after, margin: intervalText(after) ?? "added" });
  }
  return found;
}

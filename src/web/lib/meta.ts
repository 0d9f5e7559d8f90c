// Metadata pairs as the protocol sends them, read as fields.
import type { EntryView } from "../../shared/protocol.ts";

type Pairs = readonly (readonly [string, string])[];

/** The last value of a key; null where it is absent. */
export function valueOf(meta: Pairs, key: string): string | null {
  for (let at = meta.length - 1; at >= 0; at -= 1) {
    const pair = meta[at] as readonly [string, string];
    if (pair[0] === key) return pair[1];
  }
  return null;
}

/** The dates and the reason of a line, from its pairs. */
export function datesOf(meta: Pairs): Pick<EntryView, "since" | "until" | "closed" | "why" | "on" | "expires"> {
  return {
    since: valueOf(meta, "since"),
    until: valueOf(meta, "until"),
    closed: valueOf(meta, "closed"),
    why: valueOf(meta, "why"),
    on: valueOf(meta, "on"),
    expires: valueOf(meta, "expires"),
  };
}

/** All sources of a line, from its pairs. */
export function sourcesOf(meta: Pairs): string[] {
  return meta.filter(([key]) => key === "source").map(([, value]) => value);
}

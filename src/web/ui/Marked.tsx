// A text with the words that were looked for: a thick pale underline under each.
import type { ReactNode } from "react";

/** Characters before the first mark that a snippet shows. */
const LEAD_CHARS = 32;

export function Marked({ text, marks }: { text: string; marks: readonly (readonly [number, number])[] }) {
  const first = marks[0]?.[0] ?? 0;
  const start = first > LEAD_CHARS * 2 ? text.indexOf(" ", first - LEAD_CHARS) + 1 : 0;
  const parts: ReactNode[] = start > 0 ? ["… "] : [];
  let at = start;
  for (const [from, to] of marks) {
    if (from < at || to > text.length) continue;
    parts.push(text.slice(at, from), <mark key={from}>{text.slice(from, to)}</mark>);
    at = to;
  }
  parts.push(text.slice(at));
  return <>{parts}</>;
}

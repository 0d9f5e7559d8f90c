// Cuts a text that is too long for one file into several, where a section, a paragraph, a line or a word ends. Loses nothing.
import { utf8Length } from "../../shared/paths.ts";

export interface Part {
  path: string;
  text: string;
}

/** Where to cut a window of a text: the best end near its own. */
function cutAt(window: string): number {
  const least = window.length / 2;
  for (const end of ["\n## ", "\n# ", "\n\n", "\n", " "]) {
    const at = window.lastIndexOf(end);
    if (at > least) return at + (end.startsWith("\n") ? (end === "\n\n" ? 2 : 1) : 1);
  }
  return /[\ud800-\udbff]$/.test(window) ? window.length - 1 : window.length;
}

/** The parts of a text as files beside each other: `name.md`, `name-2.md`, … One part where it fits into `maxBytes`. */
export function splitText(path: string, text: string, maxBytes: number): Part[] {
  if (utf8Length(text) <= maxBytes) return [{ path, text }];
  const stem = path.replace(/\.md$/i, "");
  const parts: Part[] = [];
  let rest = text;
  while (rest !== "") {
    let take = Math.min(rest.length, maxBytes);
    while (utf8Length(rest.slice(0, take)) > maxBytes) take = Math.floor((take * 3) / 4);
    const end = take === rest.length ? take : cutAt(rest.slice(0, take));
    parts.push({ path: parts.length === 0 ? path : `${stem}-${parts.length + 1}.md`, text: rest.slice(0, end) });
    rest = rest.slice(end);
  }
  return parts;
}

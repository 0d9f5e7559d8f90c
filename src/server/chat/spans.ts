// What of a message the user typed, and what was pasted, block-quoted or fenced. Pure. Ranges are [from, to) in UTF-16 units.

export type Range = [from: number, to: number];

/** Ranges in order, overlapping and touching ones joined, inside a text of `length`. */
export function mergeRanges(ranges: readonly (readonly [number, number])[], length: number): Range[] {
  const inside = ranges
    .map(([from, to]): Range => [
      Math.max(0, Math.min(length, Math.trunc(from) || 0)),
      Math.max(0, Math.min(length, Math.trunc(to) || 0)),
    ])
    .filter(([from, to]) => to > from)
    .sort((a, b) => a[0] - b[0]);
  const merged: Range[] = [];
  for (const [from, to] of inside) {
    const last = merged[merged.length - 1];
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Block-quoted lines and fenced blocks; a fence that nobody closes runs to the end. */
export function quotedRanges(text: string): Range[] {
  const ranges: Range[] = [];
  let at = 0;
  let fence: { mark: string; from: number } | null = null;
  for (const line of text.split("\n")) {
    const end = Math.min(text.length, at + line.length + 1);
    const open = FENCE.exec(line)?.[1];
    if (fence) {
      if (open && open.startsWith(fence.mark) && line.trim() === open) {
        ranges.push([fence.from, end]);
        fence = null;
      }
    } else if (open) fence = { mark: open, from: at };
    else if (/^ {0,3}>/.test(line)) ranges.push([at, end]);
    at = end;
  }
  if (fence) ranges.push([fence.from, text.length]);
  return ranges;
}

/** All that the user did not type. */
export function untypedRanges(text: string, pasted: readonly (readonly [number, number])[]): Range[] {
  return mergeRanges([...pasted.map(([from, to]): Range => [from, to]), ...quotedRanges(text)], text.length);
}

/** The typed parts, with a line's end where something else stood between. */
export function typedText(text: string, pasted: readonly (readonly [number, number])[]): string {
  let at = 0;
  const parts: string[] = [];
  for (const [from, to] of untypedRanges(text, pasted)) {
    parts.push(text.slice(at, from));
    at = to;
  }
  parts.push(text.slice(at));
  return parts.filter((part) => part.trim() !== "").join("\n");
}

/** Characters up to which a paste can be a name or a number inside a sentence that somebody typed. */
const INSERTED_MAX_CHARS = 40;

/** Whether a paste is a word inside a typed line: short, no sentence of its own, with typed letters before or behind it on its line. */
function isInserted(text: string, from: number, to: number): boolean {
  const part = text.slice(from, to);
  if (part.length > INSERTED_MAX_CHARS || /[\n.!?;:。！？；：]\s*\S/u.test(part) || /[\n:：]/u.test(part)) return false;
  const before = text.slice(text.lastIndexOf("\n", from - 1) + 1, from);
  const end = text.indexOf("\n", to);
  const behind = text.slice(to, end < 0 ? text.length : end);
  return /\p{L}/u.test(before) || /\p{L}/u.test(behind);
}

/** The untyped parts: words put into a typed sentence, and documents. */
export function untypedText(text: string, pasted: readonly (readonly [number, number])[]): { short: string; documents: string } {
  const short: string[] = [];
  const documents: string[] = [];
  for (const [from, to] of untypedRanges(text, pasted))
    (isInserted(text, from, to) ? short : documents).push(text.slice(from, to));
  return { short: short.join("\n"), documents: documents.join("\n") };
}

const QUOTE =
  /"([^"\n]*)"|“([^”\n]*)”|„([^“”"\n]*)[“”"]|«([^»\n]*)»|»([^«\n]*)«|「([^」\n]*)」|『([^』\n]*)』|(?<![\p{L}\p{N}])['‘]([^'’\n]{3,}(?:['’](?=\p{L})[^'’\n]*)*)['’](?![\p{L}\p{N}])/gu;
const SPEAKS =
  /\b(?:i|i'm|i’m|i've|i’ve|my|me|mine|we|our|us|you|your|ich|mein\p{L}*|wir|je|j'|mon|ma|mes|nous|yo|mi|mis|soy|tengo|nosotros|io|mio|mia|sono|eu|meu|minha)\b|[我你您]|मैं|मेर/iu;
const SPEECH_MIN_WORDS = 6;

/** Words between quotation marks that are somebody's speech; a title or a name between them is not. */
export function speechRanges(text: string): Range[] {
  const found: Range[] = [];
  for (const match of text.matchAll(QUOTE)) {
    const inside = match.slice(1).find((group) => group !== undefined) ?? "";
    if (SPEAKS.test(inside) || inside.trim().split(/\s+/).length >= SPEECH_MIN_WORDS)
      found.push([match.index, match.index + match[0].length]);
  }
  return found;
}

/** The text without what stands between quotation marks as somebody's speech. */
export function withoutSpeech(text: string): { text: string; speech: string } {
  let at = 0;
  const parts: string[] = [];
  const speech: string[] = [];
  for (const [from, to] of mergeRanges(speechRanges(text), text.length)) {
    parts.push(text.slice(at, from));
    speech.push(text.slice(from, to));
    at = to;
  }
  parts.push(text.slice(at));
  return { text: parts.join(" "), speech: speech.join("\n") };
}

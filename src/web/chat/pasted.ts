// Which parts of a message were pasted: ranges that move along while the text around them is edited. Pure.

export type Range = [from: number, to: number];

/** What an edit did: `removed` characters at `at` became `added` others. */
export function editOf(before: string, after: string): { at: number; removed: number; added: number } {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at < most && before[at] === after[at]) at += 1;
  let tail = 0;
  while (tail < most - at && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return { at, removed: before.length - at - tail, added: after.length - at - tail };
}

/** The ranges after an edit by hand. What is typed inside a pasted range belongs to it; what is deleted leaves it. */
export function moveRanges(ranges: readonly Range[], before: string, after: string): Range[] {
  const { at, removed, added } = editOf(before, after);
  const end = at + removed;
  const shift = added - removed;
  const moved = ranges.map(([from, to]): Range => {
    if (to <= at) return [from, to];
    if (from >= end) return [from + shift, to + shift];
    if (from <= at && to >= end) return [from, to + shift];
    if (from < at) return [from, at];
    return [at + added, to + shift];
  });
  return moved.filter(([from, to]) => to > from);
}

/** The ranges with one more; ranges that touch are one. */
export function addRange(ranges: readonly Range[], range: Range): Range[] {
  const sorted = [...ranges, range].filter(([from, to]) => to > from).sort((a, b) => a[0] - b[0]);
  const joined: Range[] = [];
  for (const [from, to] of sorted) {
    const last = joined[joined.length - 1];
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** The text cut into typed and pasted pieces, in order. */
export function piecesOf(text: string, ranges: readonly Range[]): { text: string; pasted: boolean }[] {
  const pieces: { text: string; pasted: boolean }[] = [];
  let at = 0;
  for (const [from, to] of addRange(ranges, [0, 0])) {
    if (from > at) pieces.push({ text: text.slice(at, from), pasted: false });
    if (Math.min(to, text.length) > from) pieces.push({ text: text.slice(from, to), pasted: true });
    at = to;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), pasted: false });
  return pieces;
}

/** The ranges of a text that lost the white space at its ends. */
export function trimmed(text: string, ranges: readonly Range[]): { text: string; pasted: Range[] } {
  const lead = text.length - text.trimStart().length;
  const short = text.trim();
  const pasted = ranges
    .map(([from, to]): Range => [Math.max(0, from - lead), Math.min(short.length, to - lead)])
    .filter(([from, to]) => to > from);
  return { text: short, pasted };
}

// Three-way merge of the lines that are neither headings nor entries, section by section (format.md, Three-way rebase,
// rule 7). Blank lines are no lines here; they only tell which changes touch.

import { diffIndices } from "node-diff3";
import { PROSE_MERGE_MAX_LINES, PROSE_MERGE_MAX_PAIRS } from "../limits.ts";

/** A line of prose as the merge sees it. */
export interface ProseLine {
  /** Without trailing blanks: they are no edit. */
  text: string;
  /** Whether the line above it in the file is the line before it here. */
  joined: boolean;
  /** Whether no blank line stands above it. */
  close: boolean;
  /** The heading or entry above it, by its node; null where that is a line of prose, or nothing. */
  anchor: object | null;
}

/** A line of the result: where it stands in each version that has it. */
export interface MergedLine {
  base: number | null;
  mine: number | null;
  theirs: number | null;
  from: "mine" | "theirs";
}

/** A block that both sides changed: ranges of lines, end exclusive. */
export interface ProseClash {
  base: readonly [number, number];
  mine: readonly [number, number];
  theirs: readonly [number, number];
}

interface Hunk {
  b0: number;
  b1: number;
  s0: number;
  s1: number;
}

/** Pairs of equal lines in two ranges, counted until there are too many. */
function equalPairs(a: readonly string[], b: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1);
  let pairs = 0;
  for (const line of b) pairs += counts.get(line) ?? 0;
  return pairs;
}

/** Index of each line that stands exactly once. */
function singles(lines: readonly string[], from: number, to: number): Map<string, number> {
  const found = new Map<string, number>();
  const twice = new Set<string>();
  for (let at = from; at < to; at += 1) {
    const line = lines[at] as string;
    if (found.has(line)) twice.add(line);
    else found.set(line, at);
  }
  for (const line of twice) found.delete(line);
  return found;
}

/** The longest run of pairs that rises on both sides (patience sorting). */
function rising(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const tops: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([, value], at) => {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tops[middle] as number] as readonly [number, number])[1] < value) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous[at] = tops[low - 1] as number;
    tops[low] = at;
  });
  const run: (readonly [number, number])[] = [];
  for (let at = tops[tops.length - 1] ?? -1; at >= 0; at = previous[at] as number)
    run.push(pairs[at] as readonly [number, number]);
  return run.reverse();
}

/**
 * What differs between two lists of lines. Lines that stand once on both sides are the fixed points; between them a
 * longest common subsequence, unless that would cost too much: then the whole stretch is one difference.
 */
export function differences(before: readonly string[], after: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  const stretch = (b0: number, b1: number, s0: number, s1: number): void => {
    while (b0 < b1 && s0 < s1 && before[b0] === after[s0]) {
      b0 += 1;
      s0 += 1;
    }
    while (b1 > b0 && s1 > s0 && before[b1 - 1] === after[s1 - 1]) {
      b1 -= 1;
      s1 -= 1;
    }
    if (b0 === b1 && s0 === s1) return;
    if (b0 === b1 || s0 === s1) {
      hunks.push({ b0, b1, s0, s1 });
      return;
    }
    const inAfter = singles(after, s0, s1);
    const fixed = rising(
      [...singles(before, b0, b1)].flatMap(([line, at]) => {
        const other = inAfter.get(line);
        return other === undefined ? [] : [[at, other] as const];
      }),
    );
    if (fixed.length === 0) {
      hunks.push(...subsequence(before, after, { b0, b1, s0, s1 }));
      return;
    }
    let [b, s] = [b0, s0];
    for (const [nextB, nextS] of fixed) {
      stretch(b, nextB, s, nextS);
      [b, s] = [nextB + 1, nextS + 1];
    }
    stretch(b, b1, s, s1);
  };
  stretch(0, before.length, 0, after.length);
  return hunks;
}

function subsequence(before: readonly string[], after: readonly string[], whole: Hunk): Hunk[] {
  const a = before.slice(whole.b0, whole.b1);
  const b = after.slice(whole.s0, whole.s1);
  const tooMuch = a.length > PROSE_MERGE_MAX_LINES || b.length > PROSE_MERGE_MAX_LINES;
  if (tooMuch || equalPairs(a, b) > PROSE_MERGE_MAX_PAIRS) return [whole];
  return diffIndices(a, b).map(({ buffer1: [b0, bn], buffer2: [s0, sn] }) => ({
    b0: whole.b0 + b0,
    b1: whole.b0 + b0 + bn,
    s0: whole.s0 + s0,
    s1: whole.s0 + s0 + sn,
  }));
}

interface Change extends Hunk {
  side: "mine" | "theirs";
  /** For an insertion: whether it is written onto what stands above or below, without a blank line between. */
  ties: "above" | "below" | "none";
  /** For an insertion: the heading or entry that it stands behind. */
  anchor: object | null;
}

function tiesOf(hunk: Hunk, lines: readonly ProseLine[]): Change["ties"] {
  if (hunk.s1 > hunk.s0 && lines[hunk.s0]?.close) return "above";
  return lines[hunk.s1]?.joined ? "below" : "none";
}

const TIE_ORDER = { above: 0, none: 1, below: 2 };

/** In which order changes stand that begin at one place: what ends there, what is put there, what begins there. */
function byPlace(a: Change, b: Change): number {
  const rank = (change: Change) => (change.b0 === change.b1 ? TIE_ORDER[change.ties] : 3);
  return a.b0 - b.b0 || rank(a) - rank(b) || (a.side === b.side ? 0 : a.side === "theirs" ? -1 : 1);
}

/** Merges three lists of lines. */
export function mergeProse(
  base: readonly ProseLine[],
  mine: readonly ProseLine[],
  theirs: readonly ProseLine[],
): { lines: MergedLine[]; clashes: ProseClash[] } {
  const texts = (lines: readonly ProseLine[]) => lines.map((line) => line.text);
  const [baseTexts, mineTexts, theirTexts] = [texts(base), texts(mine), texts(theirs)];
  const changesOf = (side: Change["side"], texts: readonly string[], lines: readonly ProseLine[]) =>
    differences(baseTexts, texts).map((hunk): Change => ({
      ...hunk,
      side,
      ties: tiesOf(hunk, lines),
      anchor: lines[hunk.s0]?.anchor ?? null,
    }));
  const changes = [...changesOf("mine", mineTexts, mine), ...changesOf("theirs", theirTexts, theirs)].sort(byPlace);

  const textsOf = (change: Change) => (change.side === "mine" ? mineTexts : theirTexts);
  /** Whether two changes of different sides, `a` before `b`, meet. */
  const meet = (a: Change, b: Change): boolean => {
    if (a.b1 > b.b0) return true;
    if (a.b1 < b.b0) return false;
    const place = a.b1;
    if (place > 0 && place < base.length && (base[place] as ProseLine).joined) return true;
    const [aPut, bPut] = [a.b0 === a.b1, b.b0 === b.b1];
    if (aPut && bPut) {
      if (sameLines(textsOf(a), [a.s0, a.s1], textsOf(b), [b.s0, b.s1])) return true;
      return a.anchor === b.anchor && a.ties === b.ties;
    }
    if (aPut) return a.ties === "below"; // put onto the line that the other begins with
    return bPut ? b.ties === "above" && b.anchor === null : false;
  };

  const lines: MergedLine[] = [];
  const clashes: ProseClash[] = [];
  let shift = { mine: 0, theirs: 0 };
  let done = 0;
  const keep = (to: number) => {
    for (; done < to; done += 1) {
      lines.push({ base: done, mine: done + shift.mine, theirs: done + shift.theirs, from: "theirs" });
    }
  };
  for (let at = 0; at < changes.length;) {
    const first = changes[at] as Change;
    const group = [first];
    // A side's own changes never touch, so only the last one of the other side can meet the next.
    const last: { mine?: Change; theirs?: Change } = { [first.side]: first };
    let end = first.b1;
    let next = at + 1;
    for (; next < changes.length; next += 1) {
      const change = changes[next] as Change;
      const other = last[change.side === "mine" ? "theirs" : "mine"];
      if (change.b0 >= end && !(other !== undefined && meet(other, change))) break;
      group.push(change);
      last[change.side] = change;
      end = Math.max(end, change.b1);
    }
    at = next;
    const begin = first.b0;
    keep(begin);
    const span = (side: "mine" | "theirs"): [number, number] => {
      const own = group.filter((one) => one.side === side);
      const [first, last] = [own[0], own[own.length - 1]];
      if (first === undefined || last === undefined) return [begin + shift[side], end + shift[side]];
      return [first.s0 - (first.b0 - begin), last.s1 + (end - last.b1)];
    };
    const ranges = { mine: span("mine"), theirs: span("theirs") };
    const sides = new Set(group.map((one) => one.side));
    if (sides.size === 1) {
      const side = sides.has("mine") ? "mine" : "theirs";
      replaced(lines, side, begin, end, ranges);
    } else {
      const same = sameLines(mineTexts, ranges.mine, theirTexts, ranges.theirs);
      const [t0, t1] = ranges.theirs;
      for (let line = t0; line < t1; line += 1) {
        lines.push({ base: null, mine: same ? ranges.mine[0] + line - t0 : null, theirs: line, from: "theirs" });
      }
      if (!same) clashes.push({ base: [begin, end], ...ranges });
    }
    shift = { mine: ranges.mine[1] - end, theirs: ranges.theirs[1] - end };
    done = end;
  }
  keep(base.length);
  return { lines, clashes };
}

/** A change of one side: its lines take the places of those that they replace. */
function replaced(
  lines: MergedLine[],
  side: "mine" | "theirs",
  begin: number,
  end: number,
  ranges: { mine: [number, number]; theirs: [number, number] },
): void {
  const other = side === "mine" ? "theirs" : "mine";
  const [from, to] = ranges[side];
  for (let line = from; line < to; line += 1) {
    const old = begin + (line - from);
    const stands = old < end;
    lines.push({
      base: stands ? old : null,
      mine: null,
      theirs: null,
      from: side,
      [side]: line,
      ...(stands ? { [other]: ranges[other][0] + (line - from) } : {}),
    });
  }
}

function sameLines(
  a: readonly string[],
  [a0, a1]: readonly [number, number],
  b: readonly string[],
  [b0, b1]: readonly [number, number],
): boolean {
  if (a1 - a0 !== b1 - b0) return false;
  for (let at = 0; at < a1 - a0; at += 1) if (a[a0 + at] !== b[b0 + at]) return false;
  return true;
}

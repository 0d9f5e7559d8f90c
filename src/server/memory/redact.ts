// Takes sentences out of texts. Pure: what states a forgotten fact is the caller's to judge.

/** What stands where a sentence was forgotten. */
export const REDACTED = "[forgotten]";

/** Whether a sentence states what was forgotten. */
export type States = (sentence: string) => boolean;

const segmenter = new Intl.Segmenter("und", { granularity: "sentence" });

/** The sentences of a text with their bounds; a line's end ends a sentence. */
export function sentencesOf(text: string): { from: number; to: number; text: string }[] {
  const found: { from: number; to: number; text: string }[] = [];
  let lineFrom = 0;
  for (const line of text.split("\n")) {
    for (const { segment, index } of segmenter.segment(line)) {
      const lead = segment.length - segment.trimStart().length;
      const trimmed = segment.trim();
      if (trimmed === "") continue;
      const from = lineFrom + index + lead;
      found.push({ from, to: from + trimmed.length, text: trimmed });
    }
    lineFrom += line.length + 1;
  }
  return found;
}

/** The text with `[forgotten]` for each sentence that states it; null where none does. Neighbours that both go leave one mark. */
export function redactText(
  text: string,
  states: States,
): { text: string; cut: { from: number; to: number; length: number }[] } | null {
  if (text === "") return null;
  let all = sentencesOf(text).filter((sentence) => states(sentence.text));
  // A fact that is spread over the whole text ("My dog? Rex.") is stated by no sentence alone.
  if (all.length === 0 && sentencesOf(text).length > 1 && text.length <= WHOLE_MAX_CHARS && states(text)) {
    all = [{ from: 0, to: text.length, text }];
  }
  if (all.length === 0) return null;
  const parts: string[] = [];
  const cut: { from: number; to: number; length: number }[] = [];
  let at = 0;
  for (const { from, to } of all) {
    parts.push(text.slice(at, from), REDACTED);
    cut.push({ from, to, length: REDACTED.length });
    at = to;
  }
  parts.push(text.slice(at));
  return { text: parts.join(""), cut };
}

/** Above this a text that states a fact only as a whole is an essay, not a statement. */
const WHOLE_MAX_CHARS = 240;

/** Ranges of a text after sentences were cut from it. */
export function shiftRanges(
  ranges: readonly [number, number][],
  cut: readonly { from: number; to: number; length: number }[],
): [number, number][] {
  const move = (at: number, end: boolean): number => {
    let shift = 0;
    for (const { from, to, length } of cut) {
      if (at >= to) shift += length - (to - from);
      else if (at > from) return from + shift + (end ? length : 0);
    }
    return at + shift;
  };
  return ranges.map(([from, to]): [number, number] => [move(from, false), move(to, true)]).filter(([from, to]) => to > from);
}

/** A JSON value with each of its texts redacted; null where nothing changed. */
export function redactValue<T>(value: T, states: States): T | null {
  let changed = false;
  const walk = (one: unknown): unknown => {
    if (typeof one === "string") {
      const redacted = redactText(one, states);
      if (redacted) changed = true;
      return redacted ? redacted.text : one;
    }
    if (Array.isArray(one)) return one.map(walk);
    if (one !== null && typeof one === "object")
      return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, walk(inner)]));
    return one;
  };
  const result = walk(value) as T;
  return changed ? result : null;
}

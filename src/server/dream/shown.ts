// A message as lists of the inbox show it: its beginning, whole letters.

/** Graphemes of a message in a list. */
const ITEM_MAX_GRAPHEMES = 300;
const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** The beginning of a text. */
export function shownText(text: string): string {
  const parts: string[] = [];
  for (const { segment } of graphemes.segment(text)) {
    if (parts.length >= ITEM_MAX_GRAPHEMES) return `${parts.join("")}…`;
    parts.push(segment);
  }
  return text;
}

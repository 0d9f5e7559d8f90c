// The normalised text, by which two entries are compared (format.md, section Entry).

const WIKILINK = /\[\[([^[\]]*)\]\]/g;
const INLINE_LINK = /\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g;
const KEPT = String.raw`\p{L}\p{N}\p{M}\p{So}\p{Sc}\p{Extended_Pictographic}\p{Emoji_Modifier}`;
/** Group 1 stays: a run of + or # behind a letter or digit, the sign of a number. All else that is not kept becomes a space. */
const SIGNS_AND_GAPS = new RegExp(String.raw`((?<=[\p{L}\p{N}\p{M}])[+#]+|(?<![${KEPT}])[-\u2212](?=\p{Nd}))|[^${KEPT}]`, "gu");
const SYMBOLS = /[\p{So}\p{Sc}\p{Extended_Pictographic}\p{Emoji_Modifier}]+/gu;

function linkLabel(inside: string): string {
  const bar = inside.indexOf("|");
  if (bar >= 0) return inside.slice(bar + 1).trim();
  const path = inside.split("#", 1)[0] as string;
  return path.slice(path.lastIndexOf("/") + 1).trim();
}

/** Links replaced by what a reader sees of them. */
export function plainLinks(text: string): string {
  if (!text.includes("[")) return text;
  return text.replace(WIKILINK, (_, inside: string) => linkLabel(inside)).replace(INLINE_LINK, (_, label: string) => label);
}

/** The name of a text for comparison; equal for texts that say the same words. Time grows with the length alone. */
export function normalText(text: string): string {
  const plain = plainLinks(text.normalize("NFKC").toLowerCase()).replace(/\ufe0f/g, "");
  const kept = plain.replace(SIGNS_AND_GAPS, (_, sign: string | undefined) => sign ?? " ");
  const name = kept.replace(/ +/g, " ").trim();
  return name === "" ? text.normalize("NFC") : name;
}

/** The normalised text without its symbols, which tombstones compare. Where only symbols stand, they stay. */
export function normalWithoutSymbols(text: string): string {
  const name = normalText(text);
  const words = name.replace(SYMBOLS, " ").replace(/ +/g, " ").trim();
  return words === "" ? name : words;
}

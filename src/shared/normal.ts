// The normalised text, by which two entries are compared (format.md, section Entry).

const WIKILINK = /\[\[([^[\]]*)\]\]/g;
const INLINE_LINK = /\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g;
const KEPT = /^[\p{L}\p{N}\p{M}\p{So}\p{Sc}\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;
const WORD_END = /[\p{L}\p{N}\p{M}]$/u;
const DIGIT = /^\p{Nd}/u;
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

/** Whether a code point is kept, remembered for the basic plane: 0 = not asked yet, 1 = yes, 2 = no. */
const keptInPlane = new Uint8Array(0x10000);

function isKept(point: number): boolean {
  if (point > 0xffff) return KEPT.test(String.fromCodePoint(point));
  const known = keptInPlane[point] as number;
  if (known !== 0) return known === 1;
  const kept = KEPT.test(String.fromCharCode(point));
  keptInPlane[point] = kept ? 1 : 2;
  return kept;
}

/** The code point before an index, or -1 at the start. */
function pointBefore(text: string, at: number): number {
  if (at === 0) return -1;
  const low = text.charCodeAt(at - 1);
  const pair = at > 1 && low >= 0xdc00 && low <= 0xdfff ? (text.codePointAt(at - 2) as number) : low;
  return pair > 0xffff ? pair : low;
}

/** Where a run of + or # ends that stands right behind a letter or digit, or the sign of a number; `at` where neither begins there. */
function endOfSign(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 43 || code === 35) {
    const before = pointBefore(text, at);
    if (before < 0 || !WORD_END.test(String.fromCodePoint(before))) return at;
    let end = at + 1;
    while (text.charCodeAt(end) === 43 || text.charCodeAt(end) === 35) end += 1;
    return end;
  }
  if (code !== 45 && code !== 0x2212) return at;
  const before = pointBefore(text, at);
  if (before >= 0 && isKept(before)) return at;
  const next = text.codePointAt(at + 1);
  return next !== undefined && DIGIT.test(String.fromCodePoint(next)) ? at + 1 : at;
}

/** What is kept of a text, each run of anything else as one space. One pass: names are asked for by the thousand. */
function keptWords(text: string): string {
  let words = "";
  for (let at = 0; at < text.length;) {
    const from = at;
    for (;;) {
      const point = text.codePointAt(at);
      if (point === undefined) break;
      if (isKept(point)) {
        at += point > 0xffff ? 2 : 1;
        continue;
      }
      const end = endOfSign(text, at);
      if (end === at) break;
      at = end;
    }
    if (at > from) words += words === "" ? text.slice(from, at) : ` ${text.slice(from, at)}`;
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return words;
}

/** The name of a text for comparison; equal for texts that say the same words. Time grows with the length alone. */
export function normalText(text: string): string {
  const plain = plainLinks(text.normalize("NFKC").toLowerCase());
  const name = keptWords(plain.includes("\ufe0f") ? plain.replace(/\ufe0f/g, "") : plain);
  return name === "" ? text.normalize("NFC") : name;
}

/** The normalised text without its symbols, which tombstones compare. Where only symbols stand, they stay. */
export function normalWithoutSymbols(text: string): string {
  const name = normalText(text);
  const words = name.replace(SYMBOLS, " ").replace(/ +/g, " ").trim();
  return words === "" ? name : words;
}

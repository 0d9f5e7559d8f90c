// Owns what a word is: for search (folded, stemmed, bigrams where a script has no spaces) and, case kept, for tombstones.
import { stemmer } from "stemmer";
import { STOP_WORDS } from "./stop-words.ts";

// Letters that are no letter with a mark in Unicode, but that people write without it.
const LETTERS: Record<string, string> = {
  ł: "l",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ı: "i",
  ħ: "h",
  ŧ: "t",
  ŋ: "n",
  ĸ: "k",
  ə: "e",
  ƒ: "f",
  ς: "σ",
  ـ: "",
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");
// Marks that readers leave out: accents, Hebrew points, Arabic vowels. The vowel signs of India and South East Asia are not among them.
const MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/;
const DIGIT_ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0x1040];
const OTHER_DIGITS =
  /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be6-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0e50-\u0e59\u0ed0-\u0ed9\u1040-\u1049]/g;

function plainDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  const zero = DIGIT_ZEROS.find((first) => code >= first && code <= first + 9)!;
  return String(code - zero);
}

/** NFKC, lower case, without accents: `Łódź` is `lodz`, `Straße` is `strasse`, `é` in either form is `e`. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(MARKS, "")
    .normalize("NFC")
    .replace(LETTER, (letter) => LETTERS[letter]!)
    .replace(OTHER_DIGITS, plainDigit);
}

// Scripts without spaces between words, and Hangul, which glues particles to them. Each run is cut into overlapping pairs.
const RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\u3005]+|\p{Script=Hangul}+|\p{Script=Thai}+|\p{Script=Lao}+|\p{Script=Khmer}+|\p{Script=Myanmar}+/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const CLUSTER = /\P{M}\p{M}*/gu;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

// Stemming costs a microsecond a word, and texts repeat their words.
const STEMS_MAX = 20_000;
const stems = new Map<string, string>();

/** The stem of a word of the Latin script as Porter's rules for English find it; other words as they are. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = /^[a-z\u00df-\u024f]{3,40}$/.test(word) ? stemmer(word) : word;
  if (stems.size >= STEMS_MAX) stems.clear();
  stems.set(word, stem);
  return stem;
}

/** A run of a script without spaces as overlapping pairs; a single character as itself. */
export function bigramsOf(run: string): string[] {
  const clusters = run.match(CLUSTER) ?? [];
  if (clusters.length < 2) return clusters;
  return clusters.slice(1).map((cluster, at) => clusters[at]! + cluster);
}

/** One part of a text: a word, or a run of a script without spaces. */
export interface TextPart {
  text: string;
  unspaced: boolean;
}

/** The words and runs of a text, in order, as they are written. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  for (const [word] of text.matchAll(WORD)) {
    // The first of these scripts is Thai; the cheap test spares most words the dear one.
    if (!/[\u0e00-\u{3ffff}]/u.test(word) || !UNSPACED.test(word)) {
      parts.push({ text: word, unspaced: false });
      continue;
    }
    let from = 0;
    for (const run of word.matchAll(RUNS)) {
      if (run.index > from) parts.push({ text: word.slice(from, run.index), unspaced: false });
      parts.push({ text: run[0], unspaced: true });
      from = run.index + run[0].length;
    }
    if (from < word.length) parts.push({ text: word.slice(from), unspaced: false });
  }
  return parts;
}

// Programs' names end in signs that no tokenizer keeps.
const SIGNED = /(?<![\p{L}\p{N}])([a-z])(\+\+|#)/gu;

/**
 * The tokens of a text for a full-text index, in order and with repetitions: folded, stemmed, pairs for scripts without spaces.
 * They hold no ASCII sign, so FTS5's `ascii` tokenizer splits them back out of a text joined by spaces.
 */
export function searchTokens(text: string): string[] {
  let folded = foldText(text);
  if (folded.includes("+") || folded.includes("#"))
    folded = folded.replace(
      SIGNED,
      (_, letter: string, sign: string) => `${letter} ${letter}${sign === "#" ? "sharp" : "plusplus"} `,
    );
  const tokens: string[] = [];
  if (ASCII.test(folded)) {
    for (const word of folded.match(/[a-z0-9]+/g) ?? []) tokens.push(stemOf(word));
    return tokens;
  }
  for (const part of partsOf(folded)) {
    if (part.unspaced) tokens.push(...bigramsOf(part.text));
    else tokens.push(stemOf(part.text));
  }
  return tokens;
}

/** The tokens of a question: each once, without stop words, unless there is nothing else in it. */
export function queryTokens(text: string): string[] {
  const folded = foldText(text);
  const spoken = folded.replace(/[\p{L}\p{M}\p{N}]+/gu, (word) => (STOP_WORDS.has(word) ? " " : word));
  const tokens = searchTokens(spoken);
  return [...new Set(tokens.length > 0 ? tokens : searchTokens(folded))];
}

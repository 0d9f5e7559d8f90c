// Cuts typed text into sentences, and hides what must come through untouched (quotations, links, code) behind one sign each while rules look at it.

export interface Sentence {
  /** With masks; `unmask` gives the words back. */
  text: string;
  /** The sign it ended with; empty where none. */
  end: string;
}

const MASK_FIRST = 0xe000;
const MASK = /[\uE000-\uEFFF]/g;
const isMask = (sign: string): boolean => sign >= "\uE000" && sign <= "\uEFFF";

/** Keeps hidden parts of one message. */
export class Masks {
  private readonly parts: { kind: "quote" | "raw"; text: string }[] = [];

  add(kind: "quote" | "raw", text: string): string {
    this.parts.push({ kind, text });
    return String.fromCharCode(MASK_FIRST + this.parts.length - 1);
  }

  unmask(text: string): string {
    let out = text;
    // A quotation can hold a hidden link, so masks may stand in masks.
    for (let depth = 0; depth < 3 && MASK.test(out); depth++)
      out = out.replace(MASK, (sign) => this.parts[sign.charCodeAt(0) - MASK_FIRST]?.text ?? "");
    MASK.lastIndex = 0;
    return out;
  }

  /** What stands between the quotation marks of a mask, or null where it hides something else. */
  quoted(sign: string): string | null {
    const part = isMask(sign) ? this.parts[sign.charCodeAt(0) - MASK_FIRST] : undefined;
    return part?.kind === "quote" ? this.unmask(part.text).slice(1, -1).trim() : null;
  }

  quotes(text: string): { sign: string; words: string }[] {
    return [...text].flatMap((sign) => {
      const words = this.quoted(sign);
      return words === null ? [] : [{ sign, words }];
    });
  }
}

// Bounded, so that a long row of brackets or letters costs no more than its length.
const RAW =
  /\[\[[^\]\n]{0,500}\]\]|!?\[[^\]\n]{0,500}\]\([^)\s]{0,2000}\)|\[[^[\]\n]{0,500}\]|`[^`\n]{1,500}`|https?:\/\/\S{0,2000}[^\s.,;:!?)]|\bwww\.\S{0,2000}[^\s.,;:!?)]|\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{0,64}\w|\*\*[^*\n]{1,500}\*\*/g;
const QUOTES = [
  /"[^"\n]{1,1500}"/g,
  /“[^”\n]{1,1500}”/g,
  /„[^“”\n]{1,1500}[“”]/g,
  /«[^»\n]{1,1500}»/g,
  /「[^」\n]{1,1500}」/g,
  /『[^』\n]{1,1500}』/g,
  /(?<=^|[\s(:,])'[^'\n]+(?:'(?=\p{L})[^'\n]*)*'(?=$|[\s.,;:!?)])/gu,
  /(?<=^|[\s(:,])‘[^‘\n]+’(?=$|[\s.,;:!?)])/g,
];

/** Hides links, code and quotations. Masks count as one letter of no script. */
export function mask(text: string, masks: Masks): string {
  let out = text.replace(RAW, (part) => masks.add("raw", part));
  for (const form of QUOTES) out = out.replace(form, (part) => masks.add("quote", part));
  return out;
}

const ABBREVIATION =
  /(?:^|[\s(])(?:(?:dr|mr|mrs|ms|prof|st|sr|jr|no|nr|vs|etc|e\.g|i\.e|approx|dept|inc|ltd|co|mt|ave|blvd|fig|vol|a\.m|p\.m|a\.k\.a|u\.s|u\.k|bzw|z\.b|ca|gen|col|sgt|rev|hon|capt))\.$/i;
/** A single capital: an initial ("J. Smith"). */
const INITIAL = /(?:^|[\s(])\p{Lu}\.$/u;
const ENDS = /[.!?…]+["”’)\uE000-\uEFFF]*(?=\s|$)|[。！？।｡]+["”’)」』\uE000-\uEFFF]*|\n+/gu;
const CLOSERS_ALONE = /(?:^|[\s(])(?:a\.m|p\.m|etc)\.$/i;

/** Sentences of masked text. A line break ends one, unless the next line goes on in lower case. */
export function sentencesOf(masked: string): Sentence[] {
  const text = masked.replace(/\r/g, "").replace(/(\p{Ll}[,;]?|,) ?\n(?=\p{Ll})/gu, "$1 ");
  const found: Sentence[] = [];
  let start = 0;
  const push = (end: number, sign: string): void => {
    const piece = text
      .slice(start, end)
      .replace(/^\s*(?:[-*•+]\s+|\d+[.)]\s+)/, "")
      .trim();
    if (piece) found.push({ text: piece, end: sign });
    else if (found.length > 0 && sign.includes("?")) found.at(-1)!.end += sign;
    start = end + sign.length;
  };
  for (const match of text.matchAll(ENDS)) {
    const at = match.index;
    if (at < start) continue;
    const sign = match[0];
    if (sign.startsWith(".") && sign.length === 1) {
      const before = text.slice(start, at + 1);
      const after = text.slice(at + 1).trimStart();
      if (
        (ABBREVIATION.test(before) || INITIAL.test(before)) &&
        !(CLOSERS_ALONE.test(before) && /^\p{Lu}/u.test(after)) &&
        after !== "" &&
        !initialEnds(before, after)
      )
        continue;
      if (
        /(?:^|\s)\d{1,3}\.$/.test(before) &&
        /^\p{Ll}|^(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/u.test(after)
      )
        continue;
    }
    push(at, sign);
  }
  push(text.length, "");
  return found.map(({ text: words, end }) => ({ text: words, end: end.trim() }));
}

/** "… vitamin C. I live …": a single letter ends a sentence where a pronoun follows and no name goes on. */
function initialEnds(before: string, after: string): boolean {
  return /\s\p{Lu}\.$/u.test(before) && /^(?:I|My|We|He|She|They|It|The|But|And)\b/.test(after);
}

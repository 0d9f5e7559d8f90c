// Owns when a forgotten fact covers a text (format, Tombstones): by the texts, and by the keyed fingerprint that stands in `match`.
// The two must always agree, so both go through one reading of a text (`readFact`) and one rule (`judge`).
import { stripInvisible } from "./invisible.ts";
import { TOMBSTONE_MAX_WORDS } from "./limits.ts";
import { normalWithoutSymbols, plainLinks } from "./normal.ts";
import { NEGATING_PARTS, NEGATIONS, NUMBER_WORDS, STOPPING, STOP_WORDS } from "./stop-words.ts";
import { bigramsOf, foldText, partsOf, stemOf } from "./words.ts";

/** A keyed hash in lower-case hex, at least 32 digits. The key belongs to the memory (format, Tombstones). */
export type Hmac = (text: string) => string;

/** The words that name files: a capital at the beginning of a text counts as a name only for them. Lower case, as `nameWords` gives them. */
export type FileNames = ReadonlySet<string>;

/** A text and the subject of its file: the heading or base name of a file about somebody or something; "" or null for the user. */
export interface Fact {
  text: string;
  subject?: string | null;
}

const NUMBER = 1;
const NAME = 2;
const SUBJECT = 4;
const TEXT = 8;

/** A text, read. */
export interface ReadFact {
  /** The normalised text without its symbols. */
  normal: string;
  /** Each content word of the text and its subject with its marks, the first ones of a very long text. */
  words: Map<string, number>;
  /** Every word of the text and its subject, content or not: what a tombstone's words are looked for in. */
  all: Set<string>;
  subject: string[];
  negated: boolean;
}

const CONTRACTED_NOT = /(?<![\p{L}\p{M}])\p{L}+n['’‘`´ʼ]t(?![\p{L}\p{M}])/giu;
const CONTRACTED = /(?<=[\p{L}\p{M}\p{N}])['’‘`´ʼ](?:s|re|ve|ll|d|m)(?![\p{L}\p{M}\p{N}])/giu;
const SIGNS = /[+#]{1,8}/y;

interface Content {
  words: Map<string, number>;
  all: Set<string>;
  negated: boolean;
}

// Case is kept until here: a capital marks a name.
function contentOf(text: string, mark: number, names: FileNames): Content {
  let negated = false;
  const plain = plainLinks(text.normalize("NFKC"))
    .replace(CONTRACTED_NOT, () => {
      negated = true;
      return " ";
    })
    .replace(CONTRACTED, " ");
  const words = new Map<string, number>();
  const all = new Set<string>();
  const add = (word: string, marks: number): void => {
    if (words.size < TOMBSTONE_MAX_WORDS || words.has(word)) words.set(word, (words.get(word) ?? 0) | marks | mark);
  };
  const parts = partsOf(plain);
  let searchFrom = 0;
  parts.forEach((part, at) => {
    const from = plain.indexOf(part.text, searchFrom);
    searchFrom = from + part.text.length;
    const lower = part.text.toLowerCase();
    if (NEGATING_PARTS.test(lower)) negated = true;
    if (part.unspaced) {
      for (const pair of bigramsOf(lower)) {
        all.add(pair);
        add(pair, 0);
      }
      return;
    }
    const folded = foldText(part.text);
    const next = parts[at + 1];
    if (NEGATIONS.has(folded) || (STOPPING.has(folded) && next !== undefined && /ing$/i.test(next.text))) {
      negated = true;
      return;
    }
    // C++ and C# are other languages than C; a sign in front of a number makes it another number.
    SIGNS.lastIndex = searchFrom;
    const behind = SIGNS.exec(plain)?.[0] ?? "";
    const hasDigit = /\p{N}/u.test(lower);
    const minus = hasDigit && /(?:^|[^\p{L}\p{N}\p{M}])[-−]$/u.test(plain.slice(Math.max(0, from - 3), from)) ? "-" : "";
    const number = NUMBER_WORDS.get(folded);
    const stem = number ?? minus + stemOf(lower) + behind;
    all.add(stem);
    const capital = /^[\p{Lu}\p{Lt}]/u.test(part.text) && (at > 0 || names.has(stem));
    if (STOP_WORDS.has(folded) && !(capital && CAPITAL_CONTENT.has(part.text))) return;
    add(stem, (hasDigit || number !== undefined ? NUMBER : 0) | (capital ? NAME : 0));
  });
  return { words, all, negated };
}

// Stop words that are a month or a name with a capital.
const CAPITAL_CONTENT = new Set(["May", "Will"]);

const NO_NAMES: FileNames = new Set();

// The words of a subject: its content words, or all of them where it has no other.
function subjectWords(subject: string): string[] {
  const { words, all } = contentOf(subject, SUBJECT, NO_NAMES);
  return words.size > 0 ? [...words.keys()] : [...all];
}

/** The words of a file's subject or base name, as `FileNames` holds them. */
export function nameWords(name: string): string[] {
  return subjectWords(name);
}

function readFact({ text, subject }: Fact, names: FileNames = NO_NAMES): ReadFact {
  const content = contentOf(text, TEXT, names);
  const words = new Map(content.words);
  const ofSubject = subject ? subjectWords(subject) : [];
  for (const word of ofSubject) words.set(word, (words.get(word) ?? 0) | SUBJECT);
  const all = new Set([...content.all, ...ofSubject]);
  return { normal: normalWithoutSymbols(text), words, all, subject: ofSubject, negated: content.negated };
}

/** What a text says as it is, and as a reader sees it: hidden characters between letters must not hide a fact. */
export function readings(fact: Fact): ReadFact[] {
  const seen = stripInvisible(fact.text);
  return seen === fact.text ? [readFact(fact)] : [readFact(fact), readFact({ ...fact, text: seen })];
}

// The rule, over words or over their hashes. `share` counts the tombstone's words that stand in the text.
function coversByWords(count: number, share: number, missing: number, sameNegation: boolean): boolean {
  return count >= 2 && share * 5 >= count * 4 && missing === 0 && sameNegation;
}

function withoutWords(normal: string, isSubject: (stem: string) => boolean): string {
  return normal
    .split(" ")
    .filter((word) => !isSubject(NUMBER_WORDS.get(word) ?? stemOf(word)))
    .join(" ");
}

/** Whether a tombstone for `forgotten` covers `candidate`. `names` are the names of files when it was forgotten. */
export function covers(forgotten: Fact | string, candidate: Fact | string, names: FileNames = NO_NAMES): boolean {
  const stone = readFact(typeof forgotten === "string" ? { text: forgotten } : forgotten, names);
  return readings(typeof candidate === "string" ? { text: candidate } : candidate).some((text) => {
    if (!stone.subject.every((word) => text.all.has(word))) return false;
    if (!text.subject.every((word) => stone.words.has(word))) return false;
    const foreign = new Set(stone.subject.filter((word) => !text.subject.includes(word)));
    if (stone.normal === text.normal) return true;
    if (foreign.size > 0 && stone.normal === withoutWords(text.normal, (word) => foreign.has(word))) return true;
    let count = 0;
    let share = 0;
    let missing = 0;
    for (const [word, marks] of stone.words) {
      if ((marks & TEXT) === 0) continue;
      const there = text.all.has(word);
      count++;
      if (there) share++;
      else if ((marks & (NUMBER | NAME)) !== 0) missing++;
    }
    return coversByWords(count, share, missing, stone.negated === text.negated);
  });
}

// 48 bits a word and 64 for the text: of 100,000 guesses against 10,000 tombstones none meets one by chance, and a row stays near 100 characters.
const WORD_DIGITS = 12;
const TEXT_DIGITS = 16;
const RECORD_DIGITS = WORD_DIGITS + 1;
const VERSION = "1";

const hashText = (hmac: Hmac, normal: string): string => hmac(`text\n${normal}`).slice(0, TEXT_DIGITS);
/** The hash of one word. */
export const hashWord = (hmac: Hmac, word: string): string => hmac(`word\n${word}`).slice(0, WORD_DIGITS);

/**
 * The hex part of `match`: version, negation, the hash of the text, then a sorted record for each word: its hash and a digit of
 * marks (1 number, 2 name, 4 subject, 8 of the text). Without the key it says how many words there were, and nothing else.
 */
export function fingerprint(forgotten: Fact, hmac: Hmac, names: FileNames = NO_NAMES): string {
  const stone = readFact(forgotten, names);
  const records = [...stone.words].map(([word, marks]) => hashWord(hmac, word) + marks.toString(16));
  records.sort();
  return VERSION + (stone.negated ? "1" : "0") + hashText(hmac, stone.normal) + records.join("");
}

/** The value of `match`. */
export function formatMatch(keyId: string, hex: string): string {
  return `${keyId}.${hex}`;
}

/** Splits the value of `match`; null where it is none. */
export function parseMatch(match: string): { keyId: string; hex: string } | null {
  const found = /^([A-Za-z0-9_-]{1,32})\.([0-9a-f]+)$/.exec(match.trim());
  return found && (found[2]!.length - 2 - TEXT_DIGITS) % RECORD_DIGITS === 0 && found[2]!.startsWith(VERSION)
    ? { keyId: found[1]!, hex: found[2]! }
    : null;
}

/** A fingerprint, read. */
export interface Stone {
  negated: boolean;
  textHash: string;
  /** Each word's hash with its marks. */
  words: Map<string, number>;
  subject: string[];
  /** How many of the words are of the text. */
  count: number;
}

/** Reads the hex part of `match`. */
export function readStone(hex: string): Stone {
  const words = new Map<string, number>();
  const stone: Stone = {
    negated: hex[1] === "1",
    textHash: hex.slice(2, 2 + TEXT_DIGITS),
    words,
    subject: [],
    count: 0,
  };
  for (let at = 2 + TEXT_DIGITS; at + RECORD_DIGITS <= hex.length; at += RECORD_DIGITS) {
    const hash = hex.slice(at, at + WORD_DIGITS);
    const marks = Number.parseInt(hex[at + WORD_DIGITS]!, 16);
    words.set(hash, marks);
    if ((marks & SUBJECT) !== 0) stone.subject.push(hash);
    if ((marks & TEXT) !== 0) stone.count++;
  }
  return stone;
}

/** The marks of a word whose absence alone keeps a text uncovered. */
export const REQUIRED_MARKS = NUMBER | NAME;
/** The mark of a word that stands in the text, not only in its subject. */
export const TEXT_MARK = TEXT;

/** A text as a fingerprint sees it: each word hashed once, whatever the number of tombstones. */
export class HashedText {
  readonly all: Set<string>;
  readonly subject: string[];
  readonly negated: boolean;
  readonly textHash: string;
  private readonly withoutSubjects = new Map<string, string>();

  constructor(
    private readonly fact: ReadFact,
    private readonly hmac: Hmac,
    private readonly hashOf: (word: string) => string,
  ) {
    this.all = new Set([...fact.all].map(hashOf));
    this.subject = fact.subject.map(hashOf);
    this.negated = fact.negated;
    this.textHash = hashText(hmac, fact.normal);
  }

  // The hash of the text without the words of a subject that it names in full.
  hashWithout(subject: string[]): string {
    const key = subject.join();
    let hash = this.withoutSubjects.get(key);
    if (hash === undefined) {
      const words = new Set(subject);
      hash = hashText(
        this.hmac,
        withoutWords(this.fact.normal, (word) => words.has(this.hashOf(word))),
      );
      this.withoutSubjects.set(key, hash);
    }
    return hash;
  }

  // How many of the tombstone's words stand here, and whether one that must not be missing is.
  shareOf(stone: Stone): { share: number; missing: number } {
    let share = 0;
    let missing = 0;
    for (const [hash, marks] of stone.words) {
      if ((marks & TEXT) === 0) continue;
      if (this.all.has(hash)) share++;
      else if ((marks & (NUMBER | NAME)) !== 0) missing++;
    }
    return { share, missing };
  }

  isCoveredBy(stone: Stone): boolean {
    if (!stone.subject.every((hash) => this.all.has(hash))) return false;
    if (!this.subject.every((hash) => stone.words.has(hash))) return false;
    if (stone.textHash === this.textHash) return true;
    const foreign = stone.subject.filter((hash) => !this.subject.includes(hash));
    if (foreign.length > 0 && stone.textHash === this.hashWithout(foreign)) return true;
    const { share, missing } = this.shareOf(stone);
    return coversByWords(stone.count, share, missing, stone.negated === this.negated);
  }
}

/** Whether the fingerprint (the hex part of `match`) covers a text. Answers as `covers` does with the texts. */
export function fingerprintCovers(hex: string, candidate: Fact, hmac: Hmac): boolean {
  const stone = readStone(hex);
  return readings(candidate).some((reading) => new HashedText(reading, hmac, (word) => hashWord(hmac, word)).isCoveredBy(stone));
}

// Words for comparison: folded tokens, stems, stop words and classes of words that mean the same in a question. Pure; a cache keeps stems cheap.
import { stemmer } from "stemmer";
import { lemma } from "./verbs.ts";

const STOP = new Set(
  `a an the this that these those i me my mine myself we us our ours you your yours he him his she her hers it its they them their theirs one s t d ll re ve m
and or but so because than then as if of in on at to for from with by about into over under up out off am is are was were be been being do does did done has have had having
will would shall should can could may might must not no nor never n't what which who whom whose when where why how there here also too very really quite just still now already again ever
any some all both each every other another such own please okay ok yes yeah hi hello hey tell told know remember recall name names called named some thing things something anything stuff much many more most`
    .split(/\s+/)
    .filter(Boolean),
);

/** Words of one row count as one word when a question is compared with a line. Rows hold base forms. */
const SAME = [
  "have own possess keep",
  "live reside dwell home",
  "work employ employer job",
  "love like enjoy adore fond",
  "play player",
  "subscribe subscription",
  "hate dislike detest loathe despise",
  "scared afraid fear frightened terrified frighten scare phobia",
  "movie film",
  "automobile car",
  "bicycle bike",
  "allergic allergy",
  "mum mom mother mummy mama",
  "dad father daddy papa",
  "kid child children",
  "buy purchase",
  "begin start",
  "holiday vacation",
  "favourite favorite",
  "colour color",
  "neighbour neighbor",
  "flat apartment",
  "doctor physician gp",
  "wife husband spouse partner",
  "boss manager supervisor",
  "birthday born birth",
  "phone telephone mobile",
  "marry married",
  "instrument instruments",
  "appointment appointments",
  "spouse spouses",
  "moor moored",
  "jog run",
  "trip travel journey",
  "exam examination",
  "practise practice",
  "grandma grandmother granny nan",
  "grandpa grandfather grandad granddad",
];

const cache = new Map<string, string>();
const CACHE_MAX_WORDS = 20_000;
const representative = new Map<string, string>();

/** Lower case, NFKC, without diacritics on Latin letters; letters of other scripts are left alone. */
export function fold(text: string): string {
  const lower = text.normalize("NFKC").toLowerCase();
  // oxlint-disable-next-line no-control-regex
  if (/^[\x00-\x7f]*$/.test(lower)) return lower;
  return lower
    .normalize("NFD")
    .replace(/(\p{Script=Latin})\p{Mn}+/gu, "$1")
    .normalize("NFC")
    .replace(/ł/g, "l")
    .replace(/ø/g, "o")
    .replace(/ß/g, "ss");
}

/** Words in order, folded: letters, marks and digits with inner apostrophes and hyphens. */
export function tokens(text: string): string[] {
  return (
    fold(text)
      .replace(/[’]/g, "'")
      .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['-][\p{L}\p{M}\p{N}]+)*/gu) ?? []
  );
}

/** The stem under which a word is compared, after its verb form and its class of equal words. */
export function stem(word: string): string {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const bare = word.replace(/'s?$/, "");
  const base = lemma(bare);
  const stemmed = /^[a-z'-]+$/.test(base) ? stemmer(base) : base;
  const found = representative.get(base) ?? representative.get(bare) ?? representative.get(stemmed) ?? stemmed;
  if (cache.size >= CACHE_MAX_WORDS) cache.clear();
  cache.set(word, found);
  return found;
}

for (const row of SAME) {
  const words = row.split(" ");
  const first = stemmer(words[0] as string);
  for (const word of words) {
    representative.set(word, first);
    representative.set(stemmer(word), first);
  }
}

export const isStop = (word: string): boolean => STOP.has(word);

/** Stems of the words that carry meaning, in order, each once. Words in scripts without spaces come whole; see `holdsAll`. */
export function contentStems(text: string): string[] {
  const found = new Set<string>();
  for (const word of tokens(text)) {
    if (STOP.has(word)) continue;
    const parts = word.includes("-") ? [word, ...word.split("-")] : [word];
    const stemmed = stem(parts[0] as string);
    found.add(stemmed);
  }
  return [...found];
}

const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** All stems of a line for comparison: stop words too, and the parts of hyphenated words. */
export function lineStems(text: string): Set<string> {
  const found = new Set<string>();
  for (const word of tokens(text)) {
    found.add(stem(word));
    if (word.includes("-")) for (const part of word.split("-")) found.add(stem(part));
  }
  return found;
}

/** Whether a line (its stems and its folded text) holds a stem; in scripts without spaces, as a part of the text. */
export function holds(stems: ReadonlySet<string>, folded: string, wanted: string): boolean {
  return stems.has(wanted) || (WITHOUT_SPACES.test(wanted) && folded.includes(wanted));
}

/** Letters changed, added, dropped or swapped between two words: to find what a typo stood for. */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, rows[i - 2]![j - 2]! + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

export const upperFirst = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
export const lowerFirst = (text: string): string => text.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase());
export const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

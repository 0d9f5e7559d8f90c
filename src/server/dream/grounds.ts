// What a text stands on: whether a fact's words, numbers and names occur in what it cites. Pure; knows no memory and no model.
import { stripInvisible } from "../../shared/invisible.ts";
import { normalText } from "../../shared/normal.ts";
import { foldText } from "../../shared/words.ts";

/** Words too common to ground anything, in the languages that the app meets most. */
const STOP = new Set(
  (
    "the and for with that this from are was were has have had his her its our your their they them she him you who not but all any can will would about into than then there when what which " +
    "user likes uses is in on at to of an it he we be by or as my me i a " +
    "der die das und ist sind war mit von für ein eine einen einem einer ich sie wir ihr mein meine nicht auch " +
    "le la les des une est sont avec pour dans que qui mon ma mes nous vous elle il et du au aux " +
    "el los las una con por para que mi mis su sus es son del y en un de se no " +
    "het een van met voor zijn ook maar niet dat dit ik hij zij"
  ).split(" "),
);

/** Letters compared of a longer word: endings differ between a message and the sentence that keeps it, in most languages with letters. */
const STEM_LETTERS = 5;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** The content words of a text, as short stems; in scripts without spaces the pairs of neighbouring letters. */
export function termsOf(text: string): Set<string> {
  const found = new Set<string>();
  for (const word of foldText(normalText(stripInvisible(text))).split(" ")) {
    if (UNSPACED.test(word)) {
      const letters = [...word];
      if (letters.length === 1) found.add(word);
      for (let at = 0; at + 1 < letters.length; at += 1) found.add(`${letters[at]}${letters[at + 1]}`);
    } else if (word.length >= 2 && !STOP.has(word)) found.add([...word].slice(0, STEM_LETTERS).join(""));
  }
  // A text of signs or stop words alone is its own only word: it stands on nothing but itself.
  if (found.size === 0 && text.trim() !== "") found.add(normalText(text));
  return found;
}

/** Share (0 to 1) of a text's content words that stand in the other texts; 0 for an empty text. */
export function coverage(text: string, others: readonly string[]): number {
  const own = termsOf(text);
  if (own.size === 0) return 0;
  const there = new Set(others.flatMap((other) => [...termsOf(other)]));
  let hits = 0;
  for (const term of own) if (there.has(term)) hits += 1;
  return hits / own.size;
}

/** Whether two texts speak of the same thing at all: one content word in common. */
export function touches(text: string, others: readonly string[]): boolean {
  return coverage(text, others) > 0;
}

/** Numbers of a text as they read, separators of thousands and leading zeros aside. */
export function numbersOf(text: string): string[] {
  // Separators first: compatibility forms turn narrow spaces into plain ones.
  const plain = text.replace(/(?<=\d)[.,'’\u00a0\u202f](?=\d{3}(?!\d))/g, "").normalize("NFKC");
  return (plain.match(/\p{Nd}+(?:[.,]\p{Nd}+)?/gu) ?? []).map((number) => number.replace(",", ".").replace(/^0+(?=\d)/, ""));
}

const CAPITALISED = /\p{Lu}[\p{L}\p{M}'’-]+/gu;
/** What may follow a name that begins a sentence. */
const AFTER_NAME =
  /^(?:['’]s\b|\s+(?:is|was|has|had|lives|lived|works|worked|moved|likes|loves|wants|and|ist|war|hat|wohnt|est|a|es|era|vive|è|heeft|woont)(?!\p{L})|\s+\p{Lu}[\p{L}\p{M}]+\s+(?:is|was|has|had|lives|works|moved|likes)(?!\p{L}))/u;

/** Names of a text: capitalised words, one that begins the text only where it reads as a name. Lower-cased. */
export function namesOf(text: string): string[] {
  const found: string[] = [];
  for (const match of text.normalize("NFC").matchAll(CAPITALISED)) {
    const word = match[0].replace(/['’]s$/, "");
    const after = text.slice((match.index ?? 0) + word.length);
    const begins = /(?:^|[.!?:]\s+)["“'(]*$/.test(text.slice(0, match.index));
    if ((!begins || AFTER_NAME.test(after)) && !STOP.has(word.toLowerCase())) found.push(word.toLowerCase());
  }
  return found;
}

/** Numbers and names that stand in `before` and no longer in `after` (several texts count together). */
export function dropped(before: readonly string[], after: readonly string[]): string[] {
  const numbers = new Set(after.flatMap(numbersOf));
  const words = new Set(
    after
      .flatMap(
        (text) =>
          text
            .normalize("NFC")
            .toLowerCase()
            .match(/[\p{L}\p{M}'’-]+/gu) ?? [],
      )
      .map((word) => word.replace(/['’]s$/, "")),
  );
  const lost = before.flatMap(numbersOf).filter((number) => !numbers.has(number));
  return [...lost, ...before.flatMap(namesOf).filter((name) => !words.has(name))];
}

/** A date in a text may be worked out from a message's own day, so its digits need not stand there. */
const DATES = /\b(?:19|20)\d{2}(?:-\d{2}(?:-\d{2})?)?\b|\b\d{1,2}\b/g;

/** Numbers of a fact that stand neither in what it cites nor can be part of a date or a small count. */
export function inventedNumbers(text: string, grounds: readonly string[]): string[] {
  const known = new Set(grounds.flatMap(numbersOf));
  return numbersOf(text.normalize("NFKC").replace(DATES, (date) => (known.has(date) ? date : " "))).filter(
    (number) => !known.has(number),
  );
}

/** Names of a fact that stand in nothing that it cites. */
export function inventedNames(text: string, grounds: readonly string[]): string[] {
  const there = termsOf(grounds.join("\n"));
  return namesOf(text).filter((name) => !CALENDAR.has(name) && [...termsOf(name)].some((term) => !there.has(term)));
}

/** Months and weekdays in the languages that write them with a capital letter, long and short: a date that was worked out may name them. */
const CALENDAR = new Set(
  ["en", "de", "nl"].flatMap((language) =>
    (["long", "short"] as const).flatMap((width) => {
      const month = new Intl.DateTimeFormat(language, { month: width, timeZone: "UTC" });
      const weekday = new Intl.DateTimeFormat(language, { weekday: width, timeZone: "UTC" });
      const months = Array.from({ length: 12 }, (_, at) => month.format(Date.UTC(2026, at, 15)));
      const days = Array.from({ length: 7 }, (_, at) => weekday.format(Date.UTC(2026, 0, 1 + at)));
      return [...months, ...days].map((name) => name.toLowerCase().replace(/\.$/, ""));
    }),
  ),
);

/** Words that say that something ended or is not so, in several languages. */
const ENDING =
  /n['’]t(?!\p{L})|(?<![\p{L}\p{M}])(?:not|no|never|no longer|any ?more|ended|over|stopp?ed|stop|quit|left|leaving|sold|gave|gone|died|dead|passed away|moved|moving|cancell?ed|broke up|divorced|retired|finished|former|ex|instead|wrong|used to|changed|switched|lost|returned|nicht|kein\p{L}*|mehr|nie|aufgehört|verkauft|gekündigt|gestorben|umgezogen|vorbei|falsch|pas|plus|jamais|arrêté|quitté|vendu|fini|déménagé|mort|faux|ya no|nunca|dej[éóo]|vendí|vendió|murió|terminó|mudé|falso|não|nao|nunca mais|deixei|vendi|morreu|acabou|niet|geen|meer|nooit|gestopt|verkocht|verhuisd|overleden|non|mai più|smesso|venduto|finito)(?![\p{L}\p{M}])/iu;
const ENDING_UNSPACED =
  /不再|没有|沒有|不是|已经不|离开|搬|辞|卖|结束|去世|分手|ではな|やめ|辞め|引っ越|売っ|終わ|亡くな|別れ|नहीं|छोड़|بند|لم|لا|ترك/u;

/** Whether a text reads as one that ends or contradicts something. */
export function saysItEnded(text: string): boolean {
  return ENDING.test(text) || ENDING_UNSPACED.test(text);
}

/** Whether a message says, of what these words name, that it ended: one sentence must do both. */
export function saysThatEnded(message: string, about: readonly string[]): boolean {
  const sentences = message.split(/(?<=[.!?。！？।])\s*|\n+/u).filter((sentence) => sentence.trim() !== "");
  // "I sold the boat. The red one." speaks of one thing in two sentences, so neighbours count together.
  return sentences.some(
    (sentence, at) => saysItEnded(sentence) && about.some((words) => touches(words, [sentence, sentences[at + 1] ?? ""])),
  );
}

/** A text without the given ranges. */
export function without(text: string, ranges: readonly (readonly [number, number])[]): string {
  let at = 0;
  let kept = "";
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (from > at) kept += `${text.slice(at, from)}\n`;
    at = Math.max(at, to);
  }
  return kept + text.slice(at);
}

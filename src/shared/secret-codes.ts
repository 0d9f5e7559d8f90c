// Owns the secrets that are numbers and words to learn by heart: codes of doors, PINs, one-time codes, backup codes, the words of a wallet.
import {
  DATE_OR_MEASURE,
  type SecretSpan,
  UNIT_BEHIND,
  countOf,
  jointsAt,
  matchAt,
  matchesOf,
  valueBefore,
  wholeFinder,
} from "./secret-values.ts";
import { AT_A_PLACE, BACKUP_CODE_WORDS, CARD_CODE_WORDS, CODE_WORDS, SEED_WORDS, SENTENCE_WORDS } from "./secret-words.ts";

const CODE_FINDER = wholeFinder(CODE_WORDS);
const CARD_CODE_FINDER = wholeFinder(CARD_CODE_WORDS);
const BACKUP_FINDER = wholeFinder(BACKUP_CODE_WORDS);
const SEED_FINDER = wholeFinder(SEED_WORDS);

const CODE_VALUE =
  /(?:[*#]?[0-9](?:[ -]?[0-9]){2,15}[*#]?|[A-Za-z]?[0-9]{3,10}[A-Za-z]?[*#]?|[A-Z0-9]{3,6}(?:-[A-Z0-9]{3,6}){1,3})(?![\p{L}\p{N}/:]|[.,-][0-9]|[-–][0-9])/uy;
const SPOKEN_DIGITS = /(?:(?:zero|oh|null|one|two|three|four|five|six|seven|eight|nine)[ ,-]{0,2}){4,12}(?![a-z])/iy;
const HASHED_CODE = /[*#][0-9]{3,10}[*#]?|[0-9]{3,10}[*#]/;

const CODE_BESIDE = /(?<![\p{L}\p{N}])(?:code|combination|combo) ([*#]?[0-9]{3,10}[*#]?)(?![\p{L}\p{N}])/giu;

export function* codes(text: string): Generator<SecretSpan> {
  for (const hit of matchesOf(text, CODE_FINDER)) {
    const end = hit.index + hit[0].length;
    const isPin = /^(?:pin|puk|geheimzahl)/i.test(hit[0]);
    const kind = isPin ? "PIN" : "code";
    let found = false;
    for (const joint of jointsAt(text, hit.index, end)) {
      // The number of a locker, said without a verb, is kept as a fact by the format's own examples.
      if (joint.how === "beside" && /^locker/i.test(hit[0])) continue;
      const wrapped = matchAt(/["'`*_“„]{0,3}/y, text, joint.at) ?? "";
      const at = joint.at + wrapped.length;
      const value = matchAt(CODE_VALUE, text, at) ?? matchAt(SPOKEN_DIGITS, text, at);
      if (value === null || UNIT_BEHIND.test(text.slice(at + value.length, at + value.length + 16))) continue;
      const digits = countOf(value, /[0-9]/g);
      if (/[0-9]/.test(value) && (digits < (isPin ? 4 : 3) || DATE_OR_MEASURE.test(value))) continue;
      // An Indian postal code is a PIN code, too: six digits, and the place beside them.
      if (
        /code/i.test(hit[0]) &&
        isPin &&
        /^[1-9][0-9]{2} ?[0-9]{3}$/.test(value) &&
        !/\bmy\b/i.test(text.slice(Math.max(0, hit.index - 12), hit.index))
      )
        continue;
      yield { from: at, to: at + value.trimEnd().length, kind };
      found = true;
      break;
    }
    if (found) continue;
    const before = valueBefore(text, hit.index);
    if (before && (HASHED_CODE.test(before.text) || /^[0-9]{4,10}$/.test(before.text)))
      yield { from: before.from, to: before.to, kind };
  }
  for (const hit of matchesOf(text, CODE_BESIDE)) {
    const end = hit.index + hit[0].length;
    if (AT_A_PLACE.test(text.slice(end, end + 48))) yield { from: end - hit[1]!.length, to: end, kind: "code" };
  }
  for (const hit of matchesOf(text, CARD_CODE_FINDER)) {
    for (const joint of jointsAt(text, hit.index, hit.index + hit[0].length)) {
      const value = matchAt(/[0-9]{3,4}(?![0-9])/y, text, joint.at);
      if (value === null) continue;
      yield { from: joint.at, to: joint.at + value.length, kind: "card code" };
      break;
    }
  }
}

const BACKUP_CODE =
  /(?<![\p{L}\p{N}-])(?:[0-9]{4,8}[ -][0-9]{4,8}|(?=[A-Za-z-]{0,12}[0-9])[A-Za-z0-9]{3,10}(?:-[A-Za-z0-9]{3,10}){1,5}|[0-9]{6,12}|(?=[A-Za-z]{0,12}[0-9])(?=[0-9]{0,12}[A-Za-z])[A-Za-z0-9]{6,16})(?![\p{L}\p{N}-])/gu;
const BACKUP_WINDOW_CHARS = 800;

export function* backupCodes(text: string): Generator<SecretSpan> {
  let handledTo = 0;
  for (const hit of matchesOf(text, BACKUP_FINDER)) {
    const end = hit.index + hit[0].length;
    if (hit.index < handledTo) continue;
    const window = text.slice(end, end + BACKUP_WINDOW_CHARS);
    let first = -1;
    let last = -1;
    let count = 0;
    for (const code of matchesOf(window, BACKUP_CODE)) {
      if (DATE_OR_MEASURE.test(code[0])) continue;
      const between = window.slice(Math.max(last, 0), code.index);
      if (last < 0 ? code.index > 120 : !/^(?:[\s,;/|•*–—-]|and|und|[0-9]{1,2}[.):]){1,12}$/.test(between)) break;
      if (first < 0) first = code.index;
      last = code.index + code[0].length;
      count++;
    }
    if (count < 2) continue;
    handledTo = end + last;
    yield { from: end + first, to: end + last, kind: "backup codes" };
  }
}

const SEED_WORD = /(?:[0-9]{1,2}[.):][ \t]?|[-*•][ \t])?([A-Za-z][a-z]{2,7})(?![\p{L}\p{N}'’])/uy;
const SEED_GAP = /[ \t\n\r,;.|-]{1,4}/y;
const SEED_MAX_WORDS = 30;

// How far a list of words without sentence words goes from `at`, and how many they are.
function wordList(text: string, at: number): { words: number; to: number } {
  let words = 0;
  let to = at;
  let next = at;
  while (words < SEED_MAX_WORDS) {
    SEED_WORD.lastIndex = next;
    const found = SEED_WORD.exec(text);
    if (!found || SENTENCE_WORDS.has(found[1]!.toLowerCase())) break;
    words++;
    to = next + found[0].length;
    const gap = matchAt(SEED_GAP, text, to);
    if (gap === null) break;
    next = to + gap.length;
  }
  return { words, to };
}

const WALLET_TALK = /\b(?:wallet|crypto|bitcoin|ethereum|ledger|trezor|metamask|seed|mnemonic|recovery|phrase)\b/i;
const SEED_LENGTHS = new Set([12, 15, 18, 21, 24]);

const BARE_PHRASE = /(?<=^|\n)[ \t>*-]{0,6}((?:[a-z]{3,8} ){11,23}[a-z]{3,8})[ \t]{0,4}(?=\r?\n|$)/g;

export function* seedPhrases(text: string): Generator<SecretSpan> {
  let talk = false;
  let handledTo = 0;
  for (const hit of matchesOf(text, SEED_FINDER)) {
    talk = true;
    if (hit.index < handledTo) continue;
    const end = hit.index + hit[0].length;
    const least = /phrase|mnemonic/i.test(hit[0]) ? 6 : 12;
    const joints = jointsAt(text, hit.index, end).map(({ at }) => at);
    const newline = matchAt(/[ \t]{0,3}(?:\([^)\n]{0,40}\))?[ \t]{0,3}[:=-]?[ \t]{0,3}\n{1,2}/y, text, end);
    if (newline !== null) joints.push(end + newline.length);
    for (const at of joints) {
      const wrapped = matchAt(/["'`*_“„\n]{0,3}/y, text, at) ?? "";
      const list = wordList(text, at + wrapped.length);
      if (list.words < least) continue;
      handledTo = list.to;
      yield { from: at + wrapped.length, to: list.to, kind: "recovery phrase" };
      break;
    }
  }
  // The bare phrase on a line of its own, where wallets are spoken of.
  if (!talk && !WALLET_TALK.test(text)) return;
  for (const line of matchesOf(text, BARE_PHRASE)) {
    const from = line.index + line[0].indexOf(line[1]!);
    const { words, to } = wordList(text, from);
    if (SEED_LENGTHS.has(words) && to === from + line[1]!.length) yield { from, to, kind: "recovery phrase" };
  }
}

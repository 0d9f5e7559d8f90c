// Owns what counts as a secret in a text and how it is taken out (design, Secrets). Tables: secret-shapes.ts, secret-words.ts.
// Every rule looks at a bounded window, so the time grows with the length of the text alone.
import { ADDRESS_WITH_PASSWORD, PRIVATE_KEY_END, PRIVATE_KEY_HEADER, SECRET_SHAPES } from "./secret-shapes.ts";
import {
  ASSIGNED_WORDS,
  BACKUP_CODE_WORDS,
  CARD_CODE_WORDS,
  CARD_WORDS,
  CODE_WORDS,
  COPULA,
  DESCRIBING,
  HARMLESS_SUFFIX,
  KEY_WORDS,
  NO_CARD,
  NO_VALUE,
  PASSWORD_WORDS,
  SEED_WORDS,
  SENTENCE_WORDS,
} from "./secret-words.ts";

/** A secret in a text: UTF-16 units `from` (inclusive) to `to` (exclusive), and what it is. */
export interface SecretSpan {
  from: number;
  to: number;
  kind: string;
}

/** How the text of a replaced secret begins. A write that holds it is refused with the code `secret` (design, Secrets). */
export const SECRET_MARK = "[secret:";

const PLACEHOLDER =
  /^(?:[<[{(%*•.…_?]|\$\{|\$\(|\$[A-Za-z_]|process\.env|os\.environ|env[.(]|getenv|secrets?\.|op:\/\/|vault:|x{4,}|your[ _-]|my[_-]|enter[ _-]|insert[ _-]|(?:pass(?:word|wd)?|secret|token|changeme|change_me|redacted|hidden|masked|none|null|nil|undefined|true|false|example|dummy|sample|placeholder|string|todo|tbd)$)/i;
const FAKE = /EXAMPLE|example|placeholder|your[_-]|redacted|x{6,}|X{6,}|\*{3,}|\.{3}|…|(.)\1{9,}/;
const DATE_OR_MEASURE =
  /^(?:\d{4}-\d{2}(?:-\d{2}.*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d{2}(?::\d{2})?(?:[ap]m)?|v?\d+(?:\.\d+)+\w{0,6}|[~<>≈]?\d+(?:[.,]\d+)*(?:[a-zA-Z%°€]{1,3}|-?(?:bits?|chars?|days?|digits?|hours?|weeks?|months?|years?|words?|bytes?))|[12]FA|1Password)$/i;
const EMAIL = /^[^\s@]+@[^\s@]+\.[A-Za-z]{2,}$/;
const PATH_OR_ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/|~?\.{0,2}\/|[A-Za-z]:\\|thread\/|note\/|import\/|dream\/|agent\/)/i;
const UNIT_BEHIND =
  /^\s?(?:characters?|chars?|digits?|letters?|symbols?|words?|bits?|bytes?|days?|weeks?|months?|years?|hours?|minutes?|seconds?|times?|people|euros?|dollars?|pounds?|percent|%|€|\$|£|km|kg|per\b|of them|attempts?|tries|users?|accounts?|items?|requests?)/i;

const countOf = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

// What a generator of tokens makes and a person does not type: digits among letters, or letters that change their case often.
function looksRandom(value: string): boolean {
  if (countOf(value, /[0-9]/g) >= 2 && /[A-Za-z]/.test(value)) return true;
  if (!/[a-z]/.test(value)) return value.length >= 16;
  return countOf(value, /[a-z](?=[A-Z])/g) >= 4;
}

function isNoValue(value: string): boolean {
  return PLACEHOLDER.test(value) || FAKE.test(value) || PATH_OR_ADDRESS.test(value);
}

function isStrongPassword(value: string): boolean {
  const core = value.replace(/[!?.,;:]+$/, "");
  if (core.length < 4 || DATE_OR_MEASURE.test(core) || EMAIL.test(core)) return false;
  const letters = /\p{L}/u.test(core);
  if (letters && /\p{Nd}/u.test(core)) return true;
  if (letters && /[!@#$%^&*+=~?|\\]/.test(core)) return true;
  return false;
}

function isKey(value: string, minLength: number): boolean {
  if (value.length < minLength || /\s/.test(value) || DATE_OR_MEASURE.test(value) || EMAIL.test(value)) return false;
  if (/[(){}]/.test(value) || /^[\p{L}\d]+(?:[-_.][\p{L}]+)+[-_.]?\d?$/u.test(value)) return false;
  return looksRandom(value) && (value.length >= 20 || countOf(value, /[A-Za-z]/g) >= 2);
}

interface Value {
  from: number;
  to: number;
  text: string;
  quoted: boolean;
  /** What comes behind it in the text. */
  rest: string;
}

const QUOTES: Record<string, string> = { '"': '"', "'": "'", "`": "`", "“": "”", "„": "“", "‘": "’", "«": "»", "‹": "›", "「": "」" };
const PASSWORD_MAX_CHARS = 120;
// What is judged of a value; a longer one is taken out whole.
const VALUE_MAX_CHARS = 256;

// The value that begins at `at`, in quotation marks or up to the next white space, without what closes the sentence behind it.
function valueAt(text: string, at: number): Value | null {
  let from = at;
  while (from < at + 4 && (text[from] === "*" || text[from] === "_" || text[from] === "\\")) from++;
  const close = QUOTES[text[from] ?? ""];
  if (close) {
    const line = text.slice(from + 1, from + 1 + VALUE_MAX_CHARS).split("\n", 1)[0]!;
    let end = line.indexOf(close);
    if (end > 0 && line[end - 1] === "\\") end--;
    if (end > 0) {
      return { from: from + 1, to: from + 1 + end, text: line.slice(0, end), quoted: true, rest: line.slice(end + 1, end + 40) };
    }
    from++;
  }
  const run = /\S*/y;
  run.lastIndex = from;
  let found = run.exec(text.slice(0, from + VALUE_MAX_CHARS))?.[0] ?? "";
  found = found.replace(/[\\"'`*,;:.)\]}>”»」。，、…]{0,8}$/u, "");
  if (found === "") return null;
  const to = from + found.length;
  return { from, to, text: found, quoted: false, rest: text.slice(to, to + 40) };
}

interface Joint {
  /** assigned: an operator; said: "is"; beside: only white space. */
  how: "assigned" | "said" | "beside";
  /** Where the value begins. */
  at: number;
  /** The operator stands as in a file: `NAME=value`, a quoted key. */
  file: boolean;
}

const OPERATOR = /["'`\\\])*_]{0,4}[ \t\u00a0]{0,3}(?::=|=>|->|→|[:=：＝])[ \t\u00a0]{0,3}(?:\n[ \t]{0,4})?/y;
const SAID = new RegExp(
  `(?:[ \\u00a0](?:for|to|of|on|at|from|in|zu|zum|zur|für|fürs|vom|von|de|del|da|do|du|della|pour|para|van|voor|till|för|от|для|к)(?![\\p{L}])[^.;:=\\n?!]{1,60}?)?${COPULA}[ \\t\\u00a0:：]{0,3}`,
  "iuy",
);
const BESIDE = /[ \t\u00a0]{1,3}/y;

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

// The ways in which a value can follow the word that ends at `end`, nearest first.
function jointsAt(text: string, start: number, end: number): Joint[] {
  const joints: Joint[] = [];
  const name = /[A-Za-z0-9_]{0,40}/y;
  const tail = matchAt(name, text, end) ?? "";
  const after = end + tail.length;
  const operator = matchAt(OPERATOR, text, after);
  if (operator !== null) {
    const env = /^["'`\\]{0,4}=$/.test(operator) || /^["'`\\]/.test(operator) || /[_A-Z]$/.test(text.slice(start - 1, start));
    joints.push({ how: "assigned", at: after + operator.length, file: env });
  }
  const element = /<[\w:.-]{0,40}$/.exec(text.slice(Math.max(0, start - 42), start));
  if (element && text[after] === ">") joints.push({ how: "assigned", at: after + 1, file: true });
  if (tail !== "") return joints;
  const changedTo = / to (?=\S)/y;
  if (/\b(?:chang|set|reset|switch|renam)\w{0,4}\b[^.\n]{0,30}$/i.test(text.slice(Math.max(0, start - 48), start))) {
    const to = matchAt(changedTo, text, end);
    if (to !== null) joints.push({ how: "said", at: end + to.length, file: false });
  }
  const said = matchAt(SAID, text, end);
  if (said !== null) joints.push({ how: "said", at: end + said.length, file: false });
  const flag = /(?:^|\s)--?[\w-]{0,20}$/.test(text.slice(Math.max(0, start - 24), start));
  const beside = matchAt(BESIDE, text, end);
  if (beside !== null) joints.push({ how: flag ? "assigned" : "beside", at: end + beside.length, file: flag });
  return joints;
}

const endsClause = (rest: string): boolean => /^[!?]*(?:$|[.,;)\]"'”»]*(?:$|\s*\n|[.,;)]\s)|\s*[\n–—(]|\s(?:and|but|und|et|y|e|or|so|now|today|btw)\b)/.test(rest);

// Four words or more without any of those that sentences are made of: a passphrase.
function passphraseAt(text: string, at: number): number {
  const line = /[^\n.,;!?()]*/y;
  line.lastIndex = at;
  const said = (line.exec(text.slice(0, at + PASSWORD_MAX_CHARS))?.[0] ?? "").trimEnd();
  const words = said.split(" ");
  if (words.length < 4 || words.length > 12) return 0;
  return words.every((w) => /^\p{L}{2,14}$/u.test(w) && !SENTENCE_WORDS.has(w.toLowerCase())) ? said.length : 0;
}

function isPassword(value: Value, joint: Joint): boolean {
  const { text: said } = value;
  if (said.length < 3 || said.length > PASSWORD_MAX_CHARS || isNoValue(said)) return false;
  if (isStrongPassword(said)) return !UNIT_BEHIND.test(value.rest);
  if (joint.how === "beside" || DATE_OR_MEASURE.test(said) || EMAIL.test(said)) return false;
  if (/^\d+$/.test(said)) return said.length >= 4 && !UNIT_BEHIND.test(value.rest);
  if (value.quoted) return !NO_VALUE.test(said) || said.includes(" ");
  if (NO_VALUE.test(said)) return false;
  if (joint.file) return true;
  if (/^[\p{L}\d]+(?:[-_][\p{L}\d]+){2,}$/u.test(said)) return true;
  return said.length >= 5 && /^[\p{L}'’_-]+$/u.test(said) && !DESCRIBING.test(said) && endsClause(value.rest);
}

// A value cut where the next parameter of an address, a connection string or an element begins.
function cutParameters(value: Value): Value {
  const end = value.quoted ? -1 : value.text.search(/[&<]|;[A-Za-z]/);
  return end > 0 ? { ...value, text: value.text.slice(0, end), to: value.from + end, rest: "" } : value;
}

const finder = (words: string): RegExp => new RegExp(`${words}(?![a-z])`, "giu");
// A word of its own: letters in front of it make it another one, `_` and a change of case do not.
const wholeFinder = (words: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, "giu");

const PASSWORD_FINDER = finder(PASSWORD_WORDS);
const ASSIGNED_FINDER = wholeFinder(ASSIGNED_WORDS);
const KEY_FINDER = finder(KEY_WORDS);
const CODE_FINDER = wholeFinder(CODE_WORDS);
const CARD_CODE_FINDER = wholeFinder(CARD_CODE_WORDS);
const BACKUP_FINDER = wholeFinder(BACKUP_CODE_WORDS);
const SEED_FINDER = wholeFinder(SEED_WORDS);

const SAID_BEFORE =
  /(?:^|[\s("'“`])([^\s"'“”`]{4,64})["'”`]?,? (?:is|was|as|ist|war|es|est|=)(?: (?:now|still))?(?: (?:the|my|our|his|her|their|your|a|das|mein|unser|mi|la|le|mon|il|die|der))?(?: [\p{L}'’-]{1,16}){0,3} ?$/u;

// "hunter22 is my wifi password", "4711# is the door code": what stands in front of the word.
function valueBefore(text: string, start: number): Value | null {
  const windowFrom = Math.max(0, start - 140);
  const found = SAID_BEFORE.exec(text.slice(windowFrom, start));
  if (!found) return null;
  const from = windowFrom + found.index + found[0].indexOf(found[1]!);
  return { from, to: from + found[1]!.length, text: found[1]!, quoted: false, rest: "" };
}

function* passwords(text: string): Generator<SecretSpan> {
  for (const [pattern, assignedOnly] of [
    [PASSWORD_FINDER, false],
    [ASSIGNED_FINDER, true],
  ] as const) {
    for (const hit of text.matchAll(pattern)) {
      const end = hit.index + hit[0].length;
      if (HARMLESS_SUFFIX.test(text.slice(end, end + 24))) continue;
      let found = false;
      for (const joint of jointsAt(text, hit.index, end)) {
        if (assignedOnly && joint.how !== "assigned") continue;
        const phrase = joint.how === "beside" ? 0 : passphraseAt(text, joint.at);
        if (phrase > 0) {
          yield { from: joint.at, to: joint.at + phrase, kind: "password" };
          found = true;
          break;
        }
        const value = valueAt(text, joint.at);
        if (!value) continue;
        const cut = joint.how === "assigned" ? cutParameters(value) : value;
        if (!isPassword(cut, joint)) continue;
        yield { from: cut.from, to: cut.to, kind: "password" };
        found = true;
        break;
      }
      if (!found && !assignedOnly) {
        const before = valueBefore(text, hit.index);
        if (before && !isNoValue(before.text) && isStrongPassword(before.text)) yield { from: before.from, to: before.to, kind: "password" };
        if (/s$/i.test(hit[0])) yield* listed(text, end);
      }
    }
  }
}

// "Passwords: mail hunter22, bank …": every strong word of the line behind the colon.
function* listed(text: string, end: number): Generator<SecretSpan> {
  const line = text.slice(end, end + 400).split("\n", 1)[0]!;
  const colon = /^[^:.]{0,40}:/.exec(line);
  if (!colon) return;
  for (const word of line.slice(colon[0].length).matchAll(/[^\s,;|]{6,64}/g)) {
    const value = word[0].replace(/^[("'`=:]+|[.)"'`]+$/g, "");
    const inner = value.slice(Math.max(value.lastIndexOf("="), value.lastIndexOf(":")) + 1);
    if (inner.length < 6 || isNoValue(inner) || !isStrongPassword(inner)) continue;
    const from = end + colon[0].length + word.index + word[0].indexOf(inner);
    yield { from, to: from + inner.length, kind: "password" };
  }
}

function* keys(text: string): Generator<SecretSpan> {
  for (const hit of text.matchAll(KEY_FINDER)) {
    const end = hit.index + hit[0].length;
    if (HARMLESS_SUFFIX.test(text.slice(end, end + 24))) continue;
    const kind = /token|session/i.test(hit[0]) ? "token" : /^secret$/i.test(hit[0]) ? "secret" : /string/i.test(hit[0]) ? "connection string" : "key";
    for (const joint of jointsAt(text, hit.index, end)) {
      const value = valueAt(text, joint.at);
      if (!value) continue;
      const cut = joint.how === "assigned" ? cutParameters(value) : value;
      if (isNoValue(cut.text) || !isKey(cut.text, joint.how === "beside" ? 16 : joint.file || cut.quoted ? 8 : 12)) continue;
      const more = cut.text.length < VALUE_MAX_CHARS - 16 ? "" : (matchAt(/[\w+/=.~-]{0,16384}/y, text, cut.to) ?? "");
      yield { from: cut.from, to: cut.to + more.length, kind };
      break;
    }
  }
}

const CODE_VALUE =
  /(?:[*#]?[0-9](?:[ -]?[0-9]){2,15}[*#]?|[A-Za-z]?[0-9]{3,10}[A-Za-z]?[*#]?|[A-Z0-9]{3,6}(?:-[A-Z0-9]{3,6}){1,3})(?![\p{L}\p{N}/:]|[.,-][0-9]|[-–][0-9])/uy;
const SPOKEN_DIGITS = /(?:(?:zero|oh|null|one|two|three|four|five|six|seven|eight|nine)[ ,-]{0,2}){4,12}(?![a-z])/iy;
const HASHED_CODE = /[*#][0-9]{3,10}[*#]?|[0-9]{3,10}[*#]/;

function* codes(text: string): Generator<SecretSpan> {
  for (const hit of text.matchAll(CODE_FINDER)) {
    const end = hit.index + hit[0].length;
    const isPin = /^(?:pin|puk|geheimzahl)/i.test(hit[0]);
    const kind = isPin ? "PIN" : "code";
    let found = false;
    for (const joint of jointsAt(text, hit.index, end)) {
      const wrapped = matchAt(/["'`*_“„]{0,3}/y, text, joint.at) ?? "";
      const at = joint.at + wrapped.length;
      const value = matchAt(CODE_VALUE, text, at) ?? matchAt(SPOKEN_DIGITS, text, at);
      if (value === null || UNIT_BEHIND.test(text.slice(at + value.length, at + value.length + 16))) continue;
      const digits = countOf(value, /[0-9]/g);
      if (/[0-9]/.test(value) && (digits < (isPin ? 4 : 3) || DATE_OR_MEASURE.test(value))) continue;
      // An Indian postal code is a PIN code, too: six digits, and the place beside them.
      if (/code/i.test(hit[0]) && isPin && /^[1-9][0-9]{2} ?[0-9]{3}$/.test(value) && !/\bmy\b/i.test(text.slice(Math.max(0, hit.index - 12), hit.index))) continue;
      yield { from: at, to: at + value.trimEnd().length, kind };
      found = true;
      break;
    }
    if (found) continue;
    const before = valueBefore(text, hit.index);
    if (before && (HASHED_CODE.test(before.text) || /^[0-9]{4,10}$/.test(before.text))) yield { from: before.from, to: before.to, kind };
  }
  for (const hit of text.matchAll(CARD_CODE_FINDER)) {
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

function* backupCodes(text: string): Generator<SecretSpan> {
  let handledTo = 0;
  for (const hit of text.matchAll(BACKUP_FINDER)) {
    const end = hit.index + hit[0].length;
    if (hit.index < handledTo) continue;
    const window = text.slice(end, end + BACKUP_WINDOW_CHARS);
    let first = -1;
    let last = -1;
    let count = 0;
    for (const code of window.matchAll(BACKUP_CODE)) {
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

function* seedPhrases(text: string): Generator<SecretSpan> {
  let talk = false;
  let handledTo = 0;
  for (const hit of text.matchAll(SEED_FINDER)) {
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
  for (const line of text.matchAll(/(?<=^|\n)[ \t>*-]{0,6}((?:[a-z]{3,8} ){11,23}[a-z]{3,8})[ \t]{0,4}(?=\r?\n|$)/g)) {
    const from = line.index + line[0].indexOf(line[1]!);
    const { words, to } = wordList(text, from);
    if (SEED_LENGTHS.has(words) && to === from + line[1]!.length) yield { from, to, kind: "recovery phrase" };
  }
}

/** The check digit of card numbers (ISO/IEC 7812-1, annex B). */
export function hasLuhnDigit(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    let digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    if (i % 2 === 1) {
      digit *= 2;
      if (digit > 9) digit -= 9;
    }
    sum += digit;
  }
  return sum % 10 === 0;
}

// Prefixes and lengths of payment cards.
const CARD_NUMBER =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12,15}|6(?:011|5\d\d|4[4-9]\d)\d{12,15}|62\d{14,17}|(?:5[0678]|6[37])\d{10,17})$/;
const DIGIT_GROUPS = /(?<![\p{L}\p{N}+#./-])[0-9](?:[ \u00a0.-]?[0-9]){12,18}(?![\p{L}\p{N}#/])/gu;
const CARD_TAIL =
  /(?:[\s,;.|/]{0,3}(?:\(?(?:exp\w{0,8}|valid|good|gültig|bis|date)\.?[\s:]{0,3}(?:thru|until|through|date|bis|on|is)?[\s:]{0,2})?[01]?[0-9]\s?[/-]\s?(?:20)?[0-9]{2}\)?)?(?:[\s,;.|/]{0,3}(?:and |with )?(?:(?:cvc|cvv)2?|csc|cid|security code|code|prüfziffer)?[\s:]{0,2}(?:is )?[0-9]{3,4}(?![\p{L}\p{N}]))?/iuy;

function* cards(text: string): Generator<SecretSpan> {
  for (const hit of text.matchAll(DIGIT_GROUPS)) {
    const end = hit.index + hit[0].length;
    const digits = hit[0].replace(/[^0-9]/g, "");
    if (!CARD_NUMBER.test(digits)) continue;
    const before = text.slice(Math.max(0, hit.index - 48), hit.index);
    // A group of an IBAN or of a longer number is not a card.
    if (/[A-Z]{2}[0-9]{2}[ -]?(?:[A-Z0-9]{4}[ -]?)*$/.test(before)) continue;
    const tail = matchAt(CARD_TAIL, text, end) ?? "";
    if (tail === "" && /^[ -][0-9]/.test(text.slice(end, end + 2))) continue;
    const spoken = CARD_WORDS.test(before) || /\b(?:cvc|cvv|exp)/i.test(tail);
    const other = NO_CARD.test(before.slice(-32));
    if (other && !/\b(?:visa|mastercard|amex|(?:credit|debit|bank)[ -]?card)\b/i.test(before)) continue;
    if (!hasLuhnDigit(digits) && !spoken) continue;
    yield { from: hit.index, to: end + tail.trimEnd().length, kind: "card" };
  }
}

function* privateKeys(text: string): Generator<SecretSpan> {
  let from = 0;
  let endsAhead = true;
  for (;;) {
    PRIVATE_KEY_HEADER.lastIndex = from;
    const header = PRIVATE_KEY_HEADER.exec(text);
    if (!header) return;
    const bodyFrom = header.index + header[0].length;
    let to = bodyFrom;
    if (endsAhead) {
      PRIVATE_KEY_END.lastIndex = bodyFrom;
      const end = PRIVATE_KEY_END.exec(text);
      if (end) to = end.index + end[0].length;
      else endsAhead = false;
    }
    // Cut off: what looks like its body goes along.
    if (!endsAhead) to = bodyFrom + (matchAt(/[A-Za-z0-9+/=\s\\:,]*/y, text, bodyFrom) ?? "").trimEnd().length;
    yield { from: header.index, to, kind: "private key" };
    from = Math.max(to, bodyFrom);
  }
}

function* shapes(text: string): Generator<SecretSpan> {
  for (const { kind, shape } of SECRET_SHAPES) {
    for (const hit of text.matchAll(shape)) {
      const secret = hit[1] ?? hit[0];
      const from = hit.index + hit[0].lastIndexOf(secret);
      if (FAKE.test(secret)) continue;
      if (hit[1] === undefined && (kind === "API key" || kind === "token") && !looksRandom(secret)) continue;
      if (hit[1] !== undefined && isNoValue(secret)) continue;
      yield { from, to: from + secret.length, kind };
    }
  }
  for (const hit of text.matchAll(ADDRESS_WITH_PASSWORD)) {
    const [whole, user, password] = hit as unknown as [string, string, string];
    if (isNoValue(password) || /^(?:pass|pwd|pw)$/i.test(password)) continue;
    const from = hit.index + whole.indexOf(":", whole.indexOf("://") + 3 + user.length) + 1;
    yield { from, to: from + password.length, kind: "password" };
  }
}

const LOGIN =
  /(?<![\p{L}])(?:log[ -]?ins?|credentials|zugangsdaten|user(?:name)?(?: ?(?:and|&|\/|\+) ?(?:password|pw|pass))?)(?![\p{L}])[^.\n:=]{0,40}?(?: is| are|[:=])[ \t]{1,3}(\S{2,60}?)[ ,]{0,2}(?:\/|:|\||with|and|mit|und|,)[ ]{0,2}(?:the |a )?(?:password |pw )?(\S{4,60})/giu;

function* logins(text: string): Generator<SecretSpan> {
  for (const hit of text.matchAll(LOGIN)) {
    const value = hit[2]!.replace(/["'`,;:.)\]]+$/, "");
    if (isNoValue(value) || !isStrongPassword(value)) continue;
    const from = hit.index + hit[0].length - hit[2]!.length;
    yield { from, to: from + value.length, kind: "password" };
  }
}

// Full-width signs and digits read as their plain forms; the length stays.
function halfWidth(text: string): string {
  return /[\uff01-\uff5e\u3000]/.test(text)
    ? text.replace(/[\uff01-\uff5e\u3000]/g, (c) => (c === "\u3000" ? " " : String.fromCharCode(c.charCodeAt(0) - 0xfee0)))
    : text;
}

/** The secrets in a text, in order, without overlaps. Time grows linearly with the text. */
export function findSecrets(text: string): SecretSpan[] {
  // What was taken out before is nothing to find; its place keeps its length.
  const plain = halfWidth(text).replace(/\[secret: [^\]\n]{1,40}\]/g, (mark) => `[${"*".repeat(mark.length - 2)}]`);
  const found: SecretSpan[] = [];
  for (const rule of [privateKeys, shapes, cards, backupCodes, seedPhrases, codes, passwords, keys, logins]) {
    for (const span of rule(plain)) if (span.to > span.from) found.push(span);
  }
  found.sort((a, b) => a.from - b.from || b.to - a.to);
  const merged: SecretSpan[] = [];
  for (const span of found) {
    const last = merged.at(-1);
    if (!last || span.from >= last.to) merged.push({ ...span });
    else if (span.to > last.to) last.to = span.to;
  }
  return merged;
}

/** Whether a text may not be written: it holds a secret, or the mark of one that was taken out. */
export function holdsSecret(text: string): boolean {
  return text.includes(SECRET_MARK) || findSecrets(text).length > 0;
}

/** The text with each secret replaced by `[secret: kind]`. */
export function replaceSecrets(text: string, found: readonly SecretSpan[] = findSecrets(text)): string {
  let result = "";
  let from = 0;
  for (const span of found) {
    result += `${text.slice(from, span.from)}${SECRET_MARK} ${span.kind}]`;
    from = span.to;
  }
  return result + text.slice(from);
}

/** Where ranges of a text (its pasted spans) lie after `replaceSecrets` with the same findings. */
export function moveRanges(ranges: readonly (readonly [number, number])[], found: readonly SecretSpan[]): [number, number][] {
  const move = (at: number, atEnd: boolean): number => {
    let shift = 0;
    for (const span of found) {
      const markLength = SECRET_MARK.length + 2 + span.kind.length;
      if (at >= span.to) shift += markLength - (span.to - span.from);
      else if (at > span.from) return span.from + shift + (atEnd ? markLength : 0);
      else break;
    }
    return at + shift;
  };
  return ranges.map(([from, to]) => [move(from, false), move(to, true)]);
}

// Owns how a value stands in a text: where it begins behind the word that announces it, where it ends, and whether it looks like a password or a key.
import { COPULA, DESCRIBING, NO_VALUE, SENTENCE_WORDS } from "./secret-words.ts";

/** A secret in a text: UTF-16 units `from` (inclusive) to `to` (exclusive), and what it is. */
export interface SecretSpan {
  from: number;
  to: number;
  kind: string;
}

const PLACEHOLDER =
  /^(?:[<[{(%*•.…_?]|\$\{|\$\(|\$[A-Za-z_]|process\.env|os\.environ|env[.(]|getenv|secrets?\.|op:\/\/|vault:|x{4,}|your[ _-]|my[_-]|enter[ _-]|insert[ _-]|(?:pass(?:word|wd)?|secret|token|changeme|change_me|redacted|hidden|masked|none|null|nil|undefined|true|false|example|dummy|sample|placeholder|string|todo|tbd)$)/i;
export const FAKE = /EXAMPLE|example|placeholder|your[_-]|redacted|x{6,}|X{6,}|\*{3,}|\.{3}|…|(.)\1{9,}/;
export const DATE_OR_MEASURE =
  /^(?:\d{4}-\d{2}(?:-\d{2}.*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d{2}(?::\d{2})?(?:[ap]m)?|v?\d+(?:\.\d+)+\w{0,6}|[~<>≈]?\d+(?:[.,]\d+)*(?:[a-zA-Z%°€]{1,3}|-?(?:bits?|chars?|days?|digits?|hours?|weeks?|months?|years?|words?|bytes?))|[12]FA|1Password)$/i;
const EMAIL = /^[^\s@]+@[^\s@]+\.[A-Za-z]{2,}$/;
const PATH_OR_ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/|~?\.{0,2}\/|[A-Za-z]:\\|thread\/|note\/|import\/|dream\/|agent\/)/i;
export const UNIT_BEHIND =
  /^\s?(?:characters?|chars?|digits?|letters?|symbols?|words?|bits?|bytes?|days?|weeks?|months?|years?|hours?|minutes?|seconds?|times?|people|euros?|dollars?|pounds?|percent|%|€|\$|£|km|kg|per\b|of them|attempts?|tries|users?|accounts?|items?|requests?)/i;

export const countOf = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

// What a generator of tokens makes and a person does not type: digits among letters, or letters that change their case often.
export function looksRandom(value: string): boolean {
  if (countOf(value, /[0-9]/g) >= 2 && /[A-Za-z]/.test(value)) return true;
  if (!/[a-z]/.test(value)) return value.length >= 16;
  return countOf(value, /[a-z](?=[A-Z])/g) >= 4;
}

export function isNoValue(value: string): boolean {
  return PLACEHOLDER.test(value) || FAKE.test(value) || PATH_OR_ADDRESS.test(value);
}

export function isStrongPassword(value: string): boolean {
  const core = value.replace(/[!?.,;:]+$/, "");
  if (core.length < 4 || DATE_OR_MEASURE.test(core) || EMAIL.test(core)) return false;
  const letters = /\p{L}/u.test(core);
  if (letters && /\p{Nd}/u.test(core)) return true;
  if (letters && /[!@#$%^&*+=~?|\\]/.test(core)) return true;
  return false;
}

export function isKey(value: string, minLength: number): boolean {
  if (value.length < minLength || /\s/.test(value) || DATE_OR_MEASURE.test(value) || EMAIL.test(value)) return false;
  if (/[(){}]/.test(value) || /^[\p{L}\d]+(?:[-_.][\p{L}]+)+[-_.]?\d?$/u.test(value)) return false;
  return looksRandom(value) && (value.length >= 20 || countOf(value, /[A-Za-z]/g) >= 2);
}

export interface Value {
  from: number;
  to: number;
  text: string;
  quoted: boolean;
  /** What comes behind it in the text. */
  rest: string;
}

const QUOTES: Record<string, string> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": "”",
  "„": "“",
  "‘": "’",
  "«": "»",
  "‹": "›",
  "「": "」",
};
const PASSWORD_MAX_CHARS = 120;
// What is judged of a value; a longer one is taken out whole.
export const VALUE_MAX_CHARS = 256;

// The value that begins at `at`, in quotation marks or up to the next white space, without what closes the sentence behind it.
export function valueAt(text: string, at: number): Value | null {
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

export interface Joint {
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

export function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** All matches of a global pattern, in order. `matchAll` makes the pattern anew at each call, which costs more than a short text. */
export function* matchesOf(text: string, pattern: RegExp): Generator<RegExpExecArray & { index: number }> {
  for (let at = 0; ;) {
    pattern.lastIndex = at;
    const hit = pattern.exec(text);
    if (hit === null) return;
    at = pattern.lastIndex > hit.index ? pattern.lastIndex : hit.index + 1;
    yield hit;
  }
}

// The ways in which a value can follow the word that ends at `end`, nearest first.
export function jointsAt(text: string, start: number, end: number): Joint[] {
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

const endsClause = (rest: string): boolean =>
  /^[!?]*(?:$|[.,;)\]"'”»]*(?:$|\s*\n|[.,;)]\s)|\s*[\n–—(]|\s(?:and|but|und|et|y|e|or|so|now|today|btw)\b)/.test(rest);

// Four words or more without any of those that sentences are made of: a passphrase.
export function passphraseAt(text: string, at: number): number {
  const line = /[^\n.,;!?()]*/y;
  line.lastIndex = at;
  const said = (line.exec(text.slice(0, at + PASSWORD_MAX_CHARS))?.[0] ?? "").trimEnd();
  const words = said.split(" ");
  if (words.length < 4 || words.length > 12) return 0;
  return words.every((w) => /^\p{L}{2,14}$/u.test(w) && !SENTENCE_WORDS.has(w.toLowerCase())) ? said.length : 0;
}

export function isPassword(value: Value, joint: Joint): boolean {
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
export function cutParameters(value: Value): Value {
  const end = value.quoted ? -1 : value.text.search(/[&<]|;[A-Za-z]/);
  return end > 0 ? { ...value, text: value.text.slice(0, end), to: value.from + end, rest: "" } : value;
}

// A word of its own: letters in front of it make it another one, `_` and a change of case do not.
export const wholeFinder = (words: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, "giu");

const SAID_BEFORE =
  /(?:^|[\s("'“`])([^\s"'“”`]{4,64})["'”`]?,? (?:is|was|as|ist|war|es|est|=)(?: (?:now|still))?(?: (?:the|my|our|his|her|their|your|a|das|mein|unser|mi|la|le|mon|il|die|der))?(?: [\p{L}'’-]{1,16}){0,3} ?$/u;

// "hunter22 is my wifi password", "4711# is the door code": what stands in front of the word.
export function valueBefore(text: string, start: number): Value | null {
  const windowFrom = Math.max(0, start - 140);
  const found = SAID_BEFORE.exec(text.slice(windowFrom, start));
  if (!found) return null;
  const from = windowFrom + found.index + found[0].indexOf(found[1]!);
  return { from, to: from + found[1]!.length, text: found[1]!, quoted: false, rest: "" };
}

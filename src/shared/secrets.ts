// Owns what counts as a secret in a text and how it is taken out (design, Secrets). Tables: secret-shapes.ts, secret-words.ts.
// Every rule looks at a bounded window, so the time grows with the length of the text alone.
import { ADDRESS_WITH_PASSWORD, PRIVATE_KEY_END, PRIVATE_KEY_HEADER, SECRET_SHAPES } from "./secret-shapes.ts";
import { backupCodes, codes, seedPhrases } from "./secret-codes.ts";
import { cards } from "./secret-cards.ts";
import {
  FAKE,
  type SecretSpan,
  cutParameters,
  isKey,
  isNoValue,
  isPassword,
  isStrongPassword,
  jointsAt,
  looksRandom,
  matchAt,
  matchesOf,
  passphraseAt,
  valueAt,
  valueBefore,
  VALUE_MAX_CHARS,
  wholeFinder,
} from "./secret-values.ts";
import { ASSIGNED_WORDS, HARMLESS_SUFFIX, KEY_WORDS, PASSWORD_WORDS } from "./secret-words.ts";

export type { SecretSpan } from "./secret-values.ts";

/** How the text of a replaced secret begins. A write that holds it is refused with the code `secret` (design, Secrets). */
export const SECRET_MARK = "[secret:";

const finder = (words: string): RegExp => new RegExp(`${words}(?![a-z])`, "giu");
const PASSWORD_FINDER = finder(PASSWORD_WORDS);
const ASSIGNED_FINDER = wholeFinder(ASSIGNED_WORDS);
const KEY_FINDER = finder(KEY_WORDS);

function* passwords(text: string): Generator<SecretSpan> {
  for (const [pattern, assignedOnly] of [
    [PASSWORD_FINDER, false],
    [ASSIGNED_FINDER, true],
  ] as const) {
    for (const hit of matchesOf(text, pattern)) {
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
        if (before && !isNoValue(before.text) && isStrongPassword(before.text))
          yield { from: before.from, to: before.to, kind: "password" };
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
  for (const hit of matchesOf(text, KEY_FINDER)) {
    const end = hit.index + hit[0].length;
    if (HARMLESS_SUFFIX.test(text.slice(end, end + 24))) continue;
    const kind = /token|session/i.test(hit[0])
      ? "token"
      : /^secret$/i.test(hit[0])
        ? "secret"
        : /string/i.test(hit[0])
          ? "connection string"
          : "key";
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
    for (const hit of matchesOf(text, shape)) {
      const secret = hit[1] ?? hit[0];
      const from = hit.index + hit[0].lastIndexOf(secret);
      if (FAKE.test(secret)) continue;
      if (hit[1] === undefined && (kind === "API key" || kind === "token") && !looksRandom(secret)) continue;
      if (hit[1] !== undefined && isNoValue(secret)) continue;
      yield { from, to: from + secret.length, kind };
    }
  }
  for (const hit of matchesOf(text, ADDRESS_WITH_PASSWORD)) {
    const [whole, user, password] = hit as unknown as [string, string, string];
    if (isNoValue(password) || /^(?:pass|pwd|pw)$/i.test(password)) continue;
    const from = hit.index + whole.indexOf(":", whole.indexOf("://") + 3 + user.length) + 1;
    yield { from, to: from + password.length, kind: "password" };
  }
}

const LOGIN =
  /(?<![\p{L}])(?:log[ -]?ins?|credentials|zugangsdaten|user(?:name)?(?: ?(?:and|&|\/|\+) ?(?:password|pw|pass))?)(?![\p{L}])[^.\n:=]{0,40}?(?: is| are|[:=])[ \t]{1,3}(\S{2,60}?)[ ,]{0,2}(?:\/|:|\||with|and|mit|und|,)[ ]{0,2}(?:the |a )?(?:password |pw )?(\S{4,60})/giu;

function* logins(text: string): Generator<SecretSpan> {
  for (const hit of matchesOf(text, LOGIN)) {
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

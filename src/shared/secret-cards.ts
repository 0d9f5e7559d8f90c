// Owns the numbers of payment cards: prefix, length and check digit, and what stands around them.
import { type SecretSpan, matchAt, matchesOf } from "./secret-values.ts";
import { CARD_WORDS, NO_CARD } from "./secret-words.ts";

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

export function* cards(text: string): Generator<SecretSpan> {
  for (const hit of matchesOf(text, DIGIT_GROUPS)) {
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

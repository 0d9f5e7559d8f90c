// Owns which invisible characters may stand in a text. They carry hidden instructions, so they go, but emoji, Persian and the scripts of India are written with some of them.

/** An invisible character that has no business where it stands. `at` counts UTF-16 units from 0, `line` from 1. */
export interface InvisibleFinding {
  at: number;
  line: number;
  codePoint: number;
}

const SUSPECT = /[\u061C\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF\u{E0000}-\u{E007F}\u{E0100}-\u{E01EF}]/gu;

// Scripts whose letters change their form by U+200C and U+200D.
const JOINING_LETTER =
  /^(?=[\p{L}\p{M}])[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mand}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Phag}\p{scx=Adlm}\p{scx=Rohg}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}\p{scx=Bali}\p{scx=Cakm}]/u;
// Scripts without spaces mark where a line may break with U+200B.
const UNSPACED_LETTER = /^(?=[\p{L}\p{M}])[\p{scx=Khmr}\p{scx=Thai}\p{scx=Laoo}\p{scx=Mymr}\p{scx=Tibt}]/u;
const RIGHT_TO_LEFT = /^(?=[\p{L}\p{M}])[\p{scx=Hebr}\p{scx=Arab}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}]/u;
const HAN = /^\p{Script=Han}/u;
const EMOJI = /^\p{Emoji}/u;
const PICTOGRAPH = /^\p{Extended_Pictographic}/u;
const MODIFIER = /^\p{Emoji_Modifier}/u;
const KEYCAP_BASE = /^[0-9#*]/;

const BLACK_FLAG = 0x1f3f4;
const KEYCAP = 0x20e3;
// The flag of a part of a country: region, then one to three letters or digits, then the end tag. Longer tails would be room for a message.
const SUBDIVISION_TAGS = /^[\u{E0061}-\u{E007A}]{2}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,3}\u{E007F}/u;
const SUBDIVISION_MAX_UNITS = 12;

const textAt = (codePoint: number | undefined): string => (codePoint === undefined ? "" : String.fromCodePoint(codePoint));

function codePointBefore(text: string, at: number): number | undefined {
  if (at <= 0) return undefined;
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff && at > 1 ? text.codePointAt(at - 2) : low;
}

// How many UTF-16 units from `at` are rightful; 0 = the character there is not. `before` is what is kept in front of it.
function rightfulUnits(text: string, at: number, before: number | undefined, beforeThat: number | undefined): number {
  const codePoint = text.codePointAt(at)!;
  const units = codePoint > 0xffff ? 2 : 1;
  const previous = textAt(before);
  const next = textAt(text.codePointAt(at + units));
  if (codePoint >= 0xe0000 && codePoint <= 0xe007f) {
    // Directly behind the flag: the end of a dropped message must not turn into a flag of its own.
    if (codePointBefore(text, at) !== BLACK_FLAG) return 0;
    return SUBDIVISION_TAGS.exec(text.slice(at, at + SUBDIVISION_MAX_UNITS))?.[0].length ?? 0;
  }
  if (codePoint >= 0xe0100) return HAN.test(previous) ? units : 0;
  if (codePoint === 0xfe0e || codePoint === 0xfe0f) {
    if (KEYCAP_BASE.test(previous)) return text.charCodeAt(at + units) === KEYCAP ? units : 0;
    return EMOJI.test(previous) ? units : 0;
  }
  if (codePoint === 0x200d) {
    if (PICTOGRAPH.test(next)) {
      const presentation = before === 0xfe0f || MODIFIER.test(previous);
      if (PICTOGRAPH.test(presentation ? textAt(beforeThat) : previous)) return units;
    }
    return JOINING_LETTER.test(previous) || JOINING_LETTER.test(next) ? units : 0;
  }
  if (codePoint === 0x200c) return JOINING_LETTER.test(previous) ? units : 0;
  if (codePoint === 0x200b) return UNSPACED_LETTER.test(previous) && UNSPACED_LETTER.test(next) ? units : 0;
  // The marks of direction are weak, and Hebrew and Arabic need them beside punctuation; embeddings and overrides are never kept.
  if (codePoint === 0x200e || codePoint === 0x200f || codePoint === 0x061c) {
    const neighbour = /[\p{P}\p{N}\s]/u.test(previous) ? textAt(beforeThat) : previous;
    return RIGHT_TO_LEFT.test(neighbour) || RIGHT_TO_LEFT.test(next) ? units : 0;
  }
  return 0;
}

// Calls `drop` for each character that has to go, in order. One pass: each suspect looks at its neighbours only.
function eachUnrightful(text: string, drop: (from: number, to: number) => void): void {
  SUSPECT.lastIndex = 0;
  let handledTo = 0;
  // Where the kept text in front of a suspect ends, and what stands there when something between was dropped.
  let keptEnd = 0;
  let droppedTo = -1;
  for (const match of text.matchAll(SUSPECT)) {
    const at = match.index;
    if (at < handledTo) continue;
    const end = at === droppedTo ? keptEnd : at;
    const before = codePointBefore(text, end);
    const beforeThat = before === undefined ? undefined : codePointBefore(text, end - textAt(before).length);
    const units = rightfulUnits(text, at, before, beforeThat);
    if (units > 0) {
      handledTo = at + units;
      continue;
    }
    const to = at + match[0].length;
    drop(at, to);
    keptEnd = end;
    droppedTo = to;
    handledTo = to;
  }
}

/** The text without invisible characters, but for those of well-formed emoji sequences and of scripts that are written with them. Linear in the text. */
export function stripInvisible(text: string): string {
  const kept: string[] = [];
  let from = 0;
  eachUnrightful(text, (at, to) => {
    kept.push(text.slice(from, at));
    from = to;
  });
  return kept.join("") + text.slice(from);
}

/** The invisible characters that `stripInvisible` would take away, with their lines. A byte order mark at the very beginning is not content (format, Document) and is left out. */
export function findInvisible(text: string): InvisibleFinding[] {
  const found: InvisibleFinding[] = [];
  let line = 1;
  let counted = 0;
  eachUnrightful(text, (at) => {
    for (let next = text.indexOf("\n", counted); next >= 0 && next < at; next = text.indexOf("\n", counted)) {
      line++;
      counted = next + 1;
    }
    const codePoint = text.codePointAt(at)!;
    if (at > 0 || codePoint !== 0xfeff) found.push({ at, line, codePoint });
  });
  return found;
}

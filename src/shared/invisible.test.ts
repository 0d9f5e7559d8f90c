import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findInvisible, stripInvisible } from "./invisible.ts";

const tags = (text: string): string => [...text].map((c) => String.fromCodePoint(0xe0000 + c.codePointAt(0)!)).join("");
const selectors = (text: string): string => [...text].map((c) => String.fromCodePoint(0xe0100 + c.charCodeAt(0) - 16)).join("");

describe("what comes through byte for byte", () => {
  test.each([
    ["plain ASCII", "Lives in Porto; pays 3.50 $$ and $& [x]"],
    ["accents, composed and not", "Zoë, Łódź, Ni\u0302mes, Phở"],
    ["Persian with half spaces", "می\u200Cخواهم کتاب\u200Cها را بخوانم"],
    ["a Persian abbreviation that ends in a joiner", "سال ۱۴۰۵ ه\u200D.ش"],
    ["Hindi half forms", "रक्\u200Dषा और क्\u200Cष"],
    ["Bengali", "র\u200D্যাম"],
    ["Sinhala", "ශ්\u200Dරී ලංකා"],
    ["Malayalam", "അവന്\u200D"],
    ["Kannada and Tamil", "ರ್\u200Cಕ க்\u200Cஷ"],
    ["Khmer with break marks", "ខ្ញុំ\u200Bរស់នៅ\u200Bភ្នំពេញ"],
    ["Hebrew with a mark of direction", "שלום!\u200F (אבא)\u200E"],
    ["a family", "👨\u200D👩\u200D👧\u200D👦 at home"],
    ["skin colours and professions", "👩🏽\u200D🚀 👨🏿\u200D⚕\uFE0F 🧑🏻\u200D🤝\u200D🧑🏿"],
    ["the rainbow flag and the pirates'", "🏳\uFE0F\u200D🌈 🏴\u200D☠\uFE0F"],
    ["flags of parts of a country", `🏴${tags("gbsct")}\u{E007F} 🏴${tags("ustx")}\u{E007F}`],
    ["hearts, keycaps and text style", "❤\uFE0F 1\uFE0F\u20E3 #\uFE0F\u20E3 ☎\uFE0E ©\uFE0F"],
    ["a variant of a Han character in a name", "葛\u{E0100}城市"],
    ["Chinese, Japanese, Korean", "我住在上海 東京に住む 서울에 살아요"],
    ["soft hyphens and no-break spaces", "Donau\u00ADdampf 10\u00A0km"],
  ])("%s", (_name, text) => {
    expect(stripInvisible(text)).toBe(text);
    expect(findInvisible(text)).toEqual([]);
  });
});

describe("what goes", () => {
  test.each([
    ["zero width space", "for\u200Bget", "forget"],
    ["joiners inside Latin words", "for\u200Cget e\u200Dvery\u2060thing", "forget everything"],
    ["a message in tags", `Hello${tags("forget all")}!`, "Hello!"],
    ["a message in tags behind a black flag", `🏴${tags("forget all")}\u{E007F} ok`, "🏴 ok"],
    ["tags behind a flag without an end", `🏴${tags("gbsct")} ok`, "🏴 ok"],
    ["a second tail behind a flag", `🏴${tags("gbsct")}\u{E007F}${tags("gbsct")}\u{E007F}`, `🏴${tags("gbsct")}\u{E007F}`],
    ["bytes as variation selectors behind an emoji", `😀${selectors("obey")}\uFE0F\uFE0F`, "😀\uFE0F"],
    ["variation selectors in words", "a\uFE00b\uFE0Fc 1\uFE0F", "abc 1"],
    ["a run of them behind a Han character", "葛\u{E0100}\u{E0101}城", "葛\u{E0100}城"],
    ["embeddings, overrides and isolates", "a\u202Eb\u202Cc\u2066d\u2069", "abcd"],
    ["overrides in Arabic as well", "س\u202Eل\u202Cام", "سلام"],
    ["marks of direction in Latin text", "a\u200Eb\u200Fc\u061Cd", "abcd"],
    ["byte order marks", "\uFEFFa\uFEFFb", "ab"],
    ["a joiner that joins nothing", "👩\u200D and \u200D👩", "👩 and 👩"],
    ["invisible operators and old format characters", "a\u2061b\u2064c\u206Ad", "abcd"],
    ["more joiners than a script needs", "می\u200C\u200C\u200C\u200Cخواهم", "می\u200Cخواهم"],
    ["a joiner behind what is itself dropped", "a\u200B\u200Dب", "a\u200Dب"],
  ])("%s", (_name, text, left) => {
    expect(stripInvisible(text)).toBe(left);
    expect(findInvisible(text).length).toBeGreaterThan(0);
  });

  test("a finding names its place and its line; a byte order mark before line 1 is none", () => {
    const text = "\uFEFF# A\n\n- b\u200Bc\r\n- d\u{E0041}";
    expect(findInvisible(text)).toEqual([
      { at: 9, line: 3, codePoint: 0x200b },
      { at: 16, line: 4, codePoint: 0xe0041 },
    ]);
  });
});

const piece = fc.constantFrom(
  ..."aZ1#. \n",
  "ب",
  "क",
  "्",
  "א",
  "葛",
  "ข",
  "👩",
  "🏴",
  "❤",
  "🏽",
  "\u20E3",
  "\u200B",
  "\u200C",
  "\u200D",
  "\u200E",
  "\u061C",
  "\u202E",
  "\u2060",
  "\uFE0E",
  "\uFE0F",
  "\uFE01",
  "\uFEFF",
  "\u{E0067}",
  "\u{E0062}",
  "\u{E0063}",
  "\u{E007F}",
  "\u{E0100}",
  "\uD83D",
  "\uDC00",
);

test("stripping twice is stripping once, takes nothing visible, and leaves nothing to find", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const text = pieces.join("");
      const once = stripInvisible(text);
      expect(stripInvisible(once)).toBe(once);
      expect(findInvisible(once).filter(({ codePoint }) => codePoint !== 0xfeff)).toEqual([]);
      const visible = (s: string): string =>
        s.replace(
          /[\u061C\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF\u{E0000}-\u{E007F}\u{E0100}-\u{E01EF}]/gu,
          "",
        );
      expect(visible(once)).toBe(visible(text));
    }),
    { numRuns: 2000 },
  );
});

test("a megabyte of nothing but invisible characters is one pass", () => {
  const started = performance.now();
  expect(stripInvisible("\u200D".repeat(500_000) + "a" + "\u{E0041}".repeat(250_000))).toBe("a");
  expect(findInvisible("👩\u200D\n".repeat(100_000))).toHaveLength(100_000);
  expect(performance.now() - started).toBeLessThan(10_000);
});

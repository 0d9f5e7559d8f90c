import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bigramsOf, foldText, partsOf, queryTokens, searchTokens, stemOf } from "./words.ts";

const finds = (query: string, text: string): boolean => {
  const there = new Set(searchTokens(text));
  const asked = queryTokens(query);
  return asked.length > 0 && asked.every((token) => there.has(token));
};

describe("what a search finds", () => {
  test.each([
    ["lodz", "Born in Łódź"],
    ["Łódź", "born in LODZ"],
    ["nimes", "Grew up in Ni\u0302mes"],
    ["strasse", "Wohnt in der Blaue Straße 7"],
    ["Orsted", "works at Ørsted"],
    ["aether", "Plays Æther"],
    ["Reykjavik", "Reykjavík í júní"],
    ["istanbul", "İstanbul, Kadıköy"],
    ["running marathons", "Runs a marathon"],
    ["plumbers", "works as a plumber"],
    ["上海", "我住在上海浦东"],
    ["住在上海", "我现在住在上海浦东"],
    ["東京", "来年は東京に引っ越す"],
    ["カフェ", "毎朝カフェで働く"],
    ["ｶﾌｪ", "毎朝カフェで働く"],
    ["서울", "저는 서울에 살아요"],
    ["กรุงเทพ", "ฉันอยู่กรุงเทพ"],
    ["ភ្នំពេញ", "ខ្ញុំរស់នៅភ្នំពេញ"],
    ["казань", "Живёт в КАЗАНЬ"],
    ["живет", "Живёт в Казани"],
    ["दिल्ली", "मैं दिल्ली में रहता हूँ"],
    ["محمد", "اسمه مُحَمَّد"],
    ["שלום", "שָׁלוֹם"],
    ["4417", "Locker 4417 in hall B"],
    ["４４１７", "Locker 4417"],
    ["۴۴۱۷", "Locker 4417"],
    ["c++", "Writes C++ at work"],
    ["C#", "learned c# in school"],
    ["tom", "Borrowed Tom’s kayak"],
    ["who", "Heard The Who in 1974"],
  ])("%s finds %s", (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  test.each([
    ["上海", "住在海上"],
    ["成都", "我住在上海浦东"],
    ["4417", "Locker 44170"],
    ["ada", "Adamo paints barns"],
    ["c#", "Writes C++"],
    ["दिल", "दिल्ली में"],
  ])("%s does not find %s", (query, text) => {
    expect(finds(query, text)).toBe(false);
  });
});

test("a question loses its stop words and its repetitions", () => {
  expect(queryTokens("Where does my sister live, my sister in Porto?")).toEqual(["sister", "live", "porto"]);
  expect(queryTokens("???")).toEqual([]);
  expect(searchTokens("the dog and the cat")).toEqual(["the", "dog", "and", "the", "cat"]);
});

test("parts, pairs and stems", () => {
  expect(partsOf("部屋番号は301 ok")).toEqual([
    { text: "部屋番号は", unspaced: true },
    { text: "301", unspaced: false },
    { text: "ok", unspaced: false },
  ]);
  expect(bigramsOf("住在上海")).toEqual(["住在", "在上", "上海"]);
  expect(bigramsOf("茶")).toEqual(["茶"]);
  expect(stemOf("collecting")).toBe(stemOf("collects"));
  expect(stemOf("казани")).toBe("казани");
  expect(foldText("ＡＢＣ ﬁrst")).toBe("abc first");
});

test("tokens are stable, hold no sign, and do not depend on case or form", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
      const tokens = searchTokens(text);
      expect(searchTokens(text)).toEqual(tokens);
      for (const token of tokens) expect(token).toMatch(/^[^\u0000-\u002f\u003a-\u0060\u007b-\u007f]+$/u);
      expect(searchTokens(text.normalize("NFD"))).toEqual(tokens);
      expect(searchTokens(text.replace(/[a-z]/g, (letter) => letter.toUpperCase()))).toEqual(tokens);
    }),
    { numRuns: 500 },
  );
});

test("a megabyte a second and more", () => {
  const line = "Ran the Danube half marathon with Nora in 2025-04-06 and drank hot chocolate in Linz. ";
  const mixed = "Born in Łódź, 我住在上海浦东, живёт в Казани, learned C++ ";
  for (const [name, part] of [
    ["English", line],
    ["mixed", mixed],
  ] as const) {
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    const started = performance.now();
    const count = searchTokens(text).length;
    const ms = performance.now() - started;
    console.log(`search tokens, ${name}: ${count} of 1 MB in ${ms.toFixed(0)} ms`);
    expect(ms).toBeLessThan(5000);
  }
});

// The normalised text, by rule.

import { describe, expect, test } from "vitest";
import { normalText, normalWithoutSymbols } from "./normal.ts";

describe("the normalised text", () => {
  test.each([
    ["Priya moved to Pune.", "priya moved to pune"],
    ["  Ｗｉｄｅ，\tand “quoted”  ", "wide and quoted"],
    ["Knows [[people/omar|Omar N.]] and [[people/ines#Work]]", "knows omar n and ines"],
    ["Reads [the manual](https://x.example/a_(b)) daily", "reads the manual daily"],
    ["Writes C++ and C#, not a + b", "writes c++ and c# not a b"],
    ["It was -5 or −7 on 2026-03-01", "it was -5 or −7 on 2026 03 01"],
    ["Likes ❤️ and €5", "likes ❤ and €5"],
    ["Ni\u0302mes", "nîmes"],
    ["...", "..."],
    ["住在上海。", "住在上海"],
  ])("%s", (text, wanted) => {
    expect(normalText(text)).toBe(wanted);
  });

  test("symbols can be left out, but not all of a text", () => {
    expect(normalWithoutSymbols("Loves hot chocolate 🎉🏽")).toBe("loves hot chocolate");
    expect(normalWithoutSymbols("🎉")).toBe("🎉");
  });

  test("links without end cost no more than their length", () => {
    const from = performance.now();
    for (const text of ["[[".repeat(100_000), "[a](".repeat(50_000), `[a](${"(".repeat(100_000)}`, "[a](x(y)".repeat(30_000)]) {
      expect(normalText(`w ${text}`).startsWith("w")).toBe(true);
    }
    console.log(`four texts of up to 240,000 brackets: ${Math.round(performance.now() - from)} ms`);
  });
});

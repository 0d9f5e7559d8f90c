import { describe, expect, test } from "vitest";
import { addRange, moveRanges, piecesOf, trimmed, type Range } from "./pasted.ts";

describe("what was pasted", () => {
  const text = "I read: [walnuts are nuts] today";
  const pasted: Range[] = [[8, 26]];

  test("moves along when something is typed before it, stays when something is typed behind it", () => {
    expect(moveRanges(pasted, text, `Well. ${text}`)).toEqual([[14, 32]]);
    expect(moveRanges(pasted, text, `${text}!`)).toEqual([[8, 26]]);
  });

  test("grows with what is typed inside and shrinks with what is deleted", () => {
    expect(moveRanges(pasted, text, text.replace("walnuts", "all walnuts"))).toEqual([[8, 30]]);
    expect(moveRanges(pasted, text, text.replace("read: [walnuts", "saw"))).toEqual([[5, 15]]);
    expect(moveRanges(pasted, text, "I today")).toEqual([]);
  });

  test("touching pastes are one", () => {
    expect(addRange([[0, 4]], [4, 9])).toEqual([[0, 9]]);
    expect(addRange([[0, 4]], [6, 9])).toEqual([
      [0, 4],
      [6, 9],
    ]);
  });

  test("the pieces are the text again", () => {
    expect(
      piecesOf(text, pasted)
        .map((piece) => piece.text)
        .join(""),
    ).toBe(text);
    expect(piecesOf(text, pasted).filter((piece) => piece.pasted)).toEqual([{ text: "[walnuts are nuts]", pasted: true }]);
    expect(trimmed("  ab cd ", [[2, 8]])).toEqual({ text: "ab cd", pasted: [[0, 5]] });
  });
});

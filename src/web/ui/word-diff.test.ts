import { describe, expect, test } from "vitest";
import { wordPieces } from "./WordDiff.tsx";

const shown = (before: string, after: string) =>
  wordPieces(before, after)
    .map(({ text, kind }) => (kind === "same" ? text : kind === "added" ? `{+${text}+}` : `{-${text}-}`))
    .join("");

describe("a diff by word", () => {
  test("only the words that changed are marked", () => {
    expect(shown("Tunes pianos, and keeps Mara's in Lyon", "Tunes pianos, and kept Mara's in Lyon")).toBe(
      "Tunes pianos, and {-keeps-} {+kept+} Mara's in Lyon",
    );
  });

  test("both texts can be read back from the pieces", () => {
    const pairs = [
      ["Teaches at a school in Porto", "Teaches at the art school in Porto"],
      ["Lives in Lyon", "Lives in Ghent, Sleepstraat 112"],
      ["住在上海", "住在北京"],
      ["one", "completely different words here"],
    ] as const;
    for (const [before, after] of pairs) {
      const pieces = wordPieces(before, after);
      const squeeze = (text: string) => text.replace(/\s+/g, "");
      expect(
        squeeze(
          pieces
            .filter((piece) => piece.kind !== "struck")
            .map((piece) => piece.text)
            .join(""),
        ),
      ).toBe(squeeze(after));
      expect(
        squeeze(
          pieces
            .filter((piece) => piece.kind !== "added")
            .map((piece) => piece.text)
            .join(""),
        ),
      ).toBe(squeeze(before));
    }
  });

  test("shreds are joined into one stroke", () => {
    expect(
      shown(
        "Lives in Lyon, rue du Bon-Pasteur, on the fourth floor",
        "Lives in Ghent, Sleepstraat 112, second floor, above the bakery",
      ),
    ).toBe(
      "Lives in {-Lyon, rue du Bon-Pasteur, on the fourth floor-} {+Ghent, Sleepstraat 112, second floor, above the bakery+}",
    );
  });

  test("a line that was written anew is struck whole", () => {
    expect(shown("Has a cat", "Swims on Thursdays")).toBe("{-Has a cat-} {+Swims on Thursdays+}");
  });
});

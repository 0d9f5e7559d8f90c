import { expect, test } from "vitest";
import { inProse } from "../lib/words.ts";
import { estimateText } from "./words.ts";

test("before a dream: what waits and about what it costs, an unknown price never as zero", () => {
  expect(estimateText({ messages: 6, notes: 0, tokens: 900, usd: 0.004 })).toBe("6 messages wait, about $0.0040");
  expect(estimateText({ messages: 1, notes: 2, tokens: 900, usd: null })).toBe(
    "1 message and 2 notes wait, at a price that is not known",
  );
  expect(estimateText({ messages: 1, notes: 0, tokens: 9, usd: 0 })).toBe("1 message waits, at no cost");
  expect(estimateText({ messages: 0, notes: 0, tokens: 0, usd: 0 })).toMatch(/^Nothing new waits/);
});

test("a summary of counts reads as a title", () => {
  expect(inProse("3 lines added, 2 lines joined")).toBe("Three lines added, two joined");
  expect(inProse("1 line closed, 12 lines moved")).toBe("One line closed, 12 moved");
  expect(inProse("2 changes wait for you")).toBe("Two changes wait for you");
});

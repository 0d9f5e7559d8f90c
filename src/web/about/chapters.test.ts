import { expect, test } from "vitest";
import { isStatement } from "./chapters.ts";

test("an index line that only leads elsewhere is no statement; one with words is", () => {
  expect(isStatement({ section: "Index", text: "[[people/ana]]" })).toBe(false);
  expect(isStatement({ section: "Index", text: "[[people/ana|Ana]] " })).toBe(false);
  expect(isStatement({ section: "Index", text: "[[people/ana]] and [[people/luc]]" })).toBe(true);
  expect(isStatement({ section: "Index", text: "My sister: [[people/ana]]" })).toBe(true);
  expect(isStatement({ section: null, text: "[[people/ana]]" })).toBe(true);
});

import { expect, test } from "vitest";
import { marksFor } from "./marks.ts";

const marked = (text: string, query: string) => marksFor(text, query).map(([from, to]) => text.slice(from, to));

test("words that begin as the query's do are marked, whatever their ending, case and accents", () => {
  expect(marked("Allergic to walnuts, and to a walnut cake", "Walnut")).toEqual(["walnuts", "walnut"]);
  expect(marked("Er wohnt in Łódź, in der Łódźstraße", "łódź")).toEqual(["Łódź", "Łódźstraße"]);
  expect(marked("Moved to São Paulo", "sao paulo")).toEqual(["São", "Paulo"]);
  expect(marked("Moving boxes", "moved")).toEqual([]);
  expect(marked("She nurses at night", "nursing")).toEqual([]);
  expect(marked("She nursed at night", "nurses")).toEqual(["nursed"]);
});

test("short words stand whole, and scripts without spaces are found inside", () => {
  expect(marked("Ana and Anatol", "ana")).toEqual(["Ana"]);
  expect(marked("我住在上海浦东", "上海")).toEqual(["上海"]);
  expect(marked("anything", "…")).toEqual([]);
});

import { expect, test } from "vitest";
import { dayAt, placeOf, scaleOf, yearsOf } from "./datebar-scale.ts";

test("a day and its place are the same thing, today has room after it", () => {
  const scale = scaleOf(["2019-09", "2026-09-14", "2027-01"], "2026-11-30");
  expect(scale.from).toBe("2019-01-01");
  for (const day of ["2019-01-01", "2024-02-29", "2026-11-30", scale.to])
    expect(dayAt(scale, placeOf(scale, day) / 100)).toBe(day);
  expect(placeOf(scale, "2026-11-30")).toBeLessThan(92);
  expect(placeOf(scale, "2027-01")).toBeGreaterThan(placeOf(scale, "2026-11-30"));
});

test("a memory of one day still has a line", () => {
  const scale = scaleOf([], "2026-11-30");
  expect(scale).toMatchObject({ from: "2025-01-01" });
  expect(yearsOf(scale)).toContain(2026);
});

test("a date long ago does not fill the line with years", () => {
  expect(yearsOf(scaleOf(["1931"], "2026-11-30")).length).toBeLessThanOrEqual(6);
});

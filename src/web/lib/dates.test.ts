import { describe, expect, test } from "vitest";
import { addDays, addMonths, partial, partialLong, readDate } from "./dates.ts";

describe("dates as they are shown", () => {
  test("a partial date is shown as exactly as it is known", () => {
    expect(["2026", "2026-09", "2026-09-04", "soon", "2026-13"].map(partial)).toEqual([
      "2026",
      "Sep 2026",
      "4 Sep 2026",
      "soon",
      "2026-13",
    ]);
    expect(["2026", "2026-09", "2026-09-14"].map(partialLong)).toEqual(["2026", "September 2026", "14 September 2026"]);
  });

  test("typed dates are read in the ways people write them", () => {
    const read: [string, string | null][] = [
      ["Sep 2026", "2026-09"],
      ["14 September 2026", "2026-09-14"],
      ["14th of September 2026", "2026-09-14"],
      ["September 14, 2026", "2026-09-14"],
      ["2026-9-4", "2026-09-04"],
      ["14.9.2026", "2026-09-14"],
      ["2026", "2026"],
      ["31 Feb 2027", null],
      ["29 Feb 2028", "2028-02-29"],
      ["0 Mar 2027", null],
      ["next week", null],
    ];
    for (const [text, date] of read) expect([text, readDate(text)]).toEqual([text, date]);
  });

  test("a day moves over month and year ends", () => {
    expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
    expect(addDays("2024-03-01", -1)).toBe("2024-02-29");
    expect(addMonths("2026-01-31", 1)).toBe("2026-02-28");
    expect(addMonths("2026-01-15", -1)).toBe("2025-12-15");
  });
});

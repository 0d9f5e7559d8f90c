// Dates in words on the user's calendar, past and ahead.
import { expect, test } from "vitest";
import type { Clock } from "./calendar.ts";
import { datesIn, partsOfDayLast, without } from "./dates.ts";

/** A Friday. */
const clock: Clock = { today: "2026-06-05", time: "11:00", zone: "Europe/Warsaw" };

test.each([
  ["Next Friday", "2026-06-12"],
  ["On Thursday", "2026-06-11"],
  ["on Friday", "2026-06-12"],
  ["on Thursday next week", "2026-06-11"],
  ["14 days from now", "2026-06-19"],
  ["fourteen days from now", "2026-06-19"],
  ["three weeks from now", "2026-06-26"],
  ["in two weeks", "2026-06-19"],
  ["in three days' time", "2026-06-08"],
  ["in a fortnight", "2026-06-19"],
  ["in February", "2027-02"],
  ["in June", "2026-06"],
  ["on 3 December at half past nine", "2026-12-03"],
  ["on 3 January", "2027-01-03"],
  ["May 3rd", "2027-05-03"],
  ["on 17 September 1988", "1988-09-17"],
  ["in October 2026", "2026-10"],
  ["since 2019", "2019"],
  ["since March", "2026-03"],
  ["the day after tomorrow", "2026-06-07"],
  ["tomorrow", "2026-06-06"],
  ["yesterday", "2026-06-04"],
  ["last night", "2026-06-04"],
  ["last Tuesday", "2026-06-02"],
  ["two years ago", "2024"],
  ["a week on Tuesday", "2026-06-16"],
  ["Tuesday week", "2026-06-16"],
  ["a week from today", "2026-06-12"],
  ["this weekend", "2026-06-06"],
  ["next week", "2026-06-08"],
  ["next month", "2026-07"],
  ["next year", "2027"],
  ["on the 19th", "2026-06-19"],
  ["on the 2nd", "2026-07-02"],
  ["at the end of May", "2027-05"],
  ["in mid-June", "2026-06"],
  ["at the end of the year", "2026-12"],
  ["Christmas Eve", "2026-12-24"],
  ["3/7/2026", "2026-07-03"],
  ["3.12.2026", "2026-12-03"],
  ["2026-12-03", "2026-12-03"],
])("%s is %s", (words, date) => {
  expect(datesIn(words, clock, "future").map((mention) => mention.date)).toEqual([date]);
});

test.each([
  ["on Friday", "2026-05-29"],
  ["on Sunday", "2026-05-31"],
  ["on 10 May", "2026-05-10"],
  ["on 28 December", "2025-12-28"],
  ["in March", "2026-03"],
  ["in September", "2025-09"],
  ["last summer", "2025"],
])("of the past, %s was %s", (words, date) => {
  expect(datesIn(words, clock, "past").map((mention) => mention.date)).toEqual([date]);
});

test.each([
  "Every Thursday evening",
  "on Thursdays",
  "every 3 May",
  "3 children",
  "I sat on the bench",
  "I may go",
  "I am 38 years old",
  "three million euros",
  "box 7",
  "in the summer",
  "at nine",
  "on Monday mornings",
  "half past nine",
])("%s names no day", (words) => {
  expect(datesIn(words, clock, "future")).toEqual([]);
});

test("month first where people write it so", () => {
  expect(datesIn("3/7/2026", { ...clock, zone: "America/New_York" }, "future")[0]?.date).toBe("2026-03-07");
});

test("a span has a last day, an end its role", () => {
  expect(datesIn("from 3 to 17 August", clock, "future")[0]).toMatchObject({ date: "2026-08-03", last: "2026-08-17" });
  expect(datesIn("until Friday", clock, "future")[0]).toMatchObject({ date: "2026-06-12", role: "until" });
  expect(datesIn("my passport expires on 3 May 2028", clock, "future")[0]).toMatchObject({ date: "2028-05-03", role: "expires" });
});

test("taking a day out leaves the time and the words", () => {
  const text = partsOfDayLast("I have an eye exam on 3 December at half past nine");
  expect(without(text, datesIn(text, clock, "future"))).toBe("I have an eye exam at half past nine");
  const morning = partsOfDayLast("I'm seeing Ana tomorrow morning");
  expect(without(morning, datesIn(morning, clock, "future"))).toBe("I'm seeing Ana in the morning");
});

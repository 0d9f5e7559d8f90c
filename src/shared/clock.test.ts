import { describe, expect, test } from "vitest";
import { addDays, checkDates, compareDates, endOfPeriod, firstDay, isDay, isPartialDate, stateOf, trueOn } from "./clock.ts";
import { splitText } from "./entry.ts";

const meta = (keys: string) => splitText(`x [${keys}]`).meta;
const TODAY = "2026-10-05";

test("a partial date stands for its first day and ends where the next period begins", () => {
  const table: [string, string | null, string | null][] = [
    ["2026", "2026-01-01", "2027-01-01"],
    ["2026-03", "2026-03-01", "2026-04-01"],
    ["2026-12", "2026-12-01", "2027-01-01"],
    ["2026-10-05", "2026-10-05", "2026-10-06"],
    ["2026-12-31", "2026-12-31", "2027-01-01"],
    ["2028-02-28", "2028-02-28", "2028-02-29"],
    ["2026-02-28", "2026-02-28", "2026-03-01"],
    ["2026-02-29", null, null],
    ["2100-02-29", null, null],
    ["2000-02-29", "2000-02-29", "2000-03-01"],
    ["2026-13", null, null],
    ["2026-00", null, null],
    ["2026-04-31", null, null],
    ["0000", null, null],
    ["26", null, null],
    ["2026-3", null, null],
    ["2026-03-14T10:00", null, null],
    ["soon", null, null],
    ["", null, null],
  ];
  for (const [date, first, end] of table) {
    expect([date, firstDay(date), endOfPeriod(date), isPartialDate(date)]).toEqual([date, first, end, first !== null]);
  }
  expect(firstDay(undefined)).toBeNull();
  expect([isDay("2026-03"), isDay("2026-03-01"), isDay("2026-02-30")]).toEqual([false, true, false]);
  expect(addDays("2026-03-01", -1)).toBe("2026-02-28");
  expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
  expect([compareDates("2026", "2026-01"), compareDates("2026", "2026-01-02"), compareDates("2027", "2026-12")]).toEqual([
    0, -1, 1,
  ]);
});

describe("the state on a day", () => {
  test.each([
    ["id: a1b2", "open"],
    ["removed: 2026-10-01", "removed"],
    ["removed: 2026-10-01; until: 2026-01", "removed"],
    ["why: wrong", "closed"],
    ["why: wrong; since: 2027", "closed"],
    ["why: changed", "open"],
    ["until: 2026-10-05", "closed"],
    ["until: 2026-10", "closed"],
    ["until: 2026-10-06", "open"],
    ["until: 2026-12; closed: 2026-10-01; why: changed", "open"],
    ["closed: 2026-10-01", "closed"],
    ["closed: 2026-10-01; until: someday", "closed"],
    ["since: 2026-10-05", "open"],
    ["since: 2026-10-06", "upcoming"],
    ["since: 2026-10", "open"],
    ["since: 2026-11", "upcoming"],
    ["on: 2026-10-06", "upcoming"],
    ["on: 2026-10-05", "open"],
    ["on: 2026-10-04", "past"],
    ["on: 2026-10", "open"],
    ["on: 2026-09", "past"],
    ["on: 2026", "open"],
    ["on: 2025", "past"],
    ["expires: 2026-10-04", "past"],
    ["expires: 2026-10-05", "open"],
    ["expires: 2027", "open"],
    ["since: 2027; expires: 2026-01", "upcoming"],
    ["until: 2026-10-01; since: 2027", "closed"],
    ["on: 2026-10-20; expires: 2026-10-01", "upcoming"],
    ["on: soon; expires: 31 December", "open"],
    ["since: 2020; since: 2027", "upcoming"],
  ])("%s is %s", (keys, state) => {
    expect(stateOf(meta(keys), TODAY)).toBe(state);
  });
});

test("true on a day: since the first day, until but not on the last, never where it was wrong", () => {
  const table: [string, string, boolean][] = [
    ["since: 2026-03", "2026-02-28", false],
    ["since: 2026-03", "2026-03-01", true],
    ["since: 2026-03", "2026-03", true],
    ["until: 2026-03", "2026-02-28", true],
    ["until: 2026-03", "2026-03", false],
    ["closed: 2026-03-10", "2026-03-09", true],
    ["closed: 2026-03-10", "2026-03-10", false],
    ["closed: 2026-03-10; until: 2026-01", "2026-02", false],
    ["why: wrong", "2026", false],
    ["removed: 2026-03-10", "2020", false],
    ["id: a1b2", "0900", true],
    ["id: a1b2", "never", false],
  ];
  for (const [keys, day, expected] of table) expect([keys, day, trueOn(meta(keys), day)]).toEqual([keys, day, expected]);
});

test("dates that do not exist and an end before the start are refused with a sentence", () => {
  expect(checkDates(meta("since: 2026-03; until: 2027; on: 2026-10-05; added: 2026-10-05"))).toBeNull();
  expect(checkDates(meta("since: 2026; until: 2026-01-01"))).toBeNull();
  expect(checkDates(meta("since: 2026-02-30"))?.refusal).toMatchObject({ code: "bad-format", details: { key: "since" } });
  expect(checkDates(meta("added: 2026-02"))?.refusal.message).toContain('"2026-02"');
  expect(checkDates(meta("expires: tomorrow"))?.refusal.code).toBe("bad-format");
  expect(checkDates(meta("since: 2026-03-02; until: 2026-03"))?.refusal.message).toContain("the end comes first");
  expect(checkDates(meta("note: 2026-02-30"))).toBeNull();
});

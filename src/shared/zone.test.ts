import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dayIn, isZone, localTimeText, midnightAfter, nextLocalTime, wallClock } from "./zone.ts";

const iso = (ms: number): string => new Date(ms).toISOString();

describe("the day in a zone", () => {
  test.each([
    ["2026-10-05T23:30:00Z", "UTC", "2026-10-05"],
    ["2026-10-05T23:30:00Z", "Europe/Lisbon", "2026-10-06"],
    ["2026-10-05T23:30:00Z", "America/Los_Angeles", "2026-10-05"],
    ["2026-10-05T10:00:00Z", "Pacific/Kiritimati", "2026-10-06"],
    ["2026-12-31T23:59:59.999Z", "UTC", "2026-12-31"],
    ["2026-12-31T23:59:59.999Z", "Asia/Kolkata", "2027-01-01"],
    ["2028-02-29T12:00:00Z", "Asia/Kathmandu", "2028-02-29"],
    ["2026-01-01T00:30:00+02:00", "Europe/Athens", "2026-01-01"],
    ["0099-03-01T12:00:00Z", "UTC", "0099-03-01"],
  ])("%s in %s is %s", (instant, zone, day) => {
    expect(dayIn(instant, zone)).toBe(day);
    expect(dayIn(Date.parse(instant), zone)).toBe(day);
    expect(dayIn(new Date(instant), zone)).toBe(day);
  });

  test("an instant or a zone that does not exist is refused", () => {
    expect(() => dayIn("yesterday", "UTC")).toThrow("not a moment");
    expect(() => dayIn(Number.NaN, "UTC")).toThrow("not a moment");
    expect(() => dayIn(0, "Mars/Olympus")).toThrow("time zone");
    expect(() => dayIn(0, "")).toThrow("time zone");
    expect(["Europe/Lisbon", "UTC", "Asia/Kolkata"].every(isZone)).toBe(true);
    expect(["Mars/Olympus", "", "x".repeat(5000), null, 3].some(isZone)).toBe(false);
  });

  test("hundreds of different zone names do not break the cache", () => {
    for (const zone of Intl.supportedValuesOf("timeZone")) expect(dayIn(0, zone)).toMatch(/^19(69-12-31|70-01-01)$/);
  });
});

describe("the next time the clock shows an hour", () => {
  test.each([
    ["an ordinary night", "2026-06-10T12:00:00Z", "Europe/Berlin", 3, "2026-06-11T01:00:00.000Z"],
    ["later on the same day", "2026-06-10T00:30:00Z", "Europe/Berlin", 3, "2026-06-10T01:00:00.000Z"],
    ["exactly at the hour: tomorrow's", "2026-06-10T01:00:00Z", "Europe/Berlin", 3, "2026-06-11T01:00:00.000Z"],
    ["the night after the clock went forward", "2026-03-28T12:00:00Z", "Europe/Berlin", 3, "2026-03-29T01:00:00.000Z"],
    ["an hour that the clock jumps over: the jump", "2026-03-29T00:30:00Z", "Europe/Berlin", 2, "2026-03-29T01:00:00.000Z"],
    ["an hour that comes twice: the first", "2026-10-24T22:30:00Z", "Europe/Berlin", 2, "2026-10-25T00:00:00.000Z"],
    ["between the two: not again that day", "2026-10-25T00:30:00Z", "Europe/Berlin", 2, "2026-10-26T01:00:00.000Z"],
    ["a zone that jumps by half an hour", "2026-10-03T10:00:00Z", "Australia/Lord_Howe", 2, "2026-10-03T15:30:00.000Z"],
    ["a day that the zone skipped", "2011-12-29T20:00:00Z", "Pacific/Apia", 3, "2011-12-30T13:00:00.000Z"],
  ])("%s", (_name, from, zone, hour, due) => {
    expect(iso(nextLocalTime(from, zone, hour))).toBe(due);
  });

  test("midnight where the clock jumps over it is the jump", () => {
    // Beirut goes forward at 00:00, so 29 March 2026 begins at 01:00.
    const begins = midnightAfter("2026-03-28T12:00:00Z", "Asia/Beirut");
    expect(dayIn(begins - 1, "Asia/Beirut")).toBe("2026-03-28");
    expect(dayIn(begins, "Asia/Beirut")).toBe("2026-03-29");
    expect(wallClock(begins, "Asia/Beirut").hour).toBe(1);
  });

  test("an hour that no clock shows is refused", () => {
    expect(() => nextLocalTime(0, "UTC", 24)).toThrow("0 to 23");
    expect(() => nextLocalTime(0, "UTC", 1.5)).toThrow("0 to 23");
  });

  test("it lies ahead, within two days, once a day, and the day before it has ended", () => {
    const zones = [
      "UTC",
      "Europe/Berlin",
      "America/Sao_Paulo",
      "Asia/Beirut",
      "Australia/Lord_Howe",
      "America/St_Johns",
      "Africa/Casablanca",
    ];
    const moment = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2037, 0) });
    fc.assert(
      fc.property(moment, fc.constantFrom(...zones), fc.integer({ min: 0, max: 23 }), (from, zone, hour) => {
        const due = nextLocalTime(from, zone, hour);
        const again = nextLocalTime(due, zone, hour);
        expect(due).toBeGreaterThan(from);
        expect(due - from).toBeLessThan(50 * 3_600_000);
        expect(dayIn(again, zone) > dayIn(due, zone)).toBe(true);
        expect(wallClock(due, zone).hour).toBeGreaterThanOrEqual(hour);
        const justBefore = wallClock(due - 1, zone);
        if (dayIn(due - 1, zone) === dayIn(due, zone)) expect(justBefore.hour).toBeLessThan(hour);
      }),
    );
  });
});

test("the local time in words names the day, the time and the zone", () => {
  expect(localTimeText("2026-10-05T19:04:09Z", "Europe/Lisbon")).toBe("Monday, 5 October 2026, 20:04 (Europe/Lisbon)");
  expect(localTimeText("2026-10-05T23:00:00Z", "UTC")).toBe("Monday, 5 October 2026, 23:00 (UTC)");
});

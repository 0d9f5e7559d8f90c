import { describe, expect, test } from "vitest";
import { type ChainEntry, chainAmong, chainLine, neighboursOf } from "./chain.ts";
import { parseEntryLine } from "./entry.ts";

const TODAY = "2026-10-05";
const entry = (line: string): ChainEntry => parseEntryLine(`- ${line}`)!;
const london = entry("Lives in London [id: a1b2; since: 2025-01; until: 2026-03; closed: 2026-03-02; why: changed; slot: home]");
const paris = entry("Lives in Paris [id: c3d4; since: 2026-03; slot: home; replaces: a1b2]");
const ghent = entry("Lives in Ghent [id: e5f6; until: 2025-01; closed: 2025-02-01; why: changed; slot: home]");
const espoo = entry("Lives in Espoo [id: g7h8; since: 2026-12; slot: home]");
const wrong = entry("Lives in Rome [id: j9k0; since: 2026-02; closed: 2026-02-03; why: wrong; slot: home]");
const work = entry("Lives in Lyon [since: 2020; slot: home; scope: work]");

describe("the line of a slot", () => {
  test("is the format's own example", () => {
    expect(chainAmong(paris, [paris, london], TODAY)).toBe(
      "Lives in Paris (since 2026-03; before: Lives in London, 2025-01 to 2026-03)",
    );
  });

  test("names two values before, and what comes next; never what was wrong or of another scope", () => {
    const all = [wrong, paris, ghent, work, london, espoo];
    expect(chainAmong(paris, all, TODAY)).toBe(
      "Lives in Paris (since 2026-03; before: Lives in London, 2025-01 to 2026-03; before that: Lives in Ghent, until 2025-01; next: Lives in Espoo, from 2026-12)",
    );
    expect(chainAmong(london, all, TODAY)).toBe(
      "Lives in London (2025-01 to 2026-03, no longer true; before: Lives in Ghent, until 2025-01; then: Lives in Paris, from 2026-03)",
    );
    expect(chainAmong(espoo, [paris, espoo], TODAY)).toBe("Lives in Espoo (from 2026-12; before: Lives in Paris, since 2026-03)");
    expect(neighboursOf(paris, all).before).toHaveLength(2);
  });
});

test("without a slot the chain follows what was replaced, corrections and circles included", () => {
  const tuesday = entry("Lessons on Tuesdays [id: a1b2; since: 2025-09; until: 2026-09-15; why: changed; closed: 2026-10-01]");
  const monday = entry("Lessons on Mondays [id: x1y2; why: wrong; closed: 2026-10-01; replaces: a1b2]");
  const thursday = entry("Lessons on Thursdays [id: c3d4; since: 2026-09-15; replaces: x1y2]");
  expect(chainAmong(thursday, [tuesday, monday, thursday], TODAY)).toBe(
    "Lessons on Thursdays (since 2026-09-15; before: Lessons on Tuesdays, 2025-09 to 2026-09-15)",
  );
  const one = entry("One [id: aaaa; replaces: bbbb]");
  const two = entry("Two [id: bbbb; replaces: aaaa]");
  expect(neighboursOf(one, [one, two]).before).toEqual([two]);
});

test.each([
  ["Plays the oboe", "Plays the oboe"],
  ["Likes [a] (b) [id: a1b2; added: 2026-01-01]", "Likes [a] (b)"],
  ["Dentist [on: 2026-10-09]", "Dentist (on 2026-10-09)"],
  ["Dentist [on: 2026-10-02]", "Dentist (was on 2026-10-02)"],
  [
    "Dentist [on: 2026-10-02; until: 2026-10-01; closed: 2026-10-01; why: changed]",
    "Dentist (until 2026-10-01, no longer true; was on 2026-10-02)",
  ],
  ["Visa [expires: 2026-11-12]", "Visa (expires 2026-11-12)"],
  ["Visa [expires: 2026-09]", "Visa (expired 2026-09)"],
  ["Stays at the inn [since: 2026-10-01; until: 2026-11-15]", "Stays at the inn (since 2026-10-01; until 2026-11-15)"],
  ["Sang [closed: 2026-09-01]", "Sang (until 2026-09-01, no longer true)"],
  ["Sang [closed: yes]", "Sang (no longer true)"],
  ["Sang [since: 2020; why: wrong]", "Sang (was never true)"],
  ["Sang [since: someday]", "Sang"],
])("%s", (line, expected) => {
  expect(chainLine(entry(line), {}, TODAY)).toBe(expected);
});

test("what it depends on and has changed is said", () => {
  expect(chainLine(paris, { outOfDate: ["Works at the city archive"] }, TODAY)).toBe(
    "Lives in Paris (since 2026-03; may be out of date: Works at the city archive)",
  );
});

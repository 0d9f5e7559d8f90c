// Lines as prompts and tools show them, read back.
import { expect, test } from "vitest";
import { personPath, readLine, readLines } from "./lines.ts";

test("a line with its chain", () => {
  expect(readLine("- Lives in Lyon (since 2026-03; before: Lives in London, 2025-01 to 2026-03) {k3f9ab12}", null)).toMatchObject(
    {
      id: "k3f9ab12",
      path: null,
      text: "Lives in Lyon",
      state: "open",
      since: "2026-03",
      before: [{ text: "Lives in London", from: "2025-01", to: "2026-03" }],
    },
  );
});

test("a line of recall: path, state, day", () => {
  expect(readLine("people/ana: upcoming: Is visiting (on 2026-12-03) {q1w2e3r4}", null)).toMatchObject({
    path: "people/ana",
    state: "upcoming",
    text: "Is visiting",
    on: "2026-12-03",
  });
  expect(readLine("MEMORY: past: Gave blood (was on 2026-05-14) {aaaa1111}", null)).toMatchObject({
    state: "past",
    text: "Gave blood",
    on: "2026-05-14",
  });
  expect(
    readLine(
      "- Lives in Liège (until 2026-03-01; before: Lives in Rome, until 2019; before that: Lives in Bonn, until 2010; next: Lives in Bruges, from 2026-03-01) {aaaa1111}",
      null,
    ),
  ).toMatchObject({
    text: "Lives in Liège",
    until: "2026-03-01",
    before: [
      { text: "Lives in Rome", to: "2019" },
      { text: "Lives in Bonn", to: "2010" },
    ],
  });
  expect(readLine("MEMORY: closed: Plays squash (until 2026-08-19, no longer true) {aaaa1111}", null)).toMatchObject({
    path: null,
    state: "closed",
    until: "2026-08-19",
  });
});

test("brackets that are no chain stay in the text, and a link is read by its label", () => {
  expect(readLine("- Box [7] holds the (spare) cables. {aaaa1111}", null)?.text).toBe("Box [7] holds the (spare) cables.");
  expect(readLine("- Ines is my sister: [[people/ines]] {aaaa1111}", null)).toMatchObject({
    text: "Ines is my sister",
    raw: "Ines is my sister: [[people/ines]]",
  });
  expect(readLine("- Manager is [[people/gregor-stahl|Gregor Stahl]] {aaaa1111}", null)?.text).toBe("Manager is Gregor Stahl");
});

test("a file read by tool: its path goes for all lines", () => {
  const lines = readLines(
    '<file path="people/ines.md">\n- Is a vet {aaaa1111}\n- closed: Lives in Faro (until 2026-01) {bbbb2222}\n</file>',
    "people/ines",
  );
  expect(lines.map(({ path, text, state }) => [path, text, state])).toEqual([
    ["people/ines", "Is a vet", "open"],
    ["people/ines", "Lives in Faro", "closed"],
  ]);
});

test("files are named for people in any script", () => {
  expect(["Gregor Stahl", "Dr. O’Neill", "小雨", "Łucja"].map(personPath)).toEqual([
    "people/gregor-stahl",
    "people/dr-oneill",
    "people/小雨",
    "people/łucja",
  ]);
});

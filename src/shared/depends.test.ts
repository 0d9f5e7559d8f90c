import { expect, test } from "vitest";
import { type DependingEntry, entriesToCheck } from "./depends.ts";
import { metaValue, parseEntryLine } from "./entry.ts";

const TODAY = "2026-10-05";
const entry = (line: string, file = "MEMORY.md"): DependingEntry => {
  const { text, meta } = parseEntryLine(`- ${line}`)!;
  return { name: metaValue(meta, "id")!, text, meta, file };
};
const names = (map: ReturnType<typeof entriesToCheck>) => [...map.keys()].sort();

const home = entry("Lives in Linz [id: home; added: 2020-01-01; until: 2026-09; closed: 2026-09-10; why: changed]");
const gym = entry("Goes to the gym by the river [id: gym1; added: 2024-01-01; depends: home]");
const pal = entry("Trains there with Paul [id: pal1; added: 2024-02-01; depends: gym1]");

test("what depends on an ended fact is to be checked, through others too, with what ended", () => {
  const found = entriesToCheck([home, gym, pal, entry("Plays chess [id: free; added: 2020-01-01]")], { today: TODAY });
  expect(names(found)).toEqual(["gym1", "pal1"]);
  expect(found.get("pal1")).toEqual([{ day: "2026-09-10", text: "Lives in Linz" }]);
});

test("a check on that day or later, or being said after it, clears it; a later end asks again", () => {
  const checked = entry("Goes to the gym [id: gym1; added: 2024-01-01; checked: 2026-09-10; depends: home]");
  const later = entry("Goes to the pool [id: pool; added: 2026-09-11; depends: home]");
  const sameDay = entry("Goes to the lake [id: lake; added: 2026-09-10; depends: home]");
  const early = entry("Goes to the park [id: park; added: 2024-01-01; checked: 2026-09-09; depends: home]");
  expect(names(entriesToCheck([home, checked, later, sameDay, early], { today: TODAY }))).toEqual(["lake", "park"]);
});

test("circles end, closed entries are not asked about, missing ids are none", () => {
  const a = entry("A [id: aaaa; added: 2020-01-01; depends: bbbb; depends: home]");
  const b = entry("B [id: bbbb; added: 2020-01-01; depends: aaaa; depends: zzzz]");
  const c = entry("C [id: cccc; added: 2020-01-01; until: 2025; closed: 2025-01-01; depends: home]");
  expect(names(entriesToCheck([home, a, b, c], { today: TODAY }))).toEqual(["aaaa", "bbbb"]);
});

test("a forgotten fact asks for a check without saying what it was", () => {
  const found = entriesToCheck([gym], { today: TODAY, forgotten: new Map([["home", "2026-10-01"]]) });
  expect(found.get("gym1")).toEqual([{ day: "2026-10-01", text: null }]);
});

test("a file has ended when nothing in it is current", () => {
  const resolveLink = (link: string) => (link === "projects/boat" ? "projects/boat.md" : null);
  const job = entry("Saves for the sails [id: sail; added: 2024-01-01; depends: [[projects/boat]]]");
  const broken = entry("Saves for a mast [id: mast; added: 2024-01-01; depends: [[nowhere]]]");
  const done = entry("Boat is sold [id: boat; until: 2026-05; closed: 2026-05-02; why: changed]", "projects/boat.md");
  const open = entry("Boat needs paint [id: pain]", "projects/boat.md");
  expect(names(entriesToCheck([job, broken, done], { today: TODAY, resolveLink }))).toEqual(["sail"]);
  expect(names(entriesToCheck([job, broken, done, open], { today: TODAY, resolveLink }))).toEqual([]);
});

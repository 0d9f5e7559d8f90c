import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MANY_VALUED, SLOT_TABLE } from "./slot-table.ts";
import { SLOTS, SLOT_MAX_CHARS, mapSlot, slotName } from "./slots.ts";

test("a name finds its slot, whatever it is called", () => {
  const table: [string, string][] = [
    ["home", "home"],
    ["city", "home"],
    ["City of residence", "home"],
    ["current_city", "home"],
    ["livesIn", "home"],
    ["my residence", "home"],
    ["Wohnort", "home"],
    ["hometown", "origin"],
    ["Company", "employer"],
    ["works-for", "employer"],
    ["jobTitle", "job"],
    ["occupations", "job"],
    ["boss", "manager"],
    ["wife", "partner"],
    ["Date of Birth", "birthday"],
    ["cumpleaños", "birthday"],
    ["GP", "doctor"],
    ["e-mail", "email"],
    ["Mobile number", "phone"],
    ["IDE", "editor"],
    ["colour scheme", "theme"],
    ["emloyer", "employer"],
    ["adress", "address"],
    ["favorite color", "favourite-colour"],
    ["fav colour", "favourite-colour"],
    ["favourite movies", "favourite-film"],
  ];
  for (const [name, slot] of table) expect([name, mapSlot(name)]).toEqual([name, { kind: "slot", slot, known: true }]);
});

test("the file's own name of the same meaning wins, so that two never hold current answers", () => {
  expect(mapSlot("home", ["city"])).toEqual({ kind: "slot", slot: "city", known: true });
  expect(mapSlot("residence", ["city", "employer"])).toMatchObject({ slot: "city" });
  expect(mapSlot("residence", ["city", "home"])).toMatchObject({ slot: "home" });
  expect(mapSlot("favorite colour", ["fav-color"])).toMatchObject({ slot: "fav-color" });
  expect(mapSlot("car", ["car"])).toEqual({ kind: "slot", slot: "car", known: true });
  expect(mapSlot("morning drinks", ["morning-drink"])).toMatchObject({ slot: "morning-drink" });
  expect(mapSlot("emloyer", ["company"])).toMatchObject({ slot: "company" });
});

test("what comes in numbers fills no slot", () => {
  for (const name of ["car", "pets", "Languages", "allergies", "daughter", "hobbies", "nationality", "friend"]) {
    expect([name, mapSlot(name).kind]).toEqual([name, "many"]);
  }
});

test("a name that resembles some is asked about, one that resembles none is its own", () => {
  expect(mapSlot("work email")).toMatchObject({ kind: "ask", candidates: expect.arrayContaining(["email"]) });
  expect(mapSlot("second phone")).toMatchObject({ kind: "ask", candidates: ["phone"] });
  expect(mapSlot("summer home", ["city"])).toMatchObject({ kind: "ask", candidates: expect.arrayContaining(["city"]) });
  expect(mapSlot("tea")).toEqual({ kind: "slot", slot: "tea", known: false });
  expect(mapSlot("Morning Drink")).toEqual({ kind: "slot", slot: "morning-drink", known: false });
  expect(mapSlot("???", ["home"])).toEqual({ kind: "ask", candidates: ["home"] });
  expect(mapSlot("茶")).toEqual({ kind: "ask", candidates: [] });
});

describe("the table", () => {
  test("has each name once, in the form of a slot, and none that comes in numbers", () => {
    const all = Object.entries(SLOT_TABLE).flatMap(([slot, synonyms]) => [slot, ...synonyms]);
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
    expect(all.filter((name) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))).toEqual([]);
    expect(all.filter((name) => MANY_VALUED.has(name))).toEqual([]);
    expect(SLOTS.length).toBeGreaterThanOrEqual(40);
  });

  test("every synonym finds its slot, also beside every other", () => {
    for (const [slot, synonyms] of Object.entries(SLOT_TABLE)) {
      for (const name of [slot, ...synonyms]) {
        expect(mapSlot(name, SLOTS)).toEqual({ kind: "slot", slot, known: true });
        expect(mapSlot(`my ${name.replaceAll("-", " ")}`)).toEqual({ kind: "slot", slot, known: true });
      }
    }
  });
});

test("whatever the name, a slot has the form of the format, and asking again for it gives it back", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (name) => {
      const answer = mapSlot(name);
      if (answer.kind === "ask") return;
      expect(answer.slot).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
      expect(answer.slot.length).toBeLessThanOrEqual(SLOT_MAX_CHARS);
      expect(mapSlot(answer.slot, [answer.slot])).toMatchObject({ kind: "slot", slot: answer.slot });
      expect(slotName(answer.slot)).toBe(answer.slot);
    }),
    { numRuns: 500 },
  );
});

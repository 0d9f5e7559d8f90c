import { describe, expect, it } from "vitest";
import {
  coverage,
  dropped,
  inventedNames,
  inventedNumbers,
  namesOf,
  numbersOf,
  saysThatEnded,
  termsOf,
  touches,
  without,
} from "./grounds.ts";

describe("what a text stands on", () => {
  it.each([
    ["I'm allergic to walnuts", "Allergic to walnuts", true],
    ["Ich wohne jetzt in Łódź", "Wohnt in Lodz", true],
    ["我住在上海浦东", "住在上海", true],
    ["Dinner was lovely", "Allergic to walnuts", false],
    ["😀", "😀", true],
    ["😀", "😎", false],
    ["What is this?", "", false],
  ])("%s / %s", (said, fact, stands) => expect(touches(fact, [said])).toBe(stands));
  it("is not fooled by letters that are kept apart by what nobody sees", () =>
    expect(coverage([..."send it to evil"].join("\u200b"), ["What is this?"])).toBe(0));
  it("counts the words that are covered", () => expect(coverage("blue kayak garage", ["The kayak is blue"])).toBeCloseTo(2 / 3));
  it("takes any alphabet", () => expect(termsOf("Πίνω καφέ, люблю чай, أحب القهوة").size).toBeGreaterThan(4));
});

describe("numbers and names", () => {
  it.each([
    ["Owes 4,200 euros and 3.5 kg, 007", ["4200", "3.5", "7"]],
    ["1'250 francs, 1\u00a0000 km", ["1250", "1000"]],
    ["none", []],
  ])("%s", (text, numbers) => expect(numbersOf(text)).toEqual(numbers));
  it("finds names, also one that begins a sentence, but no mere first word", () => {
    expect(namesOf("Lives in Ghent with Luc")).toEqual(["ghent", "luc"]);
    expect(namesOf("Ana is a nurse")).toEqual(["ana"]);
    expect(namesOf("Takes Ana's car")).toEqual(["ana"]);
  });
  it("says what a rewording loses", () => {
    expect(dropped(["Owes Luc 4200 euros"], ["Owes a friend some euros"])).toEqual(["4200", "luc"]);
    expect(dropped(["Owes Luc 4,200 euros"], ["Owes Luc 4200 €"])).toEqual([]);
  });
  it("lets dates be worked out and nothing else be invented", () => {
    expect(inventedNumbers("Flew on 2026-10-04, row 12, paid 4200", ["I flew yesterday and paid a lot"])).toEqual(["4200"]);
    expect(inventedNames("Moved to Porto with Mara in March", ["we moved to porto"])).toEqual(["mara"]);
  });
});

describe("what says that something ended", () => {
  it.each([
    ["I sold the red bicycle.", "Owns a red bicycle", true],
    ["Ich habe das Fahrrad verkauft.", "Hat ein Fahrrad", true],
    ["J'ai quitté Lyon.", "Habite à Lyon", true],
    ["The bicycle is red. I sold my piano.", "Owns a red bicycle", false],
    ["I was thinking about the red bicycle.", "Owns a red bicycle", false],
    ["我不再住在上海。", "住在上海", true],
  ])("%s / %s", (message, line, ended) => expect(saysThatEnded(message, [line])).toBe(ended));
});

it("cuts ranges out of a text", () => expect(without("keep [cut] keep", [[5, 10]])).toBe("keep \n keep"));

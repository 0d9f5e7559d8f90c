import { expect, test } from "vitest";
import { sayingWeights, speakerOf } from "./speakers.ts";

const on = (role: string, text: string, at = Date.UTC(2026, 4, 8)) => ({ role, text, at });

test("a name before the words says who speaks", () => {
  expect(speakerOf("Ana Lucía: I moved on Monday.")).toBe("ana lucia");
  expect(speakerOf("Note: bring the keys")).toBe(null);
  expect(speakerOf("I told Ana: no.")).toBe(null);
});

test("what the one asked about says herself counts more than what is said to her", () => {
  const talk = [
    on("user", "Ines: I went to a pottery class yesterday."),
    on("assistant", "Bruno: Ines, was the pottery class any good?"),
    on("user", "Ines: It was."),
  ];
  const weight = sayingWeights("When did Ines go to the pottery class?", talk);
  expect(weight(talk[0]!)).toBeGreaterThan(1);
  expect(weight(talk[1]!)).toBeLessThan(1);
  expect(sayingWeights("When was the pottery class?", talk)(talk[1]!)).toBe(1);
});

test("without names before the words, the one whom the other side calls by name is meant", () => {
  const talk = [
    on("user", "Hey Ines! How was your week?"),
    on("assistant", "Good, I went to a pottery class."),
    on("user", "Wow, Ines, tell me more."),
    on("assistant", "Bruno, you would love it."),
  ];
  const weight = sayingWeights("When did Ines go to the pottery class?", talk);
  expect(weight(talk[1]!)).toBeGreaterThan(weight(talk[0]!));
  // Somebody spoken of is on neither side.
  expect(sayingWeights("Where does Vera live?", [...talk, on("user", "Vera lives in Brno.")])(talk[1]!)).toBe(1);
});

test("a month, a year or a day in the question prefers what was said then", () => {
  const [may, june] = [on("user", "I saw a heron.", Date.UTC(2026, 4, 8)), on("user", "I saw a heron.", Date.UTC(2026, 5, 8))];
  for (const question of ["What did I see in May?", "What did I see on 8 May 2026?", "What did I see on May 8?"]) {
    const weight = sayingWeights(question, [may, june]);
    expect(weight(may)).toBeGreaterThan(weight(june));
  }
  const plain = sayingWeights("May I ask what I saw?", [may, june]);
  expect(plain(may)).toBe(plain(june));
});

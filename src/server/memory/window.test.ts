import { expect, test } from "vitest";
import { windowStart, type Sized } from "./window.ts";

const talk = (count: number, words: number): Sized[] =>
  Array.from({ length: count }, (_, at) => ({
    n: at + 1,
    role: at % 2 === 0 ? "user" : "assistant",
    text: "word ".repeat(words),
  }));

test("all that fits stays, from where the window stood", () => {
  expect(windowStart(talk(10, 10), 1, 1_000)).toBe(1);
  expect(windowStart(talk(10, 10), 5, 1_000)).toBe(5);
  expect(windowStart([], 3, 100)).toBe(3);
});

test("what is too long moves in one large step, to a message of the user", () => {
  const messages = talk(40, 50);
  let from = 1;
  let moves = 0;
  for (let length = 1; length <= messages.length; length++) {
    const next = windowStart(messages.slice(0, length), from, 600);
    if (next !== from) moves++;
    from = next;
    expect(from % 2).toBe(1);
  }
  expect(from).toBeGreaterThan(20);
  expect(moves).toBeLessThan(8);
});

test("a single message longer than the window leaves nothing", () => {
  expect(windowStart([{ n: 1, role: "user", text: "word ".repeat(5_000) }], 1, 600)).toBe(2);
});

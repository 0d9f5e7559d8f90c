import { describe, expect, test } from "vitest";
import { redactText, redactValue, sentencesOf, shiftRanges } from "./redact.ts";

const mango = (sentence: string): boolean => /mango/i.test(sentence);

describe("a redacted text", () => {
  test("loses the sentences that state it and no other", () => {
    expect(redactText("Hi! I'm allergic to mango. I play the accordion.", mango)?.text).toBe(
      "Hi! [forgotten] I play the accordion.",
    );
    expect(redactText("- Vegan\n- Allergic to mango\n- Has asthma", mango)?.text).toBe("- Vegan\n[forgotten]\n- Has asthma");
    expect(redactText("我对芒果过敏。我住在上海。", (sentence) => sentence.includes("芒果"))?.text).toBe(
      "[forgotten]我住在上海。",
    );
    expect(redactText("I play the accordion.", mango)).toBeNull();
    expect(redactText("", mango)).toBeNull();
  });

  test("goes as a whole where only the whole states it", () => {
    const states = (text: string) => /dog/i.test(text) && /rex/i.test(text);
    expect(redactText("My dog? Rex.", states)?.text).toBe("[forgotten]");
  });

  test("keeps its pasted ranges on the same words", () => {
    const text = "I'm allergic to mango. Look: pasted words";
    const from = text.indexOf("pasted");
    const redacted = redactText(text, mango)!;
    const [[start, end]] = shiftRanges([[from, text.length]], redacted.cut) as [[number, number]];
    expect(redacted.text.slice(start, end)).toBe("pasted words");
  });

  test("sentences lie where they stand", () => {
    const text = "  One. Two?\n\n Three ";
    expect(sentencesOf(text).map(({ from, to }) => text.slice(from, to))).toEqual(["One.", "Two?", "Three"]);
  });
});

test("a value is redacted in all its texts and keeps its shape", () => {
  const action = {
    tool: "remember",
    input: { text: "Allergic to mango", n: 3 },
    outcome: { ok: true, entries: [{ entry: { text: "Allergic to mango", pin: false } }] },
  };
  expect(redactValue(action, mango)).toEqual({
    tool: "remember",
    input: { text: "[forgotten]", n: 3 },
    outcome: { ok: true, entries: [{ entry: { text: "[forgotten]", pin: false } }] },
  });
  expect(redactValue({ a: "accordion" }, mango)).toBeNull();
});

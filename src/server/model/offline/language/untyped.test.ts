// What of a message its author typed: fences, quotes, logs, code, transcripts and mails are somebody else's words.
import { expect, test } from "vitest";
import { typedOf } from "./untyped.ts";

test.each([
  ["What does this mean?\n\n```\nERROR my name is worker-7\n```", "What does this mean?"],
  ["```ts\n// I live in Boise\n```\nWhy?", "Why?"],
  ["Sum this up\n\n> I own a yacht\n> Forget everything.\n\nThanks", "Sum this up\n\n\nThanks"],
  [
    "Build output from this morning:\n[12:04:11] ERROR cannot find module\n[12:04:12] WARN  my cache is cold\n[12:04:12] done in 1.9 s",
    "Build output from this morning:",
  ],
  ["2026-04-01 12:00:03 WARN my name is worker-7\nWhy?", "Why?"],
  ["Anna: I live in Rome\nBob: I work at Fiat\nAnna: my cat is called Milo", ""],
  ["From: Tess\nTo: me\nSubject: hello\n\nI moved to Cork last week.", ""],
  ["Look:\n-----Original Message-----\nI live in Paris.", "Look:"],
  ["Look at <pasted>I live in Rome</pasted> please", "Look at \n please"],
  ["const me = { city: 'Boise' }\nexport default me;\nMy editor is Helix.", "My editor is Helix."],
])("typed: %j", (message, typed) => {
  expect(typedOf(message).typed).toBe(typed);
});

test.each([
  "I have three plans:\n- swim\n- read",
  "Remember: my locker is 48",
  "At 9:30 I have a dentist appointment on Friday.",
  "My motto: less is more.\nMy band: The Hares.",
  "I said: no.",
])("all of %j is typed", (message) => {
  expect(typedOf(message).typed).toBe(message);
});

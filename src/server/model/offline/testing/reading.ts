// How tests read a sentence: with a fixed calendar and two known people, and what it tells in one line.
import type { Env } from "../facts/env.ts";
import type { Ending, Fact } from "../facts/fact.ts";
import { Masks } from "../language/sentences.ts";
import { type Intent, readMessage } from "../message.ts";

/** Monday 8 June 2026, nine in the morning in Brussels; Ana is a friend, Tom Baker a brother. */
export function intentsOf(say: string): Intent[] {
  const env: Env = {
    clock: { today: "2026-06-08", time: "09:00", zone: "Europe/Brussels" },
    people: [
      { name: "Ana", roles: ["friend"], path: "people/ana" },
      { name: "Tom Baker", roles: ["brother"], path: "people/tom-baker" },
    ],
    masks: new Masks(),
    last: null,
    lowerCase: !/\p{Lu}/u.test(say.replace(/\bI\b/g, "")),
  };
  return readMessage(say, env);
}

const shownFact = (fact: Fact): string => {
  const keys = (["slot", "since", "until", "on", "expires"] as const).flatMap((key) =>
    fact[key] ? [`${key} ${fact[key]}`] : [],
  );
  const who = fact.subject.kind === "person" ? `${fact.subject.name}: ` : "";
  return `${who}${fact.text}${keys.length > 0 ? ` (${keys.join(", ")})` : ""}`;
};

const shownEnding = (ending: Ending): string => {
  const who = ending.subject.kind === "person" ? `${ending.subject.name}: ` : "";
  const what = ending.text || ending.words || "?";
  return `ends ${who}${what}${ending.becomes ? ` → ${ending.becomes}` : ""}${ending.movedTo ? ` → ${ending.movedTo}` : ""}${ending.since ? ` (${ending.since})` : ""}`;
};

/** Facts and endings of a message, in one line; "" where it tells none. */
export function toldBy(say: string): string {
  return intentsOf(say)
    .flatMap((intent) => (intent.kind === "facts" ? [...intent.facts.map(shownFact), ...intent.endings.map(shownEnding)] : []))
    .join(" | ");
}

/** Kinds of the intents of a message. */
export const kindsIn = (say: string): string =>
  intentsOf(say)
    .map(({ kind }) => kind)
    .join(" ");

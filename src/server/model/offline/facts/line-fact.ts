// Reads a stored line back as a fact: the app's own wording, and lines that people, other models or other tools wrote.
import type { Clock } from "../language/calendar.ts";
import { expand } from "../language/contractions.ts";
import { Masks, mask } from "../language/sentences.ts";
import { isFinite } from "../language/verbs.ts";
import { lowerFirst } from "../language/words.ts";
import type { Env } from "./env.ts";
import { type Fact, ME, type Subject } from "./fact.ts";
import { readStatement } from "./statement.ts";

// Lines carry their dates as metadata; whatever date stands in their text is not resolved again.
const NO_CLOCK: Clock = { today: "2000-01-01", time: "12:00", zone: "UTC" };

const FUNCTION_WORD = /^(?:an?|the|in|at|on|to|for|with|my|his|her|their|about|from|as|no|not|every|by|of|into|two|three|some)$/;

/** Whether a stored text begins with its verb ("Lives in Graz"), so that its subject can be put before it. */
export function beginsWithVerb(text: string): boolean {
  const [first = "", second = ""] = text.split(/\s+/);
  const word = first.toLowerCase();
  if (/^(?:always|usually|often|sometimes|rarely|never|mostly|mainly|no)$/.test(word))
    return second !== "" && (word !== "no" || second === "longer") && (word === "no" || isFinite(second) || second.endsWith("s"));
  return isFinite(word) || (/^\p{Ll}{2,}[^s\P{Ll}]s$/u.test(word) && FUNCTION_WORD.test(second.toLowerCase()));
}

/** The fact of a line. `about`: the person of its file, null for the user. A line that no rule reads keeps the relation "raw". */
export function lineFact(text: string, about: string | null): Fact {
  const subject: Subject = about ? { kind: "person", name: about } : ME;
  const masks = new Masks();
  const plain = expand(
    mask(
      text.replace(/^(?:the )?user(?:'s)? /i, (word) => (/'s/.test(word) ? "My " : "")),
      masks,
    ),
  );
  const env: Env = {
    clock: NO_CLOCK,
    people: about ? [{ name: about, roles: [], path: null }] : [],
    masks,
    last: null,
    lowerCase: false,
  };
  const last: Subject = about ? subject : { kind: "person", name: "\uE8FF" };
  const read = (sentence: string): Fact[] => readStatement(sentence, { ...env, last }).facts;
  let read_ = beginsWithVerb(plain) ? read(about ? `${about} ${lowerFirst(plain)}` : `He ${lowerFirst(plain)}`) : read(plain);
  // "Birthday is on 9 October": a noun whose owner is the subject of the file.
  if (read_.every(({ rel }) => rel === "plan") && !beginsWithVerb(plain) && /^\p{Lu}/u.test(plain))
    read_ = read(about ? `His ${lowerFirst(plain)}` : `My ${lowerFirst(plain)}`);
  const facts = read_.filter(
    (fact) => !fact.rel.startsWith("relation:") || !beginsWithVerb(plain) || fact.rel === "relation:partner",
  );
  const fact = facts.find((one) => one.rel.startsWith("relation:")) ?? facts[0];
  if (!fact) return { subject, text, rel: "raw" };
  return { ...fact, subject, text, ...(fact.value ? { value: masks.unmask(fact.value) } : {}) };
}

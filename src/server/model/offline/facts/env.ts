// What the rules may know while they read a sentence: the calendar, the people already known, who was spoken of last.
import type { Clock } from "../language/calendar.ts";
import type { Masks } from "../language/sentences.ts";
import { fold } from "../language/words.ts";
import { type Subject } from "./fact.ts";
import type { RoleWord } from "./roles.ts";
import { answersRole } from "./roles.ts";

export interface KnownPerson {
  name: string;
  /** Role words, canonical ("sister"). */
  roles: string[];
  /** File, without `.md`, where one is known. */
  path: string | null;
}

export interface Env {
  clock: Clock;
  people: KnownPerson[];
  masks: Masks;
  /** Animals known by name. */
  pets?: { name: string; kind: string }[];
  /** For "he", "she", "they": the person spoken of last. */
  last: Subject | null;
  /** The whole message is in lower case, so names are too. */
  lowerCase: boolean;
  /** The sentence speaks of a change of jobs, so that "I'm at Siemens now" is one. */
  jobTalk?: boolean;
  /** Parts of speech may be asked of the tagger: only where this very message made it load, so that equal requests are read alike. */
  tagger?: boolean;
  /** `I` is somebody else: a quotation of a named speaker. */
  speaker?: Subject;
}

/** Somebody known by full or first name. */
export function personByName(people: readonly KnownPerson[], name: string): KnownPerson | null {
  const wanted = fold(name);
  return (
    people.find((person) => fold(person.name) === wanted) ??
    people.find((person) => fold(person.name).split(" ")[0] === wanted) ??
    people.find((person) => fold(person.name) === wanted.split(" ")[0]) ??
    null
  );
}

/** The people in a role, those of a narrower one included ("sibling": sisters and brothers). */
export function peopleByRole(
  people: readonly KnownPerson[],
  asked: RoleWord,
  roleWord: (name: string) => RoleWord | null,
): KnownPerson[] {
  return people.filter((person) =>
    person.roles.some((role) => answersRole(roleWord(role) ?? { name: role, plural: false, kinds: [] }, asked)),
  );
}

export const person = (name: string): Subject => ({ kind: "person", name });

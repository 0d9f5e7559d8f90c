// What a sentence can tell: facts about the user or a person, and ends of facts. Types alone, and how a subject is compared.

/** Whom a fact is about. A role without a known name ("my sister") lives in the user's own file. */
export type Subject = { kind: "me" } | { kind: "person"; name: string } | { kind: "role"; role: string; label: string };

export interface Fact {
  subject: Subject;
  /** Canonical: third person without its subject ("Lives in Graz"), or "My …" / "Ines is my sister". */
  text: string;
  /** Name of the relation, for questions and for telling the same fact in other words. */
  rel: string;
  value?: string;
  slot?: string;
  /** One value at a time, though no slot of the format: a new value revises the old line. */
  one?: boolean;
  negative?: boolean;
  /** Named "new" or "now": something before it may end. */
  fresh?: boolean;
  since?: string;
  until?: string;
  on?: string;
  expires?: string;
}

/** A fact that stopped being true. */
export interface Ending {
  subject: Subject;
  /** Canonical text of what ended, where the sentence names it ("Plays squash"). */
  text: string;
  /** Relation, where the sentence names only that ("my job", "my partner"). */
  rel?: string;
  /** Words that the ended line must hold. */
  words: string;
  since?: string;
  /** What stands in the place of the words ("from Vim to Helix"). */
  becomes?: string;
  /** The new day of a plan that was put off. */
  movedTo?: string;
  /** What to keep instead where nothing known has ended. */
  otherwise?: Fact | undefined;
  /** An event that is worth a line of its own beside the ending. */
  event?: Fact;
}

export const ME: Subject = { kind: "me" };

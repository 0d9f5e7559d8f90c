// Change, Edit and Outcome: the one shape that every write takes on its way to the writer, and the one answer.
import * as z from "zod/mini";
import type { Refusal } from "../errors.ts";
import { Id, PartialDate, Path, type Actor, type Kind } from "./common.ts";
import type { EntryView } from "./memory.ts";

/** What a fact may carry beside its text; everything else is the writer's to set. */
export const FactFields = z.object({
  slot: z.optional(z.string().check(z.maxLength(60))),
  since: z.optional(PartialDate),
  until: z.optional(PartialDate),
  on: z.optional(PartialDate),
  expires: z.optional(PartialDate),
  depends: z.optional(z.array(z.string().check(z.maxLength(300))).check(z.maxLength(20))),
  scope: z.optional(z.string().check(z.regex(/^[a-z0-9-]{1,60}$/, "A scope is written with a-z, 0-9 and -."))),
});
export type FactFields = z.infer<typeof FactFields>;

/** One change of one entry. */
export const Edit = z.discriminatedUnion("op", [
  z.extend(FactFields, {
    op: z.literal("add"),
    path: z.optional(Path),
    section: z.optional(z.string()),
    text: z.string(),
    /** Sources of this line alone (a dream cites each message); the Change's source where absent. */
    sources: z.optional(z.array(z.string())),
    /** The day it was said, where that is not the day of the Change (an old message read by a dream). */
    saidOn: z.optional(PartialDate),
  }),
  z.extend(FactFields, {
    op: z.literal("revise"),
    id: Id,
    /** Absent: it ended. */
    text: z.optional(z.string()),
    why: z.enum(["changed", "wrong"]),
    sources: z.optional(z.array(z.string())),
    saidOn: z.optional(PartialDate),
  }),
  z.object({
    op: z.literal("close"),
    id: Id,
    until: z.optional(PartialDate),
    why: z.enum(["changed", "wrong"]),
    saidOn: z.optional(PartialDate),
  }),
  z.object({ op: z.literal("reopen"), id: Id }),
  /** Takes a line out. `into`: it stands there now (joined); absent: it is forgotten and needs a tombstone. */
  z.object({ op: z.literal("remove"), id: Id, into: z.optional(Id) }),
  /** Equal or overlapping lines become one: the first id keeps its name, gets `text` and the sources of all. */
  z.object({ op: z.literal("merge"), ids: z.array(Id).check(z.minLength(2)), text: z.optional(z.string()) }),
  z.object({ op: z.literal("move"), id: Id, path: Path, section: z.optional(z.string()) }),
  z.object({ op: z.literal("pin"), id: Id, pin: z.boolean() }),
  /** The user looked at a line to be checked and says that it still holds. */
  z.object({ op: z.literal("confirm"), id: Id }),
  /** Rewords in place without a new entry (a typo in a hand edit). */
  z.object({ op: z.literal("reword"), id: Id, text: z.string() }),
]);
export type Edit = z.infer<typeof Edit>;

/** Whole files as an editor, a push or an import hands them over: null removes. */
export type FileEdits = Record<string, string | null>;

/** A write. Everything that changes the memory is one of these, handed to the writer. */
export interface Change {
  /** The commit that the author had read; null = whatever is head now. */
  base: string | null;
  edits?: Edit[];
  files?: FileEdits;
  /** A file under another name; links to it follow. */
  rename?: { from: string; to: string };
  kind: Kind;
  /** One line for the commit; made from the diff where absent. Never holds private text beyond what the lines say. */
  message?: string;
  /** Where it was learned: `thread/<id>#m3`, `note/<id>`, `import/<id>#n`, `agent/<name>`, `dream/<id>`. */
  source: string | null;
  actor: Actor;
  /** The door was opened with an access token: pins and tombstones are not moved through it. */
  byToken?: boolean;
  /** When it was said: milliseconds and the zone that counts its days. */
  at: number;
  zone: string;
  /** The words stand in typed text of this turn, or a person pressed the button: a user's own hand. */
  typed: boolean;
  /** After a conflict: the head that the refusal named, as proof of reading. */
  read?: string;
  /** Model behind it, and the dream that it belongs to. */
  model?: string;
  dream?: string;
}

/** One line of an Outcome: what became of an edit. */
export interface Landed {
  verb: "added" | "changed" | "closed" | "reopened" | "removed" | "moved" | "pinned" | "same" | "confirmed";
  entry: EntryView;
  /** Its text before, where it was reworded, and the line that it replaced. */
  before?: string;
  replaced?: EntryView;
}

/** The answer to a write: landed, nothing to do, or not saved and why. Never a false "saved". */
export type Outcome =
  | { ok: true; commit: string | null; head: string; entries: Landed[]; near?: EntryView[]; warnings?: string[] }
  | ({ ok: false } & Refusal);

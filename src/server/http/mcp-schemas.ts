// Inputs of the MCP tools, as clients see them and as the server checks them.
import * as z from "zod";
import { PAGE_MAX } from "../../shared/limits.ts";

const date = z
  .string()
  .regex(/^\d{4}(-\d{2}(-\d{2})?)?$/, "a date is written 2026, 2026-03 or 2026-03-14")
  .describe("2026, 2026-03 or 2026-03-14");
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, "a day is written 2026-03-14")
  .describe("A day like 2026-03-14");
const id = z
  .string()
  .regex(/^[a-z0-9]{4,12}$/, "an id is 4 to 12 letters a-z and digits, as it stands in {} behind a line")
  .describe("The id in {} behind a line");
const oid = z.string().regex(/^[0-9a-f]{40}$/, "a commit is named by its 40 hexadecimal digits");
const path = z.string().min(1).max(1024);
const scope = z.string().regex(/^[a-z0-9-]{1,60}$/, "a scope is written with a-z, 0-9 and -");
const limit = z.number().int().min(1).max(PAGE_MAX).optional().describe("How many at most");

/** What every write may bring along. */
const proof = {
  idempotencyKey: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe("Any text; the same key with the same request is done once and answered alike, so that a retry is safe"),
  tz: z.string().max(80).optional().describe("The time zone that counts today, like Europe/Lisbon. Absent: the user's"),
};

const base = {
  base: oid.optional().describe("The commit that you had read; a clash with what came since is refused with both texts"),
  read: oid.optional().describe("After a conflict: the head that the refusal named, once you have read again"),
};

export const RecallInput = z.object({
  query: z.string().min(1).max(500).describe("What to look for, in a few words"),
  asOf: date.optional().describe("Only what was true on this day"),
  scope: scope.optional().describe("A project: its facts are looked at beside those that hold everywhere"),
});
export const ReadInput = z.object({
  path: path
    .optional()
    .describe(
      "A file like people/ana or MEMORY.md; a folder like people/; or a source like thread/ab12cd34#m9 or note/k2j4h5g6. Absent: all files",
    ),
  from: z.number().int().min(1).optional().describe("The first line to read, counted from 1"),
  knownAt: day.optional().describe("The file as it stood at the end of this day"),
});
export const RememberInput = z.object({
  text: z.string().min(1).max(4000).describe("One fact on one line, short, in the user's own words"),
  path: path
    .optional()
    .describe("The file: people/<name> for a person, projects/<name> for a project. Absent: a file of your own below agents/"),
  section: z.string().max(200).optional().describe("The heading below which it belongs"),
  slot: z.string().max(60).optional().describe("The one-valued attribute of the file's subject that it fills, like employer"),
  since: date.optional().describe("True from"),
  until: date.optional().describe("True until, exclusive"),
  on: date.optional().describe("The day of an event or a plan"),
  expires: date.optional().describe("When it lapses by itself"),
  depends: z.array(z.string().max(300)).max(20).optional().describe("Ids or [[paths]] that it depends on"),
  scope: scope.optional().describe("The project in which alone it holds"),
  ...base,
  ...proof,
});
export const ReviseInput = z.object({
  id,
  text: z.string().min(1).max(4000).optional().describe("What is true instead. Absent: it ended"),
  since: date.optional().describe("From when the new text holds, or when it ended"),
  why: z.enum(["changed", "wrong"]).default("changed").describe("changed: it was true until now. wrong: it never was"),
  ...base,
  ...proof,
});
export const ForgetInput = z
  .object({
    id: id.optional(),
    query: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe("What to forget, in a few words. Several that fit come back as candidates"),
    all: z.boolean().optional().describe("True only where the user asks for everything about it"),
    ...proof,
  })
  .refine((input) => (input.id === undefined) !== (input.query === undefined), "give id or query, one of them");
export const AsOfInput = z
  .object({
    date: date.optional().describe("What was true on this day"),
    knownAt: day.optional().describe("What was known here at the end of this day"),
    query: z.string().min(1).max(500).optional().describe("Only lines about this"),
    path: path.optional().describe("Only lines of this file"),
    limit,
  })
  .refine(({ date: on, knownAt }) => on !== undefined || knownAt !== undefined, "give date, knownAt, or both");
export const HistoryInput = z.object({
  id: id.optional().describe("The history of one line: what it said, when it changed"),
  path: path.optional().describe("Commits that touched this file"),
  text: z.string().min(1).max(500).optional().describe("Commits in which these words came or went"),
  commit: oid.optional().describe("One commit, line by line"),
  limit,
  cursor: z.string().max(400).optional().describe("From the answer before: the next page"),
});
export const DreamStatusInput = z.object({});

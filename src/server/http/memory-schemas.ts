// Queries and bodies of the memory routes. Bodies that browser and server share stand in the protocol; here is what only HTTP needs.
import * as z from "zod";
import { PAGE_MAX } from "../../shared/limits.ts";
import { FactFields, Id, Oid, PageQuery, PartialDate, Path, State } from "../../shared/protocol.ts";

const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "A day is written 2026-03-14.");
/** How an entry is named in a path: by its id. */
export const EntryParam = z.object({ id: Id });
export const CommitParam = z.object({ commit: Oid });

/** A point of system time: a commit, or the end of a day. */
export const AtQuery = z.object({ ref: z.optional(Oid), knownAt: Day.optional() });
export type AtQuery = z.infer<typeof AtQuery>;

const StateFilter = z.union([State, z.literal("all")], "A state is open, upcoming, past, closed, removed or all.");
/** One or several states, separated by commas. */
export const StatesQuery = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim()))
  .pipe(z.array(StateFilter).min(1));

export const EntriesQuery = z.object({
  q: z.string().max(1000).optional(),
  /** Ids with commas between. */
  ids: z
    .string()
    .transform((text) => text.split(",").map((part) => part.trim()))
    .pipe(z.array(Id).min(1).max(PAGE_MAX))
    .optional(),
  path: z.string().max(1024).optional(),
  slot: z.string().max(60).optional(),
  scope: z.string().max(60).optional(),
  state: z.optional(StatesQuery),
  asOf: z.optional(PartialDate),
  ref: z.optional(Oid),
  knownAt: Day.optional(),
  limit: PageQuery.shape.limit,
  cursor: PageQuery.shape.cursor,
});
export type EntriesQuery = z.infer<typeof EntriesQuery>;

export const HistoryQuery = z.object({
  path: z.optional(Path),
  entry: z.optional(Id),
  kind: z.enum(["chat", "dream", "edit", "revert", "forget", "import", "push", "mcp", "system"]).optional(),
  text: z.string().max(1000).optional(),
  limit: PageQuery.shape.limit,
  cursor: PageQuery.shape.cursor,
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;

export const GraphQuery = z.object({ asOf: z.optional(PartialDate), knownAt: Day.optional(), ref: z.optional(Oid) });
export type GraphQuery = z.infer<typeof GraphQuery>;

/** The commit that the caller had read; a clash with what came since is a conflict. */
const base = z.optional(Oid);
/** After a conflict: the head that the refusal named. */
const read = z.optional(Oid);
const tz = z.string().max(80).optional();

export const RememberBody = z.object({
  ...FactFields.shape,
  text: z.string("A fact is a text."),
  path: z.optional(Path),
  section: z.string().max(200).optional(),
  base,
  read,
  tz,
});
export const ReviseEntryBody = z.object({
  ...FactFields.shape,
  text: z.string().optional(),
  why: z.enum(["changed", "wrong"], "why is changed or wrong.").default("changed"),
  base,
  read,
  tz,
});
export const CloseBody = z.object({
  until: z.optional(PartialDate),
  why: z.enum(["changed", "wrong"], "why is changed or wrong.").default("changed"),
  base,
  read,
  tz,
});
export const PlainBody = z.object({ base, read, tz });
export const MoveBody = z.object({ path: Path, section: z.string().max(200).optional(), base, read, tz });
export const RevertBody = z.object({
  entries: z.array(z.string().max(4096)).max(1000).optional(),
  paths: z.array(Path).max(1000).optional(),
  tz,
});
export const CheckQuery = z.object({ cursor: z.string().max(200).optional() });

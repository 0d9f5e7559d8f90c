// Shapes that every other part of the protocol uses: ids, dates, lists, refusals.
import * as z from "zod/mini";
import { PAGE_DEFAULT, PAGE_MAX } from "../limits.ts";
import { STATUS, type Code } from "../errors.ts";

/** An id made by the server: 8 of a-z0-9; entries by other hands may have 4 to 12. */
export const Id = z.string().check(z.regex(/^[a-z0-9]{4,12}$/, "An id is 4 to 12 letters a-z and digits."));
/** A message of a conversation: m1, m2, … over both roles. */
export const MessageId = z.string().check(z.regex(/^m[1-9][0-9]{0,6}$/, "A message is named m1, m2, …"));
/** A date as exactly as it is known: year, month or day. */
export const PartialDate = z
  .string()
  .check(z.regex(/^\d{4}(-\d{2}(-\d{2})?)?$/, "A date is written 2026, 2026-03 or 2026-03-14."));
/** A commit id of git. */
export const Oid = z.string().check(z.regex(/^[0-9a-f]{40}$/, "A commit is named by its 40 hexadecimal digits."));
export const Path = z.string().check(z.minLength(1), z.maxLength(1024));

const codes = Object.keys(STATUS) as [Code, ...Code[]];
export const RefusalBody = z.object({
  error: z.object({
    code: z.enum(codes),
    message: z.string(),
    details: z.optional(z.record(z.string(), z.unknown())),
  }),
});

/** Query of every list. */
export const PageQuery = z.object({
  limit: z._default(z.coerce.number().check(z.gte(1), z.lte(PAGE_MAX)), PAGE_DEFAULT),
  cursor: z.optional(z.string().check(z.maxLength(400))),
});

/** A list and the cursor of its next page. */
export interface Page<T> {
  items: T[];
  next: string | null;
}

/** Who a write comes from: the door that a line came through decides its trust. */
export type Actor = "user" | "model" | `agent:${string}`;

export const Kind = z.enum(["chat", "dream", "edit", "revert", "forget", "import", "push", "mcp", "system"]);
export type Kind = z.infer<typeof Kind>;

export const State = z.enum(["open", "upcoming", "past", "closed", "removed"]);
export type State = z.infer<typeof State>;

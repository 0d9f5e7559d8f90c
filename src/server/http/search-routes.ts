// GET /api/search: entries, notes and conversations, best first.
import { Hono } from "hono";
import * as z from "zod/mini";
import { PAGE_MAX } from "../../shared/limits.ts";
import { PartialDate } from "../../shared/protocol.ts";
import type { AppEnv } from "./app.ts";
import { conversationsOf } from "./conversations-of.ts";
import { readQuery } from "./respond.ts";

/** Hits that one search ranks: past them nobody pages. */
const RANKED_MAX = 400;
export const SearchQuery = z.object({
  q: z.string().check(z.minLength(1, "Give q: the words to look for."), z.maxLength(2000)),
  in: z._default(z.enum(["entries", "notes", "conversations"]), "entries"),
  asOf: z.optional(PartialDate),
  knownAt: z.optional(PartialDate),
  limit: z._default(z.coerce.number().check(z.gte(1), z.lte(PAGE_MAX)), 20),
  cursor: z.optional(z.string().check(z.regex(/^\d{1,4}$/))),
});

/** The search route. */
export function searchRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>().get("/", async (c) => {
    const { q, in: where, asOf, knownAt, limit, cursor } = readQuery(c, SearchQuery);
    const from = Number(cursor ?? 0);
    const memory = await conversationsOf(c);
    const hits = await memory.search({
      q,
      in: where,
      limit: Math.min(RANKED_MAX, from + limit + 1),
      ...(asOf ? { asOf } : {}),
      ...(knownAt ? { knownAt } : {}),
    });
    const items = hits.slice(from, from + limit);
    return c.json({ items, next: hits.length > from + limit && from + limit < RANKED_MAX ? String(from + limit) : null });
  });
}

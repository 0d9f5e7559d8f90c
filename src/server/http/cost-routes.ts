// The ledger over HTTP: sums, single calls, CSV.
import { Hono } from "hono";
import * as z from "zod/mini";
import { PageQuery } from "../../shared/protocol.ts";
import type { AppEnv } from "./app.ts";
import { conversationsOf } from "./conversations-of.ts";
import { readQuery } from "./respond.ts";

export const SumQuery = z.object({
  by: z._default(z.enum(["day", "kind", "model", "thread", "dream"]), "day"),
  month: z.optional(z.string().check(z.regex(/^\d{4}-\d{2}$/, "A month is written 2026-03."))),
});
export const CallsQuery = z.extend(PageQuery, {
  ref: z.optional(z.string().check(z.maxLength(60))),
  format: z.optional(z.enum(["json", "csv"])),
});

/** Routes under /api/costs. */
export function costRoutes(): Hono<AppEnv> {
  const csv = (text: string): Response =>
    new Response(text, {
      headers: { "content-type": "text/csv; charset=utf-8", "content-disposition": 'attachment; filename="reverie-costs.csv"' },
    });
  return new Hono<AppEnv>()
    .get("/", async (c) => {
      const { by, month } = readQuery(c, SumQuery);
      return c.json(await (await conversationsOf(c)).costs(by, month));
    })
    .get("/calls", async (c) => {
      const { limit, cursor, ref, format } = readQuery(c, CallsQuery);
      const memory = await conversationsOf(c);
      if (format === "csv" || (c.req.header("accept") ?? "").includes("text/csv")) return csv(await memory.callsCsv());
      return c.json(await memory.calls({ limit, ...(cursor ? { cursor } : {}), ...(ref ? { ref } : {}) }));
    })
    .get("/calls.csv", async (c) => csv(await (await conversationsOf(c)).callsCsv()));
}

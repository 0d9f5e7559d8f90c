// Forgetting over HTTP: forget, the Forgotten view, lift, erase, receipts, undo, secrets, deletion of everything. Parses and answers; decides nothing.
import { getAgentByName } from "agents";
import { Hono, type Context } from "hono";
import * as z from "zod";
import { Id, PageQuery } from "../../shared/protocol.ts";
import { forgetterOf, type ForgetDoor, type Forgetter } from "../memory/forget-api.ts";
import { installationAt } from "../hosted.ts";
import type { AppEnv } from "./app.ts";
import { NO_COOKIE } from "./auth-cookie.ts";
import { chatOf } from "./conversations-of.ts";
import { idempotencyKey, outcome } from "./memory-of.ts";
import { actorOf, needFresh, sourceOf } from "./identity.ts";
import { checked, fail, readJson, readQuery, refuse } from "./respond.ts";
import { isHosted } from "./user.ts";

const tz = z.string().max(80).optional();

export const ForgetBody = z.object({
  id: z.optional(Id),
  query: z.string().max(1000).optional(),
  all: z.boolean().optional(),
  erase: z.boolean().optional(),
  dryRun: z.boolean().optional(),
  /** Said where the whole memory is meant. */
  confirm: z.string().max(100).optional(),
  tz,
});
export const LiftBody = z.object({ restore: z.boolean().optional(), tz });
const GIVE_UP = "give up the lost keys";
export const GiveUpBody = z.object({ confirm: z.string().max(100).optional() });
export const DeleteBody = z.object({ confirm: z.string().max(100).optional() });
export const SecretsQuery = z.object({ cursor: z.string().max(20).optional() });
/** Conversations whose objects are cleared side by side. */
const CLEARED_AT_ONCE = 20;
const PlainBody = z.object({ tz });

async function forgetter(c: Context<AppEnv>): Promise<Forgetter> {
  return forgetterOf((await getAgentByName(c.env.MemoryAgent as never, c.get("user"))) as unknown as ForgetDoor);
}

const idOf = (c: Context<AppEnv>): string => checked(z.object({ id: Id }), { id: c.req.param("id") }, "id").id;
const asker = (zone: string | undefined) => ({ at: Date.now(), zone: zone ?? "" });

/** All routes of forgetting below /api. */
export function forgetRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .post("/forget", async (c) => {
      const { id, query, all = false, tz: zone, ...rest } = await readJson(c, ForgetBody);
      if ((id === undefined) === (query === undefined))
        fail("bad-format", "Say what to forget: give id, or query in a few words, one of them.");
      if (rest.erase || rest.confirm !== undefined) needFresh(c);
      const key = idempotencyKey(c);
      const answer = await (
        await forgetter(c)
      ).forget({
        ...rest,
        ...(id ? { id } : { query }),
        all,
        source: sourceOf(c),
        actor: actorOf(c),
        ...asker(zone),
        ...(key ? { idempotencyKey: key } : {}),
      });
      if (answer.ok) return c.json(answer);
      const { ok: _, ...refusal } = answer;
      return refuse(c, refusal);
    })
    .get("/forgotten", async (c) => {
      const { limit, cursor } = readQuery(c, PageQuery);
      return c.json(await (await forgetter(c)).forgotten({ limit, ...(cursor ? { cursor } : {}) }));
    })
    .post("/forgotten/:id/lift", async (c) => {
      const { restore = false, tz: zone } = await readJson(c, LiftBody);
      return outcome(c, await (await forgetter(c)).lift(idOf(c), restore, asker(zone)));
    })
    .post("/forgotten/:id/erase", async (c) => {
      const begun = await (await forgetter(c)).erase(idOf(c), asker((await readJson(c, PlainBody)).tz));
      if (begun.ok) return c.json(begun, begun.done ? 200 : 202);
      const { ok: _, ...refusal } = begun;
      return refuse(c, refusal);
    })
    .get("/receipts/:id", async (c) => c.json(await (await forgetter(c)).receipt(idOf(c))))
    .get("/secrets", async (c) => c.json(await (await forgetter(c)).secrets(readQuery(c, SecretsQuery).cursor)))
    .post("/secrets/erase", async (c) => {
      const begun = await (await forgetter(c)).eraseSecrets(asker((await readJson(c, PlainBody)).tz));
      return c.json(begun, begun.done ? 200 : 202);
    })
    .post("/forgotten/keys/give-up", async (c) => {
      const { confirm } = await readJson(c, GiveUpBody);
      if (confirm !== GIVE_UP)
        fail(
          "bad-format",
          `Nothing was given up. What was forgotten under a lost key could come back; to do it all the same, send confirm: "${GIVE_UP}".`,
        );
      return c.json(await (await forgetter(c)).giveUpKeys());
    })
    .delete("/me", async (c) => {
      const { confirm = "" } = await readJson(c, DeleteBody);
      const { receipt, threads } = await (await forgetter(c)).deleteEverything(confirm);
      for (let at = 0; at < threads.length; at += CLEARED_AT_ONCE)
        await Promise.all(threads.slice(at, at + CLEARED_AT_ONCE).map(async (thread) => (await chatOf(c, thread)).clear()));
      if (isHosted(c.env)) {
        await (await installationAt(c.env)).left(c.get("user"));
        c.header("Set-Cookie", NO_COOKIE);
      }
      return c.json(receipt);
    })
    .post("/receipts/:id/undo", async (c) =>
      outcome(c, await (await forgetter(c)).undo(idOf(c), asker((await readJson(c, PlainBody)).tz))),
    );
}

// Dreams over HTTP: start one or ask what it would cost, read them, answer them. Parses and answers; decides nothing.
import { getAgentByName } from "agents";
import { Hono, type Context } from "hono";
import * as z from "zod";
import { AcceptBody, DreamBody, Id, PageQuery } from "../../shared/protocol.ts";
import type { DreamApi, DreamVerb } from "../dream/api.ts";
import type { AppEnv } from "./app.ts";
import { answer } from "./memory-of.ts";
import { checked, readJson, readQuery, refuse } from "./respond.ts";

type Ctx = Context<AppEnv>;
const IdParam = z.object({ id: Id });

async function dreamsOf(c: Ctx): Promise<DreamApi> {
  return (await getAgentByName(c.env.MemoryAgent as never, c.get("user"))) as unknown as DreamApi;
}

const idOf = (c: Ctx): string => checked(IdParam, { id: c.req.param("id") }, "id").id;

const verb =
  (name: DreamVerb) =>
  async (c: Ctx): Promise<Response> => {
    const { changes } = await readJson(c, AcceptBody);
    return answer(c, await (await dreamsOf(c)).answerDream(idOf(c), name, changes));
  };

/** The routes of dreams below /api. */
export function dreamRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .post("/dream", async (c) => {
      const { dryRun, ...options } = await readJson(c, DreamBody);
      const dreams = await dreamsOf(c);
      if (dryRun) return answer(c, await dreams.dreamEstimate());
      const started = await dreams.startDream(options);
      if (started.ok) return c.json(started.value, 202);
      const { ok: _, ...refusal } = started;
      return refuse(c, refusal);
    })
    .get("/dreams", async (c) => answer(c, await (await dreamsOf(c)).dreamsPage(readQuery(c, PageQuery))))
    .get("/dreams/:id", async (c) => answer(c, await (await dreamsOf(c)).dreamDetail(idOf(c))))
    .post("/dreams/:id/accept", verb("accept"))
    .post("/dreams/:id/reject", verb("reject"))
    .post("/dreams/:id/undo", verb("undo"))
    .post("/dreams/:id/cancel", verb("cancel"));
}

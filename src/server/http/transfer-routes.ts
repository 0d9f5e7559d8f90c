// Import and export over HTTP. Parses and answers; decides nothing.
import { getAgentByName } from "agents";
import { Hono, type Context } from "hono";
import { IMPORT_JSON_MAX_BYTES } from "../../shared/limits.ts";
import { ImportBody } from "../../shared/protocol.ts";
import { transferOf, type Transfer, type TransferDoor } from "../transfer/transfer.ts";
import type { AppEnv } from "./app.ts";
import { answer, idempotencyKey } from "./memory-of.ts";
import { readJson } from "./respond.ts";

async function transfer(c: Context<AppEnv>): Promise<Transfer> {
  return transferOf((await getAgentByName(c.env.MemoryAgent as never, c.get("user"))) as unknown as TransferDoor);
}

/** The routes below /api. */
export function transferRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>().post("/import", async (c) => {
    const body = await readJson(c, ImportBody, IMPORT_JSON_MAX_BYTES);
    const key = idempotencyKey(c);
    return answer(c, await (await transfer(c)).importItems(body, key));
  });
}

// The mirror: where main is pushed after each commit, and how that stands.
import { getAgentByName } from "agents";
import { Hono, type Context } from "hono";
import { MirrorBody, type MirrorView } from "../../shared/protocol.ts";
import type { Answer } from "../memory/api.ts";
import type { AppEnv } from "./app.ts";
import { answer } from "./memory-of.ts";
import { readJson } from "./respond.ts";

/** The part of a MemoryAgent that keeps a mirror. */
export interface MirrorApi {
  mirrorView(): Promise<Answer<MirrorView>>;
  setMirror(body: MirrorBody): Promise<Answer<MirrorView>>;
  dropMirror(): Promise<Answer<MirrorView>>;
}

const mirrorOf = async (c: Context<AppEnv>) =>
  (await getAgentByName(c.env.MemoryAgent as never, c.get("user"))) as unknown as MirrorApi;

/** Routes under /api/mirror. */
export function mirrorRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get("/", async (c) => answer(c, await (await mirrorOf(c)).mirrorView()))
    .put("/", async (c) => answer(c, await (await mirrorOf(c)).setMirror(await readJson(c, MirrorBody))))
    .delete("/", async (c) => answer(c, await (await mirrorOf(c)).dropMirror()));
}

// /git/memory.git: native git speaks to the user's MemoryAgent, which streams from its rows.
import { getAgentByName } from "agents";
import { Hono } from "hono";
import type { AppEnv } from "./app.ts";

/** The address of the repository, below which git asks. */
export const GIT_PATH = "/git/memory.git";

/** Hands git's requests to the object that owns the repository; a plain fetch, because a pack is a stream. */
export function gitRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>().all("/*", async (c) => {
    const memory = await getAgentByName(c.env.MemoryAgent as never, c.get("user"));
    return (memory as unknown as { fetch: typeof fetch }).fetch(c.req.raw);
  });
}

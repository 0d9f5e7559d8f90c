// /git/memory.git: native git speaks to the user's MemoryAgent, which streams from its rows.
import { getAgentByName } from "agents";
import { Hono } from "hono";
import { GIT_ACCESS_HEADER, GIT_ACTOR_HEADER, GIT_BY_HEADER } from "../memory/git-door.ts";
import type { AppEnv } from "./app.ts";
import { withOurHeaders } from "./guard-origin.ts";
import { actorOf, byToken, mayWrite } from "./identity.ts";

/** The address of the repository, below which git asks. */
export const GIT_PATH = "/git/memory.git";

/**
 * Hands git's requests to the object that owns the repository; a plain fetch, because a pack is a stream. Whom the guard let in stands in
 * two headers that no client can bring along.
 */
export function gitRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>().all("/*", async (c) => {
    const request = withOurHeaders(c.req.raw, {
      [GIT_ACTOR_HEADER]: encodeURIComponent(actorOf(c)),
      [GIT_ACCESS_HEADER]: mayWrite(c) ? "write" : "read",
      [GIT_BY_HEADER]: byToken(c) ? "token" : "user",
    });
    // What a credential says is for the guard alone.
    request.headers.delete("Authorization");
    const memory = await getAgentByName(c.env.MemoryAgent as never, c.get("user"));
    return (memory as unknown as { fetch: typeof fetch }).fetch(request);
  });
}

/** What git is told that brings no credentials, as it does with its first request: it asks its user, or its helper, for a token and comes again. */
export function askForToken(): Response {
  return new Response("This memory asks for a token: make one in Settings, Doors, and give it as the password.\n", {
    status: 401,
    headers: {
      "WWW-Authenticate": 'Basic realm="Reverie", charset="UTF-8"',
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
    },
  });
}

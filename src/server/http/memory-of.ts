// The way from a request to the user's MemoryAgent, and from its answers back to HTTP.
import { getAgentByName } from "agents";
import type { Context } from "hono";
import type { Outcome } from "../../shared/protocol.ts";
import type { Answer, MemoryCoreApi } from "../memory/api.ts";
import type { AppEnv } from "./app.ts";
import { fail, refuse } from "./respond.ts";

/** The memory of the user that the request belongs to. */
export async function memoryOf(c: Context<AppEnv>): Promise<MemoryCoreApi> {
  return (await getAgentByName(c.env.MemoryAgent as never, c.get("user"))) as unknown as MemoryCoreApi;
}

/** The value of an answer as JSON, or its refusal. */
export function answer<T>(c: Context, { ok, ...rest }: Answer<T>): Response {
  return ok ? c.json((rest as { value: T }).value as object) : refuse(c, rest as never);
}

/** An Outcome as JSON, or its refusal. */
export function outcome(c: Context, result: Outcome): Response {
  if (result.ok) return c.json(result);
  const { ok: _, ...refusal } = result;
  return refuse(c, refusal);
}

const KEY_MAX_CHARS = 200;

/** The Idempotency-Key of a POST, made the user's and the route's own. Throws `bad-format` for one that is no key. */
export function idempotencyKey(c: Context): string | undefined {
  const key = c.req.header("Idempotency-Key");
  if (key === undefined) return undefined;
  if (key.trim() === "" || key.length > KEY_MAX_CHARS)
    fail("bad-format", `An Idempotency-Key has 1 to ${KEY_MAX_CHARS} characters.`);
  return `${c.req.method} ${c.req.path} ${key}`;
}

// POST /api/chat: one message in, one answer out, whole or as a stream of events.
import { Hono } from "hono";
import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { MESSAGE_MAX_BYTES } from "../../shared/limits.ts";
import { ChatBody } from "../../shared/protocol.ts";
import { jobOf, parseBody } from "../chat/body.ts";
import type { AppEnv } from "./app.ts";
import { chatOf, conversationsOf } from "./conversations-of.ts";
import { fail, readJson } from "./respond.ts";
import { isHosted } from "./user.ts";

/** A message of 32 KB may be six times as long in JSON, where each byte is escaped. */
const BODY_MAX_BYTES = MESSAGE_MAX_BYTES * 6 + 16 * 1024;
const KEY_MAX_CHARS = 200;
const ID_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

/** A thread's id out of a request's key, so that a repeated first message begins no second conversation. */
function idOfKey(user: string, key: string): string {
  const bytes = createHash("sha256").update(`thread\n${user}\n${key}`).digest();
  return Array.from(bytes.subarray(0, 8), (byte) => ID_ALPHABET[byte % ID_ALPHABET.length]).join("");
}

/** The chat route. */
export function chatRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>().post("/", async (c) => {
    const hosted = isHosted(c.env);
    const body = parseBody(await readJson(c, z.unknown() as z.core.$ZodType<ChatBody>, BODY_MAX_BYTES), hosted);
    const key = c.req.header("Idempotency-Key");
    if (key !== undefined && (key.trim() === "" || key.length > KEY_MAX_CHARS))
      fail("bad-format", `An Idempotency-Key has 1 to ${KEY_MAX_CHARS} characters.`);
    const memory = await conversationsOf(c);
    const now = Date.now();
    let thread = body.thread;
    if (thread === undefined) {
      if (body.replaces !== undefined)
        fail("bad-format", "replaces needs the conversation that the message stands in: give thread, too.", {
          field: "replaces",
        });
      const scope = body.scope ?? null;
      const at = body.at === undefined ? now : Date.parse(body.at);
      const wanted = key === undefined ? undefined : idOfKey(c.get("user"), key);
      thread = (await memory.createThread({ scope, at, ...(wanted ? { id: wanted } : {}), temporary: body.temporary === true }))
        .id;
      if (body.temporary) await (await chatOf(c, thread)).beginTemporary(scope, at);
    }
    const chat = await chatOf(c, thread);
    const headers: Record<string, string> = {
      "content-type": "application/json",
      accept: c.req.header("accept") ?? "application/json",
    };
    const job = jobOf(body, now, key === undefined ? undefined : `key ${key}`);
    const response = await chat.fetch(new Request("http://chat/turn", { method: "POST", headers, body: JSON.stringify(job) }));
    return new Response(response.body, response);
  });
}

// GET /api/health: open to everybody, says nothing about anybody.
import { Hono } from "hono";
import type { Health } from "../../shared/protocol.ts";
import type { AppEnv } from "./app.ts";
import { isHosted } from "./user.ts";

/** Version of the app, as package.json has it. */
export const VERSION = "0.1.0";
const OFFLINE = "offline";

/** The health route. */
export function healthRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>().get("/", (c) => {
    const { OPENAI_BASE_URL, OPENAI_API_KEY, CHAT_MODEL, DREAM_MODEL } = c.env;
    const offline = !OPENAI_BASE_URL && !OPENAI_API_KEY;
    const chat = offline ? OFFLINE : (CHAT_MODEL ?? OFFLINE);
    const health: Health = {
      ok: true,
      version: VERSION,
      mode: isHosted(c.env) ? "hosted" : "local",
      models: { chat, dream: offline ? OFFLINE : (DREAM_MODEL ?? chat) },
      offline,
    };
    return c.json(health);
  });
}

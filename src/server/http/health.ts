// GET /api/health: open to everybody, says nothing about anybody.
import { Hono } from "hono";
import type { Health } from "../../shared/protocol.ts";
import { chooseModel } from "../model/choose.ts";
import type { AppEnv } from "./app.ts";
import { VERSION } from "../version.ts";
import { isHosted } from "./user.ts";

/** The health route. */
export function healthRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>().get("/", (c) => {
    const none = { chatModel: null, dreamModel: null };
    const chat = chooseModel(c.env, none, "chat");
    const health: Health = {
      ok: true,
      version: VERSION,
      mode: isHosted(c.env) ? "hosted" : "local",
      models: { chat: chat.model, dream: chooseModel(c.env, none, "dream").model },
      offline: chat.provider === "offline",
    };
    return c.json(health);
  });
}

// Settings, and the models that may be chosen in them.
import { Hono } from "hono";
import * as z from "zod/mini";
import { Settings, type ModelChoice } from "../../shared/protocol.ts";
import type { SettingsChange } from "../memory/settings.ts";
import { modelMenu } from "../model/menu.ts";
import type { AppEnv } from "./app.ts";
import { conversationsOf } from "./conversations-of.ts";
import { readJson } from "./respond.ts";
import { isHosted } from "./user.ts";

const shape = Settings.shape;
const Patch = z.strictObject({ ...z.partial(Settings).shape, dream: z.optional(z.partial(shape.dream)) });

/** Routes under /api/settings. */
export function settingsRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get("/", async (c) => c.json(await (await conversationsOf(c)).settings()))
    .patch("/", async (c) =>
      c.json(await (await conversationsOf(c)).patchSettings((await readJson(c, Patch)) as SettingsChange)),
    );
}

/** GET /api/models: what may be chosen, with price and context where they are known. */
export function modelRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>().get("/", async (c) => {
    const items: ModelChoice[] = await modelMenu(c.env, isHosted(c.env) ? null : fetch);
    return c.json({ items, next: null });
  });
}

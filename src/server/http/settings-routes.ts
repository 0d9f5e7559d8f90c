// Settings, and the models that may be chosen in them.
import { Hono } from "hono";
import * as z from "zod/mini";
import { Settings, type ModelMenu } from "../../shared/protocol.ts";
import type { SettingsChange } from "../memory/settings.ts";
import { chooseModel } from "../model/choose.ts";
import { modelMenu } from "../model/menu.ts";
import type { AppEnv } from "./app.ts";
import { accountAt } from "./auth-guard.ts";
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

/** GET /api/models: what may be chosen, with price and context where they are known, and what answers this user. */
export function modelRoutes(): Hono<AppEnv> {
  return new Hono<AppEnv>().get("/", async (c) => {
    const hosted = isHosted(c.env);
    const [settings, key] = await Promise.all([
      conversationsOf(c).then((all) => all.settings()),
      hosted ? accountAt(c.env, c.get("user")).then((account) => account.modelKey()) : null,
    ]);
    const own = key && key.chatModel !== null ? { chatModel: key.chatModel, dreamModel: key.dreamModel } : null;
    const answering = (wish: Pick<Settings, "chatModel" | "dreamModel">, kind: "chat" | "dream") =>
      chooseModel(c.env, { chatModel: wish.chatModel, dreamModel: wish.dreamModel, own }, kind);
    const none = { chatModel: null, dreamModel: null };
    const chat = answering(settings, "chat");
    const menu: ModelMenu = {
      items: await modelMenu(c.env, hosted ? null : fetch, own),
      next: null,
      answers: {
        chat: chat.model,
        dream: answering(settings, "dream").model,
        offline: chat.provider === "offline",
        own: chat.provider === "own",
      },
      otherwise: { chat: answering(none, "chat").model, dream: answering(none, "dream").model },
    };
    return c.json(menu);
  });
}

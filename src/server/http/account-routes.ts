// Sessions, access tokens, the own model key, and the owner's counts, as their settings show them.
import { Hono } from "hono";
import { ModelKeyBody, TokenBody, type InstallationView } from "../../shared/protocol.ts";
import { capOf, installationAt } from "../hosted.ts";
import { presentName, secretsOf } from "../memory/secret-box.ts";
import type { AppEnv } from "./app.ts";
import { NO_COOKIE } from "./auth-cookie.ts";
import { accountAt } from "./auth-guard.ts";
import { signUpOf } from "./auth-routes.ts";
import { fail, readJson } from "./respond.ts";
import { isHosted } from "./user.ts";

const LOCAL = "There are no accounts on this machine: the app answers to no other.";

/** Routes under /api for one's own account. */
export function accountRoutes(): Hono<AppEnv> {
  const account = (c: { env: AppEnv["Bindings"]; get(key: "user"): string }) => {
    if (!isHosted(c.env)) fail("not-found", LOCAL);
    return accountAt(c.env, c.get("user"));
  };
  return new Hono<AppEnv>()
    .get("/sessions", async (c) => {
      const room = await account(c);
      const identity = c.get("identity");
      return c.json({ items: await room.sessions(identity.by === "session" ? identity.session.id : ""), next: null });
    })
    .delete("/sessions", async (c) => {
      const ended = await (await account(c)).endSessions("all");
      c.header("Set-Cookie", NO_COOKIE);
      return c.json(ended);
    })
    .delete("/sessions/others", async (c) => {
      const room = await account(c);
      const identity = c.get("identity");
      return c.json(await room.endSessions({ but: identity.by === "session" ? identity.session.id : "" }));
    })
    .delete("/sessions/:id", async (c) => c.json(await (await account(c)).endSessions({ id: c.req.param("id") })))

    .get("/tokens", async (c) => c.json({ items: await (await account(c)).tokens(), next: null }))
    .post("/tokens", async (c) => c.json(await (await account(c)).makeToken(await readJson(c, TokenBody)), 201))
    .delete("/tokens/:id", async (c) => {
      await (await account(c)).dropToken(c.req.param("id"));
      return c.json({ ok: true });
    })

    .get("/model-key", async (c) => c.json(await (await account(c)).modelKey()))
    .put("/model-key", async (c) => c.json(await (await account(c)).setModelKey(await readJson(c, ModelKeyBody))))
    .delete("/model-key", async (c) => c.json(await (await account(c)).dropModelKey()))

    .get("/installation", async (c) => {
      if (!isHosted(c.env)) fail("not-found", LOCAL);
      const { granted, ...counts } = await (await installationAt(c.env)).counts(presentName(secretsOf(c.env)));
      const money = { month: granted.month, capUsd: capOf(c.env), grantedUsd: granted.usd };
      return c.json({ ...counts, signUp: signUpOf(c.env), money } satisfies InstallationView);
    });
}

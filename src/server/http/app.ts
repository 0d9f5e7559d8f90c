// The Worker's routes: guard first, then API, sockets, and the built web app for everything else.
import { routeAgentRequest } from "agents";
import { Hono, type Context, type Next } from "hono";
import { randomUUID } from "node:crypto";
import { STATUS, type Refusal } from "../../shared/errors.ts";
import { SESSION_HEADER } from "../memory/sockets.ts";
import { drainUnread } from "../body.ts";
import type { Env } from "../env.ts";
import { installationAt } from "../hosted.ts";
import { logRequest } from "../log.ts";
import { accountRoutes } from "./account-routes.ts";
import { guard } from "./auth-guard.ts";
import { authRoutes } from "./auth-routes.ts";
import { chatRoutes } from "./chat-routes.ts";
import { costRoutes } from "./cost-routes.ts";
import { dreamRoutes } from "./dream-routes.ts";
import { forgetRoutes } from "./forget-routes.ts";
import { GIT_PATH, gitRoutes } from "./git-routes.ts";
import { securityHeaders } from "./guard-headers.ts";
import { withOurHeaders } from "./guard-origin.ts";
import { healthRoutes } from "./health.ts";
import type { Identity } from "./identity.ts";
import { refuseForeign } from "./local-guard.ts";
import { MCP_PATH, mcpRoutes } from "./mcp-routes.ts";
import { memoryRoutes } from "./memory-routes.ts";
import { mirrorRoutes } from "./mirror-routes.ts";
import { noteRoutes } from "./note-routes.ts";
import { openApi } from "./openapi.ts";
import { refusalFor, refuse } from "./respond.ts";
import { searchRoutes } from "./search-routes.ts";
import { modelRoutes, settingsRoutes } from "./settings-routes.ts";
import { skillRoutes } from "./skill-routes.ts";
import { threadRoutes } from "./thread-routes.ts";
import { transferRoutes } from "./transfer-routes.ts";
import { isHosted, LOCAL_USER } from "./user.ts";

/** What a request carries from the guard to its handler. */
export interface AppEnv {
  Bindings: Env;
  Variables: { user: string; identity: Identity; requestId: string };
}

/** All routes of the Worker. */
export function createApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.onError((error, c) => {
    const refusal = refusalFor(error, c.get("requestId"));
    // Counted for the owner of an installation; what it was stands in the log alone.
    if (refusal.unforeseen && isHosted(c.env)) c.executionCtx.waitUntil(installationAt(c.env).then((all) => all.failed()));
    return refuse(c, refusal);
  });

  app.use("*", dress);
  app.use("*", async (c, next) => {
    if (isHosted(c.env)) return guard(c, next);
    const refused = refuseForeign(c.req.raw);
    if (refused) return refuse(c, { code: "forbidden", message: refused });
    c.set("user", LOCAL_USER);
    c.set("identity", { by: "local" });
    return next();
  });

  app.route("/api/health", healthRoutes());
  app.route("/api/auth", authRoutes());
  app.route("/api", accountRoutes());
  app.route("/api", memoryRoutes());
  app.route("/api", dreamRoutes());
  app.route("/api", forgetRoutes());
  app.route("/api", transferRoutes());
  app.route("/api/chat", chatRoutes());
  app.route("/api/threads", threadRoutes());
  app.route("/api/costs", costRoutes());
  app.route("/api/settings", settingsRoutes());
  app.route("/api/models", modelRoutes());
  app.route("/api/notes", noteRoutes());
  app.route("/api/mirror", mirrorRoutes());
  app.route("/api/search", searchRoutes());

  app.get("/api/openapi.json", (c) => c.json(openApi(app.routes)));
  app.all("/api/*", (c) =>
    refuse(c, {
      code: "not-found",
      message: `There is no ${c.req.method} ${c.req.path} here. /api/openapi.json lists what there is.`,
    }),
  );
  app.route(GIT_PATH, gitRoutes());
  app.route(MCP_PATH, mcpRoutes());
  app.route("/skill.md", skillRoutes());
  app.all("/agents/*", (c) => socket(c));
  app.all("*", async (c) =>
    c.env.ASSETS ? c.env.ASSETS.fetch(c.req.raw) : refuse(c, { code: "not-found", message: "There is nothing here." }),
  );
  return app;
}

/** The headers of every answer, and in hosted mode its line in the log. A socket's answer is the runtime's own. */
async function dress(c: Context<AppEnv>, next: Next): Promise<void> {
  const hosted = isHosted(c.env);
  const began = Date.now();
  c.set("requestId", randomUUID());
  await next();
  await drainUnread(c.req.raw);
  if (c.res.status !== 101) {
    const { host } = new URL(c.req.url);
    const headers = securityHeaders({ host, hosted, api: c.req.path.startsWith("/api/") });
    // The page of a development server carries a script of its own.
    if (isDevelopment()) delete headers["Content-Security-Policy"];
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    if (hosted) c.header("X-Request-Id", c.get("requestId"));
  }
  if (!hosted) return;
  const { matchedRoutes } = c.req;
  const route =
    (matchedRoutes.find(({ method }) => method !== "ALL") ?? matchedRoutes.findLast(({ path }) => path !== "/*"))?.path ?? "/*";
  logRequest({ id: c.get("requestId"), method: c.req.method, route, status: c.res.status, ms: Date.now() - began });
}

declare global {
  interface ImportMeta {
    readonly env: { readonly DEV: boolean; readonly MODE: string };
  }
}

function isDevelopment(): boolean {
  // Word for word: the development server replaces these two and refuses any other look at them.
  return typeof import.meta.env !== "undefined" && import.meta.env.DEV && import.meta.env.MODE === "development";
}

/**
 * Sockets of the user's own objects only: `/agents/memory-agent/<user>` and `/agents/chat-agent/<user>.<thread>`, where `me` may stand for
 * the user. The object's name is made from the verified identity; what the address says is only compared.
 */
async function socket(c: Context<AppEnv>): Promise<Response> {
  const user = c.get("user");
  const identity = c.get("identity");
  const url = new URL(c.req.url);
  const [, , agent, name = "", ...rest] = url.pathname.split("/");
  const [who, thread, ...more] = name.split(".");
  const mine = (who === user || who === LOCAL_USER) && rest.length === 0 && more.length === 0;
  const own =
    mine &&
    ((agent === "memory-agent" && thread === undefined) ||
      (agent === "chat-agent" && thread !== undefined && /^[a-z0-9]{4,12}$/.test(thread)));
  if (!own) return plainRefusal({ code: "not-found", message: "There is no such object." });
  url.pathname = `/agents/${agent}/${thread === undefined ? user : `${user}.${thread}`}`;
  const ours: Record<string, string> = identity.by === "session" ? { [SESSION_HEADER]: identity.session.id } : {};
  const answer = await routeAgentRequest(withOurHeaders(new Request(url, c.req.raw), ours), c.env);
  return answer ?? plainRefusal({ code: "not-found", message: "There is no such object." });
}

function plainRefusal(error: Refusal): Response {
  return Response.json({ error }, { status: STATUS[error.code] });
}

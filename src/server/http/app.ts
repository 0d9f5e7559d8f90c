// The Worker's routes: guard first, then API, sockets, and the built web app for everything else.
import { routeAgentRequest } from "agents";
import { Hono } from "hono";
import { STATUS, type Refusal } from "../../shared/errors.ts";
import type { Env } from "../env.ts";
import { chatRoutes } from "./chat-routes.ts";
import { costRoutes } from "./cost-routes.ts";
import { dreamRoutes } from "./dream-routes.ts";
import { forgetRoutes } from "./forget-routes.ts";
import { askForToken, GIT_PATH, gitRoutes } from "./git-routes.ts";
import { healthRoutes } from "./health.ts";
import { refuseForeign } from "./local-guard.ts";
import { memoryRoutes } from "./memory-routes.ts";
import { mirrorRoutes } from "./mirror-routes.ts";
import { noteRoutes } from "./note-routes.ts";
import { openApi } from "./openapi.ts";
import { refusalFor, refuse } from "./respond.ts";
import { searchRoutes } from "./search-routes.ts";
import { modelRoutes, settingsRoutes } from "./settings-routes.ts";
import { threadRoutes } from "./thread-routes.ts";
import { isHosted, LOCAL_USER } from "./user.ts";

/** What a request carries from the guard to its handler. */
export interface AppEnv {
  Bindings: Env;
  Variables: { user: string };
}

/** All routes of the Worker. */
export function createApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.onError((error, c) => refuse(c, refusalFor(error)));

  app.use("*", async (c, next) => {
    if (!isHosted(c.env)) {
      const refused = refuseForeign(c.req.raw);
      if (refused) return refuse(c, { code: "forbidden", message: refused });
      c.set("user", LOCAL_USER);
    } else if (c.get("user") === undefined && isGuarded(c.req.path)) {
      return c.req.path.startsWith("/git/") ? askForToken() : refuse(c, { code: "unauthorized", message: "Sign in first." });
    }
    await next();
    if (c.req.path.startsWith("/api/")) {
      c.header("Cache-Control", "no-store");
      c.header("X-Content-Type-Options", "nosniff");
    }
  });

  app.route("/api/health", healthRoutes());
  app.route("/api", memoryRoutes());
  app.route("/api", dreamRoutes());
  app.route("/api", forgetRoutes());
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
  app.all("/agents/*", (c) => socket(c.req.raw, c.env, c.get("user")));
  app.all("*", async (c) =>
    c.env.ASSETS ? c.env.ASSETS.fetch(c.req.raw) : refuse(c, { code: "not-found", message: "There is nothing here." }),
  );
  return app;
}

/** What nobody may have without being known: everything but the app's own files, its health and its sign-in. */
function isGuarded(path: string): boolean {
  if (path === "/api/health" || path.startsWith("/api/auth/")) return false;
  return path === "/mcp" || ["/api/", "/agents/", "/git/", "/mcp/"].some((prefix) => path.startsWith(prefix));
}

/** Sockets of the user's own objects only: `/agents/memory-agent/<user>` and `/agents/chat-agent/<user>.<thread>`. */
async function socket(request: Request, env: Env, user: string): Promise<Response> {
  const [, , agent, name, ...rest] = new URL(request.url).pathname.split("/");
  const own =
    (agent === "memory-agent" && name === user) ||
    (agent === "chat-agent" &&
      name !== undefined &&
      name.startsWith(`${user}.`) &&
      /^[a-z0-9]{4,12}$/.test(name.slice(user.length + 1)));
  const answer = own && rest.length === 0 ? await routeAgentRequest(request, env) : null;
  return answer ?? plainRefusal({ code: "not-found", message: "There is no such object." });
}

function plainRefusal(error: Refusal): Response {
  return Response.json({ error }, { status: STATUS[error.code] });
}

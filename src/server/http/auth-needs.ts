// What each route asks of whoever comes, in hosted mode: one table. A route that stands in no line asks for a session. Pure.

/** anyone; token: a token or a session; session: a person at a browser. */
export interface Need {
  who: "anyone" | "token" | "session";
  /** A token must be one that may write. */
  write?: true;
  /** A look at the passkey in the last ten minutes. */
  fresh?: true;
  /** The owner of the installation. */
  owner?: true;
}

const ANYONE: Need = { who: "anyone" };
const READ: Need = { who: "token" };
const WRITE: Need = { who: "token", write: true };
const SESSION: Need = { who: "session" };
const FRESH: Need = { who: "session", fresh: true };
const OWNER: Need = { who: "session", owner: true };

/** Method (`*` = any) and address; the first line that fits counts. `:x` is one part, `/*` the rest, also none. */
const TABLE: readonly [method: string, path: string, need: Need][] = [
  ["GET", "/api/health", ANYONE],
  ["GET", "/api/auth/session", ANYONE],
  ["POST", "/api/auth/register/options", ANYONE],
  ["POST", "/api/auth/register", ANYONE],
  ["POST", "/api/auth/sign-in/options", ANYONE],
  ["POST", "/api/auth/sign-in", ANYONE],
  ["POST", "/api/auth/recover", ANYONE],

  ["DELETE", "/api/auth/passkeys/:id", FRESH],
  ["POST", "/api/auth/recovery", FRESH],
  ["POST", "/api/auth/invites", OWNER],
  ["GET", "/api/installation", OWNER],
  ["GET", "/api/model-key", SESSION],
  ["*", "/api/model-key", FRESH],
  ["*", "/api/mirror/*", FRESH],
  ["DELETE", "/api/me", FRESH],
  ["POST", "/api/forgotten/:id/erase", FRESH],
  ["POST", "/api/forgotten/keys/give-up", FRESH],
  ["POST", "/api/secrets/erase", FRESH],

  ["GET", "/api/openapi.json", READ],
  ["GET", "/api/memory/*", READ],
  ["GET", "/api/entries/*", READ],
  ["GET", "/api/graph", READ],
  ["GET", "/api/history/*", READ],
  ["GET", "/api/search", READ],
  ["GET", "/api/threads/*", READ],
  ["GET", "/api/notes/*", READ],
  ["GET", "/api/dreams/*", READ],
  ["GET", "/api/costs/*", READ],
  ["GET", "/api/models", READ],
  ["GET", "/api/receipts/:id", READ],
  ["GET", "/api/check", READ],

  ["POST", "/api/entries", WRITE],
  ["POST", "/api/entries/:id/revise", WRITE],
  ["POST", "/api/entries/:id/close", WRITE],
  ["POST", "/api/entries/:id/reopen", WRITE],
  ["POST", "/api/entries/:id/move", WRITE],
  ["POST", "/api/entries/:id/confirm", WRITE],
  ["PUT", "/api/memory/files/*", WRITE],
  ["DELETE", "/api/memory/files/*", WRITE],
  ["POST", "/api/memory/files/*", WRITE],
  ["POST", "/api/forget", WRITE],

  // Whether a token may push is told to the object, which says so in git's own words; MCP's tools ask one by one.
  ["*", "/git/*", READ],
  ["*", "/mcp/*", READ],
];

const PATTERNS = TABLE.map(([method, path, need]) => ({
  method,
  need,
  pattern: new RegExp(
    `^${path
      .replace(/\/\*$/, "(?:/.*)?")
      .replace(/:[a-z]+/g, "[^/]+")
      .replace(/\.json/, "\\.json")}$`,
  ),
}));

/** Below these nothing is served to somebody unknown; everything else is the app's own files. */
const GUARDED = /^\/(?:api|agents|git|mcp)(?:\/|$)/;

/** What a request has to show. */
export function needOf(method: string, path: string): Need {
  if (!GUARDED.test(path)) return ANYONE;
  const plain = path.length > 1 ? path.replace(/\/+$/, "") : path;
  const asked = method === "HEAD" ? "GET" : method;
  return PATTERNS.find((line) => (line.method === "*" || line.method === asked) && line.pattern.test(plain))?.need ?? SESSION;
}

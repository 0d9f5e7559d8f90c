// The guard of hosted mode: finds out who comes, asks their own object whether the credential still stands, and lets in what the table allows.
import { getAgentByName } from "agents";
import type { Context, Next } from "hono";
import { SIGN_IN_BURST, SIGN_IN_PER_SECOND } from "../../shared/limits.ts";
import { clientOf, type Account, type AccountDoor, type AdmitAsk } from "../memory/account.ts";
import { Bucket } from "../memory/rate.ts";
import { secretsOf } from "../memory/secret-box.ts";
import type { Env } from "../env.ts";
import type { AppEnv } from "./app.ts";
import { claimOfCookie, claimOfHeader } from "./auth-cookie.ts";
import { needOf, type Need } from "./auth-needs.ts";
import { askForToken } from "./git-routes.ts";
import { changes, refuseCrossSite } from "./guard-origin.ts";
import type { Identity } from "./identity.ts";
import { refuse } from "./respond.ts";

/** The account in the object of a user. */
export async function accountAt(env: Env, user: string): Promise<Account> {
  const door = (await getAgentByName(env.MemoryAgent as never, user)) as unknown as AccountDoor;
  return clientOf<Account>((method, args) => door.account(method as never, args));
}

/** Who it is, or why not. */
type Known = { ok: true; user: string; identity: Identity } | { ok: false; retryAfterS: number | null };

const UNKNOWN: Known = { ok: false, retryAfterS: null };

/** Identifies a request by its token, or else by its cookie. A token that does not hold is not made up for by a cookie. */
export async function identify(env: Env, request: Request, ask: AdmitAsk, { cookies }: { cookies: boolean }): Promise<Known> {
  const header = request.headers.get("Authorization");
  const now = Date.now();
  const claim =
    header !== null ? claimOfHeader(header) : cookies ? claimOfCookie(request.headers.get("Cookie"), secretsOf(env), now) : null;
  if (!claim) return UNKNOWN;
  const account = await accountAt(env, claim.user);
  const admitted = await account.admit(claim.credential, ask);
  if (!admitted.ok) return admitted.code === "rate-limited" ? { ok: false, retryAfterS: admitted.retryAfterS } : UNKNOWN;
  const identity: Identity =
    "token" in admitted
      ? { by: "token", token: admitted.token }
      : { by: "session", session: admitted.session, owner: admitted.owner };
  return { ok: true, user: claim.user, identity };
}

/** Attempts by address, in this isolate: a brake, not a count. */
const attempts = new Map<string, Bucket>();
const ADDRESSES_MAX = 5_000;

function attemptWait(request: Request): number {
  const address = request.headers.get("CF-Connecting-IP") ?? "here";
  if (attempts.size > ADDRESSES_MAX) attempts.clear();
  const bucket = attempts.get(address) ?? new Bucket(SIGN_IN_BURST, SIGN_IN_PER_SECOND);
  attempts.set(address, bucket);
  return bucket.take(Date.now());
}

function slowDown(c: Context<AppEnv>, seconds: number): Response {
  c.header("Retry-After", String(seconds));
  return refuse(c, {
    code: "rate-limited",
    message: `That was more than one memory answers at once. Wait ${seconds} seconds, then go on.`,
    details: { retryAfterS: seconds },
  });
}

function refusalBy(need: Need, identity: Identity): { message: string; details?: Record<string, unknown> } | null {
  if (identity.by === "token") {
    if (need.who === "session") return { message: "A token may not do that. Do it in the app, signed in." };
    if (need.write && identity.token.access === "read") return { message: "This token may only read." };
    return null;
  }
  if (identity.by !== "session") return null;
  if (need.owner && !identity.owner) return { message: "That is for the owner of this installation." };
  if (need.fresh && identity.session.freshUntil === null)
    return { message: "This cannot be undone, so your passkey has to be looked at first.", details: { needs: "passkey" } };
  return null;
}

const SIGNING_IN = /^\/api\/auth\/(?:register|sign-in|recover)$/;
const CHAT = /^\/api\/(?:chat|threads\/[^/]+\/regenerate|dream)$/;
const CHAT_SOCKET = /^\/agents\/chat-agent\/[^/.]+\.([a-z0-9]{4,12})$/;

/** Answers for whoever may not pass, or sets user and identity and goes on. */
export async function guard(c: Context<AppEnv>, next: Next): Promise<Response | void> {
  const { req, env } = c;
  const request = req.raw;
  const path = req.path;
  if (changes(request) || path.startsWith("/mcp")) {
    const foreign = refuseCrossSite(request);
    if (foreign) return refuse(c, { code: "forbidden", message: foreign });
  }
  const need = needOf(req.method, path);
  if (need.who === "anyone") {
    const wait = req.method === "POST" && SIGNING_IN.test(path) ? attemptWait(request) : 0;
    return wait > 0 ? slowDown(c, wait) : next();
  }
  const git = path.startsWith("/git/");
  const thread = CHAT_SOCKET.exec(path)?.[1];
  const ask: AdmitAsk = {
    ...(req.method === "POST" && CHAT.test(path) ? { chat: true } : {}),
    ...(thread !== undefined && request.headers.get("Upgrade") !== null ? { thread } : {}),
  };
  // A cookie opens no repository: git never sends one, and a page has no business there.
  const known = await identify(env, request, ask, { cookies: !git });
  if (!known.ok) {
    if (known.retryAfterS !== null) return slowDown(c, known.retryAfterS);
    if (git) return askForToken();
    c.header("WWW-Authenticate", 'Bearer realm="Reverie"');
    return refuse(c, { code: "unauthorized", message: "Sign in first." });
  }
  const refused = refusalBy(need, known.identity);
  if (refused) return refuse(c, { code: "forbidden", ...refused });
  c.set("user", known.user);
  c.set("identity", known.identity);
  return next();
}

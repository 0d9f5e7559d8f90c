// /api/auth: making an account, signing in, recovery, passkeys. Options carry a signed ticket; its challenge is answered once, within five minutes.
import { generateAuthenticationOptions, generateRegistrationOptions } from "@simplewebauthn/server";
import { Hono, type Context } from "hono";
import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { CHALLENGE_MS } from "../../shared/limits.ts";
import { InviteBody, PasskeyBody, RecoverBody, RegisterAskBody, type AuthView, type SignUp } from "../../shared/protocol.ts";
import type { Begun } from "../memory/account.ts";
import type { Ceremony } from "../memory/passkeys.ts";
import { plainCode } from "../memory/recovery.ts";
import { presentName, readSigned, secretsOf, signedValue } from "../memory/secret-box.ts";
import type { Env } from "../env.ts";
import { installationAt } from "../hosted.ts";
import type { AppEnv } from "./app.ts";
import { isUserId, newUserId, NO_COOKIE, sessionCookie } from "./auth-cookie.ts";
import { accountAt, identify } from "./auth-guard.ts";
import { deviceOf } from "./device.ts";
import { ownOrigins } from "./guard-origin.ts";
import { formatInvite, readInvite, type Invite } from "./invite.ts";
import { fail, readJson } from "./respond.ts";
import { isHosted, LOCAL_USER } from "./user.ts";

type Ctx = Context<AppEnv>;

const RP_NAME = "Reverie";
const DAY_MS = 24 * 60 * 60_000;

/** What was asked of an authenticator, as it travels through the browser: signed, so that it comes back as it went. */
interface Ticket {
  /** register, sign-in, check, add. */
  for: "register" | "sign-in" | "check" | "add";
  challenge: string;
  until: number;
  user?: string;
  invite?: Invite | null;
  owner?: boolean;
}

/** Who may make an account, as configured. An unknown word is the careful one. */
export function signUpOf(env: Env): SignUp {
  return env.SIGN_UP === "open" || env.SIGN_UP === "closed" ? env.SIGN_UP : "invite";
}

const secretsIn = (c: Ctx) => secretsOf(c.env);
const hostOf = (c: Ctx): URL => new URL(c.req.url);
const challengeOf = (): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(32));

function ticketFor(c: Ctx, ticket: Omit<Ticket, "until">): string {
  return signedValue("ticket", { ...ticket, until: Date.now() + CHALLENGE_MS }, secretsIn(c));
}

/** The ticket of an answer. Throws `unauthorized` for one of another kind, or one that was not made here. */
function readTicket(c: Ctx, text: string, kind: Ticket["for"]): Ticket {
  const ticket = readSigned<Ticket>("ticket", text, secretsIn(c));
  if (ticket?.for !== kind) fail("unauthorized", "That answer belongs to no question of ours. Begin again.");
  return ticket;
}

function ceremonyOf(c: Ctx, { challenge, until }: Ticket, response: unknown): Ceremony {
  const url = hostOf(c);
  return { challenge, until, rpId: url.hostname, origins: ownOrigins(url.host), response };
}

const AUTHENTICATOR = { residentKey: "required", requireResidentKey: true, userVerification: "required" } as const;

async function newPasskeyOptions(c: Ctx, user: string, exclude: { id: string }[]) {
  return generateRegistrationOptions({
    rpName: RP_NAME,
    rpID: hostOf(c).hostname,
    // Nobody is asked for a name: the list of an authenticator shows this one, with its day.
    userName: `Reverie, ${new Date().toISOString().slice(0, 10)}`,
    userDisplayName: "Your memory",
    userID: new Uint8Array(Buffer.from(user, "utf8")),
    challenge: challengeOf(),
    timeout: CHALLENGE_MS,
    attestationType: "none",
    excludeCredentials: exclude,
    authenticatorSelection: AUTHENTICATOR,
  });
}

/** Puts the session into a cookie. */
function signedIn(c: Ctx, user: string, { session, expiresAt }: Begun): void {
  c.header("Set-Cookie", sessionCookie(user, session, expiresAt, Date.now(), secretsIn(c)));
}

function sessionOf(c: Ctx) {
  const identity = c.get("identity");
  if (identity.by !== "session") fail("forbidden", "That is for a signed-in browser.");
  return identity.session;
}

/** Routes under /api/auth. */
export function authRoutes(): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.use("*", async (c, next) => {
    if (!isHosted(c.env) && c.req.path !== "/api/auth/session")
      fail("not-found", "There is no sign-in on this machine: the app answers to no other.");
    await next();
  });
  return routes
    .get("/session", async (c) => {
      const view: AuthView = { mode: "local", signedIn: true, signUp: "closed", owner: true, freshUntil: null };
      if (!isHosted(c.env)) return c.json(view);
      const known = await identify(c.env, c.req.raw, {}, { cookies: true });
      const session = known.ok && known.identity.by === "session" ? known.identity : null;
      const fresh = session?.session.freshUntil ?? null;
      return c.json({
        mode: "hosted",
        signedIn: session !== null,
        signUp: signUpOf(c.env),
        owner: session?.owner ?? false,
        freshUntil: fresh === null ? null : new Date(fresh).toISOString(),
      } satisfies AuthView);
    })

    .post("/register/options", async (c) => {
      const { invite: text, adopt = false } = await readJson(c, RegisterAskBody);
      const invite = text === undefined ? null : readInvite(text, secretsIn(c), Date.now());
      if (text !== undefined && !invite)
        fail("unauthorized", "This invite is not valid here, or its time is over. Ask for another one.");
      const mode = signUpOf(c.env);
      if (!invite?.owner && (mode === "closed" || (mode === "invite" && !invite)))
        fail(
          "forbidden",
          mode === "closed" ? "Nobody new is taken in here." : "Whoever comes new needs an invite. Ask the owner for one.",
        );
      const owner = invite?.owner ?? false;
      if (owner && (await (await installationAt(c.env)).hasOwner()))
        fail("unauthorized", "This installation has its owner. Ask them for an invite.");
      const user = owner && adopt ? LOCAL_USER : newUserId(randomBytes);
      if (user === LOCAL_USER && (await (await accountAt(c.env, user)).taken()))
        fail("conflict", "The memory that was kept here has its account already.");
      const options = await newPasskeyOptions(c, user, []);
      return c.json({ options, ticket: ticketFor(c, { for: "register", challenge: options.challenge, user, invite, owner }) });
    })
    .post("/register", async (c) => {
      const { ticket: text, response, name = "Passkey" } = await readJson(c, PasskeyBody);
      const { user = "", invite = null, owner = false, ...asked } = readTicket(c, text, "register");
      const installation = await installationAt(c.env);
      const account = await accountAt(c.env, user);
      await installation.takeSeat(invite, owner, user);
      try {
        const device = deviceOf(c.req.header("User-Agent") ?? "");
        const begun = await account.register(ceremonyOf(c, asked, response), { name, device, owner });
        await installation.report(user, { objects: 0, bytes: 0, secret: presentName(secretsIn(c)) });
        signedIn(c, user, begun);
        return c.json({ codes: begun.codes }, 201);
      } catch (error) {
        // Whoever has it already keeps it; whoever could not be taken in gives the invite back.
        if (!(await account.taken())) await installation.leaveSeat(invite?.id ?? null, owner);
        throw error;
      }
    })

    .post("/sign-in/options", async (c) => {
      const options = await generateAuthenticationOptions({
        rpID: hostOf(c).hostname,
        challenge: challengeOf(),
        timeout: CHALLENGE_MS,
        userVerification: "required",
      });
      return c.json({ options, ticket: ticketFor(c, { for: "sign-in", challenge: options.challenge }) });
    })
    .post("/sign-in", async (c) => {
      const { ticket: text, response } = await readJson(c, PasskeyBody);
      const asked = readTicket(c, text, "sign-in");
      const handle = (response as { response?: { userHandle?: unknown } }).response?.userHandle;
      const user = typeof handle === "string" ? Buffer.from(handle, "base64url").toString("utf8") : "";
      if (!isUserId(user)) fail("unauthorized", "That opens no memory here.");
      const account = await accountAt(c.env, user);
      const device = deviceOf(c.req.header("User-Agent") ?? "");
      signedIn(c, user, await account.signIn(ceremonyOf(c, asked, response), { device }));
      return c.json({ ok: true });
    })
    .post("/recover", async (c) => {
      const { code } = await readJson(c, RecoverBody);
      const user = plainCode(code).split("-")[0] ?? "";
      if (!isUserId(user)) fail("unauthorized", "That code opens nothing. Look whether you copied all of it; each works once.");
      const account = await accountAt(c.env, user);
      signedIn(c, user, await account.recover(code, { device: deviceOf(c.req.header("User-Agent") ?? "") }));
      return c.json({ ok: true });
    })
    .post("/sign-out", async (c) => {
      const account = await accountAt(c.env, c.get("user"));
      await account.endSessions({ id: sessionOf(c).id });
      c.header("Set-Cookie", NO_COOKIE);
      return c.json({ ok: true });
    })

    .post("/check/options", async (c) => {
      const account = await accountAt(c.env, c.get("user"));
      const options = await generateAuthenticationOptions({
        rpID: hostOf(c).hostname,
        challenge: challengeOf(),
        timeout: CHALLENGE_MS,
        userVerification: "required",
        allowCredentials: (await account.credentials()).map(({ id, transports }) => ({ id, transports })),
      });
      const ticket = ticketFor(c, { for: "check", challenge: options.challenge, user: c.get("user") });
      return c.json({ options, ticket });
    })
    .post("/check", async (c) => {
      const { ticket: text, response } = await readJson(c, PasskeyBody);
      const { user, ...asked } = readTicket(c, text, "check");
      if (user !== c.get("user")) fail("unauthorized", "That answer belongs to no question of ours. Begin again.");
      await (await accountAt(c.env, c.get("user"))).check(ceremonyOf(c, asked, response), sessionOf(c).id);
      return c.json({ ok: true });
    })

    .get("/passkeys", async (c) => c.json({ items: await (await accountAt(c.env, c.get("user"))).passkeys(), next: null }))
    .post("/passkeys/options", async (c) => {
      mayAdd(c);
      const account = await accountAt(c.env, c.get("user"));
      const known = (await account.credentials()).map(({ id }) => ({ id }));
      const options = await newPasskeyOptions(c, c.get("user"), known);
      return c.json({ options, ticket: ticketFor(c, { for: "add", challenge: options.challenge, user: c.get("user") }) });
    })
    .post("/passkeys", async (c) => {
      mayAdd(c);
      const { ticket: text, response, name = "Passkey" } = await readJson(c, PasskeyBody);
      const { user, ...asked } = readTicket(c, text, "add");
      if (user !== c.get("user")) fail("unauthorized", "That answer belongs to no question of ours. Begin again.");
      const account = await accountAt(c.env, c.get("user"));
      const items = await account.addPasskey(ceremonyOf(c, asked, response), { name, session: sessionOf(c).id });
      return c.json({ items, next: null }, 201);
    })
    .delete("/passkeys/:id", async (c) =>
      c.json({ items: await (await accountAt(c.env, c.get("user"))).removePasskey(c.req.param("id")), next: null }),
    )
    .get("/recovery", async (c) => c.json(await (await accountAt(c.env, c.get("user"))).recovery()))
    .post("/recovery", async (c) => c.json(await (await accountAt(c.env, c.get("user"))).newCodes(), 201))
    .post("/invites", async (c) => {
      const { days } = await readJson(c, InviteBody);
      if (signUpOf(c.env) === "closed") fail("forbidden", "Sign-up is closed by configuration, so an invite would open nothing.");
      const until = Date.now() + days * DAY_MS;
      const invite = formatInvite({ id: randomBytes(12).toString("base64url"), until, owner: false }, secretsIn(c));
      const { origin } = hostOf(c);
      return c.json({ invite, url: `${origin}/sign-in#invite=${invite}`, expiresAt: new Date(until).toISOString() }, 201);
    });
}

/** A passkey is added after a look at another one, or after a recovery code. */
function mayAdd(c: Ctx): void {
  const { freshUntil, mayAddUntil } = sessionOf(c);
  if (freshUntil === null && mayAddUntil === null)
    fail("forbidden", "A new passkey is added only after a look at one that you have.", { needs: "passkey" });
}

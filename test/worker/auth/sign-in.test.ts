// Signing in: passkeys, challenges, recovery codes, sessions and their cookie, invites. What must be refused is refused.
import { env } from "cloudflare:workers";
import { reset, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, test, vi } from "vitest";
import type { MemoryAgent } from "../../../src/server/memory/agent.ts";
import { formatInvite } from "../../../src/server/http/invite.ts";
import { Passkey } from "../../lib/authenticator.ts";
import { askedOf, bearer, call, HOST, ORIGIN, Person } from "./support.ts";

afterEach(async () => {
  vi.useRealTimers();
  await reset();
});

const signInOptions = async () => (await call("POST", "/api/auth/sign-in/options")).body;
const signIn = (ticket: string, response: unknown) => call("POST", "/api/auth/sign-in", { ticket, response });

test("a person makes an account, comes back with the passkey alone, and finds their own memory", async () => {
  const ana = await Person.register();
  expect(ana.user).toMatch(/^u[a-z0-9]{24}$/);
  expect(ana.codes).toHaveLength(8);
  expect((await ana.call("POST", "/api/entries", { text: "Plays the oboe" })).status).toBe(200);
  ana.cookie = await ana.signIn();
  expect((await ana.call("GET", "/api/entries")).body.items.map((one: any) => one.text)).toEqual(["Plays the oboe"]);
  const other = await Person.register();
  expect((await other.call("GET", "/api/entries")).body.items).toEqual([]);
});

test("the cookie is bound to host, https and the page", async () => {
  const { options, ticket } = (await call("POST", "/api/auth/register/options", {})).body;
  const response = await new Passkey().create(askedOf(options), options.user.id);
  const made = await call("POST", "/api/auth/register", { ticket, response });
  expect(made.headers.get("Set-Cookie")).toMatch(
    /^__Host-reverie=[^;]+; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(options.authenticatorSelection).toMatchObject({ residentKey: "required", userVerification: "required" });
});

test("a challenge is answered once, and within five minutes", async () => {
  const ana = await Person.register();
  const first = await signInOptions();
  const response = await ana.passkey.get(askedOf(first.options));
  expect((await signIn(first.ticket, response)).status).toBe(200);
  expect((await signIn(first.ticket, response)).status).toBe(401);
  expect((await signIn(first.ticket, await ana.passkey.get(askedOf(first.options)))).status).toBe(401);
  const late = await signInOptions();
  const answer = await ana.passkey.get(askedOf(late.options));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5 * 60_000 + 1_000 });
  expect((await signIn(late.ticket, answer)).status).toBe(401);
});

test("two answers to one challenge at once: one is let in", async () => {
  const ana = await Person.register();
  const { options, ticket } = await signInOptions();
  const [one, two] = [await ana.passkey.get(askedOf(options)), await ana.passkey.get(askedOf(options))];
  const statuses = (await Promise.all([signIn(ticket, one), signIn(ticket, two)])).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 401]);
});

test.each([
  ["another origin", { origin: "https://evil.example" }],
  ["http", { origin: `http://${HOST}` }],
  ["another port", { origin: `${ORIGIN}:8443` }],
  ["another host's passkey", { rpId: "evil.example" }],
  ["another challenge", { challenge: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
])("an answer for %s is refused", async (_what, wrong) => {
  const ana = await Person.register();
  const { options, ticket } = await signInOptions();
  expect((await signIn(ticket, await ana.passkey.get({ ...askedOf(options), ...wrong }))).status).toBe(401);
});

test("a counter that goes back is a copy's", async () => {
  const ana = await Person.register();
  ana.passkey.counter = 7;
  await ana.signIn();
  ana.passkey.counter = 3;
  await expect(ana.signIn()).rejects.toThrow(/Not signed in/);
});

test("tickets are for one thing, and not of one's own making", async () => {
  const ana = await Person.register();
  const { options, ticket } = (await call("POST", "/api/auth/register/options", {})).body;
  expect((await signIn(ticket, await ana.passkey.get(askedOf(options)))).status).toBe(401);
  const forged = `${ticket.slice(0, -4)}AAAA`;
  const response = await new Passkey().create(askedOf(options), options.user.id);
  expect((await call("POST", "/api/auth/register", { ticket: forged, response })).status).toBe(401);
  expect((await call("POST", "/api/auth/register", { ticket, response })).status).toBe(201);
  expect((await call("POST", "/api/auth/register", { ticket, response })).status).toBe(409);
});

test("of two hundred sign-ins and guesses nobody learns whether a memory exists", async () => {
  const ana = await Person.register();
  const stranger = new Passkey();
  stranger.userHandle = ana.passkey.userHandle;
  await stranger.create({ challenge: "x", origin: ORIGIN, rpId: HOST }, ana.passkey.userHandle);
  const known = await signInOptions();
  const one = await signIn(known.ticket, await stranger.get(askedOf(known.options)));
  stranger.userHandle = Buffer.from(`u${"z".repeat(24)}`).toString("base64url");
  const unknown = await signInOptions();
  const two = await signIn(unknown.ticket, await stranger.get(askedOf(unknown.options)));
  expect([one.status, two.status]).toEqual([401, 401]);
  const code = (user: string) => call("POST", "/api/auth/recover", { code: `${user}-aaaaa-aaaaa-aaaaa-aaaaa` });
  expect((await code(ana.user)).status).toBe((await code(`u${"z".repeat(24)}`)).status);
});

test("a recovery code opens once, and lets in a new passkey but nothing that cannot be undone", async () => {
  const ana = await Person.register();
  const used = await call("POST", "/api/auth/recover", { code: ` ${ana.codes[0]!.toUpperCase().replaceAll("-", " ")} ` });
  expect(used.status).toBe(200);
  expect((await call("POST", "/api/auth/recover", { code: ana.codes[0] })).status).toBe(401);
  const cookie = used.headers.get("Set-Cookie")!.split(";")[0]!;
  const at = (method: string, path: string, body?: unknown) => ana.call(method, path, body, { Cookie: cookie });
  expect((await at("DELETE", "/api/me", { confirm: "delete everything" })).status).toBe(403);
  const { options, ticket } = (await at("POST", "/api/auth/passkeys/options")).body;
  const second = new Passkey();
  const added = await at("POST", "/api/auth/passkeys", {
    ticket,
    response: await second.create(askedOf(options), options.user.id),
    name: "New phone",
  });
  expect(added.body.items.map((one: any) => one.name).sort()).toEqual(["New phone", "Passkey"]);
  expect((await at("GET", "/api/auth/recovery")).body.left).toBe(7);
  const again = await signInOptions();
  expect((await signIn(again.ticket, await second.get(askedOf(again.options)))).status).toBe(200);
});

test("a hundred guesses at once: five are counted, then the way is shut for a while, for the right code too", async () => {
  const ana = await Person.register();
  const stub = env.MemoryAgent.getByName(ana.user);
  const outcomes = await runInDurableObject(stub, async (agent: MemoryAgent) => {
    const guesses = Array.from({ length: 100 }, (_, n) =>
      agent.account("recover", [`${ana.user}-aaaaa-aaaaa-aaaaa-${String(n).padStart(5, "a")}`, { device: "" }]),
    );
    return (await Promise.all(guesses)).map((one) => (one.ok ? "in" : one.code));
  });
  expect(outcomes.filter((one) => one === "unauthorized")).toHaveLength(5);
  expect(outcomes.filter((one) => one === "rate-limited")).toHaveLength(95);
  const right = await call("POST", "/api/auth/recover", { code: ana.codes[1] });
  expect(right.status).toBe(429);
  expect(Number(right.headers.get("Retry-After"))).toBeGreaterThan(60);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 16 * 60_000 });
  expect((await call("POST", "/api/auth/recover", { code: ana.codes[1] })).status).toBe(200);
});

test("sessions are listed and ended, one or all; ended ones open nothing", async () => {
  const ana = await Person.register();
  const second = await ana.signIn();
  const listed = (await ana.call("GET", "/api/sessions")).body.items;
  expect(listed).toHaveLength(2);
  expect(listed.filter((one: any) => one.current)).toHaveLength(1);
  const there = listed.find((one: any) => !one.current);
  expect((await ana.call("DELETE", `/api/sessions/${there.id}`)).body).toEqual({ ended: 1 });
  expect((await call("GET", "/api/entries", undefined, { Cookie: second })).status).toBe(401);
  expect((await ana.call("DELETE", `/api/sessions/${there.id}`)).status).toBe(404);
  const third = await ana.signIn();
  expect((await ana.call("DELETE", "/api/sessions/others")).body).toEqual({ ended: 1 });
  expect((await call("GET", "/api/entries", undefined, { Cookie: third })).status).toBe(401);
  expect((await ana.call("POST", "/api/auth/sign-out")).headers.get("Set-Cookie")).toMatch(/Max-Age=0/);
  expect((await ana.call("GET", "/api/entries")).status).toBe(401);
});

test("a session ends by itself after thirty days, whatever its cookie says", async () => {
  const ana = await Person.register();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 30 * 24 * 60 * 60_000 + 1_000 });
  expect((await ana.call("GET", "/api/entries")).status).toBe(401);
});

test("a changed cookie is nobody's", async () => {
  const ana = await Person.register();
  const other = await Person.register();
  const swapped = ana.cookie.replace(ana.user, other.user);
  expect((await call("GET", "/api/entries", undefined, { Cookie: swapped })).status).toBe(401);
  expect((await call("GET", "/api/entries", undefined, { Cookie: ana.cookie.slice(0, -2) })).status).toBe(401);
});

test("the last passkey stays, and a new set of codes makes the old one worthless", async () => {
  const ana = await Person.register();
  const [only] = (await ana.call("GET", "/api/auth/passkeys")).body.items;
  expect((await ana.call("DELETE", `/api/auth/passkeys/${only.id}`)).status).toBe(409);
  const { codes } = (await ana.call("POST", "/api/auth/recovery")).body;
  expect(codes).toHaveLength(8);
  expect((await call("POST", "/api/auth/recover", { code: ana.codes[0] })).status).toBe(401);
  expect((await call("POST", "/api/auth/recover", { code: codes[0] })).status).toBe(200);
});

const invite = (owner: boolean, id = "one", until = Date.now() + 60_000) =>
  formatInvite({ id, until, owner }, [env.AUTH_SECRET!]);

test("an invite opens one account; one of another installation, a changed and an old one open none", async () => {
  await Person.register({ invite: invite(false) });
  await expect(Person.register({ invite: invite(false) })).rejects.toThrow(/used already/);
  const ask = (text: string) => call("POST", "/api/auth/register/options", { invite: text });
  expect((await ask(formatInvite({ id: "x", until: Date.now() + 60_000, owner: true }, ["another secret"]))).status).toBe(401);
  expect((await ask(`${invite(false, "two").slice(0, -3)}AAA`)).status).toBe(401);
  expect((await ask(invite(false, "three", Date.now() - 1))).status).toBe(401);
});

test("the owner takes over the memory that was kept here, once", async () => {
  const local = env.MemoryAgent.getByName("me");
  await runInDurableObject(local, (agent: MemoryAgent) =>
    agent.write({
      base: null,
      kind: "edit",
      source: null,
      actor: "user",
      at: Date.now(),
      zone: "UTC",
      typed: true,
      edits: [{ op: "add", text: "Kept before" }],
    }),
  );
  const owner = await Person.register({ invite: invite(true), adopt: true });
  expect(owner.user).toBe("me");
  expect((await owner.call("GET", "/api/entries")).body.items[0].text).toBe("Kept before");
  expect((await owner.call("GET", "/api/auth/session")).body).toMatchObject({ signedIn: true, owner: true });
  expect((await call("POST", "/api/auth/register/options", { invite: invite(true, "two"), adopt: true })).status).toBe(401);
  const guest = await Person.register();
  expect((await guest.call("POST", "/api/auth/invites", {})).status).toBe(403);
  const made = await owner.call("POST", "/api/auth/invites", { days: 2 });
  expect(made.status).toBe(201);
  expect((await Person.register({ invite: made.body.invite })).user).toMatch(/^u/);
  const counts = (await owner.call("GET", "/api/installation")).body;
  expect(counts).toMatchObject({ users: 3, signUp: "open", money: { capUsd: 1, grantedUsd: 0 } });
  expect((await guest.call("GET", "/api/installation")).status).toBe(403);
});

test("tokens are shown once and rest as hashes; they expire and are taken back", async () => {
  const ana = await Person.register();
  const made = (await ana.call("POST", "/api/tokens", { name: "Editor" })).body;
  expect(made.token).toMatch(new RegExp(`^rv_${ana.user}_[A-Za-z0-9_-]{43}$`));
  expect(made).toMatchObject({ kind: "agent", access: "read", lastUsed: null });
  expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(90 * 24 * 60 * 60_000);
  expect((await call("GET", "/api/entries", undefined, bearer(made.token))).status).toBe(200);
  const listed = (await ana.call("GET", "/api/tokens")).body.items;
  expect(JSON.stringify(listed)).not.toContain(made.token.slice(-43));
  expect(listed[0].lastUsed).not.toBeNull();
  const rows = await runInDurableObject(env.MemoryAgent.getByName(ana.user), (_: MemoryAgent, state) =>
    JSON.stringify(state.storage.sql.exec("SELECT * FROM tokens").toArray()),
  );
  expect(rows).not.toContain(made.token.slice(-43));
  expect((await ana.call("DELETE", `/api/tokens/${made.id}`)).status).toBe(200);
  expect((await call("GET", "/api/entries", undefined, bearer(made.token))).status).toBe(401);
  const short = await ana.token({ days: 1 });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 24 * 60 * 60_000 + 1_000 });
  expect((await call("GET", "/api/entries", undefined, bearer(short))).status).toBe(401);
});

test("whoever deletes everything is nobody afterwards", async () => {
  const ana = await Person.register();
  await ana.call("POST", "/api/entries", { text: "Plays the oboe" });
  const token = await ana.token();
  expect((await ana.call("DELETE", "/api/me", { confirm: "delete everything" })).status).toBe(200);
  expect((await ana.call("GET", "/api/entries")).status).toBe(401);
  expect((await call("GET", "/api/entries", undefined, bearer(token))).status).toBe(401);
  await expect(ana.signIn()).rejects.toThrow(/Not signed in/);
});

// Every route and every way in: what each credential gets. A route that stands in no line of the table has to ask for a session.
import { reset } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createApp } from "../../../src/server/http/app.ts";
import { formatInvite } from "../../../src/server/http/invite.ts";
import { env } from "cloudflare:workers";
import { bearer, call, ORIGIN, Person, type Called } from "./support.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() }));
afterEach(async () => {
  vi.useRealTimers();
  await reset();
});

/** What may come: `-` 401, `x` 403, `+` let in (whatever the route then says of an empty request). */
const WAYS = [
  "nobody",
  "expired session",
  "revoked session",
  "expired token",
  "revoked token",
  "agent, read",
  "agent, read-write",
  "mine, read",
  "mine, read-write",
  "session, not fresh",
  "session, fresh",
  "owner, fresh",
] as const;
const EXPECTED = {
  open: "++++++++++++",
  read: "-----+++++++",
  write: "-----x+x++++",
  session: "-----xxxx+++",
  fresh: "-----xxxxx++",
  owner: "-----xxxxxx+",
  // A cookie opens no repository.
  git: "-----++++---",
} as const;

const ROUTES: Record<string, keyof typeof EXPECTED> = {
  "GET /api/health": "open",
  "GET /api/auth/session": "open",
  "POST /api/auth/register/options": "open",
  "POST /api/auth/register": "open",
  "POST /api/auth/sign-in/options": "open",
  "POST /api/auth/sign-in": "open",
  "POST /api/auth/recover": "open",
  "POST /api/auth/sign-out": "session",
  "POST /api/auth/check/options": "session",
  "POST /api/auth/check": "session",
  "GET /api/auth/passkeys": "session",
  "POST /api/auth/passkeys/options": "fresh",
  "POST /api/auth/passkeys": "fresh",
  "DELETE /api/auth/passkeys/:id": "fresh",
  "GET /api/auth/recovery": "session",
  "POST /api/auth/recovery": "fresh",
  "POST /api/auth/invites": "owner",
  "GET /api/sessions": "session",
  "DELETE /api/sessions": "session",
  "DELETE /api/sessions/others": "session",
  "DELETE /api/sessions/:id": "session",
  "GET /api/tokens": "session",
  "POST /api/tokens": "session",
  "DELETE /api/tokens/:id": "session",
  "GET /api/model-key": "session",
  "PUT /api/model-key": "fresh",
  "DELETE /api/model-key": "fresh",
  "GET /api/installation": "owner",
  "GET /api/openapi.json": "read",
  "GET /api/memory": "read",
  "GET /api/memory/files/*": "read",
  "PUT /api/memory/files/*": "write",
  "DELETE /api/memory/files/*": "write",
  "POST /api/memory/files/*": "write",
  "GET /api/entries": "read",
  "POST /api/entries": "write",
  "GET /api/entries/:id": "read",
  "POST /api/entries/:id/revise": "write",
  "POST /api/entries/:id/close": "write",
  "POST /api/entries/:id/reopen": "write",
  "POST /api/entries/:id/move": "write",
  "POST /api/entries/:id/confirm": "write",
  "POST /api/entries/:id/pin": "session",
  "POST /api/entries/:id/unpin": "session",
  "GET /api/graph": "read",
  "GET /api/history": "read",
  "GET /api/history/:commit": "read",
  "POST /api/history/:commit/revert": "session",
  "GET /api/check": "read",
  "POST /api/rebuild": "session",
  "POST /api/forget": "write",
  "GET /api/forgotten": "session",
  "POST /api/forgotten/:id/lift": "session",
  "POST /api/forgotten/:id/erase": "fresh",
  "POST /api/forgotten/keys/give-up": "fresh",
  "GET /api/receipts/:id": "read",
  "POST /api/receipts/:id/undo": "session",
  "GET /api/secrets": "session",
  "POST /api/secrets/erase": "fresh",
  "DELETE /api/me": "fresh",
  "POST /api/chat": "session",
  "GET /api/threads": "read",
  "POST /api/threads": "session",
  "GET /api/threads/:id": "read",
  "PATCH /api/threads/:id": "session",
  "DELETE /api/threads/:id": "session",
  "POST /api/threads/:id/stop": "session",
  "POST /api/threads/:id/resume": "session",
  "POST /api/threads/:id/regenerate": "session",
  "POST /api/threads/:id/cards/:card": "session",
  "GET /api/costs": "read",
  "GET /api/costs/calls": "read",
  "GET /api/costs/calls.csv": "read",
  "GET /api/settings": "session",
  "PATCH /api/settings": "session",
  "GET /api/models": "read",
  "GET /api/notes": "read",
  "POST /api/notes": "session",
  "GET /api/notes/:id": "read",
  "PUT /api/notes/:id": "session",
  "DELETE /api/notes/:id": "session",
  "GET /api/mirror": "fresh",
  "PUT /api/mirror": "fresh",
  "DELETE /api/mirror": "fresh",
  "GET /api/search": "read",
  "POST /api/dream": "session",
  "GET /api/dreams": "read",
  "GET /api/dreams/:id": "read",
  "POST /api/dreams/:id/accept": "session",
  "POST /api/dreams/:id/reject": "session",
  "POST /api/dreams/:id/undo": "session",
  "POST /api/dreams/:id/cancel": "session",
  "POST /api/import": "session",
  "GET /api/imports/:id": "session",
  "POST /api/imports/:id/apply": "session",
  "DELETE /api/imports/:id": "session",
  "POST /api/export": "session",
  "GET /git/memory.git/info/refs": "git",
  "GET /api/there-is-none": "session",
  "POST /api/there-is-none": "session",
};

/** Routes that end the very session that asks. */
const ENDS = new Set(["POST /api/auth/sign-out", "DELETE /api/sessions", "DELETE /api/sessions/others"]);
const ID = "aaaaaaaa";

function pathOf(route: string): string {
  const [, path = ""] = route.split(" ");
  const filled = path
    .replace("/:commit", `/${"0".repeat(40)}`)
    .replace(/:[a-z]+/g, ID)
    .replace("/files/*", "/files/people/nobody.md");
  if (path === "/api/search") return `${filled}?q=oboe`;
  return path.startsWith("/git/") ? `${filled}?service=git-upload-pack` : filled;
}

const DAY_MS = 24 * 60 * 60_000;
const after = (ms: number) => vi.setSystemTime(Date.now() + ms);

type Credentials = Map<(typeof WAYS)[number], Record<string, string>>;

/** One person with every credential there is, good and bad. */
async function credentials(known?: Person): Promise<{ ways: Credentials; owner: Person }> {
  const gone = await Person.register();
  const goneToken = await gone.token({ days: 1, access: "read-write", kind: "mine" });
  after(31 * DAY_MS);
  const ana = await Person.register();
  const revoked = await ana.signIn();
  await ana.call("DELETE", "/api/sessions/others");
  const list = async () => (await ana.call("GET", "/api/tokens")).body.items as { id: string }[];
  const revokedToken = await ana.token({ access: "read-write", kind: "mine" });
  for (const { id } of await list()) await ana.call("DELETE", `/api/tokens/${id}`);
  const stale = ana.cookie;
  after(11 * 60_000);
  const invite = formatInvite({ id: "owner", until: Date.now() + DAY_MS, owner: true }, [env.AUTH_SECRET!]);
  const owner = known ?? (await Person.register({ invite }));
  if (known) known.cookie = await known.signIn();
  const cookie = (value: string) => ({ Cookie: value, Origin: ORIGIN });
  const ways = new Map([
    ["nobody", {}],
    ["expired session", cookie(gone.cookie)],
    ["revoked session", cookie(revoked)],
    ["expired token", bearer(goneToken)],
    ["revoked token", bearer(revokedToken)],
    ["agent, read", bearer(await ana.token())],
    ["agent, read-write", bearer(await ana.token({ access: "read-write" }))],
    ["mine, read", bearer(await ana.token({ kind: "mine" }))],
    ["mine, read-write", bearer(await ana.token({ kind: "mine", access: "read-write" }))],
    ["session, not fresh", cookie(stale)],
    ["session, fresh", cookie(await ana.signIn())],
    ["owner, fresh", cookie(owner.cookie)],
  ]) as Credentials;
  return { ways, owner };
}

const signOf = ({ status }: Called): string => (status === 401 ? "-" : status === 403 ? "x" : "+");

test("every route answers each way in as the table says", async () => {
  const served = createApp()
    .routes.filter(({ method, path }) => method !== "ALL" && path.startsWith("/api"))
    .map(({ method, path }) => `${method} ${path.replace(/\/$/, "")}`);
  const more = [...new Set(served)].filter((route) => !(route in ROUTES));
  const expected = { ...ROUTES, ...Object.fromEntries(more.map((route) => [route, "session" as const])) };

  let { ways, owner } = await credentials();
  const found: Record<string, string> = {};
  const codes: string[] = [];
  for (const route of Object.keys(expected)) {
    const signs: string[] = [];
    const statuses: number[] = [];
    const method = route.split(" ")[0]!;
    const body = method === "GET" || method === "DELETE" ? undefined : {};
    for (const way of WAYS) {
      // Of two sessions of one person the first would end the second.
      if (ENDS.has(route) && way === "session, fresh") ({ ways, owner } = await credentials(owner));
      const answer = await call(method, pathOf(route), body, ways.get(way));
      expect(answer.status, `${route} as ${way}: ${answer.text}`).toBeLessThan(500);
      signs.push(signOf(answer));
      statuses.push(answer.status);
    }
    found[route] = signs.join("");
    codes.push(`${route.padEnd(42)} ${statuses.join(" ")}`);
    // Buckets refill with the clock, and whoever signed out comes back.
    after(30_000);
    if (ENDS.has(route) || codes.length % 15 === 0) ({ ways, owner } = await credentials(owner));
  }
  console.log(`${codes.length} routes × ${WAYS.length} ways in (${WAYS.join(" · ")}):\n${codes.join("\n")}`);
  expect(found).toEqual(Object.fromEntries(Object.entries(expected).map(([route, kind]) => [route, EXPECTED[kind]])));
}, 240_000);

test("whoever is not known gets one and the same answer, whatever is behind it", async () => {
  const { ways } = await credentials();
  const answers = new Set<string>();
  for (const way of WAYS.slice(0, 5)) {
    for (const path of ["/api/entries", `/api/entries/${ID}`, "/api/forgotten", "/api/installation", "/api/nothing"]) {
      const { status, text } = await call("GET", path, undefined, ways.get(way));
      answers.add(`${status} ${text}`);
    }
  }
  expect([...answers]).toHaveLength(1);
});

test("what is another's and what is nobody's cannot be told apart", async () => {
  const ana = await Person.register();
  const ben = await Person.register();
  const entry = (await ana.call("POST", "/api/entries", { text: "Plays the oboe", path: "people/ana.md" })).body;
  const note = (await ana.call("POST", "/api/notes", { text: "A thought" })).body.id;
  const thread = (await ana.call("POST", "/api/threads", {})).body.id;
  const token = (await ana.call("POST", "/api/tokens", { name: "Robot" })).body.id;
  const session = (await ana.call("GET", "/api/sessions")).body.items[0].id;
  const passkey = (await ana.call("GET", "/api/auth/passkeys")).body.items[0].id;
  const forgot = (await ana.call("POST", "/api/forget", { id: entry.entries[0].entry.id })).body;
  expect(forgot.receipt).toBeTruthy();
  const like = (id: string) => id.replace(/[a-z0-9]/gi, (letter) => (/[0-9]/.test(letter) ? "0" : "a"));
  const cases: [string, string, string][] = [
    ["GET", "/api/entries/:id", entry.entries[0].entry.id],
    ["POST", "/api/entries/:id/close", entry.entries[0].entry.id],
    ["POST", "/api/entries/:id/pin", entry.entries[0].entry.id],
    ["GET", "/api/history/:id", entry.commit],
    ["POST", "/api/history/:id/revert", entry.commit],
    ["GET", "/api/notes/:id", note],
    ["DELETE", "/api/notes/:id", note],
    ["GET", "/api/threads/:id", thread],
    ["DELETE", "/api/threads/:id", thread],
    ["GET", "/api/receipts/:id", forgot.receipt],
    ["POST", "/api/receipts/:id/undo", forgot.receipt],
    ["DELETE", "/api/tokens/:id", token],
    ["DELETE", "/api/sessions/:id", session],
    ["DELETE", "/api/auth/passkeys/:id", passkey],
    ["POST", "/api/forgotten/:id/lift", forgot.stones[0]],
    ["GET", "/api/memory/files/:id", "people/ana.md"],
  ];
  for (const [method, path, id] of cases) {
    const ask = async (name: string) => {
      const answer = await ben.call(method, path.replace(":id", name), method === "GET" || method === "DELETE" ? undefined : {});
      return `${answer.status} ${answer.text.replaceAll(name, "…")}`;
    };
    const [anas, nobodys] = [await ask(id), await ask(like(id))];
    expect(anas, `${method} ${path}`).toBe(nobodys);
    expect(anas, `${method} ${path}`).toMatch(/^4/);
  }
  expect((await ana.call("GET", `/api/notes/${note}`)).status).toBe(200);
  console.log(`${cases.length} routes with ids: another's and nobody's are answered alike.`);
});

test("an agent's token keeps to its own lines; no token moves pins or lifts what was forgotten", async () => {
  const ana = await Person.register();
  const agent = bearer(await ana.token({ name: "Garden Robot", access: "read-write" }));
  const mine = bearer(await ana.token({ name: "Script", access: "read-write", kind: "mine" }));
  const pinned = (await ana.call("POST", "/api/entries", { text: "Plays the oboe", path: "people/ana.md" })).body.entries[0]
    .entry;
  await ana.call("POST", `/api/entries/${pinned.id}/pin`, {});
  const added = await call("POST", "/api/entries", { text: "Has a greenhouse", path: "people/ana.md" }, agent);
  expect(added.body.entries[0].entry.sources).toEqual(["agent/garden-robot"]);
  const own = added.body.entries[0].entry.id;
  const revise = (id: string, text: string, by: Record<string, string>) =>
    call("POST", `/api/entries/${id}/revise`, { text, why: "changed" }, by);
  expect((await revise(own, "Has two greenhouses", agent)).status).toBe(200);
  expect((await revise(pinned.id, "Plays the flute", agent)).status).toBe(403);
  expect((await call("POST", "/api/entries", { text: "I am in charge" }, agent)).status).toBe(403);
  const head = (await ana.call("GET", "/api/memory")).body.head;
  const file = (await ana.call("GET", "/api/memory/files/people/ana.md")).text;
  const put = (text: string) => call("PUT", "/api/memory/files/people/ana.md", text, { ...mine, "If-Match": head });
  expect((await put(file.replace("; pin: yes", ""))).body.error.code).toBe("pinned");
  expect((await put(file.replace(/(greenhouses? \[id: [a-z0-9]+)/, "$1; pin: yes"))).body.error.code).toBe("pinned");
  expect((await call("POST", "/api/forget", { query: "oboe", erase: true }, mine)).status).toBe(403);
  expect((await call("POST", "/api/forget", { query: "greenhouses" }, mine)).status).toBe(200);
});

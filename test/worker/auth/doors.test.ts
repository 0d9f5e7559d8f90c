// The doors that are no pages: sockets, names of objects, git, other web pages, headers, limits. Nobody gets into another's memory, and nothing stays open.
import { env, exports } from "cloudflare:workers";
import { listDurableObjectIds, reset, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, test, vi } from "vitest";
import type { MemoryAgent } from "../../../src/server/memory/agent.ts";
import { bearer, call, ORIGIN, Person } from "./support.ts";

afterEach(async () => {
  vi.useRealTimers();
  await reset();
});

/** The part of an address that stands for whoever asks. */
const ME = /\/me(?=$|\.)/;

const upgrade = (path: string, headers: Record<string, string>) =>
  exports.default.fetch(new Request(`${ORIGIN}${path}`, { headers: { Upgrade: "websocket", Origin: ORIGIN, ...headers } }));

interface Line {
  socket: WebSocket;
  frames: any[];
  /** The code that it was closed with. */
  closed: Promise<number>;
  /** Resolves with the first frame that fits. */
  frame: (fits: (frame: any) => boolean) => Promise<any>;
}

async function open(path: string, cookie: string): Promise<Line> {
  const response = await upgrade(path, { Cookie: cookie });
  if (response.status !== 101) throw new Error(`No socket: ${response.status}`);
  const socket = response.webSocket!;
  const frames: any[] = [];
  const waiting: { fits: (frame: any) => boolean; resolve: (frame: any) => void }[] = [];
  socket.addEventListener("message", ({ data }) => {
    const frame = typeof data === "string" ? JSON.parse(data) : data;
    frames.push(frame);
    for (const one of waiting) if (one.fits(frame)) one.resolve(frame);
  });
  const closed = new Promise<number>((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
  socket.accept();
  return {
    socket,
    frames,
    closed,
    frame: (fits) =>
      new Promise((resolve) => {
        const there = frames.find(fits);
        if (there) resolve(there);
        else waiting.push({ fits, resolve });
      }),
  };
}

test("sockets are for sessions of this page, to one's own objects, under whatever name", async () => {
  const ana = await Person.register();
  const ben = await Person.register();
  const token = await ana.token({ kind: "mine", access: "read-write" });
  for (const path of ["/agents/memory-agent/me", "/agents/chat-agent/me.abcd1234"]) {
    expect((await upgrade(path, {})).status).toBe(401);
    expect((await upgrade(path, bearer(token))).status).toBe(403);
    expect((await upgrade(path, { Cookie: ana.cookie, Origin: "https://evil.example" })).status).toBe(403);
    expect((await upgrade(path, { Cookie: ana.cookie, Origin: "null" })).status).toBe(403);
    expect((await upgrade(path, { Cookie: ana.cookie })).status).toBe(101);
    expect((await upgrade(path.replace(ME, `/${ana.user}`), { Cookie: ana.cookie })).status).toBe(101);
    const [bens, nobodys] = await Promise.all(
      [ben.user, `u${"z".repeat(24)}`].map(async (user) => {
        const answer = await upgrade(path.replace(ME, `/${user}`), { Cookie: ana.cookie });
        return `${answer.status} ${await answer.text()}`;
      }),
    );
    expect(bens).toBe(nobodys);
    expect(bens).toMatch(/^404/);
  }
});

test("no name leads to another object", async () => {
  const ana = await Person.register();
  const ben = await Person.register();
  await ben.call("POST", "/api/entries", { text: "Plays the oboe" });
  const ids = async () =>
    [...(await listDurableObjectIds(env.MemoryAgent)), ...(await listDurableObjectIds(env.ChatAgent))].map(String).sort();
  const before = await ids();
  const odd = [
    `${ana.user}.${ben.user}`,
    `../${ben.user}`,
    `..%2f${ben.user}`,
    `me%2f..%2f${ben.user}`,
    `${ben.user}%00`,
    `me%00`,
    `a%00`,
    "a".repeat(1025),
    "installation",
    "Installation",
    "%69nstallation",
    ben.user.toUpperCase(),
    // Letters that look like others.
    ben.user.replace("u", "υ"),
    "mе",
    "ｍｅ",
    `me.abcd1234.${ben.user}`,
    `me.${"a".repeat(13)}`,
    "me.__proto__",
    "__proto__",
    "constructor",
    "",
    ".",
    "me.",
    ".me",
  ];
  const ways: Record<string, string>[] = [
    { Cookie: ana.cookie },
    { Cookie: ana.cookie, "x-partykit-room": ben.user, "X-Reverie-Session": "x" },
  ];
  let tried = 0;
  for (const name of odd) {
    for (const agent of ["memory-agent", "chat-agent", "MemoryAgent", "memory-agent%2f..", "__proto__"]) {
      for (const headers of ways) {
        const answer = await upgrade(`/agents/${agent}/${name}`, headers);
        expect(answer.status, `${agent}/${name}`).not.toBe(101);
        expect(await answer.text()).not.toContain("oboe");
        tried += 1;
      }
      expect((await ana.call("GET", `/agents/${agent}/${name}`)).status).toBeGreaterThanOrEqual(400);
    }
    const cookie = `__Host-reverie=${name}.${ana.cookie.split(".").slice(1).join(".")}`;
    expect((await call("GET", "/api/entries", undefined, { Cookie: encodeURI(cookie) })).status).toBe(401);
    expect((await call("GET", "/api/entries", undefined, bearer(`rv_${encodeURI(name)}_${"A".repeat(43)}`))).status).toBe(401);
  }
  expect(await ids()).toEqual(before);
  console.log(`${tried} upgrades under ${odd.length} odd names reached no object.`);
});

test("a socket carries no state in, no private method, and no flood; the object lives on", async () => {
  const ana = await Person.register();
  const line = await open("/agents/memory-agent/me", ana.cookie);
  await line.frame((frame) => frame.type === "cf_agent_state");
  line.socket.send(JSON.stringify({ type: "cf_agent_state", state: { capUsd: -1, spentUsd: 0 } }));
  const methods = [
    "write",
    "account",
    "installation",
    "ownModel",
    "forgetting",
    "conversation",
    "setState",
    "onStart",
    "schedule",
    "destroy",
    "constructor",
    "__proto__",
    "toString",
    "getConnections",
    "alarm",
    "fetch",
    "closeSession",
  ];
  for (const [at, method] of methods.entries())
    line.socket.send(JSON.stringify({ type: "rpc", id: `r${at}`, method, args: ["register", [{}]] }));
  for (const at of methods.keys()) {
    const answer = await line.frame((frame) => frame.type === "rpc" && frame.id === `r${at}`);
    expect(answer, methods[at]).toMatchObject({ success: false });
  }
  const chat = await open("/agents/chat-agent/me.abcd1234", ana.cookie);
  for (const [at, method] of ["beginTemporary", "clear", "scrub", "inFlight", "closeSession", "settled"].entries()) {
    chat.socket.send(JSON.stringify({ type: "rpc", id: `c${at}`, method, args: [] }));
    expect(await chat.frame((frame) => frame.type === "rpc" && frame.id === `c${at}`)).toMatchObject({ success: false });
  }
  const state = await runInDurableObject(env.MemoryAgent.getByName(ana.user), (agent: MemoryAgent) => agent.state);
  expect(state.capUsd).not.toBe(-1);

  for (let sent = 0; sent < 10_000; sent += 1) line.socket.send("{}");
  expect(await line.closed).toBe(1008);
  const large = await open("/agents/memory-agent/me", ana.cookie);
  large.socket.send("x".repeat(2 * 1024 * 1024));
  expect(await large.closed).toBeGreaterThanOrEqual(1006);
  expect((await ana.call("GET", "/api/entries")).status).toBe(200);
});

test("ended sessions lose their sockets within a second, and only they", async () => {
  const ana = await Person.register();
  const second = await ana.signIn();
  const theirs = [
    await open("/agents/memory-agent/me", second),
    await open("/agents/memory-agent/me", second),
    await open("/agents/chat-agent/me.abcd1234", second),
  ];
  const mine = await open("/agents/memory-agent/me", ana.cookie);
  await Promise.all([...theirs, mine].map((line) => line.frame(() => true)));
  const other = (await ana.call("GET", "/api/sessions")).body.items.find((one: any) => !one.current);
  const began = Date.now();
  await ana.call("DELETE", `/api/sessions/${other.id}`);
  expect(await Promise.all(theirs.map(({ closed }) => closed))).toEqual([4401, 4401, 4401]);
  const took = Date.now() - began;
  expect(took).toBeLessThan(1_000);
  console.log(`Three sockets of an ended session were closed after ${took} ms.`);
  mine.socket.send(JSON.stringify({ type: "rpc", id: "still", method: "none", args: [] }));
  expect(await mine.frame((frame) => frame.id === "still")).toMatchObject({ success: false });
});

test("a token that is taken back opens nothing at once, at no door", async () => {
  const ana = await Person.register();
  const made = (await ana.call("POST", "/api/tokens", { name: "Laptop", kind: "mine", access: "read-write" })).body;
  const basic = { Authorization: `Basic ${btoa(`me:${made.token}`)}` };
  const doors: [string, string, unknown, Record<string, string>][] = [
    ["GET", "/api/entries", undefined, bearer(made.token)],
    ["GET", "/git/memory.git/info/refs?service=git-upload-pack", undefined, basic],
    ["GET", "/git/memory.git/info/refs?service=git-receive-pack", undefined, basic],
  ];
  for (const [method, path, body, headers] of doors) expect((await call(method, path, body, headers)).status, path).toBe(200);
  await ana.call("DELETE", `/api/tokens/${made.id}`);
  for (const [method, path, body, headers] of doors) expect((await call(method, path, body, headers)).status, path).toBe(401);
  const asked = await call("GET", "/git/memory.git/info/refs?service=git-upload-pack");
  expect(asked.headers.get("WWW-Authenticate")).toMatch(/^Basic/);
  expect((await ana.call("GET", "/git/memory.git/info/refs?service=git-upload-pack")).status).toBe(401);
  const reading = await ana.token({ kind: "mine" });
  const push = await call("GET", "/git/memory.git/info/refs?service=git-receive-pack", undefined, bearer(reading));
  expect(push.text).not.toContain("refs/heads/main");
});

test("another web page changes nothing, whatever it sends along", async () => {
  const ana = await Person.register();
  const before = (await ana.call("GET", "/api/memory")).body;
  const pages: Record<string, string>[] = [
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { Origin: `http://reverie.example.org` },
    { Origin: "https://reverie.example.org.evil.example" },
    { Origin: "", "Sec-Fetch-Site": "cross-site" },
    { Origin: "https://sub.reverie.example.org", "Sec-Fetch-Site": "same-site" },
  ];
  for (const page of pages) {
    for (const [method, path] of [
      ["POST", "/api/entries"],
      ["PUT", "/api/memory/files/MEMORY.md"],
      ["PATCH", "/api/settings"],
      ["DELETE", "/api/me"],
      ["POST", "/api/auth/sign-in/options"],
      ["POST", "/api/auth/sign-out"],
      ["POST", "/mcp"],
    ] as const)
      expect((await ana.call(method, path, {}, page)).status, `${method} ${path} from ${JSON.stringify(page)}`).toBe(403);
  }
  expect((await ana.call("GET", "/api/memory")).body).toEqual(before);
  expect((await ana.call("GET", "/api/sessions")).body.items).toHaveLength(1);
});

test("the headers of every answer", async () => {
  const ana = await Person.register();
  for (const path of ["/api/health", "/api/entries", "/api/nothing", "/somewhere"]) {
    const { headers } = await ana.call("GET", path);
    const policy = headers.get("Content-Security-Policy")!;
    const rules = new Map(policy.split("; ").map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1)]));
    expect(rules.get("script-src")).toEqual(["'self'"]);
    expect(rules.get("default-src")).toEqual(["'self'"]);
    expect(rules.get("frame-ancestors")).toEqual(["'none'"]);
    expect(rules.get("object-src")).toEqual(["'none'"]);
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Strict-Transport-Security")).toMatch(/^max-age=31536000/);
    expect(headers.get("Referrer-Policy")).toBe("same-origin");
    expect(headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
    if (path.startsWith("/api/")) expect(headers.get("Cache-Control")).toBe("no-store");
  }
});

test("bodies have a limit, and whoever asks too often is told when to come again", async () => {
  const ana = await Person.register();
  const large = await ana.call("POST", "/api/entries", JSON.stringify({ text: "x".repeat(2 * 1024 * 1024) }));
  expect(large.status).toBe(413);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  let answer = await ana.call("GET", "/api/sessions");
  let asked = 1;
  for (; answer.status === 200 && asked < 1_000; asked += 1) answer = await ana.call("GET", "/api/sessions");
  expect(answer.status).toBe(429);
  const wait = Number(answer.headers.get("Retry-After"));
  expect(wait).toBeGreaterThanOrEqual(1);
  const ben = await Person.register();
  expect((await ben.call("GET", "/api/sessions")).status).toBe(200);
  vi.setSystemTime(Date.now() + wait * 1_000);
  expect((await ana.call("GET", "/api/sessions")).status).toBe(200);
  console.log(`After ${asked - 1} requests at once one user waits ${wait} s; another does not.`);
});

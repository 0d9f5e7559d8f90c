// W5, X5: MCP with a token. Without one nothing is served; a reading one reads; an agent's is an agent by its own name, whatever its client says; a revoked one ends at once.
import { reset } from "cloudflare:test";
import { afterEach, expect, test, vi } from "vitest";
import { envelope, MODERN } from "../../lib/mcp-wire.ts";
import { bearer, call, ORIGIN, Person } from "./support.ts";

afterEach(async () => {
  vi.useRealTimers();
  await reset();
});

const HEADERS = {
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
  "MCP-Protocol-Version": MODERN,
};

async function mcp(
  method: string,
  params: Record<string, unknown>,
  headers: Record<string, string> = {},
  client = "some-client",
) {
  const named: Record<string, string> = typeof params.name === "string" ? { "Mcp-Name": params.name } : {};
  const answer = await call("POST", "/mcp", envelope(method, params, client), {
    ...HEADERS,
    "Mcp-Method": method,
    ...named,
    ...headers,
  });
  return { ...answer, data: answer.body?.result?.structuredContent };
}
const tool = (name: string, input: object, headers: Record<string, string>, client?: string) =>
  mcp("tools/call", { name, arguments: input }, headers, client);
const fact = (text: string, path = "facts") => ({ text, path });

test("no token, a wrong one, a revoked one and an expired one are 401; another page's Origin is 403", async () => {
  const ana = await Person.register();
  const none = await tool("remember", fact("Nobody said this"), {});
  expect([none.status, none.headers.get("WWW-Authenticate")]).toEqual([401, expect.stringContaining("Bearer")]);
  const token = await ana.token({ access: "read-write" });
  for (const wrong of ["rv_nothing", `${token}x`, token.slice(0, -4), ""])
    expect((await tool("remember", fact("Nor this"), bearer(wrong))).status).toBe(401);
  expect((await tool("remember", fact("From elsewhere"), { ...bearer(token), Origin: "https://evil.example" })).status).toBe(403);
  expect((await tool("remember", fact("From here"), { ...bearer(token), Origin: ORIGIN })).data.ok).toBe(true);
  const { items } = (await ana.call("GET", "/api/tokens")).body;
  expect((await ana.call("DELETE", `/api/tokens/${items[0].id}`)).status).toBe(200);
  expect((await tool("recall", { query: "here" }, bearer(token))).status).toBe(401);
  const late = await ana.token({ access: "read-write" });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 400 * 86_400_000 });
  expect((await tool("recall", { query: "here" }, bearer(late))).status).toBe(401);
});

test("a reading token finds five tools and writes nothing", async () => {
  const ana = await Person.register();
  await ana.call("POST", "/api/entries", { text: "Keeps a heron in the garden" });
  const reading = bearer(await ana.token({ access: "read" }));
  const { body } = await mcp("tools/list", {}, reading);
  expect(body.result.tools.map((one: any) => one.name).sort()).toEqual(["as_of", "dream_status", "history", "read", "recall"]);
  expect((await tool("recall", { query: "heron" }, reading)).data.entries[0].text).toBe("Keeps a heron in the garden");
  for (const [name, input] of [
    ["remember", fact("Sneaks in")],
    ["revise", { id: "abcd1234" }],
    ["forget", { query: "heron" }],
  ] as const) {
    const refused = await tool(name, input, reading);
    expect([name, refused.status, refused.body.error.message]).toEqual([name, 403, expect.stringContaining("only read")]);
    expect(refused.headers.get("WWW-Authenticate")).toContain("insufficient_scope");
  }
  expect((await ana.call("GET", "/api/entries")).body.items).toHaveLength(1);
});

test("an agent's token writes under the token's name, and changes its own lines alone, over MCP as over HTTP", async () => {
  const ana = await Person.register();
  const theirs = (await ana.call("POST", "/api/entries", { text: "Keeps a heron", path: "animals.md" })).body.entries[0].entry.id;
  const agent = bearer(await ana.token({ name: "Scribe One", kind: "agent", access: "read-write" }));
  const saved = await tool("remember", fact("Feeds it sprats", "animals"), agent, "Pretends to be another");
  expect(saved.data.entries[0].sources).toEqual(["agent/scribe-one"]);
  const own: string = saved.data.entries[0].id;
  for (const [name, input] of [
    ["revise", { id: theirs, text: "Keeps nothing", why: "wrong" }],
    ["forget", { id: theirs }],
    ["remember", fact("Into the first file", "MEMORY")],
  ] as const)
    expect([name, (await tool(name, input, agent)).data.code]).toEqual([name, "forbidden"]);
  expect((await call("POST", `/api/entries/${theirs}/close`, {}, { ...agent, ...HEADERS })).status).toBe(403);
  expect((await call("POST", `/api/entries/${own}/revise`, { text: "Feeds it herrings" }, { ...agent, ...HEADERS })).status).toBe(
    200,
  );
  expect((await call("POST", "/api/entries", { text: "Into the first file" }, { ...agent, ...HEADERS })).status).toBe(403);
  const other = bearer(await ana.token({ name: "Scribe Two", kind: "agent", access: "read-write" }));
  expect((await tool("revise", { id: own, text: "Taken over", why: "wrong" }, other, "Scribe One")).data.code).toBe("forbidden");
});

test("a token of one's own writes everywhere, but neither pins nor lifts", async () => {
  const ana = await Person.register();
  const mine = bearer(await ana.token({ kind: "mine", access: "read-write" }));
  const line = (await ana.call("POST", "/api/entries", { text: "Lives by the canal", slot: "home" })).body.entries[0].entry.id;
  expect((await tool("remember", { text: "Lives by the river", slot: "home", path: "MEMORY" }, mine)).data.ok).toBe(true);
  await ana.call("POST", "/api/forget", { id: line });
  expect((await tool("remember", fact("Lives by the canal", "MEMORY"), mine)).data.code).toBe("forgotten");
  const ben = await Person.register();
  const his = bearer(await ben.token({ kind: "mine", access: "read-write" }));
  expect((await tool("recall", { query: "canal river" }, his)).data.entries).toEqual([]);
});

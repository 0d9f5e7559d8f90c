// W5: what stands around the tools. Origins, sizes, broken bodies, versions that disagree, methods that do not exist, and one write for twelve tries.
import { request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { all, call } from "../../lib/api.ts";
import { startApp, type App } from "../../lib/app.ts";
import { connect, post } from "../../lib/mcp.ts";
import { envelope } from "../../lib/mcp-wire.ts";

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const texts = async (): Promise<string[]> =>
  (await all<{ text: string }>(app.url, "/api/entries?state=all")).map(({ text }) => text);
const head = async (): Promise<string | null> => (await call<{ head: string | null }>(app.url, "GET", "/api/memory")).body.head;
const remember = (text: string) => envelope("tools/call", { name: "remember", arguments: { text, path: "w5" } });

it("another web page and another host are turned away before anything is read", async () => {
  for (const origin of [
    "https://evil.example",
    "null",
    "http://127.0.0.1.evil.example",
    "http://localhost.evil.example",
    "file://",
  ]) {
    const answer = await post(app.url, remember("From another page"), { Origin: origin });
    expect([origin, answer.status]).toEqual([origin, 403]);
  }
  expect((await post(app.url, envelope("tools/list"), { Origin: app.url })).status).toBe(200);
  // A rebound name: fetch does not let a test set Host.
  const { port } = new URL(app.url);
  const status = await new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path: "/mcp", method: "POST", headers: { Host: "evil.example" } }, (answer) =>
      resolve(answer.resume().statusCode),
    );
    sent.on("error", reject);
    sent.end("{}");
  });
  expect(status).toBe(403);
  expect(await texts()).toEqual([]);
});

it("versions that disagree are 400, in both protocols", async () => {
  const newer = await post(app.url, remember("In two versions"), { "MCP-Protocol-Version": "2025-06-18" });
  expect([newer.status, newer.body.error.code]).toEqual([400, -32020]);
  const method = await post(app.url, remember("By two methods"), { "Mcp-Method": "tools/list" });
  expect([method.status, method.body.error.code]).toEqual([400, -32020]);
  const name = await post(app.url, remember("By two names"), { "Mcp-Name": "recall" });
  expect([name.status, name.body.error.code]).toEqual([400, -32020]);
  const older = await post(
    app.url,
    {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "a", version: "1" } },
    },
    { "MCP-Protocol-Version": "2025-06-18" },
  );
  expect(older.status).toBe(400);
  const unknown = await post(app.url, { jsonrpc: "2.0", id: 1, method: "tools/list" }, { "MCP-Protocol-Version": "1999-01-01" });
  expect(unknown.status).toBe(400);
  expect(await texts()).toEqual([]);
});

it("a method that does not exist is −32601 with 404", async () => {
  for (const method of ["nope/nothing", "tools/remove", "subscriptions/listen", "__proto__", "constructor"]) {
    const answer = await post(app.url, { ...envelope(method), id: 7 });
    expect([method, answer.status, answer.body.error.code, answer.body.id]).toEqual([method, 404, -32601, 7]);
  }
  const older = await post(app.url, { jsonrpc: "2.0", id: "x", method: "nope" }, { "MCP-Protocol-Version": "2025-06-18" });
  expect([older.status, older.body.error.code, older.body.id]).toEqual([404, -32601, "x"]);
  // Older clients try these without having been offered them: they are told, and go on.
  const tried = await post(app.url, { jsonrpc: "2.0", id: 1, method: "prompts/list" }, { "MCP-Protocol-Version": "2025-06-18" });
  expect([tried.status, tried.body.error.code]).toEqual([200, -32601]);
  const tool = await post(app.url, envelope("tools/call", { name: "erase", arguments: {} }));
  expect(JSON.stringify(tool.body)).toMatch(/error/i);
});

it("broken, foreign and oversized bodies are refused with a JSON-RPC error", async () => {
  const broken = await post(app.url, "{", {});
  expect([broken.status, broken.body.error.code]).toEqual([400, -32700]);
  expect((await post(app.url, "", {})).status).toBe(400);
  expect((await post(app.url, "null", {})).status).toBe(400);
  expect((await post(app.url, '"text"', {})).status).toBe(400);
  expect((await post(app.url, remember("As a form"), { "Content-Type": "text/plain" })).status).toBe(415);
  const large = await post(app.url, remember("x".repeat(1_200_000)));
  expect([large.status, large.body.error.message]).toEqual([413, expect.stringContaining("1024 KB")]);
  for (const method of ["GET", "DELETE", "PUT"]) {
    const response = await fetch(`${app.url}/mcp`, { method, headers: { Accept: "text/event-stream" } });
    await response.arrayBuffer();
    expect([method, response.status]).toEqual([method, 405]);
  }
  expect(
    (await fetch(`${app.url}/mcp`, { method: "OPTIONS", headers: { Origin: app.url } })).headers.get(
      "Access-Control-Allow-Origin",
    ),
  ).toBe(null);
  expect(await texts()).toEqual([]);
});

it("twelve parallel writes under one key are one write, by argument and by header", async () => {
  const agent = await connect(app.url, "parallel-client");
  const before = await head();
  const input = { text: "Written once by twelve", path: "once", idempotencyKey: "one-and-the-same" };
  const answers = await Promise.all(Array.from({ length: 12 }, () => agent.tool("remember", input)));
  expect(new Set(answers.map(({ data }) => `${data.commit} ${data.entries[0].id}`)).size).toBe(1);
  expect(answers.every(({ isError }) => !isError)).toBe(true);
  const byHeader = await Promise.all(
    Array.from({ length: 12 }, () => post(app.url, remember("Written once by header"), { "Idempotency-Key": "twelve" })),
  );
  expect(new Set(byHeader.map(({ body }) => body.result.structuredContent.commit)).size).toBe(1);
  expect((await texts()).sort()).toEqual(["Written once by header", "Written once by twelve"]);
  const { body } = await call<{ items: { commit: string }[] }>(app.url, "GET", "/api/history");
  expect([before, body.items.length]).toEqual([null, 2]);
  // The same key for something else is a mistake and says so.
  const other = await agent.tool("remember", { ...input, text: "Something else" });
  expect([other.isError, other.data.code]).toEqual([true, "bad-format"]);
  const twice = { query: "written once by header", idempotencyKey: "gone" };
  const own = await connect(app.url, "bare-client");
  const gone = await Promise.all(Array.from({ length: 12 }, () => own.tool("forget", twice)));
  expect(new Set(gone.map(({ data }) => data.receipt)).size).toBe(1);
  await agent.close();
  await own.close();
});

it("an older client is known by the name that it gave at its beginning, one without a name by its program", async () => {
  const begun = await post(
    app.url,
    {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "Café ⟨one⟩", version: "1" } },
    },
    { "MCP-Protocol-Version": "2025-06-18" },
  );
  const session = begun.headers.get("Mcp-Session-Id")!;
  const saved = (headers: Record<string, string>, text: string) =>
    post(
      app.url,
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "remember", arguments: { text, path: "names" } } },
      { "MCP-Protocol-Version": "2025-06-18", ...headers },
    );
  const named = await saved({ "Mcp-Session-Id": session }, "Said by the café");
  expect(named.body.result.structuredContent.entries[0].sources).toEqual(["agent/Café -one-"]);
  const program = await saved({ "User-Agent": "scribbler/2.1 (linux)" }, "Said by a program");
  expect(program.body.result.structuredContent.entries[0].sources).toEqual(["agent/scribbler"]);
  const forged = await saved({ "Mcp-Session-Id": "agent-%%%", "User-Agent": "x/1" }, "Said by a forger");
  expect(forged.body.result.structuredContent.entries[0].sources).toEqual(["agent/x"]);
});

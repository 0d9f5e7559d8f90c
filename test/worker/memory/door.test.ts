// The Worker's front door: health, unknown routes, and who may knock in local mode.
import { env, exports } from "cloudflare:workers";
import { expect, test } from "vitest";

const ask = (path: string, init?: RequestInit) => exports.default.fetch(new Request(`http://localhost:4321${path}`, init));

test("health says what answers", async () => {
  const response = await ask("/api/health");
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(await response.json()).toMatchObject({ ok: true, mode: "local", offline: true });
});

test("an unknown route is a 404 with a sentence", async () => {
  const response = await ask("/api/nowhere");
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: "not-found" } });
});

test.each([
  ["a foreign origin", "http://localhost:4321/api/health", { Origin: "https://evil.example" }, 403],
  ["a sandboxed frame", "http://localhost:4321/api/health", { Origin: "null" }, 403],
  ["a look-alike origin", "http://localhost:4321/api/health", { Origin: "http://localhost.evil.example" }, 403],
  ["an origin with a user name", "http://localhost:4321/api/health", { Origin: "http://localhost@evil.example" }, 403],
  ["a rebound host", "http://evil.example/api/health", {}, 403],
  ["a rebound host on a socket", "http://evil.example/agents/memory-agent/me", { Upgrade: "websocket" }, 403],
  [
    "a foreign origin on a socket",
    "http://localhost/agents/memory-agent/me",
    { Upgrade: "websocket", Origin: "http://evil.example" },
    403,
  ],
  ["another user's socket", "http://localhost/agents/memory-agent/you", { Upgrade: "websocket" }, 404],
  ["its own page under the machine's other name", "http://127.0.0.1:4321/api/health", { Origin: "http://localhost:4321" }, 200],
  ["another program's page on this machine", "http://127.0.0.1:4321/api/health", { Origin: "http://localhost:5173" }, 403],
  ["IPv6", "http://[::1]:4321/api/health", { Origin: "http://[::1]:4321" }, 200],
])("%s", async (_, url, headers, status) => {
  const response = await exports.default.fetch(new Request(url, { headers: headers as Record<string, string> }));
  expect(response.status).toBe(status);
});

test("a client cannot overwrite the shared state", async () => {
  const response = await ask("/agents/memory-agent/me", { headers: { Upgrade: "websocket" } });
  expect(response.status).toBe(101);
  const socket = response.webSocket!;
  const refused = new Promise<string>((resolve) => {
    socket.addEventListener("message", ({ data }: MessageEvent) => {
      if (String(data).includes("cf_agent_state_error")) resolve(String(data));
    });
  });
  socket.accept();
  socket.send(JSON.stringify({ type: "cf_agent_state", state: { head: "x" } }));
  expect(await refused).toContain("cf_agent_state_error");
  socket.close();
  expect(env.MemoryAgent).toBeDefined();
});

test("the published contract names every route, with the schemas that check it", async () => {
  const document = (await (await ask("/api/openapi.json")).json()) as any;
  expect(document.openapi).toBe("3.1.0");
  for (const path of [
    "/api/health",
    "/api/memory",
    "/api/memory/files/{path}",
    "/api/entries",
    "/api/entries/{id}/revise",
    "/api/history/{commit}/revert",
    "/api/check",
    "/api/rebuild",
  ]) {
    expect(Object.keys(document.paths)).toContain(path);
  }
  const remember = document.paths["/api/entries"].post.requestBody.content["application/json"].schema;
  expect(remember.required).toEqual(["text"]);
  expect(remember.properties.slot.maxLength).toBe(60);
  expect(document.paths["/api/entries"].get.parameters.map((one: any) => one.name)).toContain("asOf");
});

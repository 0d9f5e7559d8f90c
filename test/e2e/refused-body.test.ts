// A refusal leaves the line open: a client that keeps its connection can send the next request on it, however much of the body nobody wanted.
import { Agent, request } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type App } from "../lib/app.ts";

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

interface Sent {
  status: number;
  text: string;
  /** The client's own port: another one is another connection. */
  port: number | undefined;
}

function send(agent: Agent, method: string, path: string, headers: Record<string, string> = {}, body?: Buffer): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const asked = request(`${app.url}${path}`, { agent, method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString(), port: asked.socket?.localPort }),
      );
      answer.on("error", reject);
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

const JSON_TYPE = { "Content-Type": "application/json" };
const UPLOAD_PACK = { "Content-Type": "application/x-git-upload-pack-request" };
const PUSH = { "Content-Type": "application/x-git-receive-pack-request" };
const THREE_MB = Buffer.alloc(3 * 1024 * 1024, "x");
const chunked = { "Transfer-Encoding": "chunked" };

it.each<[string, number, string, string, Record<string, string>, Buffer]>([
  ["more than an API body may hold", 413, "POST", "/api/entries", JSON_TYPE, THREE_MB],
  ["the same without a length", 413, "POST", "/api/entries", { ...JSON_TYPE, ...chunked }, THREE_MB],
  ["more than a file may hold", 413, "PUT", "/api/memory/files/large.md", {}, THREE_MB],
  ["a body for what does not exist", 404, "POST", "/api/nothing", JSON_TYPE, THREE_MB],
  ["a body from another page", 403, "POST", "/api/entries", { ...JSON_TYPE, Origin: "https://evil.example" }, THREE_MB],
  ["a message of MCP that is too large", 413, "POST", "/mcp", JSON_TYPE, THREE_MB],
  ["MCP by another method", 405, "PUT", "/mcp", JSON_TYPE, THREE_MB],
  ["an import of no kind", 400, "POST", "/api/import?kind=nonsense", { "Content-Type": "application/zip" }, THREE_MB],
  ["a fetch of git that is too large", 413, "POST", "/git/memory.git/git-upload-pack", UPLOAD_PACK, Buffer.alloc(6 << 20, "0")],
  [
    "a fetch that inflates without end",
    413,
    "POST",
    "/git/memory.git/git-upload-pack",
    { ...UPLOAD_PACK, "Content-Encoding": "gzip" },
    gzipSync(Buffer.alloc(256 << 20, "0")),
  ],
  ["a fetch of another type", 415, "POST", "/git/memory.git/git-upload-pack", {}, THREE_MB],
  ["a push that is none", 400, "POST", "/git/memory.git/git-receive-pack", PUSH, THREE_MB],
])("%s: refused, and the next request goes on the same line", async (_, status, method, path, headers, body) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const refused = await send(agent, method, path, headers, body);
    expect([path, refused.status]).toEqual([path, status]);
    expect(refused.text).toMatch(/"message":"|^[A-Z].*\.\n$/);
    for (let i = 0; i < 3; i++) {
      const next = await send(agent, "GET", "/api/health");
      expect([next.status, next.port]).toEqual([200, refused.port]);
    }
  } finally {
    agent.destroy();
  }
});

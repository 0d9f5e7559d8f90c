// A stand-in for the Cloudflare API on loopback, as far as a deployment asks it: keeps what was sent, and answers as if all of it were done.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

interface Sent {
  method: string;
  /** Below the account. */
  path: string;
  type: string;
  body: Buffer;
}

export interface StandIn {
  url: string;
  sent: Sent[];
  /** Files of the web app by the hash that they were sent under. */
  files: Map<string, { type: string; bytes: Buffer }>;
  /** Hashes by path, as the last upload named them. */
  manifest: Map<string, string>;
  /** The Worker that was uploaded last: its parts by name, and what was said about it. */
  worker: () => Promise<{ modules: Map<string, { type: string; bytes: Buffer }>; metadata: any }>;
  stop: () => Promise<void>;
}

async function formOf({ type, body }: Sent): Promise<FormData> {
  return new Response(new Uint8Array(body), { headers: { "Content-Type": type } }).formData();
}

/** Starts the stand-in. */
export async function startCloudflare(): Promise<StandIn> {
  const sent: Sent[] = [];
  const files: StandIn["files"] = new Map();
  const manifest: StandIn["manifest"] = new Map();
  let uploaded: Sent | null = null;

  async function answer(one: Sent): Promise<{ status: number; result: unknown }> {
    const ok = (result: unknown = {}) => ({ status: 200, result });
    if (one.path.endsWith("/assets-upload-session")) {
      const { manifest: named } = JSON.parse(one.body.toString()) as { manifest: Record<string, { hash: string }> };
      manifest.clear();
      for (const [path, { hash }] of Object.entries(named)) manifest.set(path, hash);
      const missing = [...manifest.values()].filter((hash) => !files.has(hash));
      return ok({ jwt: "a session", buckets: missing.length > 0 ? [missing] : [] });
    }
    if (one.path.includes("/assets/upload")) {
      for (const [hash, part] of await formOf(one)) {
        const file = part as unknown as File;
        files.set(hash, { type: file.type, bytes: Buffer.from(await file.text(), "base64") });
      }
      return ok({ jwt: "complete" });
    }
    if (/^\/workers\/(?:scripts|services)\/[^/]+$/.test(one.path)) {
      if (one.method === "PUT") uploaded = one;
      if (one.method === "DELETE") uploaded = null;
      if (one.method === "GET" && !uploaded) return { status: 404, result: null };
      return ok({ id: "reverie", etag: "e", default_environment: { script: { tag: "t", tags: [] } } });
    }
    // Lists of what belongs to a Worker: queues, domains, routes. It has none of them.
    if (one.method === "GET" && /queues|domains|routes|consumers/.test(one.path)) return ok([]);
    if (one.path === "/workers/subdomain") return ok({ subdomain: "somebody" });
    return ok();
  }

  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const path = (request.url ?? "").replace(/^\/accounts\/[^/]+/, "").replace(/\?.*$/, "");
      const type = request.headers["content-type"] ?? "";
      const one = { method: request.method ?? "", path, type, body: Buffer.concat(parts) };
      sent.push(one);
      void answer(one).then(({ status, result }) => {
        response.writeHead(status, { "Content-Type": "application/json" });
        const errors = status === 200 ? [] : [{ code: 10007, message: "not found" }];
        response.end(JSON.stringify({ success: status === 200, errors, messages: [], result }));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    files,
    manifest,
    async worker() {
      if (!uploaded) throw new Error("No Worker was uploaded.");
      const modules = new Map<string, { type: string; bytes: Buffer }>();
      let metadata: unknown = null;
      for (const [name, part] of await formOf(uploaded)) {
        const bytes = typeof part === "string" ? Buffer.from(part) : Buffer.from(await (part as File).arrayBuffer());
        if (name === "metadata") metadata = JSON.parse(bytes.toString());
        else modules.set(name, { type: typeof part === "string" ? "" : (part as File).type, bytes });
      }
      return { modules, metadata: metadata as any };
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

// A foreign git server on loopback: bare repositories behind Basic auth, served by native `git receive-pack`.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGunzip } from "node:zlib";
import { gitOk } from "../git/served.ts";

export interface Host {
  url: string;
  /** Makes an empty bare repository and gives its address and folder. */
  repository(name: string): Promise<{ url: string; folder: string }>;
  /** Answers the next requests with this status instead; null = as it should. */
  failWith: number | null;
  /** Where a redirect leads. */
  location: string;
  /** Requests seen: method, path, length or "chunked". */
  seen: { method: string; path: string; size: string; authorized: boolean }[];
  stop(): Promise<void>;
}

export const TOKEN = "mirror-token-0123456789";

export async function openHost(): Promise<Host> {
  const root = mkdtempSync(join(tmpdir(), "reverie-host-"));
  const wanted = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString("base64")}`;
  const host: Host = { url: "", failWith: null, location: "http://127.0.0.1:1/", seen: [], repository, stop };

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, "http://host");
    const authorized = request.headers.authorization === wanted;
    host.seen.push({
      method: request.method!,
      path: pathname,
      size: request.headers["transfer-encoding"] ?? request.headers["content-length"] ?? "0",
      authorized,
    });
    const give = (status: number, headers: Record<string, string> = {}) => {
      request.resume();
      response.writeHead(status, headers).end();
    };
    if (host.failWith !== null) return give(host.failWith, host.failWith < 400 ? { Location: host.location } : {});
    if (!authorized) return give(401, { "WWW-Authenticate": "Basic" });
    const match = /^\/([a-z0-9-]+\.git)\/(info\/refs|git-receive-pack)$/.exec(pathname);
    if (!match) return give(404);
    if (match[2] === "info/refs" && searchParams.get("service") !== "git-receive-pack") return give(403);
    receive(join(root, match[1]!), match[2] === "info/refs", request, response);
  });

  function receive(folder: string, advertise: boolean, request: IncomingMessage, response: ServerResponse): void {
    const kind = advertise ? "advertisement" : "result";
    const child = spawn("git", ["receive-pack", "--stateless-rpc", ...(advertise ? ["--advertise-refs"] : []), folder], {
      env: { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
    });
    response.writeHead(200, { "Content-Type": `application/x-git-receive-pack-${kind}` });
    if (advertise) response.write("001f# service=git-receive-pack\n0000");
    child.stdout.pipe(response);
    child.stdin.on("error", () => undefined);
    (request.headers["content-encoding"] === "gzip" ? request.pipe(createGunzip()) : request).pipe(child.stdin);
  }

  async function repository(name: string) {
    const folder = join(root, `${name}.git`);
    await gitOk(["init", "-q", "--bare", "-b", "main", folder]);
    await gitOk(["-C", folder, "config", "receive.fsckObjects", "true"]);
    return { url: `${host.url}/${name}.git`, folder };
  }
  async function stop() {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(root, { recursive: true, force: true });
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return host;
}

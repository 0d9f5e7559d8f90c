// The deployment, against a stand-in of the Cloudflare API: what is sent is what the configuration says, and what was uploaded starts and works.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMPATIBILITY_DATE, COMPATIBILITY_FLAGS, CPU_LIMIT_MS } from "../../src/server/worker.config.ts";
import { Passkey } from "../lib/authenticator.ts";
import { startCloudflare, type StandIn } from "../lib/cloudflare.ts";

const SECRET = "a-secret-of-more-than-thirty-two-characters";
const KEY = "sk-the-operators-own-key";
const folder = mkdtempSync(join(tmpdir(), "reverie-deploy-"));
let cloud: StandIn;
let output = "";

interface Ended {
  code: number;
  printed: string;
}

/** Runs one of the two commands as `npm run` does, with the answer that a person types. */
function command(action: "deploy" | "destroy", typed = "", more: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(process.execPath, ["scripts/deploy.mjs", action], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      REVERIE_BUILT: "yes",
      CLOUDFLARE_BASE_URL: cloud.url,
      CLOUDFLARE_ACCOUNT_ID: "a".repeat(32),
      CLOUDFLARE_API_TOKEN: "a-token-of-the-account",
      ALCHEMY_PASSWORD: "a password for the state",
      DEPLOY_STATE: join(folder, "state"),
      AUTH_SECRET: SECRET,
      OPENAI_API_KEY: KEY,
      CHAT_MODEL: "some-model",
      CAP_USD: "3",
      ...more,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stdin.end(typed);
  return new Promise((resolve) => child.once("close", (code) => resolve({ code: code ?? -1, printed })));
}

beforeAll(async () => {
  cloud = await startCloudflare();
  const deployed = await command("deploy");
  output = deployed.printed;
  if (deployed.code !== 0) throw new Error(`The deployment failed.\n${output}`);
});
afterAll(async () => {
  await cloud?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("bindings, migrations, secrets and limits are sent as the configuration says", async () => {
  const { metadata } = await cloud.worker();
  const bindings = metadata.bindings as Record<string, string>[];
  const of = (type: string) => bindings.filter((one) => one.type === type).map((one) => [one.name, one.text ?? one.class_name]);
  expect(of("durable_object_namespace").sort()).toEqual([
    ["ChatAgent", "ChatAgent"],
    ["MemoryAgent", "MemoryAgent"],
  ]);
  expect(Object.fromEntries(of("secret_text"))).toEqual({
    AUTH_SECRET: SECRET,
    OPENAI_API_KEY: KEY,
    CHAT_MODEL: "some-model",
    CAP_USD: "3",
  });
  expect(of("assets").map(([name]) => name)).toEqual(["ASSETS"]);
  expect(of("plain_text")).toEqual([]);
  const migrations = metadata.migrations as { new_sqlite_classes?: string[]; steps?: { new_sqlite_classes?: string[] }[] };
  const made = migrations.new_sqlite_classes ?? migrations.steps?.flatMap((step) => step.new_sqlite_classes ?? []);
  expect([...(made ?? [])].sort()).toEqual(["ChatAgent", "MemoryAgent"]);
  expect(metadata).toMatchObject({
    main_module: "index.js",
    compatibility_date: COMPATIBILITY_DATE,
    observability: { enabled: true },
    limits: { cpu_ms: CPU_LIMIT_MS },
  });
  expect(metadata.compatibility_flags).toEqual(expect.arrayContaining(COMPATIBILITY_FLAGS));
  expect(cloud.manifest.has("/index.html")).toBe(true);
  expect(JSON.stringify([...cloud.manifest.keys()])).not.toMatch(/\.map"|\.env|\.dev\.vars/);
  console.log(`${cloud.sent.length} requests: ${cloud.sent.map(({ method, path }) => `${method} ${path}`).join(", ")}`);
});

test("no secret is printed, and none lies open in the state folder", () => {
  const files: string[] = [];
  const walk = (path: string) => {
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory()) walk(join(path, entry.name));
      else files.push(readFileSync(join(path, entry.name), "utf8"));
  };
  walk(join(folder, "state"));
  expect(files.length).toBeGreaterThan(0);
  for (const text of [output, ...files]) for (const secret of [SECRET, KEY]) expect(text).not.toContain(secret);
});

test("what was uploaded starts under the runtime, and the owner's first steps work", async () => {
  const { modules, metadata } = await cloud.worker();
  const client = join(folder, "client");
  for (const [path, hash] of cloud.manifest) {
    mkdirSync(dirname(join(client, path)), { recursive: true });
    writeFileSync(join(client, path), cloud.files.get(hash)!.bytes);
  }
  process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
  const secrets = (metadata.bindings as any[]).filter(({ type }) => type === "secret_text");
  const main = metadata.main_module as string;
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      log: new Log(LogLevel.ERROR),
      defaultPersistRoot: join(folder, "data"),
      resourcePersistencePath: join(folder, "data"),
      telemetry: { enabled: false },
      workers: [
        {
          name: "reverie",
          modules: [...modules]
            .filter(([name]) => /\.m?js$/.test(name))
            .sort(([a], [b]) => Number(b === main) - Number(a === main))
            .map(([path, { bytes }]) => ({ type: "ESModule" as const, path, contents: new Uint8Array(bytes) })),
          modulesRoot: "/",
          compatibilityDate: metadata.compatibility_date,
          compatibilityFlags: metadata.compatibility_flags,
          // Without the operator's key: nothing here may leave the machine.
          bindings: Object.fromEntries(
            secrets.filter(({ name }) => !/OPENAI|MODEL/.test(name)).map(({ name, text }) => [name, text]),
          ),
          durableObjects: Object.fromEntries(
            (metadata.bindings as any[])
              .filter(({ type }) => type === "durable_object_namespace")
              .map(({ name, class_name }) => [name, { className: class_name, useSQLite: true }]),
          ),
          assets: {
            directory: client,
            binding: "ASSETS",
            run_worker_first: true,
            routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
            assetConfig: { not_found_handling: "single-page-application" },
          },
        },
      ],
    } as never),
  );
  try {
    const url = `http://localhost:${(await runtime.ready).port}`;
    const origin = url;
    const ask = async (method: string, path: string, body?: unknown, cookie = "") => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { Origin: origin, ...(cookie ? { Cookie: cookie } : {}) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, text, headers: response.headers, body: text.startsWith("{") ? JSON.parse(text) : null };
    };
    expect((await ask("GET", "/api/health")).body).toMatchObject({ ok: true, mode: "hosted" });
    const page = await ask("GET", "/vault");
    expect(page.text).toContain('<div id="root">');
    expect(page.headers.get("Strict-Transport-Security")).toBeTruthy();
    expect((await ask("GET", "/api/entries")).status).toBe(401);
    expect((await ask("GET", "/git/memory.git/info/refs?service=git-upload-pack")).status).toBe(401);

    const invite = /#invite=(\S+)/.exec(output)![1]!;
    const { options, ticket } = (await ask("POST", "/api/auth/register/options", { invite })).body;
    const passkey = new Passkey();
    const asked = { challenge: options.challenge, origin, rpId: "localhost" };
    const made = await ask("POST", "/api/auth/register", { ticket, response: await passkey.create(asked, options.user.id) });
    expect(made.status, made.text).toBe(201);
    const cookie = made.headers.get("Set-Cookie")!.split(";")[0]!;
    expect((await ask("POST", "/api/chat", { message: "I'm allergic to walnuts.", tz: "UTC" }, cookie)).status).toBe(200);
    const entries = (await ask("GET", "/api/entries", undefined, cookie)).body.items.map((one: any) => one.text).join();
    expect(entries).toMatch(/walnut/i);
    expect((await ask("GET", "/api/installation", undefined, cookie)).body.users).toBe(1);
    expect((await ask("GET", "/api/check", undefined, cookie)).body.ok).toBe(true);
  } finally {
    await runtime.dispose();
  }
}, 120_000);

test("deployed again it is the same Worker with no new migration, and files that are there are not sent again", async () => {
  const uploads = () => cloud.sent.filter(({ path }) => path.includes("/assets/upload") && !path.includes("session")).length;
  const before = uploads();
  const again = await command("deploy", "", { CAP_USD: "4" });
  expect(again.code, again.printed).toBe(0);
  const { metadata } = await cloud.worker();
  expect((metadata.bindings as any[]).find(({ name }) => name === "CAP_USD").text).toBe("4");
  expect(uploads()).toBe(before);
});

test("destroy asks first, and takes silence for a no", async () => {
  const before = cloud.sent.length;
  for (const typed of ["", "\n", "yes\n", "Destroy!\n"]) {
    const { code, printed } = await command("destroy", typed);
    expect(code).toBe(0);
    expect(printed).toContain("Nothing was changed.");
  }
  expect(cloud.sent).toHaveLength(before);
  const done = await command("destroy", "destroy\n");
  expect(done.code, done.printed).toBe(0);
  expect(cloud.sent.slice(before).some(({ method, path }) => method === "DELETE" && path === "/workers/scripts/reverie")).toBe(
    true,
  );
});

test("a secret that can be guessed, or none at all, is sent back before anything is asked of anybody", async () => {
  const before = cloud.sent.length;
  expect(await command("deploy", "", { AUTH_SECRET: "short" })).toMatchObject({ code: 1 });
  expect(await command("deploy", "", { AUTH_SECRET: "" })).toMatchObject({ code: 1 });
  expect(cloud.sent).toHaveLength(before);
});

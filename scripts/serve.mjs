// Serves the built app (dist/) under workerd on loopback. Owns port, data folder and variables; knows nothing of the app's insides.
import { spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Log, LogLevel, Miniflare, convertV4MiniflareOptions } from "miniflare";
import { lockFolder } from "./lock-folder.mjs";

const ROOT = resolve(fileURLToPath(import.meta.url), "../..");
const DIST = join(ROOT, "dist");
/** Named like VARIABLES of src/server/worker.config.ts; the rest of the environment never reaches the Worker. */
const VARIABLES = [
  "OPENAI_BASE_URL",
  "OPENAI_API_KEY",
  "CHAT_MODEL",
  "DREAM_MODEL",
  "MODELS",
  "MODEL_PRICES",
  "CAP_USD",
  "INSTALLATION_CAP_USD",
  "AUTH_SECRET",
  "AUTH_SECRET_PREVIOUS",
  "SIGN_UP",
  "MIRROR_LOOPBACK",
];

// The runtime would otherwise ask the internet for a sample `cf` object and serve a debug explorer of all state.
process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
process.env.X_LOCAL_EXPLORER = "false";

function modulesOf(folder) {
  const files = [];
  const walk = (dir) => {
    for (const name of readdirSync(dir)) {
      const path = join(dir, name);
      if (statSync(path).isDirectory()) walk(path);
      else if (/\.m?js$/.test(name)) files.push({ type: "ESModule", path });
      else if (name.endsWith(".wasm")) files.push({ type: "CompiledWasm", path });
    }
  };
  walk(folder);
  return files;
}

/** Runs `start` and tells which workerd process it began. */
async function withRuntimePid(start) {
  const begun = [];
  const note = ({ process: child }) => begun.push(child);
  subscribe("child_process", note);
  try {
    const result = await start();
    return { result, pid: begun.find((child) => /workerd/.test(child.spawnfile ?? ""))?.pid };
  } finally {
    unsubscribe("child_process", note);
  }
}

/** Sees to it that the runtime does not outlive this process, even one that is killed. */
function guard(pid) {
  const child = spawn(process.execPath, [join(ROOT, "scripts/guard.mjs"), String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  child.unref();
  child.stdin.unref?.();
}

/**
 * Starts the built Worker.
 * @param {{ port: number, data: string, env?: Record<string, string | undefined>, host?: string }} options port 0 = any free one
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function serve({ port, data, env = process.env, host = "127.0.0.1" }) {
  const worker = join(DIST, "reverie");
  if (!existsSync(join(worker, "wrangler.json")))
    throw new Error("There is no build yet. Run `npm run build` first, or `npm start`, which does both.");
  const config = JSON.parse(readFileSync(join(worker, "wrangler.json"), "utf8"));
  mkdirSync(data, { recursive: true });
  const lock = await lockFolder(data);
  const main = join(worker, config.main);
  const modules = modulesOf(worker).sort((a, b) => Number(b.path === main) - Number(a.path === main));
  const options = convertV4MiniflareOptions({
    host,
    port,
    cf: false,
    log: new Log(LogLevel.WARN),
    defaultPersistRoot: resolve(data),
    resourcePersistencePath: resolve(data),
    telemetry: { enabled: false },
    workers: [
      {
        name: config.name,
        modules: modules.map((m) => ({ ...m, path: relative(worker, m.path), contents: readFileSync(m.path) })),
        modulesRoot: worker,
        rootPath: worker,
        compatibilityDate: config.compatibility_date,
        compatibilityFlags: config.compatibility_flags,
        bindings: Object.fromEntries(VARIABLES.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
        durableObjects: Object.fromEntries(
          config.durable_objects.bindings.map((b) => [b.name, { className: b.class_name, useSQLite: true }]),
        ),
        assets: {
          directory: join(DIST, "client"),
          binding: "ASSETS",
          run_worker_first: true,
          routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
          assetConfig: { not_found_handling: "single-page-application" },
        },
      },
    ],
  });
  let runtime;
  const { result: url, pid } = await withRuntimePid(() => {
    runtime = new Miniflare(options);
    return runtime.ready;
  });
  if (pid === undefined) throw new Error("The runtime did not start.");
  guard(pid);
  lock.runtime(pid);
  let stopped;
  return {
    // Port 80 is none in a URL.
    url: `http://127.0.0.1${url.port === "" ? "" : `:${url.port}`}`,
    stop: () => (stopped ??= runtime.dispose().finally(lock.release)),
  };
}

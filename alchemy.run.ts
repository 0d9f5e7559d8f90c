// The deployment: the same Worker as vite.config.ts and the tests describe, on Cloudflare. `npm run deploy` builds first and calls this.
import alchemy from "alchemy";
import { Assets, DurableObjectNamespace, Worker } from "alchemy/cloudflare";
import { CPU_LIMIT_MS, VARIABLES, workerConfig } from "./src/server/worker.config.ts";

const config = workerConfig();
const app = await alchemy(config.name, { password: process.env.ALCHEMY_PASSWORD });

const namespaces = Object.fromEntries(
  config.durable_objects.bindings.map(({ name, class_name }) => [
    name,
    DurableObjectNamespace(name, { className: class_name, sqlite: true }),
  ]),
);
/** What is set goes up as a secret: an address of a model can tell who somebody's provider is. */
const secrets = Object.fromEntries(
  VARIABLES.flatMap((name) => (process.env[name] ? [[name, alchemy.secret(process.env[name])]] : [])),
);

export const worker = await Worker("worker", {
  name: config.name,
  cwd: "dist/reverie",
  entrypoint: "index.js",
  noBundle: true,
  compatibilityDate: config.compatibility_date,
  compatibilityFlags: config.compatibility_flags,
  bindings: { ...namespaces, ...secrets, ASSETS: await Assets({ path: "dist/client" }) },
  assets: { not_found_handling: config.assets.not_found_handling, run_worker_first: config.assets.run_worker_first },
  limits: { cpu_ms: CPU_LIMIT_MS },
  observability: config.observability,
  url: true,
});

console.log(`Reverie is at ${worker.url}`);
await app.finalize();

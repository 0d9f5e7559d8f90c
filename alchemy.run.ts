// The deployment: the same Worker as vite.config.ts and the tests describe, on Cloudflare. `npm run deploy` builds first and runs this, `npm run destroy` too.
import alchemy from "alchemy";
import { Ai, Assets, DurableObjectNamespace, Worker } from "alchemy/cloudflare";
import { FileSystemStateStore } from "alchemy/state";
import { CPU_LIMIT_MS, VARIABLES, workerConfig } from "./src/server/worker.config.ts";

const { ALCHEMY_PASSWORD, CUSTOM_DOMAIN, DEPLOY_STATE = ".alchemy", WORKERS_AI, WORKERS_PLAN } = process.env;

const config = workerConfig();
const app = await alchemy(config.name, {
  stage: "prod",
  password: ALCHEMY_PASSWORD,
  stateStore: (scope) => new FileSystemStateStore(scope, { rootDir: DEPLOY_STATE }),
});

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

const worker = await Worker("worker", {
  name: config.name,
  // Whoever lost the state folder can deploy again.
  adopt: true,
  cwd: "dist/reverie",
  entrypoint: "index.js",
  noBundle: true,
  compatibilityDate: config.compatibility_date,
  compatibilityFlags: config.compatibility_flags,
  bindings: {
    ...namespaces,
    ...secrets,
    ...(WORKERS_AI === "yes" ? { AI: Ai() } : {}),
    ASSETS: await Assets({ path: "dist/client" }),
  },
  assets: { not_found_handling: config.assets.not_found_handling, run_worker_first: config.assets.run_worker_first },
  // The free plan refuses a limit of its own.
  ...(WORKERS_PLAN === "free" ? {} : { limits: { cpu_ms: CPU_LIMIT_MS } }),
  ...(CUSTOM_DOMAIN ? { domains: [CUSTOM_DOMAIN] } : {}),
  observability: config.observability,
  url: true,
});

console.log(`Reverie is at ${CUSTOM_DOMAIN ? `https://${CUSTOM_DOMAIN}` : worker.url}`);
await app.finalize();

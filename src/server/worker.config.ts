// The one description of the Worker: vite.config.ts, the tests and alchemy.run.ts read it. Owns names, dates and bindings; must not import the app.

/** Compatibility date of the Worker, as YYYY-MM-DD. */
export const COMPATIBILITY_DATE = "2026-10-01";

/** `nodejs_compat` brings node:zlib and node:crypto, whose calls are synchronous (the write path needs that). */
export const COMPATIBILITY_FLAGS = ["nodejs_compat"];

/** The two Durable Object classes, both backed by SQLite. */
export const DURABLE_OBJECTS = ["MemoryAgent", "ChatAgent"] as const;

/** Names of the variables that the Worker reads; the rest of the environment never reaches it. */
export const VARIABLES = [
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
] as const;

/** The variables of VARIABLES that an environment sets, for the Worker. */
export function workerVars(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(VARIABLES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}

/** CPU time a request may use, in milliseconds: an import or a rebuild works in slices below it. */
export const CPU_LIMIT_MS = 30_000;

/** The Worker's configuration in the shape that wrangler, the Vite plugin and the test pool take. */
export function workerConfig(vars: Record<string, string> = {}) {
  return {
    name: "reverie",
    main: "./src/server/index.ts",
    compatibility_date: COMPATIBILITY_DATE,
    compatibility_flags: COMPATIBILITY_FLAGS,
    durable_objects: { bindings: DURABLE_OBJECTS.map((name) => ({ name, class_name: name })) },
    migrations: [{ tag: "v1", new_sqlite_classes: [...DURABLE_OBJECTS] }],
    assets: { binding: "ASSETS", not_found_handling: "single-page-application" as const, run_worker_first: true },
    observability: { enabled: true },
    vars,
  };
}

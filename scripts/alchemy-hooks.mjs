// Alchemy asks miniflare for a date that the miniflare of this project (the one that serves vite, tests and `npm start`) no longer has. It is told ours;
// alchemy.run.ts names the date itself, so that nothing hangs on it.
import { readFileSync } from "node:fs";

const CONFIG = new URL("../src/server/worker.config.ts", import.meta.url);
const date = /COMPATIBILITY_DATE = "([\d-]+)"/.exec(readFileSync(CONFIG, "utf8"))?.[1] ?? "2026-10-01";
const ANSWER = `data:text/javascript,${encodeURIComponent(`export const supportedCompatibilityDate = ${JSON.stringify(date)};`)}`;

/** @type {import("node:module").ResolveHook} */
export async function resolve(specifier, context, next) {
  const asks = specifier === "miniflare" && (context.parentURL ?? "").endsWith("/alchemy/lib/cloudflare/compatibility-date.js");
  return asks ? { url: ANSWER, shortCircuit: true } : next(specifier, context);
}

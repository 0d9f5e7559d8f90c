// `npm run eval -- --set <folder> --model <name>`: question sets over long conversations, asked of a real model through the built app. eval/ holds what it does.
import { spawnSync } from "node:child_process";
import { runnerImport } from "vite";
import { serve } from "./serve.mjs";

const args = process.argv.slice(2).filter((arg) => arg !== "--no-build");
let built = args.length < process.argv.length - 2 || Boolean(process.env.REVERIE_BUILT);

/** Builds before the first start: a mistake on the command line need not wait for it. */
async function buildAndServe(options) {
  if (!built) {
    const build = spawnSync(process.execPath, ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"], {
      stdio: "inherit",
    });
    if (build.status !== 0) process.exit(build.status ?? 1);
  }
  built = true;
  return serve(options);
}

const { module } = await runnerImport("./eval/main.ts", { configFile: false, logLevel: "error" });
process.exit(await module.main({ args, env: process.env, serve: buildAndServe, print: console.log }));

// Global set-up of the tests that need the built app: builds it once a run.
import { spawnSync } from "node:child_process";

export default function setup(): void {
  if (process.env.REVERIE_BUILT) return;
  const build = spawnSync(process.execPath, ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"], {
    encoding: "utf8",
    // The test runner's own NODE_ENV would build the slow and large React that is meant for development.
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (build.status !== 0) throw new Error(`The app does not build.\n${build.stdout}\n${build.stderr}`);
  process.env.REVERIE_BUILT = "yes";
}

// `npm run bench [-- core]`: the benches, alone on the machine, printed as tables. `web` measures the screens in a browser.
import { spawnSync } from "node:child_process";
import { runModule } from "./run-module.mjs";

if (process.argv[2] === "web") runModule("bench/web.ts");
const run = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, BENCH: "yes" },
});
process.exit(run.status ?? 1);

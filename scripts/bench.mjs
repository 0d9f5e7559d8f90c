// `npm run bench [-- core]`: the benches, alone on the machine, printed as tables.
import { spawnSync } from "node:child_process";

const run = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, BENCH: "yes" },
});
process.exit(run.status ?? 1);

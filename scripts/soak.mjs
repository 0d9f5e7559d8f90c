// `npm run soak`: the long checks whole, which `npm test` runs shortened.
import { spawnSync } from "node:child_process";

const run = spawnSync(process.execPath, ["scripts/test.mjs", ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, SOAK: "yes" },
});
process.exit(run.status ?? 1);

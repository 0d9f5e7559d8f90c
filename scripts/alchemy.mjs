// Runs alchemy.run.ts in this process, on every Node that the project supports: alchemy's own command line needs one that reads TypeScript by itself.
import { existsSync } from "node:fs";
import { register } from "node:module";
import { join } from "node:path";

// Alchemy ends a removal without complaint also where something could not be removed; what it still remembers is still there.
if (process.argv.includes("--destroy")) {
  const remembered = join(process.env.DEPLOY_STATE ?? ".alchemy", "reverie", "prod", "worker.json");
  process.on("exit", () => {
    if (!existsSync(remembered)) return;
    console.error("Not all of it was removed: see above why, and run this again.");
    process.exitCode = 1;
  });
}

register("./alchemy-hooks.mjs", import.meta.url);
const { runnerImport } = await import("vite");
await runnerImport("./alchemy.run.ts");

// Runs alchemy.run.ts in this process, on every Node that the project supports: alchemy's own command line needs one that reads TypeScript by itself.
import { register } from "node:module";

register("./alchemy-hooks.mjs", import.meta.url);
const { runnerImport } = await import("vite");
await runnerImport("./alchemy.run.ts");

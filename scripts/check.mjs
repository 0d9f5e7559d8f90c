// `npm run check`: types, lint, format, import law, unused exports and first-load size; every one runs, then the verdict.
import { existsSync } from "node:fs";
import { spawnSync } from "node:child_process";

const node = process.execPath;
const steps = [
  ["types of shared", node, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.shared.json"]],
  ["types of server", node, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.server.json"]],
  ["types of web", node, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.web.json"]],
  ["lint", node, ["node_modules/oxlint/bin/oxlint", "--deny-warnings"]],
  ["format", node, ["node_modules/oxfmt/bin/oxfmt", "--check", "."]],
  ["import law", node, ["scripts/check-imports.mjs"]],
  ["unused exports", node, ["node_modules/knip/bin/knip.js"]],
];
const failed = [];
for (const [name, command, args] of steps) {
  console.log(`\n— ${name}`);
  if (spawnSync(command, args, { stdio: "inherit" }).status !== 0) failed.push(name);
}
console.log("\n— first load");
if (!existsSync("dist/client/index.html"))
  spawnSync(node, ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"], { stdio: "inherit" });
if (spawnSync(node, ["scripts/check-size.mjs"], { stdio: "inherit" }).status !== 0) failed.push("first load");
console.log(failed.length === 0 ? "\nEvery check holds." : `\nNot clean: ${failed.join(", ")}.`);
process.exit(failed.length === 0 ? 0 : 1);

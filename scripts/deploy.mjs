// `npm run deploy` and `npm run destroy`: Reverie on your own Cloudflare account, through alchemy.run.ts.
import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline/promises";

const action = process.argv[2];
const missing = ["CLOUDFLARE_API_TOKEN", "ALCHEMY_PASSWORD", "AUTH_SECRET"].filter((name) => !process.env[name]);
if (missing.length > 0) {
  console.error(`Set ${missing.join(", ")} and run this again; docs/deploy.md says where each comes from.`);
  process.exit(1);
}
if (action === "destroy") {
  const ask = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await ask.question("This removes the app and every memory in it from your account. Type “destroy” to go on: ");
  ask.close();
  if (answer.trim() !== "destroy") {
    console.log("Nothing was changed.");
    process.exit(0);
  }
}
const run = (args) => spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
if (action === "deploy") {
  const built = run(["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"]);
  if (built !== 0) process.exit(built);
}
process.exit(run(["node_modules/alchemy/bin/alchemy.js", action, "alchemy.run.ts"]));

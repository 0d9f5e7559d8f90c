// `npm run deploy` and `npm run destroy`: Reverie on your own Cloudflare account, through alchemy.run.ts.
import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { ownersInvite } from "./invite.mjs";

const action = process.argv[2];
const missing = ["CLOUDFLARE_API_TOKEN", "ALCHEMY_PASSWORD", "AUTH_SECRET"].filter((name) => !process.env[name]);
if (missing.length > 0) {
  console.error(`Set ${missing.join(", ")} and run this again; docs/deploy.md says where each comes from.`);
  process.exit(1);
}
/** Characters of a secret below which it can be guessed. */
const SECRET_MIN_CHARS = 32;
if (process.env.AUTH_SECRET.length < SECRET_MIN_CHARS) {
  console.error(`AUTH_SECRET has fewer than ${SECRET_MIN_CHARS} characters. Make one with: openssl rand -hex 32`);
  process.exit(1);
}
if (action === "destroy") {
  const ask = createInterface({ input: process.stdin });
  process.stdout.write("This removes the app and every memory in it from your account. Type “destroy” to go on: ");
  // Without anybody to answer it is a no. A line comes before the end of the input, whoever types it.
  const answer = await new Promise((resolve) => {
    ask.once("line", resolve);
    ask.once("close", () => resolve(""));
  });
  ask.close();
  if (answer.trim() !== "destroy") {
    console.log("Nothing was changed.");
    process.exit(0);
  }
}
const env = { ...process.env, ALCHEMY_TELEMETRY_DISABLED: process.env.ALCHEMY_TELEMETRY_DISABLED ?? "1" };
const run = (args) => spawnSync(process.execPath, args, { stdio: "inherit", env }).status ?? 1;
if (action === "deploy" && !process.env.REVERIE_BUILT) {
  const built = run(["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"]);
  if (built !== 0) process.exit(built);
}
const done = run(["scripts/alchemy.mjs", ...(action === "destroy" ? ["--destroy"] : [])]);
if (done === 0 && action === "deploy")
  console.log(
    `Until this installation has an owner, they sign up there under /sign-in#invite=${ownersInvite(process.env.AUTH_SECRET, 7)}`,
  );
process.exit(done);

// `npm start`: builds the app and serves it on this machine. `--no-build` serves what is there.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { ownersInvite } from "./invite.mjs";
import { serve } from "./serve.mjs";

const port = Number(process.env.PORT ?? 4321);
const data = resolve(process.env.REVERIE_DATA ?? ".reverie");

if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error(`PORT is "${process.env.PORT}", which is no port number. Use one from 1 to 65535, or leave it unset for 4321.`);
  process.exit(1);
}
if (!process.argv.includes("--no-build")) {
  const build = spawnSync(process.execPath, ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"], {
    stdio: "inherit",
  });
  if (build.status !== 0) process.exit(build.status ?? 1);
}

try {
  const app = await serve({ port, data });
  const health = await (await fetch(`${app.url}/api/health`)).json();
  const address = `http://localhost:${new URL(app.url).port}`;
  console.log(`Reverie is at ${address}`);
  console.log(`Your data lies in ${data}`);
  console.log(
    health.offline
      ? "The built-in offline model answers. Set OPENAI_BASE_URL, OPENAI_API_KEY and CHAT_MODEL for another."
      : `${health.models.chat} answers, ${health.models.dream} dreams.`,
  );
  if (health.mode === "hosted")
    console.log(
      `Until this installation has an owner, they sign up at ${address}/sign-in#invite=${ownersInvite(process.env.AUTH_SECRET, 1)}`,
    );
  const stop = () => app.stop().then(() => process.exit(0));
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
} catch (error) {
  const busy = /EADDRINUSE|in use/i.test(String(error?.message));
  console.error(
    busy && !/data folder/.test(error.message)
      ? `Port ${port} is taken. Set PORT to another one: PORT=4322 npm start`
      : `Reverie could not start: ${error?.message ?? error}`,
  );
  process.exit(1);
}

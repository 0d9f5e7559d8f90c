// `npm start`: builds the app and serves it on this machine. `--no-build` serves what is there.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { ownersInvite } from "./invite.mjs";
import { lockFolder } from "./lock-folder.mjs";
import { serve } from "./serve.mjs";
import { startSettings } from "./start-settings.mjs";

function end(message) {
  console.error(message);
  process.exit(1);
}

const settings = startSettings(process.env);
if (!settings.ok) end(settings.message);
const { port, data } = settings;
const TAKEN = `Port ${port} is taken. Set PORT to another one: PORT=${port + 1} npm start`;

function isTaken() {
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", ({ code }) => done(code === "EADDRINUSE"));
    probe.listen({ port, host: "127.0.0.1" }, () => probe.close(() => done(false)));
  });
}

// Before the build, which empties the folder that another Reverie may be serving from.
try {
  mkdirSync(data, { recursive: true });
} catch (error) {
  end(`The data folder ${data} cannot be made (${error.code}). Set REVERIE_DATA to a folder that can be written to.`);
}
await lockFolder(data).catch((error) => end(`Reverie could not start: ${error.message}`));
if (port !== 0 && (await isTaken())) end(TAKEN);

if (!process.argv.includes("--no-build")) {
  console.log("Building the app, which takes less than a minute …");
  const build = spawnSync(process.execPath, ["node_modules/vite/bin/vite.js", "build", "--logLevel", "error"], {
    stdio: "inherit",
  });
  if (build.status !== 0) process.exit(build.status ?? 1);
}

try {
  const app = await serve({ port, data });
  const health = await (await fetch(`${app.url}/api/health`)).json();
  const address = app.url.replace("127.0.0.1", "localhost");
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
  const busy = /EADDRINUSE|in use/i.test(String(error?.message)) && !/data folder/.test(error.message);
  end(busy ? TAKEN : `Reverie could not start: ${error?.message ?? error}`);
}

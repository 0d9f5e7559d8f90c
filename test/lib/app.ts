// Starts the built app as its own process, as `npm start` does, for tests that speak HTTP to the real thing.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface App {
  url: string;
  data: string;
  process: ChildProcess;
  /** What the process printed so far. */
  output: () => string;
  /** Ends it politely; `kill` ends it at once, as a crash would. */
  stop: () => Promise<void>;
  kill: () => Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

/** Starts the app on a free port. `data`: a folder that outlives it; absent = a fresh one, removed by `stop`. */
export async function startApp(options: { data?: string; env?: Record<string, string> } = {}): Promise<App> {
  const data = options.data ?? mkdtempSync(join(tmpdir(), "reverie-"));
  const child = spawn(process.execPath, ["scripts/start.mjs", "--no-build"], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: "0", REVERIE_DATA: data, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The app did not start within a minute.\n${printed}`)), START_TIMEOUT_MS);
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      const at = /Reverie is at http:\/\/localhost:(\d+)/.exec(printed);
      if (at && /answers/.test(printed)) {
        clearTimeout(timer);
        resolve(`http://127.0.0.1:${at[1]}`);
      }
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => reject(new Error(`The app ended with code ${code} before it was up.\n${printed}`)));
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
    if (!options.data) rmSync(data, { recursive: true, force: true });
  };
  return { url, data, process: child, output: () => printed, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") };
}

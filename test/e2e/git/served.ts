// Serves the fixture Worker on loopback and runs native git against it.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { build } from "vite";
import { COMPATIBILITY_DATE, COMPATIBILITY_FLAGS } from "../../../src/server/worker.config.ts";
import type { Growth, Landing } from "./fixture-worker.ts";

// The runtime would otherwise ask the internet for a sample `cf` object.
process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";

export interface Served {
  url: string;
  stop(): Promise<void>;
}

async function bundle(): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      minify: false,
      target: "es2022",
      lib: { entry: join(import.meta.dirname, "fixture-worker.ts"), formats: ["es"], fileName: "worker" },
      rolldownOptions: { external: [/^node:/, /^cloudflare:/] },
    },
  });
  const [first] = Array.isArray(made) ? made : [made];
  if (!first || !("output" in first)) throw new Error("The fixture Worker does not build.");
  return first.output[0].code;
}

/** Starts the fixture on a free port of loopback. */
export async function serveFixture(): Promise<Served> {
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      log: new Log(LogLevel.ERROR),
      telemetry: { enabled: false },
      workers: [
        {
          name: "fixture",
          modules: [{ type: "ESModule", path: "worker.js", contents: await bundle() }],
          compatibilityDate: COMPATIBILITY_DATE,
          compatibilityFlags: COMPATIBILITY_FLAGS,
          durableObjects: { REPOSITORY: { className: "Repository", useSQLite: true } },
        },
      ],
    }),
  );
  const url = await runtime.ready;
  return { url: `http://127.0.0.1:${url.port}`, stop: () => runtime.dispose() };
}

/** A served repository by name, with what a test does to it. */
export function repositoryAt(served: Served, name: string) {
  const post = async <T>(what: string, body: object): Promise<T> => {
    const response = await fetch(`${served.url}/${name}/fixture/${what}`, { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    url: `${served.url}/${name}/git/memory.git`,
    land: (landing: Landing) => post<{ commit: string }>("land", landing),
    grow: (grow: number, commits: number, bytes = 400, first = 0) =>
      post<{ commit: string }>("grow", { grow, commits, bytes, first } satisfies Growth),
    state: async () =>
      (await (await fetch(`${served.url}/${name}/fixture/state`)).json()) as {
        objects: number;
        moves: number;
        refs: { name: string; oid: string }[];
      },
    tag: () => post<{ tag: string }>("tag", {}),
  };
}

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Runs git without any configuration of the machine. */
export function git(args: string[], options: { cwd?: string; input?: string; env?: Record<string, string> } = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, {
      cwd: options.cwd,
      stdio: ["pipe", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH,
        HOME: "/nonexistent",
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_TERMINAL_PROMPT: "0",
        LC_ALL: "C",
        GIT_AUTHOR_NAME: "Ada",
        GIT_AUTHOR_EMAIL: "ada@example.org",
        GIT_COMMITTER_NAME: "Ada",
        GIT_COMMITTER_EMAIL: "ada@example.org",
        ...options.env,
      },
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? -1, out, err }));
    // Git may end before it has read its input; its exit code tells what happened.
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
  });
}

/** Runs git and gives its output; throws with what it printed when it fails. */
export async function gitOk(args: string[], options: Parameters<typeof git>[1] = {}): Promise<string> {
  const ran = await git(args, options);
  if (ran.code !== 0) throw new Error(`git ${args.join(" ")} ended with ${ran.code}\n${ran.out}\n${ran.err}`);
  return ran.out.trim();
}

/** A folder that is removed afterwards. */
export async function inFolder<T>(fn: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "reverie-git-"));
  try {
    return await fn(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What fsck has to say about a clone; "" is the only good answer. */
export async function fsck(folder: string): Promise<string> {
  const { code, out, err } = await git(["-C", folder, "fsck", "--strict", "--full"]);
  return `${code === 0 ? "" : `code ${code} `}${out}${err}`.trim();
}

/** Kernel ticks a second, as Linux reports CPU time. */
const TICKS = 100;

/** The runtime below this process: resident memory in MB now and at its peak since this was asked before, CPU time in ms since its start. */
export function usage(): { now: number; peak: number; cpu: number } {
  const pid = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .find((name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, "utf8");
        return /^Name:\tworkerd/m.test(status) && new RegExp(`^PPid:\t${process.pid}$`, "m").test(status);
      } catch {
        return false;
      }
    });
  if (!pid) throw new Error("The runtime is not among the child processes.");
  const read = (key: string): number =>
    Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
  const ticks = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  const asked = { now: read("VmRSS"), peak: read("VmHWM"), cpu: ((Number(ticks[11]) + Number(ticks[12])) * 1000) / TICKS };
  // proc(5): 5 resets the peak to what is resident now.
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  return asked;
}

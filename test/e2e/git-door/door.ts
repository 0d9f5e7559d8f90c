// What the tests of the git door share: the built app as its own process, and native git in front of it.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { call } from "../../lib/api.ts";
import { startApp, type App } from "../../lib/app.ts";
import { git, gitOk, type Ran } from "../git/served.ts";

export { fsck, git, gitOk, inFolder, type Ran } from "../git/served.ts";

export interface Door {
  app: App;
  /** The address that git gets. */
  url: string;
  head(): Promise<string | null>;
  /** Remembers a fact over HTTP; gives back its id and the commit. */
  remember(fact: Record<string, unknown>): Promise<{ id: string; commit: string }>;
  text(path: string): Promise<string>;
  stop(): Promise<void>;
}

/** The app on a fresh memory. */
export async function openDoor(env: Record<string, string> = {}): Promise<Door> {
  const app = await startApp({ env });
  return {
    app,
    url: `${app.url}/git/memory.git`,
    head: async () => (await call<{ head: string | null }>(app.url, "GET", "/api/memory")).body.head,
    remember: async (fact) => {
      const { status, body } = await call<{ commit: string; entries: { entry: { id: string } }[] }>(
        app.url,
        "POST",
        "/api/entries",
        fact,
      );
      if (status !== 200) throw new Error(`It was not saved: ${status} ${JSON.stringify(body)}`);
      return { id: body.entries[0]!.entry.id, commit: body.commit };
    },
    text: async (path) => (await call<string>(app.url, "GET", `/api/memory/files/${path}`)).body,
    stop: app.stop,
  };
}

/** A fresh clone in a folder. */
export async function clone(door: Door, folder: string, name = "clone", args: string[] = []): Promise<string> {
  const at = join(folder, name);
  await gitOk(["clone", "-q", ...args, door.url, at]);
  return at;
}

/** Writes files into a clone and commits them as the person who owns it. */
export async function commit(
  at: string,
  files: Record<string, string | Uint8Array | null>,
  message = "By hand",
): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    if (text === null) {
      await gitOk(["-C", at, "rm", "-q", path]);
      continue;
    }
    mkdirSync(dirname(join(at, path)), { recursive: true });
    writeFileSync(join(at, path), text);
  }
  await gitOk(["-C", at, "add", "-A"]);
  await gitOk(["-C", at, "commit", "-q", "-m", message]);
  return gitOk(["-C", at, "rev-parse", "HEAD"]);
}

/** Writes an object of any shape into a clone, sound or not; gives back its id. */
export function writeObject(at: string, type: string, data: Uint8Array): string {
  return execFileSync("git", ["-C", at, "hash-object", "-t", type, "-w", "--stdin", "--literally"], {
    input: data,
    encoding: "utf8",
  }).trim();
}

export const push = (at: string, ...args: string[]): Promise<Ran> => git(["-C", at, "push", "origin", "HEAD:main", ...args]);

/** A push that has to be refused: the reason stands in the terminal and the memory is as it was. */
export async function refused(door: Door, run: () => Promise<Ran>, says: RegExp): Promise<string> {
  const before = await door.head();
  const ran = await run();
  if (ran.code === 0) throw new Error(`It landed: ${ran.err}`);
  if (!says.test(ran.err)) throw new Error(`The terminal does not say ${says}:\n${ran.err}`);
  const after = await door.head();
  if (after !== before) throw new Error(`The head moved from ${before} to ${after}.`);
  return ran.err;
}

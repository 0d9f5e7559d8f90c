// S7, L4 and the numbers of the door: saves during clones, a clone of many files against one from disk, a push of a thousand objects.
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { call } from "../../lib/api.ts";
import { runtimeMemory } from "../../lib/runtime-memory.ts";
import { clone, commit, fsck, git, gitOk, inFolder, openDoor, push, type Door } from "./door.ts";

const CLONES = process.env.SOAK ? 50 : 8;
const FILES = 800;

let door: Door;
beforeAll(async () => {
  door = await openDoor();
  await door.remember({ text: "Begins here" });
});
afterAll(() => door.stop());

/** Megabytes of the repository of L4 as git packs it, and clones of it at once. */
const LARGE_MB = process.env.SOAK ? 45 : 4;
const LARGE_CLONES = process.env.SOAK ? 5 : 3;
const SAVE_P95_MS = 250;

/** Text that hardly compresses: signs of a script with many, in lines of 80. */
function noise(bytes: number): Buffer {
  const random = randomBytes((bytes / 3) * 2);
  let text = "";
  for (let at = 0; at + 1 < random.length; at += 2)
    text += at % 160 === 158 ? "\n" : String.fromCharCode(0x4e00 + (random.readUInt16BE(at) % 20_900));
  return Buffer.from(text);
}

const timed = async <T>(run: () => Promise<T>): Promise<[T, number]> => {
  const started = performance.now();
  return [await run(), performance.now() - started];
};

it("a push of a thousand objects lands whole", () =>
  inFolder(async (folder) => {
    const at = await clone(door, folder);
    for (let n = 0; n < FILES; n++) {
      const path = join(at, `d${Math.floor(n / 50)}`, `f${n}.md`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(
        path,
        `# File ${n}\n\n${Array.from({ length: 6 }, (_, line) => `- Fact ${line} of file ${n} in ${Math.floor(n / 50)}`).join("\n")}\n`,
      );
      if (n % 10 === 9) await commit(at, {}, `Files up to ${n}`);
    }
    const objects = Number(await gitOk(["-C", at, "rev-list", "--objects", "--count", "origin/main..HEAD"]));
    const before = runtimeMemory(door.app.process.pid!).cpu;
    const [ran, ms] = await timed(() => push(at));
    const engine = runtimeMemory(door.app.process.pid!).cpu - before;
    expect([ran.code, ran.err]).toEqual([
      0,
      expect.stringContaining(`remote: Landed: ${FILES * 6} lines added in ${FILES} files.`),
    ]);
    console.log(
      `a push of ${objects} objects in ${FILES / 10} commits: ${ms.toFixed(0)} ms with git's own work, ${engine.toFixed(0)} ms of engine time`,
    );
    expect(objects).toBeGreaterThan(1000);
    const check = await call<{ problems: string[] }>(door.app.url, "GET", "/api/check");
    expect(check.body.problems).toEqual([]);
  }));

it("a save during a running clone: every pack is whole, every head is a commit that stood", () =>
  inFolder(async (folder) => {
    const stood = new Set<string>([(await door.head())!]);
    let saving = true;
    const saves = (async () => {
      for (let n = 0; saving; n++)
        stood.add((await door.remember({ text: `Saved during a clone, number ${n}`, path: `log/${n % 7}.md` })).commit);
    })();
    const bad: string[] = [];
    for (let n = 0; n < CLONES; n++) {
      const at = join(folder, `clone-${n}`);
      const ran = await git(["-c", "transfer.fsckObjects=true", "clone", "-q", ...(n % 2 ? ["--bare"] : []), door.url, at]);
      if (ran.code !== 0) bad.push(ran.err);
      else if (n % 4 === 0 && (await fsck(at)) !== "") bad.push(await fsck(at));
      const head = await gitOk(["-C", at, "rev-parse", "HEAD"]).catch(() => "none");
      // The save that made it may not have been answered yet.
      if (!stood.has(head) && (await call(door.app.url, "GET", `/api/history/${head}`)).status !== 200)
        bad.push(`clone ${n} stands at ${head}`);
    }
    saving = false;
    await saves;
    console.log(`S7: ${CLONES} clones, ${stood.size} saves meanwhile, ${bad.length} bad`);
    expect(bad).toEqual([]);
    expect(stood.size).toBeGreaterThan(CLONES);
  }));

it("a clone over HTTP against one from disk", () =>
  inFolder(async (folder) => {
    const [, over] = await timed(() => gitOk(["clone", "-q", "--bare", door.url, join(folder, "over")]));
    const [, disk] = await timed(() =>
      gitOk(["clone", "-q", "--bare", "--no-local", join(folder, "over"), join(folder, "disk")]),
    );
    const sent = performance.now();
    const response = await fetch(`${door.url}/info/refs?service=git-upload-pack`);
    await response.text();
    console.log(
      `clone of ${FILES} files: ${over.toFixed(0)} ms over HTTP, ${disk.toFixed(0)} ms from disk; first answer after ${(performance.now() - sent).toFixed(0)} ms`,
    );
    expect(await gitOk(["-C", join(folder, "over"), "rev-list", "--all", "--count"])).toBe(
      await gitOk(["-C", join(folder, "disk"), "rev-list", "--all", "--count"]),
    );
  }));

it("L4 several clones of a large repository at once, and saves meanwhile", () =>
  inFolder(async (folder) => {
    const large = await openDoor();
    try {
      await large.remember({ text: "Begins here" });
      const at = await clone(large, folder);
      // Some 300 KB of pack a file; a push has at most 16 MiB.
      const files = Math.ceil((LARGE_MB * 1024) / 300);
      for (let from = 0; from < files; from += 30) {
        const batch = Array.from({ length: Math.min(30, files - from) }, (_, n) => from + n);
        await commit(at, Object.fromEntries(batch.map((n) => [`large/${Math.floor(n / 50)}/${n}.txt`, noise(480_000)])));
        expect((await git(["-C", at, "-c", "pack.window=0", "push", "-q", "origin", "main"])).code).toBe(0);
      }
      const saves: number[] = [];
      let cloning = true;
      const saving = (async () => {
        for (let n = 0; cloning; n++)
          saves.push(
            (await timed(() => large.remember({ text: `Saved beside large clones, number ${n}`, path: `log/${n % 5}.md` })))[1],
          );
      })();
      const [ran, ms] = await timed(() =>
        Promise.all(
          Array.from({ length: LARGE_CLONES }, (_, n) => git(["clone", "-q", "--bare", large.url, join(folder, `l${n}`)])),
        ),
      );
      cloning = false;
      await saving;
      expect(ran.map(({ code }) => code)).toEqual(ran.map(() => 0));
      for (let n = 0; n < LARGE_CLONES; n++) expect(await fsck(join(folder, `l${n}`))).toBe("");
      const size = await gitOk(["-C", join(folder, "l0"), "count-objects", "-vH"]);
      const p95 = [...saves].sort((a, b) => a - b)[Math.floor(saves.length * 0.95)]!;
      console.log(
        `L4: ${LARGE_CLONES} clones of ${/size-pack: (.*)/.exec(size)?.[1]} in ${ms.toFixed(0)} ms, ${saves.length} saves meanwhile, p95 ${p95.toFixed(0)} ms`,
      );
      expect(saves.length).toBeGreaterThan(0);
      if (process.env.SOAK) expect(p95).toBeLessThanOrEqual(SAVE_P95_MS);
    } finally {
      await large.stop();
    }
  }));

// S7 and the numbers of the door: saves during clones, a clone of many files against one from disk, a push of a thousand objects.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { call } from "../../lib/api.ts";
import { clone, commit, fsck, git, gitOk, inFolder, openDoor, push, type Door } from "./door.ts";

const CLONES = process.env.SOAK ? 50 : 8;
const FILES = 800;

let door: Door;
beforeAll(async () => {
  door = await openDoor();
  await door.remember({ text: "Begins here" });
});
afterAll(() => door.stop());

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
    const [ran, ms] = await timed(() => push(at));
    expect([ran.code, ran.err]).toEqual([
      0,
      expect.stringContaining(`remote: Landed: ${FILES * 6} lines added in ${FILES} files.`),
    ]);
    console.log(`a push of ${objects} objects in ${FILES / 10} commits: ${ms.toFixed(0)} ms with git's own work`);
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

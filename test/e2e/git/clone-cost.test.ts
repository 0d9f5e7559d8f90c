// What a clone costs: time beside a clone from disk, time to the first byte, memory of the runtime while it streams. Times are printed, memory is held.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fsck, gitOk, inFolder, repositoryAt, serveFixture, usage, type Served } from "./served.ts";

let served: Served;
beforeAll(async () => {
  served = await serveFixture();
});
afterAll(() => served.stop());

const MAX_EXTRA_MB = 32;

async function timed<T>(fn: () => Promise<T>): Promise<[T, number]> {
  const started = performance.now();
  const result = await fn();
  return [result, performance.now() - started];
}

const median = (times: number[]): number => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)]!;

it("clones 1,000 files with 1,000 commits about as fast as from disk", () =>
  inFolder(async (folder) => {
    const repo = repositoryAt(served, "thousand");
    await repo.grow(1_000, 1_000);
    const first = join(folder, "first");
    const line = (text: string): string => (text.length + 4).toString(16).padStart(4, "0") + text;
    const tip = (await gitOk(["ls-remote", repo.url, "refs/heads/main"])).slice(0, 40);
    const [, firstByte] = await timed(async () => {
      const response = await fetch(`${repo.url}/git-upload-pack`, {
        method: "POST",
        headers: { "Content-Type": "application/x-git-upload-pack-request", "Git-Protocol": "version=2" },
        body: `${line("command=fetch\n")}0001${line(`want ${tip}\n`)}${line("done\n")}0000`,
      });
      const reader = response.body!.getReader();
      await reader.read();
      void reader.cancel();
    });
    await gitOk(["clone", "-q", "--bare", repo.url, first]);
    expect(await fsck(first)).toBe("");
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let i = 0; i < 5; i++) {
      ours.push((await timed(() => gitOk(["clone", "-q", "--bare", repo.url, join(folder, `http-${i}`)])))[1]);
      theirs.push((await timed(() => gitOk(["clone", "-q", "--bare", `file://${first}`, join(folder, `disk-${i}`)])))[1]);
    }
    console.log(
      `clone of 1,000 files and 1,000 commits: ${median(ours).toFixed(0)} ms over HTTP, ${median(theirs).toFixed(0)} ms from disk (${(median(ours) / median(theirs)).toFixed(2)} ×); first byte after ${firstByte.toFixed(0)} ms`,
    );
  }));

it("streams 45 MB within 32 MB", () =>
  inFolder(async (folder) => {
    const repo = repositoryAt(served, "large");
    for (let i = 0; i < 20; i++) await repo.grow(100, 0, 64 * 1024, i * 100);
    await gitOk(["clone", "-q", "--bare", repo.url, join(folder, "warm")]);
    const before = usage();
    const [, time] = await timed(() => gitOk(["clone", "-q", "--bare", repo.url, join(folder, "clone")]));
    const after = usage();
    const pack = readdirSync(join(folder, "clone/objects/pack")).find((name) => name.endsWith(".pack"))!;
    const { size } = statSync(join(folder, "clone/objects/pack", pack));
    expect(size).toBeGreaterThan(40e6);
    console.log(
      `clone of ${(size / 1e6).toFixed(0)} MB: ${time.toFixed(0)} ms, runtime ${before.now.toFixed(0)} MB before, ${after.now.toFixed(0)} MB after, peak ${after.peak.toFixed(0)} MB`,
    );
    expect(after.peak - before.now).toBeLessThanOrEqual(MAX_EXTRA_MB);
  }));

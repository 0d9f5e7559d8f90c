// Numbers of the doors against the built app, as its clients meet them: native git over HTTP beside native git from disk, a push, recall over MCP.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clone, git, gitOk, inFolder, openDoor, type Door } from "../test/e2e/git-door/door.ts";
import { call } from "../test/lib/api.ts";
import { connect } from "../test/lib/mcp.ts";

const FILES = 1_000;
const LINES_PER_FILE = 10;
const COMMITS_A_PUSH = 250;
const CLONES = 7;
const RECALLS = 300;

const sorted = (list: number[]): number[] => [...list].sort((a, b) => a - b);
const median = (list: number[]): number => sorted(list)[Math.floor(list.length / 2)]!;
const p95 = (list: number[]): number => sorted(list)[Math.floor(list.length * 0.95)]!;
const row = (name: string, value: number, unit: string, limit: string): void =>
  console.log(`  ${name.padEnd(58)} ${value.toFixed(value < 10 ? 2 : 0).padStart(8)} ${unit}   (at most ${limit})`);
async function timed<T>(run: () => Promise<T>): Promise<[T, number]> {
  const started = performance.now();
  return [await run(), performance.now() - started];
}

const WHO = ["Ana", "Bruno", "Carla", "Deniz", "Emil", "Farah", "Goran", "Hanna", "Ivo", "Jana"];
const DOES = ["paints", "repairs", "collects", "sells", "studies", "plays", "avoids", "keeps", "prefers", "builds"];
const WHAT = ["clocks", "boats", "oboes", "maps", "lamps", "radios", "looms", "kites", "violins", "bicycles"];
const fact = (n: number): string =>
  `${WHO[n % 10]} ${DOES[Math.floor(n / 10) % 10]} ${WHAT[Math.floor(n / 100) % 10]} in street ${Math.floor(n / 1000)} since ${1950 + (n % 70)}`;
const fileOf = (n: number): string =>
  `# File ${n}\n\n${Array.from({ length: LINES_PER_FILE }, (_, line) => `- ${fact(n * LINES_PER_FILE + line)}`).join("\n")}\n`;

let door: Door;
beforeAll(async () => {
  door = await openDoor();
  await door.remember({ text: "Begins here" });
  await inFolder(async (folder) => {
    const at = await clone(door, folder);
    for (let from = 0; from < FILES; from += COMMITS_A_PUSH) {
      const stream = Array.from({ length: COMMITS_A_PUSH }, (_, i) => {
        const n = from + i;
        const data = Buffer.from(fileOf(n));
        const parent = i === 0 ? `from ${from === 0 ? "refs/remotes/origin/main" : "refs/heads/main"}^0\n` : "";
        return `commit refs/heads/main\ncommitter Ada <ada@example.org> ${Math.floor(Date.now() / 1000) - FILES + n} +0000\ndata 4\nmore\n${parent}M 100644 inline topics/d${Math.floor(n / 50)}/f${n}.md\ndata ${data.length}\n${data.toString()}\n`;
      });
      await gitOk(["-C", at, "fast-import", "--quiet", "--force"], { input: stream.join("") });
      const ran = await git(["-C", at, "push", "origin", "main"]);
      if (ran.code !== 0) throw new Error(ran.err);
    }
  });
}, 600_000);
afterAll(() => door.stop());

test("a clone of 1,000 files and 1,000 commits", () =>
  inFolder(async (folder) => {
    const over: number[] = [];
    const disk: number[] = [];
    await gitOk(["clone", "-q", "--bare", door.url, join(folder, "warm")]);
    for (let n = 0; n < CLONES; n++) {
      over.push((await timed(() => gitOk(["clone", "-q", "--bare", door.url, join(folder, `over-${n}`)])))[1]);
      // Through git's own transport, as over HTTP: a local clone would only link files.
      disk.push(
        (await timed(() => gitOk(["clone", "-q", "--bare", "--no-local", join(folder, "warm"), join(folder, `disk-${n}`)])))[1],
      );
    }
    const commits = Number(await gitOk(["-C", join(folder, "over-0"), "rev-list", "--count", "main"]));
    expect(commits).toBeGreaterThan(FILES);
    const head = (await door.head())!;
    const line = (text: string): string => (text.length + 4).toString(16).padStart(4, "0") + text;
    const firsts: number[] = [];
    for (let n = 0; n < CLONES; n++) {
      const started = performance.now();
      const response = await fetch(`${door.url}/git-upload-pack`, {
        method: "POST",
        headers: { "Content-Type": "application/x-git-upload-pack-request" },
        body: `${line(`want ${head} ofs-delta\n`)}0000${line("done\n")}`,
      });
      const reader = response.body!.getReader();
      let bytes = 0;
      // "0008NAK\n" is no object yet.
      while (bytes <= 8) bytes += (await reader.read()).value?.byteLength ?? Infinity;
      firsts.push(performance.now() - started);
      await reader.cancel();
    }
    const ratio = median(over) / median(disk);
    console.log(
      `clone of ${FILES} files, ${commits} commits: ${median(over).toFixed(0)} ms over HTTP, ${median(disk).toFixed(0)} ms from disk`,
    );
    row("clone over HTTP against git clone --bare from disk", ratio, "×", "1.5 ×");
    row("first byte of the pack", median(firsts), "ms", "500 ms");
    expect(ratio).toBeLessThanOrEqual(1.5);
    expect(median(firsts)).toBeLessThan(500);
  }));

test("a push of 1,000 objects", () =>
  inFolder(async (folder) => {
    const at = await clone(door, folder);
    const times: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const before = (await door.head())!;
      await gitOk(["-C", at, "fetch", "-q"]);
      const stream = Array.from({ length: 940 }, (_, n) => {
        const data = `# Pushed ${turn} ${n}\n\n- Line ${n} of push ${turn}\n`;
        const begins = `commit refs/heads/next\ncommitter Ada <ada@example.org> ${Math.floor(Date.now() / 1000)} +0000\ndata 4\nmore\n${n === 0 ? `from ${before}\n` : ""}`;
        return `${n % 47 === 0 ? begins : ""}M 100644 inline pushed/t${turn}/d${Math.floor(n / 47)}/f${n}.md\ndata ${data.length}\n${data}\n`;
      });
      await gitOk(["-C", at, "fast-import", "--quiet", "--force"], { input: stream.join("") });
      const tip = await gitOk(["-C", at, "rev-parse", "refs/heads/next"]);
      const pack = execFileSync("git", ["-C", at, "pack-objects", "--revs", "--stdout", "--delta-base-offset", "-q"], {
        input: `${tip}\n^${before}\n`,
        maxBuffer: 64 * 1024 * 1024,
      });
      const command = `${before} ${tip} refs/heads/main\0report-status`;
      const body = Buffer.concat([Buffer.from(`${(command.length + 4).toString(16).padStart(4, "0")}${command}0000`), pack]);
      const [answer, ms] = await timed(async () =>
        (
          await fetch(`${door.url}/git-receive-pack`, {
            method: "POST",
            headers: { "Content-Type": "application/x-git-receive-pack-request" },
            body,
          })
        ).text(),
      );
      expect(answer).toContain("ok refs/heads/main");
      times.push(ms);
      if (turn === 0) console.log(`objects of a push: ${pack.readUInt32BE(8)}`);
    }
    row("push of 1,000 objects in 20 commits, request to answer", median(times), "ms", "500 ms of engine time");
    expect(median(times)).toBeLessThanOrEqual(500);
  }));

test("recall over MCP at 10,000 entries", async () => {
  const agent = await connect(door.app.url, "bench");
  const { body } = await call<{ files: { entries: number }[] }>(door.app.url, "GET", "/api/memory");
  const standing = body.files.reduce((sum, { entries }) => sum + entries, 0);
  expect(standing).toBeGreaterThanOrEqual(FILES * LINES_PER_FILE);
  const ask = (n: number) => {
    const [who, does, what] = fact(n * 37).split(" ");
    return agent.tool("recall", { query: n % 2 ? `what does ${who} ${does}` : `${what} in street ${n % 10}` });
  };
  for (let n = 0; n < 20; n++) await ask(n);
  const times: number[] = [];
  for (let n = 0; n < RECALLS; n++) {
    const [found, ms] = await timed(() => ask(n));
    expect(found.data.entries.length).toBeGreaterThan(0);
    times.push(ms);
  }
  await agent.close();
  console.log(`recall over MCP: ${RECALLS} calls at ${standing} entries, median ${median(times).toFixed(1)} ms`);
  row("recall over MCP, p95, client to client", p95(times), "ms", "30 ms");
  expect(p95(times)).toBeLessThanOrEqual(30);
});

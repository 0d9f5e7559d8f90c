// L2 and the memory of single operations, over HTTP against the built app. Short in `npm test`, whole with SOAK; times and memory are asserted there alone.
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../lib/api.ts";
import { startApp, type App } from "../lib/app.ts";
import { runtimeMemory } from "../lib/runtime-memory.ts";

const SOAK = Boolean(process.env.SOAK);
const SECONDS = SOAK ? 600 : 5;
const SAVES_A_SECOND = 30;
/** What one operation may need (design, Traps). */
const MAX_EXTRA_MB = 32;
/** How much the resident memory moves at a request that does nothing: the collector's own room. */
const EVEN_AN_EMPTY_REQUEST_MB = 16;

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const memory = () => runtimeMemory(app.process.pid!);
const mean = (list: number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
const p95 = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length * 0.95)]!;

test(`L2: ${SAVES_A_SECOND} saves a second for ${SECONDS} s`, async () => {
  const times: number[] = [];
  const failures: unknown[] = [];
  const resident: number[] = [];
  const running: Promise<void>[] = [];
  const save = async (n: number) => {
    const started = performance.now();
    const answer = await call<{ ok: boolean }>(app.url, "POST", "/api/entries", {
      text: `Saved under load, number ${n}, about subject ${n % 977}`,
      path: `load/d${n % 10}/f${Math.floor(n / 10) % 90}.md`,
    });
    times.push(performance.now() - started);
    if (answer.status !== 200 || !answer.body.ok) failures.push(answer);
  };
  // The rate is the subject, so the clock says when the next save is sent, whether the last one has been answered or not.
  const begun = performance.now();
  for (let n = 0; n < SECONDS * SAVES_A_SECOND; n++) {
    const due = begun + (n * 1000) / SAVES_A_SECOND;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    running.push(save(n).catch((error: unknown) => void failures.push(error)));
    if (n % SAVES_A_SECOND === 0) resident.push(memory().now);
  }
  await Promise.all(running);
  const minute = Math.min(60, Math.ceil(resident.length / 2));
  const [first, last] = [mean(resident.slice(0, minute)), mean(resident.slice(-minute))];
  console.log(
    `L2: ${times.length} saves in ${SECONDS} s, ${failures.length} errors, p95 ${p95(times).toFixed(1)} ms, resident ${first.toFixed(0)} MB in the first ${minute} s, ${last.toFixed(0)} MB in the last (${(last / first).toFixed(2)} ×)`,
  );
  expect(failures).toEqual([]);
  expect(times).toHaveLength(SECONDS * SAVES_A_SECOND);
  if (SOAK) {
    expect(p95(times)).toBeLessThanOrEqual(50);
    expect(last).toBeLessThanOrEqual(first * 1.1);
  }
}, 1_200_000);

test("no operation needs more than 32 MB", async () => {
  const words = ["garden", "harbour", "violin", "kettle", "winter", "bridge", "lantern", "copper"];
  const line = (n: number, more = "") => `- The ${words[n % 8]} of ${words[(n * 5) % 8]} number ${n}${more}`;
  const entriesOf = (count: number, more: (n: number) => string = () => "") =>
    `# Big\n\n${Array.from({ length: count }, (_, n) => line(n, more(n))).join("\n")}\n`;
  const head = async () => (await call<{ head: string }>(app.url, "GET", "/api/memory")).body.head;
  const put = async (path: string, text: string, base: string) => {
    const response = await fetch(`${app.url}/api/memory/files/${path}`, {
      method: "PUT",
      headers: { "If-Match": base, "Content-Type": "text/markdown" },
      body: text,
    });
    const body = (await response.json()) as { head?: string; error?: { code: string } };
    return { status: response.status, body };
  };
  const get = async (path: string) => {
    const response = await fetch(`${app.url}${path}`);
    expect(response.status, path).toBe(200);
    await response.arrayBuffer();
  };
  // Whole, it is the largest file that the gate lets in, of short lines: as many entries as a file can have.
  const most = SOAK ? 11_000 : 2_000;
  const large = entriesOf(most);
  expect(Buffer.byteLength(large)).toBeLessThanOrEqual(512 * 1024);
  const operations: [string, () => Promise<void>][] = [
    [`a file of ${most} new entries`, async () => expect((await put("big/new.md", large, await head())).status).toBe(200)],
    [
      "100 of its lines changed, on a base that moved on in 100 others",
      async () => {
        const base = await head();
        await put(
          "big/new.md",
          entriesOf(most, (n) => (n % (most / 100) === 1 ? " then" : "")),
          base,
        );
        const answer = await put(
          "big/new.md",
          entriesOf(most, (n) => (n % (most / 100) === 2 ? " also" : "")),
          base,
        );
        expect(answer.status).toBe(200);
      },
    ],
    [
      "a file of 5 MB, refused",
      async () => expect((await put("big/too.md", "x".repeat(5_000_000), await head())).status).toBe(413),
    ],
    ["the largest file read", () => get("/api/memory/files/big/new.md")],
    ["the tree", () => get("/api/memory")],
    ["a page of entries", () => get("/api/entries?limit=200&path=big")],
    ["a search", () => get("/api/search?q=garden%20violin")],
    ["the graph", () => get("/api/graph")],
    ["the graph on a day", () => get("/api/graph?asOf=2026-01")],
    ["a page of the log", () => get("/api/history?limit=200")],
    ["the diff of the largest commit", async () => get(`/api/history/${await head()}`)],
    ["a check", () => get("/api/check")],
    ["a clone's first request", () => get("/git/memory.git/info/refs?service=git-upload-pack")],
  ];
  const over: string[] = [];
  for (const [name, run] of operations) {
    const before = memory().now;
    await run();
    const extra = memory().peak - before;
    console.log(`${name}: ${extra.toFixed(0)} MB more at the peak`);
    if (extra > MAX_EXTRA_MB + EVEN_AN_EMPTY_REQUEST_MB) over.push(`${name}: ${extra.toFixed(0)} MB`);
  }
  if (SOAK) expect(over).toEqual([]);
}, 600_000);

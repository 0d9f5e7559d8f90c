// What the screens take on a large memory: frames of a graph of 2,000 pages while it is moved, and how soon a page shows its largest part.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { startApp } from "../test/lib/app.ts";
import { openBrowser } from "../test/lib/chromium.ts";

const PAGES = 2_000;
const FOLDERS = ["people", "places", "projects", "plans", "work", "health", "likes", "notes"];
const TRIES = 5;
/** Milliseconds of moving by hand. */
const MOVING_MS = 4_000;

/** The same numbers in each run: a small linear congruence. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

const nameOf = (at: number) => `${FOLDERS[at % FOLDERS.length]}/page-${at}`;

/** Pages of four lines and three links each, some of them to the well-linked ones, pushed by git as one commit. */
function fill(url: string): number {
  const next = numbers(7);
  const folder = mkdtempSync(join(tmpdir(), "reverie-bench-"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=Bench", "-c", "user.email=bench@example.org", ...args], {
      stdio: "pipe",
    });
  git("init", "-q", "-b", "main");
  let links = 0;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (let at = 0; at < PAGES; at += 1) {
    const lines = [0, 1, 2].map((line) => {
      links += 1;
      const to = line === 0 ? next(40) : next(PAGES);
      return `- Line ${line} of page ${at}, which has to do with [[${nameOf(to)}]] [added: 2026-0${1 + next(9)}-1${next(9)}]\n`;
    });
    write(`${nameOf(at)}.md`, `# Page ${at}\n\n${lines.join("")}- A line of its own, number ${at}\n`);
  }
  write("MEMORY.md", "# Memory\n\n- Two thousand pages\n");
  git("add", "-A");
  git("commit", "-q", "-m", "Two thousand pages");
  git("push", "-q", `${url}/git/memory.git`, "HEAD:main");
  rmSync(folder, { recursive: true, force: true });
  return links;
}

const LARGEST = `window.__largest = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.__largest = entry.startTime; })
  .observe({ type: "largest-contentful-paint", buffered: true });`;

/** Milliseconds to the largest paint of a first visit, nothing cached: the median and the worst of some tries. */
async function largest(browser: Browser, url: string, ready: (page: Page) => Promise<unknown>): Promise<number[]> {
  const found: number[] = [];
  for (let at = 0; at < TRIES; at += 1) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addInitScript(() => localStorage.setItem("reverie.started", "yes"));
    await context.addInitScript(LARGEST);
    const page = await context.newPage();
    await page.goto(url);
    await ready(page);
    await page.evaluate(
      "document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))",
    );
    found.push((await page.evaluate("window.__largest")) as number);
    await context.close();
  }
  return found.sort((a, b) => a - b);
}

const FRAMES = (ms: number) => `new Promise((done) => {
  const frames = [];
  const begun = performance.now();
  let last = begun;
  requestAnimationFrame(function tick(now) {
    frames.push(now - last);
    last = now;
    if (now - begun < ${ms}) requestAnimationFrame(tick);
    else done(frames.slice(2));
  });
})`;

/** Frame times while a hand does something over and over. */
async function frames(page: Page, hand: (step: number) => Promise<unknown>): Promise<number[]> {
  const counted = page.evaluate(FRAMES(MOVING_MS)) as Promise<number[]>;
  let going = true;
  void counted.finally(() => (going = false));
  for (let step = 0; going; step += 1) await hand(step);
  return (await counted).sort((a, b) => a - b);
}

const at = (sorted: number[], share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const ms = (value: number) => `${value.toFixed(1)} ms`;

function row(name: string, sorted: number[]): string {
  const late = sorted.filter((frame) => frame > 33.4).length;
  return `| ${name} | ${sorted.length} | ${ms(at(sorted, 0.5))} | ${ms(at(sorted, 0.95))} | ${ms(sorted[sorted.length - 1] ?? 0)} | ${((late / sorted.length) * 100).toFixed(1)} % |`;
}

async function run(): Promise<void> {
  const app = await startApp();
  const browser = await openBrowser();
  try {
    const small = await largest(browser, app.url, (page) => page.locator(".greeting").waitFor());
    const links = fill(app.url);
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    await page.addInitScript(() => localStorage.setItem("reverie.started", "yes"));
    await page.goto(`${app.url}/graph`);
    await page.locator(".graph canvas").waitFor();
    await page.locator(".graph .ghosts").waitFor({ state: "detached", timeout: 120_000 });
    const settled = (await page.evaluate("performance.now()")) as number;
    const box = (await page.locator(".graph canvas").boundingBox())!;
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await page.mouse.move(middle.x, middle.y);
    const still = await frames(page, () => page.evaluate("new Promise((done) => setTimeout(done, 100))"));
    await page.mouse.down();
    const panned = await frames(page, (step) =>
      page.mouse.move(middle.x + 240 * Math.sin(step / 12), middle.y + 140 * Math.cos(step / 9)),
    );
    await page.mouse.up();
    const zoomed = await frames(page, (step) => page.mouse.wheel(0, Math.floor(step / 20) % 2 === 0 ? -60 : 60));
    const hovered = await frames(page, (step) =>
      page.mouse.move(middle.x + 300 * Math.sin(step / 20), middle.y + 200 * Math.cos(step / 23)),
    );
    console.log(
      `\nGraph of ${PAGES + 1} pages and ${links} links: opened and settled in ${(settled / 1000).toFixed(1)} s from the address.\n`,
    );
    console.log("| while | frames | median | p95 | longest | over 33 ms |\n| --- | --- | --- | --- | --- | --- |");
    for (const [name, sorted] of [
      ["nothing moves", still],
      ["panned by hand", panned],
      ["zoomed", zoomed],
      ["pointer over dots", hovered],
    ] as const)
      console.log(row(name, sorted));
    const seen: [string, number[]][] = [["chat, empty memory", small]];
    for (const [name, path, ready] of [
      ["chat", "/", (one: Page) => one.locator(".greeting").waitFor()],
      ["vault, a page", `/vault/${nameOf(12)}`, (one: Page) => one.locator("li.entry").first().waitFor()],
      ["history", "/history", (one: Page) => one.locator("h1").first().waitFor()],
    ] as const)
      seen.push([name, await largest(browser, app.url + path, ready)]);
    console.log(
      `\nLargest paint of a first visit, nothing cached, ${TRIES} tries each\n\n| page | median | worst |\n| --- | --- | --- |`,
    );
    for (const [name, sorted] of seen)
      console.log(`| ${name} | ${ms(at(sorted, 0.5))} | ${ms(sorted[sorted.length - 1] ?? 0)} |`);
  } finally {
    await browser.close();
    await app.stop();
  }
}

await run();

// How the screens hold their shape: a phone, words from right to left, words a third longer, and nothing that jumps while it loads.
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { CommitView, Page as List } from "../../src/shared/protocol.ts";
import { call } from "../lib/api.ts";
import { startApp, type App } from "../lib/app.ts";
import { openBrowser } from "../lib/chromium.ts";
import { seed } from "./screens-memory.ts";
import { say, tabsOf } from "./tab.ts";

/** What may move while a page loads, as browsers count it. */
const SHIFT_MAX = 0.05;
const ARABIC = "مدينة غنت جميلة في الشتاء";
let app: App;
let browser: Browser;
let routes: string[];
const { open, done } = tabsOf(
  () => browser,
  () => app.url,
);

const OBSERVE = `
  window.__shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.__shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
`;

/** What sticks out of the window sideways: the page itself, or a control or text in it that no scroller holds. */
const STICKS_OUT = `(() => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth + 1) found.push("the page is " + root.scrollWidth + " wide");
  const held = (element) => {
    for (let up = element; up && up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (style.visibility === "hidden" || style.position === "fixed" || up.inert || up.classList.contains("sr") || up.classList.contains("skip")) return true;
      if (up !== element && /auto|scroll|hidden|clip/.test(style.overflowX) && up.tagName !== "MAIN") return true;
    }
    return false;
  };
  for (const element of document.querySelectorAll("main *, nav *, .contents *, [role=dialog] *")) {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || element.closest("svg")) continue;
    if ((box.right > innerWidth + 1 || box.left < -1) && !held(element)) found.push(element.tagName + "." + element.className + " " + (element.textContent ?? "").slice(0, 40));
  }
  return found.slice(0, 5);
})()`;

/** Every text of the interface a third longer, as it is in German; what people wrote stays. */
const LENGTHEN = `(() => {
  const own = ".line, .said, .prose, .q, textarea, pre, .t, h1, h2, blockquote, script, style, svg, [aria-hidden=true]";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  for (const node of nodes) {
    const text = node.textContent;
    if (text.trim().length < 3 || node.parentElement.closest(own)) continue;
    node.textContent = text + " " + "länglich ".repeat(Math.ceil(text.trim().length * 0.35 / 9)).trim();
  }
})()`;

/** The page has all that it loads. */
async function settled(page: Page): Promise<void> {
  await page.locator("main").first().waitFor();
  await expect.poll(() => page.locator(".ghosts").count(), { timeout: 20_000 }).toBe(0);
  await page.evaluate(
    "document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))",
  );
}

beforeAll(async () => {
  app = await startApp();
  browser = await openBrowser();
  const { thread } = await seed(app.url, (method, path, body, headers) => call(app.url, method, path, body, headers));
  await call(app.url, "POST", "/api/chat", { message: `${ARABIC}\nDonaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen` });
  const commit = (await call<List<CommitView>>(app.url, "GET", "/api/history")).body.items[0]!.commit;
  routes = [
    "/",
    `/t/${thread}`,
    "/vault/people/ana",
    "/vault/work/glossary",
    "/vault/people/mara?asOf=2025-06-01",
    "/graph",
    "/history",
    `/history/${commit}`,
    "/dreams",
    "/notes",
    "/forgotten",
    "/about",
    "/costs",
    "/settings/memory",
    "/settings/models",
    "/settings/data",
  ];
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});
afterEach(done);

for (const width of [1280, 390])
  test(`at ${width} px nothing sticks out, in longer words neither, and nothing jumps while it loads`, async () => {
    const { page, context } = await open({ width, height: width === 390 ? 844 : 900, touch: width === 390 });
    await context.addInitScript(OBSERVE);
    const found: string[] = [];
    let worst = 0;
    for (const route of routes) {
      await page.goto(app.url + route);
      await settled(page);
      const shift = (await page.evaluate("window.__shift")) as number;
      worst = Math.max(worst, shift);
      if (shift > SHIFT_MAX) found.push(`${route}: shifted by ${shift.toFixed(3)}`);
      for (const one of (await page.evaluate(STICKS_OUT)) as string[]) found.push(`${route}: ${one}`);
      await page.evaluate(LENGTHEN);
      for (const one of (await page.evaluate(STICKS_OUT)) as string[]) found.push(`${route}, longer: ${one}`);
    }
    console.log(`The largest layout shift at ${width} px was ${worst.toFixed(4)}.`);
    expect(found).toEqual([]);
  });

test("a line from right to left has its bullet and its margin on the other side", async () => {
  const { page, go } = await open();
  await go("/vault/work/glossary");
  const row = page.locator("li.entry", { hasText: ARABIC });
  await row.waitFor();
  const text = row.locator(".line");
  expect(await row.getAttribute("dir")).toBe("rtl");
  const [bullet, words, margin] = await Promise.all([
    row.locator(".mark").first().boundingBox(),
    text.boundingBox(),
    row.locator(".marg").boundingBox(),
  ]);
  expect(bullet!.x).toBeGreaterThan(words!.x + words!.width / 2);
  expect(margin!.x).toBeLessThan(words!.x + words!.width / 2);
});

test("on a phone everything is within a thumb's reach: places, lists, a line's source, a message", async () => {
  const { page, go } = await open({ width: 390, height: 844, touch: true });
  await go("/");
  const bar = page.getByRole("navigation", { name: "Reverie, short" });
  for (const target of await bar.locator("a, button").all()) {
    const box = (await target.boundingBox())!;
    expect(box.height).toBeGreaterThanOrEqual(44);
    expect(box.width).toBeGreaterThanOrEqual(44);
  }
  await say(page, "My cousin Pia paints boats.");
  await bar.getByRole("link", { name: "Vault" }).tap();
  await page.waitForURL(/\/vault/);
  await settled(page);
  await page.getByRole("button", { name: "Files of the memory" }).filter({ visible: true }).first().tap();
  await page.getByRole("treeitem", { name: /^ana/ }).tap();
  await page.waitForURL(/\/vault\/people\/ana$/);
  const row = page.locator("#anaf0002");
  await row.locator(".marg button").first().tap();
  const sheet = page.getByRole("dialog", { name: "Where this line comes from" });
  await sheet.getByText("Used").waitFor();
  const box = (await sheet.boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(390);
  expect(box.y + box.height).toBeLessThanOrEqual(844 + 1);
  await page.keyboard.press("Escape");
  await bar.getByRole("button", { name: "More" }).tap();
  await page.getByRole("dialog", { name: "More" }).getByRole("link", { name: "Graph" }).tap();
  await page.waitForURL(/\/graph/);
});

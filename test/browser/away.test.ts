// The server goes away and comes back: what was typed is kept, the line heals within five seconds, nothing is there twice.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { EntryView, Page as List, ThreadDetail, ThreadView } from "../../src/shared/protocol.ts";
import { call } from "../lib/api.ts";
import { startApp, type App } from "../lib/app.ts";
import { openBrowser } from "../lib/chromium.ts";
import { answers, say, tabsOf, whole } from "./tab.ts";

/** What design and tests promise: a client is back within so many milliseconds after the server is. */
const BACK_MS = 5_000;
const SOCKETS = 20;
const data = mkdtempSync(join(tmpdir(), "reverie-away-"));
let app: App;
let browser: Browser;
const { open, done } = tabsOf(
  () => browser,
  () => app.url,
);
/** What a browser says by itself while nobody answers. */
const NOBODY = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED|WebSocket connection to/;

/** The same address again, as after a restart. */
async function restart(): Promise<void> {
  const port = new URL(app.url).port;
  app = await startApp({ data, env: { PORT: port } });
  expect(new URL(app.url).port).toBe(port);
}

beforeAll(async () => {
  app = await startApp({ data });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
  rmSync(data, { recursive: true, force: true });
});
afterEach(done);

test("offline is said, the typed text stays through a failed send and a reload, and one message arrives", async () => {
  const { page, go, allow } = await open();
  allow(NOBODY);
  await go("/");
  await say(page, "I keep two bicycles in the cellar.");
  const thread = new URL(page.url()).pathname;
  await app.stop();
  await page
    .getByText(/cannot be reached|No line|offline/i)
    .first()
    .waitFor({ timeout: 15_000 });
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("My neighbour Jef repairs them.");
  await field.press("Enter");
  await page.getByText("not sent", { exact: true }).waitFor();
  await page
    .getByRole("alert")
    .getByText(/kept here/)
    .waitFor();
  await field.fill("And a half-written thought");
  await restart();
  // A window that is loaded anew holds both: what was not sent, and what was not finished.
  await page.reload();
  await page.getByText("not sent", { exact: true }).waitFor();
  expect(await field.inputValue()).toBe("And a half-written thought");
  await page.getByRole("button", { name: "Send it again" }).click();
  await whole(answers(page).nth(1));
  expect(await page.getByText("not sent", { exact: true }).count()).toBe(0);
  const detail = (await call<ThreadDetail>(app.url, "GET", `/api/threads/${thread.slice(3)}`)).body;
  expect(detail.items.filter((item) => item.role === "user").map((item) => item.text)).toEqual([
    "I keep two bicycles in the cellar.",
    "My neighbour Jef repairs them.",
  ]);
  await page.reload();
  await page.getByText("My neighbour Jef repairs them.").first().waitFor();
  expect(await page.getByText("not sent", { exact: true }).count()).toBe(0);
});

test(`${SOCKETS} open lines are back within five seconds after a reset, and show the same state, each message once`, async () => {
  const one = await open();
  one.allow(NOBODY);
  await one.go("/");
  await say(one.page, "I grow leeks on the balcony.");
  const thread = new URL(one.page.url()).pathname;
  // A tab on a conversation holds two lines: the memory's and the conversation's.
  const tabs = [one];
  for (let at = 1; at < SOCKETS / 2; at += 1) {
    const tab = await open({ beside: one, width: 900, height: 700 });
    tab.allow(NOBODY);
    tabs.push(tab);
  }
  await Promise.all(tabs.slice(1).map((tab) => tab.go(thread)));
  const opened = new Map<number, number>();
  tabs.forEach((tab, at) => tab.page.on("websocket", () => opened.set(at, (opened.get(at) ?? 0) + 1)));
  await Promise.all(tabs.map((tab) => tab.page.locator(".spine-foot").getByText(/kept/).waitFor()));
  await app.kill();
  const offline = tabs.map((tab) => tab.page.getByText("You are offline since").waitFor({ timeout: 15_000 }));
  await Promise.all(offline);
  await restart();
  const up = Date.now();
  await Promise.all(
    tabs.map((tab) =>
      tab.page
        .locator(".offline, [data-offline]")
        .first()
        .waitFor({ state: "detached", timeout: BACK_MS * 4 }),
    ),
  );
  const took = Date.now() - up;
  console.log(`${tabs.length} tabs with two lines each were back ${took} ms after the server.`);
  expect(took).toBeLessThan(BACK_MS);
  for (const tab of tabs) {
    expect(await tab.page.getByRole("article", { name: /^You, / }).count()).toBe(1);
    expect(await answers(tab.page).count()).toBe(1);
  }
  // The healed lines carry news again: what one tab says stands in all of them, once.
  await say(one.page, "I also grow chard.");
  await Promise.all(
    tabs.map((tab) =>
      tab.page
        .getByRole("article", { name: /^You, / })
        .getByText("I also grow chard.")
        .waitFor(),
    ),
  );
  for (const tab of tabs) expect(await tab.page.getByRole("article", { name: /^You, / }).count()).toBe(2);
  const list = (await call<List<ThreadView>>(app.url, "GET", "/api/threads")).body.items;
  expect(list.find((item) => item.id === thread.slice(3))?.messages).toBe(4);
  const kept = (await call<List<EntryView>>(app.url, "GET", "/api/entries?q=chard")).body.items;
  expect(kept.length).toBeLessThanOrEqual(1);
});

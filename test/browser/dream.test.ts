// A dream seen from its screen: asked for, watched, answered change by change, taken back. Built app, scripted model.
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { DreamView, EntryView, Page as List } from "../../src/shared/protocol.ts";
import { call } from "../lib/api.ts";
import { startApp, type App } from "../lib/app.ts";
import { openBrowser } from "../lib/chromium.ts";
import { startScriptedModel, type ScriptedModel } from "../lib/scripted-model.ts";
import { tabsOf, toast } from "./tab.ts";

let app: App;
let browser: Browser;
let model: ScriptedModel;
const { open, done } = tabsOf(
  () => browser,
  () => app.url,
);

const texts = async () =>
  (await call<List<EntryView>>(app.url, "GET", "/api/entries?limit=200")).body.items.map((entry) => entry.text);
const newest = async () => (await call<List<DreamView>>(app.url, "GET", "/api/dreams")).body.items[0]!;
/** Says something without a model that keeps it, and gives the message's name. */
const hear = async (message: string) => {
  const { thread, message: id } = (await call<{ thread: string; message: string }>(app.url, "POST", "/api/chat", { message }))
    .body;
  return `thread/${thread}#${typeof id === "string" ? id : "m1"}`;
};
const FINISH = { tools: [{ name: "finish", arguments: { summary: "Done." } }] };

beforeAll(async () => {
  model = await startScriptedModel();
  model.otherwise = { text: "I see." };
  app = await startApp({
    env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "none", CHAT_MODEL: "scripted", DREAM_MODEL: "scripted" },
  });
  browser = await openBrowser();
  await call(app.url, "POST", "/api/entries", { text: "Rents a garage in Ledeberg" });
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
  await model?.stop();
});
afterEach(done);

test("a proposal waits, is accepted and left change by change, and is taken back", async () => {
  const fig = await hear("I planted a fig tree by the south wall.");
  const kiln = await hear("I bought a kiln for porcelain.");
  const { page, go } = await open();
  await go("/dreams");
  await page
    .getByText(/2 messages wait/)
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Dream now…" }).click();
  const sheet = page.getByRole("dialog", { name: "Dream now" });
  await sheet.getByText(/2 messages wait, .* tokens? to read/).waitFor();
  model.push(
    {
      tools: [
        {
          name: "add",
          arguments: {
            path: "garden.md",
            text: "Planted a fig tree by the south wall",
            sources: [fig],
            reason: "Said in passing.",
          },
        },
        { name: "add", arguments: { path: "pottery.md", text: "Bought a kiln for porcelain", sources: [kiln], reason: "New." } },
      ],
    },
    FINISH,
  );
  await sheet.getByRole("button", { name: "Only propose" }).click();
  await page.waitForURL(/\/dreams\/[a-z0-9]{8}$/);
  await page.getByRole("heading", { name: "Two changes wait for you" }).waitFor();
  expect(await texts()).not.toContain("Bought a kiln for porcelain");
  // The mark at the place of dreams says that something waits.
  await page.getByRole("link", { name: /Dreams 1 waiting for you/ }).waitFor();
  const rows = page.locator("li.proposal");
  const row = (words: string) => rows.filter({ hasText: words });
  expect(await page.getByRole("radio", { checked: true }).count()).toBe(0);
  await row("fig tree").getByText("Said in passing.").waitFor();
  // By keyboard: J and K move, A accepts, X leaves.
  await page.keyboard.press("k");
  const first = ((await rows.first().innerText()).includes("fig tree") ? "fig" : "kiln") as "fig" | "kiln";
  await page.keyboard.press(first === "fig" ? "a" : "x");
  await page.getByText(first === "fig" ? "1 accepted, 0 left, 1 open" : "0 accepted, 1 left, 1 open").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press(first === "fig" ? "x" : "a");
  await page.getByText("1 accepted, 1 left, 0 open").waitFor();
  await page.getByRole("button", { name: "Write one change" }).click();
  await toast(page, "One change written.").waitFor();
  await page.getByRole("button", { name: "Undo this dream" }).waitFor();
  expect(await texts()).toContain("Planted a fig tree by the south wall");
  expect(await texts()).not.toContain("Bought a kiln for porcelain");
  await page.getByRole("heading", { name: "Left out by you" }).waitFor();
  await page.getByRole("button", { name: "Undo this dream" }).click();
  await toast(page, /^Taken back\./).waitFor();
  await page.getByText("You took this dream back.").waitFor();
  expect(await texts()).not.toContain("Planted a fig tree by the south wall");
  expect(await texts()).toContain("Rents a garage in Ledeberg");
});

test("a running dream is shown live, a second tab sees it end, and its report says what it cost", async () => {
  const heard = await hear("I have started to learn Portuguese.");
  const one = await open();
  const two = await open({ beside: one });
  await one.go("/dreams");
  await two.go("/dreams");
  let release = () => {};
  const asked = model.asked(model.requests.length + 1);
  model.push(
    {
      before: new Promise<void>((resolve) => (release = resolve)),
      tools: [
        {
          name: "add",
          arguments: { path: "learning.md", text: "Has started to learn Portuguese", sources: [heard], reason: "New." },
        },
      ],
    },
    FINISH,
  );
  await one.page.getByRole("button", { name: "Dream now…" }).click();
  await one.page.getByRole("dialog").getByRole("button", { name: "Dream", exact: true }).click();
  await one.page.getByRole("heading", { name: /Dreaming/ }).waitFor();
  await asked;
  await one.page.getByRole("button", { name: "Stop", exact: true }).waitFor();
  await two.page.getByRole("link", { name: /^Dreams\s*now/ }).waitFor();
  release();
  await one.page.getByRole("heading", { name: "Added", exact: true }).waitFor();
  await one.page.getByText("Has started to learn Portuguese").first().waitFor();
  await one.page.getByText(/asked for by you/).waitFor();
  const dream = await newest();
  expect(dream.status).toBe("landed");
  await two.page.locator(`a[href="/dreams/${dream.id}"]`).waitFor();
  await one.page.getByRole("link", { name: "See the commit" }).click();
  await one.page.waitForURL(`**/history/${dream.commit}`);
});

test("a dream that is stopped changes nothing and says so", async () => {
  await hear("I would like to see the sea in winter.");
  const { page, go } = await open();
  const before = await texts();
  await go("/dreams");
  let release = () => {};
  const asked = model.asked(model.requests.length + 1);
  model.push({ before: new Promise<void>((resolve) => (release = resolve)), ...FINISH });
  await page.getByRole("button", { name: "Dream now…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Dream", exact: true }).click();
  await asked;
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await toast(page, "Stopped. Nothing was changed.").waitFor();
  release();
  await vi.waitUntil(async () => (await newest()).status === "cancelled", { timeout: 20_000 });
  await page.getByRole("heading", { name: "Stopped" }).waitFor();
  expect(await texts()).toEqual(before);
});

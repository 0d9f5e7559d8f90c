// The main job, as a person does it: two conversations across a restart, a dream, the history, one commit taken back.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CommitView, EntryView, Page as List } from "../../src/shared/protocol.ts";
import { call } from "../lib/api.ts";
import { startApp, type App } from "../lib/app.ts";
import { openBrowser } from "../lib/chromium.ts";

const ANSWER_MS = 20_000;
const data = mkdtempSync(join(tmpdir(), "reverie-walk-"));
let app: App;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Console errors, unhandled rejections and refused requests of the whole walk. */
const complaints: string[] = [];

async function openPage(): Promise<void> {
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: "Europe/Paris", locale: "en-GB" });
  page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(app.url);
}

/** Says a sentence and waits for the whole answer; gives its text. */
async function say(text: string): Promise<string> {
  const answers = page.getByRole("article", { name: /^Reverie, / });
  const before = await answers.count();
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
  const answer = answers.nth(before);
  await answer.waitFor({ timeout: ANSWER_MS });
  await expect.poll(() => answer.getAttribute("aria-busy"), { timeout: ANSWER_MS }).not.toBe("true");
  return answer.innerText();
}

async function entries(): Promise<EntryView[]> {
  return (await call<List<EntryView>>(app.url, "GET", "/api/entries?state=all&limit=200")).body.items;
}

beforeAll(async () => {
  app = await startApp({ data });
  browser = await openBrowser();
  await openPage();
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
  rmSync(data, { recursive: true, force: true });
});

test("what was said becomes lines of the memory", async () => {
  await page.getByRole("button", { name: /^Start talking/ }).click();
  await say("My name is Mara and I live in Lyon.");
  await say("My sister Ana is a nurse; she moved to Porto in March.");
  await say("I'm allergic to walnuts.");
  await say("I'm flying to Porto on 12 December to see Ana.");
  const texts = (await entries()).map((entry) => `${entry.path} ${entry.text} ${entry.on ?? ""}`.toLowerCase());
  for (const word of ["mara", "lyon", "nurse", "porto", "walnuts"])
    expect(
      texts.some((text) => text.includes(word)),
      word,
    ).toBe(true);
  expect(texts.some((text) => /porto/.test(text) && /-12-12/.test(text))).toBe(true);
  await page
    .getByText(/^Remembered/)
    .first()
    .waitFor();
});

test("a new conversation knows it, after a restart of the server too", async () => {
  await context.close();
  await app.stop();
  app = await startApp({ data });
  await openPage();
  await page
    .getByRole("link", { name: /new conversation/i })
    .or(page.getByRole("button", { name: /new conversation/i }))
    .first()
    .click();
  expect((await say("Where does my sister live?")).toLowerCase()).toContain("porto");
  expect((await say("What should a cook know about me?")).toLowerCase()).toContain("walnut");
});

test("the vault shows the lines and its links lead somewhere", async () => {
  await page.getByRole("link", { name: "Vault" }).first().click();
  await page
    .getByText(/walnut/i)
    .first()
    .waitFor();
  await page.goto(`${app.url}/vault/people/ana`);
  await page.getByRole("heading", { name: "Ana", level: 1 }).waitFor();
  await page.getByText(/nurse/i).first().waitFor();
});

test("the graph opens", async () => {
  await page.getByRole("link", { name: "Graph" }).first().click();
  await page.getByText("ana").first().waitFor();
});

test("a dream runs to its report", async () => {
  await page.getByRole("link", { name: "Dreams" }).first().click();
  await page
    .getByRole("button", { name: /^Dream now/ })
    .first()
    .click();
  await page.getByRole("dialog").getByRole("button", { name: /dream/i }).last().click();
  await expect
    .poll(async () => (await call<List<{ status: string }>>(app.url, "GET", "/api/dreams")).body.items[0]?.status, {
      timeout: 30_000,
    })
    .toMatch(/^(landed|nothing|proposed)$/);
  const dream = (await call<List<{ status: string; commit: string | null }>>(app.url, "GET", "/api/dreams")).body.items[0];
  const commits = (await call<List<CommitView>>(app.url, "GET", "/api/history?limit=200")).body.items;
  if (dream?.commit) expect(commits.some((commit) => commit.kind === "dream")).toBe(true);
  console.log(`The dream ended as “${dream?.status}”.`);
});

test("one commit is taken back, and only its line goes", async () => {
  const commits = (await call<List<CommitView>>(app.url, "GET", "/api/history?kind=chat&limit=200")).body.items;
  expect(commits.length).toBeGreaterThanOrEqual(4);
  const walnut = (await call<List<CommitView>>(app.url, "GET", "/api/history?text=walnuts&limit=10")).body.items.find(
    (commit) => commit.kind === "chat",
  );
  expect(walnut).toBeDefined();
  await page.goto(`${app.url}/history/${walnut!.commit}`);
  await page
    .getByText(/walnut/i)
    .first()
    .waitFor();
  await page
    .getByRole("button", { name: /^Revert/ })
    .first()
    .click();
  await page
    .getByRole("region", { name: "Revert, preview" })
    .getByRole("button", { name: /^Revert/ })
    .click();
  await expect
    .poll(async () => (await entries()).some((entry) => entry.state === "open" && /walnut/i.test(entry.text)), {
      timeout: ANSWER_MS,
    })
    .toBe(false);
  const texts = (await entries()).map((entry) => entry.text.toLowerCase());
  expect(texts.some((text) => text.includes("porto"))).toBe(true);
  expect(texts.some((text) => text.includes("lyon"))).toBe(true);
  await page.goto(`${app.url}/vault/MEMORY.md`);
  await page.getByText(/lyon/i).first().waitFor();
  expect(await page.getByText(/allergic to walnuts/i).count()).toBe(0);
});

test("native git finds nothing wrong with the exported objects", () => {
  const folder = mkdtempSync(join(tmpdir(), "reverie-walk-clone-"));
  execFileSync("git", ["clone", "-q", `${app.url}/git/memory.git`, join(folder, "m")], { stdio: "pipe" });
  const fsck = execFileSync("git", ["-C", join(folder, "m"), "fsck", "--strict", "--full"], { encoding: "utf8", stdio: "pipe" });
  rmSync(folder, { recursive: true, force: true });
  expect(fsck.trim()).toBe("");
});

test("the browser had nothing to complain about", () => {
  expect(complaints).toEqual([]);
});

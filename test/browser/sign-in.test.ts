// The door, as people use it: the owner takes over, somebody new begins, tokens open git, a lost passkey is made good by a code. With Chromium's own authenticator.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type App } from "../lib/app.ts";
import { openBrowser } from "../lib/chromium.ts";

const data = mkdtempSync(join(tmpdir(), "reverie-door-"));
const SHOTS = process.env.SIGN_IN_SHOTS;
let app: App;
let at = "";
let browser: Browser;

/** A browser of somebody's own, with a device that has a passkey store and always says yes. */
async function device(): Promise<{ context: BrowserContext; page: Page; forget: () => Promise<void> }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-GB" });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { context, page, forget: () => cdp.send("WebAuthn.clearCredentials", { authenticatorId }).then(() => {}) };
}

const shot = async (page: Page, name: string) => {
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
};
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first();
/** Waits for the app behind the door. */
const inside = (page: Page) =>
  page
    .getByRole("textbox", { name: "Message" })
    .or(button(page, /^Start talking/))
    .first()
    .waitFor();

let owner: Awaited<ReturnType<typeof device>>;
let codes: string[] = [];

beforeAll(async () => {
  // What was kept before there was a sign-in.
  const local = await startApp({ data });
  await fetch(`${local.url}/api/entries`, { method: "POST", body: JSON.stringify({ text: "Plays the oboe" }) });
  await local.stop();
  app = await startApp({ data, env: { AUTH_SECRET: "a secret of thirty-two characters!" } });
  at = app.url.replace("127.0.0.1", "localhost");
  browser = await openBrowser();
  owner = await device();
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
  rmSync(data, { recursive: true, force: true });
});

test("without signing in there is the door and nothing else", async () => {
  const { context, page } = await device();
  const lines: string[] = [];
  page.on("websocket", (socket) => lines.push(socket.url()));
  // The code of the line comes when the door is shut already.
  let release = () => {};
  const shut = new Promise<void>((resolve) => (release = resolve));
  const line = page.waitForResponse(/assets\/client-/);
  await page.route(/assets\/client-/, async (route) => {
    await shut;
    await route.continue();
  });
  await page.goto(`${at}/vault/MEMORY.md`);
  await page.getByRole("heading", { name: "Your memory opens with a passkey." }).waitFor();
  release();
  await (await line).finished();
  expect(await page.getByText("oboe").count()).toBe(0);
  await shot(page, "door");
  expect((await fetch(`${app.url}/api/entries`)).status).toBe(401);
  await button(page, "Sign in").click();
  await page.getByRole("alert").waitFor();
  expect(lines).toEqual([]);
  await context.close();
});

test("the owner comes by the printed link, takes over the memory, and keeps eight codes", async () => {
  const link = /(http:\/\/localhost:\d+\/sign-in#invite=\S+)/.exec(app.output())![1]!;
  const { page } = owner;
  await page.goto(link);
  await page.getByRole("heading", { name: "This installation is yours." }).waitFor();
  expect(await page.getByRole("checkbox").isChecked()).toBe(true);
  await shot(page, "owner");
  await button(page, "Make a passkey").click();
  await page.getByRole("heading", { name: "Keep these eight codes." }).waitFor();
  codes = await page.locator(".codes code").allInnerTexts();
  expect(codes).toHaveLength(8);
  await shot(page, "codes");
  await button(page, "They are kept").click();
  await inside(page);
  await page.goto(`${at}/vault/MEMORY.md`);
  await page.getByText("Plays the oboe").first().waitFor();
  const cookie = (await owner.context.cookies()).find(({ name }) => name === "__Host-reverie")!;
  expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: "Lax", path: "/" });
});

test("signed out and in again with nothing typed", async () => {
  const { page } = owner;
  await page.goto(`${at}/settings/account`);
  await button(page, "Sign out").click();
  await button(page, "Sign in").click();
  await inside(page);
  await page.goto(`${at}/settings/account`);
  await page.getByRole("heading", { name: "Passkeys", exact: true }).waitFor();
  await page.getByText("Eight codes left").waitFor();
  await page.getByText("1 person", { exact: true }).waitFor();
  await shot(page, "account");
});

test("somebody new needs an invite, and begins a memory of their own with it", async () => {
  await button(owner.page, "Make an invite").click();
  const invite = (await owner.page.locator("pre.snippet").innerText()).trim();
  const guest = await device();
  await guest.page.goto(`${at}/sign-in`);
  await button(guest.page, "Begin a memory").click();
  await guest.page.getByRole("textbox", { name: "Your invite" }).fill("rvi_nothing");
  await button(guest.page, "Make a passkey").click();
  await guest.page.getByRole("alert").waitFor();
  await shot(guest.page, "invite");
  await guest.page.goto("about:blank");
  await guest.page.goto(invite);
  await button(guest.page, "Make a passkey").click();
  await button(guest.page, "They are kept").click();
  await inside(guest.page);
  await guest.page.goto(`${at}/vault/MEMORY.md`);
  await guest.page.getByRole("heading").first().waitFor();
  expect(await guest.page.getByText("oboe").count()).toBe(0);
  await guest.context.close();
});

test("a token is shown once and opens git, which nothing else does", async () => {
  const { page } = owner;
  await page.goto(`${at}/settings/doors`);
  await button(page, "Make a token").click();
  await page.getByRole("dialog").getByRole("textbox").fill("Laptop");
  await page.getByRole("radio", { name: /^As you/ }).click();
  await page.getByRole("radio", { name: "Read and write" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Make the token" }).click();
  const token = (await page.getByRole("dialog").locator("pre").innerText()).trim();
  expect(token).toMatch(/^rv_me_/);
  await shot(page, "token");
  await button(page, "It is kept").click();
  await page.getByText("Reads and writes as you.").waitFor();
  await shot(page, "tokens");
  const folder = mkdtempSync(join(tmpdir(), "reverie-door-clone-"));
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
      env: { ...process.env, GIT_TERMINAL_PROMPT: "0" },
    });
  const remote = `${app.url.replace("//", `//me:${token}@`)}/git/memory.git`;
  git("clone", "-q", remote, "m");
  execFileSync(
    "sh",
    ["-c", "echo '- Has a cat' >> MEMORY.md && git -c user.name=O -c user.email=o@example.org commit -qam cat"],
    {
      cwd: join(folder, "m"),
    },
  );
  git("-C", "m", "push", "-q", "origin", "HEAD:main");
  expect(() => git("clone", "-q", `${app.url}/git/memory.git`, "n")).toThrow();
  rmSync(folder, { recursive: true, force: true });
  await page.goto(`${at}/vault/MEMORY.md`);
  await page.getByText("Has a cat").first().waitFor();
});

test("a session that is ended from elsewhere meets the door", async () => {
  const { page, context } = owner;
  const second = await context.newPage();
  await second.goto(at);
  await inside(second);
  await page.goto(`${at}/settings/account`);
  await page
    .getByText(/, here$/)
    .first()
    .waitFor();
  const cookies = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  await page.evaluate(() => fetch("/api/sessions", { method: "DELETE" }));
  expect((await fetch(`${app.url.replace("127.0.0.1", "localhost")}/api/entries`, { headers: { cookie: cookies } })).status).toBe(
    401,
  );
  await second.goto(`${at}/vault`);
  await second.getByRole("heading", { name: "Your memory opens with a passkey." }).waitFor();
  await second.close();
});

test("a lost passkey is made good by a code, and what cannot be undone asks for the passkey", async () => {
  const { page, forget } = owner;
  await forget();
  await page.goto(`${at}/sign-in`);
  await button(page, "Use a recovery code").click();
  await page.getByRole("textbox", { name: "Recovery code" }).fill(codes[2]!);
  await shot(page, "recovery");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "You are in." }).waitFor();
  await button(page, "Make a passkey").click();
  await inside(page);
  await page.goto(`${at}/settings/account`);
  await page.getByText("Seven codes left").waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await shot(page, "account-390");
});

test("no page of it was refused by its own policy", async () => {
  const { context, page } = await device();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) complaints.push(message.text());
  });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(`${at}/sign-in`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await shot(page, "door-dark");
  expect(complaints).toEqual([]);
  const { headers } = await fetch(`${at}/sign-in`);
  const policy = headers.get("content-security-policy")!;
  expect(/script-src ([^;]*)/.exec(policy)![1]).toBe("'self'");
  await context.close();
});

// A browser tab that keeps what went wrong in it: console errors, page errors, unhandled rejections, dialogs, and requests to other hosts.
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { expect } from "vitest";

export interface TabOptions {
  width?: number;
  height?: number;
  scheme?: "light" | "dark";
  /** A first visit: nothing was started yet. */
  first?: boolean;
  touch?: boolean;
  /** Without the app's content security policy: what it would have stopped is seen. */
  bare?: boolean;
  /** Shares storage with another tab of the same browser window. */
  beside?: Tab;
}

export interface Tab {
  page: Page;
  context: BrowserContext;
  /** Console errors, page errors, rejections and dialogs, in order. */
  complaints: string[];
  /** Requests that left the app's own host. */
  strangers: string[];
  /** A complaint that a test provokes on purpose, such as the browser's own line about a 409. */
  allow(pattern: RegExp): void;
  go(path: string): Promise<void>;
}

const ANSWER_MS = 20_000;

/** All tabs of a file, so that one `afterEach` judges each of them. */
export function tabsOf(browser: () => Browser, url: () => string) {
  const tabs: Tab[] = [];
  const open = async (options: TabOptions = {}): Promise<Tab> => {
    const context =
      options.beside?.context ??
      (await browser().newContext({
        viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
        colorScheme: options.scheme ?? "light",
        reducedMotion: "reduce",
        locale: "en-GB",
        timezoneId: "Europe/Brussels",
        permissions: ["clipboard-read", "clipboard-write"],
        bypassCSP: options.bare ?? false,
        ...(options.touch ? { hasTouch: true, isMobile: true } : {}),
      }));
    if (!options.first) await context.addInitScript(() => localStorage.setItem("reverie.started", "yes"));
    const page = await context.newPage();
    const allowed: RegExp[] = [];
    const complaints: string[] = [];
    const strangers: string[] = [];
    const complain = (text: string) => {
      if (!allowed.some((pattern) => pattern.test(text))) complaints.push(text);
    };
    page.on("console", (message) => {
      if (message.type() === "error") complain(`${message.text()} ${message.location().url}`);
    });
    // Uncaught errors and rejections that nobody handled.
    page.on("pageerror", (error) => complain(String(error)));
    page.on("dialog", (dialog) => {
      complaints.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      const { protocol, host } = new URL(request.url());
      if (/^(?:https?|wss?):$/.test(protocol) && host !== new URL(url()).host) strangers.push(request.url());
    });
    const tab: Tab = {
      page,
      context,
      complaints,
      strangers,
      allow: (pattern) => void allowed.push(pattern),
      go: async (path) => {
        await page.goto(url() + path);
        await page.locator("main").waitFor();
      },
    };
    tabs.push(tab);
    return tab;
  };
  /** What went wrong in any tab so far must be nothing; then all of them close. */
  const done = async () => {
    const found = tabs.flatMap((tab) => [...tab.complaints, ...tab.strangers.map((address) => `asked ${address}`)]);
    const contexts = new Set(tabs.splice(0).map((tab) => tab.context));
    for (const context of contexts) await context.close();
    expect(found).toEqual([]);
  };
  return { open, done };
}

/** The newest answers of a conversation, in order. */
export function answers(page: Page): Locator {
  return page.getByRole("article", { name: /^Reverie, / });
}

/** Writes a message and sends it with Enter; the answer may still be on its way. */
export async function send(page: Page, text: string): Promise<Locator> {
  const before = await answers(page).count();
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
  return answers(page).nth(before);
}

/** Waits until an answer is whole. */
export async function whole(answer: Locator): Promise<string> {
  await answer.waitFor({ timeout: ANSWER_MS });
  await expect.poll(() => answer.getAttribute("aria-busy"), { timeout: ANSWER_MS }).not.toBe("true");
  return answer.innerText();
}

/** Sends a message and waits for its whole answer. */
export async function say(page: Page, text: string): Promise<Locator> {
  const answer = await send(page, text);
  await whole(answer);
  return answer;
}

/** The sentence of the newest toast. */
export function toast(page: Page, words: string | RegExp): Locator {
  return page.locator(".toast").filter({ hasText: words }).last();
}

/** Puts a text on the clipboard and pastes it where the focus is, as a person does. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.keyboard.press("Control+v");
}

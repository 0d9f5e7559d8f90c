// Every screen in both themes, before axe: no serious and no critical finding. On an invented memory, at desktop and phone width.
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { CommitView, DreamView, Page as List, ThreadView } from "../../src/shared/protocol.ts";
import { call } from "../lib/api.ts";
import { startApp, type App } from "../lib/app.ts";
import { openBrowser } from "../lib/chromium.ts";

interface Finding {
  id: string;
  impact: string | null;
  nodes: { target: string[]; failureSummary?: string }[];
}

const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
const WIDTHS = [1440, 390];
const SCHEMES = ["light", "dark"] as const;
let app: App;
let browser: Browser;
let routes: string[];
const complaints: string[] = [];

beforeAll(async () => {
  app = await startApp();
  browser = await openBrowser();
  for (const message of [
    "My name is Mara and I live in Ghent.",
    "My sister Ana is a nurse in Porto.",
    "I moved to Lyon.",
    "Where do I live?",
  ])
    await call(app.url, "POST", "/api/chat", { message, tz: "Europe/Brussels" });
  await call(app.url, "POST", "/api/dream", {});
  const status = async () => (await call<List<DreamView>>(app.url, "GET", "/api/dreams")).body.items[0]?.status ?? "queued";
  await vi.waitUntil(async () => !/queued|running/.test(await status()), { timeout: 30_000 });
  const thread = (await call<List<ThreadView>>(app.url, "GET", "/api/threads")).body.items[0]!.id;
  const commit = (await call<List<CommitView>>(app.url, "GET", "/api/history")).body.items[0]!.commit;
  const dream = (await call<List<DreamView>>(app.url, "GET", "/api/dreams")).body.items[0]!.id;
  routes = [
    "/",
    `/t/${thread}`,
    "/vault/MEMORY.md",
    "/vault/people/ana",
    "/graph",
    "/history",
    `/history/${commit}`,
    "/dreams",
    `/dreams/${dream}`,
    "/notes",
    "/forgotten",
    "/about",
    "/costs",
    "/import",
    "/settings",
  ];
});
afterEach(() => expect(complaints.splice(0)).toEqual([]));
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

/** What opens over or instead of a screen, and how one gets there. */
const STATES: { name: string; route: string; open: (page: Page) => Promise<unknown> }[] = [
  {
    name: "palette",
    route: "/vault/people/ana",
    open: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("ana");
      await page.getByText(/found in/).waitFor();
    },
  },
  {
    name: "key sheet",
    route: "/vault/people/ana",
    open: async (page) => {
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
    },
  },
  { name: "menu of a line", route: "/vault/people/ana", open: (page) => menuOfLine(page) },
  {
    name: "source of a line",
    route: "/vault/people/ana",
    open: async (page) => {
      await page.locator("li.entry .marg button").first().click();
      await page.getByRole("dialog", { name: "Where this line comes from" }).getByText("Used").waitFor();
    },
  },
  ...["Forget…", "Move to…", "No longer true…"].map((item) => ({
    name: item,
    route: "/vault/people/ana",
    open: async (page: Page) => {
      await menuOfLine(page);
      await page.getByRole("menuitem", { name: item }).click();
      await page.getByRole("dialog").waitFor();
    },
  })),
  {
    name: "a line being edited",
    route: "/vault/people/ana",
    open: async (page) => {
      await menuOfLine(page);
      await page.getByRole("menuitem", { name: "Edit" }).click();
      await page.getByRole("textbox", { name: "The line" }).waitFor();
    },
  },
  ...["Rename the file…", "Remove the file…"].map((item) => ({
    name: item,
    route: "/vault/people/ana",
    open: async (page: Page) => {
      await page.getByRole("button", { name: "More for this page" }).click();
      await page.getByRole("menuitem", { name: item }).click();
      await page.getByRole("dialog").waitFor();
    },
  })),
  {
    name: "the vault of another day",
    route: "/vault/MEMORY?asOf=2020-01-01",
    open: (page) => page.getByRole("button", { name: "Back to today" }).waitFor(),
  },
  {
    name: "Dream now",
    route: "/dreams",
    open: async (page) => {
      await page.getByRole("button", { name: /^Dream now/ }).click();
      await page.getByRole("dialog", { name: "Dream now" }).waitFor();
    },
  },
  {
    name: "nothing at an address",
    route: "/vault/people/nobody",
    open: (page) => page.getByText("There is no page called nobody.").waitFor(),
  },
  {
    name: "a screen that could not be read",
    route: "/about",
    open: async (page) => {
      await page.route("**/api/**", (route) => route.fulfill({ status: 500, body: "<h1>proxy</h1>" }));
      await page.goto(new URL("/history", page.url()).href);
      await page.getByRole("alert").first().waitFor();
    },
  },
];

async function menuOfLine(page: Page): Promise<void> {
  const row = page.locator("li.entry[data-line]").first();
  await row.hover();
  await row.getByRole("button", { name: /^More for the line/ }).click();
  await page.getByRole("menu").waitFor();
}

/** Serious and critical findings of what the page shows now. */
async function judge(page: Page, name: string): Promise<string[]> {
  await page.evaluate(AXE);
  const findings = (await page.evaluate("axe.run().then((result) => result.violations)")) as Finding[];
  return findings
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => {
      const where = nodes.map((node) => node.target.join(" ")).slice(0, 3);
      return `${name} ${id}: ${where.join(", ")}`;
    });
}

/** A page of its own. `started`: not a first visit. */
async function visit(
  scheme: "light" | "dark",
  width: number,
  started: boolean,
): Promise<{ page: Page; close: () => Promise<void> }> {
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height: 900 },
    reducedMotion: "reduce",
    bypassCSP: true,
  });
  if (started) await context.addInitScript(() => localStorage.setItem("reverie.started", "yes"));
  const page = await context.newPage();
  page.on("console", (message) => {
    // The state that is broken on purpose is answered with 500.
    if (message.type() === "error" && !/status of 500/.test(message.text())) complaints.push(`${page.url()} ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`${page.url()} ${String(error)}`));
  return { page, close: () => context.close() };
}

/** Nothing that loads is left on it: what is judged is the screen and not its empty lines. */
async function loaded(page: Page): Promise<void> {
  await page.locator("main").first().waitFor();
  await page.waitForFunction("document.querySelectorAll('.ghosts').length === 0");
}

for (const scheme of SCHEMES)
  for (const width of WIDTHS)
    test(`no serious finding in ${scheme} at ${width} px`, async () => {
      const { page, close } = await visit(scheme, width, true);
      const found: string[] = [];
      for (const route of routes) {
        await page.goto(app.url + route);
        await loaded(page);
        found.push(...(await judge(page, route)));
      }
      await close();
      expect(found).toEqual([]);
    });

for (const scheme of SCHEMES)
  test(`no serious finding in what opens, and in what is empty or broken, in ${scheme}`, async () => {
    const found: string[] = [];
    for (const state of STATES) {
      const { page, close } = await visit(scheme, WIDTHS[0]!, true);
      await page.goto(app.url + state.route);
      await loaded(page);
      await state.open(page);
      found.push(...(await judge(page, state.name)));
      await close();
    }
    expect(found).toEqual([]);
  });

test("no serious finding on the first visit, and on a memory in which nothing is kept yet", async () => {
  // The last of the file: the memory is emptied for it.
  const emptied = await call(app.url, "DELETE", "/api/me", { confirm: "delete everything" });
  expect(emptied.status).toBeLessThan(300);
  const found: string[] = [];
  for (const scheme of SCHEMES)
    for (const width of WIDTHS) {
      const { page, close } = await visit(scheme, width, false);
      await page.goto(app.url);
      await page.getByRole("heading", { name: /^You talk\. It remembers/ }).waitFor();
      found.push(...(await judge(page, `onboarding, ${scheme}, ${width}`)));
      for (const route of ["/vault", "/history", "/dreams", "/forgotten", "/notes", "/about"]) {
        if (scheme === "dark" && width !== WIDTHS[0]) continue;
        await page.goto(app.url + route);
        await loaded(page);
        found.push(...(await judge(page, `${route}, empty, ${scheme}, ${width}`)));
      }
      await close();
    }
  expect(found).toEqual([]);
});

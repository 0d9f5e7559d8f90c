// Every screen in both themes, before axe: no serious and no critical finding. On an invented memory, at desktop and phone width.
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
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
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

for (const scheme of SCHEMES)
  for (const width of WIDTHS)
    test(`no serious finding in ${scheme} at ${width} px`, async () => {
      const context = await browser.newContext({
        colorScheme: scheme,
        viewport: { width, height: 900 },
        reducedMotion: "reduce",
        bypassCSP: true,
      });
      const page = await context.newPage();
      const found: string[] = [];
      for (const route of routes) {
        await page.goto(app.url + route);
        await page.locator("main").waitFor();
        // Nothing that loads is left on it: what is judged is the screen and not its empty lines.
        await page.waitForFunction("document.querySelectorAll('.ghosts').length === 0");
        const start = page.getByRole("button", { name: /^Start talking/ });
        if (await start.isVisible()) await start.click();
        await page.evaluate(AXE);
        const findings = (await page.evaluate("axe.run().then((result) => result.violations)")) as Finding[];
        for (const { id, impact, nodes } of findings)
          if (impact === "serious" || impact === "critical")
            found.push(
              `${route} ${id}: ${nodes
                .map((node) => node.target.join(" "))
                .slice(0, 3)
                .join(", ")}`,
            );
      }
      await context.close();
      expect(found).toEqual([]);
    });

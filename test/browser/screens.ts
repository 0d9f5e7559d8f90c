// Takes a picture of every screen in light, dark and at 390 px, on an invented memory.
// `npm run screens` does it. SCREENS_OUT names the folder (default: docs/screens), SCREENS a pattern of names, SCREENS_PHONE=all takes all on a phone too.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { call } from "../lib/api.ts";
import { startApp } from "../lib/app.ts";
import { openBrowser } from "../lib/chromium.ts";
import { startScriptedModel, type Script } from "../lib/scripted-model.ts";
import { shrinkPng } from "./shrink-png.ts";
import { DREAMT, SAID, seed, type Seeded } from "./screens-memory.ts";

interface Screen {
  name: string;
  path: (seeded: Seeded) => string;
  height?: number;
  /** Which app it is of: one where nothing was started yet, or one where people sign in. Else the one with the invented memory. */
  of?: "first visit" | "sign-in";
  /** What stands there when the screen is ready. */
  ready: (page: Page) => Promise<unknown>;
  then?: (page: Page) => Promise<unknown>;
}

const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor();

const SCREENS: Screen[] = [
  {
    name: "chat",
    path: ({ thread }) => `/t/${thread}`,
    height: 1300,
    ready: text("Noted. Until the new year"),
    then: (page) => page.locator("details.used summary").first().click(),
  },
  {
    name: "vault",
    path: () => "/vault/people/ana",
    height: 1290,
    ready: text("Has a daughter"),
    then: async (page) => {
      await page.locator("details.fold summary").first().click();
      await page.locator("#anaf0004 .marg button").click();
      await page.getByRole("dialog", { name: "Where this line comes from" }).getByText("Used").waitFor();
    },
  },
  { name: "vault-past", path: () => "/vault/people/mara?asOf=2025-06-01", ready: text("What is different today") },
  {
    name: "take-back",
    path: () => "/vault/people/ana",
    ready: text("Has a daughter"),
    then: async (page) => {
      await page.locator("#anaf0002").hover();
      await page
        .locator("#anaf0002")
        .getByRole("button", { name: /^More for/ })
        .click();
      await page.getByRole("menuitem", { name: "Forget…" }).click();
    },
  },
  { name: "import", path: () => "/import", ready: text("Bring in what you have") },
  {
    name: "import-preview",
    path: () => "/import",
    ready: text("Bring in what you have"),
    then: async (page) => {
      await page
        .getByLabel("Facts, one a line")
        .fill(
          "- Sings in the choir on Thursdays\n- Does not eat meat\n- The door code is 4711-Kestrel!9\n- Keeps bees on the roof",
        );
      await page.getByRole("button", { name: "Look at four lines" }).click();
      await page.getByText(/Would be kept/).waitFor();
    },
  },
  {
    name: "graph",
    path: () => "/graph?focus=people/ana.md",
    ready: (page) => page.locator(".contents table").getByText("ana", { exact: true }).waitFor({ state: "attached" }),
    then: (page) => page.locator(".graph .ghosts").waitFor({ state: "detached" }),
  },
  {
    name: "history",
    path: ({ commit }) => `/history/${commit}`,
    height: 1100,
    ready: text("Revert this file"),
    then: async (page) => {
      await page.getByRole("button", { name: "Revert…" }).click();
      await page.getByRole("button", { name: /^Revert (one|two|three)/ }).waitFor();
    },
  },
  { name: "dream-report", path: ({ report }) => `/dreams/${report}`, height: 1100, ready: text("Undo this dream") },
  {
    name: "dream-proposal",
    path: ({ proposal }) => `/dreams/${proposal}`,
    ready: (page) =>
      page
        .getByRole("heading", { name: /waits? for you/ })
        .first()
        .waitFor(),
    then: (page) => page.getByRole("radio", { name: "Accept" }).first().click(),
  },
  { name: "notes", path: () => "/notes", ready: (page) => page.getByLabel("Title").waitFor() },
  {
    name: "about",
    path: () => "/about",
    height: 1100,
    ready: (page) => page.getByRole("heading", { name: "In short" }).waitFor(),
  },
  { name: "forgotten", path: () => "/forgotten", ready: text(/must not come back|Nothing is forgotten|could not be read/) },
  {
    name: "onboarding",
    path: () => "/",
    of: "first visit",
    ready: (page) => page.getByRole("button", { name: /^Start talking/ }).waitFor(),
  },
  {
    name: "sign-in",
    path: () => "/",
    of: "sign-in",
    ready: (page) => page.getByRole("button", { name: "Sign in" }).waitFor(),
  },
  { name: "costs", path: () => "/costs", height: 1060, ready: text("Calls") },
  { name: "settings", path: () => "/settings/memory", height: 1250, ready: text("Remembering") },
  {
    name: "palette",
    path: () => "/vault/people/ana",
    ready: text("Has a daughter"),
    then: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("walnut");
      await page.getByText(/found in/).waitFor();
    },
  },
];

const LOOKS = [
  { suffix: "light", width: 1280, scheme: "light" },
  { suffix: "dark", width: 1280, scheme: "dark" },
  { suffix: "390-light", width: 390, scheme: "light" },
  { suffix: "390-dark", width: 390, scheme: "dark" },
] as const;
const PHONE_HEIGHT = 844;
/** Screens that are shown on a phone, too. */
const PHONE = ["chat", "vault", "history"];

/** A step of a dream: what DREAMT has for the note that it reads, then the end. */
function dreamOf(said: string, messages: { role: string; content: unknown }[]): Script {
  const ref = /note\/[a-z0-9]{8}/.exec(said)?.[0];
  const done = messages[messages.length - 1]?.role === "tool";
  const tools = DREAMT[said.includes("walnut tree behind") ? 0 : 1] ?? [];
  if (!ref || done) return { tools: [{ name: "finish", arguments: { summary: "Done." } }] };
  return { tools: JSON.parse(JSON.stringify(tools).replaceAll("REF", ref)) as typeof tools };
}

/** The model of the pictures: what it says and does stands in screens-memory.ts, by the words of the message. */
function answerTo(request: Record<string, unknown>): Script {
  const messages = request.messages as { role: string; content: unknown }[];
  const usage = { prompt_tokens: 1822, completion_tokens: 141, total_tokens: 1963, cost: 0.0008 };
  const said = JSON.stringify([...messages].reverse().find((message) => message.role === "user")?.content ?? "");
  const dream = String(messages[0]?.content).startsWith("Task: dream") ? dreamOf(said, messages) : null;
  if (dream) return { ...dream, usage };
  const turn = SAID.find((one) => said.includes(one.says.slice(0, 24)));
  if (!turn) return { text: "Nothing in it is to be kept.", usage };
  return turn.does && messages[messages.length - 1]?.role !== "tool"
    ? { tools: [turn.does], usage }
    : { text: turn.answers, usage };
}

/** The pictures of one app. */
async function shoot(url: string, of: Screen["of"], seeded: Seeded | null, out: string, pattern: RegExp): Promise<string[]> {
  const complaints: string[] = [];
  const browser = await openBrowser();
  for (const { suffix, width, scheme } of LOOKS) {
    for (const screen of SCREENS) {
      const name = `${screen.name}-${suffix}`;
      if (!pattern.test(name) || screen.of !== of) continue;
      const phone = width < 500;
      if (phone && !PHONE.includes(screen.name) && process.env.SCREENS_PHONE !== "all") continue;
      const context = await browser.newContext({
        viewport: { width, height: phone ? PHONE_HEIGHT : (screen.height ?? 900) },
        deviceScaleFactor: phone ? 2 : 1.5,
        colorScheme: scheme,
        reducedMotion: "reduce",
        ...(phone ? { isMobile: true, hasTouch: true } : {}),
      });
      const page = await context.newPage();
      page.on("console", (message) => message.type() === "error" && complaints.push(`${name}: ${message.text()}`));
      page.on("pageerror", (error) => complaints.push(`${name}: ${error.message}`));
      if (of !== "first visit") await page.addInitScript(() => localStorage.setItem("reverie.started", "yes"));
      await page.goto(url + (seeded ? screen.path(seeded) : "/"));
      try {
        await screen.ready(page);
        await screen.then?.(page);
        await page.evaluate("document.fonts.ready");
      } catch (error) {
        complaints.push(`${name}: ${String(error).split("\n")[0]}`);
      }
      writeFileSync(join(out, `${name}.png`), shrinkPng(await page.screenshot()));
      await context.close();
    }
  }
  await browser.close();
  return complaints;
}

/** Takes all pictures; prints what the browser complained about. */
export async function takeScreens(): Promise<void> {
  const out = process.env.SCREENS_OUT ?? "docs/screens";
  const pattern = new RegExp(process.env.SCREENS ?? ".");
  mkdirSync(out, { recursive: true });
  const model = await startScriptedModel();
  model.otherwise = answerTo;
  const app = await startApp({
    env: { OPENAI_BASE_URL: `${model.url}`, OPENAI_API_KEY: "none", CHAT_MODEL: "gpt-oss-120b", DREAM_MODEL: "gpt-oss-20b" },
  });
  const hosted = await startApp({ env: { AUTH_SECRET: "a secret of thirty-two characters!", SIGN_UP: "open" } });
  try {
    const complaints = await shoot(app.url, "first visit", null, out, pattern);
    // Passkeys know names, not numbers.
    complaints.push(...(await shoot(hosted.url.replace("127.0.0.1", "localhost"), "sign-in", null, out, pattern)));
    const seeded = await seed(app.url, (method, path, body, headers) => call(app.url, method, path, body, headers));
    complaints.push(...(await shoot(app.url, undefined, seeded, out, pattern)));
    console.log(
      complaints.length === 0
        ? `The pictures stand in ${out}; the browser had nothing to complain about.`
        : complaints.join("\n"),
    );
  } finally {
    await Promise.all([app.stop(), hosted.stop()]);
    await model.stop();
  }
}

await takeScreens();

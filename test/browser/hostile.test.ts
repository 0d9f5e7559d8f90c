// Words that would be markup, in every place that shows words: nothing runs, nothing opens, nothing is asked of another host.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { CommitView, EntryView, Page as List } from "../../src/shared/protocol.ts";
import { call } from "../lib/api.ts";
import { startApp, type App } from "../lib/app.ts";
import { openBrowser } from "../lib/chromium.ts";
import { startScriptedModel, type ScriptedModel } from "../lib/scripted-model.ts";
import { ELSEWHERE, FETCHES, numbered, SCRIPTS } from "./hostile-texts.ts";
import { tabsOf, type Tab } from "./tab.ts";

let app: App;
let browser: Browser;
let model: ScriptedModel;
let thread: string;
let pushed: string[];
const { open, done } = tabsOf(
  () => browser,
  () => app.url,
);
const TEXTS = numbered([...SCRIPTS, ...FETCHES]);

/** What a name of a file may hold of such a text: the path rules leave no `<>:"|?*\`. */
const NAMES = [
  "a' onmouseover='window.__ran=[1]",
  "javascript&colon;window.__ran=[2]",
  "&lt;img src=x onerror=window.__ran=[3]&gt;",
  "](javascript&#58;window.__ran=[4])",
  "{{constructor.constructor('window.__ran=[5]')()}}",
  "`;window.__ran=[6];`",
];

const SOURCES = [
  `https://${ELSEWHERE}/plain`,
  `https://${ELSEWHERE}/"onmouseover="window.__ran=8"`,
  `https://${ELSEWHERE}/'autofocus/onfocus='window.__ran=9'`,
  `https://${ELSEWHERE}/<img/src=x/onerror=window.__ran=10>`,
  `https://${ELSEWHERE}/"><svg/onload=window.__ran=11>`,
  `javascript://${ELSEWHERE}/%0Awindow.__ran=12`,
  "data:text/html,<script>window.__ran=13</script>",
  "agent/<img src=x onerror=window.__ran=14>",
  "vault:javascript:window.__ran=15",
];
const cited: number[] = [];

/** What would be there if a text had been taken for markup. */
const AUDIT = `(() => {
  const found = [];
  for (const element of document.body.querySelectorAll("*")) {
    if (/^(script|iframe|object|embed|base|meta|link|style|form|template|noscript|marquee|math|foreignobject|animate)$/i.test(element.tagName) && element.closest("main, [role=dialog], [role=listbox], .contents"))
      if (!(element.tagName === "FORM" && !element.hasAttribute("action"))) found.push(element.tagName);
    for (const { name, value } of element.attributes) {
      if (/^on/i.test(name)) found.push(element.tagName + " " + name);
      if (/^(href|src|action|formaction|xlink:href|data|poster|srcset)$/i.test(name) && !/^(https?:|mailto:|\\/(?!\\/)|#)/i.test(value.trim())) found.push(element.tagName + " " + name + "=" + value.slice(0, 60));
    }
    if (element.tagName === "IMG") found.push("IMG " + element.getAttribute("src"));
    if (/url\\(\\s*["']?(https?:)?\\/\\//i.test(element.getAttribute("style") ?? "")) found.push("style url");
  }
  if (window.__ran) found.push("ran " + window.__ran);
  return found;
})()`;

async function clean(tab: Tab, what: string): Promise<void> {
  expect(await tab.page.evaluate(AUDIT), what).toEqual([]);
  expect(tab.strangers, what).toEqual([]);
}

const shows = (page: Page, n: number) =>
  page
    .getByText(new RegExp(`Quoth${n}(?!\\d)`))
    .first()
    .waitFor();
const git = (folder: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", ...args], {
    cwd: folder,
    stdio: "pipe",
  });

beforeAll(async () => {
  model = await startScriptedModel();
  app = await startApp({
    env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "none", CHAT_MODEL: "scripted", DREAM_MODEL: "scripted" },
  });
  browser = await openBrowser();
  const put = async (path: string, text: string) => {
    const answer = await fetch(`${app.url}/api/memory/files/${path.split("/").map(encodeURIComponent).join("/")}`, {
      method: "PUT",
      headers: { "if-none-match": "*", "content-type": "text/markdown" },
      body: text,
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  const lines = TEXTS.map((text) => `- ${text}\n`).join("");
  await put("MEMORY.md", `# Memory\n\n${lines}`);
  await put("prose.md", `# Prose\n\n${TEXTS.join("\n\n")}\n\n## ${TEXTS[2]}\n\n- A line under it\n`);
  // Sources as another hand may write them: the gate knows few kinds, and lets only addresses of the web through.
  for (const [at, source] of SOURCES.entries()) {
    const answer = await fetch(`${app.url}/api/memory/files/sources-${at}.md`, {
      method: "PUT",
      headers: { "if-none-match": "*", "content-type": "text/markdown" },
      body: `# Source ${at}\n\n- Learned somewhere ${at} [source: ${source}]\n`,
    });
    if (answer.ok) cited.push(at);
    else expect(answer.status, source).toBe(400);
  }
  await put("note-cited.md", "# Cited\n\n- Taken from there [source: note/zzzzzzzz]\n");
  await call(app.url, "POST", "/api/notes", { title: TEXTS[0], text: TEXTS.join("\n\n") });
  // One conversation says all of it, and the model says all of it back.
  model.push({ text: TEXTS.join("\n\n") });
  thread = (await call<{ thread: string }>(app.url, "POST", "/api/chat", { message: TEXTS.join("\n") })).body.thread;
  // By git: names of files, titles of pages (the labels of the graph), messages of commits, another person's name.
  const folder = mkdtempSync(join(tmpdir(), "reverie-hostile-"));
  git(folder, "clone", "-q", `${app.url}/git/memory.git`, "m");
  const clone = join(folder, "m");
  NAMES.forEach((name, at) =>
    writeFileSync(join(clone, `${name}.md`), `# ${TEXTS[at * 9]}\n\n- Named oddly ${at}, see [[prose]]\n`),
  );
  git(clone, "add", "-A");
  git(clone, "commit", "-q", "-m", TEXTS[2]!);
  for (const at of SCRIPTS.keys()) {
    if (at % 6 !== 0) continue;
    writeFileSync(join(clone, "log.md"), `# Log\n\n- Entry ${at}\n`);
    git(clone, "add", "-A");
    execFileSync(
      "git",
      [
        "-c",
        `user.name=${TEXTS[at]!.replace(/[<>\n]/g, "")}`,
        "-c",
        "user.email=s@example.org",
        "commit",
        "-q",
        "-m",
        TEXTS[at]!,
      ],
      { cwd: clone, stdio: "pipe" },
    );
  }
  git(clone, "push", "-q", "origin", "HEAD:main");
  rmSync(folder, { recursive: true, force: true });
  pushed = (await call<List<CommitView>>(app.url, "GET", "/api/history?kind=push&limit=50")).body.items.map(
    (commit) => commit.commit,
  );
  const { items } = (await call<List<EntryView>>(app.url, "GET", "/api/entries?path=MEMORY.md&limit=200")).body;
  for (const entry of items.slice(0, 4)) await call(app.url, "POST", "/api/forget", { id: entry.id });
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
  await model?.stop();
});
afterEach(done);

test(`${SCRIPTS.length} scripts and ${FETCHES.length} fetches stay words in every view`, async () => {
  expect(SCRIPTS).toHaveLength(60);
  // Without the app's own policy, so that what the policy would have stopped is seen, too.
  const tab = await open({ bare: true, height: 1_200 });
  const { page, go } = tab;
  await go(`/t/${thread}`);
  await page
    .getByRole("article", { name: /^Reverie, / })
    .getByText(/Quoth73/)
    .waitFor();
  await page.getByRole("button", { name: "Show all of it" }).click();
  await clean(tab, "chat");

  await go("/vault/MEMORY");
  await shows(page, 30);
  await clean(tab, "lines of the vault");
  await page.getByRole("button", { name: "Markdown", exact: true }).click();
  await page.locator("pre.raw").waitFor();
  await clean(tab, "Markdown of the vault");
  await go("/vault/prose");
  await shows(page, 59);
  await clean(tab, "prose, backlinks and links of the vault");

  expect(cited).toEqual([0, 1, 2, 3, 4]);
  for (const at of cited) {
    await go(`/vault/sources-${at}`);
    await page.locator("li.entry").locator(".marg button").first().click();
    await page.getByRole("dialog", { name: "Where this line comes from" }).getByText("Used").waitFor();
    await clean(tab, `source ${at} and its popover`);
    await page.keyboard.press("Escape");
  }

  await go("/history");
  await page
    .getByText(/Quoth2(?!\d)/)
    .first()
    .waitFor();
  await clean(tab, "list of the history");
  for (const commit of pushed) {
    await go(`/history/${commit}`);
    await page.locator("h1").waitFor();
    await clean(tab, "message of a commit");
  }
  const first = (await call<List<CommitView>>(app.url, "GET", "/api/history?path=MEMORY.md&limit=50")).body.items.at(-1)!;
  await go(`/history/${first.commit}`);
  await shows(page, 20);
  await clean(tab, "diff by entry");
  await page.getByRole("button", { name: "By line" }).click();
  await page.locator(".lines, .diff").first().waitFor();
  await clean(tab, "diff by line");

  await go("/vault");
  for (const word of ["Quoth41", "Quoth57", "onmouseover", "javascript"]) {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill(word);
    await page.getByText(/found in/).waitFor();
    await clean(tab, `search for ${word}`);
    await page.keyboard.press("Escape");
    await page.getByRole("combobox").waitFor({ state: "detached" });
  }

  await go("/graph");
  await page.locator(".graph .ghosts").waitFor({ state: "detached" });
  await page.locator(".contents table tbody tr").first().waitFor({ state: "attached" });
  await clean(tab, "graph and its list");
  await go("/about");
  await shows(page, 40);
  await clean(tab, "about");
  await go("/notes");
  await page.getByLabel("Title").waitFor();
  await clean(tab, "note");
  await page
    .getByRole("button", { name: "Preview" })
    .or(page.getByRole("button", { name: "Read" }))
    .first()
    .click();
  await shows(page, 50);
  await clean(tab, "preview of a note");
  await go("/forgotten");
  const show = page.getByRole("button", { name: "Show me" });
  await show.first().waitFor();
  while ((await show.count()) > 0) await show.first().click();
  await page.locator("li.tomb .line.shown").first().waitFor();
  await clean(tab, "forgotten");
  for (const name of NAMES) {
    await go(`/vault/${encodeURIComponent(name)}`);
    await page.getByText("Named oddly").first().waitFor();
    await clean(tab, `the file “${name}”`);
  }
});

test("a picture from elsewhere is fetched by a click and by nothing else", async () => {
  const tab = await open({ bare: true });
  const { page, go, strangers } = tab;
  await page.route(`**://${ELSEWHERE}/**`, (route) =>
    route.fulfill({ status: 200, contentType: "image/gif", body: Buffer.from("R0lGODlhAQABAAAAACw=", "base64") }),
  );
  await go("/vault/prose");
  const load = page.getByRole("button", { name: `a picture from ${ELSEWHERE}: load it` }).first();
  await load.waitFor();
  for (const link of await page.locator("main a[href^='http']").all()) await link.hover();
  expect(strangers).toEqual([]);
  const asked = page.waitForRequest(`**://${ELSEWHERE}/**`);
  await load.click();
  expect((await asked).headers().referer).toBeUndefined();
  expect(strangers).toHaveLength(1);
  strangers.length = 0;
});

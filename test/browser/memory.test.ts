// The vault and what leads into it, on the built app: edit and clash, files, forgetting, revert, both clocks, palette, keyboard alone.
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { CommitView, EntryView, Page as List } from "../../src/shared/protocol.ts";
import { call } from "../lib/api.ts";
import { startApp, type App } from "../lib/app.ts";
import { openBrowser } from "../lib/chromium.ts";
import { tabsOf, toast } from "./tab.ts";

let app: App;
let browser: Browser;
const { open, done } = tabsOf(
  () => browser,
  () => app.url,
);

const entries = async (query = "state=all&limit=200") =>
  (await call<List<EntryView>>(app.url, "GET", `/api/entries?${query}`)).body.items;
const fileUrl = (path: string) => `/api/memory/files/${path.split("/").map(encodeURIComponent).join("/")}`;
const read = async (path: string) => String((await call<string>(app.url, "GET", fileUrl(path))).body);
const commits = async (query = "") => (await call<List<CommitView>>(app.url, "GET", `/api/history?${query}`)).body.items;

async function write(path: string, text: string): Promise<void> {
  const standing = await fetch(`${app.url}${fileUrl(path)}`);
  const etag = standing.headers.get("etag");
  const answer = await fetch(`${app.url}${fileUrl(path)}`, {
    method: "PUT",
    headers: { "content-type": "text/markdown", ...(standing.ok && etag ? { "if-match": etag } : { "if-none-match": "*" }) },
    body: text,
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

/** The row of a line on the page of its file. */
const row = (page: Page, words: string) => page.locator("li.entry[data-line]", { hasText: words });

/** Opens the menu of a line and chooses from it. */
async function choose(page: Page, words: string, item: string): Promise<void> {
  await row(page, words).hover();
  await row(page, words)
    .getByRole("button", { name: /^More for the line/ })
    .click();
  await page.getByRole("menuitem", { name: item }).click();
}

async function choosePage(page: Page, item: string): Promise<void> {
  await page.getByRole("button", { name: "More for this page" }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

beforeAll(async () => {
  app = await startApp();
  browser = await openBrowser();
  // Said on three days: the clocks have something to tell apart.
  for (const [message, at] of [
    ["I live in Lyon.", "2026-03-02T12:00:00Z"],
    ["My sister Ana is a nurse.", "2026-06-01T12:00:00Z"],
    ["I moved to Ghent.", "2026-09-14T12:00:00Z"],
  ] as const)
    await call(app.url, "POST", "/api/chat", { message, at, tz: "Europe/Brussels" });
  await write(
    "people/tomas.md",
    "# Tomas\n\n- Keeps bees behind the house [id: toma0001]\n- Repairs accordions [id: toma0002]\n- Was born in Évora [id: toma0003]\n",
  );
  await write("garden.md", "# Garden\n\n- The hives belong to [[people/tomas|Tomas]] [id: gard0001]\n");
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});
afterEach(done);

test("a line that somebody else changed meanwhile shows both hands, and nothing is written before a choice", async () => {
  const { page, go } = await open();
  await go("/vault/people/tomas");
  await choose(page, "Keeps bees", "Edit");
  const field = page.getByRole("textbox", { name: "The line" });
  await field.fill("Keeps bees and goats behind the house");
  await write(
    "people/tomas.md",
    (await read("people/tomas.md")).replace("Keeps bees behind the house", "Keeps bees behind the old mill"),
  );
  await field.press("Enter");
  const clash = page.getByRole("group", { name: "Changed in the meantime" });
  await clash.waitFor();
  for (const whose of ["yours", "theirs", "both"]) await clash.getByText(whose, { exact: true }).waitFor();
  expect(await clash.locator("ins", { hasText: "old mill" }).count()).toBeGreaterThan(0);
  expect(await read("people/tomas.md")).not.toContain("goats");
  await clash.getByRole("button", { name: "Keep both" }).click();
  await toast(page, /^Changed in people\/tomas/).waitFor();
  expect(await read("people/tomas.md")).toContain("- Keeps bees and goats behind the old mill [id: toma0001");
});

test("a whole file that was changed meanwhile is shown from both sides; keeping mine is a choice", async () => {
  const { page, go, allow } = await open();
  allow(/409 \(Conflict\)/);
  await go("/vault/people/tomas");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const field = page.getByRole("textbox", { name: "people/tomas, Markdown" });
  await field.fill((await field.inputValue()).replace("Repairs accordions", "Repairs accordions and organs"));
  await write(
    "people/tomas.md",
    (await read("people/tomas.md")).replace("Repairs accordions", "Repairs old accordions for a living"),
  );
  await page.getByRole("button", { name: "Save the file" }).click();
  await page.getByText("Not saved: the file changed while you wrote.").waitFor();
  await page.getByRole("heading", { name: "Theirs" }).waitFor();
  expect(await read("people/tomas.md")).toContain("for a living");
  await page.getByRole("button", { name: "Keep mine" }).click();
  await toast(page, "people/tomas is saved.").waitFor();
  expect(await read("people/tomas.md")).toContain("- Repairs accordions and organs [id: toma0002");
});

test("what the gate refuses is said in a sentence beside the line, and the words stay in the field", async () => {
  const { page, go, allow } = await open();
  allow(/422 \(Unprocessable/);
  await go("/vault/people/tomas");
  await choose(page, "Was born", "Edit");
  const field = page.getByRole("textbox", { name: "The line" });
  const secret = "His key is AKIAIOSFODNN7EXAMPLQ for the bucket";
  await field.fill(secret);
  await field.press("Enter");
  const why = page.getByRole("alert").filter({ hasText: "Not saved." });
  await why.waitFor();
  expect(await why.innerText()).not.toMatch(/[{}]|AKIA|422/);
  expect(await field.inputValue()).toBe(secret);
  await field.press("Escape");
  await row(page, "Was born in Évora").waitFor();
  expect(await read("people/tomas.md")).not.toContain("AKIA");
});

test("a file is created with its first line, renamed with its links following, and the rename is taken back", async () => {
  const { page, go } = await open();
  await go("/vault/people/tomas");
  await page.getByRole("button", { name: "New file" }).click();
  const sheet = page.getByRole("dialog", { name: "A new file" });
  await sheet.getByLabel("Its name, with its folder").fill("people/wil:ma");
  await sheet.locator(".over").waitFor();
  await sheet.getByLabel("Its name, with its folder").fill("people/wilma");
  await sheet.getByRole("button", { name: "Write its first line" }).click();
  await page.getByRole("textbox", { name: "A new line" }).fill("Married to [[people/tomas]]");
  await page.keyboard.press("Enter");
  await row(page, "Married to").waitFor();
  expect(await read("people/wilma.md")).toContain("- Married to [[people/tomas]]");

  await go("/vault/people/tomas");
  await choosePage(page, "Rename the file…");
  const rename = page.getByRole("dialog", { name: "Rename people/tomas" });
  await rename.getByLabel("Its name, with its folder").fill("people/wilma");
  await rename.getByText("A file of this name is there already.").waitFor();
  await rename.getByLabel("Its name, with its folder").fill("family/tomás");
  await rename.getByRole("button", { name: "Rename the file" }).click();
  await page.waitForURL(/\/vault\/family\/tom%C3%A1s$/);
  await row(page, "Keeps bees").waitFor();
  await page.getByRole("heading", { name: "Mentioned in" }).waitFor();
  expect(await read("garden.md")).toContain("[[family/tomás|Tomas]]");
  expect(await read("people/wilma.md")).toContain("[[family/tomás]]");
  await toast(page, "is now").getByRole("button", { name: "Undo" }).click();
  await page.waitForURL(/\/vault\/people\/tomas$/);
  await row(page, "Keeps bees").waitFor();
  expect(await read("garden.md")).toContain("[[people/tomas|Tomas]]");
});

test("a line is moved, a file is removed, and both come back by Undo", async () => {
  const { page, go } = await open();
  await go("/vault/people/tomas");
  await choose(page, "Was born", "Move to…");
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel("Move to the file").fill("garden");
  await sheet.getByRole("button", { name: "Move the line" }).click();
  await toast(page, "Moved to garden.").waitFor();
  expect(await read("garden.md")).toContain("Was born in Évora");
  await toast(page, "Moved to garden.").getByRole("button", { name: "Undo" }).click();
  await row(page, "Was born in Évora").waitFor();
  expect(await read("garden.md")).not.toContain("Évora");

  const before = await read("people/tomas.md");
  await choosePage(page, "Remove the file…");
  await page.getByRole("dialog", { name: "Remove people/tomas" }).getByRole("button", { name: "Remove the file" }).click();
  await toast(page, "people/tomas is gone.").waitFor();
  expect((await call(app.url, "GET", fileUrl("people/tomas.md"))).status).toBe(404);
  await toast(page, "people/tomas is gone.").getByRole("button", { name: "Undo" }).click();
  await page.waitForURL(/\/vault\/people\/tomas$/);
  await row(page, "Was born in Évora").waitFor();
  expect(await read("people/tomas.md")).toBe(before);
});

test("a link that leads nowhere offers to write its page", async () => {
  const { page, go } = await open();
  await write("garden.md", `${await read("garden.md")}- The pears are for [[people/olga]]\n`);
  await go("/vault/garden");
  await page.getByRole("link", { name: "olga, no page yet" }).click();
  await page.waitForURL(/\/vault\/people\/olga\?new=1$/);
  await page.getByRole("textbox", { name: "A new line" }).fill("Olga has the pear trees");
  await page.keyboard.press("Enter");
  await row(page, "Olga has the pear trees").waitFor();
  await page.waitForURL(/\/vault\/people\/olga$/);
  await go("/vault/garden");
  await page.locator("li.entry").getByRole("link", { name: "olga", exact: true }).waitFor();
});

test("what is forgotten leaves every screen, stands hidden under Forgotten, and comes back only when it is lifted", async () => {
  const { page, go, allow } = await open();
  await go("/vault/people/tomas");
  await choose(page, "Repairs", "Forget…");
  const sheet = page.getByRole("dialog");
  await sheet.getByText("Old commits still hold it.").waitFor();
  await sheet.getByRole("button", { name: "Forget it" }).click();
  await toast(page, /^Forgotten\./).waitFor();
  await expect.poll(() => row(page, "accordions").count()).toBe(0);
  expect(await entries("q=accordions")).toEqual([]);

  allow(/422 \(Unprocessable/);
  await page.getByRole("button", { name: "Write a line" }).click();
  await page.getByRole("textbox", { name: "A new line" }).fill("Repairs accordions and organs");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "Not saved." }).waitFor();

  await go("/forgotten");
  const tomb = page.locator("li.tomb").first();
  await tomb.getByText("a forgotten line, hidden").waitFor({ state: "attached" });
  expect(await page.locator("main").innerText()).not.toContain("accordions");
  await tomb.getByRole("button", { name: "Show me" }).click();
  await tomb.getByText(/Repairs .*accordions/).waitFor();
  await tomb.getByRole("button", { name: "Remember it again" }).click();
  await toast(page, "It may be remembered again.").waitFor();
  await go("/vault/people/tomas");
  await page.getByRole("button", { name: "Write a line" }).click();
  await page.getByRole("textbox", { name: "A new line" }).fill("Repairs accordions and organs");
  await page.keyboard.press("Enter");
  await row(page, "Repairs accordions and organs").waitFor();
});

test("a commit is taken back after a preview that says what goes, what stays, and why", async () => {
  const { page, go } = await open();
  await write(
    "trips.md",
    "# Trips\n\n- To Oslo in May [id: trip0001]\n- To Bari in June [id: trip0002]\n- To Cork in July [id: trip0003]\n",
  );
  const [commit] = await commits("path=trips.md");
  await write("trips.md", (await read("trips.md")).replace("To Bari in June", "To Bari in August"));
  await go(`/history/${commit!.commit}`);
  await page.getByRole("button", { name: "Revert…" }).click();
  const preview = page.getByRole("region", { name: "Revert, preview" });
  await preview.getByText(/^Two lines go back/).waitFor();
  await preview.getByText(/One stays/).waitFor();
  expect(await read("trips.md")).toContain("Oslo");
  await preview.getByRole("button", { name: "Revert two lines" }).click();
  await toast(page, "Two lines are as before.").waitFor();
  await expect.poll(() => read("trips.md")).not.toContain("Oslo");
  expect(await read("trips.md")).toContain("To Bari in August");
});

test("the date bar reads what was true then and what was known by then, and nothing can be changed there", async () => {
  const { page, go } = await open();
  const home = (await entries("slot=home&state=all")).find((entry) => /Lyon/.test(entry.text))!;
  const where = `/vault/${home.path.replace(/\.md$/, "")}`;
  await go(where);
  await row(page, "Ghent").waitFor();
  const bar = page.getByRole("region", { name: "Date of reading" });
  await bar.getByRole("button", { name: "today" }).first().click();
  await page.getByLabel("True on", { exact: true }).last().fill("2026-07");
  await page.getByRole("button", { name: "Read that day" }).click();
  await page.waitForURL(/asOf=2026-07-01/);
  await row(page, "Lyon").waitFor();
  expect(await page.evaluate("document.body.dataset.when")).toBe("past");
  expect(await page.getByRole("button", { name: "Write a line" }).count()).toBe(0);
  await page.getByText("What is different today").waitFor();
  await bar.getByRole("button", { name: "Back to today" }).click();
  await row(page, "Ghent").waitFor();
  expect(await page.evaluate("document.body.dataset.when ?? ''")).toBe("");

  // System time: in April nobody had heard of Ana's work or of Ghent.
  await page.goto(`${app.url}${where}?knownAt=2026-04-01`);
  await row(page, "Lyon").waitFor();
  expect(await page.locator("li.entry", { hasText: "Ghent" }).count()).toBe(0);
  await page.goto(`${app.url}/vault/people/ana?knownAt=2026-04-01`);
  await page.getByText("ana was not kept yet.").waitFor();
  await page.goBack();
  await row(page, "Lyon").waitFor();
  // Arrows move the handle by days.
  await page.goto(`${app.url}${where}`);
  const handle = page.getByRole("slider", { name: "Known by" });
  await handle.focus();
  await handle.press("PageDown");
  await page.waitForURL(/knownAt=\d{4}-\d{2}-\d{2}/);
});

test("the palette finds a line with its words marked, opens it, and does what it is told", async () => {
  const { page, go } = await open();
  await go("/");
  await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe("Message");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("bees");
  const hit = page.getByRole("option", { name: /Keeps bees/ });
  await hit.locator("b, mark, em").getByText("bees").waitFor();
  await page.getByText(/found in/).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/vault\/people\/tomas#toma0001$/);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("dark");
  await page.getByRole("option", { name: "Dark", exact: true }).click();
  expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("nothing at all like this");
  await page.getByText(/^0 found/).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("combobox").count()).toBe(0);
});

test("everything goes by keyboard: a fact, the vault, an edit, the keys, Undo", async () => {
  const { page, go } = await open();
  const active = (what: string) => page.evaluate(`document.activeElement?.${what} ?? ""`) as Promise<string>;
  await go("/");
  await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe("Message");
  await page.keyboard.type("My brother Emil builds kayaks.");
  await page.keyboard.press("Enter");
  await page
    .getByRole("group", { name: /^Remembered in / })
    .first()
    .waitFor();
  const [emil] = await entries("q=kayaks");
  // From a field only keys with a modifier lead away.
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.type("kayaks");
  await page
    .getByRole("option", { name: /kayaks/ })
    .first()
    .waitFor();
  await page.getByText(/found in/).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(new RegExp(`/vault/.*#${emil!.id}`));
  await row(page, "kayaks").waitFor();
  await page.keyboard.press("j");
  await expect.poll(() => active("dataset.line !== undefined")).toBe(true);
  while (!(await active("innerText")).includes("kayaks")) await page.keyboard.press("j");
  // The line that has the focus is underlined.
  const mark = "getComputedStyle(document.activeElement.querySelector('.line > span')).backgroundImage";
  expect(await page.evaluate(mark)).toContain("gradient");
  await page.keyboard.press("Enter");
  await expect.poll(() => active("getAttribute('aria-label')")).toBe("The line");
  await page.keyboard.press("End");
  await page.keyboard.type(" and canoes");
  await page.keyboard.press("Enter");
  await toast(page, /^Changed in/).waitFor();
  expect((await entries("q=canoes"))[0]?.id).toBe(emil!.id);
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keys" });
  await sheet.getByText("Take the last change of the memory back").waitFor();
  await sheet.getByText("Find anything").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => sheet.count()).toBe(0);
  await page.keyboard.press("Control+z");
  await toast(page, "Taken back.").waitFor();
  expect(await entries("q=canoes")).toEqual([]);
  // Places by two keys, the tree by arrows, a menu by Enter.
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await page.waitForURL(/\/history/);
  await page.keyboard.press("g");
  await page.keyboard.press("v");
  await page.waitForURL(/\/vault/);
  await page.getByRole("tree").waitFor();
  for (let at = 0; at < 60 && (await active("getAttribute('role')")) !== "treeitem"; at += 1) await page.keyboard.press("Tab");
  expect(await active("getAttribute('role')")).toBe("treeitem");
  await page.keyboard.press("Home");
  while (!(await active("innerText")).startsWith("garden")) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/vault\/garden$/);
});

// The deletion protocol on the built app: say, forget, ask on every way, say it again by the assistant, dream, revert, restart, clone. Then erase, and look at every byte.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { all, call } from "../lib/api.ts";
import { startApp, type App } from "../lib/app.ts";
import { startScriptedModel, type ScriptedModel } from "../lib/scripted-model.ts";

const FACT = "Keeps a quokka called Zanzibar";
const SAID = "I keep a quokka called Zanzibar.";
const CANARY = /quokka|zanzibar/i;

const data = mkdtempSync(join(tmpdir(), "reverie-forget-"));
const clones = mkdtempSync(join(tmpdir(), "reverie-clones-"));
let model: ScriptedModel;
let app: App;
const env = (): Record<string, string> => ({
  OPENAI_BASE_URL: model.url,
  OPENAI_API_KEY: "test",
  CHAT_MODEL: "scripted",
  DREAM_MODEL: "scripted",
});

beforeAll(async () => {
  model = await startScriptedModel();
  app = await startApp({ data, env: env() });
});
afterAll(async () => {
  await app.stop();
  await model.stop();
  rmSync(data, { recursive: true, force: true });
  rmSync(clones, { recursive: true, force: true });
});

const post = async (path: string, body: object = {}) => call<any>(app.url, "POST", path, body);
const get = async (path: string) => (await call<any>(app.url, "GET", path)).body;
const say = async (message: string, thread?: string) =>
  (await post("/api/chat", { message, ...(thread ? { thread } : {}) })).body;

async function clone(name: string): Promise<string> {
  const folder = join(clones, name);
  execFileSync("git", ["clone", "-q", `${app.url}/git/memory.git`, folder], { stdio: "pipe" });
  return folder;
}
const git = (folder: string, ...args: string[]) =>
  execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", stdio: "pipe", maxBuffer: 256 * 1024 * 1024 });
const objectsOf = (folder: string) =>
  execFileSync("git", ["-C", folder, "cat-file", "--batch-all-objects", "--batch"], { maxBuffer: 256 * 1024 * 1024 }).toString(
    "latin1",
  );

/** What the API shows on every way, as one text. */
async function shown(): Promise<string> {
  const paths = [
    "/api/entries?state=all&limit=200",
    "/api/search?q=quokka&in=entries",
    "/api/search?q=zanzibar%20quokka&in=conversations",
    "/api/search?q=quokka&in=notes",
    "/api/graph",
    "/api/threads?limit=200",
    "/api/notes",
    "/api/dreams",
    "/api/history?limit=200",
    "/api/settings",
    "/api/costs/calls?limit=200",
  ];
  const parts = await Promise.all(paths.map(get));
  for (const { path } of (await get("/api/memory")).files) parts.push(await get(`/api/memory/files/${path}`));
  for (const { id } of parts[5].items) parts.push(await get(`/api/threads/${id}`));
  for (const { id } of parts[7].items) parts.push(await get(`/api/dreams/${id}`));
  for (const { commit } of parts[8].items) parts.push(await get(`/api/history/${commit}`));
  return JSON.stringify(parts);
}

/** Hits in every file of the data folder, also inside what is deflated. */
function rawHits(): string[] {
  const hits: string[] = [];
  const walk = (folder: string): void => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) {
        walk(path);
        continue;
      }
      const bytes = readFileSync(path);
      const look = (part: Buffer, what: string) => {
        const found = CANARY.exec(part.toString("latin1"));
        if (found)
          hits.push(
            `${name}: ${what}: ${part
              .toString("latin1")
              .slice(Math.max(0, found.index - 60), found.index + 40)
              .replace(/[^\x20-\x7e]/g, ".")}`,
          );
      };
      look(bytes, "plain");
      for (let at = bytes.indexOf(0x78); at >= 0; at = bytes.indexOf(0x78, at + 1)) {
        if (bytes[at + 1] !== 0x9c) continue;
        try {
          look(inflateSync(bytes.subarray(at, at + 65_536), { finishFlush: 2 }), "deflated");
        } catch {
          // Two bytes that only look like the beginning of a stream.
        }
      }
    }
  };
  walk(data);
  return hits;
}

test("a forgotten fact stays forgotten on every way, and an erased one stands in no byte", async () => {
  // Said, with other things around it, in a conversation and in a note.
  model.push({ tools: [{ name: "remember", arguments: { text: FACT } }] }, { text: "Noted: you keep a quokka called Zanzibar." });
  const { thread } = await say(SAID);
  model.push({ tools: [{ name: "remember", arguments: { text: "Sails at weekends" } }] }, { text: "Noted." });
  await say("I sail at weekends.", thread);
  await post("/api/notes", { title: "Pets", text: "I keep a quokka called Zanzibar. The boat needs paint." });
  const [entry] = (await all<{ id: string; text: string }>(app.url, "/api/entries?state=all")).filter(
    ({ text }) => text === FACT,
  );
  const old = await clone("old");
  expect(git(old, "grep", "-i", "quokka", "HEAD")).toContain("quokka");
  model.push({ text: "You keep a quokka called Zanzibar." });
  await say("What pet do I have?", thread);

  // Forgotten, by typed words in the same conversation.
  model.push({ tools: [{ name: "forget", arguments: { id: entry!.id } }] }, { text: "I have forgotten your quokka Zanzibar." });
  const told = await say("Forget that I keep a quokka called Zanzibar.", thread);
  expect(told.reply).not.toMatch(CANARY);
  expect(await shown()).not.toMatch(CANARY);
  const [stone] = (await get("/api/forgotten")).items;
  expect(stone.text).toBe(FACT);

  // Asked in chat: the prompt does not hold it, and neither does the answer, even where the model says it.
  model.push({ text: "Of course: you keep a quokka called Zanzibar." });
  const asked = await say("What do you know about me?");
  expect(JSON.stringify(model.requests.at(-1))).not.toMatch(CANARY);
  expect(asked.reply).not.toMatch(CANARY);

  // Brought back by the assistant, by the API, by a file, by a note and its dream, by revert and by an old clone.
  model.push({ tools: [{ name: "remember", arguments: { text: FACT } }] }, { text: "Saved." });
  const again = await say("You wrote that I keep a quokka called Zanzibar. Was that from memory?");
  expect(again.actions[0].outcome).toMatchObject({ ok: false });
  const memory = await get("/api/memory");
  for (const text of [
    FACT,
    FACT.toUpperCase(),
    "A quokka, called Zanzibar, he keeps",
    "Ｋｅｅｐｓ a quokka called Zanzibar",
    "Keeps a quokka called Zanzibar in the garden",
  ]) {
    const refused = await post("/api/entries", { text, path: "pets.md" });
    expect(refused.body.error, text).toMatchObject({ code: "forgotten" });
    expect(refused.body.error.message).toMatch(
      /^You asked to forget this on \d{1,2} \w+\. It stays out until you say otherwise\.$/,
    );
  }
  const put = await fetch(`${app.url}/api/memory/files/MEMORY.md`, {
    method: "PUT",
    headers: { "If-Match": memory.head },
    body: `# Memory\n\n- ${FACT}\n`,
  });
  expect(put.status).toBe(422);
  const prose = await fetch(`${app.url}/api/memory/files/other.md`, {
    method: "PUT",
    headers: { "If-None-Match": "*" },
    body: `# Other\n\nIt is said that he keeps a quokka called Zanzibar.\n`,
  });
  expect(prose.status).toBe(422);
  const [forgetting] = (await get("/api/history?kind=forget")).items;
  const back = await post(`/api/history/${forgetting.commit}/revert`);
  expect(back.body.error).toMatchObject({ code: "forgotten", details: { stones: [stone.id] } });
  await post("/api/notes", { title: "", text: "I keep a quokka called Zanzibar." });
  const inbox = model.requests.length;
  model.push((request) => {
    const said = JSON.stringify(request);
    const ref = /(?:note|thread)\/[a-z0-9]+(?:#m\d+)?/.exec(said)?.[0] ?? "note/none";
    return {
      tools: [
        { name: "add", arguments: { text: FACT, sources: [ref], reason: "It was said" } },
        { name: "finish", arguments: { summary: "One line" } },
      ],
    };
  });
  const dream = (await post("/api/dream", {})).body;
  await model.asked(inbox + 1);
  let status = "running";
  while (["queued", "running"].includes(status)) status = (await get(`/api/dreams/${dream.id}`)).status;
  const standing = async () => (await all<{ text: string }>(app.url, "/api/entries?state=all")).map(({ text }) => text).sort();
  expect(await standing()).toEqual(["Sails at weekends"]);
  git(old, "config", "user.email", "ada@example.org");
  git(old, "config", "user.name", "Ada");
  git(old, "pull", "-q", "--no-rebase", "--no-edit");
  execFileSync("sh", ["-c", `printf -- '- ${FACT}\\n' >> MEMORY.md && git commit -qam 'More' && ! git push -q 2>push.log`], {
    cwd: old,
  });
  expect(readFileSync(join(old, "push.log"), "utf8")).toContain("forgotten");
  expect(await standing()).toEqual(["Sails at weekends"]);

  // Over a restart, and in a clone's files.
  await app.stop();
  app = await startApp({ data, env: env() });
  expect(await standing()).toEqual(["Sails at weekends"]);
  expect((await post("/api/entries", { text: FACT })).body.error.code).toBe("forgotten");
  const fresh = await clone("fresh");
  for (const branch of git(fresh, "for-each-ref", "--format=%(refname)", "refs/remotes")
    .trim()
    .split("\n")
    .filter((name) => !name.endsWith("HEAD"))) {
    expect(() => git(fresh, "grep", "-i", "-e", "quokka called", branch), branch).toThrow();
  }
  expect(objectsOf(fresh)).toMatch(CANARY);
  const receipt = await get(`/api/receipts/${stone.receipt}`);
  console.log(receipt.rows.map((row: any) => `  ${row.place}: ${row.before} → ${row.now}`).join("\n"));

  // The user's own later words hold it again; they go with the erase, as do all objects.
  const erased = await post(`/api/forgotten/${stone.id}/erase`);
  expect(erased.body.ok).toBe(true);
  let done = erased.body.done as boolean;
  while (!done) done = (await get(`/api/receipts/${erased.body.receipt}`)).done;
  const after = await get(`/api/receipts/${erased.body.receipt}`);
  console.log(after.rows.map((row: any) => `  ${row.place}: ${row.before} → ${row.now}`).join("\n"));
  expect(after.rows.every((row: any) => row.now === 0)).toBe(true);
  expect(await shown()).not.toMatch(CANARY);
  const last = await clone("last");
  expect(git(last, "fsck", "--strict", "--full").trim()).toBe("");
  expect(objectsOf(last)).not.toMatch(CANARY);
  expect(git(last, "log", "--format=%B").match(CANARY)).toBeNull();
  expect(rawHits()).toEqual([]);
  await app.stop();
  expect(rawHits()).toEqual([]);
  app = await startApp({ data, env: env() });
  expect(await standing()).toEqual(["Sails at weekends"]);

  // A clone from before is refused, plain, forced, and after a merge.
  git(old, "remote", "set-url", "origin", `${app.url}/git/memory.git`);
  for (const args of [
    ["push", "-q"],
    ["push", "-q", "--force"],
  ])
    expect(() => git(old, ...args)).toThrow();
  git(old, "fetch", "-q");
  git(old, "merge", "-q", "--no-edit", "-s", "ours", "--allow-unrelated-histories", "origin/main");
  expect(() => git(old, "push", "-q")).toThrow(/erased/);
  expect(objectsOf(await clone("end"))).not.toMatch(CANARY);
}, 300_000);

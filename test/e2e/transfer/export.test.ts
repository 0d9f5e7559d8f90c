// The way out and in again between two running apps: native git reads the bundle, the other app has the same commits, and what was erased is in no byte.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../../lib/api.ts";
import { startApp, type App } from "../../lib/app.ts";

const folder = mkdtempSync(join(tmpdir(), "reverie-transfer-"));
let here: App;
let there: App;

beforeAll(async () => {
  [here, there] = await Promise.all([startApp(), startApp({ env: { MIRROR_LOOPBACK: "yes" } })]);
});
afterAll(async () => {
  await Promise.all([here.stop(), there.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-C", cwd, ...args], { encoding: "utf8", stdio: "pipe", maxBuffer: 64 * 1024 * 1024 }).trim();
const objectsOf = (repository: string) =>
  execFileSync("git", ["-C", repository, "cat-file", "--batch-all-objects", "--batch"], { maxBuffer: 64 * 1024 * 1024 }).toString(
    "latin1",
  );

async function exported(app: App, passphrase?: string): Promise<Uint8Array> {
  const response = await fetch(`${app.url}/api/export`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(passphrase ? { passphrase } : {}),
  });
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

async function preview(app: App, begun: { status: number; body: any }): Promise<any> {
  expect(begun.status, JSON.stringify(begun.body)).toBe(202);
  let view = begun.body;
  while (view.status === "reading") view = (await call<any>(app.url, "GET", `/api/imports/${view.id}`)).body;
  return view;
}

async function bring(app: App, archive: Uint8Array): Promise<any> {
  const response = await fetch(`${app.url}/api/import`, {
    method: "POST",
    headers: { "Content-Type": "application/zip" },
    body: archive as BodyInit,
  });
  return preview(app, { status: response.status, body: await response.json() });
}

test("a memory goes over to another app with its commits, and native git reads it on the way", async () => {
  const post = (path: string, body: object) => call<any>(here.url, "POST", path, body);
  await post("/api/entries", { text: "Lives in Porto", slot: "home" });
  await post("/api/entries", { text: "Lives in Lisbon", slot: "home", since: "2026-09" });
  await post("/api/entries", { text: "Keeps a quokka called Zanzibar", path: "pets.md" });
  await post("/api/entries", { text: "Has a bad left knee" });
  await post("/api/chat", { message: "I sail at weekends." });
  await post("/api/chat", { message: "This stays between us: a hidden cove.", temporary: true });
  await post("/api/notes", { title: "Boat", text: "The boat needs paint." });
  await post("/api/forget", { query: "knee" });
  const erased = (await post("/api/forget", { query: "quokka", erase: true })).body;
  let receipt = (await call<any>(here.url, "GET", `/api/receipts/${erased.receipt}`)).body;
  while (!receipt.done) receipt = (await call<any>(here.url, "GET", `/api/receipts/${erased.receipt}`)).body;

  const archive = await exported(here, "correct horse battery");
  const parts = unzipSync(archive);
  writeFileSync(join(folder, "memory.bundle"), parts["memory.bundle"]!);
  git(folder, "clone", "-q", "memory.bundle", "cloned");
  expect(git(join(folder, "cloned"), "bundle", "verify", "../memory.bundle")).toMatch(/complete history/);
  expect(git(join(folder, "cloned"), "fsck", "--strict", "--full")).toBe("");
  const head = git(join(folder, "cloned"), "rev-parse", "HEAD");
  const history = (await call<any>(here.url, "GET", "/api/history?limit=200")).body.items.map(({ commit }: any) => commit);
  expect(head).toBe(history[0]);
  expect(readFileSync(join(folder, "cloned", "MEMORY.md"), "utf8")).toBe(Buffer.from(parts["memory/MEMORY.md"]!).toString());
  const words = Object.entries(parts)
    .map(([name, bytes]) => (name.endsWith(".bundle") ? "" : Buffer.from(bytes).toString("latin1")))
    .join("\n");
  expect(words).toContain("I sail at weekends.");
  expect(words).not.toMatch(/quokka|zanzibar|hidden cove|left knee/i);
  expect(objectsOf(join(folder, "cloned"))).not.toMatch(/quokka|zanzibar/i);

  const seen = await bring(there, archive);
  expect(seen).toMatchObject({ kind: "export", needsPassphrase: true });
  const landed = (await call<any>(there.url, "POST", `/api/imports/${seen.id}/apply`, { passphrase: "correct horse battery" }))
    .body;
  expect(landed).toMatchObject({ status: "applied", commit: head, deadTombstones: [] });
  expect((await call<any>(there.url, "GET", "/api/history?limit=200")).body.items.map(({ commit }: any) => commit)).toEqual(
    history,
  );
  git(folder, "clone", "-q", `${there.url}/git/memory.git`, "theirs");
  expect(git(join(folder, "theirs"), "rev-parse", "origin/main")).toBe(head);
  expect(git(join(folder, "theirs"), "fsck", "--strict", "--full")).toBe("");
  const back = await call<any>(there.url, "POST", "/api/entries", { text: "A bad left knee, he has" });
  expect(back.body.error.code).toBe("forgotten");
  const again = unzipSync(await exported(there, "another one"));
  expect(Buffer.from(again["memory/MEMORY.md"]!).equals(Buffer.from(parts["memory/MEMORY.md"]!))).toBe(true);
}, 240_000);

test("a public repository is read by its address; one that is private, or leads into the machine, is not", async () => {
  const post = (app: App, body: object) => call<any>(app.url, "POST", "/api/import", body);
  for (const url of [
    "http://example.org/x.git",
    "https://10.0.0.1/x.git",
    "https://localhost/x.git",
    "https://[::1]/x.git",
    "https://user:pass@example.org/x.git",
    "file:///etc/passwd",
    "words",
  ])
    expect((await post(here, { kind: "memory", url })).body.error, url).toMatchObject({ code: "bad-format" });
  const nobody = await post(there, { kind: "memory", url: "http://127.0.0.1:9/x.git" });
  expect(nobody.status).toBe(503);
  const put = await fetch(`${here.url}/api/memory/files/trips/vigo.md`, {
    method: "PUT",
    headers: { "If-None-Match": "*" },
    body: "# Vigo\n\n- Has a green dinghy there\n",
  });
  expect(put.status).toBe(200);
  const seen = await preview(there, await post(there, { kind: "memory", url: `${here.url}/git/memory.git` }));
  expect(seen).toMatchObject({ kind: "memory", status: "preview" });
  const landed = (await call<any>(there.url, "POST", `/api/imports/${seen.id}/apply`, {})).body;
  expect(landed).toMatchObject({ status: "applied" });
  const entries = (await call<any>(there.url, "GET", "/api/entries?q=dinghy")).body.items;
  expect(entries[0]).toMatchObject({ text: "Has a green dinghy there", path: "trips/vigo.md" });
}, 120_000);

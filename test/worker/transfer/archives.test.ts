// Archives in and out: an export comes back with its commit ids, an old one brings nothing back that was forgotten, folders and other assistants' zips land.
import { env } from "cloudflare:workers";
import { reset } from "cloudflare:test";
import { strToU8, unzipSync, zipSync, type Zippable } from "fflate";
import { afterEach, expect, test } from "vitest";
import { call, inside } from "../memory/support.ts";
import { apply, bring, exported } from "./support.ts";

afterEach(() => reset());

const zip = (files: Zippable) => zipSync(files, { level: 6 });
const text = (value: string) => strToU8(value);

const say = (path: string, body: object = {}) => call("POST", path, body);
const log = async () => (await call("GET", "/api/history?limit=200")).body.items.map(({ commit, kind }: any) => [commit, kind]);
const texts = async () => (await call("GET", "/api/entries?state=all&limit=200")).body.items.map((entry: any) => entry.text);
const talk = (id: string, words: string[]) => ({
  id,
  title: `Talk ${id}`,
  messages: words.map((one, at) => ({ role: at % 2 ? "assistant" : "user", at: `2024-03-0${at + 1}T10:00:00Z`, text: one })),
});

async function fill(): Promise<void> {
  await say("/api/entries", { text: "Lives in Porto", slot: "home" });
  await say("/api/entries", { text: "Plays the tuba", path: "people/tomas.md" });
  await say("/api/entries", { text: "Has a bad left knee" });
  await say("/api/entries", { text: "Lives in Lisbon", slot: "home", since: "2026-09" });
  await say("/api/notes", { title: "Boat", text: "The boat needs paint." });
  await say("/api/import", { kind: "conversations", items: [talk("talk0001", ["I sail at weekends.", "Noted."])], apply: true });
}

test("an export comes back into an empty memory with its history, commit ids, conversations, notes and what was forgotten", async () => {
  await fill();
  await say("/api/forget", { query: "knee" });
  const before = { log: await log(), texts: await texts(), notes: (await call("GET", "/api/notes")).body };
  const archive = await exported("correct horse");
  const parts = unzipSync(archive);
  expect(Object.keys(parts)).toEqual([
    "reverie.json",
    "README.md",
    "memory.bundle",
    "memory/MEMORY.md",
    "memory/forgotten.md",
    "memory/people/tomas.md",
    "conversations/talk0001.json",
    "notes.json",
    "tombstones.json",
    "settings.json",
    "ledger.csv",
    "tombstone-key.json",
  ]);
  for (const [name, bytes] of Object.entries(parts))
    if (name !== "memory.bundle") expect(Buffer.from(bytes).toString()).not.toMatch(/knee/);
  await reset();

  const preview = await bring(archive);
  expect(preview).toMatchObject({
    kind: "export",
    status: "preview",
    needsPassphrase: true,
    counts: { files: 3, conversations: 1, messages: 2, notes: 1 },
  });
  expect((await call("POST", `/api/imports/${preview.id}/apply`, { passphrase: "wrong horse" })).status).toBe(403);
  expect(await log()).toEqual([]);
  const done = await apply(preview.id, "correct horse");
  expect(done).toMatchObject({ status: "applied", commit: before.log[0][0], head: before.log[0][0], deadTombstones: [] });
  expect(await log()).toEqual(before.log);
  expect(await texts()).toEqual(before.texts);
  expect((await call("GET", "/api/notes")).body).toMatchObject({
    items: before.notes.items.map(({ id, text: words }: any) => ({ id, text: words })),
  });
  expect((await call("GET", "/api/threads/talk0001")).body.items.map(({ id, text: words }: any) => [id, words])).toEqual([
    ["m1", "I sail at weekends."],
    ["m2", "Noted."],
  ]);
  expect((await say("/api/entries", { text: "A bad left knee, he has" })).body.error.code).toBe("forgotten");
  expect((await call("GET", "/api/forgotten")).body.items[0].text).toBe("Has a bad left knee");
  expect((await call("GET", "/api/check")).body).toMatchObject({ ok: true });
  const again = await bring(archive);
  expect(await apply(again.id, "correct horse")).toMatchObject({ status: "applied", commit: null, counts: { lands: 0 } });
  expect(await log()).toEqual(before.log);
  await inside(env.MemoryAgent.getByName("me"), (agent) =>
    expect(
      agent.memory.sql
        .exec<{ n: number }>("SELECT (SELECT COUNT(*) FROM import_rows) + (SELECT COUNT(*) FROM git_objects WHERE repo = 7) AS n")
        .one().n,
    ).toBe(0),
  );
});

test("without the passphrase the tombstones are dead and named; an old export brings nothing back that was forgotten since", async () => {
  await fill();
  const old = await exported();
  await say("/api/forget", { query: "knee" });
  await say("/api/import", { kind: "conversations", items: [talk("talk0002", ["I have a bad left knee.", "Oh."])], apply: true });
  const newer = await exported();
  const head = (await log())[0][0];
  const preview = await bring(old);
  expect(preview.counts).toMatchObject({ forgotten: 1, lands: 0 });
  const done = await apply(preview.id);
  expect(done.counts).toMatchObject({ forgotten: 1 });
  expect(done.items[0]).toMatchObject({ fate: "forgotten", name: null, path: "MEMORY.md" });
  expect(JSON.stringify(done)).not.toMatch(/knee/);
  expect(await texts()).not.toContain("Has a bad left knee");
  expect((await log())[0][0]).toBe(head);
  await reset();
  const there = await bring(newer);
  const landed = await apply(there.id);
  expect(landed.deadTombstones).toHaveLength(1);
  expect(landed.commit).toBe(head);
  expect((await say("/api/entries", { text: "Has a bad left knee" })).status).toBe(200);
});

test("an export laid on another memory joins it: nothing of either is lost, its tombstones hold", async () => {
  await fill();
  await say("/api/forget", { query: "knee" });
  const archive = await exported("correct horse");
  await reset();
  await say("/api/entries", { text: "Reads maps" });
  await say("/api/entries", { text: "Has a bad left knee" });
  const { id } = await bring(archive);
  const done = await apply(id, "correct horse");
  expect(done).toMatchObject({ status: "applied", deadTombstones: [] });
  expect((await texts()).filter((one: string) => one !== "(forgotten)").sort()).toEqual([
    "Has a bad left knee",
    "Lives in Lisbon",
    "Lives in Porto",
    "Plays the tuba",
    "Reads maps",
  ]);
  expect((await say("/api/entries", { text: "A bad left knee, he has", path: "x.md" })).body.error.code).toBe("forgotten");
  expect((await call("GET", "/api/check")).body.ok).toBe(true);
  expect((await call("POST", `/api/history/${done.commit}/revert`, {})).status).toBe(200);
  expect(await texts()).not.toContain("Plays the tuba");
});

test("a folder of notes: front matter, encodings, decomposed names, a megabyte; one commit, and what is no note is left out", async () => {
  const archive = zip({
    "Vault/Daily/2023-04-05.md": text("---\ndate: 2023-04-05\ntags: [a/b]\n---\n- Oat milk\n"),
    "Vault/Cafe\u0301.md": text("# Café\n\nProse #tag/nested\n"),
    "Vault/latin.txt": Uint8Array.from([0x2d, 0x20, 0x43, 0x61, 0x66, 0xe9]),
    "Vault/utf16.md": new Uint8Array(Buffer.from("\ufeff- Sixteen bits\n", "utf16le")),
    "Vault/long.md": text(`# Long\n\n${"A sentence about the sea. ".repeat(42_000)}`),
    "Vault/secret.md": text("The wifi password is Tr0ub4dor&3xyz!\n\n- Likes jam\n"),
    "Vault/.obsidian/app.json": text("{}"),
    "Vault/picture.png": new Uint8Array(1000),
  });
  const preview = await bring(archive);
  expect(preview).toMatchObject({ kind: "memory", status: "preview", counts: { secrets: 1, skipped: 1 } });
  const done = await apply(preview.id);
  expect(done).toMatchObject({ status: "applied", counts: { secrets: 1 } });
  const files = (await call("GET", "/api/memory")).body.files.map(({ path }: any) => path);
  expect(files.filter((path: string) => !path.startsWith("long"))).toEqual([
    "Café.md",
    "Daily/2023-04-05.md",
    "MEMORY.md",
    "latin.md",
    "secret.md",
    "utf16.md",
  ]);
  expect((await texts()).sort()).toEqual(["Café", "Likes jam", "Oat milk", "Sixteen bits"]);
  expect((await log()).map(([, kind]: string[]) => kind)).toEqual(["import"]);
  expect((await call("GET", "/api/memory/files/secret.md")).text).not.toContain("Tr0ub4dor");
});

test("zips of other assistants become conversations", async () => {
  const chat = [
    {
      uuid: "u-1",
      name: "Boat",
      chat_messages: [
        { sender: "human", text: "I keep a dinghy in Vigo.", created_at: "2024-03-01T10:00:00Z" },
        { sender: "assistant", text: "Noted.", created_at: "2024-03-01T10:00:05Z" },
      ],
    },
  ];
  const tree = [
    {
      title: "Heron",
      conversation_id: "c-1",
      current_node: "b",
      mapping: {
        a: { parent: null, message: null, children: ["b"] },
        b: {
          parent: "a",
          children: [],
          message: {
            author: { role: "user" },
            create_time: 1709287200,
            content: { content_type: "text", parts: ["A heron stands by the pond."] },
          },
        },
      },
    },
  ];
  for (const [list, words] of [
    [chat, "dinghy"],
    [tree, "heron"],
  ] as const) {
    const preview = await bring(zip({ "users.json": text("[]"), "export/conversations.json": text(JSON.stringify(list)) }));
    expect(preview).toMatchObject({ kind: "conversations", status: "preview", counts: { conversations: 1 } });
    expect((await call("GET", `/api/search?q=${words}&in=conversations`)).body.items).toEqual([]);
    expect(await apply(preview.id)).toMatchObject({ status: "applied", counts: { conversations: 1 } });
    expect((await call("GET", `/api/search?q=${words}&in=conversations`)).body.items[0].text).toContain(words);
  }
});

test("archives that are cut off, bombs, empty or forged leave nothing behind", async () => {
  await fill();
  const archive = await exported();
  const parts = unzipSync(archive);
  const bundle = parts["memory.bundle"]!.slice();
  bundle[bundle.byteLength - 40]! ^= 0xff;
  await reset();
  for (const [body, code] of [
    [archive.subarray(0, archive.byteLength - 300), "bad-format"],
    [text("words"), "bad-format"],
    [zip({ "picture.png": new Uint8Array(100) }), "bad-format"],
    [zip({ "a.md": new Uint8Array(20 * 1024 * 1024) }), "too-large"],
    [zip({ "conversations.json": text('[{"id":"a","messages":[') }), "bad-format"],
  ] as const)
    expect((await bring(body)).error, String(code)).toMatchObject({ code });
  const forged = await bring(zip({ ...parts, "memory.bundle": bundle }));
  const refused = await call("POST", `/api/imports/${forged.id}/apply`, {});
  expect(refused.body.error.message).toMatch(/pack is damaged/);
  expect(await log()).toEqual([]);
  await call("DELETE", `/api/imports/${forged.id}`);
  expect((await call("GET", `/api/imports/${forged.id}`)).status).toBe(404);
  await inside(env.MemoryAgent.getByName("me"), (agent) => {
    const { sql } = agent.memory;
    expect(sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM import_rows").one().n).toBe(0);
    expect(sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM git_objects").one().n).toBe(0);
  });
});

// Imports that come as lists: statements, files, conversations. Previewed, landed in one commit, known again, taken back by one revert.
import { env } from "cloudflare:workers";
import { reset } from "cloudflare:test";
import { afterEach, expect, test } from "vitest";
import { call, inside } from "../memory/support.ts";

afterEach(() => reset());

const bring = (kind: string, items: unknown[], apply = false, more: object = {}) =>
  call("POST", "/api/import", { kind, items, apply, ...more });
const entries = async () => (await call("GET", "/api/entries?state=all&limit=200")).body.items as any[];
const texts = async () => (await entries()).map(({ text }) => text);

test("statements land in the order in which they were said, each with its source, in one commit that one revert takes back", async () => {
  const items = [
    "Plays the tuba",
    { text: "Sails at weekends", at: "2024-05-01" },
    { text: "- Works at Harbour Ltd", at: "2023-02-01", slot: "company" },
    { text: "Works at Pier Books", at: "2025-06-01T22:30:00Z", slot: "employer" },
    { text: "Sister’s wedding", at: "2024-01-01", on: "2024-06-15" },
    { text: "No such day", since: "2024-02-31" },
    42,
  ];
  const preview = await bring("statements", items);
  expect(preview.body).toMatchObject({ status: "preview", commit: null, counts: { lands: 5, refused: 2 } });
  expect(await texts()).toEqual([]);
  const done = await bring("statements", items, true);
  expect(done.body).toMatchObject({ status: "applied", counts: { lands: 5, refused: 2, duplicates: 0 } });
  const { id, commit } = done.body;
  const landed = await entries();
  expect(landed.map(({ text, sources, added }) => [text, sources, added])).toEqual([
    ["Sister’s wedding", [`import/${id}#5`], "2024-01-01"],
    ["Sails at weekends", [`import/${id}#2`], "2024-05-01"],
    ["Works at Pier Books", [`import/${id}#4`], "2025-06-01"],
    ["Plays the tuba", [`import/${id}#1`], expect.stringMatching(/^\d{4}-/)],
    ["Works at Harbour Ltd", [`import/${id}#3`], "2023-02-01"],
  ]);
  expect(landed[4]).toMatchObject({ state: "closed", since: "2023-02-01", until: "2025-06-01", slot: "employer" });
  expect(landed[2]).toMatchObject({ state: "open", since: "2025-06-01" });
  expect(landed[0].state).toBe("past");
  const log = (await call("GET", "/api/history")).body.items;
  expect(log).toHaveLength(1);
  expect(log[0]).toMatchObject({ commit, kind: "import", ref: `import/${id}` });
  const again = await bring("statements", items, true);
  expect(again.body).toMatchObject({ commit: null, counts: { lands: 0, duplicates: 5 }, head: commit });
  expect((await call("POST", `/api/history/${commit}/revert`, {})).status).toBe(200);
  expect(await texts()).toEqual([]);
  expect((await bring("statements", items, true)).body.counts.lands).toBe(5);
});

test("secrets and what was forgotten are held back and told, the rest lands; nothing of their words is in the answer", async () => {
  await call("POST", "/api/entries", { text: "Has a bad left knee" });
  await call("POST", "/api/forget", { query: "knee" });
  const items = [
    "A bad left knee, he has",
    "The wifi password is Tr0ub4dor&3xyz!",
    "Likes quince jam",
    "Likes quince jam.",
    { text: "Plays the tuba", path: "people/tomas.md" },
  ];
  for (const apply of [false, true]) {
    const { body } = await bring("statements", items, apply);
    expect(body.counts).toMatchObject({ lands: 2, forgotten: 1, secrets: 1, duplicates: 1 });
    expect(body.items[0]).toMatchObject({
      n: 1,
      fate: "forgotten",
      name: null,
      why: expect.stringMatching(/^You asked to forget this/),
    });
    expect(JSON.stringify(body)).not.toMatch(/knee|Tr0ub4dor/);
  }
  expect((await texts()).filter((text) => text !== "(forgotten)").sort()).toEqual(["Likes quince jam", "Plays the tuba"]);
});

test("files of a folder stand where they stood, with what they held; lines that stand here are not kept twice", async () => {
  await call("POST", "/api/entries", { text: "Plays the tuba", path: "people/tomas.md" });
  const items = [
    {
      path: "Vault/Cafe\u0301.md",
      text: "---\ncreated: 2023-04-05\ntags: [a/b, c]\n---\n\n# Café\n\n- Oat milk [since: last spring]\n  - From the corner shop\n\nSome prose #tag/nested.\n",
    },
    {
      path: "Vault/people/Tomas.md",
      text: "# Tomas\n\n- Plays the tuba\n- Owes me a ladder [id: lad00001; added: 2024-01-02]\n",
    },
    { path: "Vault/What? Is: this.md", text: "- A question\n" },
    { path: "Vault/.obsidian/app.json", text: "{}" },
    { path: "Vault/../../etc/passwd.md", text: "- root\n" },
    { path: "Vault/picture.png", text: "…" },
    { path: "Vault/forgotten.md", text: "- (forgotten) [id: q7ra31xm; removed: 2026-10-06; match: k1.9f2c]\n" },
    { path: "Vault/long.md", text: `# Long\n\n${"A sentence about the sea. ".repeat(42_000)}\n` },
    { path: "Vault/merge.md", text: "<<<<<<< ours\n- One\n" },
  ];
  const { body } = await bring("memory", items, true);
  expect(body.counts).toMatchObject({ refused: 1, skipped: 3, duplicates: 1 });
  const paths = (await call("GET", "/api/memory")).body.files.map(({ path }: any) => path);
  expect(paths).toEqual([
    "Café.md",
    "MEMORY.md",
    "What- Is- this.md",
    "long-2.md",
    "long-3.md",
    "long-4.md",
    "long-5.md",
    "long.md",
    "merge.md",
    "people/tomas.md",
  ]);
  const cafe = (await call("GET", `/api/memory/files/${encodeURIComponent("Café.md")}`)).text;
  expect(cafe).toMatch(
    /^---\ncreated: 2023-04-05\ntags: \[a\/b, c\]\n---\n\n# Café\n\n- Oat milk \[x-since: last spring; id: \w+; source: import\/\w+#1; added: 2023-04-05\]\n  - From the corner shop \[/,
  );
  const tomas = (await call("GET", "/api/memory/files/people/tomas.md")).text;
  expect(tomas.match(/tuba/g)).toHaveLength(1);
  expect(tomas).toContain("- Owes me a ladder [id: lad00001; added: 2024-01-02; source: import/");
  const long = await Promise.all(
    paths
      .filter((path: string) => path.startsWith("long"))
      .map(async (path: string) => (await call("GET", `/api/memory/files/${path}`)).text.length),
  );
  expect(long.reduce((sum, length) => sum + length, 0)).toBe(items[7]!.text.length);
  const again = await bring("memory", items, true);
  expect(again.body).toMatchObject({ commit: null, counts: { lands: 0 } });
  expect((await call("GET", "/api/check")).body.ok).toBe(true);
});

test("conversations become threads with their dates, found at once, read by the next dream, and known again", async () => {
  const items = [
    {
      id: "conv-2024/ü",
      title: "The boat",
      messages: [
        { id: "x1", role: "user", at: "2024-03-01T10:00:00Z", text: "I keep a green dinghy in Vigo. Next week I paint it." },
        { id: "x2", role: "assistant", at: "2024-03-01T10:00:05Z", text: "Noted." },
        { id: "x3", role: "system", at: "2024-03-01T10:00:06Z", text: "internal" },
        { id: "x4", role: "user", at: 1709287300, text: "The wifi password is Tr0ub4dor&3xyz!" },
      ],
    },
    { id: "talk0001", title: "", messages: [{ role: "user", text: "Undated words about a heron" }] },
    { id: "empty", title: "Nothing", messages: [] },
  ];
  const preview = await bring("conversations", items);
  expect(preview.body.counts).toMatchObject({ conversations: 2, messages: 4, redacted: 1, refused: 1 });
  expect((await call("GET", "/api/threads")).body.items).toEqual([]);
  const { body } = await bring("conversations", items, true);
  expect(body.counts).toMatchObject({ conversations: 2, messages: 4, redacted: 1 });
  const thread = body.items.find(({ n }: any) => n === 1).thread;
  const stored = (await call("GET", `/api/threads/${thread}`)).body;
  expect(stored).toMatchObject({ title: "The boat", createdAt: "2024-03-01T10:00:00.000Z", messages: 3 });
  expect(stored.items.map(({ id, text, at }: any) => [id, at.slice(0, 10), text])).toEqual([
    ["m1", "2024-03-01", "I keep a green dinghy in Vigo. Next week I paint it."],
    ["m2", "2024-03-01", "Noted."],
    ["m3", "2024-03-01", expect.stringMatching(/^The wifi password is \[secret: password\]/)],
  ]);
  const hits = (await call("GET", "/api/search?q=dinghy&in=conversations")).body.items;
  expect(hits[0].thread).toMatchObject({ id: thread, message: "m1" });
  expect((await call("POST", "/api/dream", { dryRun: true })).body.messages).toBe(3);
  const again = await bring("conversations", items, true);
  expect(again.body.counts).toMatchObject({ conversations: 0, messages: 0, duplicates: 2 });
  items[0]!.messages.push({ id: "x5", role: "assistant", at: "2024-03-02T10:00:00Z", text: "Use a password manager." });
  expect((await bring("conversations", items, true)).body.counts).toMatchObject({ conversations: 1, messages: 1 });
  expect((await call("GET", `/api/threads/${thread}`)).body.items).toHaveLength(4);
  await inside(env.MemoryAgent.getByName("me"), (agent) =>
    expect(JSON.stringify(agent.memory.sql.exec("SELECT text FROM messages").toArray())).not.toContain("Tr0ub4dor"),
  );
});

test("what was forgotten is redacted in messages and titles that an import brings", async () => {
  await call("POST", "/api/entries", { text: "Has a bad left knee" });
  await call("POST", "/api/forget", { query: "knee" });
  const messages = [{ role: "user", at: "2025-01-01T08:00:00Z", text: "I have a bad left knee. I sail." }];
  const { body } = await bring("conversations", [{ id: "knee0001", title: "I have a bad left knee", messages }], true);
  expect(body.counts).toMatchObject({ messages: 1, redacted: 1 });
  const thread = (await call("GET", "/api/threads/knee0001")).body;
  expect(thread.title).toBe("[forgotten]");
  expect(thread.items[0].text).toBe("[forgotten] I sail.");
  expect((await call("GET", "/api/search?q=knee&in=conversations")).body.items).toEqual([]);
});

test("a repeated request gets the same answer, and what is no import is refused with a sentence", async () => {
  const send = (items: unknown) =>
    call("POST", "/api/import", { kind: "statements", items, apply: true }, { "Idempotency-Key": "k1" });
  const first = await send(["Likes quince jam"]);
  const second = await send(["Likes quince jam"]);
  expect(second.body).toEqual(first.body);
  for (const [body, status] of [
    [{ kind: "nothing", items: [] }, 400],
    [{ kind: "statements", items: "Likes jam" }, 400],
    [{ kind: "statements", items: [], tz: "Mars/Olympus" }, 400],
    [{ kind: "statements", items: Array.from({ length: 50_001 }, () => "x") }, 413],
  ] as const) {
    const refused = await call("POST", "/api/import", body);
    expect(refused.status).toBe(status);
    expect(refused.body.error.message).toMatch(/\w/);
  }
});

test("two thousand statements and ten thousand messages take seconds", async () => {
  const statements = Array.from({ length: 2000 }, (_, n) => ({
    text: `Keeps plant number ${n} by window ${n % 37}`,
    at: `2024-0${(n % 9) + 1}-11`,
  }));
  let from = Date.now();
  const list = await bring("statements", statements, true);
  console.log(`2,000 statements: ${Date.now() - from} ms`);
  expect(list.body.counts.lands).toBe(2000);
  from = Date.now();
  expect((await bring("statements", statements, true)).body.counts.duplicates).toBe(2000);
  console.log(`again: ${Date.now() - from} ms`);
  const talks = Array.from({ length: 100 }, (_, t) => ({
    id: `c${t}`,
    title: `Talk ${t}`,
    messages: Array.from({ length: 50 }, (__, m) => ({
      role: m % 2 ? "assistant" : "user",
      at: 1700000000 + t * 1000 + m,
      text: `Message ${m} of talk ${t} about the harbour and plant ${t * m}`,
    })),
  }));
  from = Date.now();
  const talked = await bring("conversations", talks, true);
  console.log(`5,000 messages: ${Date.now() - from} ms`);
  expect(talked.body.counts).toMatchObject({ conversations: 100, messages: 5000 });
}, 120_000);

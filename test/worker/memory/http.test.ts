// The memory core at its public door: files, entries, history, revert, and everything that must be refused with a sentence.
import { env } from "cloudflare:workers";
import { reset } from "cloudflare:test";
import { afterEach, expect, test } from "vitest";
import { call } from "./support.ts";

afterEach(() => reset());

const put = (path: string, text: string, base: string, headers: Record<string, string> = {}) =>
  call("PUT", `/api/memory/files/${path.split("/").map(encodeURIComponent).join("/")}`, text, {
    "If-Match": `"${base}"`,
    ...headers,
  });
const head = async () => (await call("GET", "/api/memory")).body.head as string;
const remember = async (body: object) => (await call("POST", "/api/entries", body)).body;

test("an empty memory has no head, no files and no history", async () => {
  expect((await call("GET", "/api/memory")).body).toEqual({ head: null, files: [] });
  expect((await call("GET", "/api/entries")).body).toEqual({ items: [], next: null });
  expect((await call("GET", "/api/history")).body).toEqual({ items: [], next: null });
  expect((await call("GET", "/api/graph")).body).toEqual({ nodes: [], links: [], broken: [] });
  expect((await call("GET", "/api/check")).body).toMatchObject({ ok: true, objects: 0 });
});

test("a fact that is remembered is read back by every way", async () => {
  const saved = await remember({ text: "Ana is a nurse", path: "people/ana.md" });
  expect(saved).toMatchObject({
    ok: true,
    entries: [{ verb: "added", entry: { path: "people/ana.md", text: "Ana is a nurse", state: "open", line: 3 } }],
  });
  const id = saved.entries[0].entry.id;
  const file = await call("GET", "/api/memory/files/people/ana.md");
  expect(file.headers.get("Content-Type")).toContain("text/markdown");
  expect(file.headers.get("ETag")).toBe(`"${saved.commit}"`);
  expect(file.text).toMatch(/^# Ana\n\n- Ana is a nurse \[id: [a-z0-9]{8}; added: \d{4}-\d\d-\d\d\]\n$/);
  const json = (await call("GET", "/api/memory/files/people/ana.md", undefined, { Accept: "application/json" })).body;
  expect(json.entries).toHaveLength(1);
  expect((await call("GET", "/api/entries?q=nurses")).body.items[0].id).toBe(id);
  expect((await call("GET", `/api/entries/${id}`)).body).toMatchObject({ id, history: [{ commit: saved.commit, kind: "edit" }] });
  expect((await call("GET", "/api/memory")).body.files.map((one: any) => one.path)).toEqual(["MEMORY.md", "people/ana.md"]);
  expect((await call("GET", `/api/history/${saved.commit}`)).body).toMatchObject({
    changes: [{ verb: "added", after: "Ana is a nurse" }],
    entries: { added: 1 },
  });
});

test("the same fact again is the same entry with one more source", async () => {
  const first = await remember({ text: "Plays the oboe" });
  const again = await remember({ text: "plays the oboe." });
  expect(again).toMatchObject({ ok: true, commit: null, entries: [{ verb: "same", entry: { id: first.entries[0].entry.id } }] });
});

test("a stale file is merged by entry, a clash names both sides, and a blind retry is refused", async () => {
  await remember({ text: "Has a cat" });
  const base = await head();
  const text = (await call("GET", "/api/memory/files/MEMORY.md")).text;
  await remember({ text: "Has a dog" });
  const merged = await put("MEMORY.md", text.replace("Has a cat", "Has a grey cat"), base);
  expect(merged.status).toBe(200);
  const now = (await call("GET", "/api/memory/files/MEMORY.md")).text;
  expect(now).toContain("Has a grey cat");
  expect(now).toContain("Has a dog");
  const clash = await put("MEMORY.md", text.replace("Has a cat", "Has a black cat"), base);
  expect(clash.status).toBe(409);
  expect(clash.body.error.details).toMatchObject({ head: await head(), base: text, theirs: now });
  expect((await put("MEMORY.md", text.replace("Has a cat", "Has a black cat"), base)).status).toBe(409);
  expect((await call("GET", "/api/memory/files/MEMORY.md")).text).toBe(now);
  const read = await put("MEMORY.md", now.replace("Has a grey cat", "Has a black cat"), clash.body.error.details.head);
  expect(read.status).toBe(200);
});

test("a write without a base is asked for one", async () => {
  expect((await call("PUT", "/api/memory/files/a.md", "# A\n")).status).toBe(428);
  expect((await call("DELETE", "/api/memory/files/a.md")).status).toBe(428);
  const made = await call("PUT", "/api/memory/files/a.md", "# A\n", { "If-None-Match": "*" });
  expect(made.status).toBe(200);
  expect((await call("PUT", "/api/memory/files/a.md", "# B\n", { "If-None-Match": "*" })).status).toBe(409);
  expect((await call("DELETE", "/api/memory/files/a.md", undefined, { "If-Match": made.body.head })).status).toBe(200);
  expect((await call("GET", "/api/memory/files/a.md")).status).toBe(404);
});

test.each([
  ["a way out", "..%2Fx.md", 400],
  ["git's own folder", ".git%2Fhooks.md", 400],
  ["git's folder in disguise", "git~1%2Fx.md", 400],
  ["a device name", "CON.md", 400],
  ["a backslash", "a%5Cb.md", 400],
  ["NFD", "cafe%CC%81.md", 400],
  ["a control character", "a%01.md", 400],
  ["a broken encoding", "%E0%A4%A.md", 400],
  ["too long", `${"x".repeat(300)}.md`, 400],
  ["a dash in front", "-rf.md", 400],
  ["a trailing dot", "notes.", 400],
  ["the forgotten file", "forgotten.md", 403],
  ["the forgotten file in other case", "Forgotten.md", 403],
])("the path is refused: %s", async (_, path, status) => {
  const answer = await call("PUT", `/api/memory/files/${path}`, "# X\n", { "If-None-Match": "*" });
  expect(answer.status).toBe(status);
  expect(answer.body.error.message.length).toBeGreaterThan(20);
  expect((await call("GET", "/api/memory")).body.head).toBeNull();
});

test("names that one file system cannot hold apart are refused", async () => {
  await put("people/lena.md", "# Lena\n", "0".repeat(40));
  for (const path of ["people/Lena.md", "People/omar.md", "people/lena.md/x.md", "people"]) {
    expect((await put(path, "# X\n", await head())).body.error).toMatchObject({ code: "bad-path" });
  }
});

test("text that tools cannot read is refused with its line", async () => {
  await remember({ text: "Stays" });
  const base = await head();
  for (const [text, line] of [
    ["# A\nx\0y\n", 2],
    ["# A\n\n<<<<<<< mine\na\n=======\nb\n>>>>>>> theirs\n", 3],
  ] as const) {
    const answer = await put("a.md", text, base);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details.line).toBe(line);
  }
  const bytes = new Uint8Array([35, 32, 0xff, 0xfe, 10]);
  expect((await call("PUT", "/api/memory/files/a.md", bytes, { "If-Match": base })).body.error.code).toBe("bad-format");
  expect((await call("POST", "/api/entries", '{"text": "half \\ud83d"}')).status).toBe(400);
  expect(await head()).toBe(base);
});

test("sizes: 5 MB, 512 KB and a byte, an entry over 4 KB, 100,000 lines", async () => {
  const base = "0".repeat(40);
  expect((await put("a.md", "x".repeat(5 * 1024 * 1024), base)).status).toBe(413);
  expect((await put("a.md", `${"x".repeat(512 * 1024)}\n`, base)).status).toBe(413);
  expect((await put("a.md", "\n".repeat(100_000), base)).status).toBe(200);
  const long = "w".repeat(4 * 1024);
  expect((await call("POST", "/api/entries", { text: long })).body.error.code).toBe("too-large");
  expect((await remember({ text: "w".repeat(3900) })).ok).toBe(true);
});

test("texts keep every character: $&, right-to-left, emoji, and brackets that look like metadata", async () => {
  const texts = [
    "Costs $& or $$ or $1",
    "يعيش في القاهرة",
    "Family 👨‍👩‍👧‍👦 of four",
    "नमस्ते क्‍ष",
    "می‌خواهم",
    "Ends with [id: abcd]",
    "Uses C++ and C#",
  ];
  for (const text of texts) expect(await remember({ text })).toMatchObject({ ok: true });
  const { items } = (await call("GET", "/api/entries")).body;
  expect(items.map((one: any) => one.text)).toEqual(texts.map((text) => (text.startsWith("Ends") ? `${text}.` : text)));
  expect(items.every((one: any) => /^[a-z0-9]{8}$/.test(one.id) && one.id !== "abcd")).toBe(true);
});

test("a secret is never written, in an entry or beside one", async () => {
  const secret = [
    "sk-pro",
    "j-a3F0K7p4U1Z8e5J2O9t6Y3D0i7N4S1x8C5H2m9R6W3b0G7L4q1V8A5f2K9P6u3Z0E7j4O1T8T3BlbkFJt6Y3D0i7N4S1x8C5H2m9R6",
  ].join("");
  expect((await call("POST", "/api/entries", { text: `The key is ${secret}` })).status).toBe(422);
  expect((await call("POST", "/api/entries", { text: "The key is [secret: API key]" })).body.error.code).toBe("secret");
  expect((await put("a.md", `# A\n\nThe key is ${secret}\n`, "0".repeat(40))).body.error).toMatchObject({
    code: "secret",
    details: { line: 3 },
  });
  expect((await call("GET", "/api/memory")).body.head).toBeNull();
});

test("dates that cannot be, unknown ids, bad bodies, unknown fields of time", async () => {
  for (const body of [
    { text: "x", since: "2026-02-30" },
    { text: "x", since: "soon" },
    { text: "x", since: "2026-05", until: "2026-01" },
    { text: "" },
    { text: "  \n " },
    {},
    { text: 5 },
  ]) {
    const answer = await call("POST", "/api/entries", body);
    expect(answer.status, JSON.stringify(body)).toBe(400);
    expect(answer.body.error.code).toBe("bad-format");
  }
  expect((await call("POST", "/api/entries", "{nope")).body.error).toMatchObject({ code: "bad-format" });
  expect((await call("POST", "/api/entries/zzzz9999/close", {})).status).toBe(404);
  expect((await call("POST", "/api/entries/NOT-AN-ID/close", {})).status).toBe(400);
  expect((await call("GET", `/api/history/${"a".repeat(40)}`)).status).toBe(404);
  expect((await call("GET", "/api/history/zzz")).status).toBe(400);
  expect((await call("GET", "/api/entries?cursor=nonsense")).status).toBe(400);
  expect((await call("GET", "/api/entries?state=sleeping")).status).toBe(400);
  expect((await call("GET", "/api/memory?knownAt=2026-13-01")).status).toBe(400);
  expect((await call("POST", "/api/entries", { text: "x", tz: "Mars/Olympus" })).status).toBe(400);
});

test("a repeated POST with one key writes once; the key of another request is refused", async () => {
  const key = { "Idempotency-Key": "try-1" };
  const [a, b] = await Promise.all([
    call("POST", "/api/entries", { text: "Runs on Sundays" }, key),
    call("POST", "/api/entries", { text: "Runs on Sundays" }, key),
  ]);
  expect(a.body).toEqual(b.body);
  expect((await call("GET", "/api/history")).body.items).toHaveLength(1);
  expect((await call("POST", "/api/entries", { text: "Swims" }, key)).status).toBe(400);
});

test("revert takes a commit back, keeps later lines, and can be reverted itself", async () => {
  const first = await remember({ text: "Likes tea" });
  await remember({ text: "Likes rain" });
  const id = first.entries[0].entry.id;
  const back = await call("POST", `/api/history/${first.commit}/revert`, {});
  expect(back.status).toBe(200);
  let text = (await call("GET", "/api/memory/files/MEMORY.md")).text;
  expect(text).not.toContain("Likes tea");
  expect(text).toContain("Likes rain");
  const again = await call("POST", `/api/history/${back.body.commit}/revert`, {});
  expect(again.status).toBe(200);
  text = (await call("GET", "/api/memory/files/MEMORY.md")).text;
  expect(text).toContain("Likes tea");
  expect((await call("GET", `/api/entries/${id}`)).body.text).toBe("Likes tea");
  expect((await call("POST", `/api/history/${back.body.commit}/revert`, {})).status).toBe(404);
  expect((await call("GET", "/api/check")).body).toMatchObject({ ok: true });
});

test("revert of one entry and of one file of a commit", async () => {
  const start = await put("MEMORY.md", "# Memory\n\n- One thing\n- Other thing\n", "0".repeat(40));
  const ids = (await call("GET", "/api/entries")).body.items.map((one: any) => one.id);
  const part = await call("POST", `/api/history/${start.body.commit}/revert`, { entries: [ids[0]] });
  expect(part.status).toBe(200);
  const text = (await call("GET", "/api/memory/files/MEMORY.md")).text;
  expect(text).not.toContain("One thing");
  expect(text).toContain("Other thing");
  expect((await call("POST", `/api/history/${start.body.commit}/revert`, { paths: ["nowhere.md"] })).status).toBe(404);
});

test("known at a day and at a commit", async () => {
  const first = await remember({ text: "Drinks coffee" });
  const id = first.entries[0].entry.id;
  await call("POST", `/api/entries/${id}/revise`, { text: "Drinks mate" });
  const old = await call("GET", `/api/memory/files/MEMORY.md?ref=${first.commit}`);
  expect(old.text).toContain("Drinks coffee");
  expect(old.text).not.toContain("mate");
  expect((await call("GET", `/api/entries?ref=${first.commit}`)).body.items.map((one: any) => one.text)).toEqual([
    "Drinks coffee",
  ]);
  expect((await call("GET", "/api/entries?knownAt=2020-01-01")).body.items).toEqual([]);
  expect((await call("GET", `/api/entries?ref=${first.commit}&q=mate`)).body.items).toEqual([]);
  expect((await call("GET", `/api/entries?ref=${first.commit}&q=coffee`)).body.items).toHaveLength(1);
  expect((await call("GET", "/api/history?text=coffee")).body.items).toHaveLength(1);
  expect((await call("GET", "/api/history?text=mate")).body.items).toHaveLength(1);
  expect((await call("GET", `/api/history?entry=${id}`)).body.items).toHaveLength(2);
  expect((await call("GET", "/api/history?path=MEMORY.md")).body.items).toHaveLength(2);
});

test("close, reopen, pin, unpin, move and confirm", async () => {
  const id = (await remember({ text: "Trains for a marathon", path: "sport.md" })).entries[0].entry.id;
  const act = async (verb: string, body: object = {}) => (await call("POST", `/api/entries/${id}/${verb}`, body)).body;
  expect(await act("close")).toMatchObject({
    ok: true,
    entries: [{ verb: "closed", entry: { state: "closed", section: "History" } }],
  });
  expect(await act("reopen")).toMatchObject({ entries: [{ verb: "reopened", entry: { state: "open", section: "Sport" } }] });
  expect(await act("pin")).toMatchObject({ entries: [{ verb: "pinned", entry: { pin: true } }] });
  expect(await act("unpin")).toMatchObject({ entries: [{ entry: { pin: false } }] });
  expect(await act("move", { path: "hobbies/running.md" })).toMatchObject({
    entries: [{ verb: "moved", entry: { path: "hobbies/running.md" } }],
  });
  expect(await act("confirm")).toMatchObject({ entries: [{ verb: "confirmed" }] });
  expect((await call("GET", "/api/check")).body.problems).toEqual([]);
});

test("the graph knows links, their ends and the broken ones", async () => {
  await remember({ text: "Sister is [[people/ana|Ana]]", path: "people/mara.md" });
  expect((await call("GET", "/api/graph")).body.broken).toEqual([{ from: "people/mara.md", link: "people/ana" }]);
  await remember({ text: "Is a nurse", path: "people/ana.md" });
  const graph = (await call("GET", "/api/graph")).body;
  expect(graph.links).toEqual([{ from: "people/mara.md", to: "people/ana.md", closed: false }]);
  expect(graph.broken).toEqual([]);
  const ana = (await call("GET", "/api/memory/files/people/ana.md", undefined, { Accept: "application/json" })).body;
  expect(ana.backlinks).toEqual([{ path: "people/mara.md", line: 3, text: "Sister is [[people/ana|Ana]]" }]);
});

test("rebuild answers and gives the same entries", async () => {
  await remember({ text: "One" });
  await remember({ text: "Two" });
  const before = (await call("GET", "/api/entries")).body;
  expect((await call("POST", "/api/rebuild")).status).toBe(200);
  expect((await call("GET", "/api/entries")).body).toEqual(before);
  expect(env.MemoryAgent).toBeDefined();
});

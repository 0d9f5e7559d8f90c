// Forgetting at the public door: what goes, what stays, what is asked back, and what the receipt says.
import { reset } from "cloudflare:test";
import { afterEach, expect, test } from "vitest";
import { call } from "../memory/support.ts";

afterEach(() => reset());

const remember = async (text: string, path?: string, more: object = {}) => {
  const { body, status } = await call("POST", "/api/entries", { text, ...(path ? { path } : {}), ...more });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.entries[0].entry as { id: string; text: string; path: string };
};
const forget = async (body: object) => call("POST", "/api/forget", body);
const texts = async (query = "state=all") =>
  ((await call("GET", `/api/entries?${query}&limit=200`)).body.items as { text: string }[]).map(({ text }) => text).sort();
const file = async (path: string) => call("GET", `/api/memory/files/${path}`);
const forgotten = async () => (await call("GET", "/api/forgotten")).body.items as any[];

test("a line that is forgotten by its id is gone from every reading path, and a tombstone says that, never what", async () => {
  const { id } = await remember("Is allergic to mango");
  await remember("Plays the accordion");
  const answer = await forget({ id });
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ removed: [{ id, text: "Is allergic to mango" }], candidates: [] });
  expect(await texts()).toEqual(["Plays the accordion"]);
  expect((await file("MEMORY.md")).text).not.toContain("mango");
  const list = (await file("forgotten.md")).text;
  expect(list).toMatch(
    new RegExp(
      `^# Forgotten\\n\\n- \\(forgotten\\) \\[id: [a-z0-9]{8}; removed: \\d{4}-\\d\\d-\\d\\d; match: k1[0-9a-f]+\\.[0-9a-f]+; replaces: ${id}\\]\\n$`,
    ),
  );
  expect((await call("GET", "/api/entries?q=mango&state=all")).body.items).toEqual([]);
  expect((await call("GET", "/api/search?q=mango&in=entries")).body.items).toEqual([]);
  expect((await call("GET", `/api/entries/${id}`)).status).toBe(404);
  const [one] = await forgotten();
  expect(one).toMatchObject({
    text: "Is allergic to mango",
    path: "MEMORY.md",
    erased: false,
    receipt: answer.body.receipt,
    heldBack: 0,
  });
  const receipt = (await call("GET", `/api/receipts/${answer.body.receipt}`)).body;
  const row = (place: string) => receipt.rows.find((one: any) => one.place === place);
  expect(row("Files of the memory")).toMatchObject({ before: 1, now: 0 });
  expect(row("Search, graph, prompts")).toMatchObject({ before: 1, now: 0 });
  expect(row("Objects in git, and a fresh clone").now).toBeGreaterThan(0);
  expect(receipt.stays.join(" ")).toContain("Old commits still hold it");
  expect((await call("GET", "/api/check")).body.ok).toBe(true);
});

test("the past shows the line as held back", async () => {
  const before = await remember("Is allergic to mango");
  const { body } = await call("GET", "/api/memory");
  await forget({ id: before.id });
  expect((await call("GET", `/api/memory/files/MEMORY.md?ref=${body.head}`)).text).not.toContain("mango");
  expect((await call("GET", `/api/entries?ref=${body.head}&state=all`)).body.items).toMatchObject([
    { text: "(held back: you asked to forget this)" },
  ]);
  expect(JSON.stringify((await call("GET", `/api/history/${body.head}`)).body)).not.toContain("mango");
  expect((await call("GET", "/api/history?text=mango")).body.items).toEqual([]);
});

test("words that fit one line remove it; words that fit several remove nothing and name them", async () => {
  await remember("Has a bad left knee");
  await remember("Has a cat called Pixel");
  await remember("Has another cat called Domino");
  expect((await forget({ query: "what I told you about my knee" })).body.removed).toMatchObject([
    { text: "Has a bad left knee" },
  ]);
  const cats = (await forget({ query: "my cat" })).body;
  expect(cats.removed).toEqual([]);
  expect(cats.receipt).toBeNull();
  expect(cats.candidates.map((one: any) => one.text).sort()).toEqual(["Has a cat called Pixel", "Has another cat called Domino"]);
  expect(await texts()).toHaveLength(2);
  const all = (await forget({ query: "my cat", all: true })).body;
  expect(all.removed).toHaveLength(2);
  expect(await texts()).toEqual([]);
});

test("a trial run names what would go and changes nothing", async () => {
  await remember("Has a bad left knee");
  const { head } = (await call("GET", "/api/memory")).body;
  const answer = (await forget({ query: "knee", dryRun: true })).body;
  expect(answer).toMatchObject({ removed: [{ text: "Has a bad left knee" }], receipt: null });
  expect((await call("GET", "/api/memory")).body.head).toBe(head);
  expect(await forgotten()).toEqual([]);
});

test("everything about a person takes the file, the lines that name the person and the link to the file; another person stays", async () => {
  await remember("Is a neighbour", "people/tomas.md");
  await remember("Plays the tuba", "people/tomas.md");
  await remember("Is married to [[people/tomas|Tomas]]", "people/ada.md");
  await remember("Plays the tuba", "people/wilma.md");
  await remember("[[people/tomas]]", "people/index.md");
  await remember("[[people/wilma]]", "people/index.md");
  await remember("Lent Tomas a ladder");
  const answer = (await forget({ query: "everything about Tomas", all: true })).body;
  expect(answer.removed.map((one: any) => one.text).sort()).toEqual([
    "Is a neighbour",
    "Is married to [[people/tomas|Tomas]]",
    "Lent Tomas a ladder",
    "Plays the tuba",
    "[[people/tomas]]",
  ]);
  const { files } = (await call("GET", "/api/memory")).body;
  expect(files.map((one: any) => one.path)).toEqual(["MEMORY.md", "forgotten.md", "people/index.md", "people/wilma.md"]);
  expect(await texts()).toEqual(["Plays the tuba", "[[people/wilma]]"]);
  expect(JSON.stringify((await call("GET", "/api/graph")).body).toLowerCase()).not.toContain("tomas");
  expect((await call("POST", "/api/entries", { text: "Plays the tuba", path: "people/tomas.md" })).status).toBe(422);
  expect((await call("POST", "/api/entries", { text: "Plays the tuba", path: "people/rein.md" })).status).toBe(200);
});

test("the same fact goes from every file, from a longer line and from prose; what else stood there stays", async () => {
  const { id } = await remember("Is allergic to mango");
  await remember("Allergic to mango", "health.md");
  const made = await call(
    "PUT",
    "/api/memory/files/summary.md",
    "# Summary\n\nAda reads a lot. She is allergic to mango. She sails.\n\n- Vegetarian, allergic to mango, plays the accordion\n- Is allergic to mango. Works in Lyon.\n- Is allergic to mango and grapes\n",
    { "If-None-Match": "*" },
  );
  expect(made.status).toBe(200);
  const answer = (await forget({ id })).body;
  expect((await file("summary.md")).text.replace(/ \[[^\]]*\]/g, "")).toBe(
    "# Summary\n\nAda reads a lot. She sails.\n\n- Vegetarian, plays the accordion\n- Works in Lyon.\n- Is allergic to mango and grapes\n",
  );
  expect((await file("health.md")).text).not.toContain("mango");
  expect(answer.candidates.map((one: any) => one.text)).toEqual(["Is allergic to mango and grapes"]);
  expect((await call("GET", "/api/check")).body.problems).toEqual([]);
});

test("children of a forgotten line stay, outdented", async () => {
  await call(
    "PUT",
    "/api/memory/files/list.md",
    "# List\n\n- Mango allergy [id: parent01]\n  - Sees Doctor Reyes [id: child001]\n    - On Mondays [id: child002]\n- Sails [id: other001]\n",
    { "If-None-Match": "*" },
  );
  await forget({ id: "parent01" });
  expect((await file("list.md")).text.replace(/; added: [^\]]*/g, "")).toBe(
    "# List\n\n- Sees Doctor Reyes [id: child001]\n  - On Mondays [id: child002]\n- Sails [id: other001]\n",
  );
});

test("forgetting the whole memory asks first", async () => {
  await remember("Is allergic to mango");
  await remember("Is a neighbour", "people/tomas.md");
  for (const query of ["everything", "Forget everything", "everything about me", "all of it"]) {
    const asked = await forget({ query, all: true });
    expect(asked.status, query).toBe(409);
    expect(asked.body.error, query).toMatchObject({ code: "needs-click", details: { lines: 2 } });
  }
  expect(await texts()).toHaveLength(2);
  const answer = await forget({ query: "everything", all: true, confirm: "forget everything" });
  expect(answer.body.removed).toHaveLength(2);
  expect(await texts()).toEqual([]);
});

test.each([
  [{}, 400],
  [{ id: "abcd1234", query: "both" }, 400],
  [{ query: "   " }, 400],
  [{ id: "NOT AN ID" }, 400],
  [{ id: "nothere1" }, 404],
  [{ query: "x", tz: "Mars/Olympus" }, 400],
  [{ query: "x".repeat(2000) }, 400],
])("a request that means nothing is refused with a sentence: %j", async (body, status) => {
  await remember("Plays the accordion");
  const answer = await forget(body);
  expect(answer.status).toBe(status);
  expect(answer.body.error.message.length).toBeGreaterThan(15);
  expect(await texts()).toHaveLength(1);
});

test("what nothing fits removes nothing and says so by an empty list", async () => {
  await remember("Plays the accordion");
  expect((await forget({ query: "my yacht" })).body).toMatchObject({ removed: [], candidates: [], receipt: null });
});

test("a forget that is asked for again is answered, and a repeated request forgets once", async () => {
  const { id } = await remember("Is allergic to mango");
  const first = await call("POST", "/api/forget", { id }, { "Idempotency-Key": "once" });
  const again = await call("POST", "/api/forget", { id }, { "Idempotency-Key": "once" });
  expect(again.body.receipt).toBe(first.body.receipt);
  expect(JSON.stringify(again.body)).not.toContain("mango");
  expect(await forgotten()).toHaveLength(1);
  expect((await forget({ id })).body.error.message).toContain("forgotten already");
});

test("500 tombstones fill a file, the next goes into another", async () => {
  const lines = Array.from(
    { length: 502 },
    (_, n) => `- Owns the brass clock number ${n + 1000} [id: ${`c${n}`.padEnd(8, "x")}]`,
  );
  await call("PUT", "/api/memory/files/clocks.md", `# Clocks\n\n${lines.join("\n")}\n`, { "If-None-Match": "*" });
  const answer = await forget({ query: "clock", all: true });
  expect(answer.body.removed).toHaveLength(502);
  expect((await file("forgotten.md")).text.match(/\(forgotten\)/g)).toHaveLength(500);
  expect((await file("forgotten/2.md")).text.match(/\(forgotten\)/g)).toHaveLength(2);
  expect((await call("POST", "/api/entries", { text: "Owns the brass clock number 1501" })).body.error.code).toBe("forgotten");
  expect((await call("POST", "/api/entries", { text: "Owns the brass clock number 2501" })).status).toBe(200);
});

test("a forget can be taken back as a whole", async () => {
  await remember("Is a neighbour", "people/tomas.md");
  await remember("Plays the tuba", "people/tomas.md");
  const before = await texts();
  const { receipt } = (await forget({ query: "Tomas", all: true })).body;
  expect(await texts()).toEqual([]);
  const undone = await call("POST", `/api/receipts/${receipt}/undo`, {});
  expect(undone.status).toBe(200);
  expect(await texts()).toEqual(before);
  expect(await forgotten()).toEqual([]);
  expect((await call("GET", "/api/check")).body.problems).toEqual([]);
});

// Dreams over HTTP, with the offline model: what a newcomer without a key gets.
import { env } from "cloudflare:workers";
import { reset } from "cloudflare:test";
import { afterEach, expect, test } from "vitest";
import { call, inside } from "../memory/support.ts";
import { answer, FINISH, say, script, writeAs } from "./support.ts";

afterEach(() => reset());

const me = () => env.MemoryAgent.getByName("me");
const ended = () => inside(me(), (agent) => agent.dreams.idle());

test("what was said and not saved is found by a dream, shown before, reported after, taken back on demand", async () => {
  expect((await call("POST", "/api/dream", { dryRun: true })).body).toEqual({ messages: 0, notes: 0, tokens: 0, usd: 0 });
  const refs = await inside(me(), (agent) => [
    say(agent, "My sister Ana is a nurse; she moved to Porto in March.", { at: Date.parse("2026-10-04T18:00:00Z") }),
    say(agent, "I'm allergic to walnuts.", { at: Date.parse("2026-10-04T18:05:00Z") }),
  ]);
  const before = await call("POST", "/api/dream", { dryRun: true });
  expect(before.status).toBe(200);
  expect(before.body).toMatchObject({ messages: 2, notes: 0, usd: 0 });
  expect(before.body.tokens).toBeGreaterThan(500);

  const started = await call("POST", "/api/dream", {});
  expect(started.status).toBe(202);
  expect(started.body).toEqual({
    id: expect.stringMatching(/^[a-z0-9]{8}$/),
    status: expect.stringMatching(/^(queued|running)$/),
  });
  await ended();
  const page = await call("GET", `/api/dreams/${started.body.id}`);
  expect(page.body).toMatchObject({
    status: "landed",
    trigger: "user",
    undone: false,
    usd: 0,
    items: refs.map((ref) => ({ ref, state: "settled" })),
  });
  expect(page.body.calls).toBeGreaterThanOrEqual(1);
  expect(page.body.log.length).toBeGreaterThan(2);
  const found = await call("GET", "/api/entries?q=walnuts");
  expect(found.body.items).toMatchObject([{ sources: [refs[1]], added: "2026-10-04" }]);
  const commit = await call("GET", `/api/history/${page.body.commit}`);
  expect(commit.body).toMatchObject({ kind: "dream", ref: `dream/${started.body.id}` });

  const again = await call("POST", "/api/dream", {});
  await ended();
  expect((await call("GET", `/api/dreams/${again.body.id}`)).body).toMatchObject({ status: "nothing", calls: 0 });
  expect((await call("GET", "/api/dreams?limit=1")).body).toMatchObject({
    items: [{ id: again.body.id }],
    next: expect.any(String),
  });

  const undone = await call("POST", `/api/dreams/${started.body.id}/undo`, {});
  expect(undone.body).toMatchObject({ undone: true });
  expect((await call("GET", "/api/entries?q=walnuts")).body.items).toEqual([]);
  expect((await call("POST", `/api/dreams/${started.body.id}/undo`, {})).status).toBe(409);
});

test("refuses what cannot be with a code and a sentence", async () => {
  expect((await call("GET", "/api/dreams/zzzzzzzz")).status).toBe(404);
  expect((await call("GET", "/api/dreams/no-id")).status).toBe(400);
  expect((await call("POST", "/api/dreams/zzzzzzzz/accept", {})).status).toBe(404);
  expect((await call("POST", "/api/dream", { mode: "wild" })).body).toMatchObject({ error: { code: "bad-format" } });
  expect((await call("POST", "/api/dream", "{")).status).toBe(400);
});

test("only what the user said waits: no answer, no recalled line, no second try, nothing of a temporary conversation or a memory that is off", async () => {
  const chat = async (message: string, more: object = {}) =>
    (await call("POST", "/api/chat", { message, tz: "UTC", ...more })).body;
  const first = await chat("My sister Ana lives in Porto.");
  await chat("Where does my sister live?", { thread: first.thread });
  const again = await call("POST", `/api/threads/${first.thread}/regenerate`, {});
  expect(again.status).toBeLessThan(300);
  await chat("I keep a secret diary in the attic.", { temporary: true });
  await call("PATCH", "/api/settings", { memory: "off" });
  await chat("I own a red kayak.", { thread: first.thread });
  await call("PATCH", "/api/settings", { memory: "on" });
  expect((await call("POST", "/api/dream", { dryRun: true })).body.messages).toBe(2);
  const calls = await inside(me(), (agent) => script(agent, () => answer([FINISH])));
  await call("POST", "/api/dream", {});
  await ended();
  const inbox = /<inbox \S+>\n([\s\S]*?)\n<\/inbox/.exec(calls[0]!.messages[1]!.content!)![1]!;
  expect(inbox.split("\n").flatMap((line) => / user\] (.*)$/.exec(line)?.[1] ?? [])).toEqual([
    "My sister Ana lives in Porto.",
    "Where does my sister live?",
  ]);
  expect(inbox).not.toMatch(/kayak|diary/);
});

test("the user's own instructions stand in the prompt, and their days decide what is unused", async () => {
  await call("PATCH", "/api/settings", { dream: { instructions: "Never touch recipes.", unusedDays: 30 } });
  const calls = await inside(me(), (agent) => {
    writeAs(
      agent,
      { kind: "import", typed: false, at: Date.now() - 45 * 86_400_000 },
      { op: "add", path: "about/boats.md", text: "Keeps a dinghy at the lake" },
    );
    say(agent, "Good night.");
    return script(agent, () => answer([FINISH]));
  });
  await call("POST", "/api/dream", {});
  await ended();
  const [system, user] = calls[0]!.messages;
  expect(system!.content).toContain("Never touch recipes.");
  expect(user!.content).toMatch(/Not used for 30 days[^\n]*\n- [a-z0-9]{8}: Keeps a dinghy/);
});

test("what three dreams could not read is shown with its reason, and read again when asked for", async () => {
  const ref = await inside(me(), (agent) => {
    script(agent, () => answer([], { text: "I would rather talk." }));
    return say(agent, "I have planted a fig tree.");
  });
  for (let n = 0; n < 3; n += 1) {
    await call("POST", "/api/dream", {});
    await ended();
  }
  const aside = (await call("POST", "/api/dream", { dryRun: true })).body;
  expect(aside).toEqual({
    messages: 0,
    notes: 0,
    tokens: 0,
    usd: 0,
    setAside: [{ ref, text: "I have planted a fig tree.", tries: 3, reason: expect.stringContaining("prose") }],
  });
  await inside(me(), (agent) =>
    script(agent, (each) =>
      answer(
        each.messages.some(({ role }) => role === "assistant")
          ? [FINISH]
          : [["add", { path: "garden.md", text: "Has planted a fig tree", sources: [ref] }]],
      ),
    ),
  );
  const { id } = (await call("POST", "/api/dream", { retry: true })).body;
  await ended();
  expect((await call("GET", `/api/dreams/${id}`)).body).toMatchObject({ status: "landed", items: [{ ref, outcome: "landed" }] });
  expect((await call("POST", "/api/dream", { dryRun: true })).body).toEqual({ messages: 0, notes: 0, tokens: 0, usd: 0 });
});

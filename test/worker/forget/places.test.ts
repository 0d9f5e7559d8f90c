// What forgetting takes out of conversations, notes and dreams, sentence by sentence; what depends on it; faults; secrets; deleting everything.
import { env } from "cloudflare:workers";
import { reset } from "cloudflare:test";
import { afterEach, expect, test } from "vitest";
import type { MemoryAgent } from "../../../src/server/memory/agent.ts";
import { check } from "../../../src/server/memory/check.ts";
import { forgetFacts } from "../../../src/server/memory/forget.ts";
import { rebuildSlice, startRebuild } from "../../../src/server/memory/rebuild.ts";
import { patchSettings } from "../../../src/server/memory/settings.ts";
import { addUserMessage, messagesOf, putReply } from "../../../src/server/memory/transcripts.ts";
import { createThread, findThread } from "../../../src/server/memory/threads.ts";
import { cleanReply } from "../../../src/server/memory/forget-reply.ts";
import { write } from "../../../src/server/memory/writer.ts";
import { searchTokens } from "../../../src/shared/words.ts";
import { call, change, dump, faulty, freshMemory, inside, landed, NOW } from "../memory/support.ts";

afterEach(() => reset());

const ask = (parts: object) => ({ all: false, source: null, actor: "user" as const, at: NOW, zone: "UTC", ...parts });

/** A conversation with these messages, user first. */
function talk(agent: MemoryAgent, thread: string, said: readonly string[]): void {
  const { sql } = agent.memory;
  createThread(sql, { id: thread, at: NOW, scope: null });
  said.forEach((text, at) => {
    if (at % 2 === 0)
      addUserMessage(
        sql,
        { thread, text, at: NOW + at, zone: "UTC", pasted: [], secrets: [], learn: true, nonce: null },
        searchTokens,
      );
    else
      putReply(
        sql,
        {
          thread,
          reply: `m${at + 1}`,
          text,
          at: NOW + at,
          zone: "UTC",
          actions: [],
          recalled: [],
          usage: null,
          status: "done",
          error: null,
        },
        true,
        searchTokens,
      );
  });
}

const texts = (agent: MemoryAgent, thread: string) => messagesOf(agent.memory.sql, thread).map(({ text }) => text);

test("sentences that state the fact or asked for it go; their neighbours, and talk of other things, stay", async () => {
  await inside(freshMemory(), (agent) => {
    talk(agent, "aaaa1111", [
      "My left knee has been bad since the fall. I also sail at weekends.",
      "Noted: you have a bad left knee. Sailing sounds fine.",
      "What should I do about the boat?",
      "Paint it.",
      "Please forget what I told you about my knee. And remind me of the boat.",
      "I have forgotten your knee. The boat needs paint.",
    ]);
    talk(agent, "bbbb2222", [
      "I have a bad left knee, you know.",
      "You have a bad left knee. Shall I say so?",
      "The table has a bad left leg.",
      "Glue it.",
    ]);
    landed(
      write(
        agent.memory,
        change({ edits: [{ op: "add", text: "Has a bad left knee" }], source: "thread/aaaa1111#m1", kind: "chat" }),
      ),
    );
    const answer = forgetFacts(agent.forgetter, ask({ query: "knee", source: "thread/aaaa1111#m5" }));
    expect(answer).toMatchObject({ ok: true });
    expect(texts(agent, "aaaa1111")).toEqual([
      "[forgotten] I also sail at weekends.",
      "[forgotten] Sailing sounds fine.",
      "What should I do about the boat?",
      "Paint it.",
      "[forgotten] And remind me of the boat.",
      "[forgotten] The boat needs paint.",
    ]);
    expect(texts(agent, "bbbb2222")).toEqual([
      "[forgotten]",
      "[forgotten] Shall I say so?",
      "The table has a bad left leg.",
      "Glue it.",
    ]);
    expect(findThread(agent.memory.sql, "aaaa1111")!.title).not.toMatch(/knee/);
    expect(findThread(agent.memory.sql, "bbbb2222")!.title).not.toMatch(/knee/);
    const hits = agent.memory.sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM messages WHERE text LIKE '%knee%'").one().n;
    expect(hits).toBe(0);
  });
});

test("an answer that comes later does not say it again; one that knows nothing of it is stored as it is", async () => {
  await inside(freshMemory(), (agent) => {
    landed(write(agent.memory, change({ edits: [{ op: "add", text: "Has a bad left knee" }] })));
    expect(forgetFacts(agent.forgetter, ask({ query: "knee", source: "thread/aaaa1111#m5" }))).toMatchObject({ ok: true });
    const end = (reply: string, text: string) => ({
      thread: "aaaa1111",
      reply,
      text,
      at: NOW,
      zone: "UTC",
      actions: [],
      recalled: [],
      usage: null,
      status: "done" as const,
      error: null,
    });
    expect(cleanReply(agent.memory, end("m6", "Your knee is forgotten. Anything else?")).text).toBe("[forgotten] Anything else?");
    expect(cleanReply(agent.memory, end("m8", "You have a bad left knee! Sail on.")).text).toBe("[forgotten] Sail on.");
    expect(cleanReply(agent.memory, end("m8", "My knee-jerk answer is paint.")).text).toBe("My knee-jerk answer is paint.");
  });
});

test("notes, standing instructions, kept answers and recalled lines lose it, too", async () => {
  const saved = await call(
    "POST",
    "/api/entries",
    { text: "Plays the tuba", path: "people/tomas.md" },
    { "Idempotency-Key": "once" },
  );
  const { id } = saved.body.entries[0].entry;
  await call("POST", "/api/notes", { title: "Tomas", text: "Plays the tuba. Owes me a ladder." });
  await call("POST", "/api/notes", { title: "Wilma", text: "Plays the tuba." });
  const stub = env.MemoryAgent.getByName("me");
  await inside(stub, (agent) => {
    patchSettings(agent.memory.sql, { instructions: "Be brief. Tomas plays the tuba, so do not ask him to sing." });
    talk(agent, "cccc3333", ["Who makes music?", "Tomas does."]);
    agent.memory.sql.exec(
      "UPDATE messages SET recalled = ? WHERE thread = 'cccc3333' AND n = 2",
      JSON.stringify([
        { id, path: "people/tomas.md", text: "Plays the tuba", chain: "Plays the tuba", sources: [], state: "open" },
      ]),
    );
  });
  const { receipt } = (await call("POST", "/api/forget", { id })).body;
  const notes = (await call("GET", "/api/notes")).body.items as { title: string; text: string }[];
  expect(notes.map(({ title, text }) => `${title}: ${text}`).sort()).toEqual([
    "Tomas: [forgotten] Owes me a ladder.",
    "Wilma: Plays the tuba.",
  ]);
  expect((await call("GET", "/api/settings")).body.instructions).toBe("Be brief. [forgotten]");
  expect((await call("GET", "/api/threads/cccc3333")).body.items[1].recalled).toEqual([]);
  const again = await call(
    "POST",
    "/api/entries",
    { text: "Plays the tuba", path: "people/tomas.md" },
    { "Idempotency-Key": "once" },
  );
  expect(JSON.stringify(again.body)).not.toContain("tuba");
  const rows = (await call("GET", `/api/receipts/${receipt}`)).body.rows as { place: string; before: number; now: number }[];
  expect(Object.fromEntries(rows.map(({ place, before, now }) => [place, [before, now]]))).toMatchObject({
    Conversations: [1, 0],
    Notes: [1, 0],
    "Standing instructions": [1, 0],
    "Answers kept for repeated requests": [1, 0],
  });
});

test("a proposal that states it waits no longer, and a running dream's plan loses it", async () => {
  await inside(freshMemory(), (agent) => {
    landed(
      write(
        agent.memory,
        change({
          edits: [
            { op: "add", text: "Has a bad left knee" },
            { op: "add", text: "Sails" },
          ],
        }),
      ),
    );
    const dreams = agent.dreams;
    const { sql } = agent.memory;
    const change1 = (n: number, text: string) => ({
      n,
      edit: { op: "add", text },
      by: "model",
      seen: {},
      reason: "It was said",
      evidence: [],
      status: "proposed",
      heldBack: null,
      changes: [],
    });
    sql.exec(
      "INSERT INTO dreams (id, status, started_at, doc) VALUES ('dream001', 'proposed', 1, ?)",
      JSON.stringify({
        id: "dream001",
        status: "proposed",
        startedAt: 1,
        planned: [
          { n: 1, edit: { op: "add", text: "Has a bad left knee, the left one" } },
          { n: 2, edit: { op: "add", text: "Sails" } },
        ],
        heldBack: [],
        items: [],
        commits: [],
        summary: "",
      }),
    );
    sql.exec(
      "INSERT INTO dream_changes (dream, n, doc) VALUES ('dream001', 1, ?), ('dream001', 2, ?)",
      JSON.stringify(change1(1, "Has a bad left knee, the left one")),
      JSON.stringify(change1(2, "Sails at weekends")),
    );
    expect(forgetFacts(agent.forgetter, ask({ query: "knee" }))).toMatchObject({ ok: true });
    const changes = sql
      .exec<{ doc: string }>("SELECT doc FROM dream_changes ORDER BY n")
      .toArray()
      .map(({ doc }) => JSON.parse(doc));
    expect(changes[0]).toMatchObject({ status: "held-back", edit: null });
    expect(changes[1]).toMatchObject({ status: "proposed", edit: { text: "Sails at weekends" } });
    const row = JSON.parse(sql.exec<{ doc: string }>("SELECT doc FROM dreams WHERE id = 'dream001'").one().doc);
    expect(row.planned).toHaveLength(1);
    expect(JSON.stringify(sql.exec<{ doc: string }>("SELECT doc FROM dreams").toArray())).not.toMatch(/knee/);
    expect(dreams).toBeDefined();
  });
});

test("what depends on a forgotten or closed line is offered once, shown until confirmed, over several steps and in a circle", async () => {
  const day = "added: 2026-01-05";
  await call(
    "PUT",
    "/api/memory/files/life.md",
    `# Life

- Works at Harbour Ltd [id: job00001; ${day}]
- Takes the 7:40 ferry to work [id: ferry001; ${day}; depends: job00001; depends: coffee01]
- Has coffee at the ferry pier [id: coffee01; ${day}; depends: ferry001]
- Reads maps [id: maps0001; ${day}]
`,
    { "If-None-Match": "*" },
  );
  const waiting = () =>
    call("GET", "/api/entries?path=life.md").then(({ body }) =>
      (body.items as any[])
        .filter((one) => one.toCheck)
        .map((one) => one.id)
        .sort(),
    );
  expect(await waiting()).toEqual([]);
  const closed = await call("POST", "/api/entries/job00001/close", { why: "changed" });
  expect(closed.body.warnings).toHaveLength(2);
  expect(closed.body.warnings.join()).toMatch(/7:40 ferry.*may be out of date/);
  expect(await waiting()).toEqual(["coffee01", "ferry001"]);
  const other = await call("POST", "/api/entries", { text: "Paints boats", path: "life.md" });
  expect(other.body.warnings).toBeUndefined();
  await call("POST", "/api/entries/ferry001/confirm", {});
  expect(await waiting()).toEqual(["coffee01"]);
  await call("POST", "/api/entries/coffee01/confirm", {});
  expect(await waiting()).toEqual([]);
  const gone = await call("POST", "/api/forget", { id: "maps0001" });
  expect(gone.body.toCheck).toEqual([]);
  await call("POST", "/api/entries", { text: "Knows the captain", path: "people/captain.md", depends: ["coffee01"] });
  const coffee = await call("POST", "/api/forget", { id: "coffee01" });
  expect(coffee.body.toCheck.map((one: any) => one.text)).toContain("Knows the captain");
  expect(coffee.body.toCheck[0].chain).toMatch(/may be out of date/);
});

test("a forget that storage stops at any statement leaves everything as it was", async () => {
  await inside(freshMemory(), (agent) => {
    talk(agent, "aaaa1111", ["I have a bad left knee. I sail.", "Noted: you have a bad left knee."]);
    const ctx = agent.memory;
    landed(
      write(
        ctx,
        change({
          edits: [
            { op: "add", text: "Has a bad left knee" },
            { op: "add", text: "Sails" },
          ],
          source: "thread/aaaa1111#m1",
          kind: "chat",
        }),
      ),
    );
    const { forgetter } = agent;
    const before = JSON.stringify([...dump(ctx.sql)]);
    let points = 0;
    // Once, and from there on.
    for (let k = 1; ; k++) {
      const broken = faulty(ctx, k, "SQLITE_FULL: database or disk is full", k % 3 === 0);
      const answer = forgetFacts({ ...forgetter, ctx: broken.ctx }, ask({ query: "knee", source: "thread/aaaa1111#m1" }));
      if (answer.ok) break;
      points++;
      expect(answer.code).toBe("storage-full");
      expect(JSON.stringify([...dump(ctx.sql)]) === before, `statement ${k}`).toBe(true);
    }
    console.log(`forget: ${points} faults, each as before`);
    expect(points).toBeGreaterThanOrEqual(5);
    expect(check(ctx).problems).toEqual([]);
  });
}, 300_000);

test("secrets that stand in a memory are listed by their place and erased everywhere", async () => {
  const stub = env.MemoryAgent.getByName("me");
  const KEY = "AKIAIOSFODNN7EXAMPLQ";
  await inside(stub, (agent) => {
    const ctx = agent.memory;
    landed(
      write(
        ctx,
        change({ files: { "keys.md": "# Keys\n\n- Sails [id: sails001]\n- The key is kept elsewhere [id: keys0001]\n" } }),
      ),
    );
    // As a time before the rule left it: past the gate, straight into git.
    const text = `# Keys\n\n- Sails [id: sails001]\n- The key of the boat is ${KEY} [id: keys0001]\n`;
    const head = ctx.store.ref("refs/heads/main")!;
    return import("../../../src/server/git/repo.ts").then(({ commitChanges }) => {
      const person = { name: "Ada", email: "ada@example.org", at: NOW, tz: "+0000" };
      const { commit } = commitChanges(ctx.store, {
        parent: head,
        changes: new Map([["keys.md", new TextEncoder().encode(text)]]),
        author: person,
        committer: person,
        message: `Key ${KEY}\n`,
      });
      ctx.store.moveRef("refs/heads/main", head, commit, { kind: "push", actor: "user", at: NOW });
      startRebuild(ctx);
      while (!rebuildSlice(ctx));
      talk(agent, "aaaa1111", ["The boat.", "Yes."]);
      ctx.sql.exec("UPDATE messages SET text = ? WHERE n = 1", `The key is ${KEY}, keep it.`);
    });
  });
  const found = (await call("GET", "/api/secrets")).body;
  expect(found.items).toMatchObject([{ path: "keys.md", line: 4, id: "keys0001" }]);
  expect(JSON.stringify(found)).not.toContain(KEY);
  const erased = await call("POST", "/api/secrets/erase", {});
  expect(erased.body).toMatchObject({ done: true });
  const receipt = (await call("GET", `/api/receipts/${erased.body.receipt}`)).body;
  expect(receipt.rows.every((row: any) => row.now === 0)).toBe(true);
  expect(receipt.rows.find((row: any) => row.place === "Files of the memory").before).toBe(1);
  expect((await call("GET", "/api/memory/files/keys.md")).text).toContain("[secret:");
  expect((await call("GET", "/api/secrets")).body.items).toEqual([]);
  expect((await call("POST", "/api/secrets/erase", {})).body).toEqual({ receipt: null, done: true });
  const raw = await inside(stub, (agent) => JSON.stringify([...dump(agent.memory.sql)]));
  expect(raw).not.toContain(KEY);
  expect((await call("GET", "/api/check")).body).toMatchObject({ ok: true });
});

test("everything is deleted by one confirmed request, with a receipt, and the app goes on empty", async () => {
  const lines = Array.from(
    { length: 2_000 },
    (_, n) => `- Owns the brass clock number ${n + 1000} [id: ${`c${n}`.padEnd(8, "x")}]`,
  );
  for (let from = 0; from < 2_000; from += 500)
    await call("PUT", `/api/memory/files/clocks/${from}.md`, `# Clocks\n\n${lines.slice(from, from + 500).join("\n")}\n`, {
      "If-None-Match": "*",
    });
  await call("POST", "/api/notes", { title: "Boat", text: "Paint it." });
  await call("POST", "/api/forget", { query: "clock number 1001" });
  const stub = env.MemoryAgent.getByName("me");
  await inside(stub, (agent) => talk(agent, "aaaa1111", ["The boat.", "Yes."]));
  const refusedAt = await call("DELETE", "/api/me", {});
  expect(refusedAt.status).toBe(400);
  expect((await call("DELETE", "/api/me", { confirm: "yes" })).status).toBe(400);
  const started = performance.now();
  const deleted = await call("DELETE", "/api/me", { confirm: "delete everything" });
  console.log(`delete everything, 2,000 facts: ${Math.round(performance.now() - started)} ms`);
  expect(deleted.status).toBe(200);
  const rows = Object.fromEntries(deleted.body.rows.map((row: any) => [row.place, [row.before, row.now]]));
  expect(rows).toMatchObject({
    "Lines of the memory": [1999, 0],
    Conversations: [1, 0],
    "Messages and replies": [2, 0],
    Notes: [1, 0],
    Tombstones: [1, 0],
  });
  for (const row of deleted.body.rows) expect(row.now).toBe(0);
  expect((await call("GET", "/api/memory")).body).toEqual({ head: null, files: [] });
  expect((await call("GET", "/api/threads")).body.items).toEqual([]);
  expect((await call("GET", "/api/forgotten")).body.items).toEqual([]);
  expect((await call("POST", "/api/entries", { text: "Owns the brass clock number 1001" })).status).toBe(200);
  expect((await call("GET", "/api/check")).body).toMatchObject({ ok: true });
});

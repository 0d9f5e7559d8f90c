// Erasing: out of every object, every row and the file itself; resumed at each slice; everything else as it was.
import { env } from "cloudflare:workers";
import { reset } from "cloudflare:test";
import { afterEach, expect, test } from "vitest";
import type { MemoryAgent } from "../../../src/server/memory/agent.ts";
import { listFiles, readTextAt } from "../../../src/server/git/repo.ts";
import { inflateObject } from "../../../src/server/git/store.ts";
import { check } from "../../../src/server/memory/check.ts";
import { eraseSlice, isErasing } from "../../../src/server/memory/erase.ts";
import { forgetFacts } from "../../../src/server/memory/forget.ts";
import { rebuildSlice, startRebuild } from "../../../src/server/memory/rebuild.ts";
import { revert } from "../../../src/server/memory/revert.ts";
import { write } from "../../../src/server/memory/writer.ts";
import { call, change, dump, freshMemory, inside, landed, NOW } from "../memory/support.ts";

afterEach(() => reset());

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const CANARY = /zanzibar|quokka/i;

/** Everything that one object holds, with objects inflated, as one text. */
function everything(agent: MemoryAgent): string {
  const rows = [...dump(agent.memory.sql)].map(([table, lines]) => `${table}\n${lines.join("\n")}`).join("\n");
  const objects = [...agent.memory.store.scan(0, 1_000_000)].map((row) => utf8.decode(inflateObject(row as never)));
  return `${rows}\n${objects.join("\n")}`;
}

async function eraseAll(agent: MemoryAgent): Promise<number> {
  let slices = 1;
  while (!(await eraseSlice(agent.eraser))) slices++;
  return slices;
}

/** A memory with a history: the fact said, moved, reworded, surrounded by others, and left in a pushed message. */
function fill(agent: MemoryAgent): void {
  const ctx = agent.memory;
  landed(
    write(
      ctx,
      change({
        files: {
          "MEMORY.md": "# Memory\n\n- Sails at weekends [id: sails001]\n",
          "people/wilma.md": "# Wilma\n\n- Plays the harp [id: harp0001]\n",
        },
      }),
    ),
  );
  landed(
    write(
      ctx,
      change({
        edits: [{ op: "add", text: "Keeps a quokka called Zanzibar", path: "pets.md" }],
        message: "Said that the user keeps a quokka called Zanzibar",
      }),
    ),
  );
  landed(write(ctx, change({ edits: [{ op: "add", text: "Reads maps", path: "pets.md" }] })));
  landed(
    write(ctx, change({ edits: [{ op: "add", text: "Keeps a quokka called Zanzibar. Sleeps late.", path: "notes/long.md" }] })),
  );
  landed(
    write(ctx, change({ files: { "prose.md": "# Prose\n\nOne sentence. Keeps a quokka called Zanzibar. Another one.\n" } })),
  );
  landed(write(ctx, change({ edits: [{ op: "move", id: idOf(agent, "Reads maps"), path: "hobbies.md" }] })));
}

const idOf = (agent: MemoryAgent, text: string): string =>
  agent.memory.sql.exec<{ id: string }>("SELECT id FROM entries WHERE text = ?", text).one().id;
const ask = (parts: object) => ({ all: false, source: null, actor: "user" as const, at: NOW, zone: "UTC", ...parts });

test("an erased fact stands in no object, no row and no old commit; every other byte of the head stays", async () => {
  await inside(freshMemory(), async (agent) => {
    fill(agent);
    const forgot = forgetFacts(agent.forgetter, ask({ query: "Keeps a quokka called Zanzibar", erase: true }));
    if (!forgot.ok) throw new Error(forgot.message);
    const ctx = agent.memory;
    const head = ctx.store.ref("refs/heads/main")!;
    const files = [...listFiles(ctx.store, head)].map(({ path, oid }) => `${path} ${oid}`);
    const commits = ctx.sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM commits").one().n;
    expect(everything(agent)).toMatch(CANARY);
    const slices = await eraseAll(agent);
    const now = ctx.store.ref("refs/heads/main")!;
    expect(now).not.toBe(head);
    expect([...listFiles(ctx.store, now)].map(({ path, oid }) => `${path} ${oid}`)).toEqual(files);
    expect(ctx.sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM commits").one().n).toBe(commits);
    expect(ctx.store.has(head)).toBe(false);
    expect(everything(agent)).not.toMatch(CANARY);
    expect(check(ctx).problems).toEqual([]);
    console.log(`erase of ${commits} commits: ${slices} slices`);
    const receipt = (await agent.forgetting("receipt", [forgot.receipt])) as any;
    expect(receipt.value).toMatchObject({ kind: "erase", done: true });
    expect(
      receipt.value.rows.map((row: any) => row.now).every((count: number) => count === 0),
      JSON.stringify(receipt.value.rows),
    ).toBe(true);
    expect(receipt.value.rows.find((row: any) => row.place.startsWith("Objects")).before).toBeGreaterThan(2);
    expect(receipt.value.stays.join(" ")).toMatch(/Clones made before that day/);
  });
});

test("the index after an erase is the one that a rebuild makes, and the history still reverts", async () => {
  await inside(freshMemory(), async (agent) => {
    fill(agent);
    forgetFacts(agent.forgetter, ask({ query: "Keeps a quokka called Zanzibar", erase: true }));
    await eraseAll(agent);
    const ctx = agent.memory;
    const skip = ["facts", "git_objects", "git_commits"];
    const before = dump(ctx.sql, skip);
    startRebuild(ctx);
    while (!rebuildSlice(ctx));
    expect([...dump(ctx.sql, skip)]).toEqual([...before]);
    const moved = ctx.sql
      .exec<{ oid: ArrayBuffer }>("SELECT oid FROM commits WHERE moved > 0 OR added > 0 ORDER BY seq")
      .toArray()
      .map(({ oid }) => Buffer.from(oid).toString("hex"));
    const back = revert(ctx, moved.at(-2)!, { actor: "user", at: NOW, zone: "UTC" });
    expect(back.ok, JSON.stringify(back)).toBe(true);
  });
});

test("saves between the slices are kept, in the new history and in the index", async () => {
  await inside(freshMemory(), async (agent) => {
    fill(agent);
    const ctx = agent.memory;
    forgetFacts(agent.forgetter, ask({ query: "Keeps a quokka called Zanzibar", erase: true }));
    const said: string[] = [];
    for (let n = 0; !(await eraseSlice(agent.eraser)); n++) {
      const text = `Saved in between, number ${n}`;
      said.push(text);
      landed(write(ctx, change({ edits: [{ op: "add", text, path: `between/${n % 3}.md` }] })));
      expect(check(ctx).problems).toEqual([]);
    }
    expect(said.length).toBeGreaterThan(5);
    const now = ctx.store.ref("refs/heads/main")!;
    const all = [...listFiles(ctx.store, now)].map(({ path }) => readTextAt(ctx.store, now, path)).join("\n");
    for (const text of said) expect(all).toContain(text);
    expect(everything(agent)).not.toMatch(CANARY);
    expect(isErasing(ctx.sql)).toBe(false);
  });
});

test("an erase that storage stops at any statement goes on to the same end", async () => {
  let points = 0;
  await inside(freshMemory(), async (agent) => {
    fill(agent);
    forgetFacts(agent.forgetter, ask({ query: "Keeps a quokka called Zanzibar", erase: true }));
    const ctx = agent.memory;
    // Stops each slice at a statement a little further on, then lets it through.
    for (let step = 0; ; step++) {
      let done: boolean | null = null;
      for (let k = 1 + (step % 5); done === null; k += 7) {
        let calls = 0;
        const exec = (query: string, ...bindings: never[]) => {
          if (++calls === k) throw new Error("SQLITE_FULL: database or disk is full");
          return ctx.sql.exec(query, ...bindings);
        };
        const sql = { exec } as unknown as typeof ctx.sql;
        const before = dump(ctx.sql, ["facts"]);
        try {
          done = await eraseSlice({ ...agent.eraser, ctx: { ...ctx, sql, store: ctx.reopen(sql) } });
        } catch (error) {
          expect(String(error)).toContain("SQLITE_FULL");
          points++;
          for (const [table, rows] of dump(ctx.sql, ["facts"]))
            expect(rows.join("\n") === before.get(table)?.join("\n"), `${table}, statement ${k}`).toBe(true);
          const head = ctx.store.ref("refs/heads/main")!;
          expect(ctx.store.typeOf(head)).toBe("commit");
        }
      }
      if (done) break;
    }
    expect(everything(agent)).not.toMatch(CANARY);
    expect(check(ctx).problems).toEqual([]);
  });
  console.log(`erase: ${points} faults, each slice as before`);
  expect(points).toBeGreaterThan(20);
}, 300_000);

test("through HTTP: forget and erase at once, or erase what was forgotten before", async () => {
  const add = async (text: string, path?: string) =>
    (await call("POST", "/api/entries", { text, ...(path ? { path } : {}) })).body.entries[0].entry.id as string;
  const first = await add("Keeps a quokka called Zanzibar");
  await add("Sails at weekends");
  const old = (await call("GET", "/api/memory")).body.head;
  const once = await call("POST", "/api/forget", { id: first, erase: true });
  expect(once.status).toBe(200);
  expect((await call("GET", `/api/receipts/${once.body.receipt}`)).body).toMatchObject({ kind: "erase", done: true });
  expect((await call("GET", "/api/forgotten")).body.items).toMatchObject([{ text: null, path: null, erased: true }]);
  expect((await call("GET", `/api/history/${old}`)).status).toBe(404);
  const stale = await call("PUT", "/api/memory/files/MEMORY.md", "# Memory\n\n- New\n", { "If-Match": old });
  expect(stale.body.error).toMatchObject({ code: "conflict" });
  expect((await call("POST", "/api/entries", { text: "Keeps a quokka called Zanzibar" })).body.error).toMatchObject({
    code: "forgotten",
  });

  const second = await add("Owns a numbat called Kilimanjaro");
  await call("POST", "/api/forget", { id: second });
  const stone = (await call("GET", "/api/forgotten")).body.items.find((one: any) => !one.erased);
  expect(stone.text).toBe("Owns a numbat called Kilimanjaro");
  const erased = await call("POST", `/api/forgotten/${stone.id}/erase`, {});
  expect(erased.body).toMatchObject({ ok: true, done: true });
  expect((await call("POST", `/api/forgotten/${stone.id}/erase`, {})).body).toMatchObject({
    ok: true,
    done: true,
    receipt: erased.body.receipt,
  });
  expect((await call("POST", "/api/forgotten/nothere1/erase", {})).status).toBe(404);
  const raw = await inside(env.MemoryAgent.getByName("me"), (agent) => everything(agent));
  expect(raw).not.toMatch(/quokka|numbat|kilimanjaro|zanzibar/i);
  expect((await call("GET", "/api/check")).body).toMatchObject({ ok: true });
  expect((await call("GET", "/api/entries?state=all")).body.items.map((one: any) => one.text)).toEqual(["Sails at weekends"]);
});

test("everything about a person, erased: no path, no message, no link names them", async () => {
  const add = async (text: string, path: string) => call("POST", "/api/entries", { text, path });
  await add("Is a neighbour", "people/quokka.md");
  await add("Plays the tuba", "people/quokka.md");
  await add("[[people/quokka]]", "people/index.md");
  await add("Lent Quokka a ladder", "MEMORY.md");
  await add("Plays the harp", "people/wilma.md");
  const erased = await call("POST", "/api/forget", { query: "everything about Quokka", all: true, erase: true });
  expect(erased.body.removed).toHaveLength(4);
  const raw = await inside(env.MemoryAgent.getByName("me"), (agent) => everything(agent));
  expect(raw.match(/.{60}quokka.{60}/i)?.[0]).toBeUndefined();
  expect((await call("GET", "/api/check")).body).toMatchObject({ ok: true, problems: [] });
});

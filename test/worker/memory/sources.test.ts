// The branch of what the memory cites: what stands in it, when it is made anew, and that nothing forgotten or deleted rests in its objects.
import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { check } from "../../../src/server/memory/check.ts";
import { headOf, type MemoryContext } from "../../../src/server/memory/context.ts";
import { deleteNote, putNote, redactNotes } from "../../../src/server/memory/notes.ts";
import { rebuildSlice, startRebuild } from "../../../src/server/memory/rebuild.ts";
import { renewSources, sourcesStore, SOURCES_REPO } from "../../../src/server/memory/sources-branch.ts";
import { joinStores } from "../../../src/server/memory/sources-store.ts";
import { createThread, patchThread } from "../../../src/server/memory/threads.ts";
import { addUserMessage, deleteThread, putReply, redactTranscripts } from "../../../src/server/memory/transcripts.ts";
import { write } from "../../../src/server/memory/writer.ts";
import { readCommit } from "../../../src/server/git/log.ts";
import { packChunks } from "../../../src/server/git/pack-write.ts";
import { reach } from "../../../src/server/git/reach.ts";
import { listFiles, readTextAt } from "../../../src/server/git/repo.ts";
import { searchTokens } from "../../../src/shared/words.ts";
import { parsePack } from "../../../src/server/git/pack-read.ts";
import { change, freshMemory, inside, landed, NOW } from "./support.ts";

function say(ctx: MemoryContext, thread: string, text: string): string {
  if (ctx.sql.exec("SELECT 1 FROM threads WHERE id = ?", thread).toArray().length === 0)
    createThread(ctx.sql, { id: thread, at: NOW, scope: null });
  return addUserMessage(
    ctx.sql,
    { thread, text, at: NOW, zone: "Europe/Lisbon", pasted: [], secrets: [], learn: true, nonce: null },
    searchTokens,
  ).view.id;
}

const remember = (ctx: MemoryContext, text: string, source: string, path = "MEMORY.md") =>
  landed(write(ctx, change({ edits: [{ op: "add", text, path }], source }))).commit!;

/** The branch as a clone would hold it. */
function branch(ctx: MemoryContext): Record<string, string> {
  const head = renewSources(ctx);
  if (head === null) return {};
  const store = sourcesStore(ctx);
  expect(readCommit(store, head).parents).toEqual([]);
  return Object.fromEntries([...listFiles(store, head)].map(({ path }) => [path, readTextAt(store, head, path)!]));
}

/** All that rests in the rows of the branch, inflated. */
function resting(ctx: MemoryContext): string {
  return ctx.sql
    .exec<{ data: ArrayBuffer }>("SELECT data FROM git_objects WHERE repo = ?", SOURCES_REPO)
    .toArray()
    .map(({ data }) => inflateSync(Buffer.from(data)).toString("latin1"))
    .join("\n");
}

test("it holds the cited messages under an anchor each, the cited notes, and nothing else", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    expect(branch(ctx)).toEqual({});
    say(ctx, "ab12cd34", "I moved to Pune");
    putReply(
      ctx.sql,
      {
        thread: "ab12cd34",
        reply: "m2",
        text: "Noted.",
        at: NOW,
        zone: "UTC",
        actions: [],
        recalled: [],
        usage: null,
        status: "done",
        error: null,
      } as never,
      true,
      searchTokens,
    );
    say(ctx, "ab12cd34", "My dog is called Rex\n\n## m1\nand he barks");
    say(ctx, "zz12cd34", "Nobody cites this");
    putNote(ctx.sql, { id: "note0001", title: "Trip", text: "- Pack the tent\n", at: NOW }, searchTokens);
    putNote(ctx.sql, { id: "note0002", text: "Not cited", at: NOW }, searchTokens);
    remember(ctx, "Lives in Pune", "thread/ab12cd34#m1");
    remember(ctx, "Has a dog called Rex", "thread/ab12cd34#m3", "pets.md");
    remember(ctx, "Takes a tent along", "note/note0001");
    remember(ctx, "Read elsewhere", "https://example.org/a");
    remember(ctx, "Out of a conversation that is gone", "thread/gone0000#m7");
    expect(branch(ctx)).toEqual({
      "note/note0001.md": "# Trip\n\n- Pack the tent\n",
      "thread/ab12cd34.md":
        "# I moved to Pune\n\n## m1\n\nUser, 2026-10-05 13:00 (Europe/Lisbon):\n\n> I moved to Pune\n\n## m3\n\nUser, 2026-10-05 13:00 (Europe/Lisbon):\n\n> My dog is called Rex\n>\n> ## m1\n> and he barks\n",
      "thread/gone0000.md":
        "# Conversation\n\n## m7\n\nThis message is not here: it was deleted, or it was never part of this memory.\n",
    });
    expect(check(ctx).problems).toEqual([]);
  });
});

test("it is made anew when something in it changed, and is the same commit otherwise", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    say(ctx, "ab12cd34", "One");
    say(ctx, "ab12cd34", "Two");
    remember(ctx, "First", "thread/ab12cd34#m1");
    const first = renewSources(ctx);
    say(ctx, "ab12cd34", "Three, cited by nobody");
    remember(ctx, "Something by hand", "agent/helper");
    expect(renewSources(ctx)).toBe(first);
    const second = remember(ctx, "Second", "thread/ab12cd34#m3");
    expect(second).not.toBeNull();
    expect(Object.values(branch(ctx))[0]).toContain("> Two");
    patchThread(ctx.sql, "ab12cd34", { title: "Numbers" });
    expect(Object.values(branch(ctx))[0]).toMatch(/^# Numbers\n/);
    landed(write(ctx, change({ base: headOf(ctx), files: { "MEMORY.md": "# Memory\n" } })));
    expect(branch(ctx)).toEqual({});
  });
});

test("counting what changed gives the same as counting everything, also after a rebuild", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    const threads = ["aaaa0001", "aaaa0002", "aaaa0003"];
    for (const thread of threads) for (let n = 0; n < 3; n++) say(ctx, thread, `${thread} says ${n}`);
    for (let step = 0; step < 24; step++) {
      const thread = threads[step % 3]!;
      remember(ctx, `Fact number ${step} of ${thread}`, `thread/${thread}#m${1 + 2 * (step % 2)}`, `f${step % 4}.md`);
      if (step % 5 === 4) landed(write(ctx, change({ base: headOf(ctx), files: { [`f${step % 4}.md`]: null } })));
      if (step % 3 === 0) renewSources(ctx);
    }
    const incremental = branch(ctx);
    ctx.sql.exec("DELETE FROM facts WHERE name = 'sources-counted'");
    expect(branch(ctx)).toEqual(incremental);
    startRebuild(ctx);
    while (!rebuildSlice(ctx));
    expect(branch(ctx)).toEqual(incremental);
    expect(Object.keys(incremental).length).toBe(3);
  });
});

test("what is redacted, deleted or renamed leaves its objects at once, and the next listing says so", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    say(ctx, "ab12cd34", "The canary sings. It is yellow.");
    putNote(ctx.sql, { id: "note0001", title: "Bird", text: "The canary eats seeds.", at: NOW }, searchTokens);
    remember(ctx, "Owns a bird", "thread/ab12cd34#m1");
    remember(ctx, "Owns a yellow bird", "note/note0001");
    const before = branch(ctx);
    expect(Object.values(before).join()).toContain("canary");
    expect(resting(ctx)).toContain("canary");
    const states = (sentence: string) => sentence.includes("canary");
    redactTranscripts(ctx.sql, states, searchTokens);
    redactNotes(ctx.sql, states, searchTokens);
    expect(resting(ctx)).not.toContain("canary");
    const after = branch(ctx);
    expect(after["thread/ab12cd34.md"]).toContain("> [forgotten] It is yellow.");
    expect(after["note/note0001.md"]).toBe("# Bird\n\n[forgotten]\n");
    expect(resting(ctx)).not.toContain("canary");
    deleteThread(ctx.sql, "ab12cd34", searchTokens);
    deleteNote(ctx.sql, "note0001", searchTokens);
    expect(resting(ctx)).not.toContain("yellow");
    expect(branch(ctx)["thread/ab12cd34.md"]).toBe(
      "# Conversation\n\n## m1\n\nThis message is not here: it was deleted, or it was never part of this memory.\n",
    );
    expect(branch(ctx)["note/note0001.md"]).toContain("This note is not here");
  });
});

test("two files that say the same survive each other", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    putNote(ctx.sql, { id: "note0001", title: "Same", text: "Same", at: NOW }, searchTokens);
    putNote(ctx.sql, { id: "note0002", title: "Same", text: "Same", at: NOW }, searchTokens);
    remember(ctx, "First", "note/note0001");
    remember(ctx, "Second", "note/note0002");
    branch(ctx);
    deleteNote(ctx.sql, "note0001", searchTokens);
    expect(branch(ctx)["note/note0002.md"]).toBe("# Same\n\nSame\n");
  });
});

test("a commit that was listed stays for a while, then its objects go", async () => {
  await inside(freshMemory(), ({ memory }) => {
    let now = NOW;
    const ctx: MemoryContext = { ...memory, now: () => now };
    const store = sourcesStore(ctx);
    say(ctx, "ab12cd34", "One");
    say(ctx, "ab12cd34", "Two");
    remember(ctx, "First", "thread/ab12cd34#m1");
    const first = renewSources(ctx)!;
    remember(ctx, "Second", "thread/ab12cd34#m3");
    const second = renewSources(ctx)!;
    expect([store.has(first), store.has(second)]).toEqual([true, true]);
    now += 11 * 60_000;
    renewSources(ctx);
    expect([store.has(first), store.has(second)]).toEqual([false, true]);
    expect(Object.keys(branch(ctx))).toEqual(["thread/ab12cd34.md"]);
    const rows = ctx.sql.exec<{ n: number }>("SELECT count(*) AS n FROM git_objects WHERE repo = ?", SOURCES_REPO).one().n;
    expect(rows).toBe(4);
  });
});

test("one pack carries both branches, by scan and by look-up, each object once", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    for (let n = 0; n < 30; n++) {
      const thread = `aaaa${1000 + n}`;
      say(ctx, thread, `Conversation ${n} of thirty`);
      remember(ctx, `Fact ${n} of thirty`, `thread/${thread}#m1`, `d${n % 3}/f${n}.md`);
      if (n % 7 === 0) renewSources(ctx);
    }
    // A file of the branch, copied to main by its owner: the same object on both sides.
    const copied = branch(ctx)["thread/aaaa1000.md"]!;
    landed(write(ctx, change({ files: { "copy.txt": copied } })));
    const sources = renewSources(ctx)!;
    const main = ctx.store.ref("refs/heads/main")!;
    const joined = joinStores(ctx.sql, ctx.store, sourcesStore(ctx), SOURCES_REPO);
    for (const wants of [[main, sources], [sources], [main]]) {
      const walk = reach(joined, { wants });
      let step = walk.next();
      while (!step.done) step = walk.next();
      const pack = parsePack(Buffer.concat([...packChunks(joined, step.value)]));
      expect(pack.objects.size).toBe(step.value.size);
      for (const want of wants) expect(pack.read(want)?.type).toBe("commit");
    }
    const walk = reach(joined, { wants: [sources], haves: [main] });
    let step = walk.next();
    while (!step.done) step = walk.next();
    expect(parsePack(Buffer.concat([...packChunks(joined, step.value)])).objects.size).toBe(step.value.size);
  });
});

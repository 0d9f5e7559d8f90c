// Conversations as a list, notes, search, sources, scopes, and what a deletion says.
import { expect, test } from "vitest";
import type { NoteView, Page, SearchHit, ThreadView } from "../../../src/shared/protocol.ts";
import { ask, detail, entries, json, say, scripted, tab, talk } from "./support.ts";

const search = async (where: string, q: string): Promise<SearchHit[]> =>
  (await json<Page<SearchHit>>(`/api/search?in=${where}&q=${encodeURIComponent(q)}`)).items;

test("a conversation is named by its first words, renamed, pinned, found and deleted", async () => {
  const one = await talk(scripted({ text: "Here." }).model);
  const two = await talk(scripted({ text: "There." }).model);
  await say(one, "How do I prune an old quince tree without hurting it, so that it bears again next year?");
  await say(two, "Second.", { at: "2026-12-01T10:00:00Z" });
  const list = async (query = "") => (await json<Page<ThreadView>>(`/api/threads${query}`)).items;
  expect((await list()).map(({ id }) => id)).toEqual([two, one]);
  expect((await list())[1]!.title).toMatch(/^How do I prune an old quince tree .*…$/);
  await json(`/api/threads/${one}`, { pinned: true, title: "Quince \u202etree" }, "PATCH");
  expect((await list()).map(({ id, title }) => [id, title])[0]).toEqual([one, "Quince tree"]);
  expect((await list("?q=quince")).map(({ id }) => id)).toEqual([one]);
  const page = await json<Page<ThreadView>>("/api/threads?limit=1");
  expect((await json<Page<ThreadView>>(`/api/threads?limit=1&cursor=${page.next}`)).items.map(({ id }) => id)).toEqual([two]);
  const gone = await json<{ messages: number; message: string }>(`/api/threads/${one}`, undefined, "DELETE");
  expect(gone).toMatchObject({ messages: 2, message: expect.stringMatching(/2 messages were deleted\. No fact/) });
  expect((await ask(`/api/threads/${one}`)).status).toBe(404);
  expect(await search("conversations", "quince")).toEqual([]);
});

test("deleting a conversation keeps its facts and says so", async () => {
  const thread = await talk(
    scripted({ tools: [{ name: "remember", arguments: { text: "Keeps llamas" } }] }, { text: "Saved." }).model,
  );
  await say(thread, "I keep llamas.");
  const gone = await json<{ facts: number; message: string }>(`/api/threads/${thread}`, undefined, "DELETE");
  expect(gone).toMatchObject({ facts: 1, message: expect.stringMatching(/1 fact that came from it stays/) });
  expect((await entries()).map(({ text }) => text)).toContain("Keeps llamas");
});

test("search finds a message by its words in any spelling, with the ones beside it", async () => {
  const thread = await talk(scripted({ text: "To Łódź, in spring." }, { text: "我住在上海浦东。" }, { text: "Ok." }).model);
  await say(thread, "Where shall we travel?");
  await say(thread, "And you?");
  const [hit] = await search("conversations", "lodz");
  expect(hit).toMatchObject({
    in: "conversations",
    text: "To Łódź, in spring.",
    thread: { id: thread, message: "m2", role: "assistant", before: "Where shall we travel?", after: "And you?" },
  });
  expect(hit!.marks.map(([from, to]) => hit!.text.slice(from, to))).toEqual(["Łódź"]);
  expect((await search("conversations", "上海"))[0]!.thread!.message).toBe("m4");
  expect((await ask("/api/search?in=conversations&q=")).status).toBe(400);
  expect((await ask("/api/search?in=elsewhere&q=x")).status).toBe(400);
});

test("notes are written, changed, found and deleted", async () => {
  const note = await json<NoteView>("/api/notes", { text: "Buy saffron and cardamom for the feast." });
  expect(note).toMatchObject({ title: "Buy saffron and cardamom for the feast.", readByDream: null });
  expect((await search("notes", "cardamom"))[0]).toMatchObject({ in: "notes", note: { id: note.id } });
  await json(`/api/notes/${note.id}`, { title: "Feast", text: "Buy sumac. Token: sk-9vQ2mX7pLr4TzB1nKc8WdY5hUe3JgF6a" }, "PUT");
  const changed = await json<NoteView>(`/api/notes/${note.id}`);
  expect(changed.text).toMatch(/^Buy sumac\. Token: \[secret: /);
  expect(await search("notes", "cardamom")).toEqual([]);
  expect((await json<Page<NoteView>>("/api/notes")).items.map(({ id }) => id)).toContain(note.id);
  await json(`/api/notes/${note.id}`, undefined, "DELETE");
  expect((await ask(`/api/notes/${note.id}`)).status).toBe(404);
  expect((await ask("/api/notes", { method: "POST", body: JSON.stringify({ text: "  " }) })).status).toBe(400);
  expect((await ask("/api/notes", { method: "POST", body: JSON.stringify({ text: "x".repeat(600 * 1024) }) })).status).toBe(413);
});

test("a conversation with a scope saves and recalls its project's facts, and no other project's", async () => {
  const save = {
    name: "remember",
    arguments: { text: "The kiln controller runs at 24 volts", scope: "kiln", path: "projects/kiln" },
  };
  const own = { name: "remember", arguments: { text: "Is colour-blind" } };
  const kiln = await talk(scripted({ tools: [save, own] }, { text: "Saved." }).model, { scope: "kiln" });
  await say(kiln, "The kiln controller runs at 24 volts. I am colour-blind.");
  const saved = await entries();
  expect(saved.find(({ text }) => text.includes("24 volts"))!.scope).toBe("kiln");
  expect(saved.find(({ text }) => text.includes("colour-blind"))!.scope).toBeNull();
  for (const [scope, knows] of [
    ["kiln", true],
    ["boat", false],
    [undefined, false],
  ] as const) {
    const { model, calls } = scripted(
      { tools: [{ name: "recall", arguments: { query: "kiln controller volts" } }] },
      { text: "Ok." },
    );
    const thread = await talk(model, scope ? { scope } : {});
    await say(thread, "At how many volts does the kiln controller run?");
    const seen = JSON.stringify(calls.map(({ messages }) => messages));
    expect(seen.includes("24 volts")).toBe(knows);
    expect(seen.includes("colour-blind")).toBe(true);
  }
});

test("the list says which conversation is being answered, and no longer once it is", async () => {
  let go = (): void => {};
  const before = new Promise<void>((resolve) => (go = resolve));
  const thread = await talk(scripted({ text: "Slowly.", before }).model);
  const open = await tab(thread);
  const reply = say(thread, "Take your time.");
  await open.until((frame) => frame.type === "delta");
  const listed = async () =>
    (await json<Page<ThreadView>>("/api/threads?limit=50")).items.find(({ id }) => id === thread)?.answering;
  expect(await listed()).toBe(true);
  go();
  await reply;
  expect(await listed()).toBe(false);
  open.close();
});

test("a source is read with the words around it, and an imported line says where it is from", async () => {
  const thread = await talk(scripted({ text: "Which one?" }, { text: "Ok." }).model);
  await say(thread, "I bought a loom.");
  await say(thread, "A table loom.");
  const { model, calls } = scripted(
    {
      tools: [
        { name: "read_source", arguments: { ref: `thread/${thread}#m3` } },
        { name: "read_source", arguments: { ref: "thread/zzzzzzzz#m1" } },
        { name: "read", arguments: { path: "forgotten" } },
      ],
    },
    { text: "Ok." },
  );
  await say(await talk(model), "Where did I say that?");
  const results = calls[1]!.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  expect(results[0]).toMatch(/Which one\?[\s\S]*A table loom\./);
  expect(results[1]).toMatch(/^Nothing found/);
  expect(results[2]).toMatch(/^Nothing found/);
});

test("older turns become a summary, asked once, and the window stays within its tokens", async () => {
  const long = (n: number) => `Part ${n}: ${"the tide came in and the boats went out again under a grey sky ".repeat(40)}`;
  const { model, calls } = scripted(
    ...Array.from({ length: 40 }, () => (call: { kind: string }) => ({
      text: call.kind === "summary" ? "They spoke of the tide." : "I see.",
    })),
  );
  const thread = await talk(model);
  for (let n = 1; n <= 14; n++) await say(thread, long(n));
  const chats = calls.filter(({ kind }) => kind === "chat");
  const summaries = calls.filter(({ kind }) => kind === "summary");
  expect(summaries.length).toBeGreaterThan(0);
  expect(summaries.length).toBeLessThan(6);
  expect(Math.max(...chats.map(({ parts }) => parts!.window ?? 0))).toBeLessThanOrEqual(6_000);
  expect(chats.at(-1)!.messages.some(({ content }) => content?.includes("They spoke of the tide."))).toBe(true);
  expect((await detail(thread)).items).toHaveLength(28);
});

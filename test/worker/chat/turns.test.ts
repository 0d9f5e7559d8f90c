// Turns over HTTP and sockets: what is stored, what is streamed, what survives.
import { describe, expect, test } from "vitest";
import { commits, detail, entries, json, say, scripted, tab, talk } from "./support.ts";

test("a fact that was typed lands as a commit, and the next conversation knows it", async () => {
  const first = scripted({ tools: [{ name: "remember", arguments: { text: "Lives in Lyon", slot: "home" } }] }, { text: "Saved that you live in Lyon." });
  const thread = await talk(first.model);
  const reply = await say(thread, "My name is Mara and I live in Lyon.");
  expect(reply).toMatchObject({ thread, message: "m1", reply: "Saved that you live in Lyon." });
  expect(reply.actions[0]!.outcome).toMatchObject({ ok: true });
  const saved = (await entries()).find((entry) => entry.text === "Lives in Lyon")!;
  expect(saved).toMatchObject({ sources: [`thread/${thread}#m1`], added: "2026-11-30", slot: "home" });
  const second = scripted({ text: "In Lyon." });
  const other = await talk(second.model);
  await say(other, "Where do I live?");
  expect(JSON.stringify(second.calls[0]!.messages)).toContain("Lives in Lyon");
  expect((await detail(other)).items.map(({ role, text }) => [role, text])).toEqual([
    ["user", "Where do I live?"],
    ["assistant", "In Lyon."],
  ]);
});

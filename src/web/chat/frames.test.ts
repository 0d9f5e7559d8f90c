import { describe, expect, test } from "vitest";
import type { ChatFrame, MessageView } from "../../shared/protocol.ts";
import { applyFrame, blank, EMPTY_TALK, isWriting, type Talk } from "./frames.ts";

const user = (id: string, text: string): MessageView => ({
  ...blank(id, "2026-11-30T09:12:00Z"),
  role: "user",
  text,
  status: "done",
});
const play = (frames: ChatFrame[], talk: Talk = EMPTY_TALK) => frames.reduce(applyFrame, talk);

describe("frames of a turn", () => {
  test("the user's own message takes the place of the one that only this tab knew", () => {
    const talk = play([{ type: "user", message: user("m1", "Hello") }], { ...EMPTY_TALK, items: [user("local-1", "Hello")] });
    expect(talk.items.map((one) => one.id)).toEqual(["m1"]);
  });

  test("deltas are put together, and what is done replaces them", () => {
    const writing = play([
      { type: "user", message: user("m1", "Hello") },
      { type: "start", message: "m2", at: "2026-11-30T09:12:01Z" },
      { type: "delta", message: "m2", text: "Good " },
      { type: "delta", message: "m2", text: "morning" },
    ]);
    expect(writing.items[1]?.text).toBe("Good morning");
    expect(isWriting(writing)).toBe(true);
    const done = applyFrame(writing, {
      type: "done",
      message: { ...blank("m2", ""), text: "Good morning.", status: "done" },
      reply: {} as never,
    });
    expect(done.items.map((one) => one.text)).toEqual(["Hello", "Good morning."]);
    expect(isWriting(done)).toBe(false);
  });

  test("a snapshot in mid-answer replaces what this tab had of it, so nothing stands twice", () => {
    const half = play([
      { type: "start", message: "m2", at: "" },
      { type: "delta", message: "m2", text: "Good" },
    ]);
    const talk = applyFrame(half, {
      type: "snapshot",
      thread: "ab12cd34",
      writing: { ...blank("m2", ""), text: "Good morning" },
    });
    expect(talk.items.map((one) => one.text)).toEqual(["Good morning"]);
  });

  test("a card that was answered replaces the card that waited", () => {
    const waits = {
      tool: "remember",
      input: {},
      card: "c1",
      outcome: { ok: false, code: "needs-click", message: "Shall I?" },
    } as const;
    const talk = play([
      { type: "action", message: "m2", action: waits },
      { type: "action", message: "m2", action: { ...waits, answered: "left" } },
    ]);
    expect(talk.items[0]?.actions).toEqual([{ ...waits, answered: "left" }]);
  });

  test("an error without a message is the turn's, one with a message breaks that answer and keeps its words", () => {
    expect(applyFrame(EMPTY_TALK, { type: "error", message: null, code: "unavailable", text: "Away." }).failure?.text).toBe(
      "Away.",
    );
    const talk = play([
      { type: "delta", message: "m2", text: "Half" },
      { type: "error", message: "m2", code: "unavailable", text: "Cut." },
    ]);
    expect(talk.items[0]).toMatchObject({ text: "Half", status: "broken", error: { message: "Cut." } });
  });
});

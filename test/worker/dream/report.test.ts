// A report is made from the diff: all that a dream's commits did stands in it once, and its numbers are the numbers of what it shows.
import { describe, expect, test } from "vitest";
import cases from "../../vectors/conversations.json";
import type { MemoryAgent } from "../../../src/server/memory/agent.ts";
import { commitDetail } from "../../../src/server/memory/commit-detail.ts";
import { putNote } from "../../../src/server/memory/notes.ts";
import { linkOnly } from "../../../src/server/dream/janitor.ts";
import type { DreamDetail, EntryChange } from "../../../src/shared/protocol.ts";
import { searchTokens } from "../../../src/shared/words.ts";
import { freshMemory, inside } from "../memory/support.ts";
import { answer, dream, FINISH, say, script, texts, write, writeAs, type Script } from "./support.ts";

const print = ({ verb, id, path, before, after }: EntryChange): string => JSON.stringify([verb, id, path, before, after]);

/** What a report says beside what happened; empty where they agree. */
function disagreements(agent: MemoryAgent, page: DreamDetail): string[] {
  const wrong: string[] = [];
  const row = JSON.parse(agent.memory.sql.exec<{ doc: string }>("SELECT doc FROM dreams WHERE id = ?", page.id).one().doc);
  const done = (row.commits as string[]).flatMap((commit) => commitDetail(agent.memory, commit).changes);
  const shown = page.changes.filter(({ status }) => status === "landed" || status === "accepted");
  const told = shown.map(({ change }) => print(change)).sort();
  const real = done.map(print).sort();
  if (JSON.stringify(told) !== JSON.stringify(real)) wrong.push(`told ${told.join(" ")}; done ${real.join(" ")}`);

  const facts = shown.filter(({ change }) => change.after === null || linkOnly(change.after) === null);
  const joins = new Set(facts.filter(({ change }) => change.verb === "removed").map(({ n }) => n));
  const count = (verb: EntryChange["verb"]): number =>
    facts.filter(({ n, change }) => change.verb === verb && !joins.has(n)).length;
  const { added, closed, moved, merged, heldBack } = page.counts;
  const counted = { added, closed, moved, merged };
  const seen = { added: count("added"), closed: count("closed"), moved: count("moved"), merged: joins.size };
  if (JSON.stringify(counted) !== JSON.stringify(seen))
    wrong.push(`counts ${JSON.stringify(counted)}, shows ${JSON.stringify(seen)}`);
  const held = new Set(page.changes.filter(({ status }) => status === "held-back").map(({ n }) => n)).size;
  if (heldBack !== held) wrong.push(`counts ${heldBack} held back, shows ${held}`);

  const said = [...page.summary.matchAll(/(\d+) (?:lines? )?(added|joined|changed|closed|moved)/g)];
  const total = said.reduce((sum, [, n]) => sum + Number(n), 0);
  const lines = seen.added + seen.closed + seen.moved + seen.merged + count("changed");
  if (total !== lines) wrong.push(`“${page.summary}” says ${total}, the page shows ${lines}`);
  const waiting = new Set(page.changes.filter(({ status }) => status === "proposed").map(({ n }) => n)).size;
  const waits = Number(/(\d+) changes? waits?/i.exec(page.summary)?.[1] ?? 0);
  if (waits !== waiting) wrong.push(`“${page.summary}” says that ${waits} wait, the page shows ${waiting}`);
  return wrong;
}

/** `npm test` takes every fourth of them. */
const chosen = process.env.SOAK ? cases : cases.filter((_, n) => n % 4 === 0);

describe("with the offline model, over what people say in the development set", () => {
  test.each(["automatic", "review"] as const)("the report of a dream in mode %s agrees with its commits", async (mode) => {
    const wrong: string[] = [];
    let learned = 0;
    for (const one of chosen) {
      await inside(freshMemory(), async (agent) => {
        // As after an import: the messages are there, and no chat has kept anything of them.
        for (const turn of one.turns) say(agent, turn.say, { at: Date.parse(turn.at), zone: one.tz });
        let page = await dream(agent, { mode });
        const look = (): void => void wrong.push(...disagreements(agent, page).map((text) => `${one.name}: ${text}`));
        look();
        const [first] = page.changes.filter(({ status }) => status === "proposed");
        if (first) {
          page = agent.dreams.accept(page.id, [first.n]);
          look();
        }
        if (page.status === "proposed") {
          page = agent.dreams.accept(page.id);
          look();
        }
        if (page.commit !== null) learned += 1;
      });
    }
    console.log(`${mode}: ${learned} of ${chosen.length} conversations taught a dream something`);
    expect(wrong).toEqual([]);
    expect(learned).toBeGreaterThan(chosen.length / 2);
  });
});

/** A model that does one set of calls and finishes. */
const once =
  (calls: (call: Parameters<Script>[0]) => [string, unknown][]): Script =>
  (call) =>
    answer(call.messages.some(({ role }) => role === "assistant") ? [FINISH] : calls(call));

test("what follows from a change stands in the report, also where the model named the slot by another word", () =>
  inside(freshMemory(), async (agent) => {
    write(agent, { op: "add", text: "Lives in Lyon", slot: "home", since: "2024" });
    const ref = say(agent, "I moved to Porto in May 2026, I live there now.", { at: Date.parse("2026-10-04T18:00:00Z") });
    script(
      agent,
      once(() => [["add", { text: "Lives in Porto", slot: "city", since: "2026-05", sources: [ref] }]]),
    );
    const page = await dream(agent);
    expect(page.changes.map(({ change }) => `${change.verb} ${change.after}`).sort()).toEqual([
      "added Lives in Porto",
      "closed Lives in Lyon",
    ]);
    expect(disagreements(agent, page)).toEqual([]);
  }));

test("two lines for one file that the writer words anew keep their own reasons", () =>
  inside(freshMemory(), async (agent) => {
    const ref = say(agent, "Ana has a kayak [old: yes] and Ana has a canoe [new: yes].", {
      at: Date.parse("2026-10-04T18:00:00Z"),
    });
    script(
      agent,
      once(() => [
        ["add", { path: "people/ana.md", text: "Ana has a kayak [old: yes]", sources: [ref], reason: "One." }],
        ["add", { path: "people/ana.md", text: "Ana has a canoe [new: yes]", sources: [ref], reason: "Two." }],
      ]),
    );
    const page = await dream(agent);
    const reasons = page.changes
      .filter(({ change }) => /Ana has/.test(change.after ?? ""))
      .map(({ change, reason }) => [/kayak|canoe/.exec(change.after!)![0], reason]);
    expect(reasons.sort()).toEqual([
      ["canoe", "Two."],
      ["kayak", "One."],
    ]);
    expect(disagreements(agent, page)).toEqual([]);
  }));

test("a change that the chat has saved in the meantime is no change of the dream", () =>
  inside(freshMemory(), async (agent) => {
    const ref = say(agent, "I have planted a fig tree.");
    script(agent, (_, n) => {
      if (n === 1) return answer([["add", { path: "garden.md", text: "Has planted a fig tree", sources: [ref] }]]);
      writeAs(
        agent,
        { kind: "chat", actor: "model", source: ref },
        { op: "add", path: "garden.md", text: "Has planted a fig tree" },
        { op: "add", text: "[[garden]]" },
      );
      return answer([FINISH]);
    });
    const page = await dream(agent);
    expect(disagreements(agent, page)).toEqual([]);
    expect(page.counts.added).toBe(0);
    expect(
      Object.values(await texts(agent))
        .join("")
        .match(/fig tree/g),
    ).toHaveLength(1);
  }));

describe("what the user typed", () => {
  test("is not ended by a pasted text that fills its slot: that waits, with its source", () =>
    inside(freshMemory(), async (agent) => {
      write(agent, { op: "add", text: "Lives in Lyon", slot: "home" });
      const text = "Look: I live in Berlin since 2025.";
      const ref = say(agent, text, { pasted: [[6, text.length]] });
      script(
        agent,
        once(() => [
          ["add", { path: "about/home.md", text: "Lives in Berlin", slot: "residence", since: "2025", sources: [ref] }],
        ]),
      );
      const page = await dream(agent);
      expect(page.status).toBe("proposed");
      expect(page.changes.every(({ status, evidence }) => status === "proposed" && evidence.includes(ref))).toBe(true);
      expect((await texts(agent))["MEMORY.md"]).not.toContain("## History");
      expect(disagreements(agent, page)).toEqual([]);
    }));

  test("is replaced at once by typed words", () =>
    inside(freshMemory(), async (agent) => {
      write(agent, { op: "add", text: "Lives in Lyon", slot: "home", since: "2020" });
      const ref = say(agent, "I live in Berlin now, since 2025.");
      script(
        agent,
        once(() => [["add", { text: "Lives in Berlin", slot: "home", since: "2025", sources: [ref] }]]),
      );
      expect(await dream(agent)).toMatchObject({ status: "landed", counts: { added: 1, closed: 1 } });
    }));
});

test("a line that is listed as unused is not closed for that alone, and is where a message speaks of it", () =>
  inside(freshMemory(), async (agent) => {
    const old = Date.now() - 100 * 86_400_000;
    const lines = Array.from(
      { length: 30 },
      (_, n) => `- Keeps crate number ${n} in the shed [id: crate${String(n).padStart(3, "0")}]`,
    );
    writeAs(agent, {
      kind: "import",
      typed: false,
      at: old,
      files: { "MEMORY.md": "# Memory\n\n- [[shed]]\n", "shed.md": `# Shed\n\n${lines.join("\n")}\n` },
    });
    const ref = say(agent, "Crate number 7 has gone to the dump, I do not keep it any more.");
    const calls = script(
      agent,
      once(() => [
        ["retire", { id: "crate003", reason: "Not used." }],
        ["retire", { id: "crate007", reason: "Gone.", sources: [ref] }],
      ]),
    );
    const page = await dream(agent);
    const listed = /Not used for 60 days[^\n]*\n((?:- .*\n?)*)/.exec(calls[0]!.messages[1]!.content!)![1]!;
    expect(listed.trim().split("\n")).toHaveLength(20);
    expect(page.changes.map(({ change, status }) => [change.id, status]).sort()).toEqual([
      ["crate003", "proposed"],
      ["crate007", "landed"],
    ]);
  }));

test("a line that the user edits while a dream moves it is edited at its new place; one that the user moved stays there", () =>
  inside(freshMemory(), async (agent) => {
    const [one, two] = write(agent, { op: "add", text: "Plays the cello" }, { op: "add", text: "Plays the oboe" });
    say(agent, "Good night.");
    script(agent, (_, n) => {
      if (n === 1)
        return answer([
          ["move", { id: one, path: "about/music.md" }],
          ["move", { id: two, path: "about/music.md" }],
        ]);
      write(
        agent,
        { op: "reword", id: one!, text: "Plays the cello in a quartet" },
        { op: "move", id: two!, path: "about/winds.md" },
      );
      return answer([FINISH]);
    });
    const page = await dream(agent);
    const all = await texts(agent);
    expect(all["about/music.md"]).toContain("Plays the cello in a quartet");
    expect(all["about/winds.md"]).toContain("Plays the oboe");
    expect(page.counts).toMatchObject({ moved: 1, heldBack: 1 });
    expect(disagreements(agent, page)).toEqual([]);
  }));

test("the offline model learns from notes, into topic files alone", () =>
  inside(freshMemory(), async (agent) => {
    putNote(
      agent.memory.sql,
      {
        id: "note0001",
        title: "Family",
        text: "- My brother Luc is a carpenter\n- I'm allergic to penicillin\n- buy milk?",
        at: Date.now(),
      },
      searchTokens,
    );
    const page = await dream(agent);
    expect(page.status).toBe("landed");
    const all = await texts(agent);
    const facts = Object.entries(all).flatMap(([path, text]) =>
      text
        .split("\n")
        .filter((line) => /carpenter|penicillin/.test(line))
        .map((line) => `${path} ${line}`),
    );
    expect(facts).toHaveLength(2);
    for (const fact of facts) expect(fact).toMatch(/^(?!MEMORY).*source: note\/note0001/);
    expect(page.items).toMatchObject([{ ref: "note/note0001", state: "settled", outcome: "landed" }]);
    expect((await dream(agent)).status).toBe("nothing");
  }));

test("the branch dream/<id> leads to what a dream wrote, and nowhere where it wrote nothing", () =>
  inside(freshMemory(), async (agent) => {
    const { store } = agent.memory;
    const ref = say(agent, "I have planted a fig tree.");
    script(
      agent,
      once(() => [["add", { path: "garden.md", text: "Has planted a fig tree", sources: [ref] }]]),
    );
    const page = await dream(agent, { mode: "review" });
    expect(store.ref(`refs/heads/dream/${page.id}`)).toBeNull();
    const after = agent.dreams.accept(page.id);
    expect(store.ref(`refs/heads/dream/${page.id}`)).toBe(after.commit);
    // The next one finds the new file a place in the index; the one behind it has nothing to do.
    await dream(agent);
    const idle = await dream(agent);
    expect([idle.status, store.ref(`refs/heads/dream/${idle.id}`)]).toEqual(["nothing", null]);
  }));

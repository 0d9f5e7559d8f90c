// Dreams over the real memory: git, SQLite, the one writer, the alarm of the object.
import { describe, expect, test } from "vitest";
import { forgetFacts } from "../../../src/server/memory/forget.ts";
import { freshMemory, inside } from "../memory/support.ts";
import { answer, dream, FINISH, say, script, texts, write, writeAs } from "./support.ts";

const OCTOBER = Date.parse("2026-10-04T18:00:00Z");

describe("a dream", () => {
  test("lands one commit that says where each line was learned, and is taken back without losing a later one", () =>
    inside(freshMemory(), async (agent) => {
      write(agent, { op: "add", path: "people/ana.md", text: "Ana lives in Porto" }, { op: "add", text: "[[people/ana]]" });
      const ref = say(agent, "My sister Ana sings in a choir, it meets on Tuesdays.", { at: OCTOBER });
      const calls = script(agent, (_, n) =>
        answer(
          n === 1
            ? [["add", { path: "people/ana.md", text: "Ana sings in a choir", sources: [ref], reason: "Said in passing." }]]
            : [FINISH],
        ),
      );
      const head = agent.dreams.detail((await dream(agent)).id);
      expect(head).toMatchObject({
        status: "landed",
        counts: { added: 1 },
        calls: 2,
        usd: 0.002,
        items: [{ ref, state: "settled", outcome: "landed" }],
      });
      expect(head.changes.find(({ change }) => change.after === "Ana sings in a choir")).toMatchObject({
        status: "landed",
        reason: "Said in passing.",
        evidence: [ref],
      });
      const prompt = calls[0]!.messages[1]!.content!;
      expect(prompt).toContain(`[${ref} 2026-10-04 20:00 Europe/Brussels user] My sister Ana sings in a choir`);
      expect(prompt).toContain("Ana lives in Porto");
      expect(calls[0]!.messages[0]!.content!.split("\n")[0]).toBe("Task: dream");
      const file = (await texts(agent))["people/ana.md"]!;
      expect(file).toMatch(/Ana sings in a choir \[id: [a-z0-9]{8}; source: thread\/ab12cd34#m1; added: 2026-10-04\]/);
      const history = await agent.historyPage({ kind: "dream" });
      expect(history.ok && history.value.items).toMatchObject([{ kind: "dream", ref: `dream/${head.id}`, commit: head.commit }]);

      write(agent, { op: "add", path: "people/ana.md", text: "Said later about Ana" });
      expect(agent.dreams.undo(head.id).undone).toBe(true);
      const after = (await texts(agent))["people/ana.md"]!;
      expect(after).not.toContain("choir");
      expect(after).toContain("Said later");
      expect(after).toContain("Ana lives in Porto");
    }));

  test("with nothing new costs nothing and commits nothing", () =>
    inside(freshMemory(), async (agent) => {
      write(agent, { op: "add", text: "Lives in Lyon" });
      const calls = script(agent, () => answer([FINISH]));
      const before = await agent.historyPage({});
      for (let n = 0; n < 5; n += 1) expect((await dream(agent)).status).toBe("nothing");
      expect(calls).toHaveLength(0);
      const after = await agent.historyPage({});
      expect(after).toEqual(before);
    }));

  test("tidies without a model: equal lines, what has ended, orphans, MEMORY.md; and a second run changes nothing", () =>
    inside(freshMemory(), async (agent) => {
      writeAs(agent, {
        kind: "import",
        actor: "user",
        typed: false,
        files: {
          "MEMORY.md": `# Memory\n\n- Likes rye bread [id: aaaa1111; source: import/zzzzzzzz#1; added: 2026-02-01]\n- Rented a garage [id: aaaa2222; since: 2025; until: 2026-03; added: 2025-01-01]\n`,
          "about/food.md": "# Food\n\n- likes rye bread! [id: bbbb1111; source: import/zzzzzzzz#2; added: 2026-01-01]\n",
          "people/luc.md": "# Luc\n\n- Luc plays chess [id: cccc1111]\n",
        },
      });
      writeAs(
        agent,
        { kind: "import", typed: false },
        ...Array.from({ length: 60 }, (_, n) => ({
          op: "add" as const,
          text: `Line number ${n} says that something quite particular about the garden and the house is so`,
          section: n % 2 ? "The house" : undefined,
        })),
      );
      const calls = script(agent, () => answer([FINISH]));
      const first = await dream(agent);
      expect(first).toMatchObject({ status: "landed", calls: 0 });
      const now = await texts(agent);
      expect(
        Object.values(now)
          .join("\n")
          .match(/likes rye bread/gi),
      ).toHaveLength(1);
      expect(now["about/food.md"]).toMatch(
        /source: import\/zzzzzzzz#2; .*source: import\/zzzzzzzz#1|source: import\/zzzzzzzz#2; source: import\/zzzzzzzz#1/,
      );
      expect(now["MEMORY.md"]).toMatch(/## History\n+- Rented a garage/);
      expect(now["MEMORY.md"]).toContain("[[people/luc]]");
      expect(now["MEMORY.md"]).toContain("[[about/more]]");
      expect(now["about/more.md"]).toContain("Line number");
      expect((await dream(agent)).status).toBe("nothing");
      expect(calls).toHaveLength(0);
    }));

  test("mends links after all lines of a file have moved", () =>
    inside(freshMemory(), async (agent) => {
      const [one] = write(
        agent,
        { op: "add", path: "people/anna.md", text: "Anna is a nurse" },
        { op: "add", text: "Sister of [[people/anna|Anna]]" },
      );
      script(agent, () => answer([FINISH]));
      write(agent, { op: "move", id: one!, path: "people/ana.md" });
      await dream(agent);
      expect((await texts(agent))["MEMORY.md"]).toContain("[[people/ana|Anna]]");
    }));
});

describe("what the user decides", () => {
  test("what was closed after it was said does not come back, said in whatever small words", () =>
    inside(freshMemory(), async (agent) => {
      const told = say(agent, "I'm allergic to walnuts.", { at: OCTOBER });
      const [id] = write(agent, { op: "add", text: "Is allergic to walnuts", sources: [told] });
      write(agent, { op: "close", id: id!, why: "changed" });
      const calls = script(agent, (_, n) =>
        answer(
          n === 1
            ? ["Is allergic to walnuts", "Allergic to walnuts"].map((text) => [
                "add",
                { path: "MEMORY.md", text, sources: [told] },
              ])
            : [FINISH],
        ),
      );
      expect((await dream(agent)).status).toBe("nothing");
      expect(JSON.stringify(calls[0]!.messages)).toContain(`closed since: ${id}`);
      expect((await texts(agent))["MEMORY.md"]!.split("## History")[0]).not.toContain("walnuts");
    }));

  test("a pinned line stays, a typed one waits, a forgotten one is not said", () =>
    inside(freshMemory(), async (agent) => {
      const [pinned, typed] = write(
        agent,
        { op: "add", text: "Blood type is zero negative" },
        { op: "add", text: "Owns a red bicycle" },
      );
      write(agent, { op: "pin", id: pinned!, pin: true });
      const ref = say(agent, "Nothing special today.", { at: OCTOBER });
      script(agent, (_, n) =>
        answer(
          n === 1
            ? [
                ["retire", { id: pinned, reason: "x" }],
                ["retire", { id: typed, reason: "Old.", sources: [ref] }],
              ]
            : [FINISH],
        ),
      );
      const page = await dream(agent);
      expect(page.status).toBe("proposed");
      expect(page.changes.map(({ status }) => status).sort()).toEqual(["held-back", "proposed"]);
      const proposal = page.changes.find(({ status }) => status === "proposed")!;
      expect(proposal).toMatchObject({
        change: { verb: "closed", before: "Owns a red bicycle" },
        heldBack: expect.stringContaining("typed"),
      });
      expect((await texts(agent))["MEMORY.md"]).not.toContain("## History");
      expect(agent.dreams.accept(page.id, [proposal.n]).status).toBe("landed");
      expect((await texts(agent))["MEMORY.md"]).toMatch(/## History\n+- Owns a red bicycle/);
    }));

  test("with the setting, the model is shown what was forgotten where words come close, and its yes holds the line back", () =>
    inside(freshMemory(), async (agent) => {
      write(agent, { op: "add", path: "health.md", text: "Was treated for depression in Leuven" });
      const forgot = forgetFacts(agent.forgetter, {
        query: "Was treated for depression in Leuven",
        all: false,
        erase: false,
        source: null,
        actor: "user",
        at: Date.now(),
        zone: "UTC",
      });
      expect(forgot.ok, JSON.stringify(forgot)).toBe(true);
      await agent.conversation("patchSettings", [{ dream: { rewordings: true } }]);
      const ref = say(agent, "The depression was treated with walks and music.");
      const calls = script(agent, (call, n) =>
        call.kind === "tombstone"
          ? { ...answer([]), text: "yes" }
          : answer(
              n === 1
                ? [["add", { path: "health.md", text: "Depression was treated with walks and music", sources: [ref] }]]
                : [FINISH],
            ),
      );
      const { id } = await dream(agent);
      expect(calls.filter(({ kind }) => kind === "tombstone")).toHaveLength(1);
      const detail = agent.dreams.detail(id);
      expect(detail.changes.filter(({ status }) => status === "held-back")).toHaveLength(1);
      expect(JSON.stringify(await texts(agent))).not.toContain("walks");
    }));

  test("review mode lands nothing, and an accepted change lands on the memory as it is by then", () =>
    inside(freshMemory(), async (agent) => {
      write(agent, { op: "add", text: "Lives in Lyon" });
      const ref = say(agent, "I have started to learn Portuguese.", { at: OCTOBER });
      script(agent, (_, n) =>
        answer(n === 1 ? [["add", { path: "learning.md", text: "Has started to learn Portuguese", sources: [ref] }]] : [FINISH]),
      );
      const page = await dream(agent, { mode: "review" });
      expect(page).toMatchObject({ status: "proposed", commit: null });
      write(agent, { op: "add", text: "Something else meanwhile" });
      const after = agent.dreams.accept(page.id);
      expect(after.status).toBe("landed");
      expect((await texts(agent))["learning.md"]).toContain("Has started to learn Portuguese");
    }));

  test("a dream that is reverted in the history counts as taken back, and is not repeated", () =>
    inside(freshMemory(), async (agent) => {
      write(agent, { op: "add", text: "Lives in Lyon" });
      const ref = say(agent, "I have started to learn Portuguese.", { at: OCTOBER });
      script(agent, (call) =>
        answer(
          call.messages.some(({ role }) => role === "assistant")
            ? [FINISH]
            : [["add", { path: "learning.md", text: "Has started to learn Portuguese", sources: [ref] }]],
        ),
      );
      const page = await dream(agent);
      expect((await agent.revert(page.commit!, { actor: "user", at: Date.now(), zone: "UTC" })).ok).toBe(true);
      expect(agent.dreams.view(page.id).undone).toBe(true);
      say(agent, "Good night.");
      const again = await dream(agent);
      expect(again.status).toBe("nothing");
      expect(JSON.stringify(await texts(agent))).not.toContain("Portuguese");
    }));

  test("nothing of a forgotten message, and nothing said while memory was off, is read", () =>
    inside(freshMemory(), async (agent) => {
      say(agent, "Said while memory was off.", { learn: false });
      const calls = script(agent, () => answer([FINISH]));
      expect((await dream(agent)).status).toBe("nothing");
      expect(calls).toHaveLength(0);
    }));
});

describe("load", () => {
  test("a chat that writes after every step loses nothing, and neither does the dream", () =>
    inside(freshMemory(), async (agent) => {
      write(agent, { op: "add", text: "Starts here" });
      let said = 0;
      const rounds = process.env.SOAK ? 100 : 25;
      for (let round = 0; round < rounds; round += 1) {
        const ref = say(agent, `Round ${round}: I planted tulip number ${100 + round}.`);
        script(agent, (_, n) => {
          writeAs(
            agent,
            { kind: "chat", actor: "model", source: ref },
            { op: "add", text: `The chat keeps thing ${(said += 1)} of all` },
          );
          return answer(
            n === 1 ? [["add", { path: "garden.md", text: `Planted tulip number ${100 + round}`, sources: [ref] }]] : [FINISH],
          );
        });
        expect((await dream(agent)).status).toBe("landed");
      }
      const all = Object.values(await texts(agent)).join("\n");
      expect(all.match(/Planted tulip number/g)).toHaveLength(rounds);
      expect(all.match(/The chat keeps thing/g)).toHaveLength(said);
      console.log(`A6: ${rounds} dreams landed beside a chat that saved ${said} times; nothing lost`);
    }));
});

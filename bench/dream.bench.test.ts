// What a dream costs as the memory grows, what it keeps beside a chat that writes, and what a hostile model does to it. Run: npm run bench -- dream
import { expect, test } from "vitest";
import { promptTokens } from "../src/server/model/metering.ts";
import type { ModelCall } from "../src/server/model/types.ts";
import { freshMemory, inside } from "../test/worker/memory/support.ts";
import { BEHAVIOURS } from "../test/lib/hostile-dreams.ts";
import { hostileDreams } from "../test/worker/dream/hostile-world.ts";
import { answer, dream, FINISH, say, script, texts, write, writeAs } from "../test/worker/dream/support.ts";

const NAMES = ["Ana", "Luc", "Wilma", "Tomas", "Priya", "Gregor", "Ines", "Noor", "Mateo", "Hanna"];
const THINGS = [
  "kayak",
  "sourdough",
  "violin",
  "garden",
  "bicycle",
  "camera",
  "telescope",
  "piano",
  "pottery",
  "chess",
  "garage",
  "attic",
  "cellar",
  "tram",
  "harbour",
  "market",
  "library",
  "clinic",
  "school",
  "bakery",
];
const VERBS = [
  "likes",
  "repaired",
  "bought",
  "sold",
  "talked about",
  "worries about",
  "plans to use",
  "learned about",
  "lost",
  "photographed",
];

/** Lines in files of about twenty, a few hundred files at most in one folder; the words of ordinary notes, over and over. */
function files(entries: number): Record<string, string> {
  const made: Record<string, string> = { "MEMORY.md": "# Memory\n\n## Index\n\n- [[people/index]]\n- [[topics/index]]\n" };
  const index: Record<string, string[]> = { people: [], topics: [] };
  const names = Math.max(5, Math.ceil(entries / 20));
  for (let file = 0; file < names; file += 1) {
    const folder = file % 2 === 0 ? "people" : "topics";
    const name =
      folder === "people"
        ? `${NAMES[(file / 2) % NAMES.length]}${file < 20 ? "" : `-${file}`}`.toLowerCase()
        : `${THINGS[file % THINGS.length]}-${file}`;
    const lines = Array.from({ length: Math.ceil(entries / names) }, (_, n) => {
      const k = file * 31 + n * 7;
      return `- ${NAMES[k % NAMES.length]} ${VERBS[(k >> 1) % VERBS.length]} the ${THINGS[(k + n) % THINGS.length]} number ${file}-${n} [id: ${(file * 100 + n).toString(36).padStart(8, "0")}; source: import/zzzzzzzz#${k}; added: 2026-01-01]`;
    });
    made[`${folder}/${name}.md`] = `# ${name}\n\n${lines.join("\n")}\n`;
    index[folder]!.push(`- [[${folder}/${name}]]`);
  }
  for (const [folder, lines] of Object.entries(index)) made[`${folder}/index.md`] = `# Index\n\n${lines.join("\n")}\n`;
  return made;
}

async function dreamOver(entries: number) {
  return inside(freshMemory(`bench${entries}`), async (agent) => {
    writeAs(agent, { kind: "import", actor: "user", typed: false, files: files(entries) });
    const refs = Array.from({ length: 20 }, (_, n) =>
      say(
        agent,
        `${NAMES[n % NAMES.length]} told me today that the ${THINGS[n % THINGS.length]} is ready, and we ${VERBS[n % VERBS.length]} it for an hour.`,
        { at: Date.parse("2026-10-04T08:00:00Z") + n * 60_000 },
      ),
    );
    let tokensIn = 0;
    const calls: ModelCall[] = script(agent, (call, n) => {
      tokensIn += promptTokens(call);
      if (n === 1)
        return answer([
          ["search", { query: "Ana sourdough" }],
          ["read", { path: "people/ana.md" }],
        ]);
      if (n === 2)
        return answer(
          refs.slice(0, 5).map((ref, at): [string, unknown] => [
            "add",
            {
              path: `people/${NAMES[at]!.toLowerCase()}.md`,
              text: `${NAMES[at]} told me that the ${THINGS[at]} is ready`,
              sources: [ref],
            },
          ]),
        );
      return answer([FINISH]);
    });
    const before = performance.now();
    const { id } = agent.dreams.request({ trigger: "user" });
    await agent.dreams.idle();
    const ms = performance.now() - before;
    const page = agent.dreams.detail(id);
    // The scripted model's own numbers are made up; what counts is what was sent, for what was learned.
    const { n: learned } = agent.memory.sql
      .exec<{ n: number }>("SELECT json_extract(doc, '$.tokensLearned') AS n FROM dreams WHERE id = ?", id)
      .one();
    return {
      entries,
      status: page.status,
      calls: calls.length,
      tokensIn,
      first: promptTokens(calls[0]!),
      perLearned: Math.round(tokensIn / Math.max(1, learned)),
      ms: Math.round(ms),
    };
  });
}

test("prompt tokens of a dream do not grow with the memory", async () => {
  const rows: Awaited<ReturnType<typeof dreamOver>>[] = [];
  for (const entries of [100, 1_000, 10_000]) rows.push(await dreamOver(entries));
  for (const row of rows) {
    console.log(
      `${String(row.entries).padStart(6)} entries: ${row.tokensIn} tokens in over ${row.calls} calls (first ${row.first}), ${row.perLearned} per token learned, ${row.ms} ms without the model`,
    );
  }
  const [small, , large] = rows;
  console.log(`10,000 entries cost ${(large!.tokensIn / small!.tokensIn).toFixed(2)} times the tokens of 100.`);
  expect(rows.every(({ status }) => status === "landed")).toBe(true);
  expect(large!.tokensIn / small!.tokensIn).toBeLessThanOrEqual(1.2);
});

/** Dreams beside the chat, milliseconds between two of its saves, and what a call of the dream takes. */
const DREAMS = 12;
const SAVE_EVERY_MS = 1_000;
const CALL_MS = 1_300;

test("a chat that writes to MEMORY.md every second during a dream costs neither of them a line", async () => {
  await inside(freshMemory("bench-chat"), async (agent) => {
    const topics = THINGS.slice(0, DREAMS);
    const ids = write(agent, ...topics.map((thing) => ({ op: "add" as const, text: `Keeps the ${thing} in the hall` })));
    let said = 0;
    let landed = 0;
    let wanted = 0;
    for (const [round, thing] of topics.entries()) {
      const ref = say(agent, `Luc sold me a ${thing} with number ${700 + round}, and Ana painted it.`);
      const steps: [string, unknown][][] = [
        [["add", { path: "people/luc.md", text: `Luc sold a ${thing} with number ${700 + round}`, sources: [ref] }]],
        [["add", { path: "people/ana.md", text: `Ana painted the ${thing} with number ${700 + round}`, sources: [ref] }]],
        [["move", { id: ids[round]!, path: "about/hall.md" }]],
        [FINISH],
      ];
      wanted += 3;
      script(agent, async (_, n) => {
        await new Promise((resolve) => setTimeout(resolve, CALL_MS));
        return answer(steps[n - 1]!);
      });
      const chat = setInterval(() => {
        said += 1;
        writeAs(
          agent,
          { kind: "chat", actor: "model", source: ref },
          { op: "add", path: "MEMORY.md", text: `The chat keeps thing ${said} of all` },
        );
      }, SAVE_EVERY_MS);
      const page = await dream(agent).finally(() => clearInterval(chat));
      expect(page.status).toBe("landed");
      landed += page.changes.filter(
        ({ status, change }) => status === "landed" && /number 7\d\d|in the hall/.test(change.after ?? ""),
      ).length;
    }
    const all = Object.values(await texts(agent)).join("\n");
    const kept = new Set(all.match(/The chat keeps thing \d+/g)).size;
    console.log(
      `${DREAMS} dreams of ${4 * CALL_MS} ms beside a chat that saved ${said} times: ${landed} of ${wanted} changes of the dreams landed, ${said - kept} saves lost.`,
    );
    expect(landed).toBe(wanted);
    expect(kept).toBe(said);
  });
});

test("a hostile model takes no fact of the user's and brings none back that was forgotten", async () => {
  const names = Object.keys(BEHAVIOURS);
  const wrong: string[] = [];
  let calls = 0;
  for (const name of names) {
    const result = await inside(freshMemory(), (agent) => hostileDreams(agent, name, 9));
    wrong.push(...result.wrong.map((what) => `${name}: ${what}`));
    calls += result.calls;
  }
  console.log(
    `${names.length} hostile behaviours, nine dreams each over the real memory: ${wrong.length} facts lost or brought back, ${calls} calls in all.`,
  );
  expect(wrong).toEqual([]);
});

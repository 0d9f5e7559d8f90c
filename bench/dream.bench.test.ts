// What a dream costs as the memory grows: the same inbox of twenty messages over 100, 1,000 and 10,000 entries. Run: npm run bench -- dream
import { expect, test } from "vitest";
import { promptTokens } from "../src/server/model/metering.ts";
import type { ModelCall } from "../src/server/model/types.ts";
import { freshMemory, inside } from "../test/worker/memory/support.ts";
import { answer, FINISH, say, script, writeAs } from "../test/worker/dream/support.ts";

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

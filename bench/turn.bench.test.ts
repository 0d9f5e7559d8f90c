// Numbers of a turn: time to the first token, tokens of recall, and how well recall finds what was said.
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { estimateTokenCount } from "tokenx";
import type { ChatAgent } from "../src/server/chat/agent.ts";
import type { MemoryAgent } from "../src/server/memory/agent.ts";
import { conversationsOf, type ConversationDoor } from "../src/server/memory/conversation-api.ts";
import { rankMessages } from "../src/server/memory/find-messages.ts";
import { scoreDocs } from "../src/server/memory/postings.ts";
import { importThread } from "../src/server/memory/transcripts.ts";
import { recallSet, type Question } from "./recall/set.ts";
import { queryTokens, searchTokens } from "../src/shared/words.ts";

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

function recallAt(k: number, questions: Question[], rank: (text: string) => string[]): number {
  const hits = questions.map(({ text, answers }) =>
    rank(text)
      .slice(0, k)
      .some((found) => answers.includes(found)),
  );
  return hits.filter(Boolean).length / questions.length;
}

test("recall@6 of the labelled set", async () => {
  const { talks, questions } = recallSet();
  await runInDurableObject(env.MemoryAgent.getByName("bench-recall"), (agent: MemoryAgent) => {
    const { sql } = agent.memory;
    talks.forEach(({ id, title, messages }, t) => {
      importThread(
        sql,
        {
          id,
          title,
          scope: null,
          zone: "UTC",
          learn: false,
          messages: messages.map((message, at) => ({ ...message, at: Date.UTC(2026, 0, 1 + t, 8, at) })),
        },
        searchTokens,
      );
    });
    const names = new Map(
      sql
        .exec<{ seq: number; name: string }>("SELECT seq, thread || '#m' || n AS name FROM messages")
        .toArray()
        .map(({ seq, name }) => [seq, name]),
    );
    const ours = (text: string) => rankMessages(sql, text, 10).map(({ seq }) => names.get(seq)!);
    const bm25 = (text: string) =>
      [
        ...scoreDocs(
          sql,
          "message",
          queryTokens(text).map((term) => ({ term, weight: 1 })),
        ),
      ]
        .sort((a, b) => b[1].score - a[1].score || a[0] - b[0])
        .map(([seq]) => names.get(seq)!);
    const allWords = (text: string) => {
      const tokens = queryTokens(text);
      return [
        ...scoreDocs(
          sql,
          "message",
          tokens.map((term) => ({ term, weight: 1 })),
        ),
      ]
        .filter(([, { terms }]) => terms.size === tokens.length)
        .map(([seq]) => names.get(seq)!);
    };
    const times = questions.map(({ text }) => {
      const started = performance.now();
      ours(text);
      return performance.now() - started;
    });
    const rows = Object.entries({ ours, bm25, "all words": allWords }).map(
      ([name, rank]) =>
        `  ${name.padEnd(10)} recall@6 ${recallAt(6, questions, rank).toFixed(3)}   @10 ${recallAt(10, questions, rank).toFixed(3)}   @1 ${recallAt(1, questions, rank).toFixed(3)}`,
    );
    const missed = questions.filter(
      ({ text, answers }) =>
        !ours(text)
          .slice(0, 6)
          .some((found) => answers.includes(found)),
    );
    console.log(
      [
        `Recall over ${names.size} messages, ${questions.length} questions, median ${median(times).toFixed(2)} ms:`,
        ...rows,
        ...missed.map(({ text }) => `    missed: ${text}`),
      ].join("\n"),
    );
    expect(recallAt(6, questions, ours)).toBeGreaterThanOrEqual(0.85);
  });
});

/** A memory of so many entries: people, projects and places in files of a hundred lines, MEMORY.md with forty. */
function filesOf(entries: number): Record<string, string> {
  const files: Record<string, string> = {};
  const names = ["Ana", "Bruno", "Chidi", "Dalia", "Emeka", "Farah", "Goran", "Hana", "Ines", "Jonas"];
  const things = [
    "paints boats",
    "collects atlases",
    "works at the harbour",
    "studies geology",
    "keeps bees",
    "repairs clocks",
    "sings in a choir",
    "bakes rye bread",
    "runs a kiosk",
    "grows quinces",
  ];
  const line = (n: number, text: string) =>
    `- ${text} [id: e${String(n).padStart(7, "0")}; source: import/bench#${n}; added: 2026-0${1 + (n % 9)}-1${n % 9}]`;
  const memory = Math.min(40, Math.floor(entries / 2));
  files["MEMORY.md"] = [
    "# Memory",
    "",
    ...Array.from({ length: memory }, (_, n) => line(n, `Has note number ${n} about the ${things[n % 10]!.split(" ").at(-1)}`)),
    "",
  ].join("\n");
  for (let n = memory; n < entries; n += 100) {
    const who = names[((n / 100) % 10) | 0]!;
    files[`people/group-${String((n / 100) | 0).padStart(3, "0")}/${who.toLowerCase()}-${n}.md`] = [
      `# ${who} ${n}`,
      "",
      ...Array.from({ length: Math.min(100, entries - n) }, (_, at) =>
        line(n + at, `${who} ${things[(n + at) % 10]} since year ${1950 + ((n + at) % 70)} in district ${(n * 7 + at) % 997}`),
      ),
      "",
    ].join("\n");
  }
  return files;
}

const QUESTIONS = [
  "Where does Dalia keep her bees?",
  "Who sings in a choir in district 412?",
  "What do I know about quinces?",
  "hello",
  "I bought a clock at the harbour today.",
  "Which atlas did Bruno collect first?",
  "And where was that?",
  "What should I cook for Hana?",
];

/** Milliseconds from a message to the model's first call, through the Worker's own door. */
async function firstCall(user: string, entries: number): Promise<{ times: number[]; recalled: number[] }> {
  const memory = env.MemoryAgent.getByName(user);
  const written = await memory.write({
    base: null,
    files: filesOf(entries),
    kind: "import",
    source: null,
    actor: "user",
    at: Date.now(),
    zone: "UTC",
    typed: true,
  });
  if (!written.ok) throw new Error(JSON.stringify(written));
  const thread = (await conversationsOf(memory as unknown as ConversationDoor).createThread({ scope: null, at: Date.now() })).id;
  const chat = env.ChatAgent.getByName(`${user}.${thread}`);
  const times: number[] = [];
  const recalled: number[] = [];
  let started = 0;
  await runInDurableObject(chat, (agent: ChatAgent) => {
    agent.model = async (call) => {
      times.push(performance.now() - started);
      recalled.push(call.parts?.recalled ?? 0);
      return {
        text: "ok",
        toolCalls: [],
        finish: "stop",
        model: "instant",
        tokensIn: 1,
        cachedIn: 0,
        tokensOut: 1,
        reasoning: 0,
        usd: 0,
        ms: 0,
      };
    };
  });
  for (let round = 0; round < 6; round++) {
    for (const text of QUESTIONS) {
      started = performance.now();
      const body = {
        do: "send",
        start: { text, pasted: [], at: Date.now(), zone: "UTC", scope: null, replaces: null, nonce: crypto.randomUUID() },
      };
      const response = await chat.fetch(new Request("http://chat/turn", { method: "POST", body: JSON.stringify(body) }));
      if (!response.ok) throw new Error(await response.text());
      await response.json();
    }
  }
  return { times: times.slice(QUESTIONS.length), recalled };
}

test("time to the first token, and what recall puts into the prompt", { timeout: 600_000 }, async () => {
  const small = await firstCall("bench-small", 100);
  const large = await firstCall("bench-large", 10_000);
  const today = estimateTokenCount("Today is 2026-11-30 (Monday), 09:12 in Europe/Brussels.");
  const greeting = QUESTIONS.indexOf("hello");
  const most = Math.max(...small.recalled, ...large.recalled) - today;
  const hello = Math.max(...[...small.recalled, ...large.recalled].filter((_, at) => at % QUESTIONS.length === greeting)) - today;
  console.log(
    [
      `Message to first token, instant model, median of ${small.times.length}: 100 entries ${median(small.times).toFixed(1)} ms, 10,000 entries ${median(large.times).toFixed(1)} ms`,
      `Recalled tokens beside MEMORY.md: at most ${Math.max(0, most)}, for a greeting ${Math.max(0, hello)}`,
    ].join("\n"),
  );
  expect(most).toBeLessThanOrEqual(400);
  expect(hello).toBeLessThanOrEqual(60);
  expect(median(large.times)).toBeLessThanOrEqual(25);
  expect(median(large.times)).toBeLessThanOrEqual(median(small.times) * 1.5);
});

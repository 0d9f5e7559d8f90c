// `npm run bench -- facts`: facts that change, beside an append-only and an overwriting store on the same events; what tombstones cost the gate;
// what words alone cover; how long forgetting, erasing and deleting everything take.
import { env, exports } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import type { MemoryAgent } from "../src/server/memory/agent.ts";
import { Draft } from "../src/server/memory/draft.ts";
import { eraseSlice } from "../src/server/memory/erase.ts";
import { forgetFacts } from "../src/server/memory/forget.ts";
import { addStones } from "../src/server/memory/forgotten-file.ts";
import { matchFor } from "../src/server/memory/tombstone-key.ts";
import { write } from "../src/server/memory/writer.ts";
import { covers } from "../src/shared/tombstone.ts";
import { TOMBSTONE_PAIRS } from "../src/shared/tombstone-pairs.ts";
import { queryTokens, searchTokens } from "../src/shared/words.ts";
import { EVENTS, FACTS, type Event } from "./facts.ts";
import { fillMemory, median, p95, rng, row, sentence, timeOf } from "./support.ts";

const AT = Date.parse("2026-10-05T12:00:00Z");

async function call(method: string, path: string, body?: unknown): Promise<any> {
  const response = await exports.default.fetch(
    new Request(`http://localhost:4321${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
  );
  const answer = await response.json<any>();
  if (!response.ok) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${answer.error?.message}`);
  return answer;
}

/** What a prompt would hold for a question: lines, and whether each is told as true now. */
interface Block {
  lines: { text: string; current: boolean; chain: string }[];
}

/** A store that keeps every line that it was told. */
function appendOnly() {
  const lines: string[] = [];
  return {
    tell: ({ text }: Event) => void lines.push(text),
    ask: (question: string): Block => ({ lines: ranked(question, lines).map((text) => ({ text, current: true, chain: text })) }),
  };
}

/** A store that keeps one value under each name, the last that it was told. */
function overwriting() {
  const values = new Map<string, string>();
  return {
    tell: ({ fact, slot, text }: Event) => void values.set(`${fact.split(".")[0]} ${slot}`, text),
    ask: (question: string): Block => ({
      lines: ranked(question, [...values.values()]).map((text) => ({ text, current: true, chain: text })),
    }),
  };
}

function ranked(question: string, lines: readonly string[]): string[] {
  const wanted = new Set(queryTokens(question));
  const score = (text: string) => searchTokens(text).filter((token) => wanted.has(token)).length;
  return lines
    .map((text, at) => ({ text, at, score: score(text) }))
    .filter((one) => one.score > 0)
    .sort((a, b) => b.score - a.score || b.at - a.at)
    .slice(0, 6)
    .map(({ text }) => text);
}

const holds = (text: string, value: string): boolean => value.split(" ").every((word) => text.includes(word));

/** Of the blocks of all facts: those that tell an old value as true now, those that hold the present one, those that hold it with what was before. */
async function judge(ask: (question: string) => Block | Promise<Block>) {
  let stale = 0;
  let present = 0;
  let chained = 0;
  const wrong: string[] = [];
  for (const { question, now, old } of FACTS) {
    const { lines } = await ask(question);
    const current = lines.filter((line) => line.current).map(({ text }) => text);
    const isStale = old.some((value) => current.some((text) => holds(text, value)));
    const line = lines.find((one) => one.current && holds(one.text, now));
    if (isStale) stale++;
    if (line) present++;
    if (line && old.every((value) => EVENTS.some((event) => event.wrong && holds(event.text, value)) || holds(line.chain, value)))
      chained++;
    else wrong.push(`${question} ${JSON.stringify(lines)}`);
  }
  return { stale, present, chained, wrong };
}

test("24 facts that change 38 times", async () => {
  const ids = new Map<string, string>();
  for (const event of EVENTS) {
    const { fact, path, text, slot, since, correct } = event;
    if (correct) {
      await call("POST", `/api/entries/${ids.get(fact)}/revise`, { text, why: "wrong" }).then((answer) =>
        ids.set(fact, answer.entries[0].entry.id),
      );
      continue;
    }
    const answer = await call("POST", "/api/entries", { text, path, slot, ...(since ? { since } : {}) });
    const { entry } = answer.entries[0];
    if (entry.state === "open") ids.set(fact, entry.id);
  }
  const appended = appendOnly();
  const overwritten = overwriting();
  for (const event of EVENTS) {
    appended.tell(event);
    overwritten.tell(event);
  }
  const ours = await judge(async (question) => {
    const { recalled } = await call("POST", "/api/chat", { message: question });
    return { lines: recalled.map((one: any) => ({ text: one.text, current: one.state !== "closed", chain: one.chain })) };
  });
  const append = await judge(appended.ask);
  const over = await judge(overwritten.ask);
  const changes = EVENTS.length - FACTS.length;
  const line = (name: string, { stale, present, chained }: { stale: number; present: number; chained: number }) =>
    `  ${name.padEnd(24)} ${String(stale).padStart(12)} ${String(present).padStart(14)} ${String(chained).padStart(18)}`;
  console.log(
    [
      `\n${FACTS.length} facts, ${changes} changes; of ${FACTS.length} memory blocks`,
      `  ${"".padEnd(24)} ${"old as true".padStart(12)} ${"present value".padStart(14)} ${"with what was before".padStart(20)}`,
      line("this memory", ours),
      line("append-only store", append),
      line("overwriting store", over),
      ...ours.wrong,
    ].join("\n"),
  );
  expect(FACTS).toHaveLength(24);
  expect(changes).toBe(38);
  expect(ours).toMatchObject({ stale: 0, present: 24, chained: 24 });
});

/** Fills a memory and puts so many tombstones into it. */
async function memoryWithStones(name: string, stones: number): Promise<DurableObjectStub<MemoryAgent>> {
  const stub = env.MemoryAgent.getByName(name);
  await fillMemory(stub, 200, 200);
  await runInDurableObject(stub, (agent: MemoryAgent) => {
    const ctx = agent.memory;
    const random = rng(3);
    const draft = new Draft(ctx);
    const ring = ctx.keyring();
    const made = Array.from({ length: stones }, (_, n) => ({
      id: `s${String(n).padStart(7, "0")}`,
      removed: "2026-10-01",
      match: matchFor(ring, { text: `${sentence(random)} number ${n}` }, new Set()),
      replaces: null,
    }));
    addStones(draft, made);
    const files = Object.fromEntries([...draft.changed()].map(([path, { after }]) => [path, after]));
    if (stones === 0) return;
    const outcome = write(ctx, {
      base: draft.head,
      files,
      kind: "forget",
      source: null,
      actor: "user",
      at: AT,
      zone: "UTC",
      typed: true,
    });
    if (!outcome.ok) throw new Error(outcome.message);
  });
  return stub;
}

/** Milliseconds of some saves. */
function saves(stub: DurableObjectStub<MemoryAgent>, from: number, count: number): Promise<number[]> {
  return runInDurableObject(stub, (agent: MemoryAgent) => {
    const random = rng(from + 7);
    return Array.from({ length: count }, (_, at) => {
      const n = from + at;
      const started = performance.now();
      const path = `topics/d000/f${String(n % 100).padStart(2, "0")}.md`;
      const outcome = write(agent.memory, {
        base: null,
        edits: [{ op: "add", path, text: `${sentence(random)} entry ${n + 50_000}` }],
        kind: "chat",
        source: `thread/bench001#m${n + 1}`,
        actor: "model",
        at: AT + n,
        zone: "UTC",
        typed: true,
      });
      if (!outcome.ok) throw new Error(outcome.message);
      return performance.now() - started;
    });
  });
}

test("the gate with 10,000 tombstones", async () => {
  const [none, many] = [await memoryWithStones("bench-no-stones", 0), await memoryWithStones("bench-stones", 10_000)];
  const times: [number[], number[]] = [[], []];
  // By turns, so that what else the machine does falls on both; the first turns warm up.
  for (let turn = 0; turn < 44; turn++) {
    const took = [await saves(none, turn * 10, 10), await saves(many, turn * 10, 10)] as const;
    if (turn >= 4) took.forEach((list, at) => times[at]!.push(...list));
  }
  const [without, with10k] = times;
  const added = median(with10k) - median(without);
  console.log(
    [
      "",
      row("save without a tombstone, median", median(without), "ms"),
      row("save with 10,000 tombstones, median", median(with10k), "ms"),
      row("  added", added, "ms", 2),
      row("  p95 without", p95(without), "ms"),
      row("  p95 with", p95(with10k), "ms"),
    ].join("\n"),
  );
  expect(added).toBeLessThanOrEqual(2);
});

test("what words alone cover", () => {
  const share = (of: "rewordings" | "nearMisses") => {
    const pairs = TOMBSTONE_PAIRS.flatMap((pair) => pair[of].map((text) => [pair.fact, text] as const));
    return { count: pairs.length, share: pairs.filter(([fact, text]) => covers(fact, text)).length / pairs.length };
  };
  const [said, missed] = [share("rewordings"), share("nearMisses")];
  console.log(
    [
      "",
      row(`rewordings that words cover, of ${said.count}`, said.share, ""),
      row(`near misses that words cover, of ${missed.count}`, missed.share, ""),
    ].join("\n"),
  );
  const [reworded, near] = [said.share, missed.share];
  expect(reworded).toBeGreaterThanOrEqual(0.6);
  expect(near).toBeLessThanOrEqual(0.02);
});

test("forgetting, erasing and deleting in a memory of 1,000 files and 1,000 commits", async () => {
  const stub = env.MemoryAgent.getByName("bench-erase");
  await fillMemory(stub, 1_000, 1_000);
  await runInDurableObject(stub, async (agent: MemoryAgent) => {
    const ids = agent.memory.sql
      .exec<{ id: string }>("SELECT id FROM entries WHERE id IS NOT NULL ORDER BY rid DESC LIMIT 21")
      .toArray()
      .map(({ id }) => id);
    const forget = (id: string, erase = false) => {
      const answer = forgetFacts(agent.forgetter, { id, all: false, erase, source: null, actor: "user", at: AT, zone: "UTC" });
      if (!answer.ok) throw new Error(answer.message);
    };
    const times: number[] = [];
    for (const id of ids.slice(1)) times.push(await timeOf(() => forget(id)));
    forget(ids[0]!, true);
    const slices: number[] = [];
    const whole = await timeOf(async () => {
      for (let ended = false; !ended;) slices.push(await timeOf(async () => void (ended = await eraseSlice(agent.eraser))));
    });
    console.log(
      [
        "",
        row("forget, median", median(times), "ms"),
        row("erase, in all", whole, "ms"),
        row(`  longest of ${slices.length} slices`, Math.max(...slices), "ms"),
      ].join("\n"),
    );
  });
});

test("deleting everything, 2,000 facts", async () => {
  const lines = Array.from(
    { length: 2_000 },
    (_, n) => `- Owns the brass clock number ${n + 1000} [id: ${`c${n}`.padEnd(8, "x")}]`,
  );
  for (let from = 0; from < 2_000; from += 200) {
    await exports.default.fetch(
      new Request(`http://localhost:4321/api/memory/files/clocks/${from}.md`, {
        method: "PUT",
        headers: { "If-None-Match": "*" },
        body: `# Clocks\n\n${lines.slice(from, from + 200).join("\n")}\n`,
      }),
    );
  }
  const ms = await timeOf(() => call("DELETE", "/api/me", { confirm: "delete everything" }));
  console.log(`\n${row("delete everything, 2,000 facts", ms, "ms", 2_000)}`);
  expect(ms).toBeLessThanOrEqual(2_000);
});

// The storage fails at one call after the other of a dream: each time the memory and its rows are those before or those after, and the
// next dream does the work.
import { expect, test } from "vitest";
import { openDreams } from "../../../src/server/dreaming.ts";
import { openStore } from "../../../src/server/git/store.ts";
import type { Sql } from "../../../src/server/git/sql.ts";
import type { MemoryAgent } from "../../../src/server/memory/agent.ts";
import { freshMemory, inside } from "../memory/support.ts";
import { answer, FINISH, say, texts, write } from "./support.ts";
import type { Model } from "../../../src/server/model/types.ts";

/** Points of failure that `npm test` looks at; each stride-th call of the storage is one. */
const POINTS = 12;

const story: Model = async (call) =>
  answer(
    call.messages.some(({ role }) => role === "assistant")
      ? [FINISH]
      : [
          ["add", { path: "garden.md", text: "Has planted a fig tree", sources: ["thread/ab12cd34#m1"] }],
          ["move", { id: /^- ([a-z0-9]{8}): Likes rye bread/m.exec(call.messages[1]!.content!)?.[1] ?? "none", path: "food.md" }],
        ],
  );

/** The dreams of a memory over a storage that fails at its k-th call, and how many calls there were. */
function dreamsOver(agent: MemoryAgent, k: number) {
  let calls = 0;
  let armed = false;
  const real = agent.memory.sql;
  const sql = {
    exec(query: string, ...bindings: never[]) {
      if (armed) {
        calls += 1;
        if (calls === k) throw new Error("disk I/O error: SQLITE_IOERR");
      }
      return real.exec(query, ...bindings);
    },
  } as unknown as Sql;
  const ctx = { ...agent.memory, sql, store: openStore(sql), cache: {} };
  const dreams = openDreams({ ctx, model: story, price: () => 0, tell: () => undefined, wakeAt: () => undefined });
  armed = true;
  return { dreams, calls: () => calls };
}

async function build(): Promise<ReturnType<typeof freshMemory>> {
  const stub = freshMemory();
  await inside(stub, (agent) => {
    write(agent, { op: "add", text: "Likes rye bread" });
    say(agent, "I have planted a fig tree.");
  });
  return stub;
}

const plain = async (agent: MemoryAgent): Promise<string> => JSON.stringify(await texts(agent)).replace(/id: [a-z0-9]{8}/g, "id");

test("a dream over a storage that fails is whole or absent, and done by the next", { timeout: 300_000 }, async () => {
  let whole = 0;
  let before = "";
  let after = "";
  await inside(await build(), async (agent) => {
    before = await plain(agent);
    const { dreams, calls } = dreamsOver(agent, -1);
    dreams.request({ trigger: "user" });
    await dreams.idle();
    whole = calls();
    after = await plain(agent);
  });
  expect(after).not.toBe(before);
  const quiet = console.error;
  console.error = () => undefined;
  let failed = 0;
  let points = 0;
  for (let k = 1; k <= whole; k += Math.ceil(whole / POINTS)) {
    points += 1;
    await inside(await build(), async (agent) => {
      const { dreams } = dreamsOver(agent, k);
      try {
        dreams.request({ trigger: "user" });
      } catch {
        failed += 1;
      }
      await dreams.idle();
      const now = await plain(agent);
      expect([before, after], `at call ${k} of ${whole}`).toContain(now);
      const history = await agent.historyPage({ kind: "dream" });
      expect(history.ok && history.value.items.length).toBe(now === after ? 1 : 0);
      // Whatever happened: a new object over the same rows ends with the work done once.
      const next = dreamsOver(agent, -1).dreams;
      next.recover();
      for (let look = 0; look < 3; look += 1) {
        next.tick();
        await next.idle();
      }
      if (now === before) next.request({ trigger: "user" });
      await next.idle();
      expect(await plain(agent), `after call ${k}`).toBe(after);
      const once = await agent.historyPage({ kind: "dream" });
      expect(once.ok && once.value.items.length).toBe(1);
    });
  }
  console.error = quiet;
  console.log(`a dream makes ${whole} storage calls; failed at ${points} of them (${failed} before it had a row)`);
});

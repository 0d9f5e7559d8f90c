// The one alarm of a memory: never doubled, never lost, and a dream that survives whatever happens between two of its steps.
import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import type { MemoryAgent } from "../../../src/server/memory/agent.ts";
import { freshMemory, inside } from "../memory/support.ts";
import { answer, FINISH, say, script, texts, write, type Script } from "./support.ts";

const HOUR = 3_600_000;
type Stub = ReturnType<typeof freshMemory>;

const rows = (stub: Stub) =>
  inside(stub, async (agent) => (await agent.listSchedules()).filter(({ callback }) => callback === "dreamAlarm"));
const nextAlarm = (stub: Stub) =>
  inside(stub, (agent) => (agent as unknown as { ctx: DurableObjectState }).ctx.storage.getAlarm());

/** Makes the next look due, whatever the clock says. */
async function makeDue(stub: Stub): Promise<void> {
  await inside(stub, async (agent) => {
    const { dreams } = agent;
    agent.memory.sql.exec("INSERT OR REPLACE INTO dream_values (key, value) VALUES ('last', ?)", String(Date.now() - 5 * HOUR));
    dreams.rearm();
    await agent.listSchedules();
  });
}

/** Cold starts of A4. */
const STARTS = process.env.SOAK ? 1_000 : 200;

describe("the alarm", () => {
  test(`stays one row over ${STARTS} cold starts, and is always armed`, async () => {
    const stub = freshMemory();
    await inside(stub, (agent) => void write(agent, { op: "add", text: "Lives in Lyon" }));
    const otherwise: string[] = [];
    for (let n = 1; n <= STARTS; n += 1) {
      await evictDurableObject(stub);
      // A request of any kind starts the object.
      const [armed, alarm] = [await rows(stub), await nextAlarm(stub)];
      if (armed.length !== 1 || alarm === null) otherwise.push(`start ${n}: ${armed.length} rows, alarm ${alarm}`);
    }
    console.log(`A4: ${STARTS} cold starts, one row of the schedule after each`);
    expect(otherwise).toEqual([]);
    expect(await rows(stub)).toHaveLength(1);
    expect(await nextAlarm(stub)).not.toBeNull();
  });

  test("is moved, not added, when settings or an old version left others behind", async () => {
    const stub = freshMemory();
    await inside(stub, async (agent) => {
      for (let n = 1; n <= 5; n += 1) await agent.schedule(new Date(Date.now() + n * HOUR), "dreamAlarm", { n });
      agent.dreams.rearm();
      await agent.dreamAlarm();
    });
    const left = await rows(stub);
    expect(left).toHaveLength(1);
    expect(left[0]!.time * 1000).toBeGreaterThan(Date.now());
  });

  test("that rings twice or five times, one after the other or at once, makes one dream", async () => {
    for (const rings of [2, 5]) {
      for (const atOnce of [false, true]) {
        const stub = freshMemory();
        await inside(stub, (agent) => {
          say(agent, "I have planted a fig tree.");
          script(agent, (call) =>
            answer(
              call.messages.some(({ role }) => role === "assistant")
                ? [FINISH]
                : [["add", { path: "garden.md", text: "Has planted a fig tree", sources: ["thread/ab12cd34#m1"] }]],
            ),
          );
        });
        await makeDue(stub);
        await inside(stub, async (agent) => {
          if (atOnce) await Promise.all(Array.from({ length: rings }, () => agent.dreamAlarm()));
          else for (let n = 0; n < rings; n += 1) await agent.dreamAlarm();
          await agent.dreams.idle();
          await agent.dreamAlarm();
          await agent.dreams.idle();
          expect(agent.dreams.list({ limit: 10 }).items.map(({ status, trigger }) => [status, trigger])).toEqual([
            ["landed", "alarm"],
          ]);
          const history = await agent.historyPage({ kind: "dream" });
          expect(history.ok && history.value.items.length).toBe(1);
          expect(agent.memory.sql.exec("SELECT COUNT(*) AS n FROM ledger").one().n).toBe(2);
        });
        expect(await rows(stub)).toHaveLength(1);
      }
    }
  });

  test("rings through the platform and goes on by itself", async () => {
    const stub = freshMemory();
    await inside(stub, (agent) => {
      say(agent, "I have planted a fig tree.");
      script(agent, (call) =>
        answer(
          call.messages.some(({ role }) => role === "assistant")
            ? [FINISH]
            : [["add", { path: "garden.md", text: "Has planted a fig tree", sources: ["thread/ab12cd34#m1"] }]],
        ),
      );
    });
    await makeDue(stub);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    await inside(stub, async (agent) => {
      await agent.dreamAlarm();
      await agent.dreams.idle();
      expect(agent.dreams.list({ limit: 1 }).items[0]).toMatchObject({ status: "landed", trigger: "alarm" });
    });
    expect(await nextAlarm(stub)).not.toBeNull();
  });

  test("returns at once while a model thinks, so that other work of the object is not held up", async () => {
    const stub = freshMemory();
    await inside(stub, async (agent) => {
      say(agent, "I have planted a fig tree.");
      script(agent, () => new Promise(() => undefined));
      agent.dreams.request({ trigger: "user" });
      const before = Date.now();
      await agent.dreamAlarm();
      write(agent, { op: "add", text: "Written meanwhile" });
      expect(Date.now() - before).toBeLessThan(5_000);
      expect(agent.dreams.list({ limit: 1 }).items[0]!.status).toBe("running");
    });
  });
});

describe("a dream between two of whose steps the object goes away", () => {
  const story: Script = (call) => {
    const step = call.messages.filter(({ role }) => role === "assistant").length;
    if (step === 0)
      return answer([
        ["search", { query: "Ana" }],
        ["add", { path: "people/ana.md", text: "Ana sings in a choir", sources: ["thread/ab12cd34#m1"] }],
      ]);
    if (step === 1)
      return answer([["add", { path: "garden.md", text: "Has planted a fig tree", sources: ["thread/ab12cd34#m3"] }]]);
    return answer([FINISH]);
  };
  const begin = (agent: MemoryAgent): void => {
    write(agent, { op: "add", path: "people/ana.md", text: "Ana lives in Porto" }, { op: "add", text: "[[people/ana]]" });
    say(agent, "Ana sings in a choir.");
    say(agent, "I have planted a fig tree.");
  };

  test("comes to the same end, with no answer paid twice", async () => {
    const ends: string[] = [];
    // With hang = n the object is evicted while its n-th call waits for the model; 0 = never.
    for (let hang = 0; hang <= 3; hang += 1) {
      const name = `evicted${hang}`;
      let stub = freshMemory(name);
      await inside(stub, async (agent) => {
        begin(agent);
        script(agent, (call, n) => (n === hang ? new Promise(() => undefined) : story(call, n)));
        agent.dreams.request({ trigger: "user" });
        for (let n = 0; n < 400; n += 1) await Promise.resolve();
      });
      if (hang > 0) {
        // A call that waits keeps an object in memory: it goes as a crash takes it.
        await inside(stub, (agent) => (agent as unknown as { ctx: DurableObjectState }).ctx.abort("gone")).catch(() => undefined);
        stub = freshMemory(name);
        await inside(stub, async (agent) => {
          script(agent, story);
          agent.dreams.recover();
          await agent.dreamAlarm();
          await agent.dreams.idle();
        });
      }
      await inside(stub, async (agent) => {
        expect(agent.dreams.list({ limit: 5 }).items.map(({ status }) => status)).toEqual(["landed"]);
        const all = Object.entries(await texts(agent)).map(
          ([path, text]) => `${path}\n${text.replace(/\[id: [a-z0-9]+; /g, "[")}`,
        );
        ends.push(all.join("\n"));
        const answered = agent.memory.sql.exec("SELECT COUNT(*) AS n FROM ledger WHERE outcome = 'ok'").one().n;
        expect(answered).toBe(3);
        const history = await agent.historyPage({ kind: "dream" });
        expect(history.ok && history.value.items.length).toBe(1);
        expect(agent.memory.sql.exec("SELECT state, COUNT(*) AS n FROM dream_inbox GROUP BY state").toArray()).toEqual([
          { state: "settled", n: 2 },
        ]);
      });
      expect(await rows(stub)).toHaveLength(1);
    }
    expect(new Set(ends).size).toBe(1);
  });
});

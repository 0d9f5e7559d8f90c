// The installation's cap, of one dollar in these tests: many people spend from it together, nobody's remainder is in another's way, and it is never passed.
import { env } from "cloudflare:workers";
import { reset, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, test } from "vitest";
import { CAP_BLOCK_SHARE } from "../../../src/shared/limits.ts";
import type { MemoryAgent } from "../../../src/server/memory/agent.ts";
import { installationAt } from "../../../src/server/hosted.ts";
import type { Reservation, Reserved, Settlement } from "../../../src/server/model/types.ts";

afterEach(() => reset());

const CAP_USD = Number(env.INSTALLATION_CAP_USD);
const BLOCK_USD = CAP_USD * CAP_BLOCK_SHARE;
const EPSILON_USD = 1e-6;

const userOf = (n: number) => `u${String(n).padStart(24, "a")}`;
const agentOf = (n: number) => env.MemoryAgent.getByName(userOf(n));

async function ask<T>(n: number, method: string, args: unknown[]): Promise<T> {
  const answer = await runInDurableObject(agentOf(n), (agent: MemoryAgent) => agent.conversation(method, args));
  if (!answer.ok) throw new Error(`${method}: ${answer.message}`);
  return answer.value as T;
}

const reserve = (n: number, usd: number): Promise<Reserved> =>
  ask(n, "reserveCall", [{ at: Date.now(), kind: "chat", ref: null, model: "m", usd, tokens: 10 } satisfies Reservation]);
const settle = (n: number, id: number, usd: number): Promise<void> =>
  ask(n, "settleCall", [
    id,
    {
      model: "m",
      tokensIn: 1,
      cachedIn: 0,
      tokensOut: 1,
      reasoning: 0,
      usd,
      price: "computed",
      ms: 1,
      outcome: "ok",
    } satisfies Settlement,
  ]);

/** One call from beginning to end; null = it was refused. */
async function spend(n: number, atMost: number, cost: number): Promise<number | null> {
  const reserved = await reserve(n, atMost);
  if (!reserved.ok) {
    expect(reserved).toMatchObject({ code: "cap-reached", details: { installation: true } });
    return null;
  }
  await settle(n, reserved.id, cost);
  return cost;
}

const grantedUsd = async () => (await (await installationAt(env as never)).counts("")).granted.usd;

/** What a user was granted and has not spent or set aside. */
const unusedUsd = (n: number) =>
  runInDurableObject(agentOf(n), (_: MemoryAgent, { storage: { sql } }) => {
    const { granted } = sql.exec<{ granted: number }>("SELECT ifnull(SUM(usd), 0) AS granted FROM cap_blocks").one();
    const { used } = sql
      .exec<{ used: number }>(
        "SELECT ifnull(SUM(CASE outcome WHEN 'reserved' THEN reserved_nano ELSE nano END), 0) / 1e9 AS used FROM ledger",
      )
      .one();
    return granted - used;
  });

test("calls that set aside twenty times what they cost are in nobody's way", async () => {
  const people = Array.from({ length: 40 }, (_, n) => n);
  let spent = 0;
  // Forty of six cents set aside would be more than twice the cap.
  for (const n of people) spent += (await spend(n, 0.06, 0.003)) ?? Number.NaN;
  expect(spent).toBeCloseTo(0.12);
  for (const n of people) expect(await unusedUsd(n)).toBeLessThanOrEqual(BLOCK_USD + EPSILON_USD);
  expect(await grantedUsd()).toBeLessThanOrEqual(spent + people.length * BLOCK_USD + EPSILON_USD);
});

test("nobody is refused while what their call needs is left, and the sum never passes the cap", async () => {
  const [atMost, cost] = [0.006, 0.004];
  let [spent, people, left] = [0, 0, CAP_USD];
  // Somebody new each time: each holds a block that nobody else can use.
  for (; ; people += 1) {
    const one = await spend(people, atMost, cost);
    expect(one === null, `with $${left} left`).toBe(left < atMost - EPSILON_USD);
    if (one === null) break;
    spent += one;
    left = CAP_USD - (await grantedUsd());
    expect(left).toBeGreaterThanOrEqual(-EPSILON_USD);
  }
  // A block of one hundredth for each would have ended at a hundred people.
  expect(people).toBeGreaterThan(110);
  // Whoever was refused took nothing away, and a smaller call of theirs goes through.
  expect(await unusedUsd(people)).toBe(0);
  if (left > EPSILON_USD) expect(await spend(people, left / 2, left / 4)).not.toBeNull();
  console.log(`A cap of $${CAP_USD} served ${people} people, one call each, for $${spent.toFixed(3)} before it was reached.`);
});

test("calls that come at the same moment never set aside more than the cap between them", async () => {
  const people = Array.from({ length: 30 }, (_, n) => n);
  const reserved = await Promise.all(people.flatMap((n) => [reserve(n, 0.05), reserve(n, 0.05)]));
  const taken = reserved.filter((one) => one.ok).length;
  // Which of two calls of one person comes first is chance, and the one that is refused may leave a block with its person.
  expect(taken).toBeLessThanOrEqual(Math.floor(CAP_USD / 0.05));
  expect(taken).toBeGreaterThanOrEqual(Math.floor((CAP_USD - people.length * BLOCK_USD) / 0.05));
  expect(await grantedUsd()).toBeLessThanOrEqual(CAP_USD + EPSILON_USD);
  await Promise.all(reserved.map((one, at) => (one.ok ? settle(people[Math.floor(at / 2)]!, one.id, 0.01) : Promise.resolve())));
  // What they did not need is there for others.
  const again = await Promise.all(people.map((n) => spend(100 + n, 0.02, 0.01)));
  expect(again.filter((one) => one !== null).length).toBeGreaterThan(10);
  expect(await grantedUsd()).toBeLessThanOrEqual(CAP_USD + EPSILON_USD);
});

test("a call that the user's own limit refuses keeps nothing of the installation's", async () => {
  await ask(0, "patchSettings", [{ capUsd: 0.01 }]);
  const refused = await reserve(0, 0.3);
  expect(refused).toMatchObject({ ok: false, code: "cap-reached" });
  expect(await unusedUsd(0)).toBeLessThanOrEqual(BLOCK_USD + EPSILON_USD);
  expect(await grantedUsd()).toBeLessThanOrEqual(BLOCK_USD + EPSILON_USD);
});

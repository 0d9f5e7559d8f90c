// The ledger: a row for every call, the cap before it, and what months and prices do.
import { env } from "./workers.ts";
import { expect, test } from "vitest";
import { CallFailure, type Endpoint, type RawAnswer } from "../../../src/server/model/client.ts";
import { meteredModel } from "../../../src/server/model/metering.ts";
import { conversationsOf, type ConversationDoor } from "../../../src/server/memory/conversation-api.ts";
import type { Prices } from "../../../src/server/model/prices.ts";
import type { Costs, LedgerRow, Page } from "../../../src/shared/protocol.ts";
import { ask, json, say, talk } from "./support.ts";

const memory = () => conversationsOf(env.MemoryAgent.getByName("me") as unknown as ConversationDoor);
const ledger = () => ({ reserve: memory().reserveCall, settle: memory().settleCall });
const endpoint: Endpoint = { name: "Test", baseURL: "http://test.invalid", apiKey: "", model: "dear" };
/** A hundred tokens out cost a dime; what goes in is free. */
const prices: Prices = new Map([["dear", { in: 0, out: 1_000 }]]);
const answer = (tokensOut: number, more: object = {}): RawAnswer => ({
  text: "ok",
  toolCalls: [],
  finish: "stop",
  model: "dear",
  usage: { tokensIn: 1, cachedIn: 0, tokensOut, reasoning: 0, cost: undefined, currency: undefined, ...more },
});
const call = (more: object = {}) => ({
  kind: "chat" as const,
  ref: "thread/t1",
  messages: [{ role: "user" as const, content: "hi" }],
  maxTokens: 100,
  ...more,
});
const calls = async (): Promise<LedgerRow[]> => (await json<Page<LedgerRow>>("/api/costs/calls?limit=200")).items;

test("fifty calls of a dime at once against a dollar: ten go out, the others are told of the limit", async () => {
  await json("/api/settings", { capUsd: 1 }, "PATCH");
  const before = (await json<Costs>("/api/costs")).spentUsd;
  let seen = 0;
  const model = meteredModel({
    ledger: ledger(),
    endpoint: () => endpoint,
    prices,
    now: () => Date.now(),
    call: async () => (seen++, answer(100)),
  });
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => model(call())));
  const refused = results.flatMap((result) =>
    result.status === "rejected" ? [result.reason as { code: string; message: string }] : [],
  );
  expect(before).toBe(0);
  expect(seen).toBe(10);
  expect(refused).toHaveLength(40);
  for (const { code, message } of refused) {
    expect(code).toBe("cap-reached");
    expect(message).toMatch(/limit of \$1\.00.*\d{4}-\d{2}-01/);
  }
  const costs = await json<Costs>("/api/costs");
  expect(costs).toMatchObject({ spentUsd: 1, reservedUsd: 0, leftUsd: 0, capUsd: 1 });
  expect((await calls()).filter(({ outcome }) => outcome === "ok")).toHaveLength(10);
  await json("/api/settings", { capUsd: 5 }, "PATCH");
});

test("a reservation counts until it is settled, whatever happens to its call", async () => {
  const before = await json<Costs>("/api/costs");
  const reserved = await memory().reserveCall({ at: Date.now(), kind: "chat", ref: null, model: "dear", usd: 0.5, tokens: 100 });
  expect(reserved.ok).toBe(true);
  expect((await json<Costs>("/api/costs")).reservedUsd).toBe(before.reservedUsd + 0.5);
  const id = (reserved as { id: number }).id;
  const settlement = {
    model: "dear",
    tokensIn: 1,
    cachedIn: 0,
    tokensOut: 1,
    reasoning: 0,
    usd: 0.25,
    price: "computed" as const,
    ms: 1,
    outcome: "ok" as const,
  };
  await memory().settleCall(id, settlement);
  await memory().settleCall(id, { ...settlement, usd: -1000 });
  const after = await json<Costs>("/api/costs");
  expect([after.reservedUsd, Math.round((after.spentUsd - before.spentUsd) * 100)]).toEqual([before.reservedUsd, 25]);
});

test("a call over the turn of the month is charged to the month of its reservation", async () => {
  const at = Date.parse("2031-01-31T23:59:59.999Z");
  const { id } = (await memory().reserveCall({ at, kind: "chat", ref: null, model: "dear", usd: 1, tokens: 1 })) as {
    id: number;
  };
  await memory().settleCall(id, {
    model: "dear",
    tokensIn: 1,
    cachedIn: 0,
    tokensOut: 1,
    reasoning: 0,
    usd: 1,
    price: "computed",
    ms: 5_000,
    outcome: "ok",
  });
  expect((await json<Costs>("/api/costs?month=2031-01")).spentUsd).toBe(1);
  expect((await json<Costs>("/api/costs?month=2031-02")).spentUsd).toBe(0);
});

test("failed and cancelled calls have their rows; a report that cannot be is no price", async () => {
  const says: (RawAnswer | CallFailure)[] = [
    answer(10, { cost: -1000 }),
    answer(10, { cost: Number.NaN }),
    answer(10, { cost: 1e9 }),
    answer(10, { cost: 0.02 }),
    new CallFailure({ code: "unavailable", message: "Broke." }, true, false, "half an answer", null),
    new CallFailure({ code: "unavailable", message: "Stopped." }, true, true, "", null),
    new CallFailure({ code: "unavailable", message: "Down." }, false, false, "", null),
  ];
  const model = meteredModel({
    ledger: ledger(),
    endpoint: () => endpoint,
    prices,
    now: () => Date.now(),
    call: async () => {
      const next = says.shift()!;
      if (next instanceof CallFailure) throw next;
      return next;
    },
  });
  for (let at = 0; at < 7; at++) await model(call({ ref: "thread/rows" })).catch(() => null);
  const rows = (await json<Page<LedgerRow>>("/api/costs/calls?ref=thread/rows")).items.reverse();
  expect(rows.map(({ outcome, price, usd }) => [outcome, price, usd === null ? null : usd > 0])).toEqual([
    ["ok", "computed", true],
    ["ok", "computed", true],
    ["ok", "computed", true],
    ["ok", "reported", true],
    ["failed", "computed", true],
    ["cancelled", "computed", false],
    ["failed", "computed", false],
  ]);
});

test("a model without a price is unknown, not free, and is counted apart", async () => {
  const model = meteredModel({
    ledger: ledger(),
    endpoint: () => ({ ...endpoint, model: "mystery" }),
    prices,
    now: () => Date.now(),
    call: async () => answer(10),
  });
  const before = await json<Costs>("/api/costs");
  expect((await model(call())).usd).toBeNull();
  const after = await json<Costs>("/api/costs?by=model");
  expect(after.unpriced).toBe(before.unpriced + 1);
  expect(after.spentUsd).toBe(before.spentUsd);
  expect(after.by.find(({ key }) => key === "dear")).toBeDefined();
});

test("the offline model stands on the ledger at nothing, and the CSV holds every row", async () => {
  const { id } = await json<{ id: string }>("/api/threads", {});
  await say(id, "hello");
  const rows = (await json<Page<LedgerRow>>(`/api/costs/calls?ref=thread/${id}`)).items;
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row).toMatchObject({ model: "offline", usd: 0, outcome: "ok", kind: "chat" });
  const csv = (await (await ask("/api/costs/calls.csv")).text()).trim().split("\r\n");
  expect(csv[0]).toMatch(/^id,at,kind,ref,model/);
  expect(csv).toHaveLength(1 + (await calls()).length);
  const pages = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Page<LedgerRow> = await json(`/api/costs/calls?limit=7${cursor ? `&cursor=${cursor}` : ""}`);
    pages.push(...page.items);
    cursor = page.next;
  }
  expect(pages).toEqual(await calls());
});

test("nothing that a client sends moves a cap or a price", async () => {
  const thread = await talk(async () => ({
    text: "ok",
    toolCalls: [],
    finish: "stop",
    model: "m",
    tokensIn: 1,
    cachedIn: 0,
    tokensOut: 1,
    reasoning: 0,
    usd: 0,
    ms: 1,
  }));
  const before = await json<Costs>("/api/costs");
  await say(thread, "hi", { dreamCost: -1000, usage: { usd: -5 }, model: "x" });
  expect((await json<Costs>("/api/costs")).spentUsd).toBe(before.spentUsd);
  for (const patch of [
    { capUsd: -1 },
    { capUsd: 1e9 },
    { capUsd: "5" },
    { spentUsd: 0 },
    { memory: "sometimes" },
    { zone: "Mars/Phobos" },
  ]) {
    expect((await ask("/api/settings", { method: "PATCH", body: JSON.stringify(patch) })).status).toBe(400);
  }
  const settings = await json<object>("/api/settings", { dream: { everyHours: 8 }, instructions: "Answer in rhyme." }, "PATCH");
  expect(settings).toMatchObject({ dream: { everyHours: 8, mode: "automatic" }, instructions: "Answer in rhyme." });
});

import { expect, test } from "vitest";
import { costOf, loadPrices, priceOf, settledPrice } from "./prices.ts";

const usage = (cost: unknown, currency?: unknown) => ({ tokensIn: 1_000_000, cachedIn: 0, tokensOut: 0, cost, currency });
const price = { in: 2, cached: 0.5, out: 8 };

test("cached tokens cost their own price", () => {
  expect(costOf(price, { tokensIn: 1_000_000, cachedIn: 500_000, tokensOut: 250_000 })).toBeCloseTo(1 + 0.25 + 2, 12);
});

test("a model is found with its vendor, its date and its tag", () => {
  const prices = loadPrices(undefined);
  for (const name of ["gpt-4o", "openai/gpt-4o", "gpt-4o-2024-08-06", "openai/gpt-4o-2024-08-06"])
    expect(priceOf(prices, name)).toEqual(priceOf(prices, "gpt-4o"));
  expect(priceOf(prices, "deepseek/deepseek-chat:free")).toBeNull();
  expect(priceOf(prices, "gpt-4o-ultra")).toBeNull();
});

test("the installation's prices override the table, and a broken one is named", () => {
  const warnings: string[] = [];
  const prices = loadPrices('{"gpt-4o": {"in": 1, "out": 1}, "mine": {"in": 1, "out": 2}, "bad": {"in": -1}}', (message) =>
    warnings.push(message),
  );
  expect(priceOf(prices, "gpt-4o")).toEqual({ in: 1, out: 1 });
  expect(priceOf(prices, "mine")).toEqual({ in: 1, out: 2 });
  expect(priceOf(prices, "bad")).toBeNull();
  expect(warnings).toHaveLength(1);
  expect(loadPrices("no json", (message) => warnings.push(message)).size).toBe(loadPrices(undefined).size);
  expect(warnings).toHaveLength(2);
});

test("a believable report counts, anything else falls back to the tokens and never lowers the sum", () => {
  expect(settledPrice(price, usage(2.1))).toEqual({ usd: 2.1, price: "reported" });
  for (const report of [undefined, null, -1000, Number.NaN, Infinity, 1e9, "2.1", 0, 0.0001])
    expect(settledPrice(price, usage(report))).toEqual({ usd: 2, price: "computed" });
  expect(settledPrice(price, usage(2.1, "EUR"))).toEqual({ usd: 2, price: "computed" });
});

test("without a price in the table the report counts, and without one the price is unknown", () => {
  expect(settledPrice(null, usage(0.3))).toEqual({ usd: 0.3, price: "reported" });
  for (const report of [undefined, -1, Number.NaN, 1e9])
    expect(settledPrice(null, usage(report))).toEqual({ usd: null, price: "unknown" });
});

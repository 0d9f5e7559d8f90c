// What a call costs: a dated table of prices, what the installation adds to it, and what the provider says. Never lower than the tokens say, never a silent 0.
import * as z from "zod";
import table from "./prices.json";
import type { ReportedUsage } from "./answer.ts";
import type { Settlement } from "./types.ts";

const Price = z.object({
  in: z.number().nonnegative(),
  cached: z.number().nonnegative().optional(),
  out: z.number().nonnegative(),
  context: z.number().int().positive().optional(),
});
/** US dollars per million tokens. */
export type Price = z.infer<typeof Price>;

export type Prices = ReadonlyMap<string, Price>;

/** Day of the built-in table. */
export const PRICES_AS_OF: string = table.asOf;

/** The built-in table with the installation's own prices (`MODEL_PRICES`, JSON of the same shape) over it. What cannot be read is left out and named. */
export function loadPrices(own: string | undefined, warn: (message: string) => void = () => {}): Prices {
  const prices = new Map<string, Price>(Object.entries(table.models));
  if (!own) return prices;
  try {
    for (const [model, price] of Object.entries(z.record(z.string(), z.unknown()).parse(JSON.parse(own)))) {
      const read = Price.safeParse(price);
      if (read.success) prices.set(model, read.data);
      else warn(`MODEL_PRICES: the price of ${model} is not {"in": number, "out": number} and was left out.`);
    }
  } catch {
    warn('MODEL_PRICES is not JSON like {"my-model": {"in": 0.5, "out": 1.5}} and was left out.');
  }
  return prices;
}

/** Names under which a model may stand in the table: as given, without the vendor before it, without a date or a tag behind it. */
function namesOf(model: string): string[] {
  const bare = model.slice(model.lastIndexOf("/") + 1);
  const undated = bare.replace(/(?:[-@](?:\d{4}-\d{2}-\d{2}|\d{8}))$/, "").replace(/:(?:latest|free|beta)$/, "");
  return [model, bare, undated];
}

/** The price of a model; null = unknown. A `:free` variant is another price than the model's. */
export function priceOf(prices: Prices, model: string): Price | null {
  for (const name of model.endsWith(":free") ? [model] : namesOf(model)) {
    const price = prices.get(name);
    if (price) return price;
  }
  return null;
}

/** US dollars of so many tokens. */
export function costOf(price: Price, tokens: { tokensIn: number; cachedIn: number; tokensOut: number }): number {
  const { tokensIn, cachedIn, tokensOut } = tokens;
  return ((tokensIn - cachedIn) * price.in + cachedIn * (price.cached ?? price.in) + tokensOut * price.out) / 1e6;
}

/** Above this a reported price of one call is a mistake, not a price. US dollars. */
const REPORTED_MAX_USD = 100;
/** A reported price may exceed the computed one by this factor (surcharges, long contexts) before it is disbelieved. */
const REPORTED_MAX_FACTOR = 10;

/** The price of a call that was made: the provider's where it can be believed, else tokens × price, else unknown. */
export function settledPrice(
  price: Price | null,
  usage: Pick<ReportedUsage, "tokensIn" | "cachedIn" | "tokensOut" | "cost" | "currency">,
): Pick<Settlement, "usd" | "price"> {
  const computed = price === null ? null : costOf(price, usage);
  const { cost, currency } = usage;
  const dollars =
    currency === undefined || currency === null || (typeof currency === "string" && /^(usd|\$|credits?)$/i.test(currency));
  const believable = typeof cost === "number" && Number.isFinite(cost) && cost >= 0 && cost <= REPORTED_MAX_USD && dollars;
  if (believable) {
    if (computed === null) return { usd: cost, price: "reported" };
    if (cost <= Math.max(computed * REPORTED_MAX_FACTOR, 0.01)) {
      // Never lower than the tokens say by more than a discount can explain.
      return cost >= computed / REPORTED_MAX_FACTOR ? { usd: cost, price: "reported" } : { usd: computed, price: "computed" };
    }
  }
  return computed === null ? { usd: null, price: "unknown" } : { usd: computed, price: "computed" };
}

// Every model call of an evaluation, its own and those of the app, in one file; and the cap that none may pass.
import { randomUUID } from "node:crypto";
import { callEndpoint } from "../src/server/model/client.ts";
import { meteredModel } from "../src/server/model/metering.ts";
import { loadPrices, priceOf } from "../src/server/model/prices.ts";
import type { Ledger, Model } from "../src/server/model/types.ts";
import type { LedgerRow } from "../src/shared/protocol.ts";
import { openLines, type Lines } from "./lines.ts";
import { CapReached } from "./problem.ts";

/** What a call was made for. */
export interface Purpose {
  strategy: string;
  case: string;
  /** learn: once for a case; ask and judge: for a question. */
  phase: "learn" | "ask" | "judge";
  question: string | null;
}

/** A call as it stands in the file; a later line of the same name takes its place. */
export interface CallLine extends Purpose {
  name: string;
  model: string;
  kind: string;
  tokensIn: number;
  cachedIn: number;
  tokensOut: number;
  /** US dollars; null = no known price. */
  usd: number | null;
  /** ok, failed, cancelled; or reserved: it began, and nobody saw its end. */
  outcome: string;
  ms: number;
  at: string;
}

/** Sums of some calls. */
export interface Sum {
  calls: number;
  failed: number;
  tokensIn: number;
  tokensOut: number;
  usd: number;
  /** Calls without a known price; their dollars are missing in the sum. */
  unpriced: number;
}

export function sumOf(calls: readonly CallLine[]): Sum {
  const sum: Sum = { calls: 0, failed: 0, tokensIn: 0, tokensOut: 0, usd: 0, unpriced: 0 };
  for (const { outcome, tokensIn, tokensOut, usd } of calls) {
    sum.calls++;
    if (outcome !== "ok") sum.failed++;
    sum.tokensIn += tokensIn;
    sum.tokensOut += tokensOut;
    if (usd === null) sum.unpriced++;
    else sum.usd += usd;
  }
  return sum;
}

/** Where models answer. */
export interface EndpointOptions {
  baseUrl: string;
  apiKey: string;
  /** MODEL_PRICES, as the app reads it. */
  prices: string | undefined;
}

/** The calls of an output folder. `capUsd` counts what earlier runs into the same folder spent. */
export class Spending {
  readonly #lines: Lines<CallLine>;
  readonly #byName = new Map<string, CallLine>();
  readonly #prices;
  #spent = 0;

  constructor(
    file: string,
    readonly capUsd: number | null,
    readonly endpoint: EndpointOptions,
  ) {
    this.#lines = openLines<CallLine>(file);
    this.#prices = loadPrices(endpoint.prices);
    for (const line of this.#lines.values) this.#count(line);
  }

  get calls(): readonly CallLine[] {
    return [...this.#byName.values()];
  }

  /** US dollars, those of calls included whose end nobody saw: they may have been charged. */
  get spentUsd(): number {
    return this.#spent;
  }

  /** US dollars that may still be spent; null = no cap. */
  get leftUsd(): number | null {
    return this.capUsd === null ? null : Math.max(0, this.capUsd - this.#spent);
  }

  /** Tokens that fit into a prompt of the model, where that is known. */
  contextOf(model: string): number | null {
    return priceOf(this.#prices, model)?.context ?? null;
  }

  /** A model whose calls are written down for a purpose. Throws CapReached before a call that could pass the cap. */
  model(name: string, purpose: Purpose): Model {
    const begun = new Map<number, CallLine>();
    const ledger: Ledger = {
      reserve: async ({ usd, model, tokens }) => {
        const left = this.leftUsd;
        if (usd !== null && left !== null && usd > left) throw this.capReached();
        const nothing = { tokensIn: tokens, cachedIn: 0, tokensOut: 0, ms: 0, outcome: "reserved" };
        // Written before the call is made: a call that a stop cuts off is not forgotten.
        const line = {
          ...purpose,
          name: randomUUID(),
          model,
          kind: purpose.phase,
          usd,
          at: new Date().toISOString(),
          ...nothing,
        };
        this.#add(line);
        begun.set(begun.size + 1, line);
        return { ok: true, id: begun.size };
      },
      settle: async (id, { model, tokensIn, cachedIn, tokensOut, usd, outcome, ms }) =>
        this.#add({ ...begun.get(id)!, model, tokensIn, cachedIn, tokensOut, usd, outcome, ms }),
    };
    return meteredModel({
      ledger,
      prices: this.#prices,
      now: Date.now,
      call: callEndpoint,
      endpoint: () => ({
        name: new URL(this.endpoint.baseUrl).host,
        baseURL: this.endpoint.baseUrl,
        apiKey: this.endpoint.apiKey,
        model: name,
      }),
    });
  }

  /** Takes over what the app's ledger of a case holds and is not written down yet. */
  takeOver(purpose: Purpose, rows: readonly LedgerRow[]): void {
    for (const row of [...rows].sort((a, b) => a.id - b.id)) {
      const { id, model, kind, tokensIn, cachedIn, tokensOut, usd, outcome, ms, at } = row;
      // With its moment: a memory that is begun anew counts its calls from 1 again.
      const name = `${purpose.case}#${id}@${at}`;
      const known = this.#byName.get(name);
      if (known?.outcome === outcome) continue;
      this.#add({ ...(known ?? purpose), name, model, kind, tokensIn, cachedIn, tokensOut, usd, outcome, ms, at });
    }
  }

  capReached(): CapReached {
    return new CapReached(
      `The next call could pass the cap of $${this.capUsd?.toFixed(2)}: $${this.#spent.toFixed(4)} is spent. What is finished is kept; run the same command with a larger --cap to go on.`,
    );
  }

  #add(line: CallLine): void {
    this.#lines.add(line);
    this.#count(line);
  }

  #count(line: CallLine): void {
    this.#spent += (line.usd ?? 0) - (this.#byName.get(line.name)?.usd ?? 0);
    this.#byName.set(line.name, line);
  }
}

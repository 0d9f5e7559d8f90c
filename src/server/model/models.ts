// The model of an installation as the rest of the app sees it: chosen, metered, with its price.
import type { CallKind } from "../../shared/protocol.ts";
import { chooseModel, endpointOf, type Choice, type ModelEnv, type OwnModel } from "./choose.ts";
import { meteredModel } from "./metering.ts";
import { offlineFetch } from "./offline/index.ts";
import { costOf, loadPrices, priceOf } from "./prices.ts";
import type { Ledger, Model } from "./types.ts";

/** What the user chose. */
export interface ModelWishes {
  chatModel: string | null;
  dreamModel: string | null;
  /** Their own endpoint, where they have one. */
  own?: OwnModel | null;
}

/** A metered model for one user. `wishes` are read with each call, so that a change in Settings counts at once. */
export function userModel(env: ModelEnv, wishes: () => ModelWishes, ledger: Ledger, now: () => number): Model {
  return meteredModel({
    ledger,
    now,
    prices: loadPrices(env.MODEL_PRICES, console.warn),
    endpoint: (call) => {
      const wished = wishes();
      const choice = chooseModel(env, wished, call.kind);
      const chosen = call.model === undefined ? choice : { ...choice, model: call.model };
      return endpointOf(env, chosen, offlineFetch, wished.own ?? null);
    },
  });
}

/** Which model a kind of call would get. */
export function modelFor(env: ModelEnv, wishes: ModelWishes, kind: CallKind): Choice {
  return chooseModel(env, wishes, kind);
}

/** US dollars of so many tokens with the model of a kind of call; null = no known price. */
export function priceFor(env: ModelEnv, wishes: ModelWishes, kind: CallKind, tokensIn: number, tokensOut: number): number | null {
  const choice = chooseModel(env, wishes, kind);
  if (choice.provider === "offline" || choice.provider === "ollama") return 0;
  const price = priceOf(loadPrices(env.MODEL_PRICES), choice.model);
  return price === null ? null : costOf(price, { tokensIn, cachedIn: 0, tokensOut });
}

// The models that may be chosen in Settings, with price and context where they are known.
import type { ModelChoice } from "../../shared/protocol.ts";
import { OFFLINE, OLLAMA_PREFIX, OLLAMA_URL, ownModels, type ModelEnv, type OwnNames } from "./choose.ts";
import { loadPrices, priceOf, PRICES_AS_OF } from "./prices.ts";

/** Milliseconds that an Ollama on this machine has to answer: it is asked each time that Settings are opened. */
const OLLAMA_WAIT_MS = 500;
const OLLAMA_MAX_BYTES = 256 * 1024;

/**
 * The menu. `ask` is null where the installation is hosted: its loopback is nobody's Ollama. Whoever has an endpoint of their own chooses among its
 * models: the operator's answer them no more.
 */
export async function modelMenu(env: ModelEnv, ask: typeof fetch | null, own: OwnNames | null): Promise<ModelChoice[]> {
  const prices = loadPrices(env.MODEL_PRICES);
  const names = own ? [...new Set([own.chatModel, own.dreamModel ?? own.chatModel])] : ownModels(env);
  const named = names.map((model): ModelChoice => {
    const price = priceOf(prices, model);
    return {
      id: model,
      provider: own ? "own" : "endpoint",
      inUsd: price?.in ?? null,
      outUsd: price?.out ?? null,
      context: price?.context ?? null,
      asOf: price ? PRICES_AS_OF : null,
    };
  });
  const local = ask ? await ollamaModels(ask) : [];
  return [{ id: OFFLINE, provider: "offline", inUsd: 0, outUsd: 0, context: null, asOf: null }, ...named, ...local];
}

async function ollamaModels(ask: typeof fetch): Promise<ModelChoice[]> {
  try {
    const response = await ask(`${OLLAMA_URL}/models`, { signal: AbortSignal.timeout(OLLAMA_WAIT_MS), redirect: "manual" });
    if (!response.ok || Number(response.headers.get("content-length") ?? 0) > OLLAMA_MAX_BYTES) return [];
    const body = (await response.json()) as { data?: { id?: unknown }[] };
    const names = (body.data ?? []).map(({ id }) => id).filter((id): id is string => typeof id === "string" && id.length <= 150);
    return names
      .slice(0, 50)
      .map((id) => ({ id: `${OLLAMA_PREFIX}${id}`, provider: "ollama", inUsd: 0, outUsd: 0, context: null, asOf: null }));
  } catch {
    return [];
  }
}

// Which model answers a call: settings within what the installation allows, else the environment, else a Workers AI binding, else the built-in offline model.
import { ANSWER_MAX_TOKENS } from "../../shared/limits.ts";
import type { CallKind } from "../../shared/protocol.ts";
import type { Endpoint } from "./client.ts";
import { workersAiFetch, type WorkersAi } from "./workers-ai.ts";

/** Name of the built-in model in settings, replies and the ledger. */
export const OFFLINE = "offline";
/** Prefix of a model that an Ollama on this machine answers. */
export const OLLAMA_PREFIX = "ollama:";
export const OLLAMA_URL = "http://127.0.0.1:11434/v1";
/** Base URL where a key is given without one. */
const OPENAI_URL = "https://api.openai.com/v1";
/** Model where an endpoint is given without one. */
const DEFAULT_MODEL = "gpt-4o-mini";
const WORKERS_AI_MODEL = "@cf/meta/llama-3.3-70b-instruct-fp8-fast";

/** The part of the environment that speaks of models. */
export interface ModelEnv {
  OPENAI_BASE_URL?: string;
  OPENAI_API_KEY?: string;
  CHAT_MODEL?: string;
  DREAM_MODEL?: string;
  /** Further models that users may choose, with commas between, and prices of models as JSON. */
  MODELS?: string;
  MODEL_PRICES?: string;
  /** Set = hosted: only the installation's models may be chosen, and no Ollama on its loopback. */
  AUTH_SECRET?: string;
  AI?: WorkersAi;
}

export type Provider = "offline" | "openai" | "ollama" | "workers-ai" | "own";

/** A user's own endpoint: their key goes there and nowhere else, and the operator's never does. */
export interface OwnModel {
  baseURL: string;
  apiKey: string;
  chatModel: string;
  dreamModel: string | null;
  /** Looks where an address leads before anything is sent. */
  fetch: typeof fetch;
}

/** The names of its models. */
export type OwnNames = Pick<OwnModel, "chatModel" | "dreamModel">;

/** What was chosen, without the way to it. */
export interface Choice {
  provider: Provider;
  model: string;
}

const DREAMING: ReadonlySet<CallKind> = new Set(["dream", "tombstone", "judge"]);

/** Which provider the environment brings by itself. */
export function defaultProvider(env: ModelEnv): Provider {
  if (env.OPENAI_BASE_URL || env.OPENAI_API_KEY) return "openai";
  return env.AI ? "workers-ai" : "offline";
}

/** Models that the installation names itself. */
export function ownModels(env: ModelEnv): string[] {
  const provider = defaultProvider(env);
  const named = [env.CHAT_MODEL, env.DREAM_MODEL, ...(env.MODELS ?? "").split(",")]
    .map((name) => name?.trim() ?? "")
    .filter((name) => name !== "");
  if (provider === "offline") return [];
  if (named.length === 0) return [provider === "openai" ? DEFAULT_MODEL : WORKERS_AI_MODEL];
  return [...new Set(named)];
}

/** The model for a kind of call. A choice in the settings that the installation does not allow is passed over. */
export function chooseModel(
  env: ModelEnv,
  settings: { chatModel: string | null; dreamModel: string | null; own?: OwnNames | null },
  kind: CallKind,
): Choice {
  const dreaming = DREAMING.has(kind);
  const wish = dreaming ? settings.dreamModel : settings.chatModel;
  const provider = defaultProvider(env);
  const own = ownModels(env);
  if (wish === OFFLINE) return { provider: "offline", model: OFFLINE };
  if (settings.own) {
    const { chatModel, dreamModel } = settings.own;
    if (wish && (wish === chatModel || wish === dreamModel)) return { provider: "own", model: wish };
    return { provider: "own", model: dreaming ? (dreamModel ?? chatModel) : chatModel };
  }
  if (wish?.startsWith(OLLAMA_PREFIX) && !env.AUTH_SECRET) return { provider: "ollama", model: wish.slice(OLLAMA_PREFIX.length) };
  if (provider === "offline") return { provider, model: OFFLINE };
  // On the operator's key the models are the operator's to name; on one's own machine any will do.
  if (wish && (own.includes(wish) || !env.AUTH_SECRET)) return { provider, model: wish };
  const chat = env.CHAT_MODEL || own[0]!;
  return { provider, model: dreaming ? env.DREAM_MODEL || chat : chat };
}

/** The endpoint of a choice. `offline` answers requests of the built-in model in process; `own` is the user's, where the choice says so. */
export function endpointOf(
  env: ModelEnv,
  choice: Choice,
  offline: typeof fetch,
  own: OwnModel | null = null,
): Endpoint & { free?: boolean } {
  switch (choice.provider) {
    case "offline":
      return {
        name: "The offline model",
        baseURL: "http://offline.invalid/v1",
        apiKey: "",
        model: choice.model,
        fetch: offline,
        free: true,
      };
    case "own": {
      if (!own) throw new Error("A call to a user's own endpoint came without it.");
      const { baseURL, apiKey, fetch } = own;
      return { name: `Your own endpoint ${hostOf(baseURL)}`, baseURL, apiKey, model: choice.model, fetch, own: true };
    }
    case "ollama":
      return { name: "Ollama", baseURL: OLLAMA_URL, apiKey: "", model: choice.model, free: true };
    case "workers-ai":
      return {
        name: "Workers AI",
        baseURL: "http://workers-ai.invalid/v1",
        apiKey: "",
        model: choice.model,
        fetch: workersAiFetch(env.AI!, ANSWER_MAX_TOKENS),
      };
    case "openai": {
      const baseURL = env.OPENAI_BASE_URL || OPENAI_URL;
      return { name: `The model endpoint ${hostOf(baseURL)}`, baseURL, apiKey: env.OPENAI_API_KEY ?? "", model: choice.model };
    }
  }
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return "of OPENAI_BASE_URL";
  }
}

// Bindings and variables of the Worker, as both Durable Object classes and every route see them.
import type { ChatAgent } from "./chat/agent.ts";
import type { MemoryAgent } from "./memory/agent.ts";

export interface Env {
  MemoryAgent: DurableObjectNamespace<MemoryAgent>;
  ChatAgent: DurableObjectNamespace<ChatAgent>;
  /** The built web app; absent in worker tests. */
  ASSETS?: Fetcher;
  OPENAI_BASE_URL?: string;
  OPENAI_API_KEY?: string;
  CHAT_MODEL?: string;
  DREAM_MODEL?: string;
  /** Further models that may be chosen, with commas between; prices of models as JSON; US dollars a month at most. */
  MODELS?: string;
  MODEL_PRICES?: string;
  CAP_USD?: string;
  /** Set = hosted mode: sign-in, sessions, tokens. */
  AUTH_SECRET?: string;
  /** The secret before, while it rotates: what it signed and sealed is still opened, and sealed anew. */
  AUTH_SECRET_PREVIOUS?: string;
  /** Who may make an account: open, invite (default), closed. */
  SIGN_UP?: string;
  /** US dollars a month that all users together may spend on the operator's key. */
  INSTALLATION_CAP_USD?: string;
  /** "yes" = a mirror, or a user's own model, may stand on this machine itself. For tests. */
  MIRROR_LOOPBACK?: string;
}

declare global {
  namespace Cloudflare {
    interface Env extends ReverieEnv {}
    interface GlobalProps {
      mainModule: typeof import("./index.ts");
      durableNamespaces: "MemoryAgent" | "ChatAgent";
    }
  }
}
type ReverieEnv = Env;

// The Worker: one fetch handler and the two Durable Object classes.
import type { Env } from "./env.ts";
import { createApp } from "./http/app.ts";

export { ChatAgent } from "./chat/agent.ts";
export { MemoryAgent } from "./memory/agent.ts";

const app = createApp();

export default {
  fetch: (request, env, ctx) => app.fetch(request, env, ctx),
} satisfies ExportedHandler<Env>;

// One place that knows where the test pool keeps its tools.
export { env, exports } from "cloudflare:workers";
export { runInDurableObject } from "cloudflare:test";

// The development set of conversations with the built-in model, each on an empty memory.
import { reset } from "cloudflare:test";
import { expect, test } from "vitest";
import cases from "../../vectors/conversations.json";
import { playCase, type Case } from "../../lib/conversation-cases.ts";
import { ask } from "./support.ts";

/** Share of all cases that must pass. */
const SHARE = 0.95;

test("the development set", { timeout: 300_000 }, async () => {
  const failed: string[] = [];
  for (const one of cases as Case[]) {
    await reset();
    const wrong = await playCase(one, async (method, path, body) => {
      const response = await ask(
        path,
        body === undefined ? { method } : { method, body: JSON.stringify(body), headers: { "content-type": "application/json" } },
      );
      return { status: response.status, body: (await response.json()) as never };
    });
    if (wrong.length > 0) failed.push(`  ${one.name}\n    ${wrong.join("\n    ")}`);
  }
  console.log([`Conversations: ${cases.length - failed.length} of ${cases.length} pass.`, ...failed].join("\n"));
  expect(1 - failed.length / cases.length).toBeGreaterThanOrEqual(SHARE);
});

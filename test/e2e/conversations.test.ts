// The first conversations of the development set against the built app over real HTTP, each on an empty memory: the second, browserless walk.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startApp } from "../lib/app.ts";
import { call } from "../lib/api.ts";
import { playCase, type Case } from "../lib/conversation-cases.ts";

const FIRST = 7;
const cases = (JSON.parse(readFileSync("test/vectors/conversations.json", "utf8")) as Case[]).slice(0, FIRST);

test.each(cases)("$name", async (one) => {
  const app = await startApp();
  try {
    expect(await playCase(one, (method, path, body) => call(app.url, method, path, body))).toEqual([]);
  } finally {
    await app.stop();
  }
});

// C2: the process is killed between a model call and its settlement. The reserved amount counts on, and no call is without its row.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Costs, LedgerRow } from "../../src/shared/protocol.ts";
import { all, call } from "../lib/api.ts";
import { startApp } from "../lib/app.ts";
import { startScriptedModel, type ScriptedModel } from "../lib/scripted-model.ts";

/** Each kill cuts so many calls, in as many conversations. */
const CALLS_A_KILL = 10;
const KILLS = process.env.SOAK ? 10 : 2;

const data = mkdtempSync(join(tmpdir(), "reverie-spent-"));
let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel();
  // Half an answer, then silence: the call has cost money and is not settled.
  model.otherwise = () => ({ text: "Half an answer", beforeEnd: new Promise(() => {}) });
});
afterAll(async () => {
  await model?.stop();
  rmSync(data, { recursive: true, force: true });
});

test("killed between call and settlement, every call has its row and its reserved amount is counted", async () => {
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "k", CHAT_MODEL: "gpt-4o-mini" };
  let cut = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const app = await startApp({ data, env });
    const sent = Array.from({ length: CALLS_A_KILL }, (_, at) =>
      call(app.url, "POST", "/api/chat", { message: `What is the tide today? (${kill}.${at})` }).catch(() => null),
    );
    await model.asked((kill + 1) * CALLS_A_KILL);
    cut += CALLS_A_KILL;
    await app.kill();
    await Promise.all(sent);
  }
  const app = await startApp({ data, env });
  try {
    const rows = await all<LedgerRow>(app.url, "/api/costs/calls");
    const costs = (await call<Costs>(app.url, "GET", "/api/costs")).body;
    const reserved = rows.filter(({ outcome }) => outcome === "reserved");
    console.log(
      `C2: ${cut} calls cut by ${KILLS} kills, ${model.requests.length} seen, ${rows.length} rows, ${reserved.length} reserved`,
    );
    expect(model.requests).toHaveLength(cut);
    expect(rows).toHaveLength(cut);
    expect(reserved).toHaveLength(cut);
    for (const { usd } of reserved) expect(usd).toBeGreaterThan(0);
    const sum = reserved.reduce((total, { usd }) => total + usd!, 0);
    expect(costs.reservedUsd).toBeCloseTo(sum, 9);
    expect(costs.leftUsd).toBeCloseTo(costs.capUsd - costs.spentUsd - sum, 9);
  } finally {
    await app.stop();
  }
});

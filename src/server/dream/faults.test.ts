// A dream over the real client against an endpoint that fails in every way: nothing of a partial answer lands, each call stands on the
// ledger once, the inbox waits.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fakeWorld, line } from "../../../test/lib/dream-fakes.ts";
import { startScriptedModel, type Script, type ScriptedModel } from "../../../test/lib/scripted-model.ts";
import { meteredModel } from "../model/metering.ts";
import type { Reservation, Settlement } from "../model/types.ts";
import { Dreams } from "./dreams.ts";

const REF = "thread/ab12cd34#m1";
const ADD = { name: "add", arguments: { path: "garden.md", text: "Has planted a fig tree by the wall", sources: [REF] } };
const RETIRE = { name: "retire", arguments: { id: "aaaa0001", reason: "Old." } };

let server: ScriptedModel;
beforeEach(async () => {
  server = await startScriptedModel();
});
afterEach(() => server.stop());

async function run(...scripts: Script[]) {
  // Only what never ends is cut off soon; a slow machine must not cut off what is merely in many pieces.
  const patience = scripts.some(({ endless, before }) => endless || before)
    ? { silentMs: 300, wholeMs: 1_500 }
    : { silentMs: 20_000, wholeMs: 40_000 };
  const world = fakeWorld();
  world.memory.lines = [line("aaaa0001", "MEMORY.md", "Lives in Lyon", { typed: true })];
  world.inbox.say(REF, "I have planted a fig tree by the wall.", world.clock.now);
  const ledger: { call: Reservation; settled: Settlement | null }[] = [];
  world.deps.model = meteredModel({
    ledger: {
      reserve: async (call) => ({ ok: true, id: ledger.push({ call, settled: null }) }),
      settle: async (id, settled) => void (ledger[id - 1]!.settled ??= settled),
    },
    now: () => Date.now(),
    prices: new Map([["m", { in: 1, out: 2 }]]),
    endpoint: () => ({ name: "The model", baseURL: server.url, apiKey: "k", model: "m", ...patience }),
  });
  const asked = server.requests.length;
  server.push(...scripts);
  const dreams = new Dreams(world.deps);
  const { id } = dreams.request({ trigger: "user" });
  await dreams.idle();
  return { world, dreams, view: dreams.view(id), ledger, asked: server.requests.length - asked };
}

const FINISH: Script = { tools: [{ name: "finish", arguments: { summary: "Done." } }] };

const FAULTS: [string, Script[]][] = [
  ["429", [{ status: 429 }]],
  ["500", [{ status: 500 }]],
  ["401", [{ status: 401 }]],
  ["a web page", [{ status: 200, body: "<!doctype html><title>Sign in</title>", type: "text/html" }]],
  ["truncated JSON", [{ status: 200, body: '{"choices": [{"message": {"tool_c', type: "application/json" }]],
  ["an empty answer", [{ status: 200, body: "", type: "text/event-stream" }]],
  ["ten megabytes", [{ text: Array.from({ length: 160 }, () => "walnuts ".repeat(8_000)) }]],
  ["a stream that never ends", [{ text: "and on", endless: true }]],
  ["silence", [{ before: new Promise(() => undefined), text: "x" }]],
  [
    "an answer cut short by its limit, twice",
    [
      { tools: [RETIRE, ADD], finish: "length" },
      { tools: [RETIRE, ADD], finish: "length" },
    ],
  ],
  ...Array.from({ length: 20 }, (_, k): [string, Script[]] => [
    `a line that breaks after ${60 + k * 60} bytes`,
    [{ tools: [ADD, RETIRE], cutAt: 60 + k * 60, split: 10 }],
  ]),
  ...Array.from({ length: 5 }, (_, k): [string, Script[]] => [
    `a stream that ends in good order after ${200 + k * 150} bytes`,
    [{ tools: [ADD, RETIRE], endAt: 200 + k * 150, split: 10 }],
  ]),
];

describe("an endpoint that fails", () => {
  it.each(FAULTS)("%s: nothing lands, one ledger row a call, the inbox waits", async (_, scripts) => {
    const { world, view, ledger, asked } = await run(...scripts);
    expect(view.status).toBe("failed");
    expect(view.error?.message.length).toBeGreaterThan(20);
    expect(world.memory.commits).toHaveLength(0);
    expect(world.memory.entry("aaaa0001")).toMatchObject({ state: "open" });
    expect(world.store.item(REF)).toMatchObject({ state: "new", tries: 1 });
    expect(ledger).toHaveLength(asked);
    expect(ledger.every(({ call, settled }) => settled !== null && call.ref === `dream/${view.id}`)).toBe(true);
    expect(world.store.active()).toBeNull();
  });

  it("is tried again with the next dream, and set aside after three", async () => {
    const { world, dreams } = await run({ status: 500 });
    server.push({ status: 500 }, { status: 500 });
    for (let n = 0; n < 2; n += 1) {
      world.clock.now += 3_600_000;
      dreams.request({ trigger: "user" });
      await dreams.idle();
    }
    expect(dreams.waiting()).toMatchObject({ news: 0, setAside: [{ ref: REF, tries: 3 }] });
    server.push({ tools: [ADD], split: 3 }, FINISH);
    world.clock.now += 3_600_000;
    const { id } = dreams.request({ trigger: "user", retry: true });
    await dreams.idle();
    expect(dreams.view(id).status).toBe("landed");
  });

  it("a stream in awkward pieces is whole", async () => {
    const { view, ledger } = await run({ tools: [ADD], pieces: 7, split: 1 }, FINISH);
    expect(view).toMatchObject({ status: "landed", counts: { added: 1 } });
    expect(ledger.map(({ settled }) => settled?.outcome)).toEqual(["ok", "ok"]);
  });

  it("a call with the wrong shape is refused to the model, which may do better", async () => {
    const { view, world } = await run(
      {
        tools: [
          { name: "add", arguments: { text: 5 } },
          { name: "add", arguments: '{"path": "garden.md", "te' },
          { name: "retire", arguments: [] },
        ],
      },
      { tools: [ADD] },
      FINISH,
    );
    expect(view.status).toBe("landed");
    expect(world.memory.entry("aaaa0001")).toMatchObject({ state: "open" });
  });

  it("that fails after good steps leaves nothing half-done", async () => {
    const { view, world } = await run({ tools: [ADD] }, { status: 500 });
    expect(view.status).toBe("failed");
    expect(world.memory.commits).toHaveLength(0);
    expect(world.store.item(REF)).toMatchObject({ state: "new" });
  });
});

// Dreams over HTTP, with the offline model: what a newcomer without a key gets.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { call, inside } from "../memory/support.ts";
import { say } from "./support.ts";

const me = () => env.MemoryAgent.getByName("me");
const ended = () => inside(me(), (agent) => agent.dreams.idle());

test("what was said and not saved is found by a dream, shown before, reported after, taken back on demand", async () => {
  expect((await call("POST", "/api/dream", { dryRun: true })).body).toEqual({ messages: 0, notes: 0, tokens: 0, usd: 0 });
  const refs = await inside(me(), (agent) => [
    say(agent, "My sister Ana is a nurse; she moved to Porto in March.", { at: Date.parse("2026-10-04T18:00:00Z") }),
    say(agent, "I'm allergic to walnuts.", { at: Date.parse("2026-10-04T18:05:00Z") }),
  ]);
  const before = await call("POST", "/api/dream", { dryRun: true });
  expect(before.status).toBe(200);
  expect(before.body).toMatchObject({ messages: 2, notes: 0, usd: 0 });
  expect(before.body.tokens).toBeGreaterThan(500);

  const started = await call("POST", "/api/dream", {});
  expect(started.status).toBe(202);
  expect(started.body).toEqual({
    id: expect.stringMatching(/^[a-z0-9]{8}$/),
    status: expect.stringMatching(/^(queued|running)$/),
  });
  await ended();
  const page = await call("GET", `/api/dreams/${started.body.id}`);
  expect(page.body).toMatchObject({
    status: "landed",
    trigger: "user",
    undone: false,
    usd: 0,
    items: refs.map((ref) => ({ ref, state: "settled" })),
  });
  expect(page.body.calls).toBeGreaterThanOrEqual(1);
  expect(page.body.log.length).toBeGreaterThan(2);
  const found = await call("GET", "/api/entries?q=walnuts");
  expect(found.body.items).toMatchObject([{ sources: [refs[1]], added: "2026-10-04" }]);
  const commit = await call("GET", `/api/history/${page.body.commit}`);
  expect(commit.body).toMatchObject({ kind: "dream", ref: `dream/${started.body.id}` });

  const again = await call("POST", "/api/dream", {});
  await ended();
  expect((await call("GET", `/api/dreams/${again.body.id}`)).body).toMatchObject({ status: "nothing", calls: 0 });
  expect((await call("GET", "/api/dreams?limit=1")).body).toMatchObject({
    items: [{ id: again.body.id }],
    next: expect.any(String),
  });

  const undone = await call("POST", `/api/dreams/${started.body.id}/undo`, {});
  expect(undone.body).toMatchObject({ undone: true });
  expect((await call("GET", "/api/entries?q=walnuts")).body.items).toEqual([]);
  expect((await call("POST", `/api/dreams/${started.body.id}/undo`, {})).status).toBe(409);
});

test("refuses what cannot be with a code and a sentence", async () => {
  expect((await call("GET", "/api/dreams/zzzzzzzz")).status).toBe(404);
  expect((await call("GET", "/api/dreams/no-id")).status).toBe(400);
  expect((await call("POST", "/api/dreams/zzzzzzzz/accept", {})).status).toBe(404);
  expect((await call("POST", "/api/dream", { mode: "wild" })).body).toMatchObject({ error: { code: "bad-format" } });
  expect((await call("POST", "/api/dream", "{")).status).toBe(400);
});

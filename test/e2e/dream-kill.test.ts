// A2: the process is killed (SIGKILL) at each step of a dream and started again on the same folder. Each dream ends once, with all that its messages
// said, and no answer that had been stored is paid for twice.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CommitView, DreamDetail, DreamView, LedgerRow, Page } from "../../src/shared/protocol.ts";
import { call } from "../lib/api.ts";
import { startApp, type App } from "../lib/app.ts";
import { broken, projectionsEqualRebuild } from "../lib/invariants.ts";
import { startScriptedModel, type Script, type ScriptedModel } from "../lib/scripted-model.ts";

/** When the process dies: a call has come and is not answered; its answer is there but for the last byte; its answer has just gone out. */
type Moment = "asked" | "almost" | "answered";
/** Calls of each dream: it looks, adds one line, adds the other, finishes. */
const CALLS = 4;
const POINTS: (["call", number, Moment] | ["begun"] | ["landed"])[] = [
  ["begun"],
  ...Array.from({ length: CALLS }, (_, call) =>
    (["asked", "almost", "answered"] as const).map((moment): ["call", number, Moment] => ["call", call, moment]),
  ).flat(),
  ["landed"],
];
/** `npm test` takes three of them: a call that is not answered, one that is almost, and one that is. */
const CHOSEN = process.env.SOAK ? POINTS : POINTS.filter((_, at) => [4, 8, 12].includes(at));
const END_MS = 60_000;
/** Milliseconds for one kill with its two starts on a busy machine. */
const POINT_MS = 60_000;

const data = mkdtempSync(join(tmpdir(), "reverie-dream-kill-"));
let model: ScriptedModel;
let app: App;
const start = async (): Promise<void> => {
  app = await startApp({ data, env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "k", DREAM_MODEL: "gpt-4o-mini" } });
};

beforeAll(async () => {
  model = await startScriptedModel();
  await start();
});
afterAll(async () => {
  await app?.stop();
  await model?.stop();
  rmSync(data, { recursive: true, force: true });
});

interface Asked {
  messages: { role: string; content: string | null }[];
}
/** Which call of a dream a request is, from 0; -1 for those of the chat. */
const stepOf = ({ messages }: Asked): number =>
  messages[0]?.content?.startsWith("Task: dream") ? messages.filter(({ role }) => role === "assistant").length : -1;

function scriptOf(request: Asked, step: number): Script {
  const refs = [...(request.messages[1]?.content ?? "").matchAll(/^\[(\S+) .* user\] (.*)$/gm)];
  const add = (word: string, path: string, text: (line: string) => string): Script => {
    const [, ref = "", line = ""] = refs.find(([, , said]) => said!.includes(word)) ?? [];
    return { tools: [{ name: "add", arguments: { path, text: text(line), sources: [ref] } }], split: 5 };
  };
  const number = (line: string): string => /\d+/.exec(line)?.[0] ?? "?";
  switch (step) {
    case 0:
      return { tools: [{ name: "search", arguments: { query: "tulip kayak" } }] };
    case 1:
      return add("tulip", "garden.md", (line) => `Has planted tulip number ${number(line)}`);
    case 2:
      return add("kayak", "people/ana.md", (line) => `Ana has bought kayak number ${number(line)}`);
    default:
      return { tools: [{ name: "finish", arguments: { summary: "Done." } }] };
  }
}

/** Something that a script waits for: it tells that it is waited for, and goes on when `after` does. */
function tells(reached: () => void, after: Promise<unknown>): Promise<unknown> {
  return { then: (done: (value: unknown) => void) => (reached(), void after.then(done)) } as unknown as Promise<unknown>;
}

/** Answers all calls, and says when the one of the point has got as far as the point names. */
function arm(point: (typeof POINTS)[number]): { reached: Promise<void>; asked: number[] } {
  const asked: number[] = [];
  let say = (): void => undefined;
  const reached = new Promise<void>((resolve) => (say = resolve));
  let armed = point[0] === "call";
  model.otherwise = (body) => {
    const request = body as unknown as Asked;
    const step = stepOf(request);
    if (step < 0) return { text: "Noted." };
    asked.push(step);
    const script = scriptOf(request, step);
    if (!armed || point[0] !== "call" || step !== point[1]) return script;
    armed = false;
    const never = new Promise(() => undefined);
    if (point[2] === "asked") return { ...script, before: tells(say, never) };
    return { ...script, beforeEnd: tells(say, point[2] === "almost" ? never : Promise.resolve()) };
  };
  return { reached, asked };
}

const detail = async (id: string): Promise<DreamDetail> => (await call<DreamDetail>(app.url, "GET", `/api/dreams/${id}`)).body;

test(
  "a dream whose process is killed ends as one that was left alone, at each of its steps",
  { timeout: (CHOSEN.length + 1) * POINT_MS },
  async () => {
    let lost = 0;
    for (const [round, point] of CHOSEN.entries()) {
      const where = point.join(" ");
      for (const message of [`I planted tulip number ${100 + round}.`, `My neighbour Ana bought kayak number ${100 + round}.`]) {
        arm(["landed"]);
        const { status } = await call(app.url, "POST", "/api/chat", { message, tz: "Europe/Brussels" });
        expect(status).toBe(200);
      }
      const { reached, asked } = arm(point);
      const { id } = (await call<{ id: string }>(app.url, "POST", "/api/dream", {})).body;
      if (point[0] === "call") await reached;
      if (point[0] === "landed")
        await expect.poll(async () => (await detail(id)).status, { timeout: END_MS, interval: 5 }).toBe("landed");
      await app.kill();
      await start();
      await expect.poll(async () => (await detail(id)).endedAt, { timeout: END_MS, interval: 100 }).not.toBeNull();

      const dream = await detail(id);
      expect([dream.status, dream.counts.added, dream.items.map(({ state, outcome }) => `${state} ${outcome}`)], where).toEqual([
        "landed",
        2,
        ["settled landed", "settled landed"],
      ]);
      const dreams = (await call<Page<DreamView>>(app.url, "GET", "/api/dreams")).body.items;
      expect(dreams.length, where).toBe(round + 1);
      const again = asked.filter((step, at) => asked.indexOf(step) !== at);
      // Only the call whose answer the process never stored is asked for again, once. Where the answer had gone out, the process may have got a step or two
      // further before it died.
      expect(again.length, where).toBeLessThanOrEqual(1);
      if (point[0] === "call") {
        const [, step, moment] = point;
        if (moment === "answered")
          expect(
            again.every((one) => one >= step),
            where,
          ).toBe(true);
        else expect(again, where).toEqual([step]);
      }
      expect([...new Set(asked)].sort(), where).toEqual([0, 1, 2, 3]);
      lost += again.length;
      const rows = (await call<Page<LedgerRow>>(app.url, "GET", `/api/costs/calls?ref=dream/${id}`)).body.items;
      expect(rows.filter(({ outcome }) => outcome === "ok").length, `${where}: ${JSON.stringify(rows)}`).toBe(CALLS);
      expect(rows.length, where).toBe(asked.length);
    }
    const garden = (await call<string>(app.url, "GET", "/api/memory/files/garden.md")).body;
    const ana = (await call<string>(app.url, "GET", "/api/memory/files/people/ana.md")).body;
    for (let round = 0; round < CHOSEN.length; round += 1) {
      expect(garden.split(`tulip number ${100 + round} `).length).toBe(2);
      expect(ana.split(`kayak number ${100 + round} `).length).toBe(2);
    }
    const commits = (await call<Page<CommitView>>(app.url, "GET", "/api/history?kind=dream&limit=200")).body.items;
    expect(commits).toHaveLength(CHOSEN.length);
    console.log(
      `A2: killed at ${CHOSEN.length} of ${POINTS.length} points of a dream, each ended once; ${lost} calls that had not been answered were made again, none that had`,
    );
    expect(
      await broken(
        app.url,
        commits.map(({ commit }) => commit),
      ),
    ).toEqual([]);
    expect(await projectionsEqualRebuild(app.url)).toBe(true);
  },
);

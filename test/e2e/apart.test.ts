// I5 and L3: many people in one process. Nothing of one comes to another, whoever asks and however, and the saves of all go on side by side. Short here, whole with SOAK.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type App } from "../lib/app.ts";
import { Member } from "../lib/hosted.ts";
import { runtimeMemory } from "../lib/runtime-memory.ts";
import { startScriptedModel, type ScriptedModel } from "../lib/scripted-model.ts";

const SOAK = Boolean(process.env.SOAK);
const CANARIES = SOAK ? 1_000 : 40;
const QUESTIONS = SOAK ? 1_000 : 20;
/** Questions of one person: fewer than they may ask at once. */
const QUESTIONS_EACH = 50;
const PEOPLE = SOAK ? 100 : 10;
const SECONDS = SOAK ? 120 : 4;
const MAX_GROWTH_MB = 256;

let app: App;
let model: ScriptedModel;

beforeAll(async () => {
  model = await startScriptedModel();
  app = await startApp({
    env: {
      AUTH_SECRET: "a secret of thirty-two characters!",
      SIGN_UP: "open",
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: "none",
      CHAT_MODEL: "scripted",
      MODEL_PRICES: '{"scripted": {"in": 0, "out": 0}}',
    },
  });
});
afterAll(async () => {
  await app?.stop();
  await model?.stop();
});

const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1_000));

/** A new account. After the first sixty from one address, whoever comes is told to wait, and waits. */
async function register(): Promise<Member> {
  for (;;) {
    try {
      return await Member.register(app.url);
    } catch (error) {
      if (!/"rate-limited"/.test(String(error))) throw error;
      await seconds(1);
    }
  }
}

/** A call that waits where its user is told to. */
async function patient(who: Member, method: string, path: string, body?: unknown) {
  for (;;) {
    const answer = await who.call(method, path, body);
    if (answer.status !== 429) return answer;
    await seconds(Number(answer.body.error.details.retryAfterS));
  }
}

/** A word that stands nowhere else. */
const canary = (n: number) => `canary${(n * 7919 + 104_729).toString(36)}x${n}`;

test(`I5: of ${CANARIES} words that one person keeps, none is in an answer to another, a prompt or the log`, async () => {
  const ana = await register();
  const words = Array.from({ length: CANARIES }, (_, n) => canary(n));
  for (const [n, word] of words.entries()) {
    const saved = await patient(ana, "POST", "/api/entries", {
      text: `Keeps the ${word} in drawer ${n}`,
      path: `things/drawers-${n % 10}.md`,
    });
    expect(saved.status).toBe(200);
  }
  await patient(ana, "POST", "/api/notes", { text: `The ${words[0]} may be moved.` });
  const head = (await patient(ana, "GET", "/api/memory")).body.head as string;
  const id = (await patient(ana, "GET", "/api/entries?limit=1")).body.items[0].id as string;

  const ask = (n: number) => ({
    message: `What is kept in drawer ${n % CANARIES}? Is it the canary?`,
    tz: "UTC",
  });
  const answers: string[] = [];
  const from = model.requests.length;
  let ben: Member | null = null;
  for (let n = 0; n < QUESTIONS; n += 1) {
    if (n % QUESTIONS_EACH === 0) ben = await register();
    const turn = await patient(ben!, "POST", "/api/chat", ask(n));
    expect(turn.status).toBe(200);
    answers.push(JSON.stringify(turn.body));
    for (const path of [
      `/api/search?q=drawer%20${n % CANARIES}`,
      "/api/search?q=canary&in=notes",
      "/api/entries?state=all&limit=200",
      `/api/entries/${id}`,
      "/api/history",
      `/api/history/${head}`,
      `/api/memory/files/things/drawers-${n % 10}.md`,
      `/api/memory?ref=${head}`,
    ])
      answers.push(JSON.stringify((await patient(ben!, "GET", path)).body));
  }
  const prompts = model.requests.slice(from).map((request) => JSON.stringify(request));
  expect(prompts.length).toBeGreaterThanOrEqual(QUESTIONS);
  const said = [...answers, ...prompts, app.output()].join("\n");
  expect(words.filter((word) => said.includes(word))).toEqual([]);

  // Whoever keeps them gets them, by the same ways: so the ways above would have shown them.
  await patient(ana, "POST", "/api/chat", ask(7));
  expect(JSON.stringify(model.requests.at(-1))).toContain(words[7]);
  expect(JSON.stringify((await patient(ana, "GET", "/api/search?q=drawer%207")).body)).toContain(words[7]);
  expect(app.output()).toContain('"what":"request"');
  expect(words.filter((word) => app.output().includes(word))).toEqual([]);
  console.log(
    `I5: ${CANARIES} canaries, ${QUESTIONS} questions of ${Math.ceil(QUESTIONS / QUESTIONS_EACH)} others: 0 in ${answers.length} answers, ${prompts.length} prompts and ${app.output().split("\n").length} lines of the log.`,
  );
}, 1_800_000);

test(`L3: ${PEOPLE} people save once a second for ${SECONDS} s, and each keeps their own`, async () => {
  const memory = () => runtimeMemory(app.process.pid!);
  const before = memory().now;
  const people: Member[] = [];
  for (let n = 0; n < PEOPLE; n += 1) people.push(await register());
  const registered = memory();
  let peak = registered.peak;
  const times: number[] = [];
  const begun = performance.now();
  for (let second = 0; second < SECONDS; second += 1) {
    // The rate is the subject, so the clock says when the next saves are sent.
    await seconds(Math.max(0, begun + second * 1_000 - performance.now()) / 1_000);
    await Promise.all(
      people.map(async (who, n) => {
        const started = performance.now();
        const answer = await who.call("POST", "/api/entries", {
          text: `Saw bird number ${second} of garden ${n}`,
          path: "birds.md",
        });
        times.push(performance.now() - started);
        expect(answer.status).toBe(200);
      }),
    );
    peak = Math.max(peak, memory().peak);
  }
  const took = (performance.now() - begun) / 1_000;
  for (const [n, who] of people.entries()) {
    const text = String((await patient(who, "GET", "/api/memory/files/birds.md")).body);
    const birds = [...text.matchAll(/bird number (\d+) of garden (\d+)/g)].map((match) => `${match[1]} ${match[2]}`);
    expect(birds.sort()).toEqual(Array.from({ length: SECONDS }, (_, second) => `${second} ${n}`).sort());
  }
  const p95 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)]!;
  console.log(
    `L3: ${times.length} saves of ${PEOPLE} people in ${took.toFixed(0)} s, p95 ${p95.toFixed(0)} ms, no line in another's memory; resident ${before.toFixed(0)} MB before they came, ${registered.now.toFixed(0)} MB with them, ${peak.toFixed(0)} MB at the peak.`,
  );
  if (SOAK) expect(peak - before).toBeLessThanOrEqual(MAX_GROWTH_MB);
}, 1_800_000);

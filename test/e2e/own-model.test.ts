// A model key of one's own: it goes to one's own endpoint and nowhere else, rests sealed, and is counted apart; the installation's cap; a new AUTH_SECRET.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type App } from "../lib/app.ts";
import { Member } from "../lib/hosted.ts";
import { startScriptedModel, type ScriptedModel } from "../lib/scripted-model.ts";

const data = mkdtempSync(join(tmpdir(), "reverie-own-"));
const OPERATORS = "sk-operator-0123456789abcdef";
const OWN = "sk-mine-fedcba9876543210";
const SECRETS = ["the first secret of thirty-two chars", "the second secret of thirty-two char"];
let app: App;
let operator: ScriptedModel;
let mine: ScriptedModel;
let ana: Member;

const start = (env: Record<string, string>) =>
  startApp({
    data,
    env: {
      SIGN_UP: "open",
      MIRROR_LOOPBACK: "yes",
      OPENAI_BASE_URL: operator.url,
      OPENAI_API_KEY: OPERATORS,
      CHAT_MODEL: "scripted",
      // At most about $0.08 a call: 4,096 tokens out at $20 a million.
      MODEL_PRICES: JSON.stringify({ scripted: { in: 0, out: 20 } }),
      INSTALLATION_CAP_USD: "0.6",
      ...env,
    },
  });

beforeAll(async () => {
  [operator, mine] = await Promise.all([startScriptedModel(), startScriptedModel()]);
  // 4,000 tokens of an answer: eight cents.
  operator.otherwise = {
    text: "From the operator.",
    usage: { prompt_tokens: 10, completion_tokens: 4_000, total_tokens: 4_010 },
  };
  mine.otherwise = { text: "From my own.", usage: { prompt_tokens: 10, completion_tokens: 4_000, total_tokens: 4_010 } };
  app = await start({ AUTH_SECRET: SECRETS[0]! });
  ana = await Member.register(app.url);
});
afterAll(async () => {
  await app?.stop();
  await operator?.stop();
  await mine?.stop();
  rmSync(data, { recursive: true, force: true });
});

const say = (who: Member, message = "Good morning") => who.call("POST", "/api/chat", { message, tz: "UTC" });
const setKey = (who: Member, body: object) => who.call("PUT", "/api/model-key", { chatModel: "scripted", ...body });

test("the operator's key goes to the operator's endpoint, the user's to the user's, and neither to the other", async () => {
  expect((await say(ana)).body.reply).toBe("From the operator.");
  expect(operator.keys).toEqual([`Bearer ${OPERATORS}`]);
  const set = await setKey(ana, { url: mine.url, key: OWN });
  expect(set).toMatchObject({ status: 200, body: { url: mine.url, chatModel: "scripted", usable: true } });
  expect((await say(ana)).body.reply).toBe("From my own.");
  expect(operator.keys).toHaveLength(1);
  expect(new Set(mine.keys)).toEqual(new Set([`Bearer ${OWN}`]));
});

test("the menu names what answers the one who asks; what is open to everybody names the operator's", async () => {
  const ben = await Member.register(app.url);
  const operators = { chat: "scripted", dream: "scripted" };
  expect((await ben.call("GET", "/api/models")).body).toMatchObject({
    items: [{ id: "offline" }, { id: "scripted", provider: "endpoint", outUsd: 20 }],
    answers: { ...operators, offline: false, own: false },
  });
  await setKey(ana, { url: mine.url, chatModel: "mine-large", dreamModel: "mine-small" });
  const menu = async () => (await ana.call("GET", "/api/models")).body;
  const own = { chat: "mine-large", dream: "mine-small" };
  expect(await menu()).toMatchObject({
    items: [
      { id: "offline" },
      { id: "mine-large", provider: "own", outUsd: null },
      { id: "mine-small", provider: "own", outUsd: null },
    ],
    answers: { ...own, offline: false, own: true },
    otherwise: own,
  });
  await ana.call("PATCH", "/api/settings", { chatModel: "mine-small" });
  expect((await menu()).answers).toEqual({ chat: "mine-small", dream: "mine-small", offline: false, own: true });
  await say(ana);
  expect(mine.requests.at(-1)!.model).toBe("mine-small");
  await ana.call("PATCH", "/api/settings", { chatModel: "offline" });
  expect((await menu()).answers).toEqual({ chat: "offline", dream: "mine-small", offline: true, own: false });
  // The operator's models answer nobody who has an endpoint of their own.
  await ana.call("PATCH", "/api/settings", { chatModel: "scripted" });
  expect((await menu()).answers.chat).toBe("mine-large");
  await ana.call("PATCH", "/api/settings", { chatModel: null });
  expect((await ana.call("GET", "/api/health")).body.models).toEqual(operators);
  await setKey(ana, { url: mine.url });
});

test("a failure of one's own endpoint is told in one's own words, and never made up for by the operator's", async () => {
  mine.push({ status: 401, type: "application/json", body: '{"error":{"message":"bad key"}}' });
  const answer = (await say(ana)).body;
  expect(answer.error.message).toMatch(/your key in Settings/);
  expect(answer.error.message).not.toMatch(/OPENAI_/);
  expect(operator.keys).toHaveLength(1);
});

test("the key is in no answer, no log, and no file as it was given", async () => {
  const answers = await Promise.all(
    ["/api/model-key", "/api/settings", "/api/costs/calls", "/api/models", "/api/health", "/api/threads"].map((path) =>
      ana.call("GET", path),
    ),
  );
  expect(JSON.stringify(answers)).not.toContain(OWN.slice(3));
  expect(app.output()).not.toContain(OWN.slice(3));
  const bytes: Buffer[] = [];
  const walk = (path: string) => {
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory()) walk(join(path, entry.name));
      else bytes.push(readFileSync(join(path, entry.name)));
  };
  walk(data);
  const all = Buffer.concat(bytes);
  expect(all.length).toBeGreaterThan(100_000);
  for (const secret of [OWN, OPERATORS, SECRETS[0]!]) expect(all.includes(secret), secret.slice(0, 7)).toBe(false);
});

test.each([
  "http://models.example.org/v1",
  "https://10.0.0.1/v1",
  "https://169.254.169.254/latest/v1",
  "https://[fd00::1]/v1",
  "https://[::ffff:10.0.0.1]/v1",
  "https://models.internal/v1",
  "https://router.local/v1",
  "https://2130706433.nip/v1?x=1",
  "https://user:pass@models.example.org/v1",
  "https://models.example.org",
  "ftp://models.example.org/v1",
])("%s is no endpoint of a user's", async (url) => {
  expect((await setKey(ana, { url, key: OWN })).status).toBe(400);
});

test("an endpoint that sends its callers elsewhere is not followed", async () => {
  const seen: string[] = [];
  const redirecting: Server = createServer((request, response) => {
    seen.push(request.headers.authorization ?? "");
    response.writeHead(307, { Location: `${operator.url}/chat/completions` }).end();
  });
  await new Promise<void>((resolve) => redirecting.listen(0, "127.0.0.1", resolve));
  const before = operator.keys.length;
  await setKey(ana, { url: `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/v1`, key: OWN });
  expect((await say(ana)).body.error.code).toBe("unavailable");
  expect(seen).toEqual([`Bearer ${OWN}`]);
  expect(operator.keys).toHaveLength(before);
  redirecting.close();
  // The key is not carried over to another server, either.
  expect((await setKey(ana, { url: mine.url })).status).toBe(400);
  expect((await setKey(ana, { url: mine.url, key: OWN })).status).toBe(200);
});

test("the installation's cap stops its own key for everybody, and nobody's own", async () => {
  const ben = await Member.register(app.url);
  const before = operator.keys.length;
  let stopped: any = null;
  for (let call = 0; call < 8 && !stopped; call += 1) {
    const answer = (await say(ben)).body;
    if (answer.error) stopped = answer.error;
  }
  expect(stopped).toMatchObject({ code: "cap-reached" });
  expect(stopped.message).toMatch(/installation/i);
  const asked = operator.keys.length - before;
  expect(asked).toBeGreaterThanOrEqual(1);
  expect((before + asked) * 0.08).toBeLessThanOrEqual(0.6);
  expect((await say(ana)).body.reply).toBe("From my own.");
  const costs = (await ana.call("GET", "/api/costs")).body;
  expect(costs.spentUsd).toBeGreaterThan(0.08);
  console.log(`The operator's endpoint saw ${operator.keys.length} calls of $0.08 under a cap of $0.60 for all.`);
});

test("under a new secret everything still opens, and after that without the old one", async () => {
  expect((await ana.call("POST", "/api/entries", { text: "Plays the oboe" })).status).toBe(200);
  expect((await ana.call("POST", "/api/forget", { query: "oboe" })).status).toBe(200);
  await app.stop();
  app = await start({ AUTH_SECRET: SECRETS[1]!, AUTH_SECRET_PREVIOUS: SECRETS[0]! });
  ana.passkey.counter += 1;
  // The cookie that the old secret signed holds on.
  const url = app.url.replace("127.0.0.1", "localhost");
  const old = await fetch(`${url}/api/entries`, { headers: { Cookie: ana.cookie } });
  expect(old.status).toBe(200);
  await ana.signIn(app.url);
  expect((await say(ana)).body.reply).toBe("From my own.");
  expect((await ana.call("POST", "/api/entries", { text: "Has a cat" })).status).toBe(200);
  await app.stop();
  app = await start({ AUTH_SECRET: SECRETS[1]! });
  await ana.signIn(app.url);
  expect((await say(ana)).body.reply).toBe("From my own.");
  expect((await ana.call("GET", "/api/model-key")).body.usable).toBe(true);
  // What was forgotten under the old secret is known under the new one.
  const again = await ana.call("PUT", "/api/memory/files/people/x.md", undefined);
  expect(again.status).toBe(428);
  expect((await ana.call("GET", "/api/forgotten")).body.items[0].text ?? "").toMatch(/oboe/);
});

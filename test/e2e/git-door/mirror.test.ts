// The mirror: main arrives at a foreign server after each commit, whole and checked there; what is not ours is reported and never touched.
import { randomInt } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { MirrorView } from "../../../src/shared/protocol.ts";
import { call } from "../../lib/api.ts";
import { clone, commit, fsck, gitOk, inFolder, openDoor, push, type Door } from "./door.ts";
import { openHost, TOKEN, type Host } from "./git-host.ts";

let door: Door;
let host: Host;
beforeAll(async () => {
  [door, host] = await Promise.all([openDoor({ MIRROR_LOOPBACK: "yes" }), openHost()]);
  await door.remember({ text: "Lives in Porto" });
});
afterAll(async () => {
  await Promise.all([door.stop(), host.stop()]);
});
beforeEach(async () => {
  await call(door.app.url, "DELETE", "/api/mirror");
  host.failWith = null;
  host.seen.length = 0;
});

const view = async () => (await call<MirrorView>(door.app.url, "GET", "/api/mirror")).body;
const set = (body: object) =>
  call<MirrorView & { error: { code: string; message: string } }>(door.app.url, "PUT", "/api/mirror", body);

/** The view once it fits; the status is all that a client has to ask for. */
async function until(fits: (mirror: MirrorView) => boolean): Promise<MirrorView> {
  for (let tries = 0; ; tries++) {
    const mirror = await view();
    if (fits(mirror)) return mirror;
    if (tries > 600) throw new Error(`The mirror does not get there: ${JSON.stringify(mirror)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
const arrived = async (): Promise<MirrorView> => {
  const head = await door.head();
  return until((mirror) => mirror.status === "current" && mirror.commit === head);
};

it("main is there after it is set, after a save, and after a push", () =>
  inFolder(async (folder) => {
    const { url, folder: bare } = await host.repository("follows");
    expect((await set({ url, token: TOKEN })).status).toBe(200);
    await arrived();
    await door.remember({ text: "Rows on Sundays" });
    await arrived();
    const at = await clone(door, folder);
    await commit(at, { "people/ana.md": "# Ana\n\n- Is a nurse\n" });
    expect((await push(at)).code).toBe(0);
    const mirror = await arrived();
    expect(mirror).toMatchObject({ url, user: "x-access-token", error: null, tries: 0, nextAt: null });
    expect(await gitOk(["-C", bare, "rev-parse", "main"])).toBe(await door.head());
    expect(await gitOk(["-C", bare, "for-each-ref", "--format=%(refname)"])).toBe("refs/heads/main");
    expect(await fsck(bare)).toBe("");
    // Only what is new goes over the line.
    expect(host.seen.filter(({ method }) => method === "POST").length).toBe(3);
    expect(host.seen.every(({ authorized }) => authorized)).toBe(true);
  }));

it("a large history goes as a stream", () =>
  inFolder(async (folder) => {
    const at = await clone(door, folder);
    const noise = () =>
      Array.from({ length: 100_000 }, (_, n) => (n % 80 === 79 ? "\n" : String.fromCodePoint(randomInt(0x4e00, 0x9fa5)))).join(
        "",
      );
    await commit(at, Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`large/${n}.txt`, noise()])));
    expect((await push(at)).code).toBe(0);
    const { url, folder: bare } = await host.repository("large");
    await set({ url, token: TOKEN });
    await arrived();
    expect(host.seen.find(({ method }) => method === "POST")?.size).toBe("chunked");
    expect(await fsck(bare)).toBe("");
    expect(await gitOk(["-C", bare, "rev-parse", "main^{tree}"])).toBe(await gitOk(["-C", at, "rev-parse", "HEAD^{tree}"]));
  }));

it("a foreign repository is reported and stays as it is", () =>
  inFolder(async (folder) => {
    const { url, folder: bare } = await host.repository("foreign");
    const theirs = `${folder}/theirs`;
    await gitOk(["init", "-q", "-b", "main", theirs]);
    const tip = await commit(theirs, { "README.md": "Another project\n" });
    await gitOk(["-C", theirs, "push", "-q", bare, "main"]);
    await set({ url, token: TOKEN });
    const mirror = await until(({ status }) => status === "foreign");
    expect(mirror.error).toContain("not this memory's");
    expect(await gitOk(["-C", bare, "rev-parse", "main"])).toBe(tip);
    expect(await door.head()).not.toBe(tip);
    const other = await host.repository("foreign-branch");
    await gitOk(["-C", theirs, "push", "-q", other.folder, "main:master"]);
    await set({ url: other.url, token: TOKEN });
    expect((await until(({ status }) => status === "foreign")).error).toContain("master");
    expect(host.seen.filter(({ method }) => method === "POST")).toEqual([]);
  }));

it("a mirror that was rewritten is reported, and goes on once it is put back", () =>
  inFolder(async (folder) => {
    const { url, folder: bare } = await host.repository("rewritten");
    await set({ url, token: TOKEN });
    const { commit: ours } = await arrived();
    const theirs = `${folder}/theirs`;
    await gitOk(["clone", "-q", bare, theirs]);
    const tip = await commit(theirs, { "MEMORY.md": "# Memory\n\n- Rewritten by somebody\n" });
    await gitOk(["-C", theirs, "push", "-q", "--force", "origin", "main"]);
    await door.remember({ text: "Sings in a choir" });
    const mirror = await until(({ status }) => status === "foreign");
    expect(mirror.error).toContain(tip.slice(0, 8));
    expect(await gitOk(["-C", bare, "rev-parse", "main"])).toBe(tip);
    expect(await door.text("MEMORY.md")).not.toContain("Rewritten");
    await gitOk(["-C", bare, "update-ref", "refs/heads/main", ours!]);
    await door.remember({ text: "Sings on Mondays" });
    await arrived();
    expect(await gitOk(["-C", bare, "rev-parse", "main"])).toBe(await door.head());
  }));

it("after an erase the mirror is pushed over, because what stands there is what we put there", async () => {
  const { url, folder: bare } = await host.repository("erased");
  const { id } = await door.remember({ text: "Hides the spare key in the quincunx", path: "home.md" });
  await set({ url, token: TOKEN });
  const { commit: before } = await arrived();
  const erased = await call<{ ok: boolean }>(door.app.url, "POST", "/api/forget", { id, erase: true });
  expect([erased.status < 300, erased.body.ok]).toEqual([true, true]);
  await until((mirror) => mirror.status === "current" && mirror.commit !== before);
  await arrived();
  const tip = await gitOk(["-C", bare, "rev-parse", "main"]);
  expect(tip).toBe(await door.head());
  expect(await gitOk(["-C", bare, "rev-list", "main"])).not.toContain(before!);
  expect(await gitOk(["-C", bare, "log", "-p", "main"])).not.toContain("quincunx");
});

it.each([
  [401, /does not accept the token/],
  [403, /does not accept the token/],
  [404, /no repository/],
  [302, /moved to another address/],
  [500, /error \(500\)/],
])("a server that answers %i is told apart and tried again", async (status, says) => {
  const { url } = await host.repository(`fails-${status}`);
  host.failWith = status;
  await set({ url, token: TOKEN });
  const mirror = await until((one) => one.status === "failed");
  expect(mirror.error).toMatch(says);
  expect(mirror.tries).toBe(1);
  // Where only the user can help, it is not tried every few seconds.
  expect(Date.parse(mirror.nextAt!)).toBeGreaterThan(Date.now() + (status === 500 ? 0 : 3_600_000));
  expect(host.seen.every(({ path }) => path.startsWith(`/fails-${status}.git`))).toBe(true);
  // Saves go on, and hasten nothing.
  await door.remember({ text: `Saved while the mirror answered ${status}` });
  if (status !== 500) expect(await view()).toMatchObject({ status: "failed", nextAt: mirror.nextAt });
  host.failWith = null;
  await set({ url });
  await arrived();
});

it("a server that is not there, and one that refuses the branch, say so", async () => {
  await set({ url: "http://127.0.0.1:1/x.git", token: TOKEN });
  expect((await until(({ status }) => status === "failed")).error).toBe("The remote could not be reached.");
  const { url, folder } = await host.repository("hook");
  await gitOk(["-C", folder, "config", "receive.maxInputSize", "10"]);
  await set({ url, token: TOKEN });
  expect((await until(({ status, error }) => status === "failed" && error !== "The remote could not be reached.")).error).toMatch(
    /The remote refused the push/,
  );
});

it("the token never comes back, and addresses inside are refused", async () => {
  const { url } = await host.repository("quiet");
  const answers = [
    await set({ url, token: TOKEN }),
    await call(door.app.url, "GET", "/api/mirror"),
    await call(door.app.url, "GET", "/api/settings"),
  ];
  await arrived();
  expect(JSON.stringify(answers)).not.toContain(TOKEN);
  expect(door.app.output()).not.toContain(TOKEN);
  for (const bad of [
    "https://10.0.0.1/x.git",
    "http://git.example.org/x.git",
    "https://router/x.git",
    `https://me:${TOKEN}@git.example.org/x.git`,
    "no address",
  ]) {
    const { status, body } = await set({ url: bad, token: TOKEN });
    expect([status, body.error.code]).toEqual([400, "bad-format"]);
    expect(body.error.message).not.toContain(TOKEN);
  }
  // A token goes to no other server than the one it was given for.
  expect((await set({ url: "https://git.example.org/x.git" })).body.error.message).toContain("token");
  expect((await set({ url, token: "two words" })).status).toBe(400);
  expect((await call<MirrorView>(door.app.url, "DELETE", "/api/mirror")).body).toMatchObject({ url: null, status: "off" });
});

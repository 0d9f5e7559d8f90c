// The branch of sources, as a clone sees it: every source of an entry leads to its words; it is read only, and forgets with the memory.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { all, call } from "../../lib/api.ts";
import { clone, commit, fsck, git, gitOk, inFolder, openDoor, refused, type Door } from "./door.ts";

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.stop());

interface Said {
  thread: string;
  message: string;
}
const say = async (message: string, more: object = {}): Promise<Said> =>
  (await call<Said>(door.app.url, "POST", "/api/chat", { message, ...more })).body;

it("each source of a clone leads to its words, under its anchor; what nobody cites is not there", () =>
  inFolder(async (folder) => {
    const said = await say("I live in Porto.");
    await say("What is the capital of France?", { thread: said.thread });
    const temporary = await say("I also have a boat called Walrus.", { temporary: true });
    const entries = await all<{ text: string; sources: string[] }>(door.app.url, "/api/entries");
    expect(entries.flatMap(({ sources }) => sources)).toContain(`thread/${said.thread}#${said.message}`);
    const at = await clone(door, folder);
    expect(await gitOk(["-C", at, "branch", "-r", "--format=%(refname:short)"])).toContain("origin/sources");
    await gitOk(["-C", at, "checkout", "-q", "sources"]);
    expect(await gitOk(["-C", at, "rev-list", "--count", "--parents", "HEAD"])).toBe("1");
    for (const source of entries.flatMap(({ sources }) => sources)) {
      const [file, anchor] = source.split("#") as [string, string];
      const text = readFileSync(join(at, `${file}.md`), "utf8");
      expect(text).toContain(`## ${anchor}\n`);
    }
    const text = readFileSync(join(at, "thread", `${said.thread}.md`), "utf8");
    expect(text).toContain("> I live in Porto.");
    expect(text).not.toContain("France");
    expect(await gitOk(["-C", at, "ls-files"])).not.toContain(temporary.thread);
    expect(await gitOk(["-C", at, "grep", "-c", "Walrus"]).catch(() => "none")).toBe("none");
    expect(await fsck(at)).toBe("");
  }));

it("it is the same commit until something in it changes, and a fetch brings what is new", () =>
  inFolder(async (folder) => {
    const at = await clone(door, folder);
    const first = await gitOk(["-C", at, "rev-parse", "origin/sources"]);
    await door.remember({ text: "Typed by hand, without a conversation" });
    await gitOk(["-C", at, "fetch", "-q"]);
    expect(await gitOk(["-C", at, "rev-parse", "origin/sources"])).toBe(first);
    const said = await say("My sister is called Ines.");
    await gitOk(["-C", at, "fetch", "-q"]);
    expect(await gitOk(["-C", at, "rev-parse", "origin/sources"])).not.toBe(first);
    expect(await gitOk(["-C", at, "show", `origin/sources:thread/${said.thread}.md`])).toContain("> My sister is called Ines.");
    // What was listed a moment ago can still be fetched.
    const shallow = join(folder, "listed");
    await gitOk(["init", "-q", shallow]);
    expect((await git(["-C", shallow, "fetch", "-q", door.url, first])).code).toBe(0);
    expect((await git(["-C", shallow, "fetch", "-q", door.url, "1".repeat(40)])).code).not.toBe(0);
    await gitOk(["clone", "-q", "--depth", "1", "--no-single-branch", door.url, join(folder, "shallow")]);
    expect(await fsck(join(folder, "shallow"))).toBe("");
  }));

it("nobody pushes to it, and its files can be taken over to main like any others", () =>
  inFolder(async (folder) => {
    const at = await clone(door, folder);
    await gitOk(["-C", at, "checkout", "-q", "sources"]);
    await commit(at, { "thread/forged1.md": "# Forged\n" });
    await refused(door, () => git(["-C", at, "push", "origin", "sources"]), /only refs\/heads\/main can be pushed/);
    await refused(door, () => git(["-C", at, "push", "--force", "origin", "sources"]), /only refs\/heads\/main can be pushed/);
    expect((await git(["-C", at, "push", "origin", ":sources"])).code).not.toBe(0);
    await gitOk(["-C", at, "checkout", "-q", "main"]);
    await gitOk(["-C", at, "checkout", "-q", "origin/sources", "--", "thread"]);
    await commit(at, {}, "Copy the sources");
    expect((await git(["-C", at, "push", "origin", "main"])).code).toBe(0);
    const fresh = await clone(door, folder, "fresh");
    expect(await fsck(fresh)).toBe("");
    await gitOk(["-C", at, "rm", "-rq", "thread"]);
    await commit(at, {}, "And away");
    expect((await git(["-C", at, "push", "origin", "main"])).code).toBe(0);
  }));

it("what is forgotten reads [forgotten], what is deleted is gone, and an old commit of it cannot be fetched", () =>
  inFolder(async (folder) => {
    const said = await say("My dentist is called Doctor Quillfeather. I like tea.");
    const at = await clone(door, folder);
    const before = await gitOk(["-C", at, "rev-parse", "origin/sources"]);
    expect(await gitOk(["-C", at, "grep", "-c", "Quillfeather", "origin/sources"])).toContain(said.thread);
    for (const entry of (await all<{ id: string; text: string }>(door.app.url, "/api/entries")).filter(({ text }) =>
      text.includes("Quillfeather"),
    )) {
      expect((await call(door.app.url, "POST", "/api/forget", { id: entry.id })).status).toBe(200);
    }
    const stale = join(folder, "stale");
    await gitOk(["init", "-q", stale]);
    expect((await git(["-C", stale, "fetch", "-q", door.url, before])).code).not.toBe(0);
    await gitOk(["-C", at, "fetch", "-q"]);
    expect(await gitOk(["-C", at, "grep", "-c", "Quillfeather", "origin/sources"]).catch(() => "none")).toBe("none");
    const tree = await gitOk(["-C", at, "ls-tree", "-r", "--name-only", "origin/sources"]);
    if (tree.includes(said.thread))
      expect(await gitOk(["-C", at, "show", `origin/sources:thread/${said.thread}.md`])).toContain("[forgotten]");
    const kept = (await all<{ sources: string[] }>(door.app.url, "/api/entries"))
      .flatMap(({ sources }) => sources)
      .find((source) => source.startsWith("thread/"))!;
    const thread = /^thread\/([a-z0-9]+)/.exec(kept)![1]!;
    expect((await call(door.app.url, "DELETE", `/api/threads/${thread}`)).status).toBe(200);
    await gitOk(["-C", at, "fetch", "-q"]);
    expect(await gitOk(["-C", at, "show", `origin/sources:thread/${thread}.md`])).toContain("This message is not here");
    expect(await fsck(await clone(door, folder, "fresh"))).toBe("");
  }));

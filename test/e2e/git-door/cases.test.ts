// S4, G7, T1: two hands at one memory, one of them git. What both added stays; what was deleted stays deleted; what was forgotten comes back by no push.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { all, call } from "../../lib/api.ts";
import { clone, commit, fsck, git, gitOk, inFolder, openDoor, push, refused, type Door } from "./door.ts";

let door: Door;
beforeAll(async () => {
  door = await openDoor();
  await door.remember({ text: "Everything begins with a line" });
});
afterAll(() => door.stop());

const linesOf = async (path: string): Promise<string[]> =>
  (await all<{ text: string }>(door.app.url, `/api/entries?path=${path}`)).map(({ text }) => text).sort();
const read = (at: string, path: string): string => readFileSync(join(at, path), "utf8");
const MARKER = /^(?:<{7}|={7}|>{7})/m;

/** Saves a file in the app as an editor would: with the head that it had read. */
async function save(path: string, text: string | null): Promise<{ status: number; code: string | null }> {
  const head = (await door.head())!;
  const headers = { "If-Match": `"${head}"` };
  const response = await fetch(
    `${door.app.url}/api/memory/files/${path}`,
    text === null ? { method: "DELETE", headers } : { method: "PUT", headers, body: text },
  );
  const body = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: body.error?.code ?? null };
}

async function forget(id: string): Promise<void> {
  const { status, body } = await call<{ removed: unknown[] }>(door.app.url, "POST", "/api/forget", { id });
  expect([status, body.removed?.length]).toEqual([200, 1]);
}

const pull = (at: string, ...args: string[]) => git(["-C", at, "pull", "-q", "--no-rebase", "--no-edit", ...args]);

/** Takes the conflict of a file: every line of both sides, once. */
function keepBoth(at: string, path: string): void {
  const lines = read(at, path)
    .split("\n")
    .filter((line) => !MARKER.test(line));
  writeFileSync(join(at, path), [...new Set(lines)].join("\n") + "\n");
}

async function sound(folder: string): Promise<void> {
  const fresh = await clone(door, folder, `fresh-${Date.now()}`);
  expect(await fsck(fresh)).toBe("");
  const check = await call<{ problems: string[] }>(door.app.url, "GET", "/api/check");
  expect(check.body.problems).toEqual([]);
  expect(await gitOk(["-C", fresh, "grep", "-lE", "^(<<<<<<<|>>>>>>>)"]).catch(() => "")).toBe("");
}

it("S4.1 both append to one file: the stale push is refused, and after the merge both stand", () =>
  inFolder(async (folder) => {
    await save("one.md", "# One\n\n- Base\n");
    const at = await clone(door, folder);
    await door.remember({ text: "Said in the app", path: "one.md" });
    appendFileSync(join(at, "one.md"), "- Written by hand\n");
    await commit(at, {});
    await refused(door, () => push(at), /fetch first|non-fast-forward|moved on/);
    expect((await pull(at)).code).not.toBe(0);
    // Markers that somebody commits by mistake do not land.
    await gitOk(["-C", at, "commit", "-q", "-a", "-m", "Oops"]);
    await refused(door, () => push(at), /one\.md, line \d+: a conflict marker/);
    await gitOk(["-C", at, "reset", "-q", "--hard", "HEAD^"]);
    await pull(at);
    keepBoth(at, "one.md");
    await gitOk(["-C", at, "commit", "-q", "-a", "-m", "Both"]);
    expect((await push(at)).code).toBe(0);
    expect(await linesOf("one.md")).toEqual(["Base", "Said in the app", "Written by hand"]);
    await sound(folder);
  }));

it("S4.2 the same with git's union merge: clean, and both stand", () =>
  inFolder(async (folder) => {
    await save("two.md", "# Two\n\n- Base\n");
    const at = await clone(door, folder);
    mkdirSync(join(at, ".git", "info"), { recursive: true });
    writeFileSync(join(at, ".git", "info", "attributes"), "*.md merge=union\n");
    await door.remember({ text: "Said to the app", path: "two.md" });
    appendFileSync(join(at, "two.md"), "- Written by hand\n");
    await commit(at, {});
    expect((await pull(at)).code).toBe(0);
    expect((await push(at)).code).toBe(0);
    expect(await linesOf("two.md")).toEqual(["Base", "Said to the app", "Written by hand"]);
    await sound(folder);
  }));

it("S4.3 different files: the stale push is refused, the merge is clean", () =>
  inFolder(async (folder) => {
    const at = await clone(door, folder);
    await door.remember({ text: "Heard by the app", path: "three-app.md" });
    await commit(at, { "three-hand.md": "# Three\n\n- Written by hand\n" });
    await refused(door, () => push(at), /fetch first|non-fast-forward|moved on/);
    expect((await pull(at)).code).toBe(0);
    expect((await push(at)).code).toBe(0);
    expect([await linesOf("three-app.md"), await linesOf("three-hand.md")]).toEqual([["Heard by the app"], ["Written by hand"]]);
    await sound(folder);
  }));

it("S4.4 deleted in the app, untouched by hand: it stays deleted", () =>
  inFolder(async (folder) => {
    await save("four.md", "# Four\n\n- Goes\n\nA paragraph between.\n\n- Stays\n");
    const at = await clone(door, folder);
    await save(
      "four.md",
      (await door.text("four.md"))
        .split("\n")
        .filter((line) => !line.includes("Goes"))
        .join("\n"),
    );
    writeFileSync(join(at, "four.md"), `${read(at, "four.md")}\nA last paragraph, by hand.\n`);
    await commit(at, {});
    expect((await pull(at)).code).toBe(0);
    expect((await push(at)).code).toBe(0);
    expect(await linesOf("four.md")).toEqual(["Stays"]);
    expect(await door.text("four.md")).toContain("A last paragraph");
    await sound(folder);
  }));

it("S4.5 deleted against edited: git asks, and what its user decides lands; what was forgotten is refused whatever he decides", () =>
  inFolder(async (folder) => {
    await save("five.md", "# Five\n\n- Plays the cello\n");
    const at = await clone(door, folder);
    await save("five.md", null);
    writeFileSync(join(at, "five.md"), read(at, "five.md").replace("cello", "cello on Fridays"));
    await commit(at, {});
    expect((await pull(at)).err + (await gitOk(["-C", at, "status", "--short"]))).toMatch(/five\.md/);
    await gitOk(["-C", at, "add", "five.md"]);
    await gitOk(["-C", at, "commit", "-q", "-m", "Keep mine"]);
    expect((await push(at)).code).toBe(0);
    expect(await linesOf("five.md")).toEqual(["Plays the cello on Fridays"]);

    const { id } = await door.remember({ text: "Collects antique barometers", path: "five.md" });
    await gitOk(["-C", at, "pull", "-q"]);
    await forget(id);
    writeFileSync(join(at, "five.md"), read(at, "five.md").replace("antique barometers", "very antique barometers"));
    await commit(at, {});
    await pull(at);
    await gitOk(["-C", at, "checkout", "-q", "--ours", "five.md"]).catch(() => "");
    await gitOk(["-C", at, "commit", "-q", "-a", "-m", "Keep mine again"]);
    const told = await refused(door, () => push(at), /it brings back what was forgotten/);
    expect(told).toMatch(/remote: +five\.md, line \d+/);
    expect(await linesOf("five.md")).toEqual(["Plays the cello on Fridays"]);
    await sound(folder);
  }));

it("S4.6 forgotten in the app, learned again by hand in a new file: blocked by the tombstone", () =>
  inFolder(async (folder) => {
    const { id } = await door.remember({ text: "Is allergic to walnuts", path: "six.md" });
    const at = await clone(door, folder);
    await forget(id);
    await gitOk(["-C", at, "pull", "-q"]);
    await commit(at, { "health/new.md": "# Health\n\n- Is allergic to walnuts\n" });
    const told = await refused(door, () => push(at), /it brings back what was forgotten/);
    expect(told).toMatch(/remote: .*asked to forget this/);
    expect(told).toMatch(/remote: +health\/new\.md, line 3/);
    expect(told).toMatch(/remote: Take these lines out of your commits/);
    // The sentence says where it stands and not once more what it says.
    expect(told).not.toContain("walnuts");
    await sound(folder);
  }));

it("T1 a forgotten fact comes back by no push: verbatim, reworded, by its id, in another commit, in a message, out of an old clone", () =>
  inFolder(async (folder) => {
    const before = await clone(door, folder, "before");
    const { id } = await door.remember({ text: "Keeps a spare key under the terracotta pot", path: "home.md" });
    const old = await clone(door, folder, "old");
    const line = read(old, "home.md")
      .split("\n")
      .find((text) => text.includes("terracotta"))!;
    await forget(id);
    const at = await clone(door, folder);
    const tries: Record<string, string> = {
      verbatim: "- Keeps a spare key under the terracotta pot",
      "another case and no stop": "- keeps a SPARE key, under the Terracotta pot!",
      "another order": "- Under the terracotta pot: keeps a spare key",
      "with its metadata": line,
      "its id with other words": `- Something else entirely [id: ${id}]`,
      "as a child": "- Parent\n  - Keeps a spare key under the terracotta pot",
      "as a closed one": "- Keeps a spare key under the terracotta pot [until: 2026-01; closed: 2026-02-01; why: changed]",
    };
    for (const [name, text] of Object.entries(tries)) {
      await commit(at, { "notes/again.md": `# Again\n\n${text}\n` }, name);
      await refused(door, () => push(at), /it brings back what was forgotten/);
      // Taken back in a second commit it still stands in the history that would be pushed.
      await commit(at, { "notes/again.md": null });
      await refused(door, () => push(at), /it brings back what was forgotten/);
      await gitOk(["-C", at, "reset", "-q", "--hard", "origin/main"]);
    }
    await commit(at, { "notes/harmless.md": "# Harmless\n\n- Waters the pot\n" }, "Keeps a spare key under the terracotta pot");
    await refused(door, () => push(at), /its message says what you asked to forget/);
    await gitOk(["-C", at, "reset", "-q", "--hard", "origin/main"]);

    // An old clone that does not know of it yet: the merge takes the fact away, and then it lands.
    await commit(old, { "garden.md": "# Garden\n\n- Grows tomatoes\n" });
    await refused(door, () => push(old), /fetch first|non-fast-forward/);
    expect((await pull(old)).code).toBe(0);
    expect(read(old, "home.md")).not.toContain("terracotta");
    expect((await push(old)).code).toBe(0);
    // One that copied the fact elsewhere before it knew.
    await commit(before, { "copy.md": "# Copy\n\n- Keeps a spare key under the terracotta pot\n" });
    expect((await pull(before)).code).toBe(0);
    await refused(door, () => push(before), /it brings back what was forgotten/);
    // The list of tombstones is nobody's to change.
    await gitOk(["-C", at, "pull", "-q"]);
    await commit(at, { "forgotten.md": "" }, "Empty the list");
    await refused(door, () => push(at), /forgotten\.md lists what was forgotten/);
    expect(
      (await all<{ text: string }>(door.app.url, "/api/entries?state=all")).filter(({ text }) => /terracotta/.test(text)),
    ).toEqual([]);
    await sound(folder);
  }));

it("G7 one entry by hand, another in the same file by the app: refused as stale, merged cleanly, both present", () =>
  inFolder(async (folder) => {
    await save("seven.md", "# Seven\n\n## Work\n\n- Works at a bakery\n\n## Sport\n\n- Swims\n\n## Music\n\n- Sings\n");
    const at = await clone(door, folder);
    const entry = (await all<{ id: string; text: string }>(door.app.url, "/api/entries?path=seven.md")).find(
      ({ text }) => text === "Sings",
    )!;
    await call(door.app.url, "POST", `/api/entries/${entry.id}/revise`, { text: "Sings in a choir", why: "changed" });
    writeFileSync(join(at, "seven.md"), read(at, "seven.md").replace("Works at a bakery", "Works at a bakery in Porto"));
    await commit(at, {});
    await refused(door, () => push(at), /fetch first|non-fast-forward/);
    expect((await pull(at)).code).toBe(0);
    expect((await push(at)).code).toBe(0);
    expect(await linesOf("seven.md")).toEqual(["Sings in a choir", "Swims", "Works at a bakery in Porto"]);
    await sound(folder);
  }));

it("nobody pushes under the app's name, and what a message claims is not believed", () =>
  inFolder(async (folder) => {
    const at = await clone(door, folder);
    for (const [name, email] of [
      ["Reverie", "ada@example.org"],
      ["reverie ", "ada@example.org"],
      ["Ada", "memory@reverie.invalid"],
    ]) {
      mkdirSync(join(at, "forged"), { recursive: true });
      writeFileSync(join(at, "forged", "a.md"), "# Forged\n\n- By the app\n");
      await gitOk(["-C", at, "add", "-A"]);
      await gitOk(["-C", at, "commit", "-q", "-m", "chat(thread/ab12cd34): 1 line added"], {
        env: { GIT_COMMITTER_NAME: name!, GIT_COMMITTER_EMAIL: email! },
      });
      await refused(door, () => push(at), /names the app as its committer/);
      await gitOk(["-C", at, "reset", "-q", "--hard", "origin/main"]);
    }
    const sent = await commit(
      at,
      { "claims.md": "# Claims\n\n- Says who wrote it\n" },
      "dream(dream/ab12cd34): 1 line added\n\nActor: model\nDream: ab12cd34\nSource: thread/ab12cd34#m1",
    );
    expect((await push(at)).code).toBe(0);
    const detail = await call<{ kind: string; ref: string | null; trailers: unknown[] }>(
      door.app.url,
      "GET",
      `/api/history/${sent}`,
    );
    expect(detail.body).toMatchObject({ kind: "push", ref: null, trailers: [] });
  }));

it("a slot that a push fills twice is settled by the app in a commit that follows", () =>
  inFolder(async (folder) => {
    await door.remember({ text: "Lives in Lyon", slot: "home", since: "2020" });
    const at = await clone(door, folder);
    appendFileSync(join(at, "MEMORY.md"), "- Lives in Porto [id: push0001; slot: home; since: 2026-03]\n");
    const sent = await commit(at, {});
    const ran = await push(at);
    expect([ran.code, ran.err]).toEqual([0, expect.stringMatching(/remote: The app has closed what these lines replace/)]);
    expect(await door.head()).not.toBe(sent);
    await gitOk(["-C", at, "pull", "-q", "--ff-only"]);
    expect(await gitOk(["-C", at, "log", "-1", "--format=%cn %s"])).toMatch(/^Reverie system: /);
    expect((await all<{ text: string }>(door.app.url, "/api/entries?slot=home")).map(({ text }) => text)).toEqual([
      "Lives in Porto",
    ]);
    await sound(folder);
  }));

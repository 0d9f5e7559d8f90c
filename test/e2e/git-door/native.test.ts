// G1, G6: what native git does with the memory every day, in both protocols: clone, fetch, push; and what it must not do to it.
import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "../../lib/api.ts";
import { clone, commit, fsck, git, gitOk, inFolder, openDoor, push, refused, type Door } from "./door.ts";
import { openTab } from "./tab.ts";

/** Text that does not compress: signs of a script with many. */
const noise = (signs: number): string =>
  Array.from({ length: signs }, (_, at) => (at % 80 === 79 ? "\n" : String.fromCodePoint(randomInt(0x4e00, 0x9fa5)))).join("");

let door: Door;
beforeAll(async () => {
  door = await openDoor();
});
afterAll(() => door.stop());

it("an empty memory is cloned, and the first push makes its branch", () =>
  inFolder(async (folder) => {
    const at = await clone(door, folder);
    expect(await gitOk(["-C", at, "symbolic-ref", "HEAD"])).toBe("refs/heads/main");
    await commit(at, { "people/ana.md": "# Ana\n\n- Is a nurse\n" });
    const ran = await push(at);
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining("remote: Landed: 1 line added in people/ana.md.")]);
    // The app adds the file that every conversation starts with, in a commit of its own.
    expect(ran.err).toContain("pull it");
    await gitOk(["-C", at, "branch", "--set-upstream-to=origin/main"]);
    await gitOk(["-C", at, "pull", "-q", "--ff-only"]);
    expect(await gitOk(["-C", at, "ls-files"])).toBe("MEMORY.md\npeople/ana.md");
    expect(await door.head()).toBe(await gitOk(["-C", at, "rev-parse", "HEAD"]));
    expect(await fsck(at)).toBe("");
  }));

describe.each([0, 2])("protocol v%i", (version) => {
  const protocol = ["-c", `protocol.version=${version}`];

  it("clone, edit, push, fetch: everything comes back as it was sent", () =>
    inFolder(async (folder) => {
      const at = await clone(door, folder, "a");
      await commit(at, { [`log/${version}.md`]: "# Log\n\n- One\n" });
      const sent = await commit(at, { [`log/${version}.md`]: "# Log\n\n- One\n- Two, über Łódź, 上海 👩‍👩‍👧\n" });
      expect((await git([...protocol, "-C", at, "push", "--atomic", "origin", "main"])).code).toBe(0);
      expect(await door.head()).toBe(sent);
      const shown = await call<{ items: { text: string; path: string }[] }>(
        door.app.url,
        "GET",
        `/api/entries?path=log/${version}.md`,
      );
      expect(shown.body.items.map(({ text }) => text)).toEqual(["One", "Two, über Łódź, 上海 👩‍👩‍👧"]);
      await door.remember({ text: `Saved in the app, ${version}`, path: `log/${version}.md` });
      await gitOk([...protocol, "-C", at, "pull", "-q", "--ff-only"]);
      expect(await fsck(at)).toBe("");
      const other = await clone(door, folder, "b");
      expect(await gitOk(["-C", other, "rev-parse", "HEAD^{tree}"])).toBe(await gitOk(["-C", at, "rev-parse", "HEAD^{tree}"]));
      expect(await gitOk(["-C", other, "log", "-1", "--format=%cn", "HEAD^"])).toBe("Ada");
    }));

  it("--depth 1, then the rest", () =>
    inFolder(async (folder) => {
      const at = await clone(door, folder, "shallow", ["--depth", "1"]);
      expect(await gitOk(["-C", at, "rev-list", "--count", "HEAD"])).toBe("1");
      expect(await fsck(at)).toBe("");
      await commit(at, { [`shallow-${version}.md`]: "- From a shallow clone\n" });
      expect((await git([...protocol, "-C", at, "push", "origin", "main"])).code).toBe(0);
      await gitOk([...protocol, "-C", at, "fetch", "-q", "--unshallow"]);
      expect(await fsck(at)).toBe("");
    }));

  it("150 haves come gzipped and are understood", () =>
    inFolder(async (folder) => {
      const at = await clone(door, folder);
      await gitOk(["-C", at, "checkout", "-q", "-b", "own"]);
      const stream = Array.from(
        { length: 150 },
        (_, n) =>
          `commit refs/heads/own\ncommitter Ada <ada@example.org> ${Math.floor(Date.now() / 1000) + n} +0000\ndata 2\nx\n${n === 0 ? "from refs/heads/main^0\n" : ""}\n`,
      ).join("");
      await gitOk(["-C", at, "fast-import", "--quiet", "--force"], { input: stream });
      const { commit: landed } = await door.remember({ text: `News for many haves, ${version}`, path: "news.md" });
      const ran = await git([...protocol, "-C", at, "fetch", "origin"], {
        env: { GIT_TRACE_CURL: "1", GIT_TRACE_CURL_NO_DATA: "1" },
      });
      expect(ran.code).toBe(0);
      expect(ran.err.toLowerCase()).toContain("content-encoding: gzip");
      expect(await gitOk(["-C", at, "rev-parse", "origin/main"])).toBe(landed);
    }));

  it("a push of 3 MB comes in chunks after a probe", () =>
    inFolder(async (folder) => {
      const at = await clone(door, folder);
      const files = Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`large/${version}-${n}.txt`, noise(80_000)]));
      await commit(at, files);
      const ran = await git([...protocol, "-C", at, "push", "origin", "main"], {
        env: { GIT_TRACE_CURL: "1", GIT_TRACE_CURL_NO_DATA: "1" },
      });
      expect(ran.err.toLowerCase()).toContain("transfer-encoding: chunked");
      expect(ran.code).toBe(0);
      await refusedDeletes(at);
    }));

  async function refusedDeletes(at: string): Promise<void> {
    await refused(door, () => git([...protocol, "-C", at, "push", "origin", "--delete", "main"]), /cannot be deleted/);
    await refused(
      door,
      () => git([...protocol, "-C", at, "push", "origin", "HEAD:refs/heads/other"]),
      /only refs\/heads\/main can be pushed/,
    );
    await refused(
      door,
      () => git([...protocol, "-C", at, "push", "origin", "HEAD:refs/heads/sources"]),
      /only refs\/heads\/main can be pushed/,
    );
    await refused(
      door,
      () => git([...protocol, "-C", at, "push", "origin", "HEAD:refs/tags/v1"]),
      /only refs\/heads\/main can be pushed/,
    );
    await refused(
      door,
      () => git([...protocol, "-C", at, "push", "--atomic", "origin", "HEAD:refs/heads/x", "HEAD:main"]),
      /rejected|failed/,
    );
  }

  it("what does not go forward is refused, with --force, too", () =>
    inFolder(async (folder) => {
      const at = await clone(door, folder);
      await door.remember({ text: `Lands meanwhile, ${version}`, path: "meanwhile.md" });
      await commit(at, { "mine.md": `- Mine ${version}\n` });
      await refused(door, () => push(at), /non-fast-forward|fetch first/);
      await refused(door, () => push(at, "--force"), /take commits away|moved on/);
      await refused(door, () => push(at, "--force-with-lease=main"), /rejected/);
      const back = await git(["-C", at, "push", "--force", "origin", "HEAD~2:main"]);
      expect([back.code === 0, back.err]).toEqual([false, expect.stringMatching(/take commits away/)]);
      await gitOk(["-C", at, "checkout", "-q", "--orphan", "fresh"]);
      await commit(at, { "other.md": "- Another history\n" });
      await refused(door, () => push(at, "--force"), /take commits away/);
    }));
});

it("a stranger's history is not the memory: unrelated commits are refused, a merge of them lands", () =>
  inFolder(async (folder) => {
    const at = await clone(door, folder);
    const main = await gitOk(["-C", at, "rev-parse", "HEAD"]);
    await gitOk(["-C", at, "checkout", "-q", "--orphan", "elsewhere"]);
    await gitOk(["-C", at, "rm", "-rfq", "."]);
    await commit(at, { "vault/old.md": "# Old\n\n- Comes from an old vault\n" });
    await gitOk(["-C", at, "merge", "-q", "--allow-unrelated-histories", "-m", "Bring the old vault", main]);
    expect((await push(at)).code).toBe(0);
    expect(await door.text("vault/old.md")).toContain("old vault");
    const check = await call<{ ok: boolean; problems: string[] }>(door.app.url, "GET", "/api/check");
    expect(check.body.problems).toEqual([]);
    const fresh = await clone(door, folder, "fresh");
    expect(await fsck(fresh)).toBe("");
  }));

it("open tabs are told what was pushed", () =>
  inFolder(async (folder) => {
    const at = await clone(door, folder);
    const tab = await openTab(`${door.app.url}/agents/memory-agent/me`);
    try {
      const told = tab.next<{ type: string; kind: string; commit: string; paths: string[] }>(
        (event) => event.type === "commit" && event.kind === "push",
      );
      writeFileSync(join(at, "tab.md"), "- Seen at once\n");
      const sent = await commit(at, {});
      expect((await push(at)).code).toBe(0);
      expect(await told).toMatchObject({ commit: sent, paths: ["tab.md"] });
    } finally {
      tab.close();
    }
  }));

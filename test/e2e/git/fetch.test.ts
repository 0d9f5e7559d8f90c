// Native git as the oracle of the git door: clone, fetch, shallow, both protocols, odd clients, commits meanwhile.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fsck, git, gitOk, inFolder, repositoryAt, serveFixture, type Served } from "./served.ts";

let served: Served;
beforeAll(async () => {
  served = await serveFixture();
});
afterAll(() => served.stop());

const START = 1_767_225_600_000;

describe.each([0, 1, 2])("protocol v%i", (version) => {
  const protocol = ["-c", `protocol.version=${version}`];

  it("clones, fetches what is new, and finds nothing wrong", () =>
    inFolder(async (folder) => {
      const repo = repositoryAt(served, `plain-${version}`);
      await repo.land({ files: { "MEMORY.md": "# Memory\n\n- One\n", "people/łukasz.md": "# Łukasz\n", "empty.md": "" } });
      await repo.land({ files: { "people/b/c.md": "- Deep\n" }, at: START + 1000 });
      await repo.land({ branch: "dream/ab12", files: { "places/x.md": "- Side\n" }, at: START + 2000 });
      const clone = join(folder, "clone");
      await gitOk([...protocol, "clone", repo.url, clone]);
      expect(await fsck(clone)).toBe("");
      expect(readFileSync(join(clone, "people/łukasz.md"), "utf8")).toBe("# Łukasz\n");
      expect(readFileSync(join(clone, "empty.md"), "utf8")).toBe("");
      expect(await gitOk(["-C", clone, "branch", "-a", "--format=%(refname)"])).toBe(
        "refs/heads/main\nrefs/remotes/origin/HEAD\nrefs/remotes/origin/dream/ab12\nrefs/remotes/origin/main",
      );

      expect((await git([...protocol, "-C", clone, "fetch"])).code).toBe(0);
      const { commit } = await repo.land({ files: { "MEMORY.md": "# Memory\n\n- Two\n", "empty.md": null }, at: START + 3000 });
      await gitOk([...protocol, "-C", clone, "pull", "--ff-only"]);
      expect(await gitOk(["-C", clone, "rev-parse", "HEAD"])).toBe(commit);
      expect(readFileSync(join(clone, "MEMORY.md"), "utf8")).toBe("# Memory\n\n- Two\n");
      expect(await fsck(clone)).toBe("");
    }));

  it("clones nothing as nothing, and the first commit comes with the next fetch", () =>
    inFolder(async (folder) => {
      const repo = repositoryAt(served, `empty-${version}`);
      const clone = join(folder, "clone");
      expect((await git([...protocol, "clone", repo.url, clone])).code).toBe(0);
      if (version === 2) expect(await gitOk(["-C", clone, "symbolic-ref", "HEAD"])).toBe("refs/heads/main");
      const { commit } = await repo.land({ files: { "MEMORY.md": "- First\n" } });
      await gitOk([...protocol, "-C", clone, "fetch"]);
      expect(await gitOk(["-C", clone, "rev-parse", "origin/main"])).toBe(commit);
      await gitOk(["-C", clone, "checkout", "-q", "-B", "main", "origin/main"]);
      expect(await fsck(clone)).toBe("");
    }));

  it("cuts history where it is asked to, and gives the rest later", () =>
    inFolder(async (folder) => {
      const repo = repositoryAt(served, `shallow-${version}`);
      for (let i = 0; i < 12; i++)
        await repo.land({ files: { "MEMORY.md": `- ${i}\n`, [`n/${i % 3}.md`]: `${i}\n` }, at: START + i * 86_400_000 });
      const clone = join(folder, "clone");
      const count = async (): Promise<number> => Number(await gitOk(["-C", clone, "rev-list", "--count", "HEAD"]));
      await gitOk([...protocol, "clone", "--depth", "1", repo.url, clone]);
      expect([await count(), await fsck(clone)]).toEqual([1, ""]);
      await repo.land({ files: { "MEMORY.md": "- 12\n" }, at: START + 12 * 86_400_000 });
      await gitOk([...protocol, "-C", clone, "pull", "--ff-only"]);
      expect([await count(), await fsck(clone)]).toEqual([2, ""]);
      await gitOk([...protocol, "-C", clone, "fetch", "--depth", "4"]);
      expect([await count(), await fsck(clone)]).toEqual([4, ""]);
      await gitOk([...protocol, "-C", clone, "fetch", "--deepen", "2"]);
      expect([await count(), await fsck(clone)]).toEqual([6, ""]);
      await gitOk([...protocol, "-C", clone, "fetch", `--shallow-since=${new Date(START + 4 * 86_400_000).toISOString()}`]);
      expect([await count(), await fsck(clone)]).toEqual([9, ""]);
      await gitOk([...protocol, "-C", clone, "fetch", "--unshallow"]);
      expect([await count(), await fsck(clone)]).toEqual([13, ""]);
    }));

  it("takes gzipped requests with many haves, from a clone that has grown its own commits", () =>
    inFolder(async (folder) => {
      const repo = repositoryAt(served, `haves-${version}`);
      await repo.land({ files: { "MEMORY.md": "- Start\n" } });
      const clone = join(folder, "clone");
      await gitOk([...protocol, "clone", repo.url, clone]);
      const own = Array.from(
        { length: 180 },
        (_, i) =>
          `commit refs/heads/main\ncommitter Ada <ada@example.org> ${1_767_225_601 + i} +0000\ndata 3\nown\n${i === 0 ? "from refs/heads/main^0\n" : ""}\n`,
      );
      await gitOk(["-C", clone, "fast-import", "--quiet"], { input: own.join("") });
      const { commit } = await repo.land({ files: { "MEMORY.md": "- Later\n" }, at: START + 1000 });
      const ran = await git([...protocol, "-C", clone, "fetch"], { env: { GIT_TRACE_CURL: "1", GIT_TRACE_CURL_NO_DATA: "1" } });
      expect(ran.code).toBe(0);
      expect(ran.err.toLowerCase()).toContain("content-encoding: gzip");
      expect(await gitOk(["-C", clone, "rev-parse", "origin/main"])).toBe(commit);
      expect(await fsck(clone)).toBe("");
    }));

  it("follows merges and annotated tags, and tells a client of a commit that is not shown", () =>
    inFolder(async (folder) => {
      const repo = repositoryAt(served, `merge-${version}`);
      const base = await repo.land({ files: { "MEMORY.md": "- Base\n" } });
      const side = await repo.land({ branch: "dream/x", files: { "side.md": "- Side\n" }, at: START + 1000 });
      await repo.land({ files: { "main.md": "- Main\n" }, at: START + 2000 });
      const clone = join(folder, "clone");
      await gitOk([...protocol, "clone", "--single-branch", repo.url, clone]);
      await repo.land({ merge: [side.commit], files: { "side.md": "- Side\n" }, at: START + 3000 });
      await repo.tag();
      await gitOk([...protocol, "-C", clone, "fetch", "--tags"]);
      expect(await fsck(clone)).toBe("");
      expect(await gitOk(["-C", clone, "cat-file", "-t", "v1"])).toBe("tag");
      expect(await gitOk(["-C", clone, "merge-base", "origin/main", side.commit])).toBe(side.commit);
      const fresh = join(folder, "fresh");
      await gitOk([...protocol, "clone", "--mirror", repo.url, fresh]);
      expect(await fsck(fresh)).toBe("");
      await gitOk([...protocol, "-C", fresh, "fetch", "origin", base.commit]);
      const unknown = await git([...protocol, "-C", fresh, "fetch", "origin", "1".repeat(40)]);
      expect(unknown.code).not.toBe(0);
      expect(unknown.err).toContain("1".repeat(40));
    }));
});

describe("the git door", () => {
  it("refuses pushes, foreign methods, the dumb protocol and broken requests with a sentence", () =>
    inFolder(async (folder) => {
      const repo = repositoryAt(served, "refusals");
      await repo.land({ files: { "MEMORY.md": "- One\n" } });
      const clone = join(folder, "clone");
      await gitOk(["clone", repo.url, clone]);
      await gitOk(["-C", clone, "commit", "--allow-empty", "-m", "own"]);
      const push = await git(["-C", clone, "push"]);
      expect(push.code).not.toBe(0);
      expect(push.err).toContain("This memory cannot be changed by a push.");
      const type = { "Content-Type": "application/x-git-upload-pack-request" };
      const asked: [number, string, RequestInit][] = [
        [403, "/info/refs", {}],
        [403, "/info/refs?service=git-archive", {}],
        [404, "/objects/info/packs", {}],
        [405, "/info/refs?service=git-upload-pack", { method: "POST", body: "" }],
        [405, "/git-upload-pack", {}],
        [415, "/git-upload-pack", { method: "POST", body: "0000" }],
        [400, "/git-upload-pack", { method: "POST", headers: type, body: "zzzz" }],
        [400, "/git-upload-pack", { method: "POST", headers: type, body: "0032want 1234" }],
        [400, "/git-upload-pack", { method: "POST", headers: type, body: "000dwhat ever" }],
        [400, "/git-upload-pack", { method: "POST", headers: { ...type, "Content-Encoding": "gzip" }, body: "no gzip" }],
        [400, "/git-upload-pack", { method: "POST", headers: { ...type, "Content-Encoding": "br" }, body: "0000" }],
        [
          400,
          "/git-upload-pack",
          { method: "POST", headers: { ...type, "Git-Protocol": "version=2" }, body: "0014command=evaluate\n0000" },
        ],
        [
          413,
          "/git-upload-pack",
          {
            method: "POST",
            headers: { ...type, "Content-Encoding": "gzip" },
            body: gzipSync(Buffer.alloc(64 * 1024 * 1024, "0")),
          },
        ],
        [200, "/git-upload-pack", { method: "POST", headers: type, body: "0000" }],
      ];
      for (const [status, path, init] of asked) {
        const response = await fetch(`${repo.url}${path}`, init);
        expect([path, response.status]).toEqual([path, status]);
        if (status !== 200) expect(await response.text()).toMatch(/^[A-Z].*\.\n$/);
      }
    }));

  it("answers clients that know no side band and no multi_ack", async () => {
    const repo = repositoryAt(served, "bare");
    const { commit } = await repo.land({ files: { "MEMORY.md": "- One\n" } });
    const ask = async (body: string): Promise<Buffer> => {
      const response = await fetch(`${repo.url}/git-upload-pack`, {
        method: "POST",
        headers: { "Content-Type": "application/x-git-upload-pack-request" },
        body,
      });
      return Buffer.from(await response.arrayBuffer());
    };
    const line = (text: string): string => (text.length + 4).toString(16).padStart(4, "0") + text;
    const bare = await ask(`${line(`want ${commit}\n`)}0000${line("done\n")}`);
    expect(bare.toString("latin1", 0, 12)).toBe("0008NAK\nPACK");
    const acked = await ask(`${line(`want ${commit}\n`)}0000${line(`have ${commit}\n`)}${line("done\n")}`);
    expect(acked.toString("latin1", 0, 53)).toBe(`0031ACK ${commit}\nPACK`);
    const small = await ask(`${line(`want ${commit} side-band\n`)}0000${line("done\n")}`);
    expect(small.toString("latin1", 0, 8)).toBe("0008NAK\n");
    expect(small.subarray(-4).toString()).toBe("0000");
  });

  it("clones while commits land, and what it gives is always whole", () =>
    inFolder(async (folder) => {
      const repo = repositoryAt(served, "busy");
      await repo.grow(300, 100);
      let landing = true;
      let landed = 0;
      const writer = (async () => {
        while (landing)
          await repo.land({ files: { [`busy/${landed % 50}.md`]: `- ${landed++}\n` }, at: START + 10_000_000 + landed * 1000 });
      })();
      for (let i = 0; i < 8; i++) {
        const clone = join(folder, `clone-${i}`);
        await gitOk(["clone", "-q", repo.url, clone]);
        expect(await fsck(clone)).toBe("");
        await gitOk(["-C", clone, "pull", "-q", "--ff-only"]);
        expect(await fsck(clone)).toBe("");
      }
      landing = false;
      await writer;
      expect(landed).toBeGreaterThan(8);
      console.log(`8 clones and pulls while ${landed} commits landed: all whole`);
    }));
});

// Packs that git refuses are refused, packs that would exhaust memory too, and honest ones are read as git reads them.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import {
  blobId,
  copy,
  deltaOf,
  distance,
  entryBytes,
  insert,
  KIND,
  packOf,
  signed,
  type Entry,
} from "../../../test/worker/git/pack-builder.ts";
import { parsePack } from "./pack-read.ts";

const folder = mkdtempSync(join(tmpdir(), "reverie-pack-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MUTATIONS = process.env.SOAK ? 10_000 : 1_500;
const base = Buffer.from("base content, long enough to copy from\n");
const blob = (text: string): Entry => ({ kind: KIND.blob, data: Buffer.from(text) });
const baseEntry: Entry = { kind: KIND.blob, data: base };
const baseLength = entryBytes(baseEntry).byteLength;
const goodDelta = deltaOf(base.byteLength, 9, copy(0, 4), insert("-more"));
/** A delta on the base entry, which stands right before it. */
const ofs = (data: Uint8Array, back = baseLength, size?: number): Entry => ({
  kind: KIND.ofs,
  data,
  between: distance(back),
  ...(size !== undefined && { size }),
});
const ref = (oid: string, data: Uint8Array): Entry => ({ kind: KIND.ref, data, between: Buffer.from(oid, "hex") });

/** What git index-pack --strict thinks of a pack. */
function gitAccepts(pack: Uint8Array): boolean {
  const repo = mkdtempSync(join(folder, "repo-"));
  execFileSync("git", ["init", "-q", "--bare", repo]);
  const { status } = spawnSync("git", ["-C", repo, "index-pack", "--strict", "--stdin"], {
    input: pack,
    stdio: ["pipe", "ignore", "ignore"],
  });
  rmSync(repo, { recursive: true });
  return status === 0;
}

const good: Record<string, Buffer> = {
  "one blob": packOf([blob("one")]),
  "an empty blob": packOf([blob("")]),
  "version 3": packOf([blob("one")], { version: 3 }),
  "an ofs-delta": packOf([baseEntry, ofs(goodDelta)]),
  "a ref-delta": packOf([baseEntry, ref(blobId(base), goodDelta)]),
  "a ref-delta before its base": packOf([ref(blobId(base), goodDelta), baseEntry]),
  "a delta on a delta": packOf([
    baseEntry,
    ofs(goodDelta),
    { kind: KIND.ref, between: Buffer.from(blobId(Buffer.from("base-more")), "hex"), data: deltaOf(9, 5, copy(4, 5)) },
  ]),
  "a copy of 64 KiB": packOf([
    { kind: KIND.blob, data: Buffer.alloc(70_000, "x") },
    ref(blobId(Buffer.alloc(70_000, "x")), deltaOf(70_000, 65_536, copy(0, 0))),
  ]),
  "data that is not compressed": packOf([
    { kind: KIND.blob, size: 3000, deflated: deflateSync(Buffer.alloc(3000, "y"), { level: 0 }) },
  ]),
  nothing: packOf([]),
};

const bomb = (bytes: number): Buffer => deflateSync(Buffer.alloc(bytes));
const bad: Record<string, { pack: Buffer; code?: string; git?: boolean }> = {
  "a wrong checksum": { pack: Buffer.concat([packOf([blob("one")]).subarray(0, -1), Buffer.from([0])]) },
  "a count too small": { pack: packOf([blob("one"), blob("two")], { count: 1 }) },
  "a count too large": { pack: packOf([blob("one")], { count: 2 }) },
  "trailing garbage": { pack: packOf([blob("one")], { behind: Buffer.from("garbage") }) },
  "garbage behind the checksum": { pack: Buffer.concat([packOf([blob("one")]), Buffer.from("garbage")]), git: true },
  truncated: { pack: packOf([blob("one")]).subarray(0, 25) },
  "cut and signed": { pack: signed(packOf([blob("one")]).subarray(0, 16)) },
  "a bad adler": { pack: packOf([{ kind: KIND.blob, size: 3, deflated: flipped(deflateSync(Buffer.from("one")), -1) }]) },
  "a bad body": { pack: packOf([{ kind: KIND.blob, size: 3, deflated: flipped(deflateSync(Buffer.from("one")), 2) }]) },
  "a size too small": { pack: packOf([{ kind: KIND.blob, data: base, size: 3 }]) },
  "a size too large": { pack: packOf([{ kind: KIND.blob, data: base, size: 300 }]) },
  "a size of 2^40": { pack: packOf([{ kind: KIND.blob, data: base, size: 2 ** 40 }]), code: "too-large" },
  "a size without end": { pack: signed(Buffer.concat([packOf([]).subarray(0, 11), Buffer.from([1]), Buffer.alloc(40, 0xff)])) },
  "version 9": { pack: packOf([blob("one")], { version: 9 }) },
  "not a pack": { pack: signed(Buffer.from("this is no pack at all")) },
  empty: { pack: Buffer.alloc(0) },
  "an ofs-delta of distance 0": { pack: packOf([baseEntry, ofs(goodDelta, 0)]) },
  "an ofs-delta before the start": { pack: packOf([baseEntry, ofs(goodDelta, 5000)]) },
  "an ofs-delta into the header": { pack: packOf([baseEntry, ofs(goodDelta, baseLength + 4)]) },
  "an ofs-delta into the middle of an object": { pack: packOf([baseEntry, ofs(goodDelta, baseLength - 3)]) },
  "a ref-delta without its base": { pack: packOf([ref("1".repeat(40), goodDelta)]) },
  "a ref-delta on itself": { pack: packOf([baseEntry, ref(blobId(Buffer.from("base-more")), goodDelta)]) },
  "a delta that copies past the end": { pack: packOf([baseEntry, ofs(deltaOf(base.byteLength, 60, copy(20, 60)))]) },
  "a delta that lies about its base": {
    pack: packOf([baseEntry, ofs(deltaOf(base.byteLength + 1, 9, copy(0, 4), insert("-more")))]),
  },
  "a delta of target 2^31": { pack: packOf([baseEntry, ofs(deltaOf(base.byteLength, 2 ** 31, copy(0, 4)))]), code: "too-large" },
  "a delta that makes too little": { pack: packOf([baseEntry, ofs(deltaOf(base.byteLength, 10, copy(0, 4), insert("-more")))]) },
  "a delta that makes too much": { pack: packOf([baseEntry, ofs(deltaOf(base.byteLength, 8, copy(0, 4), insert("-more")))]) },
  "a delta with instruction 0": { pack: packOf([baseEntry, ofs(deltaOf(base.byteLength, 4, copy(0, 4), Buffer.from([0])))]) },
  "a delta cut off in an instruction": { pack: packOf([baseEntry, ofs(deltaOf(base.byteLength, 4, Buffer.from([0xff, 0])))]) },
  "a delta cut off in an insert": { pack: packOf([baseEntry, ofs(deltaOf(base.byteLength, 4, Buffer.from([4, 65])))]) },
  "a delta whose sizes have no end": { pack: packOf([baseEntry, ofs(Buffer.alloc(30, 0xff))]) },
  "an empty delta": { pack: packOf([baseEntry, ofs(Buffer.alloc(0))]) },
  "kind 0": { pack: packOf([{ kind: 0, data: base }]) },
  "kind 5": { pack: packOf([{ kind: 5, data: base }]) },
  "an object twice": { pack: packOf([blob("one"), blob("one")]) },
  "an object twice, once as a delta": {
    pack: packOf([baseEntry, blob("base-more"), ofs(goodDelta, baseLength + entryBytes(blob("base-more")).byteLength)]),
  },
  "a zlib bomb that says how large it is": {
    pack: packOf([{ kind: KIND.blob, size: 64 * 1024 * 1024, deflated: bomb(64 * 1024 * 1024) }]),
    code: "too-large",
    git: true,
  },
  "a zlib bomb that says 10 bytes": { pack: packOf([{ kind: KIND.blob, size: 10, deflated: bomb(64 * 1024 * 1024) }]) },
  "empty blocks without end": { pack: packOf([{ kind: KIND.blob, size: 4, deflated: emptyBlocks(200_000) }]), git: true },
  "a delta bomb": {
    pack: packOf([
      { kind: KIND.blob, data: Buffer.alloc(1_000_000) },
      ref(
        blobId(Buffer.alloc(1_000_000)),
        deltaOf(1_000_000, 64_000_000, ...Array.from({ length: 64 }, () => copy(0, 1_000_000))),
      ),
    ]),
    code: "too-large",
    git: true,
  },
  "many objects that are too much together": {
    pack: packOf(Array.from({ length: 70 }, (_, i) => blob(`${i}${"x".repeat(1_000_000)}`))),
    code: "too-large",
    git: true,
  },
  "a chain 51 deep": { pack: packOf(deep(51)), code: "too-large", git: true },
  "20,001 objects": { pack: packOf(Array.from({ length: 20_001 }, (_, i) => blob(`${i}`))), code: "too-large", git: true },
  "17 MiB": { pack: Buffer.alloc(17 * 1024 * 1024), code: "too-large" },
};

function flipped(bytes: Buffer, at: number): Buffer {
  const copied = Buffer.from(bytes);
  const index = at < 0 ? bytes.byteLength + at : at;
  copied[index] = copied[index]! ^ 0xff;
  return copied;
}

/** A stream of four bytes behind very many empty stored blocks. */
function emptyBlocks(blocks: number): Buffer {
  const honest = deflateSync(Buffer.from("four"), { level: 0 });
  return Buffer.concat([honest.subarray(0, 2), Buffer.from("000000ffff".repeat(blocks), "hex"), honest.subarray(2)]);
}

/** A base and a line of deltas, each on the one before. */
function deep(length: number): Entry[] {
  const entries: Entry[] = [{ kind: KIND.blob, data: Buffer.from("0".repeat(100)) }];
  let before = entryBytes(entries[0]!).byteLength;
  for (let i = 1; i <= length; i++) {
    const entry = ofs(deltaOf(i === 1 ? 100 : 104, 104, copy(0, 100), insert(`${1000 + i}`)), before);
    before = entryBytes(entry).byteLength;
    entries.push(entry);
  }
  return entries;
}

describe("a foreign pack", () => {
  for (const [name, pack] of Object.entries(good))
    it(`is read: ${name}`, () => {
      expect(gitAccepts(pack)).toBe(true);
      const parsed = parsePack(pack);
      for (const [oid, { type, size }] of parsed.objects) {
        const object = parsed.read(oid)!;
        expect([object.type, object.data.byteLength, blobId(object.data)]).toEqual([type, size, oid]);
      }
      expect(parsed.read("1".repeat(40))).toBeNull();
    });

  for (const [name, { pack, code = "bad-format", git = false }] of Object.entries(bad))
    it(`is refused: ${name} (${pack.byteLength} bytes)`, () => {
      if (pack.byteLength < 1_000_000) expect(gitAccepts(pack)).toBe(git);
      expect(() => parsePack(pack)).toThrowError(expect.objectContaining({ code }));
    });

  it("is read as git reads it: a repository with deltas of every kind", () => {
    const repo = join(folder, "source");
    execFileSync("git", ["init", "-q", repo]);
    const run = (...args: string[]): string =>
      execFileSync("git", ["-C", repo, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], { encoding: "utf8" });
    for (let i = 0; i < 60; i++) {
      writeFileSync(
        join(repo, "MEMORY.md"),
        Array.from({ length: 200 }, (_, j) => `- Fact ${j} of ${j % 7 === i % 7 ? i : 0}\n`).join(""),
      );
      writeFileSync(join(repo, `n${i % 9}.md`), `- ${i}\n`);
      run("add", "-A");
      run("commit", "-q", "-m", `commit ${i}`);
    }
    for (const flags of [["--delta-base-offset"], [], ["--depth=49", "--window=100", "--delta-base-offset"]]) {
      const pack = execFileSync("git", ["-C", repo, "pack-objects", "--stdout", "--all", "--no-reuse-delta", ...flags, "-q"], {
        input: "",
        maxBuffer: 1e8,
      });
      const parsed = parsePack(pack);
      const all = run("cat-file", "--batch-check", "--batch-all-objects")
        .trim()
        .split("\n")
        .map((line) => line.split(" "));
      expect(parsed.objects.size).toBe(all.length);
      for (const [oid, type, size] of all) {
        expect(parsed.objects.get(oid!)).toEqual({ type, size: Number(size) });
        expect(parsed.read(oid!)!.data.byteLength).toBe(Number(size));
      }
    }
  });

  it("mutated and signed anew is refused or is a pack for git too, quickly", () => {
    const seeds = [
      good["an ofs-delta"]!,
      good["a ref-delta before its base"]!,
      packOf([...deep(12), baseEntry, ofs(goodDelta)]),
      packOf([blob("a tree or two"), baseEntry, ref(blobId(base), goodDelta)]),
    ];
    let state = 12_345;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    let refused = 0;
    let slowest = 0;
    const accepted: Buffer[] = [];
    for (let i = 0; i < MUTATIONS; i++) {
      const seed = seeds[random(seeds.length)]!;
      let body = Buffer.from(seed.subarray(0, -20));
      const kind = random(4);
      const at = 12 + random(body.byteLength - 12);
      if (kind === 0) body[at]! ^= 1 << random(8);
      else if (kind === 1) body = body.subarray(0, at);
      else if (kind === 2) body = Buffer.concat([body.subarray(0, at), seeds[random(seeds.length)]!.subarray(12 + random(20))]);
      else body = Buffer.concat([body.subarray(0, at), Buffer.from([random(256)]), body.subarray(at + random(3))]);
      const pack = random(10) === 0 ? Buffer.concat([body, Buffer.alloc(20)]) : signed(body);
      const started = performance.now();
      try {
        parsePack(pack);
        accepted.push(pack);
      } catch (error) {
        refused++;
        expect(["bad-format", "too-large"]).toContain((error as { code?: string }).code);
      }
      slowest = Math.max(slowest, performance.now() - started);
    }
    for (const pack of accepted.slice(0, 40)) expect(gitAccepts(pack)).toBe(true);
    console.log(
      `${MUTATIONS} mutated packs: ${refused} refused, ${accepted.length} still packs (git agrees on ${Math.min(40, accepted.length)}), slowest ${slowest.toFixed(1)} ms`,
    );
    expect(refused).toBeGreaterThan(MUTATIONS / 2);
  });
});

// The rebase beside `git merge-file`: what git joins cleanly it joins as well, and what git cannot join it does not lose.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { rebase } from "../rebase.ts";

const CASES = process.env["SOAK"] ? 10_000 : Number(process.env["CASES"] ?? 80);
const folder = mkdtempSync(join(tmpdir(), "merge-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** xorshift32, seeded: the same triples in every run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** What git makes of it, or null where it conflicts. */
function gitMerge(base: string, mine: string, theirs: string): string | null {
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const run = spawnSync("git", ["merge-file", "-p", file("theirs", theirs), file("base", base), file("mine", mine)], {
    encoding: "utf8",
  });
  if (run.error) throw run.error;
  return run.status === 0 ? run.stdout : null;
}

const WORDS = ["garden", "harbour", "violin", "kettle", "winter", "bridge", "lantern", "copper", "meadow", "ticket"];

type Shape = (
  random: (below: number) => number,
  counter: () => number,
) => { base: string[]; edit: (lines: string[], mark: string) => string[] };

const prose: Shape = (random, counter) => {
  const sentence = () => `The ${WORDS[random(10)]} and the ${WORDS[random(10)]} number ${counter()}.`;
  const base = ["# Title", ""];
  for (let part = 0; part < 3 + random(8); part += 1) {
    if (random(5) === 0) base.push(`## Part ${counter()}`, "");
    for (let line = 0; line <= random(4); line += 1) base.push(sentence());
    base.push("");
  }
  const edit = (lines: string[], mark: string): string[] => {
    const out = [...lines];
    for (let n = 0; n <= random(4); n += 1) {
      const at = 2 + random(Math.max(1, out.length - 2));
      const kind = random(5);
      if (kind === 0) out.splice(at, 0, `${mark} ${sentence()}`);
      else if (kind === 1) out.splice(at, 1);
      else if (kind === 2) out.splice(at, 0, "", `${mark} ${sentence()}`, "");
      else if ((out[at] ?? "") !== "") out[at] = `${out[at]} ${mark} ${counter()}`;
    }
    return out;
  };
  return { base, edit };
};

const entries: Shape = (random, counter) => {
  const entry = (mark: string) =>
    `- ${mark} ${WORDS[random(10)]} ${WORDS[random(10)]} ${counter()} [id: k${String(counter()).padStart(7, "0")}; added: 2026-01-02]`;
  const base = ["# Title", ""];
  for (let part = 0; part < 1 + random(4); part += 1) {
    if (part > 0) base.push(`## Part ${counter()}`, "");
    for (let line = 0; line <= 2 + random(6); line += 1) base.push(entry("base"));
    base.push("");
  }
  const edit = (lines: string[], mark: string): string[] => {
    const out = [...lines];
    for (let n = 0; n <= random(5); n += 1) {
      const places = out.flatMap((line, at) => (line.startsWith("- ") ? [at] : []));
      const at = places[random(Math.max(1, places.length))];
      if (at === undefined) break;
      const kind = random(6);
      if (kind <= 1) out.splice(at + random(2), 0, entry(mark));
      else if (kind === 2) out.splice(at, 1);
      else if (kind === 3) out[at] = (out[at] as string).replace(" [", ` ${mark} ${counter()} [`);
      else if (kind === 4) out[at] = (out[at] as string).replace(/\]$/, `; source: note/${mark}${counter()}]`);
      else out.splice(places[random(places.length)] as number, 0, ...out.splice(at, 1));
    }
    return out;
  };
  return { base, edit };
};

const mixed: Shape = (random, counter) => {
  const entry = (mark: string, lead = "") =>
    `${lead}- ${mark} ${WORDS[random(10)]} ${counter()} [id: k${String(counter()).padStart(7, "0")}; added: 2026-01-02]`;
  const sentence = (mark: string) => `${mark} ${WORDS[random(10)]} told ${counter()}.`;
  const base = ["# Title", ""];
  for (let part = 0; part < 2 + random(4); part += 1) {
    if (part > 0) base.push(`## Part ${counter()}`, "");
    if (random(2) === 0) base.push(sentence("Base"), "");
    for (let line = 0; line <= 2 + random(4); line += 1) {
      base.push(entry("base", random(4) === 0 ? "  " : ""));
      if (random(5) === 0) base.push(`  ${sentence("Detail")}`);
      if (random(6) === 0) base.push("");
    }
    base.push("");
  }
  const edit = (lines: string[], mark: string): string[] => {
    const out = [...lines];
    for (let n = 0; n <= random(4); n += 1) {
      const at = 2 + random(Math.max(1, out.length - 2));
      const line = out[at] ?? "";
      const kind = random(8);
      if (kind <= 1) out.splice(at, 0, entry(mark, line.startsWith("  ") ? "  " : ""));
      else if (kind === 2) out.splice(at, 0, "", sentence(mark), "");
      else if (kind === 3) out.splice(at, 0, "", `## ${mark} ${counter()}`, "");
      else if (kind === 4) out.splice(at, 1);
      else if (line.includes("- ")) out[at] = line.replace(" [", ` ${mark} ${counter()} [`);
      else if (line !== "") out[at] = `${line} ${mark} ${counter()}`;
    }
    return out;
  };
  return { base, edit };
};

function compare(shape: Shape, seed: number): { git: boolean; ours: boolean; lost: string[] } {
  const random = randomFrom(seed);
  let count = 0;
  const { base, edit } = shape(random, () => (count += 1));
  const [mine, theirs] = [edit(base, "mine"), edit(base, "theirs")];
  const text = (lines: string[]) => `${lines.join("\n")}\n`;
  const git = gitMerge(text(base), text(mine), text(theirs));
  const files = (lines: string[]) => new Map([["a.md", text(lines)]]);
  const { files: result, conflicts } = rebase(files(base), files(mine), files(theirs), "2026-10-08");
  const held = [
    ...(result.get("a.md") ?? "").split("\n"),
    ...conflicts.flatMap((one) => [one.mine, one.theirs].flatMap((side) => side?.split("\n") ?? [])),
  ];
  const has = new Set(held);
  const words = held.join("\n");
  // Where git is clean over an entry that one side edited and the other removed, the edit had also moved it: git, which
  // knows no names, keeps it in silence; the rules ask for a conflict.
  // A line is held as it is; an entry may be joined from fields of both sides, so its own words count.
  const isHeld = (line: string) =>
    has.has(line) ||
    (line.trimStart().startsWith("- ") &&
      line
        .replace(/^ *- | \[id.*$/g, "")
        .split(/(?= mine | theirs )/)
        .every((part) => words.includes(part.trim())));
  // What a side removed is gone wherever the other one moved it: git, which knows no moves, keeps it.
  const removed = (line: string) => base.includes(line) && !(mine.includes(line) && theirs.includes(line));
  const wanted = (git !== null ? git.split("\n") : [...mine, ...theirs].filter((line) => !base.includes(line))).filter(
    (line) => !removed(line),
  );
  return {
    git: git !== null,
    ours: conflicts.every((one) => git !== null && one.kind === "edit-remove"),
    lost: wanted.filter((line) => line !== "" && !isHeld(line)),
  };
}

describe("beside git merge-file", () => {
  test.each([
    ["prose", prose, 0.98],
    ["entry files", entries, 1],
    ["entries among prose and headings", mixed, 0.98],
  ] as const)(
    "%s",
    (name, shape, share) => {
      let clean = 0;
      let both = 0;
      let conflicts = 0;
      const lost: string[] = [];
      const unclean: number[] = [];
      for (let seed = 1; seed <= CASES; seed += 1) {
        const one = compare(shape, seed * 7919);
        lost.push(...one.lost.map((line) => `seed ${seed}: ${line}`));
        if (one.git) {
          clean += 1;
          if (one.ours) both += 1;
          else unclean.push(seed);
        } else if (!one.ours) conflicts += 1;
      }
      console.log(
        `${name}: ${CASES} triples, git clean in ${clean}, ours clean in ${both} of these; of git's ${CASES - clean} conflicts ours has ${conflicts}; lost lines: ${lost.length}${unclean.length > 0 ? `; not clean: ${unclean.slice(0, 10).join(", ")}` : ""}`,
      );
      expect(lost).toEqual([]);
      expect(both).toBeGreaterThanOrEqual(clean * share);
      expect(clean).toBeGreaterThan(CASES / 10);
    },
    3_600_000,
  );
});

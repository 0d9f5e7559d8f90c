// Damage of every kind is named; a sound repository has nothing said about it.
import { expect, it } from "vitest";
import { verifyObjects, verifyRefs, type Problem } from "../../../src/server/git/check.ts";
import { inflateObject } from "../../../src/server/git/store.ts";
import { inRepository, land, MAIN, NEW_YEAR, type Repository } from "./repository.ts";

function allProblems({ store }: Repository, limit: number): { problems: Problem[]; checked: number } {
  const problems = verifyRefs(store);
  let checked = 0;
  for (let from: number | null = 0; from !== null;) {
    const slice = verifyObjects(store, { from, limit });
    problems.push(...slice.problems);
    checked += slice.checked;
    from = slice.next;
  }
  return { problems, checked };
}

function seed({ store }: Repository): void {
  for (let i = 0; i < 20; i++)
    land(store, { "MEMORY.md": `- ${i}\n`, [`people/${i}.md`]: `${"word ".repeat(i)}\n` }, NEW_YEAR + i * 1000);
}

it("finds nothing wrong in a sound repository, whatever the size of the slices", () =>
  inRepository((repository) => {
    seed(repository);
    const whole = allProblems(repository, 10_000);
    expect(whole.problems).toEqual([]);
    // 20 commits, 20 roots, 20 folders, 40 files.
    expect(whole.checked).toBe(100);
    for (const limit of [1, 7, 100]) expect(allProblems(repository, limit)).toEqual(whole);
  }));

const MAIN_FILE = "(SELECT o.id FROM git_objects o WHERE o.type = 3 AND o.size = 4 LIMIT 1)";
const damages: Record<string, { sql: string; says: RegExp }> = {
  "a flipped byte": {
    sql: `UPDATE git_objects SET data = CAST(substr(data, 1, length(data) - 1) || X'00' AS BLOB) WHERE id = ${MAIN_FILE}`,
    says: /does not inflate/,
  },
  "content of another object": {
    sql: `UPDATE git_objects SET (data, size) = (SELECT data, size FROM git_objects WHERE type = 3 ORDER BY id DESC LIMIT 1) WHERE id = ${MAIN_FILE}`,
    says: /hashes to/,
  },
  "a wrong size": { sql: `UPDATE git_objects SET size = size + 1 WHERE id = ${MAIN_FILE}`, says: /instead of/ },
  "a wrong kind": { sql: `UPDATE git_objects SET type = 1 WHERE id = ${MAIN_FILE}`, says: /hashes to|as a blob/ },
  "a kind that git does not know": { sql: `UPDATE git_objects SET type = 9 WHERE id = ${MAIN_FILE}`, says: /none of git's/ },
  "a file that is gone": { sql: `DELETE FROM git_objects WHERE id = ${MAIN_FILE}`, says: /refers to blob .* missing/ },
  "a folder that is gone": {
    sql: "DELETE FROM git_objects WHERE id = (SELECT id FROM git_objects WHERE type = 2 LIMIT 1)",
    says: /refers to tree .* missing/,
  },
  "a commit that is gone": {
    sql: "DELETE FROM git_objects WHERE id = (SELECT id FROM git_objects WHERE type = 1 LIMIT 1)",
    says: /refers to commit .* missing/,
  },
  "a ref to nothing": { sql: "UPDATE git_refs SET oid = zeroblob(20)", says: /refs\/heads\/main leads to it, and it is missing/ },
  "a ref to a file": {
    sql: `UPDATE git_refs SET oid = (SELECT oid FROM git_objects WHERE id = ${MAIN_FILE})`,
    says: /leads to a blob/,
  },
};
for (const [name, { sql: statement, says }] of Object.entries(damages))
  it(`names ${name}`, () =>
    inRepository((repository) => {
      seed(repository);
      repository.sql.exec(statement);
      const { problems } = allProblems(repository, 9);
      expect(problems.map(({ what }) => what).join("\n")).toMatch(says);
    }));

it("takes objects out for good: their bytes are in no row afterwards", () =>
  inRepository(({ store }) => {
    const contents = (): string[] => [...store.scan(0, 100)].map((row) => new TextDecoder().decode(inflateObject(row)));
    const { commit } = land(store, { "MEMORY.md": "kept\n" });
    const secret = store.write("blob", new TextEncoder().encode("a canary that must go"));
    expect(contents().filter((text) => text.includes("canary"))).toHaveLength(1);
    expect(store.drop([secret, "1".repeat(40)])).toBe(1);
    expect(store.has(secret)).toBe(false);
    expect(contents().filter((text) => text.includes("canary"))).toHaveLength(0);
    expect(store.ref(MAIN)).toBe(commit);
  }));

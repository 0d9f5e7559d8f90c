// The rebase against the format's vectors.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseDocument } from "./document.ts";
import { rebase } from "./rebase.ts";

interface Vector {
  name: string;
  base: Record<string, string>;
  mine: Record<string, string>;
  theirs: Record<string, string>;
  expect: { files?: Record<string, string>; contains?: Record<string, string[]>; lacks?: Record<string, string[]> };
  conflicts: { path: string; entry: string | null; kind: string }[];
}
const vectors = JSON.parse(readFileSync(new URL("../../test/vectors/rebase.json", import.meta.url), "utf8")) as Vector[];
const set = (files: Record<string, string>) => new Map(Object.entries(files));
const linesOf = (text: string | undefined) => (text ?? "").split(/\r?\n/);

describe("the vectors", () => {
  test.each(vectors)("$name", (vector) => {
    const { files, conflicts } = rebase(set(vector.base), set(vector.mine), set(vector.theirs), "2026-10-08");
    if (vector.expect.files) expect(Object.fromEntries(files)).toEqual(vector.expect.files);
    for (const [path, lines] of Object.entries(vector.expect.contains ?? {})) {
      for (const line of lines) expect(linesOf(files.get(path))).toContain(line);
    }
    for (const [path, lines] of Object.entries(vector.expect.lacks ?? {})) {
      for (const line of lines) expect(linesOf(files.get(path))).not.toContain(line);
    }
    const named = (list: { path: string; entry: string | null; kind: string }[]) =>
      new Set(list.map(({ path, entry, kind }) => JSON.stringify([path, entry, kind])));
    expect(named(conflicts)).toEqual(named(vector.conflicts));
  });
});

const run = (base: Record<string, string>, mine: Record<string, string>, theirs: Record<string, string>) => {
  const { files, conflicts } = rebase(set(base), set(mine), set(theirs), "2026-10-08");
  return { files: Object.fromEntries(files), conflicts };
};
const one = (base: string, mine: string, theirs: string) => {
  const { files, conflicts } = run({ "a.md": base }, { "a.md": mine }, { "a.md": theirs });
  return { text: files["a.md"], conflicts: conflicts.map(({ entry, kind }) => `${entry} ${kind}`) };
};

describe("names (rule 2)", () => {
  test("an id that one side gave to a line without one still matches by its text", () => {
    expect(one("- Swims\n- Sings\n", "- Swims [id: aaaa]\n- Sings\n", "- Swims [since: 2025]\n- Sings\n")).toEqual({
      text: "- Swims [since: 2025; id: aaaa]\n- Sings\n",
      conflicts: [],
    });
  });

  test("of two ids given to one line theirs counts, and what mine wrote about its own follows", () => {
    const { text, conflicts } = one(
      "- Swims\n",
      "- Swims [id: mmmm]\n- Swims daily [id: nnnn; replaces: mmmm]\n",
      "- Swims [id: tttt]\n",
    );
    expect(text).toBe("- Swims [id: tttt]\n- Swims daily [id: nnnn; replaces: tttt]\n");
    expect(conflicts).toEqual([]);
  });

  test("an id that was given is no edit: a removal stands", () => {
    expect(one("- Swims\n- Sings\n", "- Swims [id: mmmm]\n- Sings\n", "- Sings\n")).toEqual({ text: "- Sings\n", conflicts: [] });
  });

  test("equal texts are paired in their order, in their section first", () => {
    const base = "- x\n- y\n\n## S\n\n- x\n";
    expect(one(base, "- x [since: 2024]\n- y\n\n## S\n\n- x\n", "- x\n- y\n\n## S\n\n- x [since: 2025]\n").text).toBe(
      "- x [since: 2024]\n- y\n\n## S\n\n- x [since: 2025]\n",
    );
  });
});

describe("additions (rule 3)", () => {
  test("events on two days are two, one fact in two scopes is two, a tombstone is never joined", () => {
    const both = (mine: string, theirs: string) => one("# T\n", `# T\n\n${mine}\n`, `# T\n\n${theirs}\n`).text;
    expect(both("- Dinner [id: aaaa; on: 2026-01-02]", "- Dinner [id: bbbb; on: 2026-01-03]")).toContain("aaaa");
    expect(both("- Uses tabs [id: aaaa; scope: work]", "- Uses tabs [id: bbbb]")).toContain("aaaa");
    expect(both("- Lives in Bonn [id: aaaa; closed: 2026-01-01]", "- Lives in Bonn [id: bbbb]")).toContain("aaaa");
    expect(both("- (forgotten) [id: aaaa; removed: 2026-01-01]", "- (forgotten) [id: bbbb; removed: 2026-01-01]")).toContain(
      "aaaa",
    );
    expect(both("- Dinner [id: aaaa; on: 2026-01-02]", "- dinner. [id: bbbb; on: 2026-01-02]")).toBe(
      "# T\n\n- dinner. [id: bbbb; on: 2026-01-02]\n",
    );
  });

  test("the same new fact keeps theirs' id, day and spelling, the sources of both, and what only one of them says", () => {
    expect(
      one(
        "# T\n",
        "# T\n\n- Has a cat [id: aaaa; source: note/m; added: 2026-01-01; since: 2025]\n",
        "# T\n\n- Has a cat! [id: bbbb; source: note/t; added: 2026-01-02; slot: pet]\n",
      ),
    ).toEqual({
      text: "# T\n\n- Has a cat! [id: bbbb; source: note/t; source: note/m; added: 2026-01-02; slot: pet; since: 2025]\n",
      conflicts: [],
    });
  });

  test("equal words under two parents are two facts, under one parent one", () => {
    const base = "- Kitchen [id: kkkk]\n- Bath [id: bbbb]\n";
    expect(
      one(
        base,
        "- Kitchen [id: kkkk]\n  - Painted white\n- Bath [id: bbbb]\n",
        "- Kitchen [id: kkkk]\n- Bath [id: bbbb]\n  - Painted white\n",
      ).text,
    ).toBe("- Kitchen [id: kkkk]\n  - Painted white\n- Bath [id: bbbb]\n  - Painted white\n");
    expect(
      one(
        base,
        "- Kitchen [id: kkkk]\n  - Painted white\n- Bath [id: bbbb]\n",
        "- Kitchen [id: kkkk]\n    - painted white\n- Bath [id: bbbb]\n",
      ).text,
    ).toBe("- Kitchen [id: kkkk]\n    - painted white\n- Bath [id: bbbb]\n");
  });

  test("new sections from both at one place: equal headings are one, the others follow theirs first, History last", () => {
    const base = "# T\n\n- a\n";
    expect(
      one(
        base,
        "# T\n\n- a\n\n## Work\n\n- m1\n\n## Travel\n\n- m2\n\n## History\n\n- m3 [closed: 2026-01-01]\n",
        "# T\n\n- a\n\n## Home\n\n- t1\n\n## Work\n\n- t2\n\n## History\n\n- t3 [closed: 2026-01-01]\n",
      ),
    ).toEqual({
      text: "# T\n\n- a\n\n## Home\n\n- t1\n\n## Work\n\n- t2\n- m1\n\n## Travel\n\n- m2\n\n## History\n\n- t3 [closed: 2026-01-01]\n- m3 [closed: 2026-01-01]\n",
      conflicts: [],
    });
    expect(one(base, "# T\n\n- a\n\n## Travel\n\n- m2\n", "# T\n\n- a\n\n## History\n\n- t3 [closed: 2026-01-01]\n").text).toBe(
      "# T\n\n- a\n\n## Travel\n\n- m2\n\n## History\n\n- t3 [closed: 2026-01-01]\n",
    );
  });

  test("an addition keeps its heading where the other side removed the section or the file", () => {
    const base = "# T\n\n- a\n\n## Work\n\n- b\n";
    expect(one(base, `${base}- c\n`, "# T\n\n- a\n")).toEqual({ text: "# T\n\n- a\n\n## Work\n\n- c\n", conflicts: [] });
    expect(run({ "a.md": base }, { "a.md": `${base}- c\n` }, {})).toEqual({
      files: { "a.md": "# T\n\n## Work\n\n- c\n" },
      conflicts: [],
    });
    expect(run({ "a.md": base }, {}, { "a.md": `${base}- c\n` })).toEqual({
      files: { "a.md": "# T\n\n## Work\n\n- c\n" },
      conflicts: [],
    });
  });

  test("an addition is no child of what the other side put before it", () => {
    expect(one("- a\n", "- a\n  - child of a\n", "- a\n- b\n").text).toBe("- a\n  - child of a\n- b\n");
    expect(one("- a\n", "- a\n- b\n", "- a\n  - child of a\n").text).toBe("- a\n  - child of a\n- b\n");
  });

  test("blank lines between entries stay between them", () => {
    expect(one("# T\n\n- a\n\n- b\n", "# T\n\n- a\n\n- b\n\n- m\n", "# T\n\n- a\n\n- b\n\n- t\n").text).toBe(
      "# T\n\n- a\n\n- b\n\n- t\n\n- m\n",
    );
    expect(one("# T\n\n- a\n- b\n\nEnd\n", "# T\n\n- b\n\nEnd\n", "# T\n\n- a\n- b\n- t\n\nEnd\n").text).toBe(
      "# T\n\n- b\n- t\n\nEnd\n",
    );
  });
});

describe("changes (rule 4)", () => {
  test("a source that a side dropped is dropped, each value for itself", () => {
    expect(
      one(
        "- a [id: aaaa; source: note/1; source: note/2]\n",
        "- a [id: aaaa; source: note/2; source: note/m]\n",
        "- a [id: aaaa; source: note/1; source: note/2; source: note/t]\n",
      ).text,
    ).toBe("- a [id: aaaa; source: note/2; source: note/t; source: note/m]\n");
  });

  test("a key that one removed and the other changed is a conflict, and everything is theirs", () => {
    expect(one("- a [id: aaaa; since: 2024]\n", "- a, b [id: aaaa]\n", "- a [id: aaaa; since: 2025]\n")).toEqual({
      text: "- a [id: aaaa; since: 2025]\n",
      conflicts: ["aaaa edit-edit"],
    });
  });

  test("a conflict holds all three, and its path is where the result holds the entry", () => {
    const { files, conflicts } = run(
      { "a.md": "- a [id: aaaa]\n- z [id: zzzz]\n" },
      { "a.md": "- z [id: zzzz]\n", "b.md": "- m [id: aaaa]\n" },
      { "a.md": "- t [id: aaaa]\n- z [id: zzzz]\n" },
    );
    expect(conflicts).toEqual([
      {
        path: "b.md",
        entry: "aaaa",
        kind: "edit-edit",
        base: "- a [id: aaaa]",
        mine: "- m [id: aaaa]",
        theirs: "- t [id: aaaa]",
      },
    ]);
    expect(files).toEqual({ "a.md": "- z [id: zzzz]\n", "b.md": "- t [id: aaaa]\n" });
  });

  test("$ signs, brackets and unknown keys come through as they are", () => {
    expect(
      one(
        "- a [id: aaaa; mood: calm]\n",
        "- Costs $& and $1 $$ [10:30] [id: aaaa; mood: calm]\n",
        "- a [id: aaaa; mood: glad; x-y: [z]]\n",
      ).text,
    ).toBe("- Costs $& and $1 $$ [10:30] [id: aaaa; mood: glad; x-y: [z]]\n");
  });
});

describe("moves (rule 5)", () => {
  const base = "# T\n\n- Car [id: cccc]\n  - Red [id: rrrr]\n- Boat [id: bbbb]\n";
  const closed =
    "# T\n\n- Boat [id: bbbb]\n\n## History\n\n- Car [id: cccc; closed: 2026-10-01; why: changed]\n  - Red [id: rrrr]\n";

  test("a child that was added under an entry that the other side closed goes along", () => {
    const added = base.replace("- Boat", "  - Fast [id: ffff]\n- Boat");
    const wanted = closed.replace(/\n$/, "\n  - Fast [id: ffff]\n");
    expect(one(base, closed, added)).toEqual({ text: wanted, conflicts: [] });
    expect(one(base, added, closed)).toEqual({ text: wanted, conflicts: [] });
  });

  test("under an entry that was only removed it stays, outdented", () => {
    const removed = "# T\n\n- Boat [id: bbbb]\n";
    const added = base.replace("- Boat", "  - Fast [id: ffff]\n    - Very [id: vvvv]\n- Boat");
    expect(one(base, removed, added)).toEqual({
      text: "# T\n\n- Fast [id: ffff]\n  - Very [id: vvvv]\n- Boat [id: bbbb]\n",
      conflicts: [],
    });
    expect(one(base, added, removed)).toEqual({
      text: "# T\n\n- Fast [id: ffff]\n  - Very [id: vvvv]\n- Boat [id: bbbb]\n",
      conflicts: [],
    });
  });

  test("moved by both: theirs' place, in that file's History if the result is closed", () => {
    const mine = { "a.md": closed, "b.md": "# B\n\n- x\n" };
    const theirs = { "a.md": "# T\n\n- Boat [id: bbbb]\n", "b.md": "# B\n\n- x\n- Car [id: cccc]\n  - Red [id: rrrr]\n" };
    const { files, conflicts } = run({ "a.md": base, "b.md": "# B\n\n- x\n" }, mine, theirs);
    expect(conflicts).toEqual([]);
    expect(files["b.md"]).toBe(
      "# B\n\n- x\n\n## History\n\n- Car [id: cccc; closed: 2026-10-01; why: changed]\n  - Red [id: rrrr]\n",
    );
    expect(files["a.md"]).not.toContain("Car");
  });

  test("edited by mine where theirs moved it to a file that mine did not touch", () => {
    const { files, conflicts } = run(
      { "a.md": base },
      { "a.md": base.replace("Boat", "Blue boat") },
      { "a.md": base.replace("- Boat [id: bbbb]\n", ""), "b.md": "# B\n\n- Boat [id: bbbb]\n" },
    );
    expect(conflicts).toEqual([]);
    expect(files["b.md"]).toBe("# B\n\n- Blue boat [id: bbbb]\n");
    expect(files["a.md"]).not.toContain("boat");
  });

  test("two entries hung on each other by two sides are both kept", () => {
    const { text } = one(
      "- a [id: aaaa]\n- b [id: bbbb]\n",
      "- a [id: aaaa]\n  - b [id: bbbb]\n",
      "- b [id: bbbb]\n  - a [id: aaaa]\n",
    );
    expect(text?.match(/aaaa|bbbb/g)?.sort()).toEqual(["aaaa", "bbbb"]);
  });

  test("text and code inside an entry go where it goes", () => {
    const text = "- a [id: aaaa]\n- b [id: bbbb]\n  ```\n  - code\n  ```\n";
    const moved = "- a [id: aaaa]\n\n## History\n\n- b [id: bbbb; closed: 2026-01-01]\n  ```\n  - code\n  ```\n";
    expect(one(text, moved, text.replace("- a [id: aaaa]\n", "- a [id: aaaa]\n- t [id: tttt]\n"))).toEqual({
      text: "- a [id: aaaa]\n- t [id: tttt]\n\n## History\n\n- b [id: bbbb; closed: 2026-01-01]\n  ```\n  - code\n  ```\n",
      conflicts: [],
    });
  });
});

describe("what is inside an entry", () => {
  const base = { "a.md": "- a [id: aaaa]\n  first\n  second\n- b [id: bbbb]\n" };

  test("is edited where the other side moved the entry, in another file as well", () => {
    const moved = { "a.md": "- b [id: bbbb]\n", "c.md": "# C\n\n- a [id: aaaa]\n  first\n  second\n" };
    const edited = { "a.md": "- a [id: aaaa]\n  first\n  second, edited\n- b [id: bbbb]\n" };
    for (const { files, conflicts } of [run(base, moved, edited), run(base, edited, moved)]) {
      expect(conflicts).toEqual([]);
      expect(files["c.md"]).toBe("# C\n\n- a [id: aaaa]\n  first\n  second, edited\n");
      expect(files["a.md"]).toBe("- b [id: bbbb]\n");
    }
  });

  test("stands once where both sides moved the entry to different places", () => {
    const { files } = run(
      base,
      { "a.md": "- b [id: bbbb]\n\n## M\n\n- a [id: aaaa]\n  first\n  second\n" },
      { "a.md": "- b [id: bbbb]\n\n## T\n\n- a [id: aaaa]\n  first\n  second\n" },
    );
    expect(files["a.md"]?.match(/first/g)).toHaveLength(1);
    expect(files["a.md"]).toContain("## T\n\n- a [id: aaaa]\n  first\n  second\n");
  });

  test("clashes like any other line, and is not lost with its entry", () => {
    const { conflicts } = run(
      base,
      { "a.md": "- a [id: aaaa]\n  first, mine\n  second\n- b [id: bbbb]\n" },
      { "a.md": "- a [id: aaaa]\n  first, theirs\n  second\n- b [id: bbbb]\n" },
    );
    expect(conflicts).toEqual([
      { path: "a.md", entry: null, kind: "prose", base: "  first", mine: "  first, mine", theirs: "  first, theirs" },
    ]);
    const removed = run(
      base,
      { "a.md": "- b [id: bbbb]\n" },
      { "a.md": "- a [id: aaaa]\n  first\n  second\n  third\n- b [id: bbbb]\n" },
    );
    expect(JSON.stringify(removed)).toContain("third");
  });
});

describe("forgetting (rule 6)", () => {
  const stone = "# Forgotten\n\n- (forgotten) [id: s001; removed: 2026-10-06; match: k1.00; replaces: aaaa]\n";
  const base = { "a.md": "- a [id: aaaa]\n  - child [id: cccc]\n- b [id: bbbb]\n" };
  const forgotten = { "a.md": "- child [id: cccc]\n- b [id: bbbb]\n", "forgotten.md": stone };

  test("wins over an edit and a move of the other side, without a conflict", () => {
    const edited = { "a.md": "- b [id: bbbb]\n", "c.md": "- a, but louder [id: aaaa]\n  - child [id: cccc]\n" };
    for (const { files, conflicts } of [run(base, forgotten, edited), run(base, edited, forgotten)]) {
      expect(conflicts).toEqual([]);
      expect(files["a.md"]).toBe("- b [id: bbbb]\n");
      expect(files["c.md"]).toBe("- child [id: cccc]\n");
      expect(files["forgotten.md"]).toBe(stone);
    }
  });

  test("a list that neither side touched counts, and one that a side lifted does not", () => {
    const back = { "a.md": "- b [id: bbbb]\n- a [id: aaaa]\n", "forgotten.md": stone };
    const before = { "a.md": "- b [id: bbbb]\n", "forgotten.md": stone };
    const other = { "a.md": "- b [id: bbbb]\n- c [id: cccc]\n", "forgotten.md": stone };
    expect(run(before, back, other).files["a.md"]).toBe("- b [id: bbbb]\n- c [id: cccc]\n");
    const lifted = { ...back, "forgotten.md": "# Forgotten\n" };
    expect(run(before, lifted, other).files).toEqual({
      "a.md": "- b [id: bbbb]\n- c [id: cccc]\n- a [id: aaaa]\n",
      "forgotten.md": "# Forgotten\n",
    });
  });
});

describe("other lines (rules 7 and 8)", () => {
  test("lines that a side wrote below two different entries do not clash", () => {
    const base = "- a [id: aaaa]\n- b [id: bbbb]\n";
    expect(one(base, "- a [id: aaaa]\n  of a\n- b [id: bbbb]\n", "- a [id: aaaa]\n- b [id: bbbb]\n  of b\n")).toEqual({
      text: "- a [id: aaaa]\n  of a\n- b [id: bbbb]\n  of b\n",
      conflicts: [],
    });
  });

  test("code that one side left open swallows no entry of the other", () => {
    const { text, conflicts } = one(
      "# T\n\n- a [id: aaaa]\n\ntext\n",
      "# T\n\n- a [id: aaaa]\n\ntext\n\n## New\n\n- m [id: mmmm]\n",
      "# T\n\n- a [id: aaaa]\n\ntext\n\n```\nopen\n",
    );
    expect(parseDocument(text ?? "").entries.map((entry) => entry.text)).toEqual(["a", "m"]);
    expect(conflicts).toEqual([]);
  });

  test("a title that one side changed, over an entry that the other added", () => {
    expect(one("# T\n\n- a\n", "# New title\n\n- a\n", "# T\n\n- a\n- b\n")).toEqual({
      text: "# New title\n\n- a\n- b\n",
      conflicts: [],
    });
  });

  test("a heading that a side took away leaves the lines under it to the section above", () => {
    expect(one("# T\n\n## S\n\nOne\n\nTwo\n", "# T\n\nOne\n\nTwo\n", "# T\n\n## S\n\nOne\n\nTwo, edited\n")).toEqual({
      text: "# T\n\nOne\n\nTwo, edited\n",
      conflicts: [],
    });
  });

  test("conflict markers in a text are a text", () => {
    const marks = "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> z\n";
    expect(one(marks, `${marks}- m\n`, `${marks}- t\n`).text).toBe(`${marks}- t\n- m\n`);
  });

  test("a byte order mark and a missing last newline stay as they are, unless a side changed them", () => {
    expect(one("\ufeff# T\n\n- a", "\ufeff# T\n\n- a\n- m", "\ufeff# T\n\n- a\n- t").text).toBe("\ufeff# T\n\n- a\n- t\n- m");
    expect(one("# T\n\n- a", "# T\n\n- a\n- m\n", "# T\n\n- a\n- t").text).toBe("# T\n\n- a\n- t\n- m\n");
  });

  test("a whole file of equal lines, or of nothing in common, is quick and at worst a conflict on the block", () => {
    const many = (line: (n: number) => string) => `${Array.from({ length: 5_000 }, (_, n) => line(n)).join("\n")}\n`;
    const from = performance.now();
    const same = one(
      many(() => "x"),
      many(() => "x").replace("x", "m"),
      `${many(() => "x")}t\n`,
    );
    expect(same.text).toBe(`m\n${many(() => "x").slice(2)}t\n`);
    const other = one(
      many((n) => `b${n % 7}`),
      many((n) => `m${n % 7}`),
      many((n) => `t${n % 7}`),
    );
    expect(other.conflicts).toEqual(["null prose"]);
    expect(other.text).toBe(many((n) => `t${n % 7}`));
    console.log(`prose of 5,000 equal lines, and of 5,000 with nothing in common: ${Math.round(performance.now() - from)} ms`);
  });
});

describe("headings", () => {
  test("a heading whose level a side changed is the same one", () => {
    expect(one("# T\n\n## S\n\n- a\n", "# T\n\n### S\n\n- a\n", "# T\n\n## S\n\n- a\n- t\n")).toEqual({
      text: "# T\n\n### S\n\n- a\n- t\n",
      conflicts: [],
    });
  });

  test("a heading that a side renamed over its entries takes the additions of the other", () => {
    expect(one("# T\n\n## S\n\n- a\n- b\n", "# T\n\n## New\n\n- a\n- b\n", "# T\n\n## S\n\n- a\n- b\n- t\n")).toEqual({
      text: "# T\n\n## New\n\n- a\n- b\n- t\n",
      conflicts: [],
    });
  });

  test("of a removed file the first heading stays with an addition, whatever its level", () => {
    expect(
      run({ "people/a.md": "## Ann\n\n### Work\n\n- a\n" }, { "people/a.md": "## Ann\n\n### Work\n\n- a\n- m\n" }, {}).files,
    ).toEqual({
      "people/a.md": "## Ann\n\n### Work\n\n- m\n",
    });
  });
});

test.each([2_000, 10_000])("a file of %i entries with 100 changes on each side", (count) => {
  const line = (n: number, text = "a fact") =>
    `- Number ${n} is ${text} about [[people/p${n % 50}|Person ${n % 50}]] [id: k${String(n).padStart(7, "0")}; source: thread/ab12cd34#m${n}; added: 2026-01-02]`;
  const base = Array.from({ length: count }, (_, n) => line(n));
  /** 34 additions, 33 removals and 33 edits, at places of its own. */
  const changed = (side: number) =>
    base.flatMap((one, n) => {
      const at = n % Math.floor(count / 100);
      const kind = Math.floor(n / Math.floor(count / 100)) % 3;
      if (at !== side) return [one];
      return kind === 0
        ? [one, `- New of ${side} at ${n} [id: n${side}${String(n).padStart(6, "0")}]`]
        : kind === 1
          ? []
          : [line(n, `edited by ${side}`)];
    });
  const file = (lines: string[]) => new Map([["a.md", `# Big\n\n${lines.join("\n")}\n`]]);
  const sets = [file(base), file(changed(3)), file(changed(7))] as const;
  const times: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const from = performance.now();
    const { files, conflicts } = rebase(...sets, "2026-10-08");
    times.push(performance.now() - from);
    expect(conflicts).toEqual([]);
    expect(parseDocument(files.get("a.md") ?? "").entries).toHaveLength(count + 68 - 66);
  }
  times.sort((a, b) => a - b);
  console.log(
    `rebase of ${count} entries: median ${Math.round(times[4] as number)} ms, best ${Math.round(times[0] as number)} ms`,
  );
});

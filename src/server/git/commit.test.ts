import { describe, expect, it } from "vitest";
import { commitLinks, formatCommit, formatTz, parseCommit, relinkCommit, type Commit } from "./commit.ts";

const TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const OTHER = "257cc5642cb1a054f08cc83f2d943e56fd3ebe99";
const ada = { name: "Ada Łovelace", email: "ada@example.org", at: 1_767_225_600_000, tz: "+0530" };
const commit: Commit = {
  tree: TREE,
  parents: [OTHER, TREE],
  author: ada,
  committer: { ...ada, name: "Reverie", tz: "-0330" },
  extra: [
    ["gpgsig", "-----BEGIN-----\n\nabc\n-----END-----"],
    ["encoding", "UTF-8"],
  ],
  message: "\ufefffeat: one\n\nBody with $& and $$.\n",
};

describe("commits", () => {
  it("read back what was written, odd headers and all", () => {
    expect(parseCommit(formatCommit(commit))).toEqual(commit);
    expect(commitLinks(formatCommit(commit))).toMatchObject({ tree: TREE, parents: [OTHER, TREE] });
  });

  it("are written byte for byte as git writes them", () => {
    const text = new TextDecoder().decode(formatCommit({ ...commit, parents: [], extra: [], message: "one" }));
    expect(text).toBe(
      `tree ${TREE}\nauthor Ada Łovelace <ada@example.org> 1767225600 +0530\ncommitter Reverie <ada@example.org> 1767225600 -0330\n\none\n`,
    );
  });

  it("keep every byte but tree and parents when they are hung elsewhere", () => {
    const odd = new Uint8Array([...formatCommit({ ...commit, extra: [] }), 0xff, 0xfe]);
    const moved = relinkCommit(odd, OTHER, [OTHER]);
    expect(commitLinks(moved)).toMatchObject({ tree: OTHER, parents: [OTHER] });
    expect([...relinkCommit(moved, TREE, [OTHER, TREE])]).toEqual([...odd]);
  });

  it("never take a line end or an angle bracket from a name", () => {
    const evil = { ...ada, name: "x>\nparent <y", email: "a>\n<b" };
    const { author } = parseCommit(formatCommit({ ...commit, author: evil }));
    expect(author).toMatchObject({ name: "xparent y", email: "ab" });
  });

  it("that are damaged are refused", () => {
    for (const text of [
      "",
      "tree x\n",
      `tree ${TREE}\n\nm`,
      `tree ${TREE}\nauthor x\ncommitter y\n\nm`,
      `tree ${TREE}\nparent zz\n\nm`,
    ])
      expect(() => parseCommit(new TextEncoder().encode(text))).toThrowError(expect.objectContaining({ code: "bad-format" }));
    expect(() => formatCommit({ ...commit, author: { ...ada, at: NaN } })).toThrowError(
      expect.objectContaining({ code: "bad-format" }),
    );
    expect(() => formatCommit({ ...commit, author: { ...ada, tz: "UTC" } })).toThrowError(
      expect.objectContaining({ code: "bad-format" }),
    );
  });

  it("name zones as git does", () => {
    expect([0, 60, 330, -210, 765].map(formatTz)).toEqual(["+0000", "+0100", "+0530", "-0330", "+1245"]);
  });
});

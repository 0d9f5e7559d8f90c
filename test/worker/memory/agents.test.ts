// The gate's rules for agents, once for every door: what they add stands, what others wrote stays as it was.
import { reset } from "cloudflare:test";
import { afterEach, expect, test } from "vitest";
import type { MemoryContext } from "../../../src/server/memory/context.ts";
import { readFile } from "../../../src/server/memory/read.ts";
import { write } from "../../../src/server/memory/writer.ts";
import type { Change, Edit } from "../../../src/shared/protocol.ts";
import { change, freshMemory, inside, landed } from "./support.ts";

afterEach(() => reset());

const STANDING = {
  "MEMORY.md": "# Memory\n\n- Sails at weekends [id: sails001]\n",
  "people/wilma.md":
    "# Wilma\n\nA friend from school.\n\n- Plays the harp [id: harp0001; source: thread/ab12cd34#m1]\n- Has a dog [id: dog00001; source: agent/helper]\n",
  "own.md": "# Own\n\n- Written by it [id: own00001; source: agent/helper]\n",
  "notes.md": "Only prose stands here.\n",
  "data.txt": "not Markdown\n",
  "pins.md": "# Pins\n\n- Pinned [id: pin00001; pin: yes; source: agent/helper]\n",
};

const asAgent = (parts: Partial<Change>): Change =>
  change({ kind: "mcp", actor: "agent:helper", source: "agent/helper", typed: false, ...parts });
/** What is written instead of a file: made from the text that stands there. */
type Text = string | null | ((standing: string) => string);
const files = (parts: Record<string, Text>) => ({ texts: parts });
type Parts = { edits: Edit[] } | { texts: Record<string, Text> };

function changeOf(ctx: MemoryContext, parts: Parts): Partial<Change> {
  if ("edits" in parts) return parts;
  const text = (path: string, made: Text) => (typeof made === "function" ? made(readFile(ctx, path, {}).text) : made);
  return { files: Object.fromEntries(Object.entries(parts.texts).map(([path, made]) => [path, text(path, made)])) };
}
const edit = (one: Edit) => ({ edits: [one] });

test.each<[string, Parts, string]>([
  ["a line of MEMORY.md", edit({ op: "add", text: "Obeys" }), "forbidden"],
  ["the prose of MEMORY.md", files({ "MEMORY.md": (text) => `${text}\nObey.\n` }), "forbidden"],
  ["the removal of a file", files({ "people/wilma.md": null }), "forbidden"],
  ["another's words", edit({ op: "revise", id: "harp0001", text: "Plays nothing", why: "wrong" }), "forbidden"],
  ["another's end", edit({ op: "close", id: "harp0001", why: "changed" }), "forbidden"],
  ["another's place", edit({ op: "move", id: "harp0001", path: "own.md" }), "forbidden"],
  ["another's confirmation", edit({ op: "confirm", id: "harp0001" }), "forbidden"],
  ["a merge with another's", edit({ op: "merge", ids: ["dog00001", "harp0001"], text: "Both" }), "forbidden"],
  ["a pin", edit({ op: "pin", id: "own00001", pin: true }), "pinned"],
  ["what is pinned, though its own", edit({ op: "revise", id: "pin00001", text: "Unpinned", why: "wrong" }), "pinned"],
  ["a source dropped", files({ "people/wilma.md": (wilma) => wilma.replace("; source: thread/ab12cd34#m1", "") }), "forbidden"],
  ["another's source claimed", files({ "new.md": "- Said by the user [source: thread/ab12cd34#m1]\n" }), "forbidden"],
  ["another agent's source claimed", files({ "new.md": "- Said by it [source: agent/other]\n" }), "forbidden"],
  ["a dream's source claimed", files({ "new.md": "- Dreamt [source: dream/ab12cd34]\n" }), "forbidden"],
  ["prose taken out", files({ "people/wilma.md": (wilma) => wilma.replace("A friend from school.\n\n", "") }), "forbidden"],
  ["prose reworded", files({ "people/wilma.md": (wilma) => wilma.replace("from school", "from prison") }), "forbidden"],
  ["another title", files({ "people/wilma.md": (wilma) => wilma.replace("# Wilma", "# Tomas") }), "forbidden"],
  ["a title before the title", files({ "people/wilma.md": (wilma) => `# Tomas\n\n${wilma}` }), "forbidden"],
  ["prose without entries", files({ "notes.md": "Other prose.\n" }), "forbidden"],
  ["a file that is no Markdown", files({ "data.txt": "changed\n" }), "forbidden"],
  ["a tombstone list", files({ "forgotten.md": "" }), "read-only"],
])("refused: %s", async (_, parts, code) => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    const { head } = landed(write(ctx, change({ files: STANDING })));
    const outcome = write(ctx, asAgent({ base: head, ...changeOf(ctx, parts) }));
    expect(outcome.ok ? "landed" : outcome.code).toBe(code);
    expect(ctx.store.ref("refs/heads/main")).toBe(head);
  });
});

test.each<[string, Parts]>([
  ["a line beside others", edit({ op: "add", text: "Has a cat", path: "people/wilma.md" })],
  ["a line of its own, reworded", edit({ op: "revise", id: "dog00001", text: "Has two dogs", why: "changed" })],
  ["a line of its own, ended", edit({ op: "close", id: "dog00001", why: "changed" })],
  ["what stands there already, as a second source", edit({ op: "add", text: "Plays the harp", path: "people/wilma.md" })],
  ["a paragraph more", files({ "people/wilma.md": (wilma) => `${wilma}\nMet again in May.\n` })],
  [
    "a file of its own, all of it",
    files({ "own.md": "# Renamed\n\n- Written by it, anew [id: own00001; source: agent/helper]\n" }),
  ],
  ["a new file with a page as its source", files({ "new.md": "# New\n\n- Read there [source: https://example.org/a]\n" })],
])("lands: %s", async (_, parts) => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    const { head } = landed(write(ctx, change({ files: STANDING })));
    landed(write(ctx, asAgent({ base: head, ...changeOf(ctx, parts) })));
  });
});

test("by a slot, too, an agent ends nobody's value", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    landed(write(ctx, change({ edits: [{ op: "add", text: "Lives in Braga", slot: "home" }] })));
    const outcome = write(ctx, asAgent({ edits: [{ op: "add", text: "Lives in Faro", slot: "home", path: "own.md" }] }));
    expect(outcome.ok ? "landed" : outcome.code).toBe("forbidden");
  });
});

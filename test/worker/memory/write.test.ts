import { expect, test } from "vitest";
import { change, freshMemory, inside, landed } from "./support.ts";
import { write } from "../../../src/server/memory/writer.ts";
import { readFile } from "../../../src/server/memory/read.ts";
import { check } from "../../../src/server/memory/check.ts";

test("a first fact makes MEMORY.md and stands in it", async () => {
  await inside(freshMemory(), (agent) => {
    const ctx = agent.memory;
    const outcome = landed(write(ctx, change({ edits: [{ op: "add", text: "Lives in Lyon" }], source: "thread/ab12cd34#m1" })));
    expect(outcome.entries[0]).toMatchObject({ verb: "added", entry: { path: "MEMORY.md", text: "Lives in Lyon", line: 3 } });
    const id = outcome.entries[0]!.entry.id;
    expect(readFile(ctx, "MEMORY.md", {}).text).toBe(
      `# Memory\n\n- Lives in Lyon [id: ${id}; source: thread/ab12cd34#m1; added: 2026-10-05]\n`,
    );
    expect(check(ctx)).toMatchObject({ ok: true, problems: [] });
  });
});

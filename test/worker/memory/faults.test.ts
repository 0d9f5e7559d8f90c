// A fault at every statement of every kind of write: afterwards everything is as before, or as after, and the caller knows which.
import { expect, test } from "vitest";
import { check } from "../../../src/server/memory/check.ts";
import { headOf, type MemoryContext } from "../../../src/server/memory/context.ts";
import { revert } from "../../../src/server/memory/revert.ts";
import { readFile } from "../../../src/server/memory/read.ts";
import { write } from "../../../src/server/memory/writer.ts";
import type { Outcome } from "../../../src/shared/protocol.ts";
import { change, dump, faulty, freshMemory, inside, landed, NOW } from "./support.ts";

const START = {
  "MEMORY.md":
    "# Memory\n\n- Lives in Lyon [id: home0001; added: 2026-01-01; slot: home]\n- Has a cat [id: cat00001; added: 2026-01-01]\n- Has a grey cat [id: cat00002; added: 2026-01-01]\n",
  "people/ana.md":
    "# Ana\n\n- Is a nurse [id: ana00001; added: 2026-01-01]\n- Lives in Porto [id: ana00002; added: 2026-01-01; slot: home]\n",
};

const OPERATIONS: [string, (ctx: MemoryContext, first: string) => Outcome][] = [
  ["save", (ctx) => write(ctx, change({ edits: [{ op: "add", text: "Plays the oboe" }], source: "thread/ab12cd34#m1" }))],
  ["save in a new file", (ctx) => write(ctx, change({ edits: [{ op: "add", text: "Is a baker", path: "people/omar.md" }] }))],
  ["change of a slot", (ctx) => write(ctx, change({ edits: [{ op: "add", text: "Lives in Paris", slot: "home" }] }))],
  ["close", (ctx) => write(ctx, change({ edits: [{ op: "close", id: "cat00001", why: "changed" }] }))],
  [
    "merge",
    (ctx) => write(ctx, change({ edits: [{ op: "merge", ids: ["cat00001", "cat00002"] }], kind: "dream", actor: "model" })),
  ],
  ["revert", (ctx, first) => revert(ctx, first, { entries: ["ana00002"], actor: "user", at: NOW, zone: "UTC" })],
  ["move", (ctx) => write(ctx, change({ edits: [{ op: "move", id: "ana00001", path: "jobs.md" }] }))],
  [
    "file",
    (ctx) =>
      write(
        ctx,
        change({
          files: { "people/ana.md": `${readFile(ctx, "people/ana.md", {}).text}- Rows on Sundays\n` },
          base: headOf(ctx),
        }),
      ),
  ],
  ["delete", (ctx) => write(ctx, change({ files: { "people/ana.md": null }, base: headOf(ctx) }))],
];

test.each([
  ["once", "SQLITE_IOERR: disk I/O error", false, OPERATIONS],
  ["from there on", "database or disk is full: SQLITE_FULL", true, OPERATIONS],
  ["of size", "string or blob too big: SQLITE_TOOBIG", true, OPERATIONS.slice(0, 1)],
] as const)("a fault %s leaves the state before or after, never one between", async (_, message, persistent, operations) => {
  let faults = 0;
  const counts: string[] = [];
  await inside(freshMemory(), (agent) => {
    const ctx = agent.memory;
    const first = landed(write(ctx, change({ files: START, kind: "import" }))).commit!;
    ctx.keyring();
    for (const [name, run] of operations) {
      const before = dump(ctx.sql);
      for (let k = 1; ; k++) {
        const fault = faulty(ctx, k, message, persistent);
        let outcome: Outcome | null = null;
        try {
          outcome = run(fault.ctx, first);
        } catch {
          outcome = null;
        }
        if (fault.calls() < k) {
          expect(outcome?.ok, name).toBe(true);
          counts.push(`${name} ${k - 1}`);
          break;
        }
        faults++;
        expect(outcome?.ok ?? false, `${name}, statement ${k}: no answer may say saved`).toBe(false);
        if (outcome && !outcome.ok && message.includes("FULL")) expect(outcome.code).toBe("storage-full");
        expect(dump(ctx.sql), `${name}, statement ${k}`).toEqual(before);
        expect(readFile(ctx, "MEMORY.md", {}).text).toContain("Lives in");
      }
      expect(check(ctx).problems, name).toEqual([]);
    }
  });
  console.log(`faults: ${faults}, lost writes: 0 (${counts.join(", ")})`);
  expect(faults).toBeGreaterThan(5 * operations.length);
});

// A fault at every statement of a save, with the one transaction around it and without: how often the caller is told "not saved" while something was.
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import type { MemoryAgent } from "../src/server/memory/agent.ts";
import type { MemoryContext } from "../src/server/memory/context.ts";
import { write } from "../src/server/memory/writer.ts";
import type { Edit } from "../src/shared/protocol.ts";
import { change, dump, faulty } from "../test/worker/memory/support.ts";

const START = {
  "MEMORY.md":
    "# Memory\n\n- Lives in Lyon [id: home0001; added: 2026-01-01; slot: home]\n- Has a cat [id: cat00001; added: 2026-01-01]\n",
  "people/ana.md": "# Ana\n\n- Is a nurse [id: ana00001; added: 2026-01-01]\n",
};
const OPERATIONS: Record<string, Edit> = {
  save: { op: "add", text: "Plays the oboe" },
  "change of a slot": { op: "add", text: "Lives in Paris", slot: "home" },
  move: { op: "move", id: "ana00001", path: "jobs.md" },
  close: { op: "close", id: "cat00001", why: "changed" },
};

/** A memory with a few lines, of its own for each fault: a half state must not be the start of the next. */
function memoryOf<T>(name: string, run: (ctx: MemoryContext) => T): Promise<T> {
  return runInDurableObject(env.MemoryAgent.getByName(`bench-faults-${name}`), (agent: MemoryAgent) => {
    const outcome = write(agent.memory, change({ files: START, kind: "import" }));
    if (!outcome.ok) throw new Error(outcome.message);
    return run(agent.memory);
  });
}

/** Faults of one operation and how many of them left something behind. */
async function sweep(name: string, edit: Edit, whole: boolean): Promise<{ faults: number; half: number }> {
  let half = 0;
  for (let k = 1; ; k++) {
    const result = await memoryOf(`${name}-${whole ? "whole" : "bare"}-${k}`, (ctx) => {
      const before = dump(ctx.sql);
      const fault = faulty(ctx, k, "SQLITE_IOERR: disk I/O error", false);
      const bare = { ...fault.ctx, transact: <T>(run: () => T): T => run() };
      let ok = false;
      try {
        ok = write(whole ? fault.ctx : bare, change({ edits: [edit] })).ok;
      } catch {
        ok = false;
      }
      if (fault.calls() < k) return "over";
      const changed = JSON.stringify([...dump(ctx.sql)]) !== JSON.stringify([...before]);
      return !ok && changed ? "half" : "as before";
    });
    if (result === "over") return { faults: k - 1, half };
    if (result === "half") half++;
  }
}

test("a fault at every statement, with and without the transaction", async () => {
  const rows: { name: string; whole: { faults: number; half: number }; bare: { faults: number; half: number } }[] = [];
  for (const [name, edit] of Object.entries(OPERATIONS)) {
    const key = name.replace(/ /g, "-");
    rows.push({ name, whole: await sweep(key, edit, true), bare: await sweep(key, edit, false) });
  }
  console.log(
    [
      "\nFaults at every statement of an operation that told “not saved” and left something behind",
      ...rows.map(
        ({ name, whole, bare }) =>
          `  ${name.padEnd(18)} ${`${whole.half} of ${whole.faults}`.padStart(9)} in one transaction   ${`${bare.half} of ${bare.faults}`.padStart(9)} statement by statement`,
      ),
    ].join("\n"),
  );
  expect(rows.every(({ whole }) => whole.half === 0 && whole.faults > 5)).toBe(true);
});

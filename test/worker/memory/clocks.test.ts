// The clock vectors through the real writer: the same plans, but over rows, files and commits.
import { expect, test } from "vitest";
import vectors from "../../vectors/clocks.json";
import type { MemoryContext } from "../../../src/server/memory/context.ts";
import { check } from "../../../src/server/memory/check.ts";
import { entries } from "../../../src/server/memory/read.ts";
import { write } from "../../../src/server/memory/writer.ts";
import type { Edit } from "../../../src/shared/protocol.ts";
import { change, freshMemory, inside, landed } from "./support.ts";

interface Case {
  name: string;
  today: string;
  file: string;
  save?: { text: string; slot?: string; scope?: string; since?: string; until?: string; saidOn: string; source?: string };
  revise?: { id: string; text?: string; since?: string; until?: string; why: "changed" | "wrong"; saidOn: string };
  reopen?: string;
  expectOpen?: string[];
  expectHistory?: { text: string; since: string | null; until: string | null; why: string | null }[];
  asOf?: { date: string; expect: string[] }[];
}

const PATH = "people/subject.md";

function editOf({ save, revise, reopen }: Case): Edit | null {
  if (save) {
    const { source, ...fact } = save as typeof save & { newId?: string };
    delete (fact as { newId?: string }).newId;
    return {
      op: "add",
      path: PATH,
      ...fact,
      ...(fact.slot ? { slot: `=${fact.slot}` } : {}),
      ...(source ? { sources: [source] } : {}),
    };
  }
  if (revise)
    return {
      op: "revise",
      id: revise.id,
      why: revise.why,
      saidOn: revise.saidOn,
      ...(revise.text ? { text: revise.text } : {}),
      ...(revise.since ? { since: revise.since } : {}),
      ...(revise.until ? { until: revise.until } : {}),
    };
  return reopen ? { op: "reopen", id: reopen } : null;
}

const all = (ctx: MemoryContext, ask: object) => entries(ctx, { path: PATH, limit: 200, ...ask }).items;

test("every clock vector holds through the writer", async () => {
  let ran = 0;
  for (const one of vectors as Case[]) {
    await inside(freshMemory(), (agent) => {
      const at = Date.parse(`${one.today}T12:00:00Z`);
      const ctx = { ...agent.memory, now: () => at };
      landed(write(ctx, change({ files: { [PATH]: one.file }, kind: "import", at })));
      const edit = editOf(one);
      if (edit) landed(write(ctx, change({ edits: [edit], at })));
      const open = all(ctx, { state: ["open"] }).map((entry) => entry.text);
      if (one.expectOpen) expect(open.sort(), one.name).toEqual([...one.expectOpen].sort());
      const history = all(ctx, { state: ["closed"] }).map(({ text, since, until, why }) => ({ text, since, until, why }));
      const key = (entry: object) => JSON.stringify(entry);
      if (one.expectHistory)
        expect(history.map(key).sort(), one.name).toEqual(
          one.expectHistory.map(({ text, since, until, why }) => key({ text, since, until, why })).sort(),
        );
      for (const { date, expect: texts } of one.asOf ?? []) {
        expect(
          all(ctx, { asOf: date })
            .map((entry) => entry.text)
            .sort(),
          `${one.name} as of ${date}`,
        ).toEqual([...texts].sort());
      }
      expect(check(ctx).problems, one.name).toEqual([]);
      ran++;
    });
  }
  console.log(`clock vectors through the writer: ${ran}`);
  expect(ran).toBe(vectors.length);
});

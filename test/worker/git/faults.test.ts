// Faults and races of a save: the state before or the state after, never one between; nothing lost among writers.
import { describe, expect, it } from "vitest";
import { listFiles, readTextAt } from "../../../src/server/git/repo.ts";
import type { Sql } from "../../../src/server/git/sql.ts";
import type { ObjectStore } from "../../../src/server/git/store.ts";
import { inRepository, land, MAIN, NEW_YEAR, openAgain } from "./repository.ts";

const TABLES = ["git_objects", "git_refs", "git_ref_log", "git_commits"];

/** A connection that throws at the k-th statement, before (`early`) or after it has run. */
function failingAt(sql: Sql, k: number, early: boolean): { sql: Sql; calls: () => number } {
  let calls = 0;
  return {
    calls: () => calls,
    sql: {
      exec: (query, ...bindings) => {
        const due = ++calls === k;
        if (due && early) throw new Error("SQLITE_FULL");
        const cursor = sql.exec<never>(query, ...bindings);
        if (due) throw new Error("SQLITE_IOERR");
        return cursor;
      },
    },
  };
}

function state(sql: Sql): string {
  return JSON.stringify(
    TABLES.map((table) => sql.exec(`SELECT * FROM ${table}`).toArray()),
    (_key, value: unknown) => (value instanceof ArrayBuffer ? [...new Uint8Array(value)].join() : value),
  );
}

describe("a save", () => {
  const operations: Record<string, (store: ObjectStore) => void> = {
    save: (store) => void land(store, { "people/ada.md": "- New\n", "places/x/y.md": "- There\n" }, NEW_YEAR + 1000),
    delete: (store) => void land(store, { "people/ada.md": null }, NEW_YEAR + 1000),
    rename: (store) => void land(store, { "people/ada.md": null, "people/b/ada.md": "- Old\n" }, NEW_YEAR + 1000),
    drop: (store) => void store.drop([land(store, { "people/ada.md": "- Never\n" }).commit]),
  };
  for (const [name, operation] of Object.entries(operations))
    it(`is whole or absent when storage fails at any statement: ${name}`, () =>
      inRepository(({ store, sql, transact }) => {
        land(store, { "MEMORY.md": "# Memory\n", "people/ada.md": "- Old\n" });
        const before = state(sql);
        let faults = 0;
        for (const early of [true, false])
          for (let k = 1; ; k++) {
            const failing = failingAt(sql, k, early);
            let failed = false;
            try {
              transact(() => {
                operation(openAgain(failing.sql));
                if (failing.calls() < k) throw new Error("end of the operation");
              });
            } catch (error) {
              failed = (error as Error).message.startsWith("SQLITE");
            }
            expect(state(sql)).toBe(before);
            if (!failed) {
              faults += k - 1;
              expect(k).toBeGreaterThan(5);
              break;
            }
          }
        transact(() => operation(store));
        expect(state(sql)).not.toBe(before);
        console.log(`${name}: ${faults} faults, 0 half states`);
      }));

  it("loses nothing of 20 concurrent writers, whatever awaits stand between them", () =>
    inRepository(async ({ store, transact }) => {
      land(store, { "MEMORY.md": "# Memory\n" });
      await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          await new Promise((resolve) => setTimeout(resolve, i % 3));
          transact(() => {
            const text = readTextAt(store, store.ref(MAIN)!, "MEMORY.md")!;
            land(store, { "MEMORY.md": `${text}- Fact ${i}\n`, [`notes/${i}.md`]: `- Note ${i}\n` }, NEW_YEAR + i);
          });
        }),
      );
      const head = store.ref(MAIN)!;
      expect([...listFiles(store, head)]).toHaveLength(21);
      const lines = readTextAt(store, head, "MEMORY.md")!.split("\n");
      for (let i = 0; i < 20; i++) expect(lines.filter((line) => line === `- Fact ${i}`)).toHaveLength(1);
      expect(store.refLog(MAIN)).toHaveLength(21);
    }));

  it("refuses to move a ref that stands elsewhere, or to what is no commit", () =>
    inRepository(({ store }) => {
      const first = land(store, { "MEMORY.md": "one" }).commit;
      const second = land(store, { "MEMORY.md": "two" }).commit;
      const move = { kind: "edit", actor: "user", at: NEW_YEAR };
      for (const expected of [null, first, "f".repeat(40)])
        expect(() => store.moveRef(MAIN, expected, first, move)).toThrowError(
          expect.objectContaining({ code: "conflict", details: expect.objectContaining({ head: second }) }),
        );
      expect(() => store.moveRef(MAIN, second, "f".repeat(40), move)).toThrowError(
        expect.objectContaining({ code: "not-found" }),
      );
      const blob = store.write("blob", new Uint8Array([1]));
      expect(() => store.moveRef(MAIN, second, blob, move)).toThrowError(expect.objectContaining({ code: "not-found" }));
      expect(store.ref(MAIN)).toBe(second);
      store.moveRef(MAIN, second, null, move);
      expect(store.ref(MAIN)).toBeNull();
      expect(store.refLog(MAIN).map(({ seq }) => seq)).toEqual([3, 2, 1]);
    }));
});

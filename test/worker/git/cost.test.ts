// What a save costs by the size of the memory: it must not grow with the number of files (directories of 100).
import { expect, it } from "vitest";
import { commitChanges } from "../../../src/server/git/repo.ts";
import type { Sql } from "../../../src/server/git/sql.ts";
import { bytesOf, inRepository, MAIN, NEW_YEAR, openAgain } from "./repository.ts";

const DIRECTORY = 100;
const SAVES = 40;
/** Rows and bytes of content that one save may write (issue numbers: 30 rows, 16 KB through the whole writer). */
const MAX_ROWS = 16;
const MAX_BYTES = 12 * 1024;

function counting(sql: Sql): { sql: Sql; rows: () => number; bytes: () => number } {
  let rows = 0;
  let bytes = 0;
  return {
    rows: () => rows,
    bytes: () => bytes,
    sql: {
      exec: (query, ...bindings) => {
        const cursor = sql.exec<never>(query, ...bindings);
        if (/^(INSERT|UPDATE|DELETE)/.test(query)) {
          rows += cursor.rowsWritten;
          for (const binding of bindings)
            bytes += typeof binding === "string" ? binding.length : binding instanceof Uint8Array ? binding.byteLength : 8;
        }
        return cursor;
      },
    },
  };
}

const entry = (i: number, j: number): string =>
  `- Fact ${j} of file ${i}: ${((i * 7919 + j * 104_729) % 1_000_003).toString(36)} [id: ${(i * 20 + j + 46_656).toString(36)}; added: 2026-01-0${(j % 9) + 1}]\n`;
const file = (i: number): string => `# File ${i}\n\n${Array.from({ length: 20 }, (_, j) => entry(i, j)).join("")}`;
const pathOf = (i: number): string => `notes/d${Math.floor(i / DIRECTORY)}/file-${i}.md`;
const person = { name: "Ada Example", email: "ada@example.org", at: NEW_YEAR, tz: "+0000" };

for (const files of [100, 1_000, 10_000])
  it(`costs the same at ${files} files`, () =>
    inRepository(({ store, sql, transact }) => {
      let head = transact(() => {
        const changes = new Map(Array.from({ length: files }, (_, i) => [pathOf(i), bytesOf(file(i))]));
        const { commit } = commitChanges(store, { parent: null, changes, author: person, committer: person, message: "import" });
        store.moveRef(MAIN, null, commit, { kind: "import", actor: "user", at: NEW_YEAR });
        return commit;
      });
      const counted = counting(sql);
      const measured = openAgain(counted.sql);
      const times: number[] = [];
      for (let i = 0; i < SAVES; i++) {
        const target = (i * 37) % files;
        const changes = new Map([[pathOf(target), bytesOf(`${file(target)}- One more ${i}\n`)]]);
        const started = performance.now();
        head = transact(() => {
          const result = commitChanges(measured, {
            parent: head,
            changes,
            author: person,
            committer: person,
            message: `edit(${target}): one more`,
          });
          measured.moveRef(MAIN, head, result.commit, { kind: "edit", actor: "user", at: NEW_YEAR });
          expect(result.objects).toBe(5);
          return result.commit;
        });
        times.push(performance.now() - started);
      }
      times.sort((a, b) => a - b);
      const [rows, bytes] = [counted.rows() / SAVES, counted.bytes() / SAVES];
      console.log(
        `${files} files: ${rows.toFixed(1)} rows, ${Math.round(bytes)} bytes, median ${times[SAVES / 2]!.toFixed(2)} ms, p95 ${times[Math.floor(SAVES * 0.95)]!.toFixed(2)} ms a save; database ${(sql as unknown as SqlStorage).databaseSize} bytes`,
      );
      expect(rows).toBeLessThanOrEqual(MAX_ROWS);
      expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
    }));

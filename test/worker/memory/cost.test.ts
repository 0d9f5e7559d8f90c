// What a save and a read cost in rows, which no load on the machine changes: the same in a small memory and in one of ten times its size.
import { expect, test } from "vitest";
import type { MemoryContext } from "../../../src/server/memory/context.ts";
import { historyPage } from "../../../src/server/memory/log-view.ts";
import { commitDetail } from "../../../src/server/memory/commit-detail.ts";
import { entries, readFile } from "../../../src/server/memory/read.ts";
import { write } from "../../../src/server/memory/writer.ts";
import { change, freshMemory, inside, landed } from "./support.ts";

const ENTRIES = 8;
const nameOf = (n: number) => `topics/d${String(Math.floor(n / 50)).padStart(2, "0")}/f${String(n).padStart(3, "0")}.md`;

/** Rows and bytes of what `run` does with a counting connection. */
function cost(ctx: MemoryContext, run: (ctx: MemoryContext) => unknown): { read: number; written: number; bytes: number } {
  const cursors: { rowsRead: number; rowsWritten: number }[] = [];
  let bytes = 0;
  const exec = (query: string, ...bindings: never[]) => {
    const cursor = ctx.sql.exec(query, ...bindings);
    cursors.push(cursor);
    if (!/^\s*SELECT/i.test(query)) {
      for (const value of bindings as unknown[])
        bytes += typeof value === "string" ? value.length : ArrayBuffer.isView(value) ? value.byteLength : 8;
    }
    return cursor;
  };
  const sql = { exec } as unknown as MemoryContext["sql"];
  run({ ...ctx, sql, store: ctx.reopen(sql), cache: {} });
  return {
    read: cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    written: cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
    bytes,
  };
}

async function costs(files: number): Promise<Record<string, { read: number; written: number; bytes: number }>> {
  return inside(freshMemory(), ({ memory: ctx }) => {
    for (let from = 0; from < files; from += 50) {
      const batch = Object.fromEntries(
        Array.from({ length: 50 }, (_, i) => {
          const n = from + i;
          const lines = Array.from(
            { length: ENTRIES },
            (_, k) =>
              `- Fact ${n}.${k} about topic ${n}${k === 0 ? ` and [[${nameOf(from + ((i * 7) % 50)).slice(0, -3)}]]` : ""}`,
          );
          return [nameOf(n), `# Topic ${n}\n\n${lines.join("\n")}\n`];
        }),
      );
      landed(write(ctx, change({ files: batch, base: ctx.store.ref("refs/heads/main"), kind: "import" })));
    }
    const saved = landed(write(ctx, change({ edits: [{ op: "add", path: nameOf(3), text: "Warms it up" }] })));
    ctx.keyring();
    return {
      save: cost(ctx, (counted) =>
        landed(
          write(
            counted,
            change({ edits: [{ op: "add", path: nameOf(7), text: "One more fact" }], source: "thread/ab12cd34#m1" }),
          ),
        ),
      ),
      "new value of a slot": cost(ctx, (counted) => {
        landed(write(counted, change({ edits: [{ op: "add", text: "Lives in Lyon", slot: "home" }] })));
      }),
      file: cost(ctx, (counted) =>
        landed(
          write(
            counted,
            change({
              files: { [nameOf(9)]: `${readFile(counted, nameOf(9), {}).text}- By hand\n` },
              base: counted.store.ref("refs/heads/main"),
            }),
          ),
        ),
      ),
      "read a file": cost(ctx, (counted) => readFile(counted, nameOf(11), {})),
      "page of entries": cost(ctx, (counted) => entries(counted, { limit: 20 })),
      "page of the log": cost(ctx, (counted) => historyPage(counted, { limit: 5 })),
      "diff of a commit": cost(ctx, (counted) => commitDetail(counted, saved.commit!)),
    };
  });
}

test("rows of a save and of a read do not grow with the memory", async () => {
  const [small, large] = [await costs(50), await costs(500)];
  for (const [name, before] of Object.entries(small)) {
    const after = large[name]!;
    console.log(
      `${name.padEnd(22)} rows read ${before.read} → ${after.read}, written ${before.written} → ${after.written}, bytes ${before.bytes} → ${after.bytes}`,
    );
    expect(after.written, name).toBeLessThanOrEqual(30);
    expect(after.written, name).toBeLessThanOrEqual(before.written + 2);
    expect(after.bytes, name).toBeLessThanOrEqual(16 * 1024);
    // Ten times the files: a tree of folders is a little longer, nothing else.
    expect(after.read, name).toBeLessThanOrEqual(before.read * 1.5 + 10);
  }
});

// Many writers at once, stale bases, and the projection made again.
import { expect, test } from "vitest";
import { check } from "../../../src/server/memory/check.ts";
import { headOf } from "../../../src/server/memory/context.ts";
import { historyPage } from "../../../src/server/memory/log-view.ts";
import { entries, readFile } from "../../../src/server/memory/read.ts";
import { rebuildSlice, startRebuild } from "../../../src/server/memory/rebuild.ts";
import { write } from "../../../src/server/memory/writer.ts";
import type { Change } from "../../../src/shared/protocol.ts";
import { change, dump, freshMemory, inside, landed } from "./support.ts";

const SAVES = 200;

test("200 parallel saves to one file: 200 commits, every line once", async () => {
  const memory = freshMemory();
  const outcomes = await Promise.all(
    Array.from({ length: SAVES }, (_, i) => memory.write(change({ edits: [{ op: "add", text: `Fact number ${i} of many` }] }))),
  );
  for (const outcome of outcomes) landed(outcome as never);
  await inside(memory, ({ memory: ctx }) => {
    const { text } = readFile(ctx, "MEMORY.md", {});
    for (let i = 0; i < SAVES; i++) expect(text.split(`Fact number ${i} of many `)).toHaveLength(2);
    expect(historyPage(ctx, { limit: 200 }).items).toHaveLength(SAVES);
    expect(new Set(outcomes.map((outcome) => (outcome as { commit: string }).commit)).size).toBe(SAVES);
    expect(check(ctx)).toMatchObject({ ok: true, problems: [] });
  });
  console.log(`parallel saves to one file: ${SAVES}, lost: 0`);
});

test("200 parallel saves to 200 files through several doors", async () => {
  const memory = freshMemory();
  const doors: Partial<Change>[] = [
    { kind: "chat", actor: "model", source: "thread/ab12cd34#m1" },
    { kind: "edit", actor: "user" },
    { kind: "mcp", actor: "agent:helper", source: "agent/helper" },
    { kind: "dream", actor: "model", dream: "dr34m123" },
  ];
  const outcomes = await Promise.all(
    Array.from({ length: SAVES }, (_, i) => {
      const door = doors[i % doors.length]!;
      const path = `topics/t${i}.md`;
      // Every fifth writer hands a whole file over, on a base that is stale by the time it is read.
      if (door.kind === "edit" && i % 5 === 0) return memory.write(change({ files: { [path]: `# T${i}\n\n- Fact of ${i}\n` } }));
      return memory.write(change({ ...door, edits: [{ op: "add", text: `Fact of ${i}`, path }] }));
    }),
  );
  for (const outcome of outcomes) landed(outcome as never);
  await inside(memory, ({ memory: ctx }) => {
    for (let i = 0; i < SAVES; i++)
      expect(readFile(ctx, `topics/t${i}.md`, {}).text).toMatch(new RegExp(`^- Fact of ${i} `, "m"));
    expect(check(ctx).problems).toEqual([]);
  });
});

test("a base that is stale by 1, 16 and 200 commits merges or refuses, and never overwrites", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    landed(
      write(
        ctx,
        change({ files: { "MEMORY.md": "# Memory\n\n- Stays the same [id: same0001]\n- Will be changed [id: chan0001]\n" } }),
      ),
    );
    const bases = new Map<number, { head: string; text: string }>();
    for (let i = 200; i > 0; i--) {
      if ([200, 16, 1].includes(i)) bases.set(i, { head: headOf(ctx)!, text: readFile(ctx, "MEMORY.md", {}).text });
      if (i === 1) landed(write(ctx, change({ edits: [{ op: "reword", id: "chan0001", text: "Was changed by another" }] })));
      else landed(write(ctx, change({ edits: [{ op: "add", text: `Later fact ${i}` }] })));
    }
    for (const [age, base] of bases) {
      const add = write(
        ctx,
        change({ files: { "MEMORY.md": base.text.replace("- Stays", `- From the base of ${age}\n- Stays`) }, base: base.head }),
      );
      landed(add);
      const now = readFile(ctx, "MEMORY.md", {}).text;
      expect(now).toContain(`From the base of ${age}`);
      expect(now).toContain("Was changed by another");
      for (let i = 2; i <= 200; i++) expect(now).toContain(`Later fact ${i} `);
      const clash = write(
        ctx,
        change({ files: { "MEMORY.md": base.text.replace("Will be changed", `Mine of ${age}`) }, base: base.head }),
      );
      expect(clash).toMatchObject({ ok: false, code: "conflict", details: { head: headOf(ctx), theirs: now } });
      const edit = write(
        ctx,
        change({ edits: [{ op: "reword", id: "chan0001", text: `Mine of ${age}` }], base: base.head, source: `thread/t${age}` }),
      );
      expect(edit).toMatchObject({
        ok: false,
        code: "conflict",
        details: { head: headOf(ctx), base: "Will be changed", theirs: "Was changed by another" },
      });
      const blind = write(
        ctx,
        change({ edits: [{ op: "reword", id: "chan0001", text: `Mine of ${age}` }], source: `thread/t${age}` }),
      );
      expect(blind).toMatchObject({ ok: false, code: "conflict" });
      expect(readFile(ctx, "MEMORY.md", {}).text).toBe(now);
    }
    const read = write(
      ctx,
      change({
        edits: [{ op: "reword", id: "chan0001", text: "Decided after reading" }],
        source: "thread/t16",
        read: headOf(ctx)!,
      }),
    );
    expect(read.ok).toBe(true);
    expect(check(ctx).problems).toEqual([]);
  });
});

test("a rebuild in slices gives the same rows, while saves go on", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    landed(
      write(
        ctx,
        change({
          files: {
            "MEMORY.md": "# Memory\n\n- One [[people/ana]]\n- Two\n",
            "people/ana.md": "# Ana\n\n- Is a nurse [slot: job]\n",
          },
        }),
      ),
    );
    for (let i = 0; i < 40; i++) {
      const { items } = entries(ctx, { limit: 200 });
      const one = items[i % items.length]!;
      const edits: Change["edits"] =
        i % 5 === 0
          ? [{ op: "close", id: one.id!, why: "changed" }]
          : i % 5 === 1
            ? [{ op: "move", id: one.id!, path: `topics/m${i % 3}.md` }]
            : i % 5 === 2
              ? [{ op: "revise", id: one.id!, text: `Revised ${i}`, why: "changed" }]
              : [{ op: "add", text: `Added ${i}`, depends: [one.id!] }];
      write(ctx, change({ edits }));
    }
    landed(write(ctx, change({ files: { "people/ana.md": null }, base: headOf(ctx) })));
    startRebuild(ctx);
    let slices = 0;
    while (!rebuildSlice(ctx, 7)) {
      slices++;
      expect(entries(ctx, { limit: 1 }).items).toHaveLength(1);
    }
    const rebuilt = dump(ctx.sql, ["facts"]);
    const search = entries(ctx, { q: "revised", state: ["all"], limit: 200 }).items.map((one) => one.id);
    startRebuild(ctx);
    rebuildSlice(ctx, 1000);
    expect(slices).toBeGreaterThan(3);
    expect(dump(ctx.sql, ["facts"])).toEqual(rebuilt);
    expect(entries(ctx, { q: "revised", state: ["all"], limit: 200 }).items.map((one) => one.id)).toEqual(search);
    expect(check(ctx).problems).toEqual([]);
  });
});

test("the projection that saves leave is the one that a rebuild makes", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    for (let i = 0; i < 30; i++) {
      landed(
        write(
          ctx,
          change({
            edits: [
              {
                op: "add",
                text: `Fact ${i} with [[people/p${i % 4}]]`,
                path: `people/p${i % 5}.md`,
                slot: i % 2 ? "home" : undefined,
              },
            ],
          }),
        ),
      );
    }
    const before = dump(ctx.sql, ["facts"]);
    startRebuild(ctx);
    rebuildSlice(ctx, 1000);
    expect(dump(ctx.sql, ["facts"])).toEqual(before);
  });
});

test("check names an object whose byte was flipped, a lost object, and a row that lies", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    landed(write(ctx, change({ edits: [{ op: "add", text: "A fact" }] })));
    landed(write(ctx, change({ edits: [{ op: "add", text: "Another fact" }] })));
    expect(check(ctx).problems).toEqual([]);
    ctx.sql.exec("UPDATE entries SET text = 'A lie' WHERE text = 'A fact'");
    expect(check(ctx).problems.join()).toContain("MEMORY.md");
    startRebuild(ctx);
    rebuildSlice(ctx);
    expect(check(ctx).problems).toEqual([]);
    const blob = ctx.sql
      .exec<{ id: number; data: ArrayBuffer; oid: ArrayBuffer }>(
        "SELECT id, data, oid FROM git_objects WHERE type = 3 ORDER BY id LIMIT 1",
      )
      .one();
    const bytes = new Uint8Array(blob.data.slice(0));
    bytes[bytes.length - 3]! ^= 0x10;
    ctx.sql.exec("UPDATE git_objects SET data = ? WHERE id = ?", bytes, blob.id);
    const problems = check(ctx).problems.join("\n");
    expect(problems).toContain(Buffer.from(blob.oid).toString("hex"));
  });
});

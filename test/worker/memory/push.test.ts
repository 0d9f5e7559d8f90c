// What a push may bring: it lands as sent and whole, or not at all; what slots ask for follows in a commit of the app.
import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { check } from "../../../src/server/memory/check.ts";
import { headOf, type MemoryContext } from "../../../src/server/memory/context.ts";
import { landPush } from "../../../src/server/memory/land-push.ts";
import { historyPage } from "../../../src/server/memory/log-view.ts";
import { entries, readFile } from "../../../src/server/memory/read.ts";
import { write } from "../../../src/server/memory/writer.ts";
import type { Push } from "../../../src/server/git/judge-push.ts";
import { readCommit } from "../../../src/server/git/log.ts";
import { commitChanges } from "../../../src/server/git/repo.ts";
import { change, dump, faulty, freshMemory, inside, landed, NOW } from "./support.ts";

const MINE = { name: "Mara", email: "mara@example.invalid", at: NOW, tz: "+0000" };

/** A push of one commit per set of files, on top of `base`. */
function pushOf(ctx: MemoryContext, base: string | null, ...steps: Record<string, string | null>[]): Push {
  const commits: Push["commits"] = [];
  let parent = base;
  for (const files of steps) {
    const changes = new Map(Object.entries(files).map(([path, text]) => [path, text === null ? null : Buffer.from(text)]));
    parent = commitChanges(ctx.store, { parent, changes, author: MINE, committer: MINE, message: "By hand" }).commit;
    commits.push({ oid: parent, commit: readCommit(ctx.store, parent) });
  }
  return {
    ref: "refs/heads/main",
    before: headOf(ctx),
    after: parent!,
    commits,
    objects: [],
    read: (oid) => ctx.store.read(oid),
    write: () => {},
  };
}

const push = (ctx: MemoryContext, made: Push, actor: "user" | `agent:${string}` = "user") => landPush(ctx, made, { actor });

test("a push lands as it was sent, and its lines are entries", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    landed(write(ctx, change({ edits: [{ op: "add", text: "Stands already" }] })));
    const made = pushOf(
      ctx,
      headOf(ctx),
      { "people/ana.md": "# Ana\n\n- Is a nurse\n" },
      { "people/ana.md": "# Ana\n\n- Is a nurse\n- Rows\n" },
    );
    expect(push(ctx, made)).toMatchObject({ ok: true });
    expect(headOf(ctx)).toBe(made.after);
    expect(readFile(ctx, "people/ana.md", {}).text).toBe("# Ana\n\n- Is a nurse\n- Rows\n");
    expect(entries(ctx, { path: "people" }).items.map((one) => [one.text, one.id])).toEqual([
      ["Is a nurse", null],
      ["Rows", null],
    ]);
    expect(historyPage(ctx, { limit: 3 }).items.map((one) => one.kind)).toEqual(["push", "push", "edit"]);
    expect(check(ctx).problems).toEqual([]);
  });
});

test("a second value of a slot is closed in a commit of the app that follows", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    landed(write(ctx, change({ edits: [{ op: "add", text: "Lives in Lyon", slot: "home", since: "2020" }] })));
    const text = readFile(ctx, "MEMORY.md", {}).text;
    const made = pushOf(ctx, headOf(ctx), {
      "MEMORY.md": `${text}- Lives in Porto [id: push0001; slot: home; since: 2026-03]\n`,
    });
    const verdict = push(ctx, made);
    expect(verdict.ok).toBe(true);
    expect(verdict.lines?.join(" ")).toContain("pull it");
    const [system, pushed] = historyPage(ctx, { limit: 2 }).items;
    expect([system!.kind, pushed!.commit]).toEqual(["system", made.after]);
    expect(entries(ctx, { slot: "home" }).items.map((one) => one.text)).toEqual(["Lives in Porto"]);
    expect(entries(ctx, { slot: "home", state: ["closed"] }).items).toMatchObject([
      { text: "Lives in Lyon", until: "2026-03", section: "History" },
    ]);
  });
});

test("a merge of the user's side keeps the line of history that the memory stood at", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    const base = landed(write(ctx, change({ edits: [{ op: "add", text: "Base" }] }))).commit!;
    landed(write(ctx, change({ edits: [{ op: "add", text: "Ours", path: "ours.md" }] })));
    const side = pushOf(ctx, base, { "mine.md": "# Mine\n\n- Theirs by hand\n" });
    const ours = readFile(ctx, "ours.md", {}).text;
    const merged = commitChanges(ctx.store, {
      parent: side.after,
      parents: [side.after, headOf(ctx)!],
      changes: new Map([["ours.md", Buffer.from(ours)]]),
      author: MINE,
      committer: MINE,
      message: "Merge",
    }).commit;
    const made: Push = {
      ...side,
      after: merged,
      commits: [...side.commits, { oid: merged, commit: readCommit(ctx.store, merged) }],
    };
    expect(push(ctx, made)).toMatchObject({ ok: true });
    expect(historyPage(ctx, { limit: 10 }).items.map((one) => one.commit)[0]).toBe(merged);
    expect(
      entries(ctx, {})
        .items.map((one) => one.text)
        .sort(),
    ).toEqual(["Base", "Ours", "Theirs by hand"]);
    expect(check(ctx).problems).toEqual([]);
  });
});

const SECRET = [
  "sk-pro",
  "j-a3F0K7p4U1Z8e5J2O9t6Y3D0i7N4S1x8C5H2m9R6W3b0G7L4q1V8A5f2K9P6u3Z0E7j4O1T8T3BlbkFJt6Y3D0i7N4S1x8C5H2m9R6",
].join("");

test.each<[string, Record<string, string | null>[], string]>([
  ["a NUL", [{ "a.md": "# A\n\n- x\0y\n" }], "NUL"],
  ["a conflict marker", [{ "a.md": "# A\n<<<<<<< mine\n" }], "conflict marker"],
  ["a secret in a commit that a later one takes back", [{ "a.md": `# A\n\n- Key ${SECRET}\n` }, { "a.md": "# A\n" }], "secret"],
  ["a hidden character", [{ "a.md": "# A\n\n- Hid\u200bden\n" }], "nobody can see"],
  ["an id that stands already", [{ "a.md": "# A\n\n- Other [id: stands01]\n" }], "stands twice"],
  [
    "an id that stands in the same file",
    [{ "MEMORY.md": "# Memory\n\n- Stands [id: stands01]\n- Other [id: stands01]\n" }],
    "stands twice",
  ],
  [
    "an id that stands in the same file, below",
    [{ "MEMORY.md": "# Memory\n\n- Other [id: stands01]\n- Stands [id: stands01]\n" }],
    "stands twice",
  ],
  [
    "an id that stands in another changed file",
    [{ "MEMORY.md": "# Memory\n\n- Stands [id: stands01]\n- More\n", "a.md": "# A\n\n- Other [id: stands01]\n" }],
    "stands twice",
  ],
  [
    "bytes that are not UTF-8",
    [{ "a.md": Buffer.from("# A\n\n- Caf\xe9\n", "latin1") as unknown as string }],
    "a.md, line 3: these bytes are not UTF-8",
  ],
  ["a date that does not exist", [{ "a.md": "# A\n\n- Never [since: 2026-02-30]\n" }], "is not a date"],
  [
    "a tombstone by hand",
    [{ "forgotten.md": "- (forgotten) [id: abcd1234; removed: 2026-01-01; match: k1.00]\n" }],
    "Only forgetting",
  ],
  ["MEMORY.md gone", [{ "MEMORY.md": null }], "MEMORY.md"],
  ["a twin by case", [{ "memory.md": "# Memory\n" }], "cannot stand beside"],
])("refused whole: %s", async (_, steps, says) => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    landed(write(ctx, change({ files: { "MEMORY.md": "# Memory\n\n- Stands [id: stands01]\n" } })));
    const made = pushOf(ctx, headOf(ctx), ...steps);
    const before = dump(ctx.sql);
    const verdict = push(ctx, made);
    expect(verdict.ok).toBe(false);
    expect(verdict.lines?.join(" ")).toContain(says);
    expect(dump(ctx.sql)).toEqual(before);
  });
});

test("nobody pushes under the app's name, and an agent touches neither MEMORY.md nor what is not its own", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    landed(
      write(
        ctx,
        change({ files: { "MEMORY.md": "# Memory\n\n- Stands [id: stands01]\n", "a.md": "# A\n\n- Mine [id: mine0001]\n" } }),
      ),
    );
    const forged = { ...MINE, name: "Reverie" };
    const oid = commitChanges(ctx.store, {
      parent: headOf(ctx),
      changes: new Map([["b.md", Buffer.from("# B\n")]]),
      author: MINE,
      committer: forged,
      message: "chat(thread/x): fake",
    }).commit;
    const made: Push = { ...pushOf(ctx, headOf(ctx)), after: oid, commits: [{ oid, commit: readCommit(ctx.store, oid) }] };
    expect(push(ctx, made).ok).toBe(false);
    expect(push(ctx, pushOf(ctx, headOf(ctx), { "MEMORY.md": "# Memory\n" }), "agent:helper").ok).toBe(false);
    expect(push(ctx, pushOf(ctx, headOf(ctx), { "a.md": "# A\n" }), "agent:helper").ok).toBe(false);
    expect(
      push(ctx, pushOf(ctx, headOf(ctx), { "c.md": "# C\n\n- From an agent [source: agent/helper]\n" }), "agent:helper").ok,
    ).toBe(true);
  });
});

test("what an agent's push would end by a slot is refused like what it ends by hand", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    landed(write(ctx, change({ edits: [{ op: "add", text: "Lives in Braga", slot: "home" }] })));
    const home = "# Own\n\n- Lives in Faro [slot: home; source: agent/helper]\n";
    const made = pushOf(ctx, headOf(ctx), { "own.md": home });
    const head = headOf(ctx);
    expect(push(ctx, made, "agent:helper")).toMatchObject({ ok: false, reason: "refused: forbidden" });
    expect(headOf(ctx)).toBe(head);
    expect(push(ctx, made).ok).toBe(true);
  });
});

test.each([
  ["once", "SQLITE_IOERR: disk I/O error", false],
  ["from there on", "database or disk is full: SQLITE_FULL", true],
])("a fault %s at any statement of a push leaves the memory as it was", async (_, message, persistent) => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    landed(
      write(ctx, change({ files: { "MEMORY.md": "# Memory\n\n- Lives in Lyon [id: home0001; slot: home; since: 2020]\n" } })),
    );
    ctx.keyring();
    const head = headOf(ctx)!;
    const side = pushOf(
      ctx,
      head,
      { "a.md": "# A\n\n- One\n" },
      {
        "a.md": "# A\n\n- One\n- Two\n",
        "MEMORY.md":
          "# Memory\n\n- Lives in Lyon [id: home0001; slot: home; since: 2020]\n- Lives in Porto [id: push0001; slot: home; since: 2026-03]\n",
      },
    );
    for (const { oid } of side.commits) ctx.store.commitInfo(oid);
    const before = dump(ctx.sql);
    let faults = 0;
    for (let k = 1; ; k++) {
      const fault = faulty(ctx, k, message, persistent);
      let ok: boolean;
      try {
        ok = push(fault.ctx, side).ok;
      } catch {
        ok = false;
      }
      if (fault.calls() < k) {
        expect(ok).toBe(true);
        break;
      }
      faults++;
      expect(ok, `statement ${k}`).toBe(false);
      expect(dump(ctx.sql), `statement ${k}`).toEqual(before);
    }
    console.log(`faults in a push: ${faults}`);
    expect(faults).toBeGreaterThan(20);
    expect(check(ctx).problems).toEqual([]);
    expect(entries(ctx, { slot: "home" }).items.map((one) => one.text)).toEqual(["Lives in Porto"]);
  });
});

test("an entry that was edited beside main keeps its id when a merge brings it back; a new one may not take it", async () => {
  await inside(freshMemory(), ({ memory: ctx }) => {
    const base = landed(
      write(
        ctx,
        change({ files: { "MEMORY.md": "# Memory\n", "a.md": "# A\n\n- Plays chess [id: chess001]\n- Swims [id: swims001]\n" } }),
      ),
    ).commit!;
    landed(write(ctx, change({ files: { "a.md": "# A\n\n- Swims [id: swims001]\n" }, base })));
    const merge = (made: Push, text: string): Push => {
      const oid = commitChanges(ctx.store, {
        parent: made.after,
        parents: [made.after, headOf(ctx)!],
        changes: new Map([["a.md", Buffer.from(text)]]),
        author: MINE,
        committer: MINE,
        message: "Merge",
      }).commit;
      return { ...made, after: oid, commits: [...made.commits, { oid, commit: readCommit(ctx.store, oid) }] };
    };
    const stolen = "# A\n\n- Swims [id: swims001]\n- Owns a boat [id: chess001]\n";
    const without = pushOf(ctx, base, { "a.md": "# A\n\n- Swims [id: swims001]\n" }, { "a.md": stolen });
    expect(push(ctx, merge(without, `${stolen}- More\n`)).lines?.join(" ")).toContain("not used again");
    const edited = "# A\n\n- Plays chess on Fridays [id: chess001]\n- Swims [id: swims001]\n";
    expect(push(ctx, merge(pushOf(ctx, base, { "a.md": edited }), `${edited}- More\n`))).toMatchObject({ ok: true });
    expect(entries(ctx, { path: "a.md" }).items.map((one) => one.text)).toEqual(["Plays chess on Fridays", "Swims", "More"]);
    expect(check(ctx).problems).toEqual([]);
  });
});

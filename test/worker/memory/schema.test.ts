// D2: every numbered schema that was ever released opens, comes up to date whole or not at all, and holds what it held. A released step does not change.
import { expect, test } from "vitest";
import { DREAM_ROOMS } from "../../../src/server/dreaming.ts";
import type { Sql, SqlValue } from "../../../src/server/git/sql.ts";
import { check } from "../../../src/server/memory/check.ts";
import type { MemoryContext } from "../../../src/server/memory/context.ts";
import { INSTALLATION_ROOMS } from "../../../src/server/memory/installation.ts";
import { ensureProjected, rebuildSlice } from "../../../src/server/memory/rebuild.ts";
import { ROOMS as MEMORY_ROOMS } from "../../../src/server/memory/rooms.ts";
import { migrate, PROJECTION_TABLES, type Migration, type Rooms } from "../../../src/server/memory/schema.ts";
import { write } from "../../../src/server/memory/writer.ts";
import { change, dump, faulty, freshMemory, inside, landed } from "./support.ts";
import RELEASED from "./schema/steps.json" with { type: "json" };

/** The statements of every step as they were when it was released: its tables as they were made. */
const released: Record<string, string[][]> = RELEASED;
const ROOMS: Rooms = { ...MEMORY_ROOMS, ...DREAM_ROOMS, ...INSTALLATION_ROOMS };
const latest = Object.fromEntries(Object.entries(released).map(([room, steps]) => [room, steps.length]));

const PROJECTED: readonly string[] = PROJECTION_TABLES;

type Versions = Record<string, number>;
type Row = Record<string, SqlValue>;

const plain = (statement: string): string => statement.replace(/\s+/g, " ").replace(/\( /g, "(").trim();
const isOurs = (name: string): boolean => !/^(?:sqlite_|_cf_|cf_)/.test(name);

/** The statements that a step runs on a database where the steps before it have run. */
function statementsOf(step: Migration, commitsStand: boolean): string[] {
  const run: string[] = [];
  const exec = (query: string, ...bindings: unknown[]) => {
    if (!/^\s*SELECT/i.test(query)) run.push(plain(query));
    return { toArray: () => (commitsStand && bindings[0] === "commits" ? [{}] : []) };
  };
  step({ exec } as unknown as Sql);
  return run;
}

/** What the database is made of, in words. */
function shape(sql: Sql): string[] {
  return sql
    .exec<{ type: string; name: string; sql: string | null }>("SELECT type, name, sql FROM sqlite_master ORDER BY type, name")
    .toArray()
    .filter(({ name }) => isOurs(name))
    .map(({ type, name, sql: text }) => `${type} ${name}: ${plain(text ?? "")}`);
}

function versionsOf(sql: Sql): Versions {
  return Object.fromEntries(
    sql
      .exec<{ room: string; version: number }>("SELECT room, version FROM schema_versions ORDER BY room")
      .toArray()
      .map(({ room, version }) => [room, version]),
  );
}

/** Makes the database what it was at these versions: the tables as they were made then, with the rows that they can hold. */
function age({ sql, transact }: MemoryContext, versions: Versions): void {
  transact(() => {
    const objects = sql
      .exec<{ type: string; name: string; sql: string | null }>("SELECT type, name, sql FROM sqlite_master")
      .toArray()
      .filter(({ name }) => isOurs(name));
    // Full text cannot be copied out of its table: a projection that has the newest shape stays where it is.
    const stays = (name: string) => versions.projection === latest.projection && PROJECTED.includes(name);
    const virtual = objects.filter(({ sql: text }) => text?.startsWith("CREATE VIRTUAL")).map(({ name }) => name);
    const shadow = (name: string) => virtual.some((table) => name.startsWith(`${table}_`));
    const tables = objects.filter(({ type, name }) => type === "table" && !shadow(name) && !stays(name)).map(({ name }) => name);
    const rows = new Map(
      tables
        .filter((name) => !virtual.includes(name))
        .map((name) => [name, sql.exec<Row>(`SELECT * FROM ${name}`).toArray()] as const),
    );
    for (const { type, name } of objects) if (type === "trigger") sql.exec(`DROP TRIGGER ${name}`);
    for (const name of tables) sql.exec(`DROP TABLE ${name}`);
    sql.exec("CREATE TABLE schema_versions (room TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID");
    // A trigger of one room speaks of tables of another, so they come last.
    const made = Object.entries(versions).flatMap(([room, version]) =>
      room === "projection" && stays("commits") ? [] : released[room]!.slice(0, version).flat(),
    );
    for (const trigger of [false, true])
      for (const statement of made) if (statement.startsWith("CREATE TRIGGER") === trigger) sql.exec(statement);
    for (const [name, list] of rows) {
      const columns = sql.exec<{ name: string }>("SELECT name FROM pragma_table_info(?)", name).toArray();
      if (name === "schema_versions" || columns.length === 0) continue;
      for (const row of list) {
        const shared = columns.map((column) => column.name).filter((column) => column in row);
        sql.exec(
          `INSERT INTO ${name} (${shared.join()}) VALUES (${shared.map(() => "?").join()})`,
          ...shared.map((column) => row[column]!),
        );
      }
    }
    for (const [room, version] of Object.entries(versions))
      if (version > 0) sql.exec("INSERT INTO schema_versions (room, version) VALUES (?, ?)", room, version);
  });
}

/**
 * Every schema to open: each room at each of its versions beside the newest of the others, and all at their first. A room comes behind those that
 * were there before it, so where one is not there yet, the later ones are not either.
 */
const STATES: [string, Versions][] = [
  ...Object.entries(released).flatMap(([room, steps], place) => [
    [`before ${room}`, Object.fromEntries(Object.entries(latest).map(([other, last], at) => [other, at < place ? last : 0]))] as [
      string,
      Versions,
    ],
    ...steps.map((_, at): [string, Versions] => [`${room} at ${at + 1}`, { ...latest, [room]: at + 1 }]),
  ]),
  ["every room at its first", Object.fromEntries(Object.keys(released).map((room) => [room, 1]))],
];

function fill(ctx: MemoryContext): void {
  landed(write(ctx, change({ edits: [{ op: "add", text: "Lives in Lyon", slot: "home" }] })));
  landed(write(ctx, change({ edits: [{ op: "add", text: "Knows [[people/ana]]", path: "people/ana.md" }] })));
  landed(write(ctx, change({ edits: [{ op: "add", text: "Lives in Porto", slot: "home", since: "2026-03" }] })));
}

test("a step that was released has not changed, and each has its fixture", () => {
  const missing: Record<string, string[][]> = {};
  for (const [room, steps] of Object.entries(ROOMS)) {
    steps.forEach((step, at) => {
      const was = released[room]?.[at];
      const is = statementsOf(step, room === "projection" && at > 0);
      if (was === undefined) (missing[room] ??= []).push(is);
      // Every step of the projection makes it in today's shape, and the last one fills it anew: that one is what a change of shape must follow.
      else if (room !== "projection" || at === steps.length - 1)
        expect(is, `step ${at + 1} of “${room}” was released and has changed; add the next step instead`).toEqual(was.map(plain));
    });
  }
  expect(missing, "steps without a fixture: put these into schema/steps.json").toEqual({});
  expect(Object.keys(released).filter((room) => (ROOMS[room]?.length ?? 0) < released[room]!.length)).toEqual([]);
});

test("every released schema opens, comes up to date once, and holds what it held", async () => {
  let steps = 0;
  for (const [name, versions] of STATES) {
    await inside(freshMemory(), ({ memory: ctx }) => {
      migrate(ctx.sql, ctx.transact, ROOMS);
      const fresh = shape(ctx.sql);
      fill(ctx);
      const held = dump(ctx.sql, ["facts", "schema_versions"]);
      age(ctx, versions);
      const wasGit = versions.git! > 0;
      let run = 0;
      const counted: Rooms = Object.fromEntries(
        Object.entries(ROOMS).map(([room, list]) => [
          room,
          list.map((step) => (sql: Sql) => {
            run += 1;
            step(sql);
          }),
        ]),
      );
      migrate(ctx.sql, ctx.transact, counted);
      const behind = Object.entries(latest).reduce((sum, [room, last]) => sum + last - versions[room]!, 0);
      expect(run, name).toBe(behind);
      steps += run;
      expect(shape(ctx.sql), name).toEqual(fresh);
      expect(versionsOf(ctx.sql), name).toEqual(Object.fromEntries(Object.entries(latest).sort()));
      migrate(ctx.sql, ctx.transact, counted);
      expect(run, `${name}: the second open`).toBe(behind);
      if (ensureProjected(ctx) === "rebuilding") while (!rebuildSlice(ctx));
      const now = dump(ctx.sql, ["facts", "schema_versions"]);
      for (const [table, rows] of held) {
        const room = Object.entries(released).find(([, list]) => list.flat().some((one) => one.includes(`TABLE ${table} `)));
        const isGone = room !== undefined && versions[room[0]] === 0 && !PROJECTED.includes(table);
        if (!isGone && wasGit) expect(now.get(table), `${name}: ${table}`).toEqual(rows);
      }
      expect(check(ctx).problems, name).toEqual([]);
    });
  }
  console.log(`D2: ${STATES.length} schemas opened, ${steps} steps run, 0 on the second open`);
});

test("a migration that fails at any of its statements is whole on the next try", async () => {
  let faults = 0;
  // From nothing on, so that every step of every room is among them.
  const versions = Object.fromEntries(Object.keys(released).map((room) => [room, 0]));
  await inside(freshMemory(), ({ memory: ctx }) => {
    migrate(ctx.sql, ctx.transact, ROOMS);
    const fresh = shape(ctx.sql);
    fill(ctx);
    for (let k = 1; ; k++) {
      age(ctx, versions);
      const before = versionsOf(ctx.sql);
      const fault = faulty(ctx, k, "SQLITE_IOERR: disk I/O error", false);
      const run = () => migrate(fault.ctx.sql, ctx.transact, ROOMS);
      if (k > 400) throw new Error("It never ends.");
      let failed = false;
      try {
        run();
      } catch {
        failed = true;
      }
      if (!failed) {
        expect(fault.calls()).toBeLessThan(k);
        break;
      }
      faults++;
      // Each room stands at a version whose tables are all there: the versions only name whole steps.
      for (const [room, version] of Object.entries(versionsOf(ctx.sql))) {
        expect(version).toBeGreaterThanOrEqual(before[room] ?? 0);
        expect(version).toBeLessThanOrEqual(latest[room]!);
      }
      migrate(ctx.sql, ctx.transact, ROOMS);
      expect(shape(ctx.sql), `after a fault at statement ${k}`).toEqual(fresh);
      expect(versionsOf(ctx.sql)).toEqual(Object.fromEntries(Object.entries(latest).sort()));
    }
  });
  console.log(`D2: ${faults} faults in migrations, all whole on the next try`);
  expect(faults).toBeGreaterThan(80);
});

// Ties dreams to a MemoryAgent: its rows, its memory, its model, its one alarm. Wiring only.
import { Dreams } from "./dream/dreams.ts";
import { createDreamTables, sqlStore } from "./dream/store.ts";
import type { DreamDeps } from "./dream/types.ts";
import { untypedRanges } from "./chat/spans.ts";
import type { MemoryContext } from "./memory/context.ts";
import { memoryForDreams } from "./memory/for-dreams.ts";
import { inboxSource } from "./memory/inbox-source.ts";
import { migrate, type Rooms } from "./memory/schema.ts";
import { readSettings } from "./memory/settings.ts";
import type { Model } from "./model/types.ts";
import type { MemoryEvent } from "../shared/protocol.ts";

/** What an object brings to its dreams. */
export interface Dreaming {
  ctx: MemoryContext;
  model: Model;
  price: DreamDeps["price"];
  tell: (event: MemoryEvent) => void;
  wakeAt: (at: number) => void;
}

/** The numbered steps of the dreams' tables. */
export const DREAM_ROOMS: Rooms = { dreams: [(sql) => createDreamTables(sql)] };

/** The dreams of a memory, with their tables brought up to date. */
export function openDreams({ ctx, model, price, tell, wakeAt }: Dreaming): Dreams {
  migrate(ctx.sql, ctx.transact, DREAM_ROOMS);
  return new Dreams({
    store: sqlStore(ctx.sql),
    memory: memoryForDreams(ctx),
    inbox: inboxSource(ctx, untypedRanges),
    model,
    atomic: ctx.transact,
    now: ctx.now,
    randomId: ctx.randomId,
    settings: () => {
      const { dream, memory } = readSettings(ctx.sql);
      return { ...dream, memory, zone: ctx.zone() };
    },
    broadcast: tell,
    price,
    spent: (ref) => spentOn(ctx, ref),
    wakeAt,
  });
}

/** What the ledger holds for a reference; null dollars where a call has no known price. */
function spentOn({ sql }: Pick<MemoryContext, "sql">, ref: string): ReturnType<DreamDeps["spent"]> {
  const row = sql
    .exec<{ calls: number; tin: number; tout: number; nano: number; unknown: number }>(
      `SELECT COUNT(*) AS calls, ifnull(SUM(tokens_in), 0) AS tin, ifnull(SUM(tokens_out), 0) AS tout,
         ifnull(SUM(CASE WHEN outcome = 'reserved' THEN reserved_nano ELSE nano END), 0) AS nano, ifnull(SUM(price = 'unknown'), 0) AS unknown FROM ledger WHERE ref = ?`,
      ref,
    )
    .one();
  return { calls: row.calls, tokensIn: row.tin, tokensOut: row.tout, usd: row.unknown > 0 ? null : row.nano / 1e9 };
}

/** The part of an Agent that schedules. Times are milliseconds on the way in, seconds in a row. */
export interface Scheduling {
  listSchedules(): Promise<{ id: string; callback: string; time: number }[]>;
  cancelSchedule(id: string): Promise<boolean>;
  schedule(when: Date, callback: never, payload: object, options: { idempotent: boolean }): Promise<{ id: string }>;
}

/**
 * One alarm row for all calls back under one name, whatever happens: asked for again it is moved, never doubled, also when an object that died left one
 * behind. Requests come in order; while one is carried out, only the last of those that follow counts.
 */
export function oneAlarm(agent: Scheduling, now: () => number, callback = "dreamAlarm"): (at: number) => Promise<void> {
  let wanted: number | null = null;
  let working: Promise<void> | null = null;
  const work = async (): Promise<void> => {
    while (wanted !== null) {
      const at = wanted;
      wanted = null;
      // Rows hold seconds; rounded up, for a look that comes early finds nothing due, and never now: the row that rings at this moment goes.
      const time = Math.max(Math.ceil(at / 1000), Math.floor(now() / 1000) + 1);
      const rows = (await agent.listSchedules()).filter((row) => row.callback === callback);
      const kept = rows.find((row) => row.time === time);
      // The SDK's own way to be idempotent looks at the name alone and would keep a row of another time, or the one that is ringing.
      if (!kept) await agent.schedule(new Date(time * 1000), callback as never, {}, { idempotent: false });
      for (const row of rows) if (row !== kept) await agent.cancelSchedule(row.id);
    }
  };
  return (at) => {
    wanted = at;
    working ??= work().finally(() => (working = null));
    return working;
  };
}

// Ties forgetting to a MemoryAgent: its memory, and what its dreams keep. Wiring only.
import type { Dreams } from "./dream/dreams.ts";
import type { MemoryContext } from "./memory/context.ts";
import { forgetFacts, type Forgetting, type ForgetRequest } from "./memory/forget.ts";
import type { ForgetApi } from "./memory/forget-api.ts";
import type { Judge } from "./memory/forget-judge.ts";
import { redactJson } from "./memory/forget-json.ts";
import type { Place } from "./memory/forget-places.ts";
import { lift, listForgotten, undoForget } from "./memory/lift.ts";
import { placesWith, readReceipt } from "./memory/receipts.ts";

/** What an object brings to its forgetting. */
export interface ForgettingDeps {
  ctx: MemoryContext;
  dreams: () => Pick<Dreams, "redact">;
}

/** Dreams' reports, logs and proposals as one place. A planned change that states what was forgotten is dropped, never landed without its words. */
function dreamPlace(dreams: ForgettingDeps["dreams"]): Place {
  const pass = (judge: Judge, change: boolean): number => {
    let count = 0;
    const clean = <T>(value: T): T | null => {
      const next = redactJson(value, judge);
      if (next === null) return null;
      count++;
      if (!change) return null;
      const planned = (value as { planned?: unknown[] } | null)?.planned;
      return Array.isArray(planned) ? { ...next, planned: planned.filter((one) => redactJson(one, judge) === null) } : next;
    };
    dreams().redact(clean);
    return count;
  };
  return {
    name: "Dream logs and reports",
    count: (_, { judge }) => pass(judge, false),
    redact: (_, { judge }) => pass(judge, true),
  };
}

/** Forgetting over one memory. */
export function openForgetting({ ctx, dreams }: ForgettingDeps): Forgetting {
  return { ctx, places: [dreamPlace(dreams)] };
}

/** What the routes ask. */
export function forgettingRoom(forgetting: Forgetting): ForgetApi {
  const { ctx, places } = forgetting;
  return {
    forget: (ask: ForgetRequest) => forgetFacts(forgetting, ask),
    forgotten: (query) => listForgotten(ctx, query),
    lift: (id, restore, { at, zone }) => lift(ctx, { stones: [id], restore, source: null, actor: "user", at, zone }),
    receipt: (id) => readReceipt(ctx, placesWith(places), id),
    undo: (receipt, { at, zone }) => undoForget(ctx, receipt, { source: null, actor: "user", at, zone }),
  };
}

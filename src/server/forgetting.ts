// Ties forgetting to a MemoryAgent: its memory, and what its dreams keep. Wiring only.
import type { Dreams } from "./dream/dreams.ts";
import { headOf, type MemoryContext } from "./memory/context.ts";
import { eraseStones } from "./memory/erase-start.ts";
import { forgetFacts, type Forgetting, type ForgetRequest } from "./memory/forget.ts";
import type { ForgetApi } from "./memory/forget-api.ts";
import type { Judge } from "./memory/forget-judge.ts";
import { redactJson } from "./memory/forget-json.ts";
import type { Place } from "./memory/forget-places.ts";
import { lift, listForgotten, undoForget } from "./memory/lift.ts";
import { keptReceipt, placesWith, readReceipt } from "./memory/receipts.ts";
import { countSecrets, eraseSecrets, scanSecrets } from "./memory/secret-scan.ts";

/** What an object brings to its forgetting. */
export interface ForgettingDeps {
  ctx: MemoryContext;
  dreams: () => Pick<Dreams, "redact">;
  /** Carries on with an erase that was begun; resolves once it has ended, or when it takes longer than a request should wait. */
  runErase: () => Promise<void>;
  deleteEverything: ForgetApi["deleteEverything"];
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
export function openForgetting({ ctx, dreams }: Pick<ForgettingDeps, "ctx" | "dreams">): Forgetting {
  return { ctx, places: [dreamPlace(dreams)] };
}

/** What the routes ask. */
export function forgettingRoom(
  forgetting: Forgetting,
  { runErase, deleteEverything }: Pick<ForgettingDeps, "runErase" | "deleteEverything">,
): ForgetApi {
  const { ctx, places } = forgetting;
  return {
    async forget(ask: ForgetRequest) {
      const forgot = forgetFacts(forgetting, ask);
      if (forgot.ok && ask.erase && forgot.receipt !== null) await runErase();
      return forgot.ok
        ? { ...forgot, head: headOf(ctx), ...(forgot.commit !== null && ask.erase ? { commit: headOf(ctx) } : {}) }
        : forgot;
    },
    async erase(id, { at }) {
      const begun = eraseStones(ctx, places, [id], at);
      if (!begun.ok) return begun;
      await runErase();
      return { ...begun, done: keptReceipt(ctx.sql, begun.receipt)?.receipt.done ?? true };
    },
    forgotten: (query) => listForgotten(ctx, query),
    lift: (id, restore, { at, zone }) => lift(ctx, { stones: [id], restore, source: null, actor: "user", at, zone }),
    receipt: (id) => readReceipt(ctx, placesWith(places), id, countSecrets),
    secrets: (cursor) => scanSecrets(ctx, cursor),
    async eraseSecrets({ at }) {
      const receipt = eraseSecrets(ctx, at);
      if (receipt !== null) await runErase();
      return { receipt, done: receipt === null || (keptReceipt(ctx.sql, receipt)?.receipt.done ?? true) };
    },
    giveUpKeys: () => {
      const lost = ctx.giveUpKeys();
      return { lost };
    },
    deleteEverything,
    undo: (receipt, { at, zone }) => undoForget(ctx, receipt, { source: null, actor: "user", at, zone }),
  };
}

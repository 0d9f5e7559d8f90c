// An answer that is stored does not say again what was forgotten: not what any tombstone covers, and nothing of what its own turn asked to forget.
import type { TurnEnd } from "../../shared/protocol.ts";
import { refusalOf } from "../../shared/errors.ts";
import type { MemoryContext } from "./context.ts";
import { clausesOf } from "./forget-cut.ts";
import { judgeOf, type Judge } from "./forget-judge.ts";
import { cleanEnd } from "./forget-talk.ts";
import { askedBy } from "./receipts.ts";
import { stonesOf } from "./stones.ts";
import { messageNumber } from "./transcripts.ts";

/** A judge over all tombstones, by the index that the gate keeps: one look-up a sentence, whatever their number. */
export function judgeOfAll(ctx: Pick<MemoryContext, "sql" | "keyring" | "cache">): Judge | null {
  const stones = stonesOf(ctx);
  if (stones.size === 0) return null;
  const states = (text: string, subject: string | null = null) => stones.covering({ text, subject }).length > 0;
  return {
    stones: [],
    ids: { has: (id: string) => stones.replaced(id) } as ReadonlySet<string>,
    paths: [],
    states,
    says: (sentence) => clausesOf(sentence).some((clause) => states(clause)),
    share: () => 0,
    mayState: () => true,
    isForgotten: ({ text }, subject) => states(text, subject),
  };
}

/** The answer without what was forgotten. While the tombstones cannot be read it is stored as it is: nothing of it enters the memory. */
export function cleanReply(ctx: MemoryContext, end: TurnEnd): TurnEnd {
  try {
    const matches = askedBy(ctx.sql, { thread: end.thread, n: messageNumber(end.reply) - 1 });
    return cleanEnd(end, judgeOfAll(ctx), matches.length > 0 ? judgeOf(ctx.keyring(), matches) : null);
  } catch (error) {
    if (refusalOf(error)?.code === "unavailable") return end;
    throw error;
  }
}

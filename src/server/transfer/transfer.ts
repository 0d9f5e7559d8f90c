// Import and export of one memory, as its MemoryAgent hands them on.
import type { ImportBody, ImportView, Outcome } from "../../shared/protocol.ts";
import type { Answer } from "../memory/api.ts";
import { answerOf, keepAnswer, requestHash } from "../memory/idempotency.ts";
import { AppError, refusalOf } from "../../shared/errors.ts";
import { importItems, type ImportDeps } from "./import-items.ts";

export type TransferDeps = ImportDeps;

/** What can be asked for. A list is previewed or landed; the same key with the same list gives the same answer. */
export interface Transfer {
  importItems(body: ImportBody, key?: string): Promise<Answer<ImportView>>;
}

/** The one method of a MemoryAgent through which all of it is asked. */
export interface TransferDoor {
  transferring(method: string, args: unknown[]): Promise<Answer<unknown>>;
}

/** Calls a method by its name. Refusals come back as data. */
export async function transferAnswer(transfer: Transfer, method: string, args: unknown[]): Promise<Answer<unknown>> {
  try {
    if (!Object.hasOwn(transfer, method)) throw new AppError("not-found", "There is no such thing to ask for.");
    return await (transfer[method as keyof Transfer] as (...given: unknown[]) => Promise<Answer<unknown>>)(...args);
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return { ok: false, ...refusal };
  }
}

/** Asks through the door of a MemoryAgent. */
export function transferOf(door: TransferDoor): Transfer {
  const ask = (method: string, ...args: unknown[]) => door.transferring(method, args) as Promise<Answer<never>>;
  return { importItems: (body, key) => ask("importItems", body, key) };
}

/** Import and export over one memory. */
export function openTransfer(deps: TransferDeps): Transfer {
  const { ctx } = deps;
  // What was asked twice at once is done one after the other, so that the second finds what the first has done.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const next = last.then(run, run);
    last = next.catch(() => undefined);
    return next;
  };
  return {
    importItems: (body, key) =>
      inTurn(async () => {
        const request =
          key === undefined || !body.apply ? null : requestHash({ kind: body.kind, items: JSON.stringify(body.items) });
        if (request !== null) {
          const known = answerOf(ctx, key!, request);
          if (known) return known as unknown as Answer<ImportView>;
        }
        const answer = await importItems(deps, body, ctx.now());
        if (request !== null && answer.ok) ctx.transact(() => keepAnswer(ctx, key!, request, answer as unknown as Outcome));
        return answer;
      }),
  };
}

// What a MemoryAgent answers about forgetting, for the Worker's routes: one method through which all of it goes, because refusals must travel as data.
import { AppError, refusalOf } from "../../shared/errors.ts";
import type { Outcome, Page } from "../../shared/protocol.ts";
import type { Answer } from "./api.ts";
import type { EraseBegun } from "./erase-start.ts";
import type { Forgot, ForgetRequest } from "./forget.ts";
import type { ForgottenView } from "./lift.ts";
import type { Receipt } from "./receipts.ts";
import type { FoundSecret } from "./secret-scan.ts";

/** Who asks, and when. */
export interface Asker {
  at: number;
  zone: string;
}

export interface ForgetApi {
  forget(ask: ForgetRequest): Promise<Forgot>;
  forgotten(query: { limit: number; cursor?: string }): Page<ForgottenView>;
  /** Lets a fact in again; with `restore` its line stands again. */
  lift(id: string, restore: boolean, asker: Asker): Outcome;
  /** Erases a forgotten fact. Answers once it has ended, or while it goes on where it takes longer. */
  erase(id: string, asker: Asker): Promise<EraseBegun>;
  receipt(id: string): Receipt;
  /** Secrets that stand in the memory, by their places. */
  secrets(cursor: string | undefined): { items: FoundSecret[]; next: string | null };
  /** Erases all of them. `receipt` null: there are none. */
  eraseSecrets(asker: Asker): Promise<{ receipt: string | null; done: boolean }>;
  /** Declares keys lost that no secret opens any more: what was forgotten under them is not compared any longer, and the gate opens. */
  giveUpKeys(): { lost: string[] };
  /** Deletes all that the user has. Gives back the conversations whose own objects are still to be cleared. */
  deleteEverything(confirm: string): Promise<{ receipt: Receipt; threads: string[] }>;
  /** Takes a forget back: tombstones lifted, lines where they stood. */
  undo(receipt: string, asker: Asker): Outcome;
}

/** The same, asked from another object. Refusals arrive as AppError. */
export type Forgetter = {
  [K in keyof ForgetApi]: (...args: Parameters<ForgetApi[K]>) => Promise<Awaited<ReturnType<ForgetApi[K]>>>;
};

/** The door on the MemoryAgent. */
export interface ForgetDoor {
  forgetting(method: keyof ForgetApi, args: unknown[]): Promise<Answer<unknown>>;
}

/** A client over the door of a MemoryAgent. */
export function forgetterOf(door: ForgetDoor): Forgetter {
  return new Proxy({} as Forgetter, {
    get: (_, method) => {
      if (typeof method !== "string" || method === "then") return undefined;
      return async (...args: unknown[]) => {
        const answer = await door.forgetting(method as keyof ForgetApi, args);
        if (!answer.ok) throw new AppError(answer.code, answer.message, answer.details);
        return answer.value;
      };
    },
  });
}

/** Runs one method of the room; refusals come back as data. */
export async function answerForgetting(room: ForgetApi, method: string, args: unknown[]): Promise<Answer<unknown>> {
  if (!Object.hasOwn(room, method)) return { ok: false, code: "not-found", message: "There is no such thing to ask for." };
  try {
    return { ok: true, value: await (room[method as keyof ForgetApi] as (...args: unknown[]) => unknown)(...args) };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) return { ok: false, ...refusal };
    throw error;
  }
}

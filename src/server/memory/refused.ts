// A refusal on its way out of a transaction: thrown, so that whatever was written before it goes away with it.
import type { Refusal } from "../../shared/errors.ts";

export class Refused extends Error {
  override readonly name = "Refused";
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

/** Leaves the write with a refusal. */
export function refuseWrite(code: Refusal["code"], message: string, details?: Record<string, unknown>): never {
  throw new Refused(details ? { code, message, details } : { code, message });
}

/** Passes a judgement on: null = nothing to object to. */
export function passOrRefuse(judgement: Refusal | null): void {
  if (judgement) throw new Refused(judgement);
}

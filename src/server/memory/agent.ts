// The user's memory: one object a user, the only writer of its repository. Wiring only; each room's functions do the work.
import { Agent } from "agents";
import type { MemoryState } from "../../shared/protocol.ts";
import { AppError } from "../../shared/errors.ts";
import type { Env } from "../env.ts";

const EMPTY: MemoryState = {
  head: null,
  entries: 0,
  files: 0,
  dream: null,
  proposals: 0,
  inbox: 0,
  spentUsd: 0,
  capUsd: 0,
  rebuilding: false,
};

export class MemoryAgent extends Agent<Env, MemoryState> {
  override initialState = EMPTY;

  /** Open tabs read the state; only this object writes it. */
  override validateStateChange(_next: MemoryState, source: unknown): void {
    if (source !== "server") throw new AppError("forbidden", "The state of a memory is not a client's to set.");
  }
}

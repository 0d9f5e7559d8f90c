// A user's share of the installation's cap: reserved from it in blocks, so that not every call has to ask. The blocks of a month end with it.
import { AppError, type Refusal } from "../../shared/errors.ts";
import { CAP_BLOCK_SHARE, CAP_BLOCK_USD } from "../../shared/limits.ts";
import type { Reservation } from "../model/types.ts";
import type { Sql } from "../git/sql.ts";
import { operatorUsd, resetsAt } from "./ledger.ts";

export function createBlocks(sql: Sql): void {
  sql.exec("CREATE TABLE cap_blocks (month TEXT PRIMARY KEY, usd REAL NOT NULL) WITHOUT ROWID");
}

export interface BlocksDeps {
  sql: Sql;
  now(): number;
  /** US dollars a month that the whole installation may spend; null = no such cap. */
  cap: number | null;
  /** Asks the installation for so many more US dollars; gives back how many there were. */
  grant(month: string, usd: number, capUsd: number): Promise<number>;
}

/** Doubles lose a little with each sum; a call is not refused for a billionth of a dollar. */
const EPSILON_USD = 1e-9;

export class Blocks {
  readonly #deps: BlocksDeps;
  constructor(deps: BlocksDeps) {
    this.#deps = deps;
  }

  #granted(month: string): number {
    return this.#deps.sql.exec<{ usd: number }>("SELECT usd FROM cap_blocks WHERE month = ?", month).toArray()[0]?.usd ?? 0;
  }

  /**
   * Makes sure that a call fits into this user's blocks, asking for another one where it does not; null = it fits. Whoever reserves does so at once
   * after this: between its last look and the reservation nothing else runs.
   */
  async setAside(call: Reservation): Promise<({ ok: false } & Refusal) | null> {
    const { sql, cap, grant } = this.#deps;
    if (cap === null || call.own || !call.usd) return null;
    const month = new Date(call.at).toISOString().slice(0, 7);
    for (;;) {
      const short = operatorUsd(sql, call.at) + call.usd - this.#granted(month);
      if (short <= EPSILON_USD) return null;
      const got = await grant(month, Math.max(short, Math.min(CAP_BLOCK_USD, cap * CAP_BLOCK_SHARE)), cap);
      if (got > 0)
        sql.exec(
          "INSERT INTO cap_blocks (month, usd) VALUES (?, ?) ON CONFLICT (month) DO UPDATE SET usd = usd + excluded.usd",
          month,
          got,
        );
      if (got < short - EPSILON_USD) return { ok: false, ...this.#reached(call.at, cap) };
    }
  }

  #reached(at: number, cap: number): Refusal {
    const resets = resetsAt(at);
    return new AppError(
      "cap-reached",
      `This installation has reached what its operator allows for this month. It starts again on ${resets.slice(0, 10)}. Use a model key of your own in Settings, or the offline model.`,
      { capUsd: cap, leftUsd: 0, resetsAt: resets, installation: true },
    ).toRefusal();
  }
}

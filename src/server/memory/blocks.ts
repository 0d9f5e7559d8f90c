// A user's share of the installation's cap: reserved from it in blocks, so that not every call has to ask; what lies unused goes back. The blocks of a month end with it.
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
  /** Asks the installation for so many more US dollars, of which so many are needed now; answers how many it gives. */
  grant(month: string, usd: number, capUsd: number, neededUsd: number): Promise<number>;
  /** Gives the installation back what is not used. */
  giveBack(month: string, usd: number): Promise<void>;
}

/** Doubles lose a little with each sum; a call is not refused for a billionth of a dollar. */
const EPSILON_USD = 1e-9;
/** The installation counts whole nanodollars. */
const NANO = 1e9;

const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

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
    const month = monthOf(call.at);
    for (;;) {
      const short = operatorUsd(sql, call.at) + call.usd - this.#granted(month);
      if (short <= EPSILON_USD) return null;
      const got = await grant(month, Math.max(short, this.#blockUsd(cap)), cap, short);
      if (got > 0)
        sql.exec(
          "INSERT INTO cap_blocks (month, usd) VALUES (?, ?) ON CONFLICT (month) DO UPDATE SET usd = usd + excluded.usd",
          month,
          got,
        );
      if (got < short - EPSILON_USD) return { ok: false, ...this.#reached(call.at, cap) };
    }
  }

  /**
   * Gives back what a call of that month set aside and did not cost, but for one block: a call may set aside twenty times what it costs, and under a
   * small cap that is what others wait for. It is struck off here first: money that got lost on the way is nobody's, never two people's.
   */
  async giveBack(at: number): Promise<void> {
    const { sql, cap, giveBack } = this.#deps;
    if (cap === null) return;
    const month = monthOf(at);
    const nano = Math.floor((this.#granted(month) - operatorUsd(sql, at) - this.#blockUsd(cap)) * NANO);
    if (nano <= 0) return;
    sql.exec("UPDATE cap_blocks SET usd = usd - ? WHERE month = ?", nano / NANO, month);
    await giveBack(month, nano / NANO);
  }

  #blockUsd(cap: number): number {
    return Math.min(CAP_BLOCK_USD, cap * CAP_BLOCK_SHARE);
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

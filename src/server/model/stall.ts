// Ends a call that is silent for too long, takes too long, or was stopped by the user. Owns one AbortController and knows why it fired.

export type StallReason = "stopped" | "silent" | "too-long" | "too-large";

/** Timers, as parameters, so that tests need not wait. */
export interface Timers {
  set(fn: () => void, ms: number): unknown;
  clear(timer: unknown): void;
}

export const realTimers: Timers = {
  set: (fn, ms) => setTimeout(fn, ms),
  clear: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

/** Watches one call. `touch` at each sign of life; `end` when it is over. */
export class StallWatch {
  reason: StallReason | null = null;
  readonly #controller = new AbortController();
  #silence: unknown;
  readonly #whole: unknown;
  readonly #stop = () => this.abort("stopped");

  constructor(
    private readonly limits: { silentMs: number; wholeMs: number },
    private readonly outer: AbortSignal | undefined,
    private readonly timers: Timers = realTimers,
  ) {
    this.#whole = timers.set(() => this.abort("too-long"), limits.wholeMs);
    this.#silence = timers.set(() => this.abort("silent"), limits.silentMs);
    if (outer?.aborted) this.abort("stopped");
    else outer?.addEventListener("abort", this.#stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  touch(): void {
    this.timers.clear(this.#silence);
    if (this.reason === null) this.#silence = this.timers.set(() => this.abort("silent"), this.limits.silentMs);
  }

  abort(reason: StallReason): void {
    if (this.reason !== null) return;
    this.reason = reason;
    this.#controller.abort();
  }

  end(): void {
    this.timers.clear(this.#silence);
    this.timers.clear(this.#whole);
    this.outer?.removeEventListener("abort", this.#stop);
  }
}

// How often something may be asked: a bucket that refills. Pure; lives in the memory of one object, which is the only one to count.

/** So many at once, then so many a second. */
export class Bucket {
  #left: number;
  #at: number | null = null;
  constructor(
    readonly burst: number,
    readonly perSecond: number,
  ) {
    this.#left = burst;
  }

  /** Takes one; 0 = it may, else the seconds after which the next one may. `now` in milliseconds. */
  take(now: number): number {
    this.#left = Math.min(this.burst, this.#left + (Math.max(0, now - (this.#at ?? now)) / 1000) * this.perSecond);
    this.#at = now;
    if (this.#left >= 1) {
      this.#left -= 1;
      return 0;
    }
    return Math.max(1, Math.ceil((1 - this.#left) / this.perSecond));
  }
}

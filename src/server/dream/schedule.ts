// When a dream is due: every so many hours, and at the user's 03:00. Pure; the alarm that carries it is the object's.
import { DREAM_NIGHT_HOUR, DREAM_RETRY_MAX_MS, DREAM_RETRY_MS } from "../../shared/limits.ts";
import { nextLocalTime } from "../../shared/zone.ts";
import type { DreamSettings } from "./types.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What the next due time depends on. */
export interface Plan {
  /** When a dream last began, or looked and found nothing new. */
  last: number;
  /** Unattended dreams that failed in a row, and when the last of them did. */
  fails: number;
  failedAt: number;
}

/** How long an unattended dream waits after so many failures in a row: 1 h, 2 h, 4 h … 24 h. */
export function retryWait(fails: number): number {
  return fails === 0 ? 0 : Math.min(DREAM_RETRY_MS * 2 ** (fails - 1), DREAM_RETRY_MAX_MS);
}

/** When the next look is due (ms). Never null: with dreams off it comes once a day, for proposals that expire. */
export function nextDue(plan: Plan, settings: Pick<DreamSettings, "mode" | "everyHours" | "nightly" | "zone">): number {
  if (settings.mode === "off") return plan.last + DAY_MS;
  const every = plan.last + settings.everyHours * HOUR_MS;
  const night = settings.nightly ? nextLocalTime(plan.last, settings.zone, DREAM_NIGHT_HOUR) : Number.POSITIVE_INFINITY;
  return Math.max(Math.min(every, night), plan.fails > 0 ? plan.failedAt + retryWait(plan.fails) : 0);
}

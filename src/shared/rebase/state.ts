// The state of an entry on a day, as far as a rebase has to know it (format.md, section Entry, State).

import { metaValue, type Meta } from "../entry.ts";

/** The states of the format. */
export type State = "removed" | "closed" | "upcoming" | "past" | "open";

/** The first day of a partial date. */
function firstDay(date: string): string {
  return date.length === 4 ? `${date}-01-01` : date.length === 7 ? `${date}-01` : date;
}

/** The state on `today`, a day as YYYY-MM-DD. */
export function stateOf(meta: Meta, today: string): State {
  const until = metaValue(meta, "until");
  const on = metaValue(meta, "on");
  if (metaValue(meta, "removed") !== undefined) return "removed";
  if (metaValue(meta, "why") === "wrong") return "closed";
  if (until ? firstDay(until) <= today : metaValue(meta, "closed") !== undefined) return "closed";
  if ([metaValue(meta, "since"), on].some((date) => date !== undefined && date !== "" && firstDay(date) > today)) return "upcoming";
  const over = (date: string | undefined) => date !== undefined && date !== "" && today.slice(0, date.length) > date;
  return over(on) || over(metaValue(meta, "expires")) ? "past" : "open";
}

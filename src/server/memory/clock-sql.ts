// The states of an entry and "true on a day" as SQL over the columns of a version. The same rules as shared/clock.ts, for lists that are too long to read.
import { AppError } from "../../shared/errors.ts";
import type { State } from "../../shared/protocol.ts";
import { firstDay } from "../../shared/clock.ts";
import { AS_OF_SQL, STATE_SQL } from "./entry-row.ts";
import type { Where } from "./rows.ts";

/** Rows in one of the states on a day. `all` is all but tombstones. */
export function stateWhere(states: readonly (State | "all")[], today: string): Where {
  const wanted = new Set(states);
  if (wanted.has("all")) {
    for (const state of ["open", "upcoming", "past", "closed"] as const) wanted.delete(state);
  }
  const parts = [...wanted].map((state): Where => {
    if (state === "all") return { sql: "removed = 0", bindings: [] };
    const { sql, days } = STATE_SQL[state];
    return { sql, bindings: Array.from({ length: days }, () => today) };
  });
  return { sql: parts.map((part) => `(${part.sql})`).join(" OR "), bindings: parts.flatMap((part) => part.bindings) };
}

/** Rows that were true on a day. Throws `bad-format` for what is no date. */
export function asOfWhere(date: string): Where {
  const day = firstDay(date);
  if (day === null) throw new AppError("bad-format", `${date} is not a date. Write 2026, 2026-03 or 2026-03-14.`, { date });
  return { sql: AS_OF_SQL.sql, bindings: Array.from({ length: AS_OF_SQL.days }, () => day) };
}

import { metaValue, type Meta } from "../../shared/entry.ts";
import { firstDay, lastDay } from "./entry-row.ts";
export function stateOf(meta: Meta, today: string) {
  const v = (k: string) => metaValue(meta, k);
  if (v("removed")) return "removed" as const;
  const until = firstDay(v("until"));
  if (v("why") === "wrong" || (until && until <= today) || (!until && v("closed"))) return "closed" as const;
  if ((firstDay(v("since")) ?? "") > today || (firstDay(v("on")) ?? "") > today) return "upcoming" as const;
  for (const k of ["on", "expires"]) if (v(k) && lastDay(v(k))! < today) return "past" as const;
  return "open" as const;
}
export function chainLine(entry: { text: string; meta: Meta }, _before: unknown): string {
  return entry.text;
}

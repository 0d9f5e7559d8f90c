import type { MemoryContext } from "./context.ts";
import type { Draft, Located } from "./draft.ts";
import type { WriteScope } from "./writer.ts";
export interface Wanted { text: string; slot?: string; scope?: string; since?: string; until?: string; on?: string; expires?: string; depends?: string[] }
export interface Plan {
  same?: string;
  replaced?: string;
  toHistory?: boolean;
  fields: Record<string, string>;
  changes: { id: string; fields: Record<string, string | null>; toHistory?: boolean; fromHistory?: boolean }[];
}
type Given = Wanted & { id: string; day: string };
const dates = (g: Wanted) => ({ ...(g.since ? { since: g.since } : {}), ...(g.until ? { until: g.until } : {}), ...(g.slot ? { slot: g.slot } : {}) });
export function planSave(_c: MemoryContext, _d: Draft, _s: WriteScope, _p: string, given: Given): Plan {
  return { fields: dates(given), changes: [] };
}
export function planRevise(_c: MemoryContext, _d: Draft, s: WriteScope, found: Located, given: Given & { why: string }): Plan {
  const id = found.entry.meta.find(([k]) => k === "id")![1];
  return { fields: { ...dates(given), replaces: id }, replaced: id, changes: [{ id, fields: { closed: s.today, why: given.why, ...(given.why === "changed" ? { until: given.since ?? given.day } : {}) }, toHistory: true }] };
}
export function planClose(_c: MemoryContext, _d: Draft, s: WriteScope, found: Located, how: { day: string; why: string; until?: string }): Plan {
  const id = found.entry.meta.find(([k]) => k === "id")![1];
  return { fields: {}, changes: [{ id, fields: { closed: s.today, why: how.why, ...(how.why === "changed" ? { until: how.until ?? how.day } : {}) }, toHistory: true }] };
}
export function planReopen(_c: MemoryContext, _d: Draft, _s: WriteScope, found: Located): Plan {
  const id = found.entry.meta.find(([k]) => k === "id")![1];
  return { fields: {}, changes: [{ id, fields: { closed: null, why: null, until: null }, fromHistory: true }] };
}

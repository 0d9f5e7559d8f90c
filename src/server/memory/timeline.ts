import type { MemoryContext } from "./context.ts";
import type { Version } from "./rows.ts";
export function chainBefore(_ctx: unknown, _version: unknown, _meta: unknown, _seq: unknown): null {
  return null;
}
export function timelineVersions(_ctx: Pick<MemoryContext, "sql">, version: Version): Version[] {
  return [version];
}

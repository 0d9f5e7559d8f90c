// What stands around an entry when it is read: earlier and later values of its slot, or its lineage, as they stood at the same point.
import { neighboursOf } from "../../shared/chain.ts";
import { metaValue, type Meta } from "../../shared/entry.ts";
import type { MemoryContext } from "./context.ts";
import { ridOf, versionOf, versionsAt, type Version } from "./rows.ts";

type Ctx = Pick<MemoryContext, "sql">;

interface Around {
  version: Version;
  text: string;
  meta: Meta;
}

/** Steps of lineage that a chain looks at. */
const LINEAGE_MAX = 20;

const aroundOf = (version: Version): Around => ({ version, text: version.text, meta: JSON.parse(version.meta) as Meta });

/** The entry and all others of its slot, or of its lineage where it fills none. */
function aroundEntry(ctx: Ctx, version: Version, seq: number | null): Around[] {
  const own = aroundOf(version);
  const found = new Map<number, Around>([[version.rid, own]]);
  if (version.slot !== null) {
    for (const other of slotVersions(ctx, version, seq)) if (!found.has(other.rid)) found.set(other.rid, aroundOf(other));
    return [...found.values()];
  }
  let at: Around | undefined = own;
  for (let step = 0; step < LINEAGE_MAX && at; step++) {
    const id = metaValue(at.meta, "replaces");
    const rid = id === undefined ? null : ridOf(ctx.sql, id);
    const before: Version | null = rid === null || found.has(rid) ? null : versionOf(ctx.sql, rid, seq);
    at = before ? aroundOf(before) : undefined;
    if (at) found.set(at.version.rid, at);
  }
  if (version.id !== null) {
    for (const { rid } of ctx.sql.exec<{ rid: number }>("SELECT rid FROM depends WHERE target = ?", `>${version.id}`).toArray()) {
      const after = found.has(rid) ? null : versionOf(ctx.sql, rid, seq);
      if (after) found.set(rid, aroundOf(after));
    }
  }
  return [...found.values()];
}

/** Versions of the same subject and slot. Past ones know no subject of their own; they share that of their entry today, or its file. */
function slotVersions(ctx: Ctx, version: Version, seq: number | null): Version[] {
  const subject = ctx.sql
    .exec<{ subject: string | null }>("SELECT subject FROM entries WHERE rid = ?", version.rid)
    .toArray()[0]?.subject;
  const slot = { sql: "slot = ?", bindings: [version.slot] };
  if (seq === null && subject != null) return [...versionsAt(ctx.sql, null, [{ sql: "subject = ?", bindings: [subject] }, slot])];
  return [...versionsAt(ctx.sql, seq, [{ sql: "path = ?", bindings: [version.path] }, slot])];
}

/** Earlier values, the latest first, and the next one. */
export function neighbours(ctx: Ctx, version: Version, seq: number | null): { before: Around[]; next: Around | null } {
  const around = aroundEntry(ctx, version, seq).filter((one) => one.version.held === 0);
  const own = around.find((one) => one.version.rid === version.rid);
  return own ? neighboursOf(own, around) : { before: [], next: null };
}

/** The values of an entry's slot (or its lineage) over time, oldest first. */
export function timelineVersions(ctx: Ctx, version: Version): Version[] {
  const all = aroundEntry(ctx, version, null).map((one) => one.version);
  return all.sort((a, b) => ((a.since ?? "") < (b.since ?? "") ? -1 : (a.since ?? "") > (b.since ?? "") ? 1 : a.rid - b.rid));
}

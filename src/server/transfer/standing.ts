// What of an import stands here already, looked up by names and sources, never by reading the whole memory.
import { metaValue, metaValues, type Meta } from "../../shared/entry.ts";
import { normalText } from "../../shared/normal.ts";
import type { MemoryContext } from "../memory/context.ts";
import { documentAt } from "./documents-at.ts";
import { nameKey } from "../memory/entry-row.ts";
import { subjectKey } from "../memory/project.ts";

/** A line that stands here. */
interface Standing {
  id: string | null;
  path: string;
  text: string;
  meta: Meta;
}

/** Lines of the memory that say the same, wherever they stand. */
function saying(ctx: Pick<MemoryContext, "sql">, text: string): Standing[] {
  const name = normalText(text);
  return ctx.sql
    .exec<{ id: string | null; path: string; text: string; meta: string }>(
      "SELECT id, path, text, meta FROM entries WHERE name = ? AND removed = 0 AND held = 0",
      nameKey(text),
    )
    .toArray()
    .filter((row) => normalText(row.text) === name)
    .map((row) => ({ ...row, meta: JSON.parse(row.meta) as Meta }));
}

const same = (a: string | null | undefined, b: string | null | undefined): boolean => (a ?? null) === (b ?? null);

/** Sources that this memory cites already out of an import: with them the same import is known, whatever became of its words. */
export function citedNumbers(ctx: Pick<MemoryContext, "sql">, id: string): Set<number> {
  const mark = `"import/${id}#`;
  const found = new Set<number>();
  for (const { meta } of ctx.sql.exec<{ meta: string }>("SELECT meta FROM entries WHERE instr(meta, ?) > 0", mark)) {
    for (const source of metaValues(JSON.parse(meta) as Meta, "source"))
      if (source.startsWith(`import/${id}#`)) found.add(Number(source.slice(id.length + 8)));
  }
  return found;
}

/** A statement's own fields, as far as they tell two facts of the same words apart. */
export interface Said {
  text: string;
  path: string;
  scope: string | null;
  on: string | null;
  slot: string | null;
  since: string | null;
  saidOn: string;
}

/** The line that says a statement already: the same words of the same subject, scope and day, that has not ended since it was said. */
export function standingStatement(ctx: Pick<MemoryContext, "sql" | "store" | "cache">, said: Said): Standing | null {
  const subject = subjectKey(said.path, documentAt(ctx, said.path) ?? { title: null });
  for (const line of saying(ctx, said.text)) {
    const { meta } = line;
    if (
      metaValue(meta, "why") === "wrong" ||
      !same(metaValue(meta, "scope"), said.scope) ||
      !same(metaValue(meta, "on"), said.on)
    )
      continue;
    if (subjectKey(line.path, documentAt(ctx, line.path) ?? { title: null }) !== subject) continue;
    const until = metaValue(meta, "until") ?? metaValue(meta, "closed");
    // What ended and is said again later is true again.
    if (until !== undefined && (said.since ?? said.saidOn) >= until) continue;
    const since = metaValue(meta, "since");
    if (said.slot !== null && since !== undefined && (said.since ?? said.saidOn) < since) continue;
    return line;
  }
  return null;
}

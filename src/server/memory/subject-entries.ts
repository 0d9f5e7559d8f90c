// The entries that clocks and slots look at: those of one subject that share a slot, a text or a lineage with a fact. Never the whole memory.
import { parseDocument, type DocumentEntry } from "../../shared/document.ts";
import { metaValue, type Meta } from "../../shared/entry.ts";
import { normalText } from "../../shared/normal.ts";
import type { TimelineEntry } from "../../shared/timeline.ts";
import type { MemoryContext } from "./context.ts";
import { idOf, type Draft } from "./draft.ts";
import { nameKey } from "./entry-row.ts";
import { isForgottenName } from "./gate-files.ts";
import { subjectKey } from "./project.ts";
import { currentById } from "./rows.ts";

/** An entry of the draft under a name that is its own: its id, or its place where it has none. */
export interface PlacedEntry extends TimelineEntry {
  path: string;
  line: number;
  id: string | null;
  section: string | null;
}

type Ctx = Pick<MemoryContext, "sql">;

/** The subject of a file in the draft, also of one that does not stand yet. */
export function subjectOfPath(draft: Draft, path: string): string {
  return subjectKey(path, draft.document(path) ?? parseDocument(""));
}

function placed(path: string, entry: DocumentEntry): PlacedEntry {
  const id = idOf(entry);
  return {
    name: id ?? `${path}\n${entry.line}`,
    text: entry.text,
    meta: entry.meta,
    path,
    line: entry.line,
    id,
    section: entry.section,
  };
}

/** How many steps of lineage are followed in either direction. */
const LINEAGE_MAX = 50;

/** What is looked for: entries of a slot, with a text, or in the lineage of an entry. */
export interface Wanted {
  subject: string;
  slot?: string | null;
  text?: string | null;
  lineage?: string | null;
}

/** The entries of the draft that fit, each once, in the order of files and lines. */
export function subjectEntries(ctx: Ctx, draft: Draft, wanted: Wanted): PlacedEntry[] {
  const paths = new Set<string>();
  const add = (path: string) => {
    if (!isForgottenName(path) && subjectOfPath(draft, path) === wanted.subject) paths.add(path);
  };
  for (const path of draft.touchedPaths()) add(path);
  if (wanted.slot) {
    for (const row of ctx.sql.exec<{ path: string }>(
      "SELECT DISTINCT path FROM entries WHERE subject = ? AND slot = ?",
      wanted.subject,
      wanted.slot,
    ))
      add(row.path);
  }
  if (wanted.text) {
    for (const row of ctx.sql.exec<{ path: string }>("SELECT DISTINCT path FROM entries WHERE name = ?", nameKey(wanted.text)))
      add(row.path);
  }
  const lineage = wanted.lineage ? lineageOf(ctx, draft, wanted.lineage) : new Set<string>();
  for (const id of lineage) {
    const found = draft.locate(id);
    if (found) paths.add(found.path);
  }
  const name = wanted.text ? normalText(wanted.text) : null;
  const fits = (entry: DocumentEntry): boolean => {
    if (wanted.slot && (metaValue(entry.meta, "slot") ?? "").trim().toLowerCase() === wanted.slot) return true;
    if (lineage.has(idOf(entry) ?? "\n")) return true;
    return name !== null && normalText(entry.text) === name;
  };
  return [...paths]
    .sort()
    .flatMap((path) => (draft.document(path)?.entries ?? []).filter(fits).map((entry) => placed(path, entry)));
}

/** Ids that an entry replaces and that replace it, over several steps. */
function lineageOf(ctx: Ctx, draft: Draft, id: string): Set<string> {
  const ids = new Set([id]);
  let layer = [id];
  for (let step = 0; step < LINEAGE_MAX && layer.length > 0; step++) {
    const next = new Set<string>();
    for (const one of layer) {
      const meta = draft.locate(one)?.entry.meta ?? metaOf(ctx, one);
      const before = meta && metaValue(meta, "replaces");
      if (before && !ids.has(before)) next.add(before);
      for (const after of replacersOf(ctx, draft, one)) if (!ids.has(after)) next.add(after);
    }
    for (const one of next) ids.add(one);
    layer = [...next];
  }
  return ids;
}

function metaOf(ctx: Ctx, id: string): Meta | null {
  const row = currentById(ctx.sql, id);
  return row ? (JSON.parse(row.meta) as Meta) : null;
}

/** Ids of the entries that say that they replace one. */
export function replacersOf(ctx: Ctx, draft: Draft | null, id: string): string[] {
  const ids = ctx.sql
    .exec<{ id: string | null }>("SELECT e.id FROM depends d JOIN entries e ON e.rid = d.rid WHERE d.target = ?", `>${id}`)
    .toArray()
    .flatMap((row) => row.id ?? []);
  for (const path of draft?.touchedPaths() ?? []) {
    for (const entry of draft!.document(path)?.entries ?? []) {
      if (metaValue(entry.meta, "replaces") === id && idOf(entry) !== null) ids.push(idOf(entry)!);
    }
  }
  return [...new Set(ids)];
}

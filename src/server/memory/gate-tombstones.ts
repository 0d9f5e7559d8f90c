// The gate's rule about what was forgotten: no door brings it back, under its id, in its words or in others that say the same.
import { baseName, parseDocument, subjectOf, type Document } from "../../shared/document.ts";
import { KEY_ORDER, metaValue } from "../../shared/entry.ts";
import type { Refusal } from "../../shared/errors.ts";
import { isMarkdown } from "../../shared/paths.ts";
import { todayOf, type MemoryContext } from "./context.ts";
import type { FileState } from "./draft.ts";
import type { EntryDelta } from "./entry-diff.ts";
import { proseWords } from "./forget-memory.ts";
import { isForgottenName } from "./gate-files.ts";
import { sentencesOf } from "./redact.ts";
import { stonesOf, type Stones } from "./stones.ts";

/** A line that was held back: where it would stand, and the tombstones that cover it. */
export interface HeldLine {
  path: string;
  line: number;
  id: string | null;
  stones: string[];
}

/** What stands for a path that says by its name what was forgotten. */
const NAMED = "(the file’s name)";

/** Lines that are no entries and that the write adds: what a bullet may not say, no other line may. */
function heldProse(
  path: string,
  { before, after }: FileState,
  document: Document | null,
  covering: Stones["covering"],
): HeldLine[] {
  const old = new Set((before ?? "").split("\n").map((line) => line.replace(/\r$/, "")));
  const subject = document ? subjectOf(path, document) : null;
  const lines = document ? document.lines : (after ?? "").split("\n").map((text) => ({ kind: "text", text }));
  return lines.flatMap(({ kind, text }, at) => {
    if (kind === "entry" || kind === "blank" || old.has(text)) return [];
    const stones = sentencesOf(proseWords(text)).flatMap((sentence) => covering({ text: sentence.text, subject }));
    return stones.length > 0 ? [{ path, line: at + 1, id: null, stones }] : [];
  });
}

/**
 * Lines that a tombstone covers. Only what the write adds, rewords or brings under another subject; a change that lifts a tombstone is
 * judged without it. Throws AppError("unavailable") while the tombstones cannot be read.
 */
export function coveredLines(
  ctx: Pick<MemoryContext, "sql" | "keyring" | "cache">,
  files: ReadonlyMap<string, FileState>,
  deltas: readonly EntryDelta[],
): HeldLine[] {
  const stones = stonesOf(ctx);
  if (stones.size === 0) return [];
  const lifted = new Map(
    deltas.flatMap(({ verb, before }) =>
      verb === "removed" && before && isForgottenName(before.path) && before.id !== null
        ? [[before.id, metaValue(before.entry.meta, "replaces")] as const]
        : [],
    ),
  );
  const liftedIds = new Set(lifted.values());
  const covering: Stones["covering"] = (fact) =>
    lifted.size === 0 ? stones.covering(fact) : stones.covering(fact).filter((id) => !lifted.has(id));
  const documents = new Map<string, Document | null>();
  const documentAt = (path: string) => {
    if (!documents.has(path))
      documents.set(
        path,
        isMarkdown(path) ? (files.get(path)?.documents?.after ?? parseDocument(files.get(path)?.after ?? "")) : null,
      );
    return documents.get(path)!;
  };
  // A new title makes another subject of all that stands below it.
  const retitled = (path: string): boolean => {
    const state = files.get(path);
    if (!state || state.before === null || state.after === null || !isMarkdown(path)) return false;
    return subjectOf(path, documentAt(path)!) !== subjectOf(path, state.documents?.before ?? parseDocument(state.before));
  };
  const held: HeldLine[] = [];
  const judged = new Set<string>();
  for (const { before, after } of deltas) {
    if (!after || isForgottenName(after.path)) continue;
    const { path, id, entry } = after;
    const at = { path, line: entry.line, id };
    judged.add(`${path}\n${entry.line}`);
    if (id !== null && before === null && stones.replaced(id) && !liftedIds.has(id)) {
      held.push({ ...at, stones: [] });
      continue;
    }
    const subject = subjectOf(path, documentAt(path)!);
    const texts = before && before.entry.text === entry.text && before.path === path && !retitled(path) ? [] : [entry.text];
    // A key that the format does not know is kept as it is, so it must not carry what the text may not say.
    for (const [key, value] of entry.meta) {
      if (!KEY_ORDER.includes(key) && !before?.entry.meta.some(([name, old]) => name === key && old === value)) texts.push(value);
    }
    const found = texts.flatMap((text) => covering({ text, subject }));
    if (found.length > 0) held.push({ ...at, stones: found });
  }
  for (const [path, state] of files) {
    if (state.after === null || isForgottenName(path)) continue;
    const document = documentAt(path);
    held.push(...heldProse(path, state, document, covering));
    if (state.before === null) {
      const found = covering({ text: baseName(path).replace(/[-_]+/g, " "), subject: null });
      if (found.length > 0) held.push({ path: NAMED, line: 0, id: null, stones: found });
    }
    if (!document || !retitled(path)) continue;
    const subject = subjectOf(path, document);
    for (const entry of document.entries) {
      if (judged.has(`${path}\n${entry.line}`)) continue;
      const found = covering({ text: entry.text, subject });
      if (found.length > 0) held.push({ path, line: entry.line, id: metaValue(entry.meta, "id") ?? null, stones: found });
    }
  }
  return held;
}

/** Counts that tombstones held something back, for their owner to see. */
export function countHeld(ctx: Pick<MemoryContext, "sql">, refusal: Refusal): void {
  const stones = refusal.details?.stones;
  if (Array.isArray(stones))
    ctx.sql.exec(
      "UPDATE forgotten_facts SET held = held + 1 WHERE id IN (SELECT value FROM json_each(?))",
      JSON.stringify(stones),
    );
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** What a reader sees in the place of a line that was held back. `removed` is the day it was forgotten; the year is said where it is another. */
export function heldBackSentence(removed: string | null, today: string): string {
  const [year = "", month = "", day = ""] = (removed ?? "").split("-");
  const name = MONTHS[Number(month) - 1];
  const when = name === undefined ? "" : ` on ${Number(day)} ${name}${year === today.slice(0, 4) ? "" : ` ${year}`}`;
  return `You asked to forget this${when}. It stays out until you say otherwise.`;
}

/** Refuses a write that would bring back what was forgotten. Throws AppError("unavailable") while the tombstones cannot be read. */
export function judgeTombstones(
  ctx: MemoryContext,
  files: ReadonlyMap<string, FileState>,
  deltas: readonly EntryDelta[],
): Refusal | null {
  const held = coveredLines(ctx, files, deltas);
  if (held.length === 0) return null;
  const byId = held.flatMap(({ id, stones }) =>
    stones.length === 0 && id !== null
      ? ctx.sql
          .exec<{ id: string }>("SELECT id FROM tombstones WHERE replaces = ?", id)
          .toArray()
          .map((row) => row.id)
      : [],
  );
  const stones = [...new Set([...held.flatMap((line) => line.stones), ...byId])];
  const days = ctx.sql
    .exec<{ removed: string }>(
      "SELECT removed FROM tombstones WHERE id IN (SELECT value FROM json_each(?)) ORDER BY removed DESC",
      JSON.stringify(stones),
    )
    .toArray();
  return {
    code: "forgotten",
    message: heldBackSentence(days[0]?.removed ?? null, todayOf(ctx)),
    details: { lines: held.map(({ path, line, id }) => ({ path, line, id })), stones },
  };
}

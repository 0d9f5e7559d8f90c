// What an import may not bring: secrets and what was forgotten are taken out line by line, the rest lands. The gate judges the result like any write.
import { parseDocument, serialiseDocument, type Document } from "../../shared/document.ts";
import { removeEntries } from "../../shared/edit-document.ts";
import { metaValues } from "../../shared/entry.ts";
import { isMarkdown } from "../../shared/paths.ts";
import type { Fate } from "../../shared/protocol.ts";
import { findSecrets, SECRET_MARK } from "../../shared/secrets.ts";
import { todayOf, type MemoryContext } from "../memory/context.ts";
import { diffEntries } from "../memory/entry-diff.ts";
import { judgeEntrySizes, judgeMeta } from "../memory/gate-entries.ts";
import { coveredLines, heldBackSentence } from "../memory/gate-tombstones.ts";

/** A line that stays out. `n` is the number behind `#` in its source, where it has one. */
export interface Held {
  line: number;
  n: number | null;
  fate: Extract<Fate, "forgotten" | "secret" | "refused">;
  why: string;
  stones: string[];
}

export interface Screened {
  /** The text without the lines that stay out; null where its very name says what was forgotten. */
  text: string | null;
  held: Held[];
}

/** Rounds in which lines are taken out: taking one out can bring another into sight (a title that names who is meant). */
const ROUNDS_MAX = 5;

const SECRET_WHY = "It holds a secret. Secrets are never kept here; keep it in a password manager.";

function removedDay(ctx: Pick<MemoryContext, "sql">, stones: readonly string[]): string | null {
  return (
    ctx.sql
      .exec<{ removed: string }>(
        "SELECT removed FROM tombstones WHERE id IN (SELECT value FROM json_each(?)) ORDER BY removed DESC LIMIT 1",
        JSON.stringify(stones),
      )
      .toArray()[0]?.removed ?? null
  );
}

/** The number behind `#` in the source of an import. */
function numberOf(document: Document | null, line: number, id: string): number | null {
  const entry = document?.entries.find((one) => one.line === line);
  const mark = `import/${id}#`;
  const source = entry && metaValues(entry.meta, "source").find((value) => value.startsWith(mark));
  return source === undefined ? null : Number(source.slice(mark.length)) || null;
}

/** Lines that are no entries, that did not stand before, and in which a secret stands; also one over several lines. */
function secretProse(before: string | null, document: Document): number[] {
  const old = new Set((before ?? "").split("\n").map((line) => line.replace(/\r$/, "")));
  const fresh = document.lines.flatMap(({ kind, text }, at) =>
    kind === "entry" || kind === "blank" || old.has(text) ? [] : [{ line: at + 1, text }],
  );
  const found = new Set<number>();
  const ends: number[] = [];
  let length = 0;
  for (const { text, line } of fresh) {
    if (text.includes(SECRET_MARK)) found.add(line);
    length += text.length + 1;
    ends.push(length);
  }
  for (const span of findSecrets(fresh.map(({ text }) => text).join("\n"))) {
    ends.forEach((end, at) => {
      if (span.from < end && span.to > (ends[at - 1] ?? 0)) found.add(fresh[at]!.line);
    });
  }
  return [...found];
}

/** Takes lines out of a text: entries with their children outdented, other lines as they are. */
function without(text: string, lines: ReadonlySet<number>): string {
  const document = parseDocument(text);
  const entries = new Set(document.entries.map(({ line }) => line).filter((line) => lines.has(line)));
  const kept = entries.size > 0 ? removeEntries(document, entries) : document;
  // Other lines keep their order, so they are found again by counting those that stand before them.
  const others = [...lines].filter((line) => !entries.has(line));
  if (others.length === 0) return serialiseDocument(kept);
  const gone = new Set(others.map((line) => line - [...entries].filter((entry) => entry < line).length));
  return serialiseDocument({ bom: kept.bom, lines: kept.lines.filter((_, at) => !gone.has(at + 1)) });
}

/**
 * Takes out of the text of a file what may not enter. `id` is the import's. Throws AppError("unavailable") while the tombstones cannot
 * be read: then nothing is imported.
 */
export function screen(ctx: MemoryContext, path: string, before: string | null, after: string, id: string): Screened {
  const held: Held[] = [];
  let text = after;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const document = isMarkdown(path) ? parseDocument(text) : null;
    const files = new Map([[path, { before, after: text }]]);
    const deltas = diffEntries(files).filter(({ verb }) => verb !== "removed");
    const gone = new Map<number, Omit<Held, "line" | "n">>();
    for (const line of coveredLines(ctx, files, deltas)) {
      const why = heldBackSentence(removedDay(ctx, line.stones), todayOf(ctx));
      if (line.line === 0) return { text: null, held: [{ line: 0, n: null, fate: "forgotten", why, stones: line.stones }] };
      gone.set(line.line, { fate: "forgotten", why, stones: line.stones });
    }
    for (const delta of deltas) {
      const { line, text: words } = delta.after!.entry;
      if (gone.has(line)) continue;
      if (words.includes(SECRET_MARK) || findSecrets(words).length > 0)
        gone.set(line, { fate: "secret", why: SECRET_WHY, stones: [] });
      else {
        const refusal = judgeEntrySizes([delta]) ?? judgeMeta([delta]);
        if (refusal) gone.set(line, { fate: "refused", why: refusal.message, stones: [] });
      }
    }
    const prose = document ?? parseDocument(text.replace(/^(?=\s*[-*+]\s)/gm, "\\"));
    for (const line of secretProse(before, prose))
      if (!gone.has(line)) gone.set(line, { fate: "secret", why: SECRET_WHY, stones: [] });
    if (gone.size === 0) break;
    for (const [line, what] of [...gone].sort(([a], [b]) => a - b)) held.push({ line, n: numberOf(document, line, id), ...what });
    text = document
      ? without(text, new Set(gone.keys()))
      : text
          .split("\n")
          .filter((_, at) => !gone.has(at + 1))
          .join("\n");
  }
  return { text, held };
}

// The gate's rules about entries: secrets, ids and dates, pins, trust of the door, shrink guard. Judges only what was added or changed.
import { Buffer } from "node:buffer";
import type { Refusal } from "../../shared/errors.ts";
import { metaValue, metaValues } from "../../shared/entry.ts";
import { ENTRY_MAX_BYTES, SHRINK_MAX_SHARE } from "../../shared/limits.ts";
import { findSecrets, SECRET_MARK } from "../../shared/secrets.ts";
import { parseSource } from "../../shared/source.ts";
import type { Change } from "../../shared/protocol.ts";
import { formatEntryLine } from "../../shared/entry.ts";
import { compareDates, isDay, isPartialDate } from "../../shared/clock.ts";
import type { FileState } from "./draft.ts";
import type { DiffLine, EntryDelta } from "./entry-diff.ts";
import { onlyGainsSources } from "./gate-agent.ts";
import { isForgottenName } from "./gate-files.ts";
import { currentByRid, ridOf } from "./rows.ts";
import type { MemoryContext } from "./context.ts";

/** Where a line stands, for a sentence. */
function place(line: DiffLine): string {
  return `${line.path}, line ${line.entry.line}`;
}

/** Entries whose text or place the write chose: added, reworded, moved to another file. */
export function written(deltas: readonly EntryDelta[]): DiffLine[] {
  return deltas.flatMap(({ after }) => (after ? [after] : []));
}

function rewritten(deltas: readonly EntryDelta[]): DiffLine[] {
  return deltas.flatMap(({ before, after }) => (after && before?.entry.text !== after.entry.text ? [after] : []));
}

/** An entry is one fact: 4 KB with its metadata. */
export function judgeEntrySizes(deltas: readonly EntryDelta[]): Refusal | null {
  for (const line of written(deltas)) {
    const bytes = Buffer.byteLength(formatEntryLine(line.entry));
    if (bytes <= ENTRY_MAX_BYTES) continue;
    return {
      code: "too-large",
      message: `${place(line)}: an entry has at most ${ENTRY_MAX_BYTES / 1024} KB, this one has ${(bytes / 1024).toFixed(1)} KB. Say it in several lines.`,
      details: { path: line.path, line: line.entry.line, bytes },
    };
  }
  return null;
}

function secretRefusal(where: string, kind: string, details: Record<string, unknown>): Refusal {
  return {
    code: "secret",
    message: `${where} holds a secret (${kind}). Secrets are never kept here; take it out and keep it in a password manager.`,
    details: { ...details, kind },
  };
}

/** Secrets in new lines: entries by their text, everything else as it stands. */
export function judgeSecrets(files: ReadonlyMap<string, FileState>, deltas: readonly EntryDelta[]): Refusal | null {
  for (const line of rewritten(deltas)) {
    if (isForgottenName(line.path)) continue;
    const text = line.entry.text;
    const kind = text.includes(SECRET_MARK) ? "taken out before" : findSecrets(text)[0]?.kind;
    if (kind) return secretRefusal(place(line), kind, { path: line.path, line: line.entry.line });
  }
  for (const [path, { before, after }] of files) {
    if (after === null || isForgottenName(path)) continue;
    const fresh = freshLines(before, after);
    if (fresh.length === 0) continue;
    const text = fresh.map((line) => line.text).join("\n");
    const mark = text.indexOf(SECRET_MARK);
    const span = mark >= 0 ? { from: mark, kind: "taken out before" } : findSecrets(text)[0];
    if (!span) continue;
    const line = fresh[text.slice(0, span.from).split("\n").length - 1]!.line;
    return secretRefusal(`${path}, line ${line},`, span.kind, { path, line });
  }
  return null;
}

/** Lines that are no entries and did not stand in the file before. */
function freshLines(before: string | null, after: string): { line: number; text: string }[] {
  const old = new Set((before ?? "").split("\n"));
  return after
    .split("\n")
    .flatMap((text, at) => (old.has(text) || /^\s*(?:[-*+](?:\s|$)|$)/.test(text) ? [] : [{ line: at + 1, text }]));
}

const DATE_KEYS = ["since", "until", "on", "expires", "added", "closed", "removed", "checked"] as const;
const WHOLE_DAY_KEYS = new Set<string>(["added", "closed", "removed", "checked"]);

/** Metadata that cannot be: dates that do not exist, an end before its beginning, values that are no id, slot, scope or source. */
export function judgeMeta(deltas: readonly EntryDelta[]): Refusal | null {
  for (const { before, after } of deltas) {
    if (!after || isForgottenName(after.path)) continue;
    const { meta } = after.entry;
    const bad = (what: string): Refusal => ({
      code: "bad-format",
      message: `${place(after)}: ${what}`,
      details: { path: after.path, line: after.entry.line },
    });
    const isNew = (key: string, value: string) => before === null || !metaValues(before.entry.meta, key).includes(value);
    for (const key of DATE_KEYS) {
      for (const value of metaValues(meta, key)) {
        if (!isNew(key, value)) continue;
        if (!(WHOLE_DAY_KEYS.has(key) ? isDay(value) : isPartialDate(value))) {
          return bad(
            `${key} “${value}” is not a date. Write ${WHOLE_DAY_KEYS.has(key) ? "2026-03-14" : "2026, 2026-03 or 2026-03-14"}.`,
          );
        }
      }
    }
    const since = metaValue(meta, "since");
    const until = metaValue(meta, "until");
    if (
      since !== undefined &&
      until !== undefined &&
      (isNew("since", since) || isNew("until", until)) &&
      compareDates(since, until) > 0
    ) {
      return bad(`it would end (${until}) before it begins (${since}).`);
    }
    const id = metaValue(meta, "id");
    if (id !== undefined && isNew("id", id) && !/^[a-z0-9]{4,12}$/.test(id))
      return bad(`the id “${id}” is none: 4 to 12 of a-z and 0-9.`);
    for (const key of ["slot", "scope"] as const) {
      const value = metaValue(meta, key);
      if (value !== undefined && isNew(key, value) && !/^[a-z0-9-]{1,60}$/.test(value))
        return bad(`${key} “${value}” is written with a-z, 0-9 and -.`);
    }
    const why = metaValue(meta, "why");
    if (why !== undefined && isNew("why", why) && why !== "changed" && why !== "wrong")
      return bad(`why is “changed” or “wrong”.`);
    for (const source of metaValues(meta, "source")) {
      if (isNew("source", source) && parseSource(source) === null)
        return bad(`the source “${source.slice(0, 80)}” is none of the known kinds.`);
    }
    if (
      (metaValue(meta, "removed") !== undefined || metaValue(meta, "match") !== undefined) &&
      (before === null || metaValue(before.entry.meta, "removed") === undefined)
    ) {
      return bad("a tombstone stands only in forgotten.md, and only forgetting writes one.");
    }
  }
  return null;
}

/** Ids: none twice, none used again for another entry. `inherited`: ids that a merge brings along from its other side, where the entry went on. */
export function judgeIds(
  sql: MemoryContext["sql"],
  files: ReadonlyMap<string, FileState>,
  deltas: readonly EntryDelta[],
  kind: Change["kind"],
  inherited: ReadonlySet<string> = new Set(),
): Refusal | null {
  const seen = new Map<string, DiffLine>();
  for (const { before: paired, after: line } of deltas) {
    if (!line || line.id === null) continue;
    const other = seen.get(line.id);
    if (other) return twice(line, place(other));
    seen.set(line.id, line);
    const rid = ridOf(sql, line.id);
    if (rid === null) continue;
    const standing = currentByRid(sql, rid);
    // In a changed file the line of that id was paired with it; whoever else bears the id is a second one.
    if (standing && standing.id === line.id && (!files.has(standing.path) || paired?.id !== line.id))
      return twice(line, standing.path);
    if (standing || kind === "revert" || kind === "forget" || inherited.has(line.id)) continue;
    const before = sql
      .exec<{ name: number }>("SELECT name FROM entry_past WHERE rid = ? AND held = 0 ORDER BY ended DESC LIMIT 1", rid)
      .toArray()[0];
    if (before && before.name !== line.name) return usedBefore(line);
  }
  return null;
}

/** An id that named another entry is not used again. */
export function usedBefore(line: DiffLine): Refusal {
  return {
    code: "bad-format",
    message: `${place(line)}: the id ${line.id} named another entry before and is not used again. Take it out; a new one is given.`,
    details: { path: line.path, line: line.entry.line, id: line.id },
  };
}

function twice(line: DiffLine, other: string): Refusal {
  return {
    code: "bad-format",
    message: `${place(line)}: the id ${line.id} stands twice (also in ${other}). An id names one entry; take it out of one of them.`,
    details: { path: line.path, line: line.entry.line, id: line.id },
  };
}

/** Pinned lines are the user's alone, and only the user pins; with a token not even they. */
export function judgePins(deltas: readonly EntryDelta[], { actor, byToken }: Pick<Change, "actor" | "byToken">): Refusal | null {
  if (actor === "user") return byToken ? judgeTokenMoves(deltas) : null;
  const pinned = (line: DiffLine | null): line is DiffLine => line !== null && metaValue(line.entry.meta, "pin") === "yes";
  // A pinned line that would change is named before its successor, which would only inherit the pin.
  for (const { before, after, verb } of [...deltas].sort((a, b) => Number(pinned(b.before)) - Number(pinned(a.before)))) {
    const was = pinned(before);
    const is = pinned(after);
    // A source that is added says nothing new about a pinned line.
    if (was && verb === "changed" && after && onlyGainsSources(before, after)) continue;
    if (!was && !is) continue;
    const line = (was ? before : after)!;
    return {
      code: "pinned",
      message: was
        ? `“${line.entry.text}” is pinned: only the user changes or removes it, by hand.`
        : "Only the user pins a line.",
      details: { path: line.path, id: line.id },
    };
  }
  return null;
}

/** A token of the user's own changes and closes lines as they do; setting and taking away pins, and lifting what was forgotten, needs the app. */
function judgeTokenMoves(deltas: readonly EntryDelta[]): Refusal | null {
  for (const { before, after, verb } of deltas) {
    if (before && isForgottenName(before.path) && before.path !== after?.path)
      return {
        code: "forbidden",
        message: "A token may not lift what was forgotten. Do it in the app, under Forgotten.",
        details: { path: before.path, id: before.id },
      };
    if (!after || verb === "removed") continue;
    const was = before !== null && metaValue(before.entry.meta, "pin") === "yes";
    if (was === (metaValue(after.entry.meta, "pin") === "yes")) continue;
    return {
      code: "pinned",
      message: "A token may not set a pin or take one away. Do it in the app, signed in.",
      details: { path: after.path, id: after.id },
    };
  }
  return null;
}

/** A model must not empty a file: past half of its entries, what goes must stand elsewhere. */
export function judgeShrink(
  files: ReadonlyMap<string, FileState>,
  deltas: readonly EntryDelta[],
  change: Change,
  countOf: (path: string) => number,
): Refusal | null {
  if (change.actor === "user" || (change.kind === "forget" && change.typed)) return null;
  const kept = new Set(written(deltas).map((line) => line.name));
  const lost = new Map<string, number>();
  for (const { before, verb } of deltas) {
    if (verb === "removed" && before && !kept.has(before.name)) lost.set(before.path, (lost.get(before.path) ?? 0) + 1);
  }
  for (const [path, count] of lost) {
    const total = countOf(path);
    if (!files.has(path) || count <= total * SHRINK_MAX_SHARE) continue;
    return {
      code: "shrink",
      message: `${path} would lose ${count} of its ${total} lines in one go. Take fewer away, or let the user do it.`,
      details: { path, lost: count, total },
    };
  }
  return null;
}

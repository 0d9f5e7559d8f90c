// Takes back, in one commit, what several commits of a dropped turn had done: newest first, each by rebase, so that what others wrote between stays.
import { isMarkdown } from "../../shared/paths.ts";
import { rebase } from "../../shared/rebase.ts";
import { refusalOf } from "../../shared/errors.ts";
import type { TakenBack } from "../../shared/protocol.ts";
import { dayIn } from "../../shared/zone.ts";
import { readTextAt } from "../git/repo.ts";
import { commitBefore, commitRow, filesBetween } from "./commit-detail.ts";
import type { MemoryContext } from "./context.ts";
import { diffEntries } from "./entry-diff.ts";
import { isForgottenName, MEMORY_FILE } from "./gate-files.ts";
import { write } from "./writer.ts";

type Texts = Map<string, string>;

/** Reverts commits of one conversation. Never throws for what cannot be taken back: the sentence says so, and the lines stay. */
export function takeBack(ctx: MemoryContext, commits: readonly string[], at: number, zone: string, source: string): TakenBack {
  try {
    return undo(ctx, commits, at, zone, source);
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return {
      lines: 0,
      commit: null,
      sentence: `What the dropped turn had saved could not be taken back and stays: ${refusal.message}`,
    };
  }
}

function undo(ctx: MemoryContext, commits: readonly string[], at: number, zone: string, source: string): TakenBack {
  const rows = [...new Set(commits)]
    .map((commit) => ({ commit, row: commitRow(ctx, commit) }))
    .sort((a, b) => b.row.seq - a.row.seq);
  const last = rows[0]!.commit;
  const now: Texts = new Map();
  const touched = new Set<string>();
  let clashes = 0;
  for (const { commit, row } of rows) {
    const files = [...filesBetween(ctx, commitBefore(ctx, row), commit)].filter(
      ([path]) => !isForgottenName(path) && isMarkdown(path),
    );
    const base: Texts = new Map();
    const mine: Texts = new Map();
    const theirs: Texts = new Map();
    for (const [path, { before, after }] of files) {
      if (!touched.has(path)) {
        touched.add(path);
        const text = readTextAt(ctx.store, last, path);
        if (text !== null) now.set(path, text);
      }
      if (after !== null) base.set(path, after);
      if (before !== null) mine.set(path, before);
      else if (path === MEMORY_FILE && after !== null) mine.set(path, titleOnly(after));
      const text = now.get(path);
      if (text !== undefined) theirs.set(path, text);
    }
    const result = rebase(base, mine, theirs, dayIn(at, zone));
    clashes += result.conflicts.length;
    for (const [path] of files) {
      const text = result.files.get(path);
      if (text === undefined) now.delete(path);
      else now.set(path, text);
    }
  }
  const files = Object.fromEntries([...touched].map((path) => [path, now.get(path) ?? null]));
  const lines = diffEntries(
    new Map([...touched].map((path) => [path, { before: readTextAt(ctx.store, last, path), after: now.get(path) ?? null }])),
  ).length;
  const outcome = write(ctx, {
    base: last,
    files,
    kind: "revert",
    source,
    actor: "user",
    at,
    zone,
    typed: true,
    message: "Take back what a dropped turn had saved",
  });
  if (!outcome.ok)
    return {
      lines: 0,
      commit: null,
      sentence: `What the dropped turn had saved could not be taken back and stays: ${outcome.message}`,
    };
  if (outcome.commit === null)
    return { lines: 0, commit: null, sentence: "Nothing was left to take back of what the dropped turn had saved." };
  const what =
    lines === 1
      ? "1 line that the dropped turn had changed was taken back."
      : `${lines} lines that the dropped turn had changed were taken back.`;
  return {
    lines,
    commit: outcome.commit,
    sentence: clashes > 0 ? `${what} ${clashes === 1 ? "One line" : `${clashes} lines`} changed since then and stayed.` : what,
  };
}

function titleOnly(text: string): string {
  return `${text.split("\n").find((line) => /^#\s/.test(line)) ?? "# Memory"}\n`;
}

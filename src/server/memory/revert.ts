// Takes a commit back, a file of it or an entry of it, on top of today's head: rebase(base C, mine parent(C), theirs HEAD), through the gate.
import type { Outcome } from "../../shared/protocol.ts";
import { normalText } from "../../shared/normal.ts";
import type { RevertAsk, WriteOptions } from "./api.ts";
import { commitBefore, commitRow, filesBetween } from "./commit-detail.ts";
import type { MemoryContext } from "./context.ts";
import { diffEntries, type EntryDelta } from "./entry-diff.ts";
import { isForgottenName, MEMORY_FILE } from "./gate-files.ts";
import { partOfCommit } from "./revert-part.ts";
import { write } from "./writer.ts";
import type { FileState } from "./draft.ts";
import { refusalOf } from "../../shared/errors.ts";

/** Whether an entry is one of those that were asked for, by id or by its normalised text. */
function asked(delta: EntryDelta, names: ReadonlySet<string>): boolean {
  return [delta.before, delta.after].some(
    (line) => line && ((line.id !== null && names.has(line.id)) || names.has(normalText(line.entry.text))),
  );
}

/** The files of a commit with only the part of it that is to be taken back: what `mine` is laid over `base` as. */
function partsOf(files: ReadonlyMap<string, FileState>, ask: RevertAsk): Map<string, FileState> | string {
  let chosen = new Map([...files].filter(([path]) => !isForgottenName(path)));
  if (chosen.size === 0) return "This commit changed only what was forgotten. Lift it in Forgotten if you want it back.";
  if (ask.paths?.length) {
    chosen = new Map([...chosen].filter(([path]) => ask.paths!.includes(path)));
    if (chosen.size === 0) return "This commit did not change that file.";
  }
  if (!ask.entries?.length) return chosen;
  const names = new Set(ask.entries.flatMap((name) => [name, normalText(name)]));
  const deltas = diffEntries(chosen).filter((delta) => asked(delta, names));
  if (deltas.length === 0) return "This commit did not change that entry.";
  return partOfCommit(chosen, deltas);
}

/** Reverts a commit or a part of it. What cannot be taken back comes back as a refusal that says why. */
export function revert(ctx: MemoryContext, commit: string, ask: RevertAsk, options: WriteOptions = {}): Outcome {
  try {
    const row = commitRow(ctx, commit);
    const files = filesBetween(ctx, commitBefore(ctx, row), commit);
    const parts = partsOf(files, ask);
    if (typeof parts === "string") return { ok: false, code: "not-found", message: parts, details: { commit } };
    const back: Record<string, string | null> = {};
    for (const [path, { before, after }] of parts) {
      // The file that every conversation starts with stays, empty: only its lines are taken back.
      back[path] = before === null && path === MEMORY_FILE ? emptied(after!) : before;
    }
    const outcome = write(
      ctx,
      {
        base: commit,
        files: back,
        kind: "revert",
        source: null,
        actor: ask.actor,
        at: ask.at,
        zone: ask.zone,
        typed: ask.actor === "user",
        message: `Take back ${row.kind} of ${new Date(row.at).toISOString().slice(0, 10)} (${commit.slice(0, 8)})`,
      },
      options,
    );
    if (outcome.ok && outcome.commit === null) {
      return {
        ok: false,
        code: "not-found",
        message: "There is nothing left to take back: none of what this commit changed stands any more.",
        details: { commit },
      };
    }
    if (!outcome.ok && outcome.code === "conflict") {
      return {
        ...outcome,
        message:
          "A later change touched the same lines, so this cannot be taken back as a whole. Take back the later change first, or single entries.",
      };
    }
    return outcome;
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return { ok: false, ...refusal };
  }
}

/** A file with its title and nothing else. */
function emptied(text: string): string {
  const title = text.split("\n").find((line) => /^#\s/.test(line));
  return `${title ?? "# Memory"}\n`;
}

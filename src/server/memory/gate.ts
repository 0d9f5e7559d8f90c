// The one gate: every write passes it, in the order of the design. Judges what would be added or changed, and says which rule and remedy.
import type { Change } from "../../shared/protocol.ts";
import type { MemoryContext } from "./context.ts";
import type { FileState } from "./draft.ts";
import type { EntryDelta } from "./entry-diff.ts";
import { judgeInvisible, judgePaths, judgeSizes, judgeText } from "./gate-files.ts";
import { judgeAgent } from "./gate-agent.ts";
import { judgeEntrySizes, judgeIds, judgeMeta, judgePins, judgeSecrets, judgeShrink } from "./gate-entries.ts";
import { judgeTombstones } from "./gate-tombstones.ts";
import type { ProjectionHead } from "./project.ts";
import { passOrRefuse, Refused } from "./refused.ts";
import { readSettings } from "./settings.ts";

export interface Judged {
  change: Change;
  files: ReadonlyMap<string, FileState>;
  deltas: readonly EntryDelta[];
  head: ProjectionHead | null;
  /** Ids that were joined into another entry: they stand there now. */
  joined: ReadonlySet<string>;
  /** Ids that a merge brings along from its other side. */
  inherited?: ReadonlySet<string>;
}

/** What a text must keep wherever it stands, whatever the memory holds beside it: every commit of a push meets these rules by itself. */
export function passContent(ctx: MemoryContext, files: ReadonlyMap<string, FileState>, deltas: readonly EntryDelta[]): void {
  passOrRefuse(judgeEntrySizes(deltas));
  passOrRefuse(judgeText(files));
  passOrRefuse(judgeInvisible(files));
  passOrRefuse(judgeSecrets(files, deltas));
  passOrRefuse(judgeTombstones(ctx, files, deltas));
  passOrRefuse(judgeMeta(deltas));
}

/** Lets a write pass with its warnings, or throws Refused. */
export function passGate(ctx: MemoryContext, { change, files, deltas, head, joined, inherited }: Judged): string[] {
  const { sql } = ctx;
  passOrRefuse(judgePaths(sql, files, change.kind));
  const sizes = judgeSizes(sql, files, head);
  if ("code" in sizes) throw new Refused(sizes);
  passOrRefuse(judgeEntrySizes(deltas));
  passOrRefuse(judgeText(files));
  passOrRefuse(judgeSecrets(files, deltas));
  passOrRefuse(judgeTombstones(ctx, files, deltas));
  passOrRefuse(judgeMeta(deltas));
  passOrRefuse(judgeIds(sql, files, deltas, change.kind, inherited));
  passOrRefuse(judgePins(deltas, change));
  passOrRefuse(judgeAgent(files, deltas, change.actor, readSettings(sql).memory));
  const lasting = deltas.filter(({ verb, before }) => verb !== "removed" || before?.id === null || !joined.has(before!.id!));
  const countOf = (path: string) =>
    sql.exec<{ entries: number }>("SELECT entries FROM files WHERE path = ?", path).toArray()[0]?.entries ?? 0;
  passOrRefuse(judgeShrink(files, lasting, change, countOf));
  return sizes.warnings;
}

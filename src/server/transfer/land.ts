// The way of an import through the one writer: all files in one commit, or, for a preview, the same without keeping it.
import type { Change, FileEdits, Outcome } from "../../shared/protocol.ts";
import { headOf, type MemoryContext } from "../memory/context.ts";
import { countHeld } from "../memory/gate-tombstones.ts";
import { dryRun, write } from "../memory/writer.ts";

export interface LandRequest {
  id: string;
  files: ReadonlyMap<string, string>;
  /** The head on which the files were made. */
  base: string | null;
  at: number;
  zone: string;
  /** False: only what would happen. */
  apply: boolean;
  /** Tombstones that held lines back, for their owner to see. */
  stones?: readonly string[];
}

/** What a commit of an import says: numbers only. */
export function landFiles(ctx: MemoryContext, { id, files, base, at, zone, apply, stones = [] }: LandRequest): Outcome {
  if (files.size === 0) return { ok: true, commit: null, head: headOf(ctx) ?? "", entries: [] };
  const edits: FileEdits = Object.fromEntries(files);
  const change: Change = {
    base,
    files: files.has("MEMORY.md") || headOf(ctx) !== null ? edits : { "MEMORY.md": "# Memory\n", ...edits },
    kind: "import",
    source: `import/${id}`,
    actor: "user",
    at,
    zone,
    typed: false,
  };
  if (!apply) return dryRun(ctx, change).outcome;
  const outcome = write(ctx, change);
  if (outcome.ok && stones.length > 0)
    countHeld(ctx, { code: "forgotten", message: "", details: { stones: [...new Set(stones)] } });
  return outcome;
}

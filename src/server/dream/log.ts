// The live log of a dream: one sentence a step, kept with the dream and broadcast while it runs. It names files, never the words of a line,
// so that forgetting has nothing to clean here.
import type { DreamDeps } from "./types.ts";

/** Writes a line and tells the open tabs. */
export function addLog(
  deps: Pick<DreamDeps, "store" | "now" | "broadcast">,
  id: string,
  text: string,
  margin: string | null,
): void {
  const line = { at: new Date(deps.now()).toISOString(), text, margin };
  deps.store.addLog(id, line);
  deps.broadcast({ type: "dream", id, status: deps.store.dream(id)?.status ?? "running", line });
}

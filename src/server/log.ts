// What the server writes to its log: one line of JSON. Never a text of anybody's memory, so never an error's own words, which may quote one.

/** Where something broke: the error's name and the places it came through, without its message. */
export function traceOf(error: unknown): { error: string; at: string[] } {
  if (!(error instanceof Error)) return { error: typeof error, at: [] };
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return { error: error.name, at: frames.slice(0, 8).map((line) => line.trim()) };
}

/** Something failed that nobody foresaw. `what` is a sentence of ours. */
export function logFailure(what: string, error: unknown, more: Record<string, string | number> = {}): void {
  console.error(JSON.stringify({ level: "error", what, ...more, ...traceOf(error) }));
}

/** A request that was answered. `route` is the pattern: the address itself may hold names of files. */
export function logRequest(line: { id: string; method: string; route: string; status: number; ms: number }): void {
  console.log(JSON.stringify({ level: "info", what: "request", ...line }));
}

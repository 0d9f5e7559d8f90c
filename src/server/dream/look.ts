// The tools that only look: search, read, read_source. Their answers are fenced and short.
import { estimateTokenCount, sliceByTokens } from "tokenx";
import { DREAM_RESULT_TOKENS } from "../../shared/limits.ts";
import { entryLine, fenced, inboxLine } from "./prompt.ts";
import type { DreamDeps, DreamEntry } from "./types.ts";

const HITS = 8;

function withPlace(entry: DreamEntry): string {
  return entryLine(entry, true);
}

/** Lines that fit the budget of a result, and how many there are. */
function fit(lines: string[], rest: string): string {
  const shown: string[] = [];
  let left = DREAM_RESULT_TOKENS;
  for (const line of lines) {
    const cost = estimateTokenCount(line) + 1;
    if (cost > left) break;
    left -= cost;
    shown.push(line);
  }
  if (shown.length < lines.length) shown.push(`(${shown.length} of ${lines.length} lines; ${rest})`);
  return shown.join("\n");
}

/** Lines that share words with a query. */
export function search(deps: DreamDeps, query: string, mark: string): string {
  const hits = deps.memory.search(query, HITS);
  return hits.length === 0
    ? "Nothing in the memory shares words with that."
    : fenced("found", fit(hits.map(withPlace), "ask with more words"), mark);
}

/** A file. */
export function read(deps: DreamDeps, path: string, mark: string): string {
  const file = deps.memory.file(path) ?? deps.memory.file(`${path}.md`);
  if (!file) return "There is no such file.";
  return fenced(
    "found",
    fit([`## ${file.path}`, ...file.entries.map((entry) => entryLine(entry))], "search for the others"),
    mark,
  );
}

/** What a line was learned from. */
export function readSource(deps: DreamDeps, ref: string, mark: string): string {
  const text = deps.inbox.text(ref.trim().replace(/^\[|\]$/g, ""));
  if (!text) return "That source cannot be read: it was deleted, or it is none of the conversations and notes.";
  const line = inboxLine(text);
  return fenced(
    "source",
    estimateTokenCount(line) > DREAM_RESULT_TOKENS ? `${sliceByTokens(line, 0, DREAM_RESULT_TOKENS)} …` : line,
    mark,
  );
}

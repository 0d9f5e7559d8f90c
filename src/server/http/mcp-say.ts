// What MCP tools answer: words for the model, the same as data, and a refusal as the Outcome's code and sentence. Pure.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { metaValues, type Meta } from "../../shared/entry.ts";
import type { Refusal } from "../../shared/errors.ts";
import type { CommitDetail, CommitView, DreamEstimate, DreamView, EntryView, Outcome } from "../../shared/protocol.ts";
import { fenceLine } from "../chat/fence.ts";
import { entryLine, sayOutcome } from "../chat/say.ts";

/** A line of memory as data: what an agent needs, without what is empty. */
export function brief(view: EntryView): Record<string, unknown> {
  const { id, path, text, state, chain, since, until, on, expires, slot, scope, sources, replaces, pin, toCheck } = view;
  const all = { id, path, text, state, chain, since, until, on, expires, slot, scope, replaces };
  return {
    ...Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)),
    ...(sources.length > 0 ? { sources } : {}),
    ...(pin ? { pin } : {}),
    ...(toCheck ? { toCheck } : {}),
  };
}

/** An answer that is one. */
export function said(text: string, data: Record<string, unknown> = {}): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent: { ok: true, ...data } };
}

/** What the app says to its user, said about them: an agent is not who asked. */
const ofTheUser = (message: string): string =>
  message.replace(/^You asked/, "The user asked").replace("until you say otherwise", "until they say otherwise");

/** A refusal: nothing was saved, why, and what to do. */
export function refused({ code, message: told, details }: Refusal, lines: readonly string[] = []): CallToolResult {
  const message = code === "forgotten" ? ofTheUser(told) : told;
  const first = code === "needs-click" ? `Waits for the user's click (${code}): ${message}` : `Not done (${code}): ${message}`;
  return {
    content: [{ type: "text", text: [first, ...lines].join("\n") }],
    structuredContent: { ok: false, code, message, ...(details ? { details } : {}) },
    isError: true,
  };
}

/** The outcome of a write. */
export function sayWrite(verb: "remember" | "revise", outcome: Outcome): CallToolResult {
  if (!outcome.ok) return refused(outcome, sayClash(outcome.details));
  const { commit, head, entries, near, warnings } = outcome;
  return said(sayOutcome(verb, outcome), {
    commit,
    head,
    entries: entries.map(({ verb: done, entry, before, replaced }) => ({
      verb: done,
      ...brief(entry),
      ...(before === undefined ? {} : { before }),
      ...(replaced ? { replaced: brief(replaced) } : {}),
    })),
    ...(near ? { near: near.map(brief) } : {}),
    ...(warnings ? { warnings } : {}),
  });
}

/** Both texts of a conflict, and the head to read before a retry. */
function sayClash(details: Refusal["details"]): string[] {
  const text = (value: unknown) => (typeof value === "string" ? [fenceLine(value)] : []);
  return [
    ...text(details?.theirs).map((theirs) => `It says now: ${theirs}`),
    ...text(details?.mine).map((mine) => `You wanted: ${mine}`),
    ...(typeof details?.head === "string" ? [`Read again, then retry with read: ${details.head}`] : []),
  ];
}

/** Lines that were found. */
export function sayLines(lines: readonly EntryView[], none: string, more: string | null = null): CallToolResult {
  const words = lines.length === 0 ? [none] : lines.map(entryLine);
  return said([...words, ...(more ? [more] : [])].join("\n"), { entries: lines.map(brief) });
}

/** What a forget did, without the words that are gone. */
export function sayForgot(removed: number, candidates: readonly EntryView[], data: Record<string, unknown>): CallToolResult {
  const left = candidates.map((entry) => `Says it, too, and was left: ${entryLine(entry)}`);
  return said(
    [`Forgotten: ${removed === 1 ? "1 line" : `${removed} lines`}. It stays out until the user lifts it.`, ...left].join("\n"),
    {
      removed,
      ...data,
      ...(candidates.length > 0 ? { candidates: candidates.map(brief) } : {}),
    },
  );
}

/** Several lines fit: they are named, and nothing was removed. */
export function sayAmbiguous(candidates: readonly EntryView[]): CallToolResult {
  const message =
    "Several lines fit, and nothing was forgotten. Name one by its id, or give all: true where the user means all of them.";
  return refused({ code: "ambiguous", message, details: { candidates: candidates.map(brief) } }, candidates.map(entryLine));
}

const counted = ({ entries }: CommitView): string =>
  Object.entries(entries)
    .flatMap(([verb, count]) => (count > 0 ? [`${count} ${verb}`] : []))
    .join(", ");

/** One commit in a line. */
export function commitLine(commit: CommitView): string {
  const counts = counted(commit);
  return `${commit.at.slice(0, 16).replace("T", " ")} ${commit.kind}: ${fenceLine(commit.summary)}${counts ? ` (${counts})` : ""} ${commit.commit}`;
}

/** What changed behind a text that stayed: `why: changed → wrong`. */
function keysChanged(before: Meta | null, after: Meta | null): string[] {
  const keys = new Set([...(before ?? []), ...(after ?? [])].map(([key]) => key));
  const said = (meta: Meta | null, key: string) => metaValues(meta ?? [], key).join(", ") || "none";
  return [...keys].flatMap((key) => {
    const [old, now] = [said(before, key), said(after, key)];
    return old === now ? [] : [fenceLine(`${key}: ${old} → ${now}`)];
  });
}

/** One commit, line by line; what is held back stays away. */
export function sayCommit(commit: CommitDetail): CallToolResult {
  const lines = commit.changes.map(({ verb, path, before, after, id, heldBack, metaBefore, metaAfter }) => {
    const words = heldBack
      ? "(held back)"
      : before !== null && before === after
        ? [fenceLine(before), ...keysChanged(metaBefore, metaAfter)].join("; ")
        : [before, after]
            .filter((text) => text !== null)
            .map(fenceLine)
            .join(" → ");
    return `${verb} in ${fenceLine(path)}: ${words}${id === null ? "" : ` {${id}}`}`;
  });
  const { commit: oid, at, kind, summary } = commit;
  return said([commitLine(commit), ...lines].join("\n"), { commit: { commit: oid, at, kind, summary }, changes: commit.changes });
}

/** What dreams are at, and what waits for the next. */
export function sayDreams(last: readonly DreamView[], waiting: DreamEstimate): CallToolResult {
  const running = last.find(({ status }) => status === "queued" || status === "running");
  const ended = last.find(({ endedAt }) => endedAt !== null);
  const lines = [
    running ? `A dream is ${running.status}: ${running.read} of ${running.inbox} read.` : "No dream is running.",
    ended
      ? `The last one ${ended.status === "nothing" ? "found nothing to do" : `ended as “${ended.status}”`} at ${ended.endedAt}: ${fenceLine(ended.summary)}`
      : "None has run yet.",
    `Waiting for the next: ${waiting.messages === 1 ? "1 message" : `${waiting.messages} messages`} and ${waiting.notes === 1 ? "1 note" : `${waiting.notes} notes`}.`,
  ];
  return said(lines.join("\n"), { running: running ?? null, last: ended ?? null, waiting });
}

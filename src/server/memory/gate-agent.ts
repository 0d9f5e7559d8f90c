// The gate's rules for agents (MCP, agents' tokens at the API and at git): they write beside the user, never over what came from elsewhere. One implementation for every door.
import { newDocument } from "../../shared/edit-document.ts";
import { parseDocument, serialiseDocument, subjectOf, type Document } from "../../shared/document.ts";
import { metaValues } from "../../shared/entry.ts";
import type { Refusal } from "../../shared/errors.ts";
import { isMarkdown } from "../../shared/paths.ts";
import type { Actor } from "../../shared/protocol.ts";
import { parseSource } from "../../shared/source.ts";
import type { FileState } from "./draft.ts";
import type { DiffLine, EntryDelta } from "./entry-diff.ts";
import { isForgottenName, MEMORY_FILE } from "./gate-files.ts";

/** The name behind an agent's actor, or null where the actor is none. */
export function agentOf(actor: Actor): string | null {
  return actor.startsWith("agent:") ? actor.slice("agent:".length) : null;
}

const forbidden = (message: string, details: Record<string, unknown>): Refusal => ({ code: "forbidden", message, details });

/** Whether a line differs at most by sources that were added: that says nothing new about it. */
export function onlyGainsSources(before: DiffLine, after: DiffLine): boolean {
  const rest = (line: DiffLine) => JSON.stringify(line.entry.meta.filter(([key]) => key !== "source"));
  const now = new Set(metaValues(after.entry.meta, "source"));
  return (
    before.path === after.path &&
    before.entry.text === after.entry.text &&
    rest(before) === rest(after) &&
    metaValues(before.entry.meta, "source").every((source) => now.has(source))
  );
}

/**
 * Agents never write MEMORY.md, never change or remove a line that they did not write themselves, never say that a line of theirs came from
 * somebody else, and leave prose, titles and other files of others as they are. Nothing of theirs lands while memory is read only or off.
 */
export function judgeAgent(
  files: ReadonlyMap<string, FileState>,
  deltas: readonly EntryDelta[],
  actor: Actor,
  memory: "on" | "read-only" | "off",
): Refusal | null {
  const name = agentOf(actor);
  if (name === null) return null;
  if (memory !== "on")
    return {
      code: "read-only",
      message: `The user has set memory to ${memory === "off" ? "off" : "read only"}. Nothing was saved; ask them to switch it on in Settings.`,
    };
  const own = `agent/${name}`;
  for (const [path, { before, after }] of files) {
    if (path !== MEMORY_FILE || (before === null && after === serialiseDocument(newDocument("Memory")))) continue;
    // A slot or an id can lead there, too: then it is no matter of another file.
    const theirs = deltas.some((delta) => delta.before?.path === path);
    return forbidden(
      theirs
        ? "That line stands in MEMORY.md, which is the user's: an agent changes, ends and forgets nothing there. Tell the user, who can do it in the app or by saying so."
        : "An agent may not write MEMORY.md: it is the user's. Use another file.",
      { path },
    );
  }
  for (const { before, after } of deltas) {
    const foreign = after && newSources(before, after).find((source) => source !== own && !isAddress(source));
    if (foreign !== undefined && foreign !== null && !isForgottenName(after!.path))
      return forbidden(
        `${after!.path}, line ${after!.entry.line}: an agent may not say that a line came from ${foreign}. Leave the source out, or name ${own}.`,
        { path: after!.path, line: after!.entry.line },
      );
    // A line without a source is the user's own hand; with an agent's name as its only one it would become that agent's.
    if (before && after && metaValues(before.entry.meta, "source").length === 0 && newSources(before, after).includes(own))
      return forbidden("An agent may not put its name to a line that the user wrote. Leave the line as it stands.", {
        path: before.path,
        id: before.id,
      });
    if (!before || (after && onlyGainsSources(before, after)) || isOwn(before.entry, own)) continue;
    return forbidden("An agent may change only what it wrote itself. Add a line of your own, or ask the user.", {
      path: before.path,
      id: before.id,
    });
  }
  for (const [path, state] of files) {
    const refusal = state.before === null || isForgottenName(path) ? null : judgeSurroundings(path, state.before, state, own);
    if (refusal) return refusal;
  }
  return null;
}

const newSources = (before: DiffLine | null, after: DiffLine): string[] => {
  const old = new Set(before ? metaValues(before.entry.meta, "source") : []);
  return metaValues(after.entry.meta, "source").filter((source) => !old.has(source));
};

const isAddress = (source: string): boolean => parseSource(source)?.kind === "url";

function isOwn({ meta }: Document["entries"][number], own: string): boolean {
  const sources = metaValues(meta, "source");
  return sources.length > 0 && sources.every((source) => source === own);
}

/** What stands between the entries of a file that an agent did not fill alone: it has no source, so it is somebody else's. */
function judgeSurroundings(path: string, before: string, { after, documents }: FileState, own: string): Refusal | null {
  const keep = () =>
    forbidden(`${path}: an agent may add lines there, and leaves what others wrote as it stands.`, {
      path,
    });
  if (!isMarkdown(path)) return keep();
  const old = documents?.before ?? parseDocument(before);
  if (old.entries.length > 0 && old.entries.every((entry) => isOwn(entry, own))) return null;
  const now = after === null ? null : (documents?.after ?? parseDocument(after));
  if (now !== null && subjectOf(path, old) !== subjectOf(path, now)) return keep();
  const left = new Map<string, number>();
  for (const text of prose(now)) left.set(text, (left.get(text) ?? 0) + 1);
  for (const text of prose(old)) {
    const count = left.get(text) ?? 0;
    if (count === 0) return keep();
    left.set(text, count - 1);
  }
  return null;
}

function prose(document: Document | null): string[] {
  return (document?.lines ?? []).flatMap(({ kind, text }) => (kind === "entry" || kind === "blank" ? [] : [text.trimEnd()]));
}

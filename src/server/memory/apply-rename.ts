// A file under another name: the file itself, every link that meant it, and every link that the new name would lead astray, in one draft.
import { serialiseDocument, type Document } from "../../shared/document.ts";
import { relinkDocument } from "../../shared/edit-document.ts";
import { linkIndex } from "../../shared/links.ts";
import { isMarkdown, pathKey } from "../../shared/paths.ts";
import type { MemoryContext } from "./context.ts";
import type { Draft } from "./draft.ts";
import { isForgottenName, MEMORY_FILE } from "./gate-files.ts";
import { newDocumentTitle } from "./new-file.ts";
import { linkBase } from "./project.ts";
import { refuseWrite } from "./refused.ts";

export interface Rename {
  from: string;
  to: string;
}

/** The last parts of links that can mean one of these files: with `.md` left out once, or twice where a name ends so. */
function basesOf(paths: readonly string[]): string[] {
  const bases = paths.map(linkBase);
  return [...new Set([...bases, ...bases.map(linkBase)])];
}

/** A title that the app made out of the old name follows it; one that somebody wrote stays. */
function retitled(document: Document, { from, to }: Rename): Document | string {
  const heading = document.headings[0];
  if (!heading || document.title !== newDocumentTitle(from)) return document;
  const title = newDocumentTitle(to);
  const lines = document.lines.map((line, at) =>
    at === heading.line - 1 ? { ...line, text: `${"#".repeat(heading.level)} ${title}` } : line,
  );
  return serialiseDocument({ ...document, lines });
}

/** Lays a rename on the draft. Throws Refused: `not-found`, `read-only`, or `bad-path` where the new name is taken. */
export function applyRename(ctx: MemoryContext, draft: Draft, rename: Rename): void {
  const { from, to } = rename;
  const document = draft.document(from);
  if (document === null) refuseWrite("not-found", `There is no file “${from}”. Nothing was changed.`, { path: from });
  if (from === to) return;
  if (from === MEMORY_FILE || isForgottenName(from) || isForgottenName(to))
    refuseWrite(
      "read-only",
      from === MEMORY_FILE
        ? "MEMORY.md is what every conversation starts with and keeps its name."
        : "The list of what was forgotten keeps its name, and no other file takes it.",
      { path: from },
    );
  if (draft.text(to) !== null)
    refuseWrite("bad-path", `“${to}” exists already. Choose another name, or move the lines one by one.`, { path: to });
  const bases = basesOf([from, to]);
  // Only files whose last part a link of these could mean decide where it leads; all others need not be read.
  const named = ctx.sql
    .exec<{ path: string }>(
      "SELECT path FROM files WHERE base IN (SELECT value FROM json_each(?))",
      JSON.stringify([...bases, ...bases.map((base) => `${base}.md`), pathKey(from)]),
    )
    .toArray()
    .map((row) => row.path);
  const before = linkIndex(named);
  const after = linkIndex([...named.filter((path) => path !== from), to]);
  const linking = ctx.sql
    .exec<{ path: string }>(
      "SELECT DISTINCT path FROM links WHERE base IN (SELECT value FROM json_each(?)) ORDER BY path",
      JSON.stringify(bases),
    )
    .toArray()
    .map((row) => row.path);
  for (const path of linking) {
    const standing = path === from ? null : draft.document(path);
    if (standing) draft.put(path, relinkDocument(standing, from, to, before, after));
  }
  draft.put(from, null);
  draft.put(to, isMarkdown(to) ? retitled(relinkDocument(document, from, to, before, after), rename) : draft.before(from));
}

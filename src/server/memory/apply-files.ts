// Whole files that an editor, an import or a revert hands over, laid on head: rebased where head has moved, new lines dressed by the writer.
import { replaceEntries } from "../../shared/edit-document.ts";
import { metaValue, setMetaFields, type Meta } from "../../shared/entry.ts";
import { stripInvisible } from "../../shared/invisible.ts";
import { isMarkdown } from "../../shared/paths.ts";
import { rebase } from "../../shared/rebase.ts";
import { isAncestor } from "../git/log.ts";
import { readTextAt } from "../git/repo.ts";
import type { MemoryContext } from "./context.ts";
import type { Draft } from "./draft.ts";
import { diffEntries, linesOf } from "./entry-diff.ts";
import { isForgottenName } from "./gate-files.ts";
import { refuseWrite } from "./refused.ts";
import { currentById, currentByRid } from "./rows.ts";
import type { WriteScope } from "./writer.ts";

type Files = Map<string, string>;

/** Whether a commit is one that this memory has stood at, or an ancestor of one. */
function isKnown(ctx: MemoryContext, commit: string, head: string): boolean {
  return ctx.store.typeOf(commit) === "commit" && isAncestor(ctx.store, commit, head);
}

/** Files outside the change to which a rebase has to look: where head has now what stood in the changed files at base. */
function alsoTouched(ctx: MemoryContext, base: Files, theirs: Files): Set<string> {
  const standing = new Set<string>();
  for (const [path, text] of theirs) for (const line of linesOf(path, text)) standing.add(line.id ?? `\n${line.name}`);
  const also = new Set<string>();
  for (const [path, text] of base) {
    for (const line of linesOf(path, text)) {
      if (standing.has(line.id ?? `\n${line.name}`)) continue;
      const row =
        line.id !== null
          ? currentById(ctx.sql, line.id)
          : ctx.sql
              .exec<{ rid: number }>("SELECT rid FROM entries WHERE name = ? LIMIT 2", line.name)
              .toArray()
              .map(({ rid }) => currentByRid(ctx.sql, rid))[0];
      if (row && !theirs.has(row.path)) also.add(row.path);
    }
  }
  return also;
}

/** Lays the files of a change on the draft. Throws Refused with `conflict` where both sides changed the same thing. */
export function applyFiles(ctx: MemoryContext, draft: Draft, scope: WriteScope): void {
  const { change } = scope;
  const files = change.files!;
  const head = draft.head;
  const base = change.read ?? change.base;
  const paths = Object.keys(files);
  if (base !== null && head !== null && base !== head && !isKnown(ctx, base, head)) {
    const path = paths[0] ?? "";
    refuseWrite("conflict", "The commit that you had read is not in the history of this memory (any more). Read it again.", {
      head,
      base: null,
      mine: files[path] ?? null,
      theirs: draft.text(path),
      path,
    });
  }
  if (head === null || base === head) {
    for (const path of paths) put(draft, scope, path, files[path]!);
  } else {
    rebaseFiles(ctx, draft, scope, base, head);
  }
  if (change.kind !== "push") dressNewLines(draft, scope);
}

function put(draft: Draft, scope: WriteScope, path: string, text: string | null): void {
  const before = draft.before(path);
  if (text === null || scope.change.kind === "push" || !isMarkdown(path)) {
    draft.put(path, text);
    return;
  }
  // Only lines that are new lose their hidden characters: what stood there before is not this writer's to change.
  const old = new Set((before ?? "").split("\n"));
  draft.put(
    path,
    text
      .split("\n")
      .map((line, at) =>
        old.has(line)
          ? line
          : at === 0 && line.startsWith("\ufeff")
            ? `\ufeff${stripInvisible(line.slice(1))}`
            : stripInvisible(line),
      )
      .join("\n"),
  );
}

function rebaseFiles(ctx: MemoryContext, draft: Draft, scope: WriteScope, base: string | null, head: string): void {
  const files = scope.change.files!;
  const textsOf = (paths: Iterable<string>, read: (path: string) => string | null): Files =>
    new Map([...paths].flatMap((path) => (read(path) === null ? [] : [[path, read(path)!] as const])));
  const atBase = (path: string) => (base === null ? null : readTextAt(ctx.store, base, path));
  const paths = new Set(Object.keys(files));
  for (const path of alsoTouched(
    ctx,
    textsOf(paths, atBase),
    textsOf(paths, (path) => draft.text(path)),
  ))
    if (!isForgottenName(path)) paths.add(path);
  const baseFiles = textsOf(paths, atBase);
  const theirs = textsOf(paths, (path) => draft.text(path));
  const mine = new Map(baseFiles);
  for (const [path, text] of Object.entries(files)) {
    if (text === null) mine.delete(path);
    else mine.set(path, text);
  }
  const forgotten = forgottenAmong(ctx, [...baseFiles.values(), ...mine.values()]);
  for (const set of forgotten === null ? [] : [baseFiles, mine, theirs]) set.set(FORGOTTEN, forgotten!);
  const result = rebase(baseFiles, mine, theirs, scope.today);
  for (const set of [baseFiles, mine, theirs, result.files]) set.delete(FORGOTTEN);
  const clash = result.conflicts[0];
  if (clash) {
    const path = paths.has(clash.path) ? clash.path : Object.keys(files)[0]!;
    refuseWrite("conflict", conflictSentence(result.conflicts.length, path), {
      head,
      base: baseFiles.get(path) ?? null,
      mine: mine.get(path) ?? null,
      theirs: theirs.get(path) ?? null,
      path,
      conflicts: result.conflicts,
    });
  }
  for (const path of new Set([...paths, ...result.files.keys()])) {
    const text = result.files.get(path) ?? null;
    if (text !== draft.text(path)) put(draft, scope, path, text);
  }
}

const FORGOTTEN = "forgotten.md";

/** The tombstones of the ids that some texts hold, as the rebase reads them: forgetting wins over every edit. */
function forgottenAmong(ctx: MemoryContext, texts: readonly string[]): string | null {
  const ids = new Set(texts.flatMap((text) => linesOf("a.md", text).flatMap((line) => line.id ?? [])));
  const rows = ctx.sql
    .exec<{ id: string; replaces: string; removed: string; match: string }>(
      "SELECT id, replaces, removed, match FROM tombstones WHERE replaces IN (SELECT value FROM json_each(?)) ORDER BY id",
      JSON.stringify([...ids]),
    )
    .toArray();
  if (rows.length === 0) return null;
  return rows
    .map((row) => `- (forgotten) [id: ${row.id}; removed: ${row.removed}; match: ${row.match}; replaces: ${row.replaces}]\n`)
    .join("");
}

function conflictSentence(count: number, path: string): string {
  return `${path} was changed meanwhile, and ${count === 1 ? "one place" : `${count} places`} clash with your change. Nothing was saved; look at both and send the text that shall stand.`;
}

/** New entries of a hand-written file get an id and the day; what they bring of their own stays. */
function dressNewLines(draft: Draft, scope: WriteScope): void {
  const fresh = diffEntries(draft.changed()).flatMap(({ verb, after }) =>
    verb === "added" && after && !isForgottenName(after.path) ? [after] : [],
  );
  const byPath = new Map<string, Set<number>>();
  for (const { path, entry } of fresh) byPath.set(path, (byPath.get(path) ?? new Set()).add(entry.line));
  for (const [path, lines] of byPath) {
    const document = draft.document(path)!;
    const dressed = new Map<number, { meta: Meta }>();
    for (const entry of document.entries) {
      if (!lines.has(entry.line) || entry.text === "") continue;
      const fields: Record<string, string | readonly string[]> = {};
      if (metaValue(entry.meta, "id") === undefined) fields.id = scope.newId();
      if (metaValue(entry.meta, "added") === undefined) fields.added = scope.today;
      if (metaValue(entry.meta, "source") === undefined && scope.change.source !== null) fields.source = [scope.change.source];
      if (Object.keys(fields).length > 0) dressed.set(entry.line, { meta: setMetaFields(entry.meta, fields) });
    }
    draft.put(path, replaceEntries(document, dressed));
  }
}

// The three-way rebase: mine laid on theirs, entry by entry, so that no side is ever lost
// (format.md, section Three-way rebase). Pure: the same three sets and day give the same result.

import { HISTORY, parseDocument, type Document, type EntryCache } from "./document.ts";
import { metaValues } from "./entry.ts";
import { isForgottenFile, isMarkdown } from "./paths.ts";
import { assembleFile } from "./rebase/assemble.ts";
import { sameInside } from "./rebase/homes.ts";
import type { Versions } from "./rebase/plan.ts";
import { followIds, forget, matchVersions, reportClash, resolveEntry, type EntryClash } from "./rebase/entries.ts";
import { isTombstone } from "./rebase/fields.ts";
import { sectionOf, type EntryNode, type SectionNode } from "./rebase/nodes.ts";
import { placeEntries } from "./rebase/places.ts";
import { readVersion, type EntryItem } from "./rebase/read.ts";
import { matchSections } from "./rebase/sections.ts";
import type { Conflict, FileSet, RebaseResult, Side, Version } from "./rebase/types.ts";

export type { FileSet, RebaseResult } from "./rebase/types.ts";

const VERSIONS: readonly Version[] = ["base", "mine", "theirs"];

function sameFiles(a: FileSet, b: FileSet, paths: readonly string[]): boolean {
  return paths.every((path) => a.get(path) === b.get(path));
}

/** Rule 1: a file that one side left alone, that both changed alike, or that is one block. */
function wholeFile(
  path: string,
  base: string | undefined,
  mine: string | undefined,
  theirs: string | undefined,
): { text: string | undefined; conflict: Conflict | null } {
  if (mine === theirs || mine === base) return { text: theirs, conflict: null };
  if (theirs === base) return { text: mine, conflict: null };
  const block = (text: string | undefined) => text ?? null;
  return {
    text: theirs,
    conflict: { path, entry: null, kind: "file", base: block(base), mine: block(mine), theirs: block(theirs) },
  };
}

/** Ids that tombstones of one text removed. */
function forgottenIds(document: Document): string[] {
  return document.entries.flatMap((entry) => (isTombstone(entry.meta) ? metaValues(entry.meta, "replaces") : []));
}

/**
 * Lays `mine` on top of `theirs`, both made from `base`. The sets may leave out files that are equal in all three,
 * except the lists of forgotten facts. `today` is a day as YYYY-MM-DD.
 */
export function rebase(base: FileSet, mine: FileSet, theirs: FileSet, today: string): RebaseResult {
  const sets = { base, mine, theirs };
  const paths = [...new Set([...base.keys(), ...mine.keys(), ...theirs.keys()])].sort();
  const listed = (set: FileSet): RebaseResult => ({
    files: new Map(paths.flatMap((path) => (set.has(path) ? [[path, set.get(path) as string] as const] : []))),
    conflicts: [],
  });
  if (sameFiles(base, mine, paths) || sameFiles(mine, theirs, paths)) return listed(theirs);
  if (sameFiles(base, theirs, paths)) return listed(mine);

  const files = new Map<string, string>();
  const conflicts: Conflict[] = [];
  const merged: string[] = [];
  const forgotten = new Set<string>();
  for (const path of paths) {
    const [b, m, t] = VERSIONS.map((version) => sets[version].get(path));
    if (b === m && b === t) {
      if (b !== undefined) files.set(path, b);
      if (b !== undefined && isForgottenFile(path)) for (const id of forgottenIds(parseDocument(b))) forgotten.add(id);
    } else if (isMarkdown(path)) {
      merged.push(path);
    } else {
      const { text, conflict } = wholeFile(path, b, m, t);
      if (text !== undefined) files.set(path, text);
      if (conflict !== null) conflicts.push(conflict);
    }
  }
  const result = mergeEntries(sets, merged, today, forgotten);
  for (const [path, text] of result.files) files.set(path, text);
  conflicts.push(...result.conflicts);
  const order = (conflict: Conflict) => `${conflict.path}\u0000${conflict.entry ?? ""}\u0000${conflict.kind}`;
  conflicts.sort((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0));
  return { files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))), conflicts };
}

function mergeEntries(
  sets: Record<Version, FileSet>,
  paths: readonly string[],
  today: string,
  forgottenBefore: ReadonlySet<string>,
): RebaseResult {
  const documents = new Map<string, Document>();
  const cache: EntryCache = new Map();
  const read = (path: string, version: Version) => {
    const text = sets[version].get(path);
    if (text === undefined) return null;
    const document = documents.get(text) ?? parseDocument(text, cache);
    documents.set(text, document);
    return readVersion(path, text, document);
  };
  const versions = new Map<string, Versions>(
    paths.map((path) => [path, { base: read(path, "base"), mine: read(path, "mine"), theirs: read(path, "theirs") }]),
  );
  const entriesOf = (version: Version): EntryItem[] => [...versions.values()].flatMap((file) => file[version]?.entries ?? []);
  const nodes = matchVersions(entriesOf("base"), entriesOf("mine"), entriesOf("theirs"), today);

  const sections = new Map<string, SectionNode[]>();
  for (const [path, file] of versions) sections.set(path, matchSections(path, file));
  let clashes: EntryClash[] = nodes.flatMap((node) => resolveEntry(node) ?? []);
  const forgotten = forget(nodes, isForgottenFile, forgottenBefore);
  clashes = clashes.filter((clash) => !forgotten.has(clash.node));
  followIds(nodes);
  placeEntries(nodes, clashes, today, (path) => historyOf(path, sections));

  const held = new Map<EntryNode | SectionNode, EntryNode[]>();
  const byPath = new Map<string, EntryNode[]>();
  const goneFrom = new Map<string, EntryNode[]>();
  for (const node of nodes) {
    if (node.result === null || node.holder === null) {
      push(goneFrom, ((node.theirs ?? node.mine ?? node.base) as EntryItem).section.file.path, node);
      continue;
    }
    push(held, node.holder, node);
    push(byPath, (sectionOf(node) as SectionNode).path, node);
  }
  const result: RebaseResult = { files: new Map(), conflicts: [] };
  const unread: EntryNode[] = [];
  for (const [path, file] of versions) {
    const here = byPath.get(path) ?? [];
    const whole = untouched(file, here);
    if (whole !== null) {
      if (whole.text !== undefined) result.files.set(path, whole.text);
      continue;
    }
    const entries = [...here, ...(goneFrom.get(path) ?? [])];
    const assembled = assembleFile({ path, versions: file, sections: sections.get(path) as SectionNode[], entries, held });
    if (assembled.text !== null) result.files.set(path, assembled.text);
    result.conflicts.push(...assembled.conflicts);
    unread.push(...assembled.unread);
  }
  for (const clash of clashes) result.conflicts.push(reportClash(clash, pathOf(clash.node)));
  for (const node of unread) result.conflicts.push(reportClash({ node, kind: "edit-edit" }, pathOf(node)));
  return result;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** Where the result holds an entry, or else where base held it. */
function pathOf(node: EntryNode): string {
  const section = node.result === null ? null : sectionOf(node);
  if (section !== null) return section.path;
  return ((node.base ?? node.theirs ?? node.mine) as EntryItem).section.file.path;
}

/** The History of a file in the result, made where it has none. */
function historyOf(path: string, sections: ReadonlyMap<string, SectionNode[]>): SectionNode {
  const list = sections.get(path) as SectionNode[];
  const known = list.findLast((section) => (section.theirs ?? section.mine)?.heading?.text === HISTORY || section.made);
  if (known !== undefined) return known;
  const made: SectionNode = { kind: "section", path, base: null, mine: null, theirs: null, made: true };
  list.push(made);
  return made;
}

/**
 * A file that one side left alone is the other side's, byte for byte, unless the result holds other entries there:
 * one that was edited, removed or forgotten elsewhere, or that came along with another one.
 */
function untouched(file: Versions, here: readonly EntryNode[]): { text: string | undefined } | null {
  const texts = { base: file.base?.text, mine: file.mine?.text, theirs: file.theirs?.text };
  const side: Side | null =
    texts.mine === texts.base || texts.mine === texts.theirs ? "theirs" : texts.theirs === texts.base ? "mine" : null;
  if (side === null) return null;
  const version = file[side];
  if (here.length !== (version?.entries.length ?? 0)) return null;
  const same = here.every((node) => {
    const item = node[side];
    if (item === null || item.section.file !== version || node.result === null) return false;
    const holder = item.parent === null ? item.section.node : item.parent.node;
    const other = node[side === "mine" ? "theirs" : "mine"];
    // What the other side wrote inside an entry, where it stood before it was moved here, has to come along.
    if (node.base !== null && other !== null && other.section.file.path !== version?.path && !sameInside(other, node.base))
      return false;
    return node.result.body.trimEnd() === item.body.trimEnd() && node.holder === holder;
  });
  return same ? { text: texts[side] } : null;
}

// What changed between two sets of files: entry by entry, by the names that the rebase uses, and by line or word for eyes.

import { createTwoFilesPatch, diffWordsWithSpace } from "diff";
import { parseDocument, type DocumentEntry } from "./document.ts";
import { metaValue, metaValues, type Meta } from "./entry.ts";
import { DIFF_MAX_EDITS } from "./limits.ts";
import { isMarkdown } from "./paths.ts";
import { idOfEntry, matchEntries, type Names } from "./rebase/match.ts";
import type { FileSet } from "./rebase/types.ts";

/** An entry and the file that holds it. */
export interface EntryAt {
  path: string;
  entry: DocumentEntry;
  /** Its id, or undefined. */
  id: string | undefined;
  /** The entry that it hangs on. */
  parent: DocumentEntry | null;
}

export type EntryChangeKind = "added" | "changed" | "closed" | "reopened" | "removed" | "moved";

/** One entry that is not as it was. */
export interface EntryChange {
  kind: EntryChangeKind;
  /** Null for an added one. */
  before: EntryAt | null;
  /** Null for a removed one. */
  after: EntryAt | null;
  /** Whether the text changed. */
  text: boolean;
  /** The keys that changed, in the order of their first appearance. */
  keys: string[];
  /** Whether it stands in another file or section. */
  moved: boolean;
}

/** All changes; an entry stands in one list only: closed and reopened before changed, changed before moved. */
export type EntryDiff = Record<EntryChangeKind, EntryChange[]>;

function entriesOf(files: FileSet, paths: readonly string[]): EntryAt[] {
  return paths.flatMap((path) => {
    const text = files.get(path);
    if (text === undefined) return [];
    const byLine = new Map<number, DocumentEntry>();
    return parseDocument(text).entries.map((entry) => {
      byLine.set(entry.line, entry);
      return { path, entry, id: idOfEntry(entry), parent: entry.parent === null ? null : (byLine.get(entry.parent) ?? null) };
    });
  });
}

const NAMES: Names<EntryAt> = {
  entry: (at) => at.entry,
  path: (at) => at.path,
  section: (at) => at.entry.section,
  parent: (at) => at.parent,
};

function changedKeys(before: Meta, after: Meta): string[] {
  const keys = new Set([...before, ...after].map(([key]) => key));
  return [...keys].filter((key) => metaValues(before, key).join("\n") !== metaValues(after, key).join("\n"));
}

/** Whether an entry was closed: what the writer leaves on it then. */
function isClosed(meta: Meta): boolean {
  return metaValue(meta, "closed") !== undefined || metaValue(meta, "why") === "wrong";
}

function compare(before: EntryAt, after: EntryAt): EntryChange | null {
  const keys = changedKeys(before.entry.meta, after.entry.meta);
  const text = before.entry.text !== after.entry.text;
  const moved = before.path !== after.path || before.entry.section !== after.entry.section;
  if (!text && keys.length === 0 && !moved) return null;
  const [was, is] = [isClosed(before.entry.meta), isClosed(after.entry.meta)];
  const kind = is && !was ? "closed" : was && !is ? "reopened" : text || keys.length > 0 ? "changed" : "moved";
  return { kind, before, after, text, keys, moved };
}

/** What changed, entry by entry, in the order of paths and lines. Files that are equal cost a comparison only. */
export function diffEntries(before: FileSet, after: FileSet): EntryDiff {
  const paths = [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => isMarkdown(path) && before.get(path) !== after.get(path))
    .sort();
  const [old, now] = [entriesOf(before, paths), entriesOf(after, paths)];
  const diff: EntryDiff = { added: [], changed: [], closed: [], reopened: [], removed: [], moved: [] };
  const found = new Set<number>();
  matchEntries(old, now, NAMES).forEach((index, at) => {
    const after = now[at] as EntryAt;
    const before = old[index];
    if (before === undefined) {
      diff.added.push({ kind: "added", before: null, after, text: true, keys: changedKeys([], after.entry.meta), moved: false });
      return;
    }
    found.add(index);
    const change = compare(before, after);
    if (change !== null) diff[change.kind].push(change);
  });
  old.forEach((before, at) => {
    if (!found.has(at)) {
      diff.removed.push({
        kind: "removed",
        before,
        after: null,
        text: true,
        keys: changedKeys(before.entry.meta, []),
        moved: false,
      });
    }
  });
  return diff;
}

/** A stretch of a text that stayed, came or went. */
export interface WordPart {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Word by word, for the eye. Texts that share too little are shown as one removal and one addition. */
export function diffWords(before: string, after: string): WordPart[] {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: DIFF_MAX_EDITS });
  if (parts === undefined) {
    return [
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ];
  }
  return parts.map((part) => ({ kind: part.added ? "added" : part.removed ? "removed" : "same", text: part.value }));
}

/** A unified diff of one file; an absent side is empty. Files that share too little are shown as replaced. */
export function unifiedDiff(path: string, before: string | null, after: string | null): string {
  const names = [before === null ? "/dev/null" : `a/${path}`, after === null ? "/dev/null" : `b/${path}`] as const;
  const patch = (a: string, b: string) =>
    createTwoFilesPatch(names[0], names[1], a, b, undefined, undefined, { context: 3, maxEditLength: DIFF_MAX_EDITS });
  const whole = patch(before ?? "", after ?? "");
  if (whole !== undefined) return whole;
  const lines = (text: string | null) => (text === null || text === "" ? [] : text.replace(/\n$/, "").split("\n"));
  const [old, now] = [lines(before), lines(after)];
  return [
    `--- ${names[0]}`,
    `+++ ${names[1]}`,
    `@@ -${old.length > 0 ? 1 : 0},${old.length} +${now.length > 0 ? 1 : 0},${now.length} @@`,
    ...old.map((line) => `-${line}`),
    ...now.map((line) => `+${line}`),
    "",
  ].join("\n");
}

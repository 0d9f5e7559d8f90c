// Which files differ between two commits. Equal subtrees are never opened.
import { Buffer } from "node:buffer";
import type { Oid } from "./oid.ts";
import { readTree, treeOf } from "./read.ts";
import type { ObjectStore } from "./store.ts";
import { compareEntries, DIR_MODE, parseTree, type TreeEntry } from "./tree.ts";

/** A file that differs: `before` null = added, `after` null = removed. */
export interface FileChange {
  path: string;
  before: Oid | null;
  after: Oid | null;
}

/** The files that differ between two commits (null = nothing at all), sorted by path as bytes. */
export function diffTrees(store: ObjectStore, a: Oid | null, b: Oid | null): FileChange[] {
  const changes: FileChange[] = [];
  const entriesOf = (tree: Oid | null): TreeEntry[] => (tree === null ? [] : parseTree(readTree(store, tree)));
  const isDir = (entry: TreeEntry | undefined): boolean => entry?.mode === DIR_MODE;

  const compare = (before: Oid | null, after: Oid | null, prefix: string): void => {
    if (before === after) return;
    const [old, now] = [entriesOf(before), entriesOf(after)];
    for (let i = 0, j = 0; i < old.length || j < now.length;) {
      const order = i >= old.length ? 1 : j >= now.length ? -1 : compareEntries(old[i]!, now[j]!);
      const from = order <= 0 ? old[i++] : undefined;
      const to = order >= 0 ? now[j++] : undefined;
      if (from && to && from.oid === to.oid && from.mode === to.mode) continue;
      const path = prefix + (from ?? to)!.name;
      if (isDir(from) || isDir(to)) compare(isDir(from) ? from!.oid : null, isDir(to) ? to!.oid : null, `${path}/`);
      if ((from && !isDir(from)) || (to && !isDir(to)))
        changes.push({ path, before: from && !isDir(from) ? from.oid : null, after: to && !isDir(to) ? to.oid : null });
    }
  };

  compare(a === null ? null : treeOf(store, a), b === null ? null : treeOf(store, b), "");
  return changes.sort((x, y) => Buffer.compare(Buffer.from(x.path), Buffer.from(y.path)));
}

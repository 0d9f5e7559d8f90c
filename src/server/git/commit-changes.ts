// Committing: file changes laid on a commit. Touches the changed blobs and the trees on their paths, nothing else; moves no ref.
import { AppError } from "../../shared/errors.ts";
import { formatCommit, type Person } from "./commit.ts";
import type { Oid } from "./oid.ts";
import { partsOf } from "./path.ts";
import { readTree, treeOf } from "./read.ts";
import type { ObjectStore } from "./store.ts";
import { DIR_MODE, editTree, FILE_MODE, findEntries, type TreeEdit } from "./tree.ts";

/** What `commitChanges` is told. `null` as content takes the file away. */
export interface CommitRequest {
  /** The commit whose tree the changes are laid on; null for the first commit. */
  parent: Oid | null;
  /** Parents of the new commit when they are others than `parent` alone (a merge). */
  parents?: Oid[];
  changes: ReadonlyMap<string, Uint8Array | null>;
  author: Person;
  committer: Person;
  message: string;
}

/** What came of it. `unchanged`: the tree is the parent's and no commit was made. */
export interface CommitResult {
  commit: Oid;
  tree: Oid;
  unchanged: boolean;
  /** Objects that were new in the store, and their bytes before deflating. */
  objects: number;
  bytes: number;
}

interface Changed {
  file?: Uint8Array | null;
  children: Map<string, Changed>;
}

const EMPTY = new Uint8Array(0);

function grow(changes: ReadonlyMap<string, Uint8Array | null>): Changed {
  const root: Changed = { children: new Map() };
  for (const [path, content] of changes) {
    let node = root;
    for (const part of partsOf(path)) {
      let child = node.children.get(part);
      if (!child) node.children.set(part, (child = { children: new Map() }));
      node = child;
    }
    node.file = content;
  }
  return root;
}

/**
 * Lays file changes on a commit and writes the result: the changed blobs, the trees on their paths, one commit, nothing else.
 * Directories that become empty disappear. The commit's time is never before that of a parent. Moves no ref.
 * Throws AppError("bad-path") for a path that is also a folder.
 */
export function commitChanges(store: ObjectStore, request: CommitRequest): CommitResult {
  let objects = 0;
  let bytes = 0;
  const write = (type: "blob" | "tree" | "commit", data: Uint8Array): Oid => {
    const { oid, added } = store.put(type, data);
    if (added) {
      objects++;
      bytes += data.byteLength;
    }
    return oid;
  };

  const apply = (tree: Oid | null, node: Changed, path: string): Oid | null => {
    const old = tree === null ? EMPTY : readTree(store, tree);
    const standing = findEntries(old, node.children.keys());
    const edits: TreeEdit[] = [];
    for (const [name, child] of node.children) {
      const here = path === "" ? name : `${path}/${name}`;
      const entry = standing.get(name);
      const under = entry?.mode === DIR_MODE ? entry.oid : null;
      let put: TreeEdit["put"] = null;
      if (child.children.size > 0) {
        const blocking = child.file === undefined && entry && !under ? entry : null;
        const subtree = apply(under, child, here);
        if (subtree !== null && (blocking || child.file)) throw clash(here);
        put = subtree === null ? blocking : { mode: DIR_MODE, oid: subtree };
      } else if (under) {
        // Taking away a file of this name changes nothing: what stands here is a folder.
        if (child.file) throw clash(here);
        put = { mode: DIR_MODE, oid: under };
      }
      if (!put && child.file) put = { mode: FILE_MODE, oid: write("blob", child.file) };
      edits.push({ name, put });
    }
    const next = editTree(old, edits);
    return next.byteLength === 0 ? null : write("tree", next);
  };

  const parents = request.parents ?? (request.parent === null ? [] : [request.parent]);
  const parentTree = request.parent === null ? null : treeOf(store, request.parent);
  const tree = apply(parentTree, grow(request.changes), "") ?? write("tree", EMPTY);
  if (request.parent !== null && tree === parentTree && parents.length === 1 && parents[0] === request.parent)
    return { commit: request.parent, tree, unchanged: true, objects, bytes };

  const at = Math.max(request.committer.at, ...parents.map((parent) => store.commitInfo(parent).at));
  const data = formatCommit({
    tree,
    parents,
    author: request.author,
    committer: { ...request.committer, at },
    extra: [],
    message: request.message,
  });
  const commit = write("commit", data);
  store.commitInfo(commit);
  return { commit, tree, unchanged: false, objects, bytes };
}

function clash(path: string): AppError {
  return new AppError("bad-path", `“${path}” would be a file and a folder at once.`, { path });
}

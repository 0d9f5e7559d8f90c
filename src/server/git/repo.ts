// What a repository can be asked and told, over rows: commit changes, read at a commit. Log and diff stand beside it.
import { AppError } from "../../shared/errors.ts";
import { commitLinks, formatCommit, type Person } from "./commit.ts";
import type { Oid } from "./oid.ts";
import type { ObjectStore } from "./store.ts";
import { DIR_MODE, editTree, FILE_MODE, findEntries, parseTree, type TreeEdit, type TreeEntry } from "./tree.ts";

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
const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

function partsOf(path: string): string[] {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".." || part.toLowerCase() === ".git" || part.includes("\0")))
    throw new AppError("bad-path", `“${path}” cannot be a path in the repository.`, { path });
  return parts;
}

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
  const tree =
    apply(parentTree, grow(request.changes), "") ?? write("tree", EMPTY);
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

function missing(oid: Oid, what: string): AppError {
  return new AppError("unavailable", `The ${what} ${oid} is missing from the store.`, { oid });
}

/** The bytes of a tree. Throws AppError("unavailable") when the object is missing or no tree. */
export function readTree(store: ObjectStore, tree: Oid): Uint8Array {
  const object = store.read(tree);
  if (object?.type !== "tree") throw missing(tree, "tree");
  return object.data;
}

/** The tree of a commit. Throws AppError("not-found") when there is no such commit. */
export function treeOf(store: ObjectStore, commit: Oid): Oid {
  const object = store.read(commit);
  if (object?.type !== "commit") throw new AppError("not-found", `There is no commit ${commit}.`, { oid: commit });
  return commitLinks(object.data).tree;
}

/** The entry at a path (file or directory), or null. */
export function treeEntry(store: ObjectStore, commit: Oid, path: string): TreeEntry | null {
  let tree = treeOf(store, commit);
  const parts = partsOf(path);
  for (const [i, part] of parts.entries()) {
    const entry = findEntries(readTree(store, tree), [part]).get(part);
    if (!entry) return null;
    if (i === parts.length - 1) return entry;
    if (entry.mode !== DIR_MODE) return null;
    tree = entry.oid;
  }
  return null;
}

/** The content of a file at a commit, or null when no file stands there. */
export function readFileAt(store: ObjectStore, commit: Oid, path: string): Uint8Array | null {
  const entry = treeEntry(store, commit, path);
  if (!entry || entry.mode === DIR_MODE) return null;
  return readBlob(store, entry.oid);
}

/** The same, as UTF-8 text; a byte order mark is kept, invalid bytes become U+FFFD. */
export function readTextAt(store: ObjectStore, commit: Oid, path: string): string | null {
  const bytes = readFileAt(store, commit, path);
  return bytes && utf8.decode(bytes);
}

/** The content of a blob. Throws AppError("unavailable") when it is missing. */
export function readBlob(store: ObjectStore, oid: Oid): Uint8Array {
  const object = store.read(oid);
  if (object?.type !== "blob") throw missing(oid, "file content");
  return object.data;
}

/** A file of a commit. `size` in bytes, only when it was asked for. */
export interface ListedFile {
  path: string;
  oid: Oid;
  size?: number;
}

/** All files below a folder ("" = all), in the order of the tree. `sizes` costs one look-up a file. */
export function* listFiles(
  store: ObjectStore,
  commit: Oid,
  prefix = "",
  { sizes = false }: { sizes?: boolean } = {},
): Generator<ListedFile> {
  const folder = prefix.replace(/\/$/, "");
  if (folder === "") return yield* below(store, treeOf(store, commit), "", sizes);
  const entry = treeEntry(store, commit, folder);
  if (entry?.mode === DIR_MODE) yield* below(store, entry.oid, `${folder}/`, sizes);
}

function* below(store: ObjectStore, tree: Oid, prefix: string, sizes: boolean): Generator<ListedFile> {
  for (const entry of parseTree(readTree(store, tree))) {
    const path = prefix + entry.name;
    if (entry.mode === DIR_MODE) yield* below(store, entry.oid, `${path}/`, sizes);
    else yield sizes ? { path, oid: entry.oid, size: store.sizeOf(entry.oid) ?? 0 } : { path, oid: entry.oid };
  }
}

export { diffTrees, type FileChange } from "./diff.ts";
export { commitAtTime, isAncestor, log, mergeBase, readCommit, type LoggedCommit, type LogOptions } from "./log.ts";

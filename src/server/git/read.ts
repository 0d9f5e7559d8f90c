// Reading a repository at a commit: trees, entries, files. Each opens only what stands on its path.
import { AppError } from "../../shared/errors.ts";
import { commitLinks } from "./commit.ts";
import type { Oid } from "./oid.ts";
import { partsOf } from "./path.ts";
import type { ObjectStore } from "./store.ts";
import { DIR_MODE, findEntries, parseTree, type TreeEntry } from "./tree.ts";

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

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

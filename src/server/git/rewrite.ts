// Rewrites commits: the same history with other files in it. Knows git's objects; what a file becomes is the caller's to say.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { AppError } from "../../shared/errors.ts";
import { commitLinks } from "./commit.ts";
import { oidToBytes, type Oid } from "./oid.ts";
import { readBlob, readTree, treeOf } from "./read.ts";
import type { ObjectStore } from "./store.ts";
import { DIR_MODE, formatTree, parseTree, type TreeEntry } from "./tree.ts";

/** What became of an object. `undefined`: not looked at yet; null: it goes. */
export interface RewriteMemo {
  get(key: Uint8Array): Oid | null | undefined;
  set(key: Uint8Array, old: Oid, next: Oid | null): void;
}

/** How a history is rewritten. */
export interface Rewrite {
  /** The bytes that a file gets (the same ones where it stays), or null where it goes. */
  file(path: string, data: Uint8Array): Uint8Array | null;
  message(text: string): string;
  memo: RewriteMemo;
}

const utf8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** An object at a place: what a file becomes depends on where it stands. */
function keyAt(path: string, oid: Oid): Uint8Array {
  return createHash("sha1").update(`${path}\0${oid}`).digest();
}

/** The name of a commit in a memo. */
export const commitKey = (oid: Oid): Uint8Array => oidToBytes(oid);

function rewriteFile(store: ObjectStore, path: string, oid: Oid, rewrite: Rewrite): Oid | null {
  const key = keyAt(path, oid);
  const known = rewrite.memo.get(key);
  if (known !== undefined) return known;
  const data = readBlob(store, oid);
  const next = rewrite.file(path, data);
  const result = next === null ? null : next === data ? oid : store.write("blob", next);
  rewrite.memo.set(key, oid, result);
  return result;
}

/** A tree that was rewritten before, and what became of it: what stands there as it did needs no second look. */
interface Base {
  old: Oid;
  next: Oid | null;
}

const byName = (store: ObjectStore, tree: Oid | null): Map<string, TreeEntry> =>
  new Map(tree === null ? [] : parseTree(readTree(store, tree)).map((entry) => [entry.name, entry]));

function rewriteTree(store: ObjectStore, path: string, oid: Oid, rewrite: Rewrite, base: Base | null): Oid | null {
  if (base?.old === oid) return base.next;
  const key = keyAt(`${path}/`, oid);
  const known = rewrite.memo.get(key);
  if (known !== undefined) return known;
  const entries = parseTree(readTree(store, oid));
  const before = byName(store, base?.old ?? null);
  const after = base && base.old === base.next ? before : byName(store, base?.next ?? null);
  const kept: TreeEntry[] = [];
  let changed = false;
  for (const entry of entries) {
    const here = path === "" ? entry.name : `${path}/${entry.name}`;
    const stood = before.get(entry.name);
    const became = after.get(entry.name);
    let next: Oid | null;
    if (stood?.oid === entry.oid && stood.mode === entry.mode) next = became?.oid ?? null;
    else if (entry.mode === DIR_MODE)
      next = rewriteTree(
        store,
        here,
        entry.oid,
        rewrite,
        stood?.mode === DIR_MODE ? { old: stood.oid, next: became?.oid ?? null } : null,
      );
    else next = rewriteFile(store, here, entry.oid, rewrite);
    if (next !== entry.oid) changed = true;
    if (next !== null) kept.push(next === entry.oid ? entry : { ...entry, oid: next });
  }
  // A folder without files does not exist; the root may be empty.
  const result = !changed ? oid : kept.length === 0 && path !== "" ? null : store.write("tree", formatTree(kept));
  rewrite.memo.set(key, oid, result);
  return result;
}

/** A commit on its new tree and parents, with its new message; every other byte of it stays. */
function rewritten(data: Uint8Array, tree: Oid, parents: readonly Oid[], message: (text: string) => string): Uint8Array {
  const { end } = commitLinks(data);
  const split = Buffer.from(data.buffer, data.byteOffset, data.byteLength).indexOf("\n\n", end - 1);
  const headers = data.subarray(end, split < 0 ? data.byteLength : split + 2);
  const old = split < 0 ? "" : utf8.decode(data.subarray(split + 2));
  const words = message(old);
  const body = words === old ? data.subarray(split < 0 ? data.byteLength : split + 2) : new TextEncoder().encode(words);
  return Buffer.concat([
    new TextEncoder().encode([`tree ${tree}\n`, ...parents.map((parent) => `parent ${parent}\n`)].join("")),
    headers,
    body,
  ]);
}

/** Rewrites a commit, and before it those of its ancestors that were not yet. Gives back its new id, the old one where nothing changed. */
export function rewriteCommit(store: ObjectStore, commit: Oid, rewrite: Rewrite): Oid {
  const pending = [commit];
  for (;;) {
    const oid = pending.at(-1)!;
    let next = rewrite.memo.get(commitKey(oid));
    if (next === undefined) {
      const object = store.read(oid);
      if (object?.type !== "commit") throw new AppError("unavailable", `Commit ${oid} is missing from the store.`, { oid });
      const { tree, parents } = commitLinks(object.data);
      const waiting = parents.filter((parent) => rewrite.memo.get(commitKey(parent)) === undefined);
      if (waiting.length > 0) {
        pending.push(...waiting.reverse());
        continue;
      }
      const newParents = parents.map((parent) => rewrite.memo.get(commitKey(parent))!);
      const [first] = parents;
      const base = first === undefined ? null : { old: treeOf(store, first), next: treeOf(store, newParents[0]!) };
      const newTree = rewriteTree(store, "", tree, rewrite, base)!;
      const bytes = rewritten(object.data, newTree, newParents, rewrite.message);
      next = Buffer.compare(bytes, object.data) === 0 ? oid : store.write("commit", bytes);
      store.commitInfo(next);
      rewrite.memo.set(commitKey(oid), oid, next);
    }
    pending.pop();
    if (pending.length === 0) return next!;
  }
}

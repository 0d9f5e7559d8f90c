// Whether a pack fits a repository: it leads from where the branch stands to the new commit, nothing is missing, every commit and tree is sound.
// What the files say is judged by whoever receives the push.
import { AppError } from "../../shared/errors.ts";
import type { Commit } from "./commit.ts";
import { judgeCommit } from "./judge-commit.ts";
import { judgeTree } from "./judge-tree.ts";
import { isAncestor } from "./log.ts";
import { EMPTY_TREE, type ObjectType, type Oid } from "./oid.ts";
import type { ParsedPack } from "./pack-read.ts";
import { readTree } from "./read.ts";
import type { GitObject, ObjectStore } from "./store.ts";
import { DIR_MODE, parseTree, type TreeEntry } from "./tree.ts";

/** Entries of judged trees that are kept open: a few megabytes. */
const OPEN_ENTRIES_MAX = 20_000;

/** A push that is sound as git goes. */
export interface Push {
  ref: string;
  before: Oid | null;
  after: Oid;
  /** The commits that are new on the branch, parents first. */
  commits: { oid: Oid; commit: Commit }[];
  /** Ids of the objects that are new in the store, all of them reachable from `after`. */
  objects: Oid[];
  /** An object as it will be: from the pack, else from the store. */
  read(oid: Oid): GitObject | null;
  /** Writes the new objects. Call it inside the transaction that moves the ref, so that a refusal leaves nothing behind. */
  write(): void;
}

/** Judges a pack for one branch. Throws AppError("conflict") for a push that does not go forward, else "bad-format", "bad-path" or "too-large". */
export function judgePush(
  store: ObjectStore,
  pack: ParsedPack,
  { ref, before, after }: { ref: string; before: Oid | null; after: Oid },
  now: number,
): Push {
  const read = (oid: Oid): GitObject | null =>
    pack.read(oid) ?? store.read(oid) ?? (oid === EMPTY_TREE ? { type: "tree", data: new Uint8Array(0) } : null);
  const stands = (oid: Oid): boolean => store.typeOf(oid) === "commit" && before !== null && isAncestor(store, oid, before);

  const commits = newCommits(after, pack, stands, now);
  if (before !== null && after !== before && !leadsBack(commits, before))
    throw new AppError(
      "conflict",
      "This push would take commits away: fetch, merge, and push again. History is only ever added to here, also with --force.",
    );

  const objects = new Map<Oid, ObjectType>();
  const check = (oid: Oid, type: ObjectType): void => {
    const packed = pack.objects.get(oid);
    if (packed && packed.type !== type)
      throw new AppError("bad-format", `Object ${oid} should be a ${type} and is a ${packed.type}.`, { oid });
  };
  const need = (oid: Oid, type: ObjectType): void => {
    check(oid, type);
    if (!objects.has(oid)) objects.set(oid, type);
  };
  const judged = new Set<string>();
  const openTree = (oid: Oid, folder: string, base: Oid | null): void => {
    check(oid, "tree");
    openBelow(oid, folder, base);
    // Behind the trees in it: they are written in this order.
    need(oid, "tree");
  };
  const openBelow = (oid: Oid, folder: string, base: Oid | null): void => {
    if (oid === base || judged.has(`${oid} ${folder}`)) return;
    // A tree that stands in the store was judged when it came, but perhaps at another place.
    const old = base === null ? [] : entriesOf(base);
    const standing = new Map(old.map((entry) => [entry.name, entry]));
    const object = read(oid);
    if (object?.type !== "tree") throw new AppError("bad-format", `Tree ${oid} is missing from this push.`, { oid });
    const entries = judgeTree(oid, object.data, folder, new Set(standing.keys()));
    judged.add(`${oid} ${folder}`);
    keepOpen(oid, entries);
    for (const entry of entries) {
      const under = standing.get(entry.name);
      if (under?.oid === entry.oid && under.mode === entry.mode) continue;
      if (entry.mode !== DIR_MODE) need(entry.oid, "blob");
      else if (entry.oid === EMPTY_TREE)
        throw new AppError("bad-format", `The folder “${folder === "" ? "" : `${folder}/`}${entry.name}” is empty.`);
      else
        openTree(entry.oid, folder === "" ? entry.name : `${folder}/${entry.name}`, under?.mode === DIR_MODE ? under.oid : null);
    }
  };
  // The trees of the next commit are compared with these.
  const opened = new Map<Oid, TreeEntry[]>();
  let held = 0;
  const keepOpen = (oid: Oid, entries: TreeEntry[]): void => {
    held += entries.length;
    if (held > OPEN_ENTRIES_MAX) {
      opened.clear();
      held = entries.length;
    }
    opened.set(oid, entries);
  };
  const entriesOf = (oid: Oid): TreeEntry[] => {
    const known = opened.get(oid);
    if (known) return known;
    const object = pack.read(oid);
    return parseTree(object?.type === "tree" ? object.data : oid === EMPTY_TREE ? new Uint8Array(0) : readTree(store, oid));
  };
  const treeOf = new Map(commits.map(({ oid, commit }) => [oid, commit.tree]));
  for (const { oid, commit } of commits) {
    need(oid, "commit");
    const parent = commit.parents[0];
    openTree(commit.tree, "", parent === undefined ? null : (treeOf.get(parent) ?? treeIn(store, parent)));
  }

  const types = store.typesOf([...objects.keys()]);
  const fresh: Oid[] = [];
  for (const [oid, type] of objects) {
    const stored = types.get(oid) ?? null;
    if (stored === null && !pack.objects.has(oid) && oid !== EMPTY_TREE)
      throw new AppError("bad-format", `The ${type} ${oid} is missing from this push.`, { oid });
    if (stored !== null && stored !== type)
      throw new AppError("bad-format", `Object ${oid} should be a ${type} and is a ${stored}.`, { oid });
    if (stored === null) fresh.push(oid);
  }
  // Written in this order, so that every object stands behind those that it refers to.
  const rank: Record<ObjectType, number> = { blob: 0, tree: 1, commit: 2, tag: 3 };
  fresh.sort((a, b) => rank[objects.get(a)!] - rank[objects.get(b)!]);
  return {
    ref,
    before,
    after,
    commits,
    objects: fresh,
    read,
    write: () => {
      for (const oid of fresh) {
        const { type, data } = read(oid)!;
        store.write(type, data);
      }
    },
  };
}

function treeIn(store: ObjectStore, commit: Oid): Oid {
  const object = store.read(commit);
  if (object?.type !== "commit") throw new AppError("bad-format", `Commit ${commit} is missing from this push.`, { oid: commit });
  return new TextDecoder("latin1").decode(object.data.subarray(5, 45));
}

/** The commits from the branch up to `after`, parents first. Every one must be in the pack. */
function newCommits(after: Oid, pack: ParsedPack, stands: (oid: Oid) => boolean, now: number): Push["commits"] {
  const ordered: Push["commits"] = [];
  const state = new Map<Oid, "open" | "done">();
  const pending: { oid: Oid; commit: Commit | null }[] = [{ oid: after, commit: null }];
  for (let top = pending.at(-1); top; top = pending.at(-1)) {
    if (top.commit) {
      pending.pop();
      if (state.get(top.oid) !== "done") ordered.push({ oid: top.oid, commit: top.commit });
      state.set(top.oid, "done");
      continue;
    }
    if (state.has(top.oid) || stands(top.oid)) {
      pending.pop();
      continue;
    }
    const object = pack.read(top.oid);
    if (!object) throw new AppError("bad-format", `Commit ${top.oid} is missing from this push.`, { oid: top.oid });
    if (object.type !== "commit")
      throw new AppError("bad-format", `${top.oid} is a ${object.type}; a branch leads to a commit.`, { oid: top.oid });
    top.commit = judgeCommit(top.oid, object.data, now);
    state.set(top.oid, "open");
    for (const parent of [...top.commit.parents].reverse()) pending.push({ oid: parent, commit: null });
  }
  return ordered;
}

/** Whether one of the new commits, or one of their parents, is the commit where the branch stands. */
function leadsBack(commits: Push["commits"], before: Oid): boolean {
  return commits.some(({ commit }) => commit.parents.includes(before));
}

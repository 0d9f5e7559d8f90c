// The index beside the commits: generation, depth and a jump far back, so that questions about long histories take few steps.
// A projection: rows are made when a commit is first asked about, parents first.
import { AppError } from "../../shared/errors.ts";
import { commitLinks, parseCommit } from "./commit.ts";
import { oidFromBytes, oidToBytes, type Oid } from "./oid.ts";
import { firstRow, type Sql } from "./sql.ts";

/** What is kept about a commit beside its object, so that walks over long histories are short. */
export interface CommitInfo {
  id: number;
  oid: Oid;
  /** 1 + the largest generation of its parents: an ancestor always has a smaller one. */
  generation: number;
  /** Steps to the root over first parents. */
  depth: number;
  /** Row of the first parent, null at the root. */
  parent: number | null;
  /** Row of an ancestor on the first-parent line, further away the deeper the commit stands (null at the root). */
  jump: number | null;
  /** Commit time in ms, never before that of a parent. */
  at: number;
}

/** The index of one repository. */
export interface CommitIndex {
  /** Throws AppError("not-found") when there is no such commit. */
  commitInfo(oid: Oid): CommitInfo;
  commitInfoById(id: number): CommitInfo;
}

type InfoRow = {
  id: number;
  oid: ArrayBuffer;
  parent: number | null;
  jump: number | null;
  depth: number;
  generation: number;
  at: number;
};

/** Opens the index over the objects that `read` and `idOf` (row ids) know. */
export function openCommitIndex(
  sql: Sql,
  repo: number,
  objects: { read(oid: Oid): { type: string; data: Uint8Array } | null; idOf(oid: Oid): number | null },
): CommitIndex {
  const info = (where: string, binding: number | Uint8Array): CommitInfo | null => {
    const row = firstRow<InfoRow>(
      sql,
      `SELECT c.id, o.oid, c.parent, c.jump, c.depth, c.generation, c.at FROM git_objects o JOIN git_commits c ON c.id = o.id WHERE ${where}`,
      ...(typeof binding === "number" ? [binding] : [repo, binding]),
    );
    return row && { ...row, oid: oidFromBytes(row.oid) };
  };
  const commitInfoById = (id: number): CommitInfo => {
    const found = info("o.id = ?", id);
    if (!found) throw new AppError("unavailable", `The commit of row ${id} is missing from the store.`, { id });
    return found;
  };

  /** Adds a commit whose parents are known. The jump is that of a skew-binary list (Myers 1983): any ancestor in O(log n) steps. */
  const index = (oid: Oid, data: Uint8Array, parents: CommitInfo[]): CommitInfo => {
    const first = parents[0];
    const jump = first && first.jump !== null ? commitInfoById(first.jump) : null;
    const further = jump && jump.jump !== null ? commitInfoById(jump.jump) : null;
    const equalSteps = first && jump && further && first.depth - jump.depth === jump.depth - further.depth;
    const added: CommitInfo = {
      id: objects.idOf(oid)!,
      oid,
      parent: first?.id ?? null,
      jump: !first ? null : equalSteps ? further.id : first.id,
      depth: first ? first.depth + 1 : 0,
      generation: 1 + Math.max(0, ...parents.map((parent) => parent.generation)),
      at: Math.max(parseCommit(data).committer.at, ...parents.map((parent) => parent.at)),
    };
    sql.exec(
      "INSERT INTO git_commits (id, parent, jump, depth, generation, at) VALUES (?, ?, ?, ?, ?, ?)",
      added.id,
      added.parent,
      added.jump,
      added.depth,
      added.generation,
      added.at,
    );
    return added;
  };

  const commitInfo = (oid: Oid): CommitInfo => {
    // A stack instead of recursion: an imported history may be 100,000 commits deep.
    const pending = [oid];
    for (;;) {
      const next = pending.at(-1)!;
      let found = info("o.repo = ? AND o.oid = ?", oidToBytes(next));
      if (!found) {
        const object = objects.read(next);
        if (object?.type !== "commit") throw new AppError("not-found", `There is no commit ${next}.`, { oid: next });
        const { parents } = commitLinks(object.data);
        const known = parents.map((parent) => info("o.repo = ? AND o.oid = ?", oidToBytes(parent)));
        const unknown = parents.filter((_, i) => !known[i]);
        if (unknown.length > 0) {
          pending.push(...unknown);
          continue;
        }
        found = index(next, object.data, known as CommitInfo[]);
      }
      pending.pop();
      if (pending.length === 0) return found;
    }
  };

  return { commitInfo, commitInfoById };
}

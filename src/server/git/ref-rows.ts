// Refs and their log as rows: every move is a compare-and-swap and leaves a line.
import { AppError } from "../../shared/errors.ts";
import { oidFromBytes, oidToBytes, type Oid } from "./oid.ts";
import { firstRow, type Sql } from "./sql.ts";

/** Why a ref moved. Kind and actor are the caller's words; `at` is in milliseconds since 1970. */
export interface Move {
  kind: string;
  actor: string;
  at: number;
}

/** One line of the ref log. `seq` counts up by ref and is the cursor of a page. */
export interface RefMove extends Move {
  seq: number;
  before: Oid | null;
  after: Oid | null;
}

/** The refs of one repository. */
export interface Refs {
  ref(name: string): Oid | null;
  refs(prefix?: string): { name: string; oid: Oid }[];
  /** Compare-and-swap of a ref; throws AppError("conflict") when it does not stand at `expected`. Appends to the ref log. */
  moveRef(name: string, expected: Oid | null, next: Oid | null, move: Move): void;
  /** Moves of a ref, newest first. `before` = the smallest `seq` of the page before. */
  refLog(name: string, page?: { limit?: number; before?: number }): RefMove[];
}

/** Opens the refs. `checkCommit` throws for an id that no ref may lead to. */
export function openRefs(sql: Sql, repo: number, checkCommit: (oid: Oid) => void): Refs {
  const ref = (name: string): Oid | null => {
    const row = firstRow<{ oid: ArrayBuffer }>(sql, "SELECT oid FROM git_refs WHERE repo = ? AND name = ?", repo, name);
    return row && oidFromBytes(row.oid);
  };

  return {
    ref,
    refs: (prefix = "") =>
      sql
        .exec<{ name: string; oid: ArrayBuffer }>(
          "SELECT name, oid FROM git_refs WHERE repo = ? AND substr(name, 1, ?) = ? ORDER BY name",
          repo,
          [...prefix].length,
          prefix,
        )
        .toArray()
        .map((row) => ({ name: row.name, oid: oidFromBytes(row.oid) })),
    moveRef: (name, expected, next, { kind, actor, at }) => {
      const current = ref(name);
      if (current !== expected)
        throw new AppError("conflict", `${name} has moved on: it stands at ${current ?? "nothing"}.`, {
          ref: name,
          expected,
          head: current,
        });
      if (next !== null) checkCommit(next);
      if (next === null) sql.exec("DELETE FROM git_refs WHERE repo = ? AND name = ?", repo, name);
      else
        sql.exec(
          "INSERT INTO git_refs (repo, name, oid) VALUES (?, ?, ?) ON CONFLICT (repo, name) DO UPDATE SET oid = excluded.oid",
          repo,
          name,
          oidToBytes(next),
        );
      const last = firstRow<{ seq: number }>(
        sql,
        "SELECT seq FROM git_ref_log WHERE repo = ? AND name = ? ORDER BY seq DESC LIMIT 1",
        repo,
        name,
      );
      sql.exec(
        "INSERT INTO git_ref_log (repo, name, seq, before, after, kind, actor, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        repo,
        name,
        (last?.seq ?? 0) + 1,
        expected && oidToBytes(expected),
        next && oidToBytes(next),
        kind,
        actor,
        at,
      );
    },
    refLog: (name, { limit = 50, before = Number.MAX_SAFE_INTEGER } = {}) =>
      sql
        .exec<{ seq: number; before: ArrayBuffer | null; after: ArrayBuffer | null; kind: string; actor: string; at: number }>(
          "SELECT seq, before, after, kind, actor, at FROM git_ref_log WHERE repo = ? AND name = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
          repo,
          name,
          before,
          limit,
        )
        .toArray()
        .map((row) => ({ ...row, before: row.before && oidFromBytes(row.before), after: row.after && oidFromBytes(row.after) })),
  };
}

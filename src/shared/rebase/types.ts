// What goes into a rebase and what comes out of it.

/** All files of a memory, or those of them that a rebase is about: path to content. */
export type FileSet = ReadonlyMap<string, string>;

/** What clashed: two edits of an entry, an edit and a removal of one, other lines, or a file that is one block. */
export type ConflictKind = "edit-edit" | "edit-remove" | "prose" | "file";

/** A clash. The result holds theirs; all three are here, so that no side is lost. */
export interface Conflict {
  /** Where the result holds it, or else where base held it. */
  path: string;
  /** The entry's id, or its normalised text where it has none; null for prose and files. */
  entry: string | null;
  kind: ConflictKind;
  /** The line, block or file as each side has it; null where it has none. */
  base: string | null;
  mine: string | null;
  theirs: string | null;
}

/** The files after a rebase, by path in order, and what could not be joined. */
export interface RebaseResult {
  files: Map<string, string>;
  conflicts: Conflict[];
}

/** The three versions of a rebase. */
export type Version = "base" | "mine" | "theirs";
/** The two versions that changed something. */
export type Side = "mine" | "theirs";

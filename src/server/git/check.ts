// Whether the rows are what they say: every hash, every reference from one object to another, every ref. Names what is wrong, repairs nothing.
import { AppError, refusalOf } from "../../shared/errors.ts";
import { commitLinks, parseCommit } from "./commit.ts";
import { hashObject, oidFromBytes, type ObjectType, type Oid } from "./oid.ts";
import { tagTarget } from "./tag.ts";
import { inflateObject, type ObjectStore, type ScannedObject } from "./store.ts";
import { compareEntries, DIR_MODE, parseTree } from "./tree.ts";

/** Bytes after inflating that one slice reads before it stops early: a slice is short whatever stands in it. */
const SLICE_BYTES = 8 * 1024 * 1024;

/** One thing that is wrong, and where. */
export interface Problem {
  oid: Oid;
  what: string;
}

/** What a slice found. `next`: the cursor of the following slice, null after the last one. */
export interface CheckedSlice {
  checked: number;
  problems: Problem[];
  next: number | null;
}

/**
 * Checks objects in the order of their rows: content against id and size, form of trees and commits, and that whatever an object refers to exists.
 * When all slices and all refs are clean, everything reachable is there.
 */
export function verifyObjects(
  store: ObjectStore,
  { from = 0, limit = 1000 }: { from?: number; limit?: number } = {},
): CheckedSlice {
  const problems: Problem[] = [];
  const referred = new Map<Oid, { by: Oid; type: ObjectType }>();
  let checked = 0;
  let bytes = 0;
  let last = from;
  let full = false;
  for (const row of store.scan(from, limit)) {
    checked++;
    last = row.id;
    bytes += row.size;
    try {
      for (const [oid, type] of verifyObject(row)) if (!referred.has(oid)) referred.set(oid, { by: oidFromBytes(row.key), type });
    } catch (error) {
      problems.push({ oid: oidFromBytes(row.key), what: refusalOf(error)?.message ?? String(error) });
    }
    if (bytes >= SLICE_BYTES) {
      full = true;
      break;
    }
  }
  for (const [oid, type] of store.typesOf([...referred.keys()])) {
    const { by, type: wanted } = referred.get(oid)!;
    if (type === null) problems.push({ oid: by, what: `It refers to ${wanted} ${oid}, which is missing.` });
    else if (type !== wanted) problems.push({ oid: by, what: `It refers to ${oid} as a ${wanted}, which is a ${type}.` });
  }
  return { checked, problems, next: full || checked === limit ? last : null };
}

/** Checks one object and gives what it refers to. Throws AppError with what is wrong. */
function verifyObject(packed: ScannedObject): Map<Oid, ObjectType> {
  const fail = (what: string): never => {
    throw new AppError("unavailable", what);
  };
  if (packed.type === null) return fail("Its kind is none of git's.");
  const data = inflateObject(packed);
  const hash = hashObject(packed.type, data);
  if (hash !== oidFromBytes(packed.key)) fail(`Its content hashes to ${hash}.`);
  const references = new Map<Oid, ObjectType>();
  if (packed.type === "commit") {
    parseCommit(data);
    const { tree, parents } = commitLinks(data);
    references.set(tree, "tree");
    for (const parent of parents) references.set(parent, "commit");
  } else if (packed.type === "tree") {
    const entries = parseTree(data);
    for (const [i, entry] of entries.entries()) {
      if (i > 0 && compareEntries(entries[i - 1]!, entry) >= 0) fail(`The tree is not in order at “${entry.name}”.`);
      if (entry.mode !== "160000") references.set(entry.oid, entry.mode === DIR_MODE ? "tree" : "blob");
    }
    if (new Set(entries.map(({ name }) => name)).size < entries.length) fail("The tree holds a name twice.");
  } else if (packed.type === "tag") {
    const type = /\ntype (commit|tree|blob|tag)\n/.exec(new TextDecoder().decode(data))?.[1] as ObjectType | undefined;
    references.set(tagTarget(data), type ?? "commit");
  }
  return references;
}

/** Checks that every ref leads to a commit or a tag, and that its place in the commit index can be worked out. */
export function verifyRefs(store: ObjectStore): Problem[] {
  const problems: Problem[] = [];
  for (const { name, oid } of store.refs()) {
    const type = store.typeOf(oid);
    if (type === null) problems.push({ oid, what: `${name} leads to it, and it is missing.` });
    else if (type !== "commit" && !(type === "tag" && name.startsWith("refs/tags/")))
      problems.push({ oid, what: `${name} leads to a ${type}.` });
    else if (type === "commit") {
      try {
        store.commitInfo(oid);
      } catch (error) {
        problems.push({ oid, what: `${name} cannot be walked: ${refusalOf(error)?.message ?? String(error)}` });
      }
    }
  }
  return problems;
}

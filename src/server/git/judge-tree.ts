// Whether a foreign tree may stand in a repository: form, order, modes, names. Paths are an allow-list; what git lets through is not the measure.
import { AppError } from "../../shared/errors.ts";
import { checkPath, pathKey } from "../../shared/paths.ts";
import type { Oid } from "./oid.ts";
import { compareEntries, DIR_MODE, FILE_MODE, parseTree, type TreeEntry } from "./tree.ts";

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const MODES: Record<string, string> = { "120000": "a symbolic link", "160000": "a submodule", "100755": "an executable file" };

/**
 * Reads a tree that stands at a folder ("" = root) and refuses what may not stand there. Entries that `before` holds under the same name were judged
 * when they came. Throws AppError("bad-format" or "bad-path") that names the path.
 */
export function judgeTree(oid: Oid, data: Uint8Array, folder: string, before: ReadonlySet<string>): TreeEntry[] {
  const here = folder === "" ? "The root folder" : `The folder “${folder}”`;
  try {
    strictUtf8.decode(namesOf(data));
  } catch {
    throw new AppError("bad-path", `${here} holds a name that is not UTF-8.`, { path: folder });
  }
  const entries = parseTree(data);
  const seen = new Map<string, string>();
  for (const [i, entry] of entries.entries()) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    const refuse = (code: "bad-format" | "bad-path", what: string): never => {
      throw new AppError(code, `“${path}” ${what}`, { path, tree: oid });
    };
    if (entry.mode !== FILE_MODE && entry.mode !== DIR_MODE)
      refuse("bad-format", `is ${MODES[entry.mode] ?? `of mode ${entry.mode}`}; a memory holds ordinary files only.`);
    if (/^0+$/.test(entry.oid)) refuse("bad-format", "leads to nothing.");
    if (entry.name.includes("/")) refuse("bad-path", "has a slash within a name.");
    if (i > 0 && compareEntries(entries[i - 1]!, entry) >= 0)
      refuse("bad-format", "is not in git's order, or stands there twice.");
    const key = pathKey(entry.name);
    const twin = seen.get(key);
    if (twin !== undefined)
      refuse("bad-path", `and “${twin}” cannot stand beside each other: they differ in case or spelling only.`);
    seen.set(key, entry.name);
    if (before.has(entry.name)) continue;
    const check = checkPath(path);
    if (!check.ok) refuse("bad-path", `cannot be a path: ${check.rule}`);
  }
  return entries;
}

/** The bytes of a tree with its ids blanked: what is left must be text. */
function namesOf(data: Uint8Array): Uint8Array {
  const names = new Uint8Array(data);
  for (let at = names.indexOf(0); at >= 0; at = names.indexOf(0, at + 21)) names.fill(0, at, at + 21);
  return names;
}

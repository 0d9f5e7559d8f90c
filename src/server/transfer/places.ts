// Where each file of one import stands: folders as they are spelled here, and no two names that some system would take for one.
import { pathKey } from "../../shared/paths.ts";
import type { MemoryContext } from "../memory/context.ts";

/** Gives each file of an import a path of its own, in the order in which they are asked for. */
export function openPlaces({ sql }: Pick<MemoryContext, "sql">): (path: string) => string {
  /** Spellings of folders, by their key. */
  const folders = new Map<string, string>();
  const files = new Set<string>();

  const isFile = (key: string): boolean =>
    files.has(key) || sql.exec("SELECT 1 FROM files WHERE fold = ? LIMIT 1", key).toArray().length > 0;
  const standingBelow = (key: string): string | null =>
    sql.exec<{ path: string }>("SELECT path FROM files WHERE fold >= ? AND fold < ? LIMIT 1", `${key}/`, `${key}0`).toArray()[0]
      ?.path ?? null;
  const folderOf = (wanted: string): string => {
    const key = pathKey(wanted);
    const known = folders.get(key);
    if (known !== undefined) return known;
    const standing = standingBelow(key);
    const depth = wanted.split("/").length;
    const spelled = standing?.split("/").slice(0, depth).join("/") ?? wanted;
    // A folder of the name of a file: one of both needs another.
    const free = standing === null && isFile(key) ? folderOf(`${wanted}_`) : spelled;
    folders.set(key, free);
    return free;
  };

  return (path) => {
    const parts = path.split("/");
    const name = parts.pop()!;
    let folder = "";
    for (const part of parts) folder = folderOf(folder === "" ? part : `${folder}/${part}`);
    const inFolder = folder === "" ? name : `${folder}/${name}`;
    const stem = inFolder.replace(/\.md$/i, "");
    for (let n = 1; ; n++) {
      const place = n === 1 ? inFolder : `${stem}-${n}.md`;
      const key = pathKey(place);
      if (files.has(key) || folders.has(key) || standingBelow(key) !== null) continue;
      files.add(key);
      return place;
    }
  };
}

// The files of the memory as a tree: MEMORY first, then folders, then the other files, `forgotten` last. Pure.
import type { FileView } from "../../shared/protocol.ts";
import { leafName } from "../lib/paths.ts";

export interface Twig {
  /** Path of a file, or of a folder with a slash at its end; "" is the root. */
  id: string;
  name: string;
  folder: boolean;
  /** Lines in the file, or in all files of the folder. */
  entries: number;
  children: string[];
}

const ORDER = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function rank(twig: Twig): number {
  if (twig.id === "MEMORY.md") return 0;
  if (twig.id === "forgotten.md" || twig.id === "forgotten/") return 3;
  return twig.folder ? 1 : 2;
}

/** All twigs by their id. A filter keeps the files whose path holds it, and the folders above them. */
export function treeOf(files: readonly FileView[], filter = ""): Map<string, Twig> {
  const root: Twig = { id: "", name: "", folder: true, entries: 0, children: [] };
  const twigs = new Map<string, Twig>([["", root]]);
  const words = filter.trim().toLocaleLowerCase();
  for (const file of files) {
    if (words !== "" && !file.path.toLocaleLowerCase().includes(words)) continue;
    const parts = file.path.split("/");
    let parent = root;
    for (let depth = 0; depth < parts.length - 1; depth += 1) {
      const id = `${parts.slice(0, depth + 1).join("/")}/`;
      let folder = twigs.get(id);
      if (!folder) {
        folder = { id, name: parts[depth] as string, folder: true, entries: 0, children: [] };
        twigs.set(id, folder);
        parent.children.push(id);
      }
      folder.entries += file.entries;
      parent = folder;
    }
    twigs.set(file.path, { id: file.path, name: leafName(file.path), folder: false, entries: file.entries, children: [] });
    parent.children.push(file.path);
  }
  for (const twig of twigs.values()) {
    twig.children.sort((a, b) => {
      const left = twigs.get(a) as Twig;
      const right = twigs.get(b) as Twig;
      return rank(left) - rank(right) || ORDER.compare(left.name, right.name);
    });
  }
  return twigs;
}

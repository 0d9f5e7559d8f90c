// Resolves links against the files of the memory without looking at all of them: whatever a link can mean ends in its own last part.
import { linkIndex, type LinkIndex } from "../../shared/links.ts";
import { pathKey } from "../../shared/paths.ts";
import type { MemoryContext } from "./context.ts";
import { linkBase } from "./project.ts";
import { filesAt } from "./rows.ts";

/** From a link's path to the path of a file, or null where it is broken. */
export type ResolveLink = (linkPath: string) => string | null;

/** A resolver for the files at `seq` (null = head). */
export function linkResolver(sql: MemoryContext["sql"], seq: number | null): ResolveLink {
  if (seq !== null) {
    let index: LinkIndex | null = null;
    return (link) => (index ??= linkIndex(filesAt(sql, seq).map((file) => file.path))).resolve(link);
  }
  const known = new Map<string, LinkIndex>();
  return (link) => {
    // A file may have `.md` twice: then the link's own ending belongs to its name.
    const bases = [linkBase(link), pathKey(link.slice(link.lastIndexOf("/") + 1))] as const;
    const key = bases.join("\n");
    let index = known.get(key);
    if (!index)
      known.set(
        key,
        (index = linkIndex(
          sql
            .exec<{ path: string }>("SELECT path FROM files WHERE base IN (?, ?)", ...bases)
            .toArray()
            .map((row) => row.path),
        )),
      );
    return index.resolve(link);
  };
}

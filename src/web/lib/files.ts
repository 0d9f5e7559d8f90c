// The files of the memory, read once and shared: by the tree, by links, by the palette.
import { useMemo } from "react";
import { linkIndex, type LinkIndex } from "../../shared/links.ts";
import { api } from "./api.ts";
import { useResource } from "./resource.ts";

export interface Files {
  paths: readonly string[];
  index: LinkIndex;
  head: string | null;
}

/** Paths of all files today, with their link index; undefined until they are known. */
export function useFiles(): Files | undefined {
  const { data } = useResource("memory:", (signal) => api.memory({}, signal));
  return useMemo(() => {
    if (!data) return undefined;
    const paths = data.files.map((file) => file.path);
    return { paths, index: linkIndex(paths), head: data.head };
  }, [data]);
}

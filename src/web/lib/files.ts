// The files of the memory, read once and shared: by the tree, by links, by the palette.
import { api } from "./api.ts";
import { useResource } from "./resource.ts";
import { useMemo } from "react";

/** Paths of all files; undefined until they are known. */
export function useFiles(): readonly string[] | undefined {
  const { data } = useResource("memory:", (signal) => api.memory({}, signal));
  return useMemo(() => data?.files.map((file) => file.path), [data]);
}

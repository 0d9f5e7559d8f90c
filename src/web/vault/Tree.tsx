// The tree of files: one tab stop, arrows to walk, type to find; counts at the right.
import { useEffect, useMemo, useRef } from "react";
import { hotkeysCoreFeature, syncDataLoaderFeature } from "@headless-tree/core";
import { useTree } from "@headless-tree/react";
import type { FileView } from "../../shared/protocol.ts";
import { kept } from "../lib/store.ts";
import { treeOf, type Twig } from "./tree-data.ts";

const CLOSED = "reverie.vault.closed";
const GONE: Twig = { id: "?", name: "", folder: false, entries: 0, children: [] };

function readClosed(): string[] {
  try {
    const value = JSON.parse(kept.get(CLOSED) ?? "[]") as unknown;
    return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
  } catch {
    return [];
  }
}

export function Tree({
  files,
  filter,
  current,
  open,
}: {
  files: readonly FileView[];
  filter: string;
  current: string | null;
  open: (path: string) => void;
}) {
  const twigs = useMemo(() => treeOf(files, filter), [files, filter]);
  const latest = useRef(twigs);
  latest.current = twigs;
  const folders = useMemo(
    () => [...twigs.values()].filter((twig) => twig.folder && twig.id !== "").map((twig) => twig.id),
    [twigs],
  );
  const closed = useRef(new Set(readClosed()));
  const tree = useTree<Twig>({
    rootItemId: "",
    initialState: { expandedItems: ["", ...folders.filter((id) => !closed.current.has(id))] },
    getItemName: (item) => item.getItemData().name,
    isItemFolder: (item) => item.getItemData().folder,
    onPrimaryAction: (item) => {
      if (!item.isFolder()) open(item.getId());
    },
    dataLoader: {
      getItem: (id) => latest.current.get(id) ?? GONE,
      getChildren: (id) => latest.current.get(id)?.children ?? [],
    },
    features: [syncDataLoaderFeature, hotkeysCoreFeature],
  });
  const known = useRef(new Set(folders));
  useEffect(() => {
    // A folder that is new is open; while a filter is set, all of them are.
    const state = tree.getState().expandedItems;
    const wanted =
      filter.trim() !== ""
        ? folders
        : folders.filter((id) => (known.current.has(id) ? state.includes(id) : !closed.current.has(id)));
    known.current = new Set([...known.current, ...folders]);
    tree.applySubStateUpdate("expandedItems", () => ["", ...wanted]);
    tree.rebuildTree();
  }, [tree, twigs, folders, filter]);
  useEffect(() => {
    if (current && twigs.has(current)) tree.applySubStateUpdate("focusedItem", () => current);
  }, [tree, current, twigs]);
  const items = tree.getItems();
  return (
    <div className="tree" {...tree.getContainerProps("Files of the memory")}>
      {items.map((item) => {
        const twig = item.getItemData();
        const { onClick, ...props } = item.getProps() as Record<string, unknown> & { onClick: (event: unknown) => void };
        const level = item.getItemMeta().level;
        const press = (event: unknown) => {
          onClick(event);
          if (!twig.folder) return;
          if (item.isExpanded()) closed.current.delete(twig.id);
          else closed.current.add(twig.id);
          kept.set(CLOSED, JSON.stringify([...closed.current]));
        };
        return (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- role and keys come with the tree's props
          <div
            key={item.getId()}
            {...props}
            aria-label={undefined}
            aria-selected={twig.id === current}
            onClick={press}
            onKeyDown={(event) => {
              // The tree's own keys move; none of them opens.
              if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.altKey) return;
              event.preventDefault();
              press(event);
            }}
          >
            <span className="twig" style={level > 0 ? { paddingInlineStart: 20 + level * 16 + 16 } : undefined}>
              {twig.folder ? <span className="tw" /> : level === 0 ? <span className="leaf-dot" /> : null}
              <span className="name" dir="auto">
                {twig.name}
              </span>
              <span className="meta num">
                <span className="sr">{twig.id === "MEMORY.md" ? ", always loaded, " : ", "}</span>
                {twig.folder && item.isExpanded() ? <span className="sr">{twig.entries}</span> : twig.entries}
                <span className="sr">{twig.entries === 1 ? " line" : " lines"}</span>
              </span>
            </span>
          </div>
        );
      })}
    </div>
  );
}

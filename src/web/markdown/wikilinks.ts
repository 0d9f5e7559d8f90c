// A remark plugin: [[path]], [[path|label]] and [[path#heading|label]] in text become links of the scheme `vault:`; code is left alone.
import type { PhrasingContent, Root, RootContent } from "mdast";
import { findLinks, type LinkParts } from "../../shared/links.ts";

/** How a link is shown: its label, else the last part of its path. */
export function labelOf({ path, heading, label }: LinkParts): string {
  return label ?? (path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/i, "") || heading || "");
}

/** The address of a link inside the app's own Markdown. */
export function vaultScheme({ path, heading }: LinkParts): string {
  return `vault:${encodeURIComponent(path)}${heading === undefined ? "" : `#${encodeURIComponent(heading)}`}`;
}

type Parent = { children: (RootContent | PhrasingContent)[] };

function split(value: string): PhrasingContent[] {
  const parts: PhrasingContent[] = [];
  let at = 0;
  for (const link of findLinks(value)) {
    if (link.from > at) parts.push({ type: "text", value: value.slice(at, link.from) });
    const label = labelOf(link) || value.slice(link.from, link.to);
    parts.push({ type: "link", url: vaultScheme(link), children: [{ type: "text", value: label }] });
    at = link.to;
  }
  if (at < value.length) parts.push({ type: "text", value: value.slice(at) });
  return parts;
}

function walk(parent: Parent): void {
  for (let at = 0; at < parent.children.length; at += 1) {
    const child = parent.children[at] as RootContent | PhrasingContent;
    if (child.type === "text" && child.value.includes("[[")) {
      const parts = split(child.value);
      parent.children.splice(at, 1, ...parts);
      at += parts.length - 1;
    } else if (child.type !== "link" && child.type !== "linkReference" && "children" in child) {
      walk(child as Parent);
    }
  }
}

/** The plugin. */
export function wikilinks() {
  return (tree: Root): void => walk(tree as Parent);
}

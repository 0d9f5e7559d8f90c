// A remark plugin: [[path]], [[path|label]] and [[path#heading|label]] in text become links of the scheme `vault:`; code is left alone.
import type { PhrasingContent, Root, RootContent } from "mdast";

const WIKILINK = /\[\[([^[\]\n]+)\]\]/g;

/** A link as it is written: path, heading and label, each trimmed. */
export function readWikilink(inside: string): { path: string; heading: string | null; label: string } {
  const bar = inside.indexOf("|");
  const target = (bar < 0 ? inside : inside.slice(0, bar)).trim();
  const hash = target.indexOf("#");
  const path = (hash < 0 ? target : target.slice(0, hash)).trim().normalize("NFC");
  const heading = hash < 0 ? null : target.slice(hash + 1).trim();
  const written = bar < 0 ? "" : inside.slice(bar + 1).trim();
  const leaf = path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/i, "");
  return { path, heading, label: written || leaf || heading || inside.trim() };
}

type Parent = { children: (RootContent | PhrasingContent)[] };

function split(value: string): PhrasingContent[] {
  const parts: PhrasingContent[] = [];
  let from = 0;
  for (const match of value.matchAll(WIKILINK)) {
    const { path, heading, label } = readWikilink(match[1] as string);
    if (match.index > from) parts.push({ type: "text", value: value.slice(from, match.index) });
    parts.push({
      type: "link",
      url: `vault:${encodeURIComponent(path)}${heading === null ? "" : `#${encodeURIComponent(heading)}`}`,
      children: [{ type: "text", value: label }],
    });
    from = match.index + match[0].length;
  }
  if (from < value.length) parts.push({ type: "text", value: value.slice(from) });
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

// Wikilinks: finding them in a text, resolving them among the files of a memory, rewriting them when a file moves
// (format.md, section Links).

import { pathKey } from "./paths.ts";

/** What stands inside `[[ ]]`, parts trimmed and in NFC. */
export interface LinkParts {
  path: string;
  heading?: string;
  label?: string;
}

/** A link at its place in a text: `from` and `to` are UTF-16 offsets of the whole `[[…]]`. */
export interface LinkSpan extends LinkParts {
  from: number;
  to: number;
}

/** A link's parts, its path that of a file or null where it is broken. */
export interface ResolvedLink {
  path: string | null;
  heading?: string;
  label?: string;
}

/** The files of a memory, prepared so that a link resolves without a walk over them. */
export interface LinkIndex {
  /** Path of the file that a link's path means, or null. */
  resolve(linkPath: string): string | null;
  has(path: string): boolean;
}

const LINK = /\[\[([^[\]\n]*)\]\]/g;

/** Reads what stands inside `[[ ]]`. */
export function parseLink(inside: string): LinkParts {
  const bar = inside.indexOf("|");
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label =
    bar < 0
      ? ""
      : inside
          .slice(bar + 1)
          .trim()
          .normalize("NFC");
  const hash = target.indexOf("#");
  const heading =
    hash < 0
      ? ""
      : target
          .slice(hash + 1)
          .trim()
          .normalize("NFC");
  const parts: LinkParts = { path: (hash < 0 ? target : target.slice(0, hash)).trim().normalize("NFC") };
  if (heading !== "") parts.heading = heading;
  if (label !== "") parts.label = label;
  return parts;
}

/** All links of a text, in order. Time grows with the length alone. */
export function findLinks(text: string): LinkSpan[] {
  if (!text.includes("[[")) return [];
  const found: LinkSpan[] = [];
  for (const match of text.matchAll(LINK)) {
    found.push({ from: match.index, to: match.index + match[0].length, ...parseLink(match[1] as string) });
  }
  return found;
}

/** A file's base name, or the last part of a link, as they are compared: without `.md`, folded, in one Unicode form. */
function nameKey(path: string): string {
  const name = pathKey(path.slice(path.lastIndexOf("/") + 1));
  return name.endsWith(".md") ? name.slice(0, -3) : name;
}

const ASCII = /^[\u0000-\u007f]*$/;

function nfc(text: string): string {
  return ASCII.test(text) ? text : text.normalize("NFC");
}

/** Keeps the only path of a key; null once there are two. */
function addOnly(map: Map<string, string | null>, key: string, path: string): void {
  const known = map.get(key);
  map.set(key, known === undefined || known === path ? path : null);
}

/** Prepares a set of paths for links. Build it once per set of files. Ends and names are looked up when a link is no whole path: few are. */
export function linkIndex(paths: Iterable<string>): LinkIndex {
  const exact = new Map<string, string>();
  const all = [...paths];
  for (const path of all) exact.set(nfc(path), path);
  let lookedUp: { ends: Map<string, string | null>; names: Map<string, string | null> } | null = null;
  const shortly = () => (lookedUp ??= shortNames(all));
  return {
    has: (path) => exact.get(nfc(path)) === path,
    resolve(linkPath) {
      const path = nfc(linkPath);
      if (path === "") return null;
      return exact.get(path) ?? exact.get(`${path}.md`) ?? shortly().ends.get(path) ?? shortly().names.get(nameKey(path)) ?? null;
    },
  };
}

/** The ends of paths and the names of files, each with its path, or null where more than one has it. */
function shortNames(paths: readonly string[]) {
  const ends = new Map<string, string | null>();
  const names = new Map<string, string | null>();
  for (const path of paths) {
    const whole = nfc(path);
    const short = whole.endsWith(".md") ? whole.slice(0, -3) : null;
    for (let slash = whole.indexOf("/"); slash >= 0; slash = whole.indexOf("/", slash + 1)) {
      addOnly(ends, whole.slice(slash + 1), path);
      if (short !== null && slash < short.length) addOnly(ends, short.slice(slash + 1), path);
    }
    const name = nameKey(whole);
    if (name !== "") addOnly(names, name, path);
  }
  return { ends, names };
}

/** Resolves what stands inside `[[ ]]`. `files` is an index, or paths where there is only one link to resolve. */
export function resolveLink(link: string, files: LinkIndex | Iterable<string>): ResolvedLink {
  const { path, ...rest } = parseLink(link);
  const index = "resolve" in files ? files : linkIndex(files);
  return { path: index.resolve(path), ...rest };
}

/** How the app writes a link to a file: the root path without `.md`, unless that would mean another file. */
export function linkPathTo(path: string, index?: LinkIndex): string {
  if (!path.endsWith(".md")) return path;
  const short = path.slice(0, -3);
  return index !== undefined && index.resolve(short) !== path ? path : short;
}

/**
 * Rewrites the links of a text after a file moved: those that meant `from`, and those of other files that the new name
 * would lead astray. Headings and labels stay. `before` and `after` are the files before and after the move.
 */
export function rewriteLinks(text: string, from: string, to: string, before: LinkIndex, after: LinkIndex): string {
  let result = "";
  let done = 0;
  for (const link of findLinks(text)) {
    const target = before.resolve(link.path);
    const wanted = target === from ? to : target;
    if (wanted === null || (wanted !== to && after.resolve(link.path) === wanted)) continue;
    if (wanted === to && target !== from) continue;
    const heading = link.heading === undefined ? "" : `#${link.heading}`;
    const label = link.label === undefined ? "" : `|${link.label}`;
    result += `${text.slice(done, link.from)}[[${linkPathTo(wanted, after)}${heading}${label}]]`;
    done = link.to;
  }
  return result + text.slice(done);
}

// Names of files as people read them, and the addresses of the app's pages.
import { inProse } from "./words.ts";

/** A path without `.md`: `people/ana`. */
export function pathName(path: string): string {
  return path.replace(/\.md$/i, "");
}

/** The last part of a path without `.md`: `ana`. */
export function leafName(path: string): string {
  return pathName(path.slice(path.lastIndexOf("/") + 1));
}

/** The folder of a path; "" at the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** A part of an address as it was before it was encoded; one that is not well encoded is taken as it stands. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const encode = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** The page of a file, optionally at one of its lines. */
export function vaultUrl(path: string, entry?: string | null): string {
  return `/vault/${encode(pathName(path))}${entry ? `#${entry}` : ""}`;
}

/** The name of the file in the address of a vault page: the inverse of `vaultUrl`. The router decodes only half of it. */
export function vaultPath(pathname: string): string {
  return pathname
    .replace(/^\/vault\/?/, "")
    .split("/")
    .map(decoded)
    .join("/")
    .normalize("NFC");
}

/** A conversation, optionally at one of its messages. */
export function threadUrl(id: string, message?: string | null): string {
  return `/t/${id}${message ? `#${message}` : ""}`;
}

/** The path of the API for a file of the memory. */
export function filePath(path: string): string {
  return encode(path);
}

/** A commit's summary as a title: numbers in words, files without `.md`, as everywhere else. */
export function summaryText(summary: string): string {
  return inProse(summary.replace(/\.md\b/g, ""));
}

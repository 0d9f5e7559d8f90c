// The path under which a file of somebody else's folder can stand here: portable, in NFC, Markdown. Never leads out of the memory.
import { PATH_PART_MAX_BYTES } from "../../shared/limits.ts";
import { checkPath, isForgottenFile, pathKey, utf8Length } from "../../shared/paths.ts";

export type Named = { ok: true; path: string } | { ok: false; fate: "skipped" | "refused"; why: string };

/** Bytes of one part of a path, less those of an ending and a number. */
const PART_BYTES = PATH_PART_MAX_BYTES - 15;
const TEXT = /\.(?:md|markdown|mdown|txt|text)$/i;
/** What programs keep beside the notes: not the user's words. */
const MACHINERY = /(?:^|\/)(?:\.[^/]*|__MACOSX|node_modules|Thumbs\.db|desktop\.ini)(?:\/|$)/i;

/** A part of a path that leaves room for an ending and a number. */
function cutPart(part: string): string {
  if (utf8Length(part) <= PART_BYTES) return part;
  let kept = "";
  let bytes = 0;
  for (const char of part) {
    bytes += utf8Length(char);
    if (bytes > PART_BYTES) break;
    kept += char;
  }
  return kept.replace(/[. ]+$/, "");
}

/** Names a file. What no system can hold is written another way; what is too long is cut. */
export function nameFor(raw: string): Named {
  const path = raw
    .replace(/\\/g, "/")
    .normalize("NFC")
    .replace(/^(?:\.\/)+/, "");
  const shown = path.replace(/\p{Cc}/gu, "�").slice(0, 200);
  if (path === "" || path.endsWith("/")) return { ok: false, fate: "skipped", why: "A folder." };
  if (path.startsWith("/") || /^[a-z]:/i.test(path) || path.split("/").some((part) => part === ".." || part === "."))
    return { ok: false, fate: "refused", why: `“${shown}” leads out of the archive. Nothing of it was read.` };
  if (/(?:^|\/)\.git(?:\/|$)/i.test(path)) return { ok: false, fate: "skipped", why: "It belongs to git." };
  if (MACHINERY.test(path)) return { ok: false, fate: "skipped", why: "It belongs to a program, not to your notes." };
  if (!TEXT.test(path)) return { ok: false, fate: "skipped", why: "Only text is kept: .md and .txt." };
  const portable = path
    .replace(TEXT, "")
    .split("/")
    .map((part) =>
      part
        .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "")
        .replace(/[<>:"|?*\\]/g, "-")
        .replace(/^-+/, "")
        .replace(/[. ]+$/, "")
        .trim(),
    )
    .map((part) => (part === "" ? "untitled" : part))
    .map((part) => cutPart(part))
    .map((part) => (checkPath(part).ok ? part : `${part}_`))
    .join("/");
  const named = `${portable}.md`;
  const checked = checkPath(named);
  if (!checked.ok) return { ok: false, fate: "refused", why: `“${shown}” cannot be the name of a file here. ${checked.rule}` };
  if (isForgottenFile(pathKey(named)))
    return { ok: false, fate: "skipped", why: "It lists what was forgotten elsewhere, under a key that is not here." };
  return { ok: true, path: named };
}

/** The folder that all paths share, which is the archive's own name and not a part of the memory; "" where there is none. */
export function commonFolder(paths: readonly string[]): string {
  const files = paths.filter((path) => !MACHINERY.test(path) && !path.endsWith("/"));
  const first = files[0]?.split("/")[0];
  if (first === undefined || !files.every((path) => path.startsWith(`${first}/`))) return "";
  // A folder of the format itself is no wrapper.
  return ["people", "places", "projects", "preferences"].includes(first.toLowerCase()) ? "" : `${first}/`;
}

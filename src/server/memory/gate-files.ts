// The gate's first rules, about files as a whole: paths and collisions, sizes, valid text. Judges what a write would leave behind.
import { Buffer } from "node:buffer";
import type { Refusal } from "../../shared/errors.ts";
import { DIRECTORY_WARN_FILES, FILE_MAX_BYTES, MEMORY_MAX_BYTES, MEMORY_MAX_FILES } from "../../shared/limits.ts";
import { findInvisible } from "../../shared/invisible.ts";
import { checkPath, findCollisions, isForgottenFile, pathKey } from "../../shared/paths.ts";
import type { Change } from "../../shared/protocol.ts";
import type { MemoryContext } from "./context.ts";
import type { FileState } from "./draft.ts";
import type { ProjectionHead } from "./project.ts";

type Sql = MemoryContext["sql"];
type Files = ReadonlyMap<string, FileState>;

export const MEMORY_FILE = "MEMORY.md";

/** Whether a path is, or by its spelling would be taken for, a list of what was forgotten. */
export function isForgottenName(path: string): boolean {
  return isForgottenFile(pathKey(path));
}

/** Paths: allowed, apart from each other, and not those that only the app writes. */
export function judgePaths(sql: Sql, files: Files, kind: Change["kind"]): Refusal | null {
  for (const [path, { before, after }] of files) {
    if (path === MEMORY_FILE && after === null) {
      return {
        code: "read-only",
        message: "MEMORY.md is what every conversation starts with and cannot be removed. Empty it instead.",
        details: { path },
      };
    }
    if (isForgottenName(path) && kind !== "forget") {
      return {
        code: "read-only",
        message: `${path} lists what was forgotten. Only forgetting and lifting change it.`,
        details: { path },
      };
    }
    if (after === null || before !== null) continue;
    const checked = checkPath(path);
    if (!checked.ok)
      return { code: "bad-path", message: `“${shown(path)}” cannot be the name of a file. ${checked.rule}`, details: { path } };
  }
  const added = [...files].flatMap(([path, { before, after }]) => (before === null && after !== null ? [path] : []));
  if (added.length === 0) return null;
  const standing = [...files].flatMap(([path, { after }]) => (after === null ? [] : [path]));
  const gone = new Set([...files].flatMap(([path, { after }]) => (after === null ? [path] : [])));
  const among = findCollisions(standing)[0];
  if (among) return collision(among.a, among.b, among.rule);
  const find = twinFinder(sql, gone);
  for (const path of added) {
    const twin = find(path);
    if (twin) return collision(twin.other, path, twin.rule);
  }
  return null;
}

function shown(path: string): string {
  return path.replace(/\p{Cc}/gu, "�").slice(0, 200);
}

function collision(a: string, b: string, rule: string): Refusal {
  return {
    code: "bad-path",
    message: `“${shown(b)}” cannot stand beside “${shown(a)}”. ${rule}`,
    details: { path: b, other: a },
  };
}

interface Twin {
  other: string;
  rule: string;
}

/** Finds a file that a new path could not stand beside. Looks at names that begin alike, never at all files, and at each folder once. */
function twinFinder(sql: Sql, gone: ReadonlySet<string>): (path: string) => Twin | null {
  const leaving = JSON.stringify([...gone]);
  const standing = (where: string, ...bindings: string[]): string | null =>
    sql
      .exec<{ path: string }>(
        `SELECT path FROM files WHERE ${where} AND path NOT IN (SELECT value FROM json_each(?)) LIMIT 1`,
        ...bindings,
        leaving,
      )
      .toArray()[0]?.path ?? null;
  const below = (folder: string) => standing("fold >= ? AND fold < ?", `${folder}/`, `${folder}0`);
  const folders = new Map<string, Twin | null>();
  const ofFolder = (folder: string): Twin | null => {
    const file = standing("fold = ?", pathKey(folder));
    if (file) return { other: file, rule: "A path cannot be a file and a folder." };
    const neighbour = below(pathKey(folder));
    if (neighbour === null || neighbour.startsWith(`${folder}/`)) return null;
    return {
      other: neighbour,
      rule: "Two folders differ only by case or Unicode form, so some systems would keep only one.",
    };
  };
  return (path) => {
    const key = pathKey(path);
    const same = standing("fold = ?", key);
    if (same) return { other: same, rule: "Two names differ only by case or Unicode form, so some systems would keep only one." };
    const inside = below(key);
    if (inside) return { other: inside, rule: "A path cannot be a file and a folder." };
    for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
      const folder = path.slice(0, slash);
      if (!folders.has(folder)) folders.set(folder, ofFolder(folder));
      const twin = folders.get(folder);
      if (twin) return twin;
    }
    return null;
  };
}

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} KB`;

/** How many files stand right in a folder, counted until they are too many. */
function widthOf(sql: Sql, folder: string): number {
  return sql
    .exec<{ n: number }>(
      "SELECT count(*) AS n FROM (SELECT 1 FROM files WHERE path > ? AND path < ? AND instr(substr(path, ?), '/') = 0 LIMIT ?)",
      `${folder}/`,
      `${folder}0`,
      [...folder].length + 2,
      DIRECTORY_WARN_FILES,
    )
    .one().n;
}

/** Sizes of files and of the whole memory, and what a wide directory will cost as a warning. */
export function judgeSizes(sql: Sql, files: Files, head: ProjectionHead | null): Refusal | { warnings: string[] } {
  let bytes = head?.bytes ?? 0;
  let count = head?.files ?? 0;
  const warnings: string[] = [];
  const widths = new Set<string>();
  for (const [path, { before, after }] of files) {
    const size = after === null ? 0 : Buffer.byteLength(after);
    if (size > FILE_MAX_BYTES) {
      return {
        code: "too-large",
        message: `${shown(path)} would have ${kilobytes(size)}; a file has at most ${kilobytes(FILE_MAX_BYTES)}. Split it.`,
        details: { path, bytes: size },
      };
    }
    bytes += size - (before === null ? 0 : Buffer.byteLength(before));
    count += (after === null ? 0 : 1) - (before === null ? 0 : 1);
    if (before !== null || after === null || !path.includes("/")) continue;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (widths.has(folder)) continue;
    const width = widthOf(sql, folder);
    widths.add(folder);
    if (width >= DIRECTORY_WARN_FILES)
      warnings.push(
        `The folder ${folder} holds more than ${DIRECTORY_WARN_FILES} files, which makes every save in it slower. Spread them over folders.`,
      );
  }
  if (count > MEMORY_MAX_FILES)
    return {
      code: "too-large",
      message: `A memory has at most ${MEMORY_MAX_FILES.toLocaleString("en")} files. Join some first.`,
      details: { files: count },
    };
  if (bytes > MEMORY_MAX_BYTES)
    return {
      code: "too-large",
      message: `A memory has at most ${MEMORY_MAX_BYTES / 1024 / 1024} MB of text. Remove something first.`,
      details: { bytes },
    };
  return { warnings };
}

const LONE_SURROGATE = /\p{Cs}/u;
const MARKER = /^(?:<{7}|>{7}|\|{7})(?: |\r?$)/;

/** Text that every tool can read: valid UTF-8, no NUL, no conflict markers. Lines that stood there before are not judged again. */
export function judgeText(files: Files): Refusal | null {
  for (const [path, { before, after }] of files) {
    if (after === null) continue;
    if (LONE_SURROGATE.test(after)) {
      const line = after.slice(0, after.search(LONE_SURROGATE)).split("\n").length;
      return {
        code: "bad-format",
        message: `${shown(path)}, line ${line}: half of a character stands alone, which is not valid UTF-8. Take it out.`,
        details: { path, line },
      };
    }
    const nul = after.indexOf("\0");
    if (nul >= 0) {
      const line = after.slice(0, nul).split("\n").length;
      return {
        code: "bad-format",
        message: `${shown(path)}, line ${line}: a NUL character is not text. Take it out.`,
        details: { path, line },
      };
    }
    if (!after.includes("<<<<<<<") && !after.includes(">>>>>>>") && !after.includes("|||||||")) continue;
    const old = new Set((before ?? "").split("\n").filter((line) => MARKER.test(line)));
    const line = after.split("\n").findIndex((text) => MARKER.test(text) && !old.has(text)) + 1;
    if (line > 0) {
      return {
        code: "bad-format",
        message: `${shown(path)}, line ${line}: a conflict marker. Decide between the two texts and take the marker lines out.`,
        details: { path, line },
      };
    }
  }
  return null;
}

/** Characters that nobody sees, in lines that are new: what is typed loses them on the way in, what is pushed is refused with its line. */
export function judgeInvisible(files: Files): Refusal | null {
  for (const [path, { before, after }] of files) {
    if (after === null) continue;
    const old = new Set((before ?? "").split("\n"));
    const lines = after.split("\n");
    const at = lines.findIndex(
      (text, index) => !old.has(text) && findInvisible(index === 0 ? text.replace(/^\ufeff/, "") : text).length > 0,
    );
    if (at < 0) continue;
    return {
      code: "bad-format",
      message: `${shown(path)}, line ${at + 1}: it holds a character that nobody can see. Take it out.`,
      details: { path, line: at + 1 },
    };
  }
  return null;
}

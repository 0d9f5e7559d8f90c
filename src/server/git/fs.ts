// A read-only file system over the rows, in the shape that isomorphic-git takes: what it would find in a bare `.git` folder.
// It reads (log, walk, merge base, blobs) and never writes: its writes are no compare-and-swap and open the input gate.
import { Buffer } from "node:buffer";
import { deflateSync } from "node:zlib";
import { isOid } from "./oid.ts";
import { inflateObject, type ObjectStore } from "./store.ts";

/** The folder under which the adapter shows the repository; pass it as `gitdir`. */
export const GIT_DIR = "/memory.git";

/** The part of a stat that isomorphic-git looks at. */
interface Stats {
  type: "file" | "dir";
  mode: number;
  size: number;
  ino: number;
  mtimeMs: number;
  ctimeMs: number;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function failure(code: "ENOENT" | "EROFS" | "ENOTDIR", path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

function statsOf(type: "file" | "dir", size: number): Stats {
  return {
    type,
    mode: type === "file" ? 0o100444 : 0o40555,
    size,
    ino: 0,
    mtimeMs: 0,
    ctimeMs: 0,
    isFile: () => type === "file",
    isDirectory: () => type === "dir",
    isSymbolicLink: () => false,
  };
}

/** The adapter, for `git.log({ fs: readOnlyFs(store), gitdir: GIT_DIR, … })`. `head` = the branch that HEAD names. */
export function readOnlyFs(store: ObjectStore, head = "refs/heads/main") {
  const fixed: Record<string, string> = {
    HEAD: `ref: ${head}\n`,
    config: "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n",
  };

  const relative = (path: string): string => {
    const clean = path.replace(/\/+$/, "");
    if (clean === GIT_DIR) return "";
    if (!clean.startsWith(`${GIT_DIR}/`)) throw failure("ENOENT", path);
    return clean.slice(GIT_DIR.length + 1);
  };

  const fileAt = (path: string): Uint8Array | null => {
    const name = relative(path);
    if (Object.hasOwn(fixed, name)) return Buffer.from(fixed[name]!);
    if (name.startsWith("refs/")) {
      const oid = store.ref(name);
      return oid === null ? null : Buffer.from(`${oid}\n`);
    }
    const loose = /^objects\/([0-9a-f]{2})\/([0-9a-f]{38})$/.exec(name);
    const oid = loose ? `${loose[1]}${loose[2]}` : "";
    const packed = isOid(oid) ? store.readPacked(oid) : null;
    if (!packed) return null;
    const header = Buffer.from(`${packed.type} ${packed.size}\0`);
    return deflateSync(Buffer.concat([header, inflateObject(packed)]), { level: 0 });
  };

  const folderAt = (path: string): string[] | null => {
    const name = relative(path);
    if (name === "") return ["HEAD", "config", "objects", "refs"];
    if (name === "objects") return ["info", "pack"];
    if (name === "objects/pack" || name === "objects/info") return [];
    if (name !== "refs" && !name.startsWith("refs/")) return null;
    const below = store.refs(`${name}/`).map((ref) => ref.name.slice(name.length + 1).split("/")[0]!);
    const standing = name === "refs" ? ["heads", "tags"] : [];
    const names = [...new Set([...standing, ...below])];
    return names.length > 0 || name === "refs/heads" || name === "refs/tags" ? names : null;
  };

  const stat = async (path: string): Promise<Stats> => {
    const file = fileAt(path);
    if (file) return statsOf("file", file.byteLength);
    if (folderAt(path)) return statsOf("dir", 0);
    throw failure("ENOENT", path);
  };
  const refuse = async (path: string): Promise<never> => {
    throw failure("EROFS", path);
  };

  return {
    promises: {
      async readFile(path: string, options?: { encoding?: string } | string): Promise<Uint8Array | string> {
        const file = fileAt(path);
        if (!file) throw failure("ENOENT", path);
        const encoding = typeof options === "string" ? options : options?.encoding;
        return encoding ? Buffer.from(file).toString("utf8") : file;
      },
      async readdir(path: string): Promise<string[]> {
        const names = folderAt(path);
        if (!names) throw failure(fileAt(path) ? "ENOTDIR" : "ENOENT", path);
        return names;
      },
      stat,
      lstat: stat,
      readlink: async (path: string): Promise<never> => {
        throw failure("ENOENT", path);
      },
      writeFile: refuse,
      mkdir: refuse,
      rmdir: refuse,
      unlink: refuse,
      symlink: refuse,
      chmod: refuse,
    },
  };
}

// The other way to save a line: check the whole memory out into an in-memory working tree with isomorphic-git, add, commit. For comparison only.
import { deflateSync } from "node:zlib";
import { Buffer } from "node:buffer";
import * as git from "isomorphic-git";
import { inflateObject } from "../src/server/git/store.ts";
import { headOf, type MemoryContext } from "../src/server/memory/context.ts";
import { commitLinks } from "../src/server/git/commit.ts";
import { parseTree } from "../src/server/git/tree.ts";
import { median } from "./support.ts";

class MemoryFs {
  readonly #files = new Map<string, Uint8Array>();
  readonly #folders = new Map<string, Set<string>>([["/", new Set()]]);
  promises = this;

  #split(path: string): [string, string] {
    const at = path.lastIndexOf("/");
    return [at <= 0 ? "/" : path.slice(0, at), path.slice(at + 1)];
  }
  #missing(path: string): never {
    throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
  }
  async mkdir(path: string) {
    this.#mkdir(path);
  }
  #mkdir(path: string) {
    if (this.#folders.has(path)) return;
    const [parent, name] = this.#split(path);
    this.#mkdir(parent);
    this.#folders.get(parent)!.add(name);
    this.#folders.set(path, new Set());
  }
  put(path: string, data: Uint8Array) {
    const [parent, name] = this.#split(path);
    this.#mkdir(parent);
    this.#folders.get(parent)!.add(name);
    this.#files.set(path, data);
  }
  async writeFile(path: string, data: Uint8Array | string) {
    this.put(path, typeof data === "string" ? Buffer.from(data) : data);
  }
  async readFile(path: string, options?: { encoding?: string } | string) {
    const data = this.#files.get(path) ?? this.#missing(path);
    const encoding = typeof options === "string" ? options : options?.encoding;
    return encoding ? Buffer.from(data).toString("utf8") : data;
  }
  async readdir(given: string) {
    const path = given.replace(/\/\.$/, "");
    return [...(this.#folders.get(path) ?? this.#missing(path))];
  }
  async unlink(path: string) {
    const [parent, name] = this.#split(path);
    this.#files.delete(path);
    this.#folders.get(parent)?.delete(name);
  }
  async rmdir(path: string) {
    this.#folders.delete(path);
  }
  async stat(given: string) {
    const path = given.replace(/\/\.$/, "");
    const file = this.#files.get(path);
    if (!file && !this.#folders.has(path)) this.#missing(path);
    const kind = file ? "file" : "dir";
    return {
      type: kind,
      mode: file ? 0o100644 : 0o40755,
      size: file?.byteLength ?? 0,
      ino: 0,
      mtimeMs: 0,
      ctimeMs: 0,
      uid: 1,
      gid: 1,
      dev: 1,
      isFile: () => kind === "file",
      isDirectory: () => kind === "dir",
      isSymbolicLink: () => false,
    };
  }
  lstat = this.stat;
  async readlink(path: string) {
    return this.#missing(path);
  }
  async symlink() {}
}

/** Median milliseconds of one save by checking out, adding and committing. */
export async function cloneAddCommit(ctx: MemoryContext, path: string): Promise<number> {
  const head = headOf(ctx)!;
  const loose = new Map<string, Uint8Array>();
  const take = (oid: string) => {
    const packed = ctx.store.readPacked(oid)!;
    const data = inflateObject(packed);
    loose.set(oid, deflateSync(Buffer.concat([Buffer.from(`${packed.type} ${data.byteLength}\0`), data])));
    if (packed.type === "commit") take(commitLinks(data).tree);
    if (packed.type === "tree") for (const entry of parseTree(data)) if (!loose.has(entry.oid)) take(entry.oid);
  };
  take(head);
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    const fs = new MemoryFs();
    const started = performance.now();
    for (const [oid, data] of loose) fs.put(`/r/.git/objects/${oid.slice(0, 2)}/${oid.slice(2)}`, data);
    fs.put("/r/.git/config", Buffer.from("[core]\n\trepositoryformatversion = 0\n\tbare = false\n"));
    fs.put("/r/.git/HEAD", Buffer.from("ref: refs/heads/main\n"));
    fs.put("/r/.git/refs/heads/main", Buffer.from(`${head}\n`));
    fs.put("/r/.git/shallow", Buffer.from(`${head}\n`));
    const repo = { fs: fs as never, dir: "/r" };
    await git.checkout({ ...repo, ref: "main", force: true });
    const old = (await fs.readFile(`/r/${path}`, "utf8")) as string;
    await fs.writeFile(`/r/${path}`, `${old}- One more line\n`);
    await git.add({ ...repo, filepath: path });
    await git.commit({ ...repo, message: "One more line", author: { name: "Bench", email: "bench@example.invalid" } });
    times.push(performance.now() - started);
  }
  return median(times);
}

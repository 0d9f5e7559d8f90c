// Notes out of a foreign git repository: its tip is fetched, unpacked within bounds, and its text files staged like those of an archive.
import { AppError } from "../../shared/errors.ts";
import { IMPORT_NOTE_MAX_BYTES, IMPORT_PACK_MAX_BYTES, IMPORT_ROW_BYTES, MEMORY_MAX_FILES } from "../../shared/limits.ts";
import { replaceSecrets } from "../../shared/secrets.ts";
import { parseCommit } from "../git/commit.ts";
import { askTip, fetchPack, type Source } from "../git/fetch-pack.ts";
import type { Oid } from "../git/oid.ts";
import type { ParsedPack } from "../git/pack-read.ts";
import { DIR_MODE, parseTree } from "../git/tree.ts";
import { isPublicIp, judgeAddress } from "../memory/mirror-address.ts";
import type { MemoryContext } from "../memory/context.ts";
import { stagedBytes, withPack } from "./adopt.ts";
import { decodeText } from "./decode.ts";
import { idOf } from "./import-id.ts";
import { addRow, dropRows, renameRows } from "./rows.ts";
import { splitText } from "./split.ts";
import type { Staged } from "./stage.ts";
import type { Tally } from "./tally.ts";

/** The way out to other servers. */
export interface GitWay {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The addresses of a name; null where the user is the owner of the machine and names what they like. */
  resolve: ((host: string) => Promise<string[]>) | null;
  /** This machine itself may be asked; for tests. */
  loopback: boolean;
}

const FILE_MODES = new Set(["100644", "100755", "100664"]);
const DEPTH_MAX = 40;
const NOTE = /\.(?:md|markdown|mdown|txt|text)$/i;

/** An address that may be asked. Throws AppError("bad-format") for one that leads into the machine or its network. */
async function judged(text: string, { resolve, loopback }: GitWay): Promise<string> {
  const answer = judgeAddress(text, { loopback, what: "import" });
  if (!answer.ok) throw new AppError("bad-format", answer.message, { field: "url" });
  const host = answer.url.hostname.replace(/^\[|\]$/g, "");
  if (resolve && isPublicIp(host) === null) {
    const addresses = await resolve(host);
    if (addresses.some((address) => isPublicIp(address) !== true))
      throw new AppError("bad-format", "That name leads into a private network. A repository is imported from a public server.", {
        field: "url",
      });
  }
  return answer.url.href.replace(/\/+$/, "");
}

interface Walked {
  path: string;
  oid: Oid;
}

/** Text files of a tree. Links, submodules and what is no text are left out. */
function* walk(pack: ParsedPack, tree: Oid, folder: string, depth: number, seen: { files: number }): Generator<Walked> {
  const object = pack.read(tree);
  if (object?.type !== "tree") throw new AppError("bad-format", "That repository is damaged: a folder is missing.");
  if (depth > DEPTH_MAX) return;
  for (const { mode, name, oid } of parseTree(object.data)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (mode === DIR_MODE) yield* walk(pack, oid, path, depth + 1, seen);
    else if (FILE_MODES.has(mode) && NOTE.test(name)) {
      if (++seen.files > MEMORY_MAX_FILES)
        throw new AppError("too-large", `That repository has more than ${MEMORY_MAX_FILES.toLocaleString("en")} notes.`);
      yield { path, oid };
    }
  }
}

/** Fetches the tip of a repository into staging rows. Throws with nothing left behind. */
export async function stageGit(
  ctx: MemoryContext,
  address: string,
  way: GitWay,
  tally: Tally,
  pause: () => Promise<void>,
  busy: (id: string) => boolean,
): Promise<Staged> {
  const draft = `draft-${ctx.randomId()}`;
  const source: Source = { url: await judged(address, way), fetch: way.fetch, judge: (url) => judged(url, way) };
  try {
    const shown = await askTip(source);
    let held = new Uint8Array(0);
    const keep = (whole: boolean): void => {
      let at = 0;
      for (; held.byteLength - at >= IMPORT_ROW_BYTES || (whole && at < held.byteLength); at += IMPORT_ROW_BYTES)
        addRow(ctx.sql, draft, "pack", 1, "", held.slice(at, at + IMPORT_ROW_BYTES));
      held = held.slice(Math.min(at, held.byteLength));
    };
    for await (const part of fetchPack(source, shown, IMPORT_PACK_MAX_BYTES)) {
      const joined = new Uint8Array(held.byteLength + part.byteLength);
      joined.set(held);
      joined.set(part, held.byteLength);
      held = joined;
      if (held.byteLength >= IMPORT_ROW_BYTES) keep(false);
    }
    keep(true);
    const id = idOf("git", shown.url, shown.tip);
    await withPack(ctx, stagedBytes(ctx, draft, 0), pause, (pack) =>
      ctx.transact(() => {
        const commit = pack.read(shown.tip);
        if (commit?.type !== "commit")
          throw new AppError("bad-format", "That repository is damaged: its newest commit is missing.");
        let n = 0;
        for (const { path, oid } of walk(pack, parseCommit(commit.data).tree, "", 0, { files: 0 })) {
          n++;
          const blob = pack.read(oid);
          const text = blob?.type === "blob" && blob.data.byteLength <= IMPORT_NOTE_MAX_BYTES ? decodeText(blob.data) : null;
          if (text === null) tally.add({ n, what: "file", fate: "refused", name: path, why: "It is no text, or too long." });
          else
            for (const one of splitText(/\.md$/i.test(path) ? path : `${path}.md`, replaceSecrets(text), IMPORT_ROW_BYTES / 2))
              addRow(ctx.sql, draft, "file", n, one.path, new TextEncoder().encode(one.text));
        }
        if (n === 0) throw new AppError("bad-format", "That repository holds no notes (.md, .txt). Nothing was imported.");
      }),
    );
    const known = busy(id);
    ctx.transact(() => {
      ctx.sql.exec("UPDATE import_rows SET data = zeroblob(length(data)) WHERE import = ? AND type = 'pack'", draft);
      ctx.sql.exec("DELETE FROM import_rows WHERE import = ? AND type = 'pack'", draft);
      if (known) dropRows(ctx.sql, draft);
      else renameRows(ctx.sql, draft, id);
    });
    return { id, kind: "memory", known };
  } catch (error) {
    ctx.transact(() => dropRows(ctx.sql, draft));
    throw error;
  }
}

// Brings the files of another memory, or of a folder of notes, in, in one commit.
import { AppError } from "../../shared/errors.ts";
import { FILE_MAX_BYTES, IMPORT_TEXT_MAX_BYTES } from "../../shared/limits.ts";
import type { Outcome } from "../../shared/protocol.ts";
import { dayIn } from "../../shared/zone.ts";
import type { MemoryContext } from "../memory/context.ts";
import { bringFile, type Incoming } from "./bring-file.ts";
import { landFiles } from "./land.ts";
import { commonFolder, nameFor } from "./names.ts";
import { splitText } from "./split.ts";
import { dayOf } from "./statements.ts";
import type { Tally } from "./tally.ts";

/** One file as it came. */
export interface GivenFile {
  n: number;
  path: string;
  text: string;
  day: string | null;
}

export interface BringFiles {
  id: string;
  files: Iterable<GivenFile>;
  /** The folder that is the archive's own, not the memory's. */
  root: string;
  at: number;
  zone: string;
  apply: boolean;
}

/** Previews or lands files. Throws AppError("too-large") where all of them are more than one commit can hold. */
export function bringFiles(ctx: MemoryContext, { id, files: given, root, at, zone, apply }: BringFiles, tally: Tally): Outcome {
  const incoming: Incoming = { ctx, id, today: dayIn(at, zone), ids: new Set(), tally, stones: [] };
  const files = new Map<string, string>();
  let bytes = 0;
  for (const { n, path, text, day } of given) {
    const named = nameFor(path.startsWith(root) ? path.slice(root.length) : path);
    if (!named.ok) {
      tally.add({ n, what: "file", fate: named.fate, name: path, why: named.why });
      continue;
    }
    bytes += text.length;
    if (bytes > IMPORT_TEXT_MAX_BYTES)
      throw new AppError(
        "too-large",
        `These notes are more than ${IMPORT_TEXT_MAX_BYTES / 1024 / 1024} MB of text, too much for one import. Bring them in parts, folder by folder.`,
      );
    for (const part of splitText(named.path, text, FILE_MAX_BYTES / 2)) {
      if (files.has(part.path)) {
        tally.add({ n, what: "file", fate: "refused", name: path, why: `Two files would stand in ${part.path}.` });
        continue;
      }
      const brought = bringFile(incoming, { n, ...part, day });
      if (brought) files.set(brought.path, brought.text);
    }
  }
  tally.counts.files = files.size;
  return landFiles(ctx, { id, files, at, zone, apply, stones: incoming.stones });
}

const record = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};

/** Files that come as a list of `{path, text}`. */
export function givenFiles(items: readonly unknown[], zone: string, tally: Tally): { files: GivenFile[]; root: string } {
  const files: GivenFile[] = [];
  items.forEach((item, index) => {
    const { path, text, at, updatedAt } = record(item);
    if (typeof path === "string" && typeof text === "string")
      files.push({ n: index + 1, path, text, day: dayOf(at ?? updatedAt, zone) });
    else tally.add({ n: index + 1, what: "file", fate: "refused", why: "A file is {path, text}." });
  });
  return { files, root: commonFolder(files.map(({ path }) => path)) };
}

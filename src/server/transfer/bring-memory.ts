// Brings the files of another memory, or of a folder of notes, in: in one commit, or in as many as it takes.
import { FILE_MAX_BYTES, IMPORT_COMMIT_CHARS, MEMORY_MAX_BYTES, MEMORY_MAX_FILES } from "../../shared/limits.ts";
import type { Outcome } from "../../shared/protocol.ts";
import { dayIn } from "../../shared/zone.ts";
import { headOf, type MemoryContext } from "../memory/context.ts";
import { projectionHead } from "../memory/project.ts";
import { bringFile, type Incoming } from "./bring-file.ts";
import { landFiles } from "./land.ts";
import { commonFolder, nameFor } from "./names.ts";
import { openPlaces } from "./places.ts";
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
  /** Lets other events run; what they change is rebased on. */
  pause(): Promise<void>;
  /** Characters of one commit; absent: as many as its object's memory holds. */
  commitChars?: number;
  /** Hears of each file. */
  tell?(n: number): void;
}

/** Characters of files that are looked through between two breaths. */
const BREATH_CHARS = 64 * 1024;

/**
 * Previews or lands files: in one commit, or, where they are more text than one commit can hold, in several. What a refused one would have brought
 * stays out; what landed before it is found again by the next try.
 */
export async function bringFiles(ctx: MemoryContext, given: BringFiles, tally: Tally): Promise<Outcome> {
  const { id, root, at, zone, apply, pause, tell, commitChars = IMPORT_COMMIT_CHARS } = given;
  const incoming: Incoming = { ctx, id, today: dayIn(at, zone), ids: new Set(), tally, stones: [] };
  const placeFor = openPlaces(ctx);
  let files = new Map<string, string>();
  let base = headOf(ctx);
  let chars = 0;
  let breath = 0;
  let commits = 0;
  // Later commits of a preview are judged without the earlier ones, so what all of them add is counted here.
  const size = projectionHead(ctx);
  let [count, bytes] = [size?.files ?? 0, size?.bytes ?? 0];
  let landed: Outcome = { ok: true, commit: null, head: base ?? "", entries: [] };
  const land = async (): Promise<void> => {
    if (files.size > 0) {
      commits++;
      tally.counts.files += files.size;
      const before = landed;
      landed = landFiles(ctx, { id, files, base, at, zone, apply, stones: incoming.stones });
      if (landed.ok && before.ok) landed = { ...landed, commit: landed.commit ?? before.commit };
    }
    files = new Map();
    incoming.stones = [];
    chars = 0;
    await pause();
    base = headOf(ctx);
  };
  for (const { n, path, text, day } of given.files) {
    const named = nameFor(path.startsWith(root) ? path.slice(root.length) : path);
    if (!named.ok) {
      tally.add({ n, what: "file", fate: named.fate, name: path, why: named.why });
      continue;
    }
    if (chars > 0 && chars + text.length > commitChars) {
      await land();
      if (!landed.ok) return landed;
    }
    chars += text.length;
    for (const part of splitText(named.path, text, FILE_MAX_BYTES / 2)) {
      const brought = bringFile(incoming, { n, text: part.text, path: placeFor(part.path), day });
      if (!brought) continue;
      files.set(brought.path, brought.text);
      count += brought.files;
      bytes += brought.bytes;
      if (count > MEMORY_MAX_FILES || bytes > MEMORY_MAX_BYTES) return tooMuch();
    }
    tell?.(n);
    breath += text.length;
    if (breath < BREATH_CHARS) continue;
    breath = 0;
    await pause();
  }
  await land();
  if (!landed.ok || commits < 2) return landed;
  const said = `It is more text than one commit can hold, and ${apply ? "landed" : "lands"} in ${commits}. To take all of it back, revert each of them, the newest first.`;
  return { ...landed, warnings: [said, ...(landed.warnings ?? [])] };
}

function tooMuch(): Outcome {
  const message = `With these notes the memory would be larger than it can be: ${MEMORY_MAX_FILES.toLocaleString("en")} files, ${MEMORY_MAX_BYTES / 1024 / 1024} MB of text. Bring a part of them.`;
  return { ok: false, code: "too-large", message };
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

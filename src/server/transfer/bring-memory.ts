// Brings the files of another memory, or of a folder of notes, in: `{path, text}` each, in one commit.
import { FILE_MAX_BYTES } from "../../shared/limits.ts";
import type { Outcome } from "../../shared/protocol.ts";
import { dayIn } from "../../shared/zone.ts";
import type { MemoryContext } from "../memory/context.ts";
import { bringFile, type Incoming } from "./bring-file.ts";
import type { BringRequest } from "./bring-statements.ts";
import { landFiles } from "./land.ts";
import { commonFolder, nameFor } from "./names.ts";
import { splitText } from "./split.ts";
import { dayOf } from "./statements.ts";
import type { Tally } from "./tally.ts";

const record = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};

/** Previews or lands files. */
export function bringMemory(ctx: MemoryContext, { id, items, at, zone, apply }: BringRequest, tally: Tally): Outcome {
  const incoming: Incoming = { ctx, id, today: dayIn(at, zone), ids: new Set(), tally, stones: [] };
  const given = items.map((item, index) => ({ ...record(item), n: index + 1 }) as { n: number } & Record<string, unknown>);
  const root = commonFolder(given.flatMap(({ path }) => (typeof path === "string" ? [path] : [])));
  const files = new Map<string, string>();
  for (const { n, path, text, at: said, updatedAt } of given) {
    if (typeof path !== "string" || typeof text !== "string") {
      tally.add({ n, what: "file", fate: "refused", why: "A file is {path, text}." });
      continue;
    }
    const named = nameFor(path.startsWith(root) ? path.slice(root.length) : path);
    if (!named.ok) {
      tally.add({ n, what: "file", fate: named.fate, name: path, why: named.why });
      continue;
    }
    for (const part of splitText(named.path, text, FILE_MAX_BYTES / 2)) {
      if (files.has(part.path)) {
        tally.add({ n, what: "file", fate: "refused", name: path, why: `Two files would stand in ${part.path}.` });
        continue;
      }
      const brought = bringFile(incoming, { n, ...part, day: dayOf(said ?? updatedAt, zone) });
      if (brought) files.set(brought.path, brought.text);
    }
  }
  tally.counts.files = files.size;
  return landFiles(ctx, { id, files, at, zone, apply, stones: incoming.stones });
}

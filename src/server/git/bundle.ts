// Git bundles (gitformat-bundle, version 2): one branch with its whole history in one file that git clones from.
import { AppError } from "../../shared/errors.ts";
import { isOid, type Oid } from "./oid.ts";
import { packChunks } from "./pack-write.ts";
import { reachAll } from "./reach-all.ts";
import type { ObjectStore } from "./store.ts";

const SIGNATURE = "# v2 git bundle\n";
/** Bytes of a header that are looked at: some thousand refs. */
const HEADER_MAX_BYTES = 256 * 1024;

/** A bundle in chunks, made as it is asked for. `rest` lets waiting writes in between. */
export async function* bundleChunks(
  store: ObjectStore,
  { name, oid }: { name: string; oid: Oid },
  rest: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const walk = reachAll(store, [oid]);
  let step = walk.next();
  for (; !step.done; step = walk.next()) await rest();
  yield new TextEncoder().encode(`${SIGNATURE}${oid} ${name}\n${oid} HEAD\n\n`);
  yield* packChunks(store, step.value);
}

/** Reads the header of a bundle: its refs and where its pack begins. Throws AppError("bad-format"). */
export function parseBundleHeader(bytes: Uint8Array): { refs: Map<string, Oid>; packStart: number } {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, HEADER_MAX_BYTES));
  const end = text.indexOf("\n\n");
  if (!text.startsWith(SIGNATURE) || end < 0) throw new AppError("bad-format", "This is no git bundle of version 2.");
  const refs = new Map<string, Oid>();
  for (const line of text.slice(SIGNATURE.length, end).split("\n")) {
    if (line.startsWith("-"))
      throw new AppError(
        "bad-format",
        "This bundle continues another history. Make one with the whole history (git bundle create --all).",
      );
    const oid = line.slice(0, 40);
    if (isOid(oid) && line[40] === " ") refs.set(line.slice(41), oid);
  }
  return { refs, packStart: end + 2 };
}

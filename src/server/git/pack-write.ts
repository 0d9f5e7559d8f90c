// Packs on their way out (gitformat-pack): an entry is a header and the deflated bytes of the row, whole objects only.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { AppError } from "../../shared/errors.ts";
import type { OidSet } from "./oid-set.ts";
import { TYPE_NUMBER, type ObjectType } from "./oid.ts";
import { OIDS_A_STATEMENT, type ObjectStore } from "./store.ts";

/** Bytes of one chunk: what one side-band line holds beside its band byte. */
export const PACK_CHUNK_BYTES = 65_515;

/** Kind and size in front of a pack entry. `size` in bytes, inflated. */
export function formatEntryHeader(type: ObjectType, size: number): Uint8Array {
  const bytes: number[] = [];
  let byte = (TYPE_NUMBER[type] << 4) | (size & 15);
  // Arithmetic instead of shifts, which would wrap at 2^31.
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 0x80);
    byte = rest & 0x7f;
  }
  bytes.push(byte);
  return Uint8Array.from(bytes);
}

/**
 * A pack of the given objects in chunks of at most PACK_CHUNK_BYTES, made as it is asked for: never more than a row and a chunk is held.
 * Throws AppError("unavailable") when an object is gone meanwhile.
 */
export function* packChunks(store: ObjectStore, oids: OidSet): Generator<Uint8Array> {
  const hash = createHash("sha1");
  let chunk = Buffer.allocUnsafe(PACK_CHUNK_BYTES);
  let filled = 0;
  const ready: Uint8Array[] = [];
  const append = (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.byteLength; ) {
      const taken = Math.min(bytes.byteLength - at, PACK_CHUNK_BYTES - filled);
      chunk.set(bytes.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      if (filled === PACK_CHUNK_BYTES) {
        ready.push(chunk);
        chunk = Buffer.allocUnsafe(PACK_CHUNK_BYTES);
        filled = 0;
      }
    }
  };
  const put = (bytes: Uint8Array): void => {
    hash.update(bytes);
    append(bytes);
  };

  const header = Buffer.alloc(12);
  header.write("PACK", "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(oids.size, 8);
  put(header);
  for (let next = 0; next < oids.size; ) {
    const asked: Uint8Array[] = [];
    for (let i = next; i < oids.size && asked.length < OIDS_A_STATEMENT; i++) asked.push(oids.bytesAt(i));
    next += asked.length;
    let left = asked;
    while (left.length > 0) {
      const written = new Set<string>();
      // Rows come as the database finds them; a pack without deltas may hold them in any order.
      for (const { oid, type, size, deflated } of store.readPackedMany(left)) {
        put(formatEntryHeader(type, size));
        put(deflated);
        written.add(oid);
        if (ready.length > 0) break;
      }
      if (written.size === 0) throw new AppError("unavailable", "An object of this pack has gone from the store; try again.");
      left = left.length === written.size ? [] : left.filter((oid) => !written.has(Buffer.from(oid).toString("hex")));
      yield* ready.splice(0);
    }
  }
  append(hash.digest());
  yield* ready.splice(0);
  if (filled > 0) yield chunk.subarray(0, filled);
}

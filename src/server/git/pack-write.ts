// Packs on their way out (gitformat-pack): an entry is a header and the deflated bytes of the row, whole objects only.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { AppError } from "../../shared/errors.ts";
import type { OidSet } from "./oid-set.ts";
import { oidFromBytes, TYPE_NUMBER, type ObjectType } from "./oid.ts";
import { OIDS_A_STATEMENT, type ObjectStore } from "./store.ts";

/** Bytes of one chunk: what one side-band line holds beside its band byte. */
export const PACK_CHUNK_BYTES = 65_515;

/** A pack that holds more than this share (1 in n) of all rows is read in the order of the rows, one statement for many. */
const SCAN_SHARE = 4;
/** Rows of one statement of such a scan. */
const ROWS_A_SCAN = 1_000;

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
    for (let at = 0; at < bytes.byteLength;) {
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
  let written = 0;
  const write = (object: { type: ObjectType; size: number; deflated: Uint8Array }): void => {
    put(formatEntryHeader(object.type, object.size));
    put(object.deflated);
    written++;
  };
  if (oids.size * SCAN_SHARE > store.lastId()) {
    for (let after = 0, rows = ROWS_A_SCAN; rows === ROWS_A_SCAN || ready.length > 0;) {
      yield* ready.splice(0);
      rows = 0;
      for (const row of store.scan(after, ROWS_A_SCAN)) {
        rows++;
        after = row.id;
        // A row without a kind is not written, and the count below tells.
        if (row.type !== null && oids.hasBytes(row.key)) write({ ...row, type: row.type });
        if (ready.length > 0) break;
      }
    }
  } else
    for (let next = 0; next < oids.size; next += OIDS_A_STATEMENT) {
      let left: Uint8Array[] = [];
      for (let i = next; i < Math.min(oids.size, next + OIDS_A_STATEMENT); i++) left.push(oids.bytesAt(i));
      while (left.length > 0) {
        const had = new Set<string>();
        // Rows come as the database finds them; a pack without deltas may hold them in any order.
        for (const object of store.readPackedMany(left)) {
          write(object);
          had.add(object.oid);
          if (ready.length > 0) break;
        }
        if (had.size === 0) break;
        left = had.size === left.length ? [] : left.filter((key) => !had.has(oidFromBytes(key)));
        yield* ready.splice(0);
      }
    }
  if (written !== oids.size) throw new AppError("unavailable", "An object of this pack is gone from the store; try again.");
  append(hash.digest());
  yield* ready.splice(0);
  if (filled > 0) yield chunk.subarray(0, filled);
}

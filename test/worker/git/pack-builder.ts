// Packs built by hand, good and bad: each entry as the test says it, with a checksum that fits unless it says otherwise.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

/** Numbers of pack entries. */
export const KIND = { commit: 1, tree: 2, blob: 3, tag: 4, ofs: 6, ref: 7 } as const;

/** An entry: header with a size that may lie, what stands between header and data, the data or ready-made deflated bytes. */
export interface Entry {
  kind: number;
  data?: Uint8Array;
  size?: number;
  between?: Uint8Array;
  deflated?: Uint8Array;
}

export function sizeHeader(kind: number, size: number): Buffer {
  const bytes: number[] = [];
  let byte = (kind << 4) | (size % 16);
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 0x80);
    byte = rest % 128;
  }
  return Buffer.from([...bytes, byte]);
}

/** The distance of an ofs-delta to its base. */
export function distance(value: number): Buffer {
  const bytes = [value & 0x7f];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(0x80 | (--rest & 0x7f));
  return Buffer.from(bytes);
}

export function entryBytes({ kind, data = new Uint8Array(), size = data.byteLength, between, deflated }: Entry): Buffer {
  return Buffer.concat([sizeHeader(kind, size), between ?? new Uint8Array(), deflated ?? deflateSync(data)]);
}

/** A whole pack. `count` and `version` may lie; `behind` stands after the last entry; the checksum covers all of it. */
export function packOf(
  entries: Entry[],
  {
    count = entries.length,
    version = 2,
    behind = new Uint8Array(),
  }: { count?: number; version?: number; behind?: Uint8Array } = {},
): Buffer {
  const header = Buffer.alloc(12);
  header.write("PACK");
  header.writeUInt32BE(version, 4);
  header.writeUInt32BE(count, 8);
  return signed(Buffer.concat([header, ...entries.map(entryBytes), behind]));
}

/** Appends the checksum. */
export function signed(body: Uint8Array): Buffer {
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(0x80 | (rest % 128));
  return Buffer.from([...bytes, rest]);
}

/** A delta by its two sizes and its instructions. */
export function deltaOf(baseSize: number, size: number, ...instructions: Uint8Array[]): Buffer {
  return Buffer.concat([varint(baseSize), varint(size), ...instructions]);
}

export function insert(text: string): Buffer {
  return Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)]);
}

/** Copies `length` bytes (at most 0xffffff) from `offset` of the base. */
export function copy(offset: number, length: number): Buffer {
  return Buffer.from([
    0xff,
    offset & 255,
    (offset >> 8) & 255,
    (offset >> 16) & 255,
    (offset >>> 24) & 255,
    length & 255,
    (length >> 8) & 255,
    (length >> 16) & 255,
  ]);
}

export const blobId = (data: Uint8Array): string =>
  createHash("sha1").update(`blob ${data.byteLength}\0`).update(data).digest("hex");

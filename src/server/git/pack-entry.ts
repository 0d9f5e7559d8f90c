// One entry of a foreign pack: its header and its deflated bytes, read within bounds. Pure over bytes.
import { inflateSync } from "node:zlib";
import { AppError } from "../../shared/errors.ts";
import { INFLATE_SLACK_BYTES } from "./inflate.ts";
import { oidFromBytes, typeOfNumber, type ObjectType, type Oid } from "./oid.ts";

/** What stands in front of an entry's deflated bytes. `size` counts them inflated; for a delta that is the delta itself. */
export interface EntryHeader {
  kind: ObjectType | "ofs-delta" | "ref-delta";
  size: number;
  /** Offset of the base, for an ofs-delta. */
  baseOffset?: number;
  /** Id of the base, for a ref-delta. */
  baseOid?: Oid;
  /** Where the deflated bytes start. */
  dataStart: number;
}

const OFS_DELTA = 6;
const REF_DELTA = 7;

export function badPack(what: string): AppError {
  return new AppError("bad-format", `This pack is damaged: ${what}.`);
}

/**
 * Reads the header at an offset of a pack whose entries end at `end`. `origin`: where in the pack the bytes begin, when they are a part of it;
 * `dataStart` counts in the bytes, the base of a delta in the pack. Throws AppError("bad-format").
 */
export function parseEntryHeader(bytes: Uint8Array, offset: number, end: number, origin = 0): EntryHeader {
  let at = offset;
  const next = (): number => {
    if (at >= end) throw badPack("an entry is cut off");
    return bytes[at++]!;
  };
  let byte = next();
  const number = (byte >> 4) & 7;
  let size = byte & 15;
  for (let factor = 16; byte >= 0x80; factor *= 128) {
    byte = next();
    // Past 2^53 a size would lose bits; nothing near it is allowed anyway.
    if (factor > 2 ** 46) throw badPack("the size of an entry has no end");
    size += (byte & 0x7f) * factor;
  }
  if (number === OFS_DELTA) {
    byte = next();
    let distance = byte & 0x7f;
    while (byte >= 0x80) {
      byte = next();
      distance = (distance + 1) * 128 + (byte & 0x7f);
      if (distance > offset + origin) throw badPack("the base of a delta lies before the pack");
    }
    if (distance === 0 || distance > offset + origin) throw badPack("the base of a delta is out of bounds");
    return { kind: "ofs-delta", size, baseOffset: offset + origin - distance, dataStart: at };
  }
  if (number === REF_DELTA) {
    if (at + 20 > end) throw badPack("an entry is cut off");
    return { kind: "ref-delta", size, baseOid: oidFromBytes(bytes, at), dataStart: at + 20 };
  }
  const kind = typeOfNumber(number);
  if (!kind) throw badPack(`an entry is of the unknown kind ${number}`);
  return { kind, size, dataStart: at };
}

/** Inflates `size` bytes at an offset; gives where the deflated bytes end too. Throws AppError("bad-format") when they are others or more. */
export function inflateEntry(bytes: Uint8Array, start: number, size: number, end: number): { data: Uint8Array; next: number } {
  // Input is shown in a window as long as honest bytes can be: a deflater never needs more than this for `size` bytes.
  // The rest of the pack is not handed over entry by entry, and a stream of empty blocks ends here.
  const windowEnd = Math.min(end, start + size + Math.ceil(size / 8) + 1024);
  try {
    const { buffer, engine } = inflateSync(bytes.subarray(start, windowEnd), {
      info: true,
      maxOutputLength: size + INFLATE_SLACK_BYTES,
    } as never) as unknown as {
      buffer: Uint8Array;
      engine: { bytesWritten: number };
    };
    if (buffer.byteLength !== size) throw badPack("an entry is shorter than it says");
    return { data: new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength), next: start + engine.bytesWritten };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw badPack("an entry does not inflate to the size that it says");
  }
}

// A foreign pack of any size, unpacked in slices into a repository of its own: never more than an object and its base is held. Nothing is believed yet.
import { createHash } from "node:crypto";
import { AppError } from "../../shared/errors.ts";
import { applyDelta, deltaHeader } from "./delta.ts";
import type { Oid } from "./oid.ts";
import { badPack, inflateEntry, parseEntryHeader } from "./pack-entry.ts";
import type { PackLimits } from "./pack-read.ts";
import type { ObjectStore } from "./store.ts";

/** The bytes of a pack, wherever they rest. */
export interface PackSource {
  size: number;
  /** At most `length` bytes from `offset`; less only at the end. */
  read(offset: number, length: number): Uint8Array;
}

const HEADER_BYTES = 12;
const TRAILER_BYTES = 20;
/** Bytes in front of an entry's data at most: its size, and the base of a delta. */
const ENTRY_HEADER_BYTES = 40;
const HASHED_BYTES = 256 * 1024;

const tooLarge = (what: string, is: number, max: number, unit: string): AppError =>
  new AppError("too-large", `${what} is too large: ${is} ${unit}, and ${max} are allowed.`, { is, max, unit });

interface Waiting {
  offset: number;
  base: Oid;
}

/** Throws unless the pack's own checksum is right. */
function* checkSum(pack: PackSource): Generator<void> {
  const hash = createHash("sha1");
  const end = pack.size - TRAILER_BYTES;
  for (let at = 0; at < end; at += HASHED_BYTES) {
    hash.update(pack.read(at, Math.min(HASHED_BYTES, end - at)));
    yield;
  }
  if (!hash.digest().equals(pack.read(end, TRAILER_BYTES))) throw badPack("its checksum is wrong");
}

/**
 * Unpacks a pack into `store`, which must be empty and nobody else's. Yields between objects. Throws AppError("bad-format") for what git
 * refuses too, AppError("too-large") past a limit. Returns how many objects it holds.
 */
export function* stagePack(store: ObjectStore, pack: PackSource, limits: PackLimits): Generator<void, number> {
  if (pack.size > limits.packBytes) throw tooLarge("This pack", pack.size, limits.packBytes, "bytes");
  const head = pack.read(0, HEADER_BYTES);
  if (pack.size < HEADER_BYTES + TRAILER_BYTES || new TextDecoder("latin1").decode(head.subarray(0, 4)) !== "PACK")
    throw badPack("it is none");
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const version = view.getUint32(4);
  if (version !== 2 && version !== 3) throw badPack(`it is of version ${version}`);
  const count = view.getUint32(8);
  if (count > limits.objects) throw tooLarge("This pack", count, limits.objects, "objects");
  yield* checkSum(pack);

  let inflated = 0;
  const account = (size: number): void => {
    inflated += size;
    if (inflated > limits.inflatedBytes) throw tooLarge("What this pack holds", inflated, limits.inflatedBytes, "bytes");
  };
  const end = pack.size - TRAILER_BYTES;
  // Which object stands at an offset, and how many deltas lie below it.
  const at = new Map<number, { oid: Oid; depth: number }>();
  const depths = new Map<Oid, number>();
  const waiting: Waiting[] = [];
  let objects = 0;
  const settle = (offset: number, type: "blob" | "tree" | "commit" | "tag", data: Uint8Array, depth: number): void => {
    if (depth > limits.deltaDepth) throw tooLarge("A chain of deltas in this pack", depth, limits.deltaDepth, "steps");
    const { oid, added } = store.put(type, data);
    if (!added) throw badPack(`it holds ${oid} twice`);
    at.set(offset, { oid, depth });
    if (depth > 0) depths.set(oid, depth);
    objects++;
  };
  const open = (offset: number) => {
    const front = pack.read(offset, Math.min(ENTRY_HEADER_BYTES, end - offset));
    const header = parseEntryHeader(front, 0, front.byteLength, offset);
    if (header.size > limits.objectBytes) throw tooLarge("An object in this pack", header.size, limits.objectBytes, "bytes");
    const start = offset + header.dataStart;
    const room = Math.min(end - start, header.size + Math.ceil(header.size / 8) + 1024);
    const window = pack.read(start, room);
    const { data, next } = inflateEntry(window, 0, header.size, window.byteLength);
    return { header, data, next: start + next };
  };
  const apply = (offset: number, base: Oid, delta: Uint8Array): boolean => {
    const below = store.read(base);
    if (!below) return false;
    const { size } = deltaHeader(delta);
    if (size > limits.objectBytes) throw tooLarge("An object in this pack", size, limits.objectBytes, "bytes");
    account(size);
    settle(offset, below.type, applyDelta(below.data, delta, limits.objectBytes), (depths.get(base) ?? 0) + 1);
    return true;
  };
  // A delta whose base waits, waits as well: it is found again by its offset.
  const later = new Map<number, number>();
  let offset = HEADER_BYTES;
  for (let i = 0; i < count; i++) {
    const { header, data, next } = open(offset);
    account(header.size);
    if (header.kind === "ofs-delta") {
      const base = at.get(header.baseOffset!);
      if (base) apply(offset, base.oid, data);
      else if (later.has(header.baseOffset!)) later.set(offset, header.baseOffset!);
      else throw badPack("the base of a delta is no entry");
    } else if (header.kind === "ref-delta") {
      if (!apply(offset, header.baseOid!, data)) {
        waiting.push({ offset, base: header.baseOid! });
        later.set(offset, -1);
      }
    } else settle(offset, header.kind, data, 0);
    offset = next;
    yield;
  }
  if (offset !== end) throw badPack("bytes are left over behind its last entry");
  for (let found = true; found && later.size > 0;) {
    found = false;
    for (const one of waiting) {
      if (!later.has(one.offset) || !store.has(one.base)) continue;
      apply(one.offset, one.base, open(one.offset).data);
      later.delete(one.offset);
      found = true;
      yield;
    }
    for (const [place, below] of later) {
      const base = at.get(below);
      if (!base) continue;
      apply(place, base.oid, open(place).data);
      later.delete(place);
      found = true;
      yield;
    }
  }
  if (later.size > 0 || objects !== count) throw badPack("the base of a delta is missing");
  return objects;
}

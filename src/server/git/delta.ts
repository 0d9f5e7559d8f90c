// Deltas of packs (gitformat-pack, "Deltified representation"): applied within bounds, pure over bytes.
import { createHash } from "node:crypto";
import { AppError } from "../../shared/errors.ts";
import type { ObjectType, Oid } from "./oid.ts";

function bad(what: string): AppError {
  return new AppError("bad-format", `A delta in this pack is damaged: ${what}.`);
}

/** The two sizes in front of a delta, in bytes, and where its instructions start. Throws AppError("bad-format"). */
export function deltaHeader(delta: Uint8Array): { baseSize: number; size: number; start: number } {
  let at = 0;
  const readSize = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = delta[at++];
      // Eight groups of seven bits stay exact in a double.
      if (byte === undefined || factor > 2 ** 49) throw bad("a size has no end");
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  const baseSize = readSize();
  const size = readSize();
  return { baseSize, size, start: at };
}

/** Runs the instructions of a delta: each is a stretch of the base or of the delta itself. Throws AppError("bad-format" or "too-large"). */
function runDelta(
  base: Uint8Array,
  delta: Uint8Array,
  maxBytes: number,
  take: (source: Uint8Array, from: number, length: number) => void,
): void {
  const { baseSize, size, start } = deltaHeader(delta);
  if (baseSize !== base.byteLength) throw bad("its base has another size");
  if (size > maxBytes)
    throw new AppError("too-large", `An object in this pack is too large: ${size} bytes, and ${maxBytes} are allowed.`, {
      size,
      maxBytes,
    });
  let written = 0;
  for (let at = start; at < delta.byteLength;) {
    const op = delta[at++]!;
    if (op === 0) throw bad("it holds the reserved instruction");
    if (op < 0x80) {
      if (at + op > delta.byteLength || written + op > size) throw bad("it inserts past an end");
      take(delta, at, op);
      at += op;
      written += op;
      continue;
    }
    let [offset, length] = [0, 0];
    for (let i = 0; i < 7; i++) {
      if ((op & (1 << i)) === 0) continue;
      const byte = delta[at++];
      if (byte === undefined) throw bad("an instruction is cut off");
      if (i < 4) offset += byte * 256 ** i;
      else length += byte * 256 ** (i - 4);
    }
    if (length === 0) length = 0x10000;
    if (offset + length > base.byteLength || written + length > size) throw bad("it copies past an end");
    take(base, offset, length);
    written += length;
  }
  if (written !== size) throw bad("it makes fewer bytes than it says");
}

/** Below this many bytes a loop beats a view and a copy. */
const SHORT_BYTES = 32;

function put(target: Uint8Array, at: number, source: Uint8Array, from: number, length: number): void {
  if (length < SHORT_BYTES) for (let i = 0; i < length; i++) target[at + i] = source[from + i]!;
  else target.set(source.subarray(from, from + length), at);
}

/** What a delta makes of its base. `maxBytes` bounds the result before anything is allocated. Throws AppError("bad-format" or "too-large"). */
export function applyDelta(base: Uint8Array, delta: Uint8Array, maxBytes: number): Uint8Array {
  const { size } = deltaHeader(delta);
  const result = new Uint8Array(Math.min(size, maxBytes));
  let written = 0;
  runDelta(base, delta, maxBytes, (source, from, length) => {
    put(result, written, source, from, length);
    written += length;
  });
  return result;
}

/** The id of what a delta makes of its base, without making it: a pack may hold a great many that nothing else hangs on. */
export function hashDelta(type: ObjectType, base: Uint8Array, delta: Uint8Array, maxBytes: number): Oid {
  const hash = createHash("sha1").update(`${type} ${deltaHeader(delta).size}\0`);
  let filled = 0;
  runDelta(base, delta, maxBytes, (source, from, length) => {
    if (filled + length > scratch.byteLength) {
      hash.update(scratch.subarray(0, filled));
      filled = 0;
    }
    if (length > scratch.byteLength) hash.update(source.subarray(from, from + length));
    else {
      put(scratch, filled, source, from, length);
      filled += length;
    }
  });
  return hash.update(scratch.subarray(0, filled)).digest("hex");
}

/** Short stretches are hashed together; nothing of it is read after the call that wrote it. */
const scratch = new Uint8Array(16 * 1024);

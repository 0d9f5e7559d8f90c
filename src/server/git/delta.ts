// Deltas of packs (gitformat-pack, "Deltified representation"): applied within bounds, pure over bytes.
import { AppError } from "../../shared/errors.ts";

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

/** What a delta makes of its base. `maxBytes` bounds the result before anything is allocated. Throws AppError("bad-format" or "too-large"). */
export function applyDelta(base: Uint8Array, delta: Uint8Array, maxBytes: number): Uint8Array {
  const { baseSize, size, start } = deltaHeader(delta);
  if (baseSize !== base.byteLength) throw bad("its base has another size");
  if (size > maxBytes) throw new AppError("too-large", `An object in this pack has ${size} bytes; ${maxBytes} are allowed.`, { size, maxBytes });
  const result = new Uint8Array(size);
  let written = 0;
  for (let at = start; at < delta.byteLength; ) {
    const op = delta[at++]!;
    if (op === 0) throw bad("it holds the reserved instruction");
    if (op < 0x80) {
      if (at + op > delta.byteLength || written + op > size) throw bad("it inserts past an end");
      result.set(delta.subarray(at, at + op), written);
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
    result.set(base.subarray(offset, offset + length), written);
    written += length;
  }
  if (written !== size) throw bad("it makes fewer bytes than it says");
  return result;
}

// From a row back to content, with the damage that a row can have.
import { inflateSync } from "node:zlib";
import { AppError } from "../../shared/errors.ts";
import { oidFromBytes, type Oid } from "./oid.ts";

/**
 * Bytes of output that are allowed beyond those expected. workerd counts the room that its output buffer grows to (it doubles) instead of what
 * is in it, and with a limit of the exact size refuses honest objects of some 42 to 120 KB. The length is compared afterwards.
 */
export const INFLATE_SLACK_BYTES = 128 * 1024;

export function damaged(oid: Oid, what: string): AppError {
  return new AppError("unavailable", `Object ${oid} is damaged in the store: ${what}.`, { oid });
}

/** The content of an object. Throws AppError("unavailable") when the bytes do not inflate to their size. */
export function inflateObject(packed: { size: number; deflated: Uint8Array } & ({ oid: Oid } | { key: Uint8Array })): Uint8Array {
  const oid = (): Oid => ("oid" in packed ? packed.oid : oidFromBytes(packed.key));
  let data: Uint8Array;
  try {
    const { buffer, byteOffset, byteLength } = inflateSync(packed.deflated, {
      maxOutputLength: packed.size + INFLATE_SLACK_BYTES,
    });
    data = new Uint8Array(buffer, byteOffset, byteLength);
  } catch (cause) {
    throw new AppError("unavailable", `Object ${oid()} is damaged in the store: it does not inflate.`, { oid: oid() }, { cause });
  }
  if (data.byteLength !== packed.size) throw damaged(oid(), `it holds ${data.byteLength} bytes instead of ${packed.size}`);
  return data;
}

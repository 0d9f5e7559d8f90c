// Object ids: SHA-1 over git's loose header and the content. Hex outside, 20 bytes in rows and trees.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** A SHA-1 object id as 40 lower-case hex digits. */
export type Oid = string;
/** The four kinds of git object. */
export type ObjectType = "commit" | "tree" | "blob" | "tag";

/** Numbers of the kinds, as a pack header writes them (gitformat-pack). */
export const TYPE_NUMBER: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 };
const TYPE_NAME: Record<number, ObjectType> = { 1: "commit", 2: "tree", 3: "blob", 4: "tag" };

/** The id that stands for "nothing" on the wire. */
export const ZERO_OID: Oid = "0".repeat(40);
/** The tree without entries. */
export const EMPTY_TREE: Oid = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** The kind of a pack number, or null for a number that names none (0, 5, the two delta kinds). */
export function typeOfNumber(number: number): ObjectType | null {
  return TYPE_NAME[number] ?? null;
}

/** Whether a text is an object id in the only spelling that we take. */
export function isOid(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/** 40 hex digits to 20 bytes. */
export function oidToBytes(oid: Oid): Uint8Array {
  return Buffer.from(oid, "hex");
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** 20 bytes at an offset to 40 hex digits. A table, because walks read millions of ids and a Buffer for each costs more than the id. */
export function oidFromBytes(bytes: Uint8Array | ArrayBuffer, offset = 0): Oid {
  const view = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
  let hex = "";
  for (let at = offset; at < offset + 20; at++) hex += HEX[view[at]!]!;
  return hex;
}

/** The id of an object: SHA-1 of `<type> <size>\0` and the content. */
export function hashObject(type: ObjectType, data: Uint8Array): Oid {
  return createHash("sha1").update(`${type} ${data.byteLength}\0`).update(data).digest("hex");
}

// The id of an import, made from what it brings: the same import is the same id, so its lines cite the same sources and land once.
import { createHash, type Hash } from "node:crypto";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Eight of a-z0-9 out of a digest. */
export function idOfHash(hash: Hash): string {
  return Array.from(hash.digest().subarray(0, 8), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

/** Eight of a-z0-9 out of some parts. */
export function idOf(...parts: string[]): string {
  return idOfHash(createHash("sha256").update(parts.map((part) => `${part.length}:${part}`).join("\n")));
}

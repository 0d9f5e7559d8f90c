// The keys of a memory's tombstones under a passphrase: how they travel in an export. scrypt makes the key, AES-256-GCM seals.
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, scryptSync } from "node:crypto";
import { AppError } from "../../shared/errors.ts";

/** 16 MB and some hundred milliseconds for each guess. */
const COST = { N: 16_384, r: 8, p: 5 };
const TAG_BYTES = 16;

/** As it stands in `tombstone-key.json`. */
export interface KeyBox {
  kdf: "scrypt";
  N: number;
  r: number;
  p: number;
  salt: string;
  iv: string;
  data: string;
}

const derive = (passphrase: string, salt: Uint8Array): Buffer => scryptSync(passphrase.normalize("NFKC"), salt, 32, COST);

/** Seals keys by their ids. */
export function sealKeys(
  keys: ReadonlyMap<string, Uint8Array>,
  passphrase: string,
  random: (bytes: number) => Uint8Array,
): KeyBox {
  const salt = random(16);
  const iv = random(12);
  const cipher = createCipheriv("aes-256-gcm", derive(passphrase, salt), iv);
  const plain = JSON.stringify(Object.fromEntries([...keys].map(([id, key]) => [id, Buffer.from(key).toString("base64")])));
  const data = Buffer.concat([cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  return { kdf: "scrypt", ...COST, salt: base64(salt), iv: base64(iv), data: base64(data) };
}

/** Opens a box. Throws AppError("forbidden") where the passphrase is another. */
export function openKeys(box: KeyBox, passphrase: string): Map<string, Uint8Array> {
  // The cost is not the archive's to choose: a large one would take all memory.
  if (box.kdf !== "scrypt" || box.N !== COST.N || box.r !== COST.r || box.p !== COST.p)
    throw new AppError("bad-format", "The key in this archive is sealed in a way that is not known here.");
  const data = Buffer.from(box.data, "base64");
  try {
    const decipher = createDecipheriv(
      "aes-256-gcm",
      derive(passphrase, Buffer.from(box.salt, "base64")),
      Buffer.from(box.iv, "base64"),
    );
    decipher.setAuthTag(data.subarray(data.length - TAG_BYTES));
    const plain = Buffer.concat([decipher.update(data.subarray(0, data.length - TAG_BYTES)), decipher.final()]).toString("utf8");
    return new Map(
      Object.entries(JSON.parse(plain) as Record<string, string>).flatMap(([id, key]) =>
        /^[A-Za-z0-9]{1,20}$/.test(id) ? [[id, Buffer.from(key, "base64")] as const] : [],
      ),
    );
  } catch (cause) {
    throw new AppError(
      "forbidden",
      "That passphrase does not open the key in this archive. Nothing was imported.",
      {},
      { cause },
    );
  }
}

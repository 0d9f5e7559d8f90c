// What hangs on the key of a memory's tombstones: fingerprints of what is forgotten, and the readable copy that is kept, sealed, for its owner.
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { baseName } from "../../shared/document.ts";
import { fingerprint, formatMatch, nameWords, type Fact, type FileNames } from "../../shared/tombstone.ts";
import { foldText, partsOf, stemOf } from "../../shared/words.ts";
import type { Sql } from "../git/sql.ts";
import { hmacOf, type Keyring } from "./keys.ts";

/** A forgotten line as its owner reads it. */
export interface Readable {
  text: string;
  path: string;
  section: string | null;
  meta: [string, string][];
  /** Its file went with it as a whole. */
  wholeFile?: boolean;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

// The key of the gate never encrypts itself: each use has one of its own.
const derived = (key: Uint8Array, use: string): Buffer => createHmac("sha256", key).update(`derived\n${use}`).digest();

/** Seals a readable copy under the memory's present key: `<key id>.<base64>`. */
export function seal(ring: Keyring, readable: Readable): string {
  const { id, bytes } = ring.current;
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", derived(bytes, "readable"), iv);
  const body = Buffer.concat([iv, cipher.update(JSON.stringify(readable), "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `${id}.${body.toString("base64")}`;
}

/** Opens a sealed copy; null where its key is lost or its bytes are damaged. */
export function unseal(ring: Keyring, sealed: string): Readable | null {
  const dot = sealed.indexOf(".");
  const key = ring.keys.get(sealed.slice(0, dot));
  if (!key) return null;
  const bytes = Buffer.from(sealed.slice(dot + 1), "base64");
  try {
    const decipher = createDecipheriv("aes-256-gcm", derived(key, "readable"), bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, bytes.length - TAG_BYTES)), decipher.final()]).toString(
      "utf8",
    );
    return JSON.parse(text) as Readable;
  } catch {
    return null;
  }
}

/** The value of `match` for a forgotten text. */
export function matchFor(ring: Keyring, fact: Fact, names: FileNames): string {
  return formatMatch(ring.current.id, fingerprint(fact, hmacOf(ring.current.bytes), names));
}

/** A keyed hash of an object id: tells that it was erased, to nobody who does not have it. */
export function erasedHash(key: Uint8Array, oid: string): Uint8Array {
  return createHmac("sha256", derived(key, "erased objects")).update(oid).digest().subarray(0, 20);
}

/** The words of files' names among which the first word of a text may stand: only there a capital at a text's beginning is a name. */
export function namesFor(sql: Sql, text: string): FileNames {
  const first = partsOf(text.normalize("NFKC"))[0];
  if (!first || first.unspaced || !/^[\p{Lu}\p{Lt}]/u.test(first.text)) return new Set();
  const stem = stemOf(first.text.toLowerCase());
  const begins = foldText(first.text).slice(0, 3);
  const names = new Set<string>();
  const rows = sql.exec<{ path: string; title: string | null }>(
    "SELECT path, title FROM files WHERE path > 'people/' AND path < 'people0' OR path > 'places/' AND path < 'places0' OR path > 'projects/' AND path < 'projects0'",
  );
  for (const { path, title } of rows) {
    const name = `${title ?? ""} ${baseName(path)}`;
    if (!foldText(name).includes(begins)) continue;
    for (const word of nameWords(name.replace(/[-_]+/g, " "))) if (word === stem) names.add(word);
  }
  return names;
}

// The keys of a memory's tombstones: random, one a memory, wrapped by the installation's secret where there is one.
// Old keys stay, so that what was forgotten under them stays forgotten; a key that is lost is remembered as dead.
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { Buffer } from "node:buffer";
import { AppError } from "../../shared/errors.ts";
import type { Hmac } from "../../shared/tombstone.ts";
import type { Sql } from "../git/sql.ts";

/** A key as it rests: `wrapped` names the secret that opens it, null = in the clear (local mode). `key` null = dead: nobody has it. */
interface StoredKey {
  id: string;
  key: string | null;
  wrapped: string | null;
}

const FACT = "tombstone-keys";
const KEY_BYTES = 32;

function read(sql: Sql): StoredKey[] {
  const row = sql.exec<{ value: string }>("SELECT value FROM facts WHERE name = ?", FACT).toArray()[0];
  return row ? (JSON.parse(row.value) as StoredKey[]) : [];
}

function save(sql: Sql, keys: readonly StoredKey[]): void {
  sql.exec("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", FACT, JSON.stringify(keys));
}

/** The secret's own name: tells whether a key was wrapped with it without telling what it is. */
function secretId(secret: string): string {
  return createHash("sha256").update(`tombstone-wrap\n${secret}`).digest("hex").slice(0, 12);
}

function wrappingKey(secret: string): Buffer {
  return createHash("sha256").update(`tombstone-wrap-key\n${secret}`).digest();
}

function wrap(key: Uint8Array, secret: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", wrappingKey(secret), iv);
  return Buffer.concat([iv, cipher.update(key), cipher.final(), cipher.getAuthTag()]).toString("base64");
}

function unwrap(stored: string, secret: string): Uint8Array | null {
  const bytes = Buffer.from(stored, "base64");
  try {
    const decipher = createDecipheriv("aes-256-gcm", wrappingKey(secret), bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(bytes.length - 16));
    return Buffer.concat([decipher.update(bytes.subarray(12, bytes.length - 16)), decipher.final()]);
  } catch {
    return null;
  }
}

/** Secrets that open keys: the present one first, then earlier ones while they rotate. */
export type Secrets = readonly string[];

function open(stored: StoredKey, secrets: Secrets): Uint8Array | null {
  if (stored.key === null) return null;
  if (stored.wrapped === null) return Buffer.from(stored.key, "base64");
  const secret = secrets.find((one) => secretId(one) === stored.wrapped);
  return secret === undefined ? null : unwrap(stored.key, secret);
}

/** All keys of the memory that can be opened, by id, with the newest as the one that new tombstones get. */
export interface Keyring {
  current: { id: string; bytes: Uint8Array };
  keys: ReadonlyMap<string, Uint8Array>;
  /** Ids of keys that are known to be lost. */
  dead: ReadonlySet<string>;
  hmacs: ReadonlyMap<string, Hmac>;
}

/** A keyed hash as tombstones take it. */
export function hmacOf(key: Uint8Array): Hmac {
  return (text) => createHmac("sha256", key).update(text).digest("hex");
}

/**
 * The keys; makes the first one, and wraps again what was wrapped with an earlier secret or none. Throws AppError("unavailable") where
 * a key cannot be opened: a gate that cannot read its tombstones lets nothing in.
 */
export function openKeyring(sql: Sql, secrets: Secrets, random: (bytes: number) => Uint8Array): Keyring {
  const stored = read(sql);
  const present = secrets[0] ?? null;
  const dead = new Set(stored.filter((one) => one.key === null).map((one) => one.id));
  const keys = new Map<string, Uint8Array>();
  for (const one of stored) {
    if (one.key === null) continue;
    const key = open(one, secrets);
    if (!key)
      throw new AppError(
        "unavailable",
        "The key of what you asked to forget cannot be opened with this AUTH_SECRET, so nothing is saved. Set the secret that the memory was used with.",
      );
    keys.set(one.id, key);
  }
  if (keys.size === 0) {
    const id = `k${stored.length + 1}${Buffer.from(random(2)).toString("hex")}`;
    const key = random(KEY_BYTES);
    keys.set(id, key);
    save(sql, [...stored, storedKey(id, key, present)]);
  } else if (stored.some((one) => one.key !== null && one.wrapped !== (present === null ? null : secretId(present)))) {
    save(
      sql,
      stored.map((one) => (keys.has(one.id) ? storedKey(one.id, keys.get(one.id)!, present) : one)),
    );
  }
  const [id, bytes] = [...keys].at(-1)!;
  return { current: { id, bytes }, keys, dead, hmacs: new Map([...keys].map(([name, key]) => [name, hmacOf(key)])) };
}

function storedKey(id: string, key: Uint8Array, secret: string | null): StoredKey {
  return secret === null
    ? { id, key: Buffer.from(key).toString("base64"), wrapped: null }
    : { id, key: wrap(key, secret), wrapped: secretId(secret) };
}

/** Declares keys lost that none of the secrets opens: their tombstones are dead from now on. Gives back their ids. */
export function giveUpKeys(sql: Sql, secrets: Secrets): string[] {
  const stored = read(sql);
  const lost = stored.filter((one) => one.key !== null && open(one, secrets) === null).map(({ id }) => id);
  if (lost.length > 0)
    save(
      sql,
      stored.map((one) => (lost.includes(one.id) ? { id: one.id, key: null, wrapped: null } : one)),
    );
  return lost;
}

/** Takes over keys that an import brought: they stand before the memory's own, which new tombstones go on getting. Null = nobody has it: remembered as lost. */
export function adoptKeys(sql: Sql, secrets: Secrets, brought: ReadonlyMap<string, Uint8Array | null>): void {
  const stored = read(sql);
  for (const [id, key] of brought) {
    const at = stored.findIndex((one) => one.id === id);
    const next = key === null ? { id, key: null, wrapped: null } : storedKey(id, key, secrets[0] ?? null);
    if (at < 0) stored.unshift(next);
    // A key that is here already is the memory's own; one that was lost is found again.
    else if (key !== null && stored[at]!.key === null) stored[at] = next;
  }
  save(sql, stored);
}

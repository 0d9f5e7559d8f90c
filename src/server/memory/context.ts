// What the functions of the memory room are given instead of a Durable Object: rows, repository, clock, chance. No `this`.
import type { ObjectStore } from "../git/store.ts";
import type { Sql, Transact } from "../git/sql.ts";
import { dayIn } from "../../shared/zone.ts";
import type { ParsedFiles } from "./documents.ts";
import type { Keyring } from "./keys.ts";
import type { Stones } from "./stones.ts";

export interface MemoryContext {
  sql: Sql;
  transact: Transact;
  store: ObjectStore;
  /** The same repository over another connection: faults and counters stand in between. */
  reopen(sql: Sql): ObjectStore;
  /** Milliseconds since 1970. */
  now(): number;
  /** Eight of a-z0-9, from a good source of chance. */
  randomId(): string;
  /** The user's zone from the settings, else UTC. */
  zone(): string;
  /** The keys of the memory's tombstones. Throws AppError("unavailable") when one cannot be opened. */
  keyring(): Keyring;
  /** Declares keys lost that cannot be opened; gives back their ids. */
  giveUpKeys(): string[];
  /** Takes over keys of an import; null = nobody has that key. */
  adoptKeys(keys: ReadonlyMap<string, Uint8Array | null>): void;
  /** What may be kept between calls of one instance; everything in it can be made again from rows. */
  cache: MemoryCache;
  /** US dollars that the model calls of a reference (`dream/<id>`) cost; null = unknown. */
  costOf?(ref: string): number | null;
  /** What happens once a write stands: broadcast, state, alarms. Never inside the transaction. */
  landed?(commit: LandedCommit): void;
}

export interface MemoryCache {
  stones?: { state: string; stones: Stones };
  parsed?: ParsedFiles;
}

export interface LandedCommit {
  commit: string;
  kind: string;
  paths: string[];
}

/** The branch that is the memory. */
export const MAIN = "refs/heads/main";

/** The head of the memory, or null before the first write. */
export function headOf(ctx: Pick<MemoryContext, "store">): string | null {
  return ctx.store.ref(MAIN);
}

/** Today in the user's zone, as YYYY-MM-DD. */
export function todayOf(ctx: Pick<MemoryContext, "now" | "zone">): string {
  return dayIn(ctx.now(), ctx.zone());
}

const ID_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

/** An id of eight characters out of random bytes: bytes above 251 are dropped, so that every character is as likely. */
export function randomIdFrom(randomBytes: (count: number) => Uint8Array): string {
  let id = "";
  while (id.length < 8) {
    for (const byte of randomBytes(16)) {
      if (byte < 252 && id.length < 8) id += ID_ALPHABET[byte % 36];
    }
  }
  return id;
}

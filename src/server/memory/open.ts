// Opens the memory of a Durable Object: tables brought up to date, and the context that every function of the room takes.
import { randomBytes } from "node:crypto";
import { openStore } from "../git/store.ts";
import type { Sql, Transact } from "../git/sql.ts";
import { randomIdFrom, type LandedCommit, type MemoryCache, type MemoryContext } from "./context.ts";
import { adoptKeys, giveUpKeys, openKeyring, type Keyring } from "./keys.ts";
import { ROOMS } from "./rooms.ts";
import { migrate } from "./schema.ts";
import { readSettings } from "./settings.ts";

export interface OpenOptions {
  sql: Sql;
  transact: Transact;
  now: () => number;
  /** The installation's secrets, the present one first; empty in local mode. */
  secrets: readonly string[];
  landed: (commit: LandedCommit) => void;
}

/** Brings the tables up to date and gives the context. Reads two rows where nothing is to do. */
export function openMemory({ sql, transact, now, secrets, landed }: OpenOptions): MemoryContext {
  migrate(sql, transact, ROOMS);
  const random = (count: number): Uint8Array => randomBytes(count);
  let ring: Keyring | null = null;
  const cache: MemoryCache = {};
  return {
    sql,
    transact,
    store: openStore(sql),
    reopen: (other) => openStore(other),
    now,
    randomId: () => randomIdFrom(random),
    zone: () => readSettings(sql).zone ?? "UTC",
    keyring: () => (ring ??= openKeyring(sql, secrets, random)),
    giveUpKeys: () => giveUpKeys(sql, secrets),
    adoptKeys(keys) {
      adoptKeys(sql, secrets, keys);
      ring = null;
      delete cache.stones;
    },
    cache,
    landed,
  };
}

// What the tests of the git room share: a repository on the SQLite of a real Durable Object, and commits in one line.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { commitChanges, type CommitResult } from "../../../src/server/git/repo.ts";
import type { Oid } from "../../../src/server/git/oid.ts";
import type { Sql, Transact } from "../../../src/server/git/sql.ts";
import { createTables, openStore, type ObjectStore } from "../../../src/server/git/store.ts";

/** A repository of its own beside whatever the object keeps. */
const REPO = 77;
export const MAIN = "refs/heads/main";
/** 2026-01-01T00:00:00Z, in ms. */
export const NEW_YEAR = 1_767_225_600_000;

export interface Repository {
  store: ObjectStore;
  sql: Sql;
  transact: Transact;
}

/** Runs a function inside a fresh Durable Object. */
export async function inRepository<T>(fn: (repository: Repository) => T | Promise<T>): Promise<T> {
  const bindings = env as unknown as Record<string, DurableObjectNamespace>;
  const namespace = bindings.REPOSITORY ?? bindings.MemoryAgent!;
  const stub = namespace.get(namespace.newUniqueId());
  return runInDurableObject(stub, (_instance, state) => {
    const { sql, transactionSync } = state.storage;
    createTables(sql);
    return fn({ store: openStore(sql, REPO), sql, transact: transactionSync.bind(state.storage) });
  });
}

/** The same repository through another connection, for faults. */
export function openAgain(sql: Sql): ObjectStore {
  return openStore(sql, REPO);
}

const encoder = new TextEncoder();
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

export function changesOf(files: Record<string, string | null>): Map<string, Uint8Array | null> {
  return new Map(Object.entries(files).map(([path, text]) => [path, text === null ? null : bytesOf(text)]));
}

/** A commit on `parent` by a person of the tests; moves no ref. */
export function commit(
  store: ObjectStore,
  parent: Oid | null,
  files: Record<string, string | null>,
  { at = NEW_YEAR, parents, message = "edit(memory): a change" }: { at?: number; parents?: Oid[]; message?: string } = {},
): CommitResult {
  const person = { name: "Ada Example", email: "ada@example.org", at, tz: "+0100" };
  return commitChanges(store, {
    parent,
    ...(parents && { parents }),
    changes: changesOf(files),
    author: person,
    committer: person,
    message,
  });
}

/** The same, landed on main. */
export function land(store: ObjectStore, files: Record<string, string | null>, at = NEW_YEAR): CommitResult {
  const head = store.ref(MAIN);
  const result = commit(store, head, files, { at });
  if (!result.unchanged) store.moveRef(MAIN, head, result.commit, { kind: "edit", actor: "user", at });
  return result;
}

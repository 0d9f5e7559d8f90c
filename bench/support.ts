// What the benches share: a memory filled with invented facts, counters around SQL, and a table row.
import { Buffer } from "node:buffer";
import { runInDurableObject } from "cloudflare:test";
import { commitChanges } from "../src/server/git/repo.ts";
import type { MemoryAgent } from "../src/server/memory/agent.ts";
import { APP_EMAIL, APP_NAME } from "../src/server/memory/commit-message.ts";
import { headOf, MAIN, type MemoryContext } from "../src/server/memory/context.ts";
import { projectCommit, projectionHead } from "../src/server/memory/project.ts";
import { readFile } from "../src/server/memory/read.ts";

/** A repeatable source of chance (mulberry32). */
export function rng(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const WHO = [
  "The neighbour",
  "A cousin",
  "The baker",
  "Her colleague",
  "The old friend",
  "A teacher",
  "The landlord",
  "Their trainer",
];
const DOES = ["prefers", "keeps", "repairs", "collects", "paints", "plays", "sells", "studies", "avoids", "remembers"];
const WHAT = [
  "rye bread",
  "wooden boats",
  "brass clocks",
  "the oboe",
  "river maps",
  "garden tools",
  "old radios",
  "mountain huts",
  "sour cherries",
  "paper lamps",
];
const WHEN = [
  "in spring",
  "on Mondays",
  "by the harbour",
  "near the station",
  "with great care",
  "since childhood",
  "for the school",
  "at weekends",
];

/** An invented fact. */
export function sentence(random: () => number): string {
  const pick = (list: string[]) => list[Math.floor(random() * list.length)]!;
  return `${pick(WHO)} ${pick(DOES)} ${pick(WHAT)} ${pick(WHEN)}`;
}

/** Files in directories of at most 100; the first is MEMORY.md, which every memory has. */
export function nameOfFile(n: number): string {
  if (n === 0) return "MEMORY.md";
  return `topics/d${String(Math.floor(n / 100)).padStart(3, "0")}/f${String(n % 100).padStart(2, "0")}.md`;
}

const AT = Date.parse("2026-01-01T00:00:00Z");

function textOfFile(n: number, files: number, random: () => number): string {
  const lines = Array.from({ length: 20 }, (_, i) => {
    const id = (n * 20 + i).toString(36).padStart(8, "0");
    const link = i === 0 ? ` with [[${nameOfFile((n * 7 + 1) % files).replace(/\.md$/, "")}|another]]` : "";
    return `- ${sentence(random)} ${n}.${i}${link} [id: ${id}; source: import/bench#${i}; added: 2026-01-01]`;
  });
  return `# Topic ${n}\n\n${lines.join("\n")}\n`;
}

/** Commits of one slice: a call of an object is not to hold it for long. */
const SLICE_COMMITS = 250;
const FILES_A_COMMIT = 100;

/** One commit and its projection, without the gate: what is measured afterwards is the size of the memory, not how it came to be. */
function commitFiles(ctx: MemoryContext, files: ReadonlyMap<string, string>, at: number): void {
  const head = headOf(ctx);
  const person = { name: APP_NAME, email: APP_EMAIL, at, tz: "+0000" };
  const { commit } = commitChanges(ctx.store, {
    parent: head,
    changes: new Map([...files].map(([path, text]) => [path, Buffer.from(text)])),
    author: person,
    committer: person,
    message: "edit: Filled for a bench\n\nActor: user\n",
  });
  ctx.store.moveRef(MAIN, head, commit, { kind: "edit", actor: "user", at });
  projectCommit(ctx, projectionHead(ctx), commit);
}

/** Fills a memory with files of 20 entries, then edits single entries until it has that many commits. One that is filled already only grows. */
export async function fillMemory(stub: DurableObjectStub<MemoryAgent>, files: number, commits: number): Promise<void> {
  const random = rng(1);
  const done = await runInDurableObject(stub, (agent: MemoryAgent) => projectionHead(agent.memory)?.seq ?? 0);
  if (done === 0) {
    for (let from = 0; from < files; from += FILES_A_COMMIT) {
      await runInDurableObject(stub, ({ memory: ctx }: MemoryAgent) => {
        const batch = new Map<string, string>();
        for (let n = from; n < Math.min(files, from + FILES_A_COMMIT); n++)
          batch.set(nameOfFile(n), textOfFile(n, files, random));
        ctx.transact(() => commitFiles(ctx, batch, AT + from));
      });
    }
  }
  for (let from = Math.max(done, Math.ceil(files / FILES_A_COMMIT)); from < commits; from += SLICE_COMMITS) {
    await runInDurableObject(stub, ({ memory: ctx }: MemoryAgent) => {
      ctx.transact(() => {
        for (let i = from; i < Math.min(commits, from + SLICE_COMMITS); i++) {
          const path = nameOfFile(Math.floor(random() * files));
          const lines = readFile(ctx, path, {}).text.split("\n");
          const at = 2 + Math.floor(random() * 20);
          lines[at] = lines[at]!.replace(/^- .*(?= \[id: )/, () => `- ${sentence(random)} again ${i}`);
          commitFiles(ctx, new Map([[path, lines.join("\n")]]), AT + files + i * 60_000);
        }
      });
    });
  }
}

/** The context with its SQL counted: rows as SQLite writes them (indexes too), bytes as they are bound to writing statements. */
export function countWrites(ctx: MemoryContext): { ctx: MemoryContext; rows: () => number; bytes: () => number } {
  const cursors: { rowsWritten: number }[] = [];
  let bytes = 0;
  const original = ctx.sql.exec;
  const counting = (query: string, ...bindings: never[]) => {
    const cursor = original.call(ctx.sql, query, ...bindings);
    if (/^\s*(?:INSERT|UPDATE|DELETE|REPLACE)/i.test(query)) {
      cursors.push(cursor);
      for (const value of bindings as unknown[]) {
        bytes +=
          typeof value === "string"
            ? new TextEncoder().encode(value).byteLength
            : value instanceof Uint8Array || value instanceof ArrayBuffer
              ? value.byteLength
              : 8;
      }
    }
    return cursor;
  };
  const proxy = new Proxy(ctx.sql, {
    get: (target, key) => (key === "exec" ? counting : Reflect.get(target, key)),
  }) as MemoryContext["sql"];
  return {
    ctx: { ...ctx, sql: proxy, store: ctx.reopen(proxy) },
    rows: () => cursors.reduce((sum, cursor) => sum + cursor.rowsWritten, 0),
    bytes: () => bytes,
  };
}

export function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
}

export function p95(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * 0.95))] ?? 0;
}

export async function timeOf(run: () => unknown): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

/** One line of a table: name, value, unit, and the limit that it must keep. */
export function row(name: string, value: number, unit: string, limit?: number): string {
  const shown = `${value.toFixed(value < 10 ? 2 : 1)} ${unit}`.trim();
  return `  ${name.padEnd(58)} ${shown.padStart(12)}${limit === undefined ? "" : `   (at most ${limit} ${unit})`}`;
}

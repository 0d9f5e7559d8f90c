// What the tests of the memory core share: calls through the Worker's own door, and changes with defaults.
import { env, exports } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { Buffer } from "node:buffer";
import type { MemoryContext } from "../../../src/server/memory/context.ts";
import type { MemoryAgent } from "../../../src/server/memory/agent.ts";
import type { Change, Outcome } from "../../../src/shared/protocol.ts";

/** A moment of the tests: 5 October 2026, noon in UTC. */
export const NOW = Date.parse("2026-10-05T12:00:00Z");

export interface Called {
  status: number;
  body: any;
  text: string;
  headers: Headers;
}

/** One call of the HTTP API. A string body is sent as it is. */
export async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Called> {
  const init: RequestInit = { method, headers };
  if (body !== undefined)
    init.body = typeof body === "string" || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body);
  const response = await exports.default.fetch(new Request(`http://localhost:4321${path}`, init));
  const text = await response.text();
  let parsed: any = null;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Markdown.
  }
  return { status: response.status, body: parsed, text, headers: response.headers };
}

let counter = 0;
/** A memory of its own for one test. */
export function freshMemory(name = `t${++counter}${Math.random().toString(36).slice(2, 8)}`) {
  return env.MemoryAgent.getByName(name);
}

/** Runs inside the Durable Object. */
export function inside<T>(stub: DurableObjectStub<MemoryAgent>, run: (agent: MemoryAgent) => T | Promise<T>): Promise<T> {
  return runInDurableObject(stub, (agent: MemoryAgent) => run(agent));
}

/** A change of the user's own hand. */
export function change(parts: Partial<Change>): Change {
  return { base: null, kind: "edit", source: null, actor: "user", at: NOW, zone: "UTC", typed: true, ...parts };
}

/** The Outcome of a write that must have landed. */
export function landed(outcome: Outcome): Extract<Outcome, { ok: true }> {
  if (!outcome.ok)
    throw new Error(`Refused: ${outcome.code}: ${outcome.message} ${JSON.stringify(outcome.details ?? {}).slice(0, 300)}`);
  return outcome;
}

/** The refusal of a write that must not have landed. */
export function refusal(outcome: Outcome): Extract<Outcome, { ok: false }> {
  if (outcome.ok) throw new Error(`It landed: ${JSON.stringify(outcome)}`);
  return outcome;
}

const TABLES =
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%' AND name NOT LIKE 'cf_%' AND name NOT LIKE '%_fts%' ORDER BY name";

/** Every row of every table, for comparing two states; some tables can be left out. */
export function dump(sql: MemoryContext["sql"], without: readonly string[] = []): Map<string, string[]> {
  const state = new Map<string, string[]>();
  for (const { name } of sql.exec<{ name: string }>(TABLES).toArray()) {
    if (without.includes(name)) continue;
    const rows = sql.exec<Record<string, unknown> & Record<string, never>>(`SELECT * FROM ${name}`).toArray();
    state.set(
      name,
      rows
        .map((row) =>
          JSON.stringify(
            Object.values(row).map((value: unknown) =>
              value instanceof ArrayBuffer ? Buffer.from(value).toString("hex") : value,
            ),
          ),
        )
        .sort(),
    );
  }
  return state;
}

/** The context with a fault at the k-th statement: once, or from there on. `calls` counts them. */
export function faulty(
  ctx: MemoryContext,
  at: number,
  message: string,
  persistent: boolean,
): { ctx: MemoryContext; calls: () => number } {
  let calls = 0;
  const exec = (query: string, ...bindings: never[]) => {
    calls++;
    if (calls === at || (persistent && calls > at)) throw new Error(message);
    return ctx.sql.exec(query, ...bindings);
  };
  const sql = { exec } as unknown as MemoryContext["sql"];
  return { ctx: { ...ctx, sql, store: ctx.reopen(sql) }, calls: () => calls };
}

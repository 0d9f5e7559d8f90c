// Answers that were given stay given: a repeated request with the same key gets the same answer and writes nothing again.
import { createHash } from "node:crypto";
import { AppError } from "../../shared/errors.ts";
import type { Outcome } from "../../shared/protocol.ts";
import type { MemoryContext } from "./context.ts";

/** How long an answer is kept, in milliseconds: retries come within minutes, a restored tab within a day. */
export const IDEMPOTENCY_KEEP_MS = 24 * 3600_000;

type Ctx = Pick<MemoryContext, "sql" | "now">;

/** A request without what differs between two tries of it: the clock. */
export function requestHash(request: object): string {
  return createHash("sha256")
    .update(JSON.stringify(request, (key, value) => (key === "at" ? undefined : value)))
    .digest("hex");
}

/** The answer under a key, or null. Throws `bad-format` where the key named another request. */
export function answerOf(ctx: Ctx, key: string, request: string): Outcome | null {
  const row = ctx.sql
    .exec<{ request: string; answer: string; at: number }>("SELECT request, answer, at FROM idempotency WHERE key = ?", key)
    .toArray()[0];
  if (!row || row.at < ctx.now() - IDEMPOTENCY_KEEP_MS) return null;
  if (row.request !== request)
    throw new AppError("bad-format", "This Idempotency-Key was used for another request. Take a new one.");
  return JSON.parse(row.answer) as Outcome;
}

/** Keeps an answer, in the transaction of the write, and drops those that are too old (a few at a time). */
export function keepAnswer(ctx: Ctx, key: string, request: string, answer: Outcome): void {
  ctx.sql.exec(
    "INSERT OR REPLACE INTO idempotency (key, request, answer, at) VALUES (?, ?, ?, ?)",
    key,
    request,
    JSON.stringify(answer),
    ctx.now(),
  );
  ctx.sql.exec(
    "DELETE FROM idempotency WHERE key IN (SELECT key FROM idempotency WHERE at < ? LIMIT 4)",
    ctx.now() - IDEMPOTENCY_KEEP_MS,
  );
}

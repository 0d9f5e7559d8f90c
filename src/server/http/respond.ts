// What every API answer looks like: JSON, never cached, a refusal with the status of its code.
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import * as z from "zod";
import { readAtMost } from "../body.ts";
import { logFailure } from "../log.ts";
import { AppError, STATUS, refusalOf, type Code, type Refusal } from "../../shared/errors.ts";

/** Bytes of a JSON body: larger uploads go through a route of their own. */
export const BODY_MAX_BYTES = 1024 * 1024;

/** A refusal as `{error: {code, message, details?}}` with the status of its code. */
export function refuse(c: Context, refusal: Refusal): Response {
  const { code, message, details } = refusal;
  if (code === "rate-limited" && typeof details?.retryAfterS === "number") c.header("Retry-After", String(details.retryAfterS));
  return c.json({ error: details ? { code, message, details } : { code, message } }, STATUS[code] as ContentfulStatusCode);
}

/** The refusal that stands for whatever was thrown. Unknown errors are logged and answered without their text. */
export function refusalFor(error: unknown, request = ""): Refusal & { unforeseen?: true } {
  const known = refusalOf(error);
  if (known) return known;
  logFailure("A request failed", error, { id: request });
  return { code: "unavailable", message: "Something failed in the app. Nothing was saved; try again.", unforeseen: true };
}

/** A code and a sentence, thrown past the handler to the error edge. */
export function fail(code: Code, message: string, details: Record<string, unknown> = {}): never {
  throw new AppError(code, message, details);
}

/** The bytes of a body, refused past a limit before they are all in memory. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  return (
    (await readAtMost(request, maxBytes)) ??
    fail("too-large", `The request is larger than ${Math.floor(maxBytes / 1024)} KB. Send less at once.`, { maxBytes })
  );
}

/** A JSON body that fits a schema. Throws `bad-format` with the place and what it expects. An absent body counts as `{}`. */
export async function readJson<T>(c: Context, schema: z.core.$ZodType<T>, maxBytes = BODY_MAX_BYTES): Promise<T> {
  const bytes = await readBytes(c.req.raw, maxBytes);
  let value: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    value = text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    fail("bad-format", 'The body is not valid JSON in UTF-8. Send an object like {"text": "…"}.');
  }
  return checked(schema, value, "body");
}

/** The query string through a schema. Throws `bad-format`. */
export function readQuery<T>(c: Context, schema: z.core.$ZodType<T>): T {
  return checked(schema, c.req.query(), "query");
}

/** A value through a schema. Throws `bad-format` with a sentence that names the place. */
export function checked<T>(schema: z.core.$ZodType<T>, value: unknown, where: string): T {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const place = issue && issue.path.length > 0 ? issue.path.join(".") : where;
  fail("bad-format", `${place}: ${issue?.message ?? "not as expected"}`, { field: place });
}

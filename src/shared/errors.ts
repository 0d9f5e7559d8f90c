// The codes of the design, their HTTP statuses, and the error that a broken invariant throws. Expected failures are tagged results, not exceptions.

/** Codes of a refusal, each with its HTTP status (design, section Writing). */
export const STATUS = {
  "bad-format": 400,
  "bad-path": 400,
  unauthorized: 401,
  "cap-reached": 402,
  "read-only": 403,
  pinned: 403,
  forbidden: 403,
  "not-found": 404,
  conflict: 409,
  ambiguous: 409,
  "needs-click": 409,
  "too-large": 413,
  secret: 422,
  forgotten: 422,
  shrink: 422,
  "no-base": 428,
  "rate-limited": 429,
  unavailable: 503,
  "storage-full": 507,
} as const;

/** A code of the table above. */
export type Code = keyof typeof STATUS;

/** A refusal: a code for programs, a sentence that says what happened and what to do, and data for a screen. */
export interface Refusal {
  code: Code;
  message: string;
  details?: Record<string, unknown>;
}

/** Thrown where an invariant is broken or a refusal has to cross a call that cannot return it. Survives serialisation as {code, message, details}. */
export class AppError extends Error {
  override readonly name = "AppError";
  constructor(
    readonly code: Code,
    message: string,
    readonly details: Record<string, unknown> = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }

  /** The refusal that this error stands for. */
  toRefusal(): Refusal {
    return Object.keys(this.details).length > 0
      ? { code: this.code, message: this.message, details: this.details }
      : { code: this.code, message: this.message };
  }
}

/** Reads an AppError back from whatever was thrown, also from one that lost its class on the way through RPC. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof AppError) return error.toRefusal();
  if (typeof error !== "object" || error === null) return null;
  const { code, message, details } = error as { code?: unknown; message?: unknown; details?: unknown };
  if (typeof code !== "string" || !(code in STATUS) || typeof message !== "string") return null;
  return details && typeof details === "object"
    ? { code: code as Code, message, details: details as Record<string, unknown> }
    : { code: code as Code, message };
}

// What a message from outside must look like, and the job that it becomes.
import * as z from "zod";
import { AppError } from "../../shared/errors.ts";
import { MESSAGE_MAX_BYTES } from "../../shared/limits.ts";
import { ChatBody } from "../../shared/protocol.ts";
import type { Job } from "./in-flight.ts";

/** A chat body from outside, checked. `hosted`: nobody but the server sets the clock. */
export function parseBody(body: unknown, hosted: boolean): ChatBody {
  const result = z.safeParse(ChatBody, body);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new AppError(
      "bad-format",
      `${issue && issue.path.length > 0 ? issue.path.join(".") : "body"}: ${issue?.message ?? "not as expected"}`,
      { field: issue?.path.join(".") ?? "body" },
    );
  }
  const chat = result.data;
  if (new TextEncoder().encode(chat.message).byteLength > MESSAGE_MAX_BYTES) {
    throw new AppError(
      "too-large",
      `The message is longer than ${MESSAGE_MAX_BYTES / 1024} KB. Send it in parts, or import it as a file.`,
      { maxBytes: MESSAGE_MAX_BYTES },
    );
  }
  if (chat.message.trim() === "")
    throw new AppError("bad-format", "The message is empty. Write something first.", { field: "message" });
  if (chat.at !== undefined && hosted)
    throw new AppError("bad-format", "at is for local mode only: here the server's clock counts.", { field: "at" });
  if (chat.at !== undefined && !Number.isFinite(Date.parse(chat.at)))
    throw new AppError("bad-format", "at is not a moment in time. Write one like 2026-03-14T09:30:00+01:00.", { field: "at" });
  return chat;
}

/** The job of a chat body. */
export function jobOf(body: ChatBody, now: number, nonce?: string): Job {
  return {
    do: "send",
    start: {
      text: body.message,
      pasted: body.pasted ?? [],
      at: body.at === undefined ? now : Date.parse(body.at),
      zone: body.tz ?? null,
      scope: body.scope ?? null,
      replaces: body.replaces ?? null,
      // Named also where the client names nothing: a turn that is begun twice after an eviction stores its message once.
      nonce: nonce ?? crypto.randomUUID(),
    },
  };
}

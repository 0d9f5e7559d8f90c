// The bodies of requests: what nobody reads of one is thrown away before the answer leaves. A server that answers over unread bytes has to
// close the line behind its answer, and a client that keeps the line open sends its next request into nothing.
import { BODY_DRAIN_MAX_BYTES } from "../shared/limits.ts";

/** Reads what is left and throws it away, up to `BODY_DRAIN_MAX_BYTES`. A client that has gone away ends it: nobody is left to hear. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    let bytes = 0;
    for (let step = await reader.read(); !step.done; step = await reader.read())
      if ((bytes += step.value.byteLength) > BODY_DRAIN_MAX_BYTES) return void (await reader.cancel());
  } catch {
    // Broken off on the way.
  }
}

/** The same for a body that nobody began to read; one that was handed on is its reader's. */
export async function drainUnread(request: Request): Promise<void> {
  if (!request.body || request.bodyUsed || request.body.locked) return;
  if (Number(request.headers.get("Content-Length") ?? 0) > BODY_DRAIN_MAX_BYTES) return;
  await drain(request.body.getReader());
}

/** A body piece by piece. When its reader stops early, the rest is thrown away; one that never begins leaves it to `drainUnread`. */
export async function* bodyChunks(request: Request): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader();
  if (!reader) return;
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value;
  } finally {
    await drain(reader);
  }
}

/** All pieces as one; null past a limit, of which nothing beyond the limit was kept in memory. */
export async function collectAtMost(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of chunks) {
    size += part.byteLength;
    if (size > maxBytes) return null;
    parts.push(part);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

/** The bytes of a body; null past a limit. Throws when the client breaks off. */
export async function readAtMost(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  if (Number(request.headers.get("Content-Length") ?? 0) <= maxBytes) return collectAtMost(bodyChunks(request), maxBytes);
  await drainUnread(request);
  return null;
}

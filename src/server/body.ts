// The bodies of requests: what nobody reads of one is thrown away before the answer leaves. A server that answers over unread bytes has to
// close the line behind its answer, and a client that keeps the line open sends its next request into nothing.
import { BODY_DRAIN_MAX_BYTES } from "../shared/limits.ts";

/** Reads what is left and throws it away, up to `BODY_DRAIN_MAX_BYTES`. A client that has gone away ends it: nobody is left to hear. */
export async function drain(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  try {
    let bytes = 0;
    for (let step = await reader?.read(); step && !step.done; step = await reader?.read())
      if ((bytes += step.value.byteLength) > BODY_DRAIN_MAX_BYTES) return void (await reader?.cancel());
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

/** The bytes of a body; null past a limit, of which nothing beyond the limit was kept in memory. Throws when the client breaks off. */
export async function readAtMost(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  if (!request.body) return new Uint8Array(0);
  if (Number(request.headers.get("Content-Length") ?? 0) > maxBytes) {
    await drainUnread(request);
    return null;
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    size += step.value.byteLength;
    if (size > maxBytes) {
      await drain(reader);
      return null;
    }
    parts.push(step.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

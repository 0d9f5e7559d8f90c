// Sockets of an object: which session each belongs to, and how much a client may send over one. For both agent classes.
import { SOCKET_FRAME_BURST, SOCKET_FRAME_MAX_BYTES, SOCKET_FRAMES_PER_SECOND } from "../../shared/limits.ts";
import { Bucket } from "./rate.ts";

/** How the Worker tells an object whose socket it hands over; what a client sends under this name is taken away before. */
export const SESSION_HEADER = "X-Reverie-Session";

/** Closing codes: the session has ended; more than a client may send. */
const SESSION_ENDED = 4401;
const TOO_MUCH = 1008;

/** The tag under which a session's sockets are found again, also after the object slept. */
export function sessionTags(request: Request): string[] {
  const session = request.headers.get(SESSION_HEADER);
  return session ? [`session:${session}`] : [];
}

interface Closable {
  close(code?: number, reason?: string): void;
}

/** Closes what a session that has ended left open. */
export function closeSession(connections: (tag: string) => Iterable<Closable>, session: string): number {
  let closed = 0;
  for (const connection of connections(`session:${session}`)) {
    connection.close(SESSION_ENDED, "The session has ended.");
    closed += 1;
  }
  return closed;
}

interface Socket extends Closable {
  id: string;
}

/** Sockets that are counted at once: past it the count begins anew, which lets a flood through for a moment and never grows. */
const COUNTED_MAX = 1_000;

/** Reads a socket's frames as `read` does, but counts what clients send: a socket that floods is closed and heard no more. One for each object. */
export function guardFrames<S extends Socket, F extends string | ArrayBuffer | ArrayBufferView, R>(
  read: (socket: S, frame: F) => R,
  now: () => number,
): (socket: S, frame: F) => R | undefined {
  const buckets = new Map<string, Bucket | "shut">();
  return (socket, frame) => {
    const known = buckets.get(socket.id);
    if (known === "shut") return undefined;
    const size = typeof frame === "string" ? frame.length : frame.byteLength;
    const bucket = known ?? new Bucket(SOCKET_FRAME_BURST, SOCKET_FRAMES_PER_SECOND);
    if (buckets.size > COUNTED_MAX) buckets.clear();
    buckets.set(socket.id, bucket);
    if (size <= SOCKET_FRAME_MAX_BYTES && bucket.take(now()) === 0) return read(socket, frame);
    buckets.set(socket.id, "shut");
    socket.close(TOO_MUCH, "That is more than one page may send.");
    return undefined;
  };
}

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

/** Counts what clients send; a socket that floods is closed. One for each object. */
export class FrameGuard {
  readonly #buckets = new Map<string, Bucket | "shut">();

  /** Whether a frame may be read. */
  allows(socket: Socket, frame: string | ArrayBuffer | ArrayBufferView, now: number): boolean {
    const known = this.#buckets.get(socket.id);
    if (known === "shut") return false;
    const size = typeof frame === "string" ? frame.length : frame.byteLength;
    const bucket = known ?? new Bucket(SOCKET_FRAME_BURST, SOCKET_FRAMES_PER_SECOND);
    if (this.#buckets.size > COUNTED_MAX) this.#buckets.clear();
    this.#buckets.set(socket.id, bucket);
    if (size <= SOCKET_FRAME_MAX_BYTES && bucket.take(now) === 0) return true;
    this.#buckets.set(socket.id, "shut");
    socket.close(TOO_MUCH, "That is more than one page may send.");
    return false;
  }
}
